//! The numbers by which the snapshot names kinds and references.

/// The number of a kind in the registry. It is valid only in this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub u8);

/// The identity of a reference: a field of a kind that refers to other objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceId {
    /// The kind that has the field.
    pub kind: KindId,
    /// The index of the field among the fields of the kind.
    pub field: u8,
}
