//! The visibility of objects: decides which objects a tenant sees in full.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Audience, Description, Field, Form, KindId, ObjectRef, Reference, ReferenceId, Snapshot};
use underlay_entity::row::Row;

/// The visibility of an object by itself, independent of the objects that refer to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visibility {
    /// Shown in full, because the tenant owns it.
    Own,
    /// Shown in full, because it has no tenant and belongs to no hidden object.
    Shared,
    /// Owned by another tenant, or part of something hidden.
    Hidden,
}

/// The visibility of the objects of a snapshot for a tenant. Results are cached.
pub(super) struct Visibilities<'a> {
    snapshot: &'a Snapshot,
    /// The tenant; `None` gives the visibility that all tenants have in common.
    tenant: Option<&'a str>,
    belonging: Vec<Belonging>,
    known: HashMap<ObjectRef, Visibility>,
}

/// The references by which an object without a tenant belongs to other objects: to its container, to what it stands in,
/// to the targets of its required references, and to the parents in its key.
struct Belonging {
    by: Arc<[ReferenceId]>,
    /// The fields that can lose references in an object that is shown in full. The single reference to an object that
    /// it belongs to is not among them: if that target is hidden, the object is hidden too.
    losable: Arc<[&'static Field]>,
    /// The fields that no tenant sees, or not as they are.
    hidden: Arc<[&'static Field]>,
}

impl Belonging {
    fn of(kind: &'static Description) -> Self {
        let parents: Vec<usize> = kind.parent_fields().map(|(index, _)| index).collect();
        let belongs = |by: &ReferenceId, field: &Field| {
            let stands = field.reference.is_some_and(|reference| reference.contained || reference.within);
            stands || field.required || parents.contains(&usize::from(by.field))
        };
        let is_one = |reference: &Reference| {
            matches!(reference.form, Form::One | Form::OneOf | Form::Member(_) | Form::OptionalMember(_))
                && reference.apart.is_none()
        };
        let by = kind.references().filter(|(by, field)| belongs(by, field)).map(|(by, _)| by);
        let is_hidden = |field: &&Field| field.audience == Audience::Operators || field.redact.is_some();
        let losable = kind
            .references()
            .filter(|(by, field)| !(belongs(by, field) && field.reference.as_ref().is_some_and(is_one)))
            .map(|(_, field)| field)
            .filter(|field| !is_hidden(field));
        let hidden: Arc<[&'static Field]> = kind.fields.iter().filter(is_hidden).collect();
        // A change of a hidden field shows as little as that of a lost reference.
        Self { by: by.collect(), losable: losable.chain(hidden.iter().copied()).collect(), hidden }
    }
}

impl<'a> Visibilities<'a> {
    /// Creates an empty cache, for a query about some objects.
    pub fn of_some(snapshot: &'a Snapshot, tenant: Option<&'a str>) -> Self {
        let belonging = snapshot.registry().kinds().map(Belonging::of).collect();
        Self { snapshot, tenant, belonging, known: HashMap::new() }
    }

    /// Creates a cache with room for all objects.
    pub fn of_all(snapshot: &'a Snapshot, tenant: Option<&'a str>) -> Self {
        Self { known: HashMap::with_capacity(snapshot.len()), ..Self::of_some(snapshot, tenant) }
    }

    /// Returns the visibility of an object; an object that does not exist is hidden. The function first visits the
    /// objects that this one belongs to. The recursion is bounded, because the nesting of containers is.
    pub fn of(&mut self, object: ObjectRef) -> Visibility {
        if let Some(known) = self.known.get(&object) {
            return *known;
        }
        let visibility = match self.snapshot.kind(object.kind).audience {
            Audience::Operators => return Visibility::Hidden,
            Audience::TenantOf(field) => self.of_target(object, field),
            Audience::Everyone => self.by_owner(object),
        };
        self.known.insert(object, visibility);
        visibility
    }

    /// Returns the visibility of an object that is for the tenant of the target of one of its fields.
    fn of_target(&self, object: ObjectRef, field: &str) -> Visibility {
        let field = self.snapshot.kind(object.kind).fields.iter().find(|it| it.name == field);
        let target = field.and_then(|field| field.reference?.first(self.snapshot.row(object)?.as_ref()));
        let owner = target.and_then(|id| self.snapshot.row_of(id)?.common().tenant);
        match owner.is_some() && owner == self.tenant {
            true => Visibility::Own,
            false => Visibility::Hidden,
        }
    }

    /// Returns the visibility of an object by its own tenant.
    fn by_owner(&mut self, object: ObjectRef) -> Visibility {
        match self.snapshot.row(object).map(|row| row.common().tenant) {
            Some(Some(tenant)) if Some(tenant) == self.tenant => Visibility::Own,
            None | Some(Some(_)) => Visibility::Hidden,
            Some(None) => {
                // If objects belong to each other in a cycle that no rule has rejected, they are hidden.
                self.known.insert(object, Visibility::Hidden);
                if self.is_of_others(object) { Visibility::Hidden } else { Visibility::Shared }
            }
        }
    }

    /// Returns true if an object that refers to another one by this reference is for the tenant of that other one.
    pub fn is_for_tenant_of(&self, by: ReferenceId) -> bool {
        let kind = self.snapshot.kind(by.kind);
        matches!(kind.audience, Audience::TenantOf(field) if kind.fields[usize::from(by.field)].name == field)
    }

    /// Returns true if an object without a tenant belongs to something that is hidden.
    fn is_of_others(&mut self, object: ObjectRef) -> bool {
        let edges = self.snapshot.outgoing(object);
        let by = Arc::clone(&self.belonging[usize::from(object.kind.0)].by);
        let row = self.snapshot.row(object);
        by.iter().any(|by| {
            let reference = self.snapshot.registry().field(*by).reference;
            let is_apart = |row: &Arc<dyn Row>| reference.is_some_and(|it| it.is_apart(row.as_ref()));
            if row.is_some_and(is_apart) {
                return false;
            }
            let mut targets = edges.by(*by).peekable();
            targets.peek().is_some() && !targets.any(|target| self.of(target) != Visibility::Hidden)
        })
    }

    /// Returns the fields of a kind that can lose references in an object that is shown in full.
    pub fn losable(&self, kind: KindId) -> &Arc<[&'static Field]> {
        &self.belonging[usize::from(kind.0)].losable
    }

    /// Returns the fields of a kind that no tenant sees, or not as they are.
    pub fn hidden(&self, kind: KindId) -> &Arc<[&'static Field]> {
        &self.belonging[usize::from(kind.0)].hidden
    }

    /// Returns true if no tenant sees the target of a field, even if an object of the tenant refers to it.
    pub fn is_for_operators(&self, field: &Field, target: KindId) -> bool {
        field.audience == Audience::Operators || self.snapshot.kind(target).audience == Audience::Operators
    }

    /// Returns the description of a kind.
    pub fn kind(&self, kind: KindId) -> &'static Description {
        self.snapshot.kind(kind)
    }
}
