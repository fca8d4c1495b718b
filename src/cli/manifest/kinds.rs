//! What the reader must know of the kinds: their names, their fields, and where references stand in fields.
//!
//! The caller implements [`Kinds`] from its registry, so that a new kind can be written in manifests without a change
//! here.

/// All kinds that manifests may hold or refer to.
pub trait Kinds {
    /// The kind with this name (`PowerFeed`); also one that is written only as a part of another.
    fn kind(&self, name: &str) -> Option<KindForm>;

    /// The names of the kinds that a manifest may hold.
    fn names(&self) -> Vec<&'static str>;
}

/// How a kind is written.
#[derive(Clone, Debug)]
pub struct KindForm {
    /// `PowerFeed`.
    pub name: &'static str,
    /// The member of an item that holds an object of the kind: `powerFeed`.
    pub singular: &'static str,
    /// The member of a reference that holds the name: `powerFeed`; for CircuitTermination `side`.
    pub member: &'static str,
    /// Whether an object may be written without a name.
    pub unnamed: bool,
    /// The fields that `spec` may hold. `name` and `labels` may be among them; they stand in `metadata`.
    pub fields: Vec<FieldForm>,
}

/// How a field is written.
#[derive(Clone, Copy, Debug)]
pub struct FieldForm {
    /// The GraphQL name.
    pub name: &'static str,
    /// What it refers to, if anything.
    pub reference: Option<ReferenceForm>,
}

/// How a field refers to objects.
#[derive(Clone, Copy, Debug)]
pub struct ReferenceForm {
    /// The names of the kinds that it may refer to.
    pub targets: &'static [&'static str],
    /// Where the references stand in the field.
    pub form: Form,
}

/// Where references stand in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field is a reference.
    One,
    /// The field is an object whose one member, named after the kind, is a reference.
    OneOf,
    /// The field is an object in which this member is a reference.
    Member(&'static str),
    /// The field is a list of references.
    Many,
    /// The field is a list of objects as in `OneOf`.
    ManyOf,
    /// The field is a list of objects as in `Member`.
    ManyMember(&'static str),
}
