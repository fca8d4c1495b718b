//! The kinds of this program, as manifests are read by them.

use serde_json::Value;

use crate::inventory::{self, Description, Part, Registry, Unfit};
use crate::kinds;

use super::manifest::{FieldForm, Form, KindForm, Kinds, ReferenceForm};
use super::object::KindName;
use underlay_kit::{choices, shown};

/// The fields that say which object an item is, and at which version, besides those of its kind.
const IDENTITY: [&str; 3] = ["id", "externalId", "ifVersion"];

/// The kinds of this program.
pub(super) struct KnownKinds(Registry);

impl KnownKinds {
    pub(super) fn new() -> Self {
        Self(kinds::registry())
    }

    pub(super) fn registry(&self) -> &Registry {
        &self.0
    }

    /// The kind that somebody means by a word, in whatever form: `device`, `Devices`, `power-feed`.
    pub(super) fn meant(&self, word: &str) -> Result<&'static Description, String> {
        word.parse().map(|KindName(kind)| kind).map_err(|_| {
            let names: Vec<&str> = self.0.kinds().map(|kind| kind.singular).collect();
            format!("there is no kind {}; {}", shown(word), choices(word, &names))
        })
    }

    /// Whether objects of a kind are written as parts of another.
    fn is_part(&self, kind: &Description) -> bool {
        self.0.kinds().any(|whole| whole.parts.iter().any(|part| part.kind == kind.name))
    }
}

impl Kinds for KnownKinds {
    fn kind(&self, name: &str) -> Option<KindForm> {
        // The registry knows kinds by the name in items too; manifests do not.
        let kind = self.0.named(name).filter(|kind| kind.name == name)?;
        let identity = IDENTITY.into_iter().map(|name| FieldForm { name, reference: None });
        let fields = kind.fields.iter().map(|field| FieldForm { name: field.name, reference: reference(field) });
        Some(KindForm {
            name: kind.name,
            singular: kind.singular,
            member: kind.key.name_member,
            unnamed: kind.unnamed.is_some(),
            fields: fields.chain(kind.parts.iter().map(part)).chain(identity).collect(),
        })
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.kinds().filter(|kind| !self.is_part(kind)).map(|kind| kind.name).collect()
    }
}

/// Why a field of a kind cannot take a value: the kind knows what is allowed, the API's library only of which type it
/// must be.
pub(super) fn unfit(kind: &Description, name: &str, value: &Value) -> Option<Unfit> {
    let field = &kind.fields[kind.field(name)?];
    // References are checked as ids, which they are not yet.
    if field.reference.is_some() {
        return None;
    }
    if field.required && value.is_null() {
        return Some(Unfit::new(name, "is required and cannot be cleared"));
    }
    let mut value = value.clone();
    if let (inventory::Shape::PerKey, Some(entries)) = (field.shape, value.as_object_mut()) {
        // What removes an entry is never put into a row.
        entries.retain(|_, entry| !entry.is_null());
    }
    match field.fit(&value) {
        Err(unfit) => Some(unfit),
        Ok(value) => {
            let mut row = (kind.blank)().duplicate();
            field.put(std::sync::Arc::get_mut(&mut row)?, &value).err()
        }
    }
}

fn reference(field: &inventory::Field) -> Option<ReferenceForm> {
    let reference = field.reference?;
    let form = match reference.form {
        inventory::Form::One => Form::One,
        inventory::Form::OneOf => Form::OneOf,
        inventory::Form::Member(member) => Form::Member(member),
        inventory::Form::Many => Form::Many,
        inventory::Form::ManyOf => Form::ManyOf,
        inventory::Form::ManyMember(member) => Form::ManyMember(member),
    };
    Some(ReferenceForm { targets: reference.targets, form })
}

fn part(part: &'static Part) -> FieldForm {
    let targets = std::slice::from_ref(&part.kind);
    FieldForm { name: part.field, reference: Some(ReferenceForm { targets, form: Form::Part(part.replaced) }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_printed_for_every_kind_but_the_parts_of_others() {
        let known = KnownKinds::new();
        assert_eq!(known.names().len(), known.registry().kinds().len() - 1);
        assert!(!known.names().contains(&"CircuitTermination"));
        assert!(known.names().into_iter().all(|name| known.kind(name).is_some()));
        assert!(known.kind("rack").is_none() && known.kind("CircuitTermination").is_some());
    }
}
