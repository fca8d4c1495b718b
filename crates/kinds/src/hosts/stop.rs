//! The ways in which an order ends that was not begun.

use underlay_entity::host::HostOrderOutcome;

/// The reason for which an order ends that touched nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A person cancelled it.
    Cancelled,
    /// Controllers could only observe, and nobody knows if it is still wanted.
    ObservedOnly,
}

impl Stop {
    /// Returns the outcome of the order.
    pub const fn outcome(self) -> HostOrderOutcome {
        match self {
            Self::Cancelled => HostOrderOutcome::Cancelled,
            Self::ObservedOnly => HostOrderOutcome::Expired,
        }
    }

    /// Returns the reason as one word.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Cancelled => "Cancelled",
            Self::ObservedOnly => "ObservedOnly",
        }
    }

    /// Returns the reason as a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Cancelled => "the order was cancelled before it touched the machine",
            Self::ObservedOnly => "controllers could only observe meanwhile, so nothing was done; order again",
        }
    }
}
