//! Describes the kinds of this program to the reader of manifests, from the registry of kinds.

use serde_json::Value;

use underlay_inventory::{Description, Part, Registry, Unfit};

use super::manifest::{FieldForm, Form, KindForm, Kinds, ReferenceForm};
use super::object::KindName;
use underlay_kit::{choices, shown};

/// The fields of an item that identify its object and version, in addition to the fields of its kind.
const IDENTITY: [&str; 3] = ["id", "externalId", "ifVersion"];

/// The kinds of this program, as [`Kinds`] for the reader and writer of manifests.
pub(super) struct KnownKinds(Registry);

impl KnownKinds {
    pub(super) fn new() -> Self {
        Self(underlay_kinds::registry())
    }

    pub(super) fn registry(&self) -> &Registry {
        &self.0
    }

    /// Returns the kind that a word names, in any form: `device`, `Devices`, `power-feed`.
    pub(super) fn meant(&self, word: &str) -> Result<&'static Description, String> {
        word.parse().map(|KindName(kind)| kind).map_err(|_| {
            let names: Vec<&str> = self.0.kinds().map(|kind| kind.singular).collect();
            format!("there is no kind {}; {}", shown(word), choices(word, &names))
        })
    }

    /// Returns true if objects of the kind are written as parts of another kind.
    fn is_part(&self, kind: &Description) -> bool {
        self.0.kinds().any(|whole| whole.parts.iter().any(|part| part.kind == kind.name))
    }
}

impl Kinds for KnownKinds {
    fn kind(&self, name: &str) -> Option<KindForm> {
        // The registry also finds kinds by their name in items; manifests use only the name of the kind.
        let kind = self.0.named(name).filter(|kind| kind.name == name)?;
        let identity = IDENTITY.into_iter().map(|name| FieldForm { name, reference: None });
        let fields = kind.fields.iter().filter(|field| field.is_in_items());
        let fields = fields.map(|field| FieldForm { name: field.name, reference: reference(field) });
        let arrival = kind.arrival.map(|arrival| FieldForm { name: arrival.member, reference: None });
        Some(KindForm {
            name: kind.name,
            singular: kind.singular,
            member: kind.key.name_member,
            unnamed: kind.unnamed.is_some(),
            fields: fields.chain(kind.parts.iter().map(part)).chain(arrival).chain(identity).collect(),
        })
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.kinds().filter(|kind| !self.is_part(kind)).map(|kind| kind.name).collect()
    }
}

/// Returns the reason why a field of a kind cannot take a value. The kind knows which values are allowed; the GraphQL
/// library checks only the type.
pub(super) fn unfit(kind: &Description, name: &str, value: &Value) -> Option<Unfit> {
    let field = &kind.fields[kind.field(name)?];
    // The kind checks references as ids, and these are not resolved to ids yet.
    if field.reference.is_some() {
        return None;
    }
    if field.required && value.is_null() {
        return Some(Unfit::new(name, "is required and cannot be cleared"));
    }
    let mut value = value.clone();
    if let (underlay_inventory::Shape::PerKey, Some(entries)) = (field.shape, value.as_object_mut()) {
        // A null removes an entry, so it is never stored in a row.
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

fn reference(field: &underlay_inventory::Field) -> Option<ReferenceForm> {
    let reference = field.reference?;
    let form = match reference.form {
        underlay_inventory::Form::One => Form::One,
        underlay_inventory::Form::OneOf => Form::OneOf,
        underlay_inventory::Form::Member(member) | underlay_inventory::Form::OptionalMember(member) => {
            Form::Member(member)
        }
        underlay_inventory::Form::Many => Form::Many,
        underlay_inventory::Form::ManyOf => Form::ManyOf,
        underlay_inventory::Form::ManyMember(member) => Form::ManyMember(member),
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
