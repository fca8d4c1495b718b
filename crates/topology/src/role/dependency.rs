//! Dependencies: an object goes down with another one.

use underlay_inventory::ReferenceId;

/// The rule by which an object is affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// An object that contains it fails.
    Containment,
    /// A line fails with any object on it.
    Line,
    /// The object has less power than it needs, or less than it had.
    Power,
    /// The object has fewer paths to the exits of the network than it had.
    Network,
    /// Members of a bundle fail.
    Group,
    /// The object that it runs on fails.
    Hosting,
    /// The objects that it joins, or those that realise it, fail.
    Association,
}

/// A dependency: an object goes down with another one.
#[derive(Clone, Copy, Debug)]
pub struct Dependency {
    /// The reference to the other object, from the object itself or from its parts.
    pub by: ReferenceId,
    /// The reference from a part to the object, if the parts refer to the other object.
    pub part_of: Option<ReferenceId>,
    /// The rule by which the object goes down.
    pub rule: Rule,
    /// A reference of the object. If it is set, the object does not go down with the other one.
    pub unless: Option<ReferenceId>,
}

impl Dependency {
    /// Returns a dependency on the container of the object.
    pub const fn inside(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Containment, unless: None }
    }

    /// Returns a dependency on the container of the object that holds unless another reference is set.
    pub const fn inside_unless(by: ReferenceId, unless: ReferenceId) -> Self {
        Self { unless: Some(unless), ..Self::inside(by) }
    }

    /// Returns a dependency on the objects that the parts of the object refer to.
    pub const fn of_parts(part_of: ReferenceId, by: ReferenceId, rule: Rule) -> Self {
        Self { by, part_of: Some(part_of), rule, unless: None }
    }

    /// Returns a dependency on the power supply of the object.
    pub(super) const fn supplied(by: ReferenceId) -> Self {
        Self { by, part_of: None, rule: Rule::Power, unless: None }
    }
}
