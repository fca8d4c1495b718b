//! Checks the hosts that an order or a claim names.

use std::collections::HashSet;

use uuid::Uuid;

use super::MAX_HOSTS;
use super::error::OrderError;

/// Checks a list of hosts that an order or a claim names.
///
/// # Errors
/// Returns an error if it is empty, too long, or has a host twice.
pub fn check_hosts(hosts: &[Uuid]) -> Result<(), OrderError> {
    if hosts.is_empty() || hosts.len() > MAX_HOSTS {
        return Err(OrderError::invalid("ids", format!("must have 1 to {MAX_HOSTS} entries, not {}", hosts.len())));
    }
    let mut seen = HashSet::with_capacity(hosts.len());
    match hosts.iter().position(|id| !seen.insert(*id)) {
        Some(at) => Err(OrderError::invalid(format!("ids[{at}]"), "is in the list already")),
        None => Ok(()),
    }
}
