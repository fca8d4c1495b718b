//! The description of a reference: its targets, its positions in the JSON of a field, and its effect on the object.

use serde_json::Value as Json;
use uuid::Uuid;

use underlay_entity::row::Row;

/// The positions of the references in the JSON of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field is a reference to the one target kind.
    One,
    /// The field is an object with one member, which is named after the target kind and holds the reference.
    OneOf,
    /// The field is an object. This member of it holds a reference to the one target kind.
    Member(&'static str),
    /// The field is an object. This member of it holds a reference to the one target kind, or is absent.
    OptionalMember(&'static str),
    /// The field is a list of references to the one target kind.
    Many,
    /// The field is a list of objects with one member each, as in `OneOf`.
    ManyOf,
    /// The field is a list of objects. This member of each holds a reference to the one target kind.
    ManyMember(&'static str),
}

/// The reference that a field holds: its targets, and its role in the containment of objects.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// The names of the kinds that the field may refer to.
    pub targets: &'static [&'static str],
    /// The positions of the references in the field's JSON.
    pub form: Form,
    /// True if the target contains this object: a delete of the target with `cascade` deletes this object too.
    pub contained: bool,
    /// True if this object stands inside the target: a filter "anywhere beneath" the target finds it.
    pub within: bool,
    /// True if this object ends at the target, as a cable ends at a port. A filter "anywhere beneath" finds this object
    /// wherever it finds the target, and also beneath the target itself.
    pub ends: bool,
    /// True if this object is where the target is, although it does not stand in it: a filter "anywhere beneath" finds
    /// this object wherever it finds the target. Of several such references of an object, the first that is set counts.
    pub places: bool,
    /// True if the target is where this object is. A filter "anywhere beneath" finds the target wherever it finds this
    /// object.
    pub places_target: bool,
    /// Returns true for a row that refers to the target but is neither contained in it nor inside it. `None` if no row
    /// is such an exception.
    pub apart: Option<fn(&dyn Row) -> bool>,
    /// Calls back with the id of each object that a row refers to, in order.
    pub each: fn(&dyn Row, &mut dyn FnMut(Uuid)),
}

impl Form {
    /// Replaces the references in the JSON of a field. If `by` returns `None` for a reference, the list entry that
    /// contains the reference is removed, or the optional member, or else the whole value becomes null.
    pub fn replace(self, value: Json, by: &dyn Fn(Json) -> Option<Json>) -> Json {
        match (self, value) {
            (_, Json::Null) => Json::Null,
            (Self::One, id) => by(id).unwrap_or_default(),
            (Self::OneOf, value) => replaced_in_each(value, by).unwrap_or_default(),
            (Self::Member(member), value) => replaced_in(value, member, by).unwrap_or_default(),
            (Self::OptionalMember(member), Json::Object(mut members)) => {
                if let Some((name, id)) = members.remove_entry(member) {
                    members.extend(by(id).map(|id| (name, id)));
                }
                Json::Object(members)
            }
            (Self::Many, Json::Array(list)) => list.into_iter().filter_map(by).collect(),
            (Self::ManyOf, Json::Array(list)) => {
                list.into_iter().filter_map(|value| replaced_in_each(value, by)).collect()
            }
            (Self::ManyMember(member), Json::Array(list)) => {
                list.into_iter().filter_map(|value| replaced_in(value, member, by)).collect()
            }
            (Self::OptionalMember(_) | Self::Many | Self::ManyOf | Self::ManyMember(_), value) => value,
        }
    }
}

fn replaced_in_each(value: Json, by: &dyn Fn(Json) -> Option<Json>) -> Option<Json> {
    match value {
        Json::Object(members) => members.into_iter().map(|(member, id)| Some((member, by(id)?))).collect(),
        other => Some(other),
    }
}

fn replaced_in(mut value: Json, member: &str, by: &dyn Fn(Json) -> Option<Json>) -> Option<Json> {
    if let Some(id) = value.get_mut(member) {
        *id = by(id.take())?;
    }
    Some(value)
}

impl Reference {
    /// Returns true if the target contains the object of a row.
    pub fn contains(&self, row: &dyn Row) -> bool {
        self.contained && !self.is_apart(row)
    }

    /// Returns true if a row refers to the target but is neither contained in it nor inside it.
    pub fn is_apart(&self, row: &dyn Row) -> bool {
        self.apart.is_some_and(|apart| apart(row))
    }

    /// Returns the first object that a row refers to by this field.
    pub fn first(&self, row: &dyn Row) -> Option<Uuid> {
        let mut first = None;
        (self.each)(row, &mut |id| first = first.or(Some(id)));
        first
    }
}
