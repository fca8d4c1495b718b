//! A claim: the hosts that somebody wants.

use underlay_entity::text_map::TextMap;
use uuid::Uuid;

use super::MAX_HOSTS;
use super::claimable::ChosenBy;
use super::error::OrderError;
use super::named::check_hosts;
use super::role::Spread;

/// The hosts to choose from. All that is given must hold; at least one of class, labels and ids is given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The class of the hosts.
    pub class: Option<Uuid>,
    /// Labels that the hosts have.
    pub labels: TextMap,
    /// The hosts themselves.
    pub ids: Vec<Uuid>,
    /// An object that the hosts stand in.
    pub within: Option<Uuid>,
}

/// A claim on hosts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The hosts to choose from.
    pub selection: Selection,
    /// The number of hosts.
    pub count: usize,
    /// The purpose, in free text.
    pub purpose: String,
    /// The failures over which the hosts are spread.
    pub spread: Option<Spread>,
    /// The greatest number of hosts that one failure may take.
    pub most: Option<usize>,
}

impl Selection {
    /// Returns the way in which the hosts are chosen.
    pub fn chosen_by(&self) -> ChosenBy {
        if self.ids.is_empty() { ChosenBy::Kind } else { ChosenBy::Name }
    }
}

impl Claim {
    /// Checks the values of the claim.
    ///
    /// # Errors
    /// Returns an error for the first one that is not allowed.
    pub fn check(&self) -> Result<(), OrderError> {
        let Selection { class, labels, ids, within: _ } = &self.selection;
        if class.is_none() && labels.is_empty() && ids.is_empty() {
            return Err(OrderError::invalid("class", "is required, or labels, or ids: say which hosts are meant"));
        }
        if !ids.is_empty() {
            check_hosts(ids)?;
        }
        if self.count == 0 || self.count > MAX_HOSTS {
            return Err(OrderError::invalid("count", format!("must be from 1 to {MAX_HOSTS}, not {}", self.count)));
        }
        let is_purpose = !self.purpose.trim().is_empty() && self.purpose.chars().count() <= 253;
        if !is_purpose || self.purpose.chars().any(char::is_control) {
            return Err(OrderError::invalid("for", "must be text of 1 to 253 characters without control characters"));
        }
        match (self.spread, self.most) {
            (None, Some(_)) => Err(OrderError::invalid("most", "needs a spread: say over which failures")),
            (_, Some(0)) => Err(OrderError::invalid("most", "must be at least 1")),
            _ => Ok(()),
        }
    }
}
