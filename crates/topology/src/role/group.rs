//! Objects that contain or use machines: groups, pools, networks of other operators, and guests.

use underlay_inventory::ReferenceId;

/// A group of machines, or a pool. A path to it leads to the machines in it.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// The reference from the machines in the group.
    pub members: ReferenceId,
    /// The reference from the ends that stand in the group. A line that leads nowhere else ends in the group, and such
    /// a line is not complete.
    pub ends: Option<ReferenceId>,
}

/// A network of another operator.
#[derive(Clone, Copy, Debug)]
pub struct Outside {
    /// The reference from the ends that stand in it.
    pub ends: ReferenceId,
}

/// An object that runs on another one. A path to it leads to the object that it runs on.
#[derive(Clone, Copy, Debug)]
pub struct Guest {
    /// The references to the possible hosts. The first one that is set counts.
    pub hosts: &'static [ReferenceId],
}
