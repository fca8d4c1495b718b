//! The condition of a write that depends on a lease.

/// The condition that a holder still holds a lease under an epoch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fence {
    /// The name of the lease.
    pub lease: String,
    /// The holder, as it took the lease.
    pub holder: String,
    /// The epoch that the holder got when it took the lease.
    pub epoch: i64,
}
