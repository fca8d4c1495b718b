//! Checks that the author of a batch may set what the batch sets. The roles that may set a field stand on the field.
//!
//! Every value that a client writes passes [`Work::check_setter`], also those of parts of an item. The server sets
//! every field. A synchronizer writes no object that stands for another source than its own.

use serde_json::Value as Json;

use super::assemble::Assembly;
use super::work::Work;
use crate::access::Forbidden;
use crate::write::batch::Sets;
use underlay_inventory::{Description, Field, Refusal, Roles, Setter, shorten_text};

impl Work<'_> {
    /// Checks that the author may set a field to a value.
    pub(super) fn check_setter(&self, kind: &Description, field: &Field, value: &Json) -> Result<(), Refusal> {
        if self.batch.origin.is_server() {
            return Ok(());
        }
        if field.setter == Setter::Server {
            let reason = "is set by the server alone".to_owned();
            return Err(Refusal::Invalid { field: field.name.to_owned(), reason });
        }
        let refused =
            |field_name: String, roles| Err(Refusal::NotAssigned { field: field_name, kind: kind.name, roles });
        let roles = match self.batch.author.sets {
            Sets::All(roles) if field.setter == Setter::Operators && is_synchronizer(roles) => {
                return refused(field.name.to_owned(), field.set_by());
            }
            Sets::All(_) if !field.reported => return Ok(()),
            Sets::All(roles) | Sets::Assigned(roles) => roles,
        };
        if field.assigned_by.meets(roles) {
            return Ok(());
        }
        let Json::Object(entries) = value else { return refused(field.name.to_owned(), field.set_by()) };
        let assigned = |entry: &str| {
            let roles_of = field.assigned_entries.iter().filter(|(assigned, _)| *assigned == entry);
            roles_of.fold(field.assigned_by, |roles, (_, role)| roles.with(*role))
        };
        match entries.keys().find(|entry| !assigned(entry).meets(roles)) {
            Some(entry) => refused(format!("{}.{entry}", field.name), field.set_by().or(assigned(entry))),
            None => Ok(()),
        }
    }

    /// Checks that a synchronizer writes an object that stands for a source only if that source is its own.
    pub(super) fn check_own_source(&self, assembly: &Assembly) -> Result<(), Refusal> {
        let Sets::All(roles) = self.batch.author.sets else { return Ok(()) };
        if assembly.kind.reserves.is_none() || self.batch.origin.is_server() || !is_synchronizer(roles) {
            return Ok(());
        }
        let own = self.source().unwrap_or_default();
        let before = (!assembly.new).then(|| assembly.current.common().name);
        let mut names = before.into_iter().chain([assembly.next.common().name]);
        match names.find(|name| *name != own) {
            None => Ok(()),
            Some(other) => {
                let refused = Forbidden::AnotherSource { own: own.to_owned(), other: shorten_text(other).into_owned() };
                Err(Refusal::Forbidden(refused.to_string()))
            }
        }
    }

    /// Checks that the author may create, delete and release objects.
    pub(super) fn check_writes_objects(&self) -> Result<(), Refusal> {
        match self.batch.author.sets {
            Sets::All(_) => Ok(()),
            Sets::Assigned(_) if self.batch.origin.is_server() => Ok(()),
            Sets::Assigned(_) => Err(Refusal::Forbidden(Forbidden::NotAField.to_string())),
        }
    }
}

/// Returns true if an author with these roles writes objects only as the synchronizer of a source.
fn is_synchronizer(roles: Roles) -> bool {
    roles.meets(Roles::WRITING) && !roles.meets(Roles::OPERATING)
}
