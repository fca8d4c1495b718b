//! Resolves the names of machines, and refuses the addresses to which nothing may connect. A connection must go to an
//! address that was returned here, so that a name server cannot answer the check and the connection differently.

use std::net::IpAddr;

use thiserror::Error;
use tokio::net::lookup_host;
use underlay_address::{Exceptions, Reserved};

/// The reason why the addresses of a name are not used.
#[derive(Debug, Error)]
pub enum NameError {
    /// The name cannot be resolved.
    #[error("the name {name} cannot be resolved: {reason}")]
    Unresolved {
        /// The name.
        name: String,
        /// The reason.
        reason: std::io::Error,
    },
    /// The name has no address.
    #[error("the name {name} has no address")]
    Nothing {
        /// The name.
        name: String,
    },
    /// One of its addresses is reserved.
    #[error("the name {name} has the address {address}, which {reason}; allow its network at the controller")]
    Reserved {
        /// The name.
        name: String,
        /// The address.
        address: IpAddr,
        /// The reason.
        reason: Reserved,
    },
}

/// Returns the addresses of a name, at least one.
///
/// # Errors
/// Returns an error if there are none, or if one of them is reserved and no exception: nobody knows which one a connection
/// would take.
pub async fn resolve(name: &str, exceptions: &Exceptions) -> Result<Vec<IpAddr>, NameError> {
    let found = lookup_host((name, 0)).await;
    let found = found.map_err(|reason| NameError::Unresolved { name: name.to_owned(), reason })?;
    let found: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    for address in &found {
        let refused = |reason| NameError::Reserved { name: name.to_owned(), address: *address, reason };
        exceptions.refuse(*address).map_err(refused)?;
    }
    if found.is_empty() { Err(NameError::Nothing { name: name.to_owned() }) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_of_a_reserved_address_is_refused() {
        let refused = resolve("localhost", &Exceptions::default()).await.unwrap_err();
        assert!(matches!(refused, NameError::Reserved { reason: Reserved::Loopback, .. }), "{refused}");
        assert!(!resolve("localhost", &Exceptions::everything()).await.unwrap().is_empty());
        let unknown = resolve("nothing.invalid", &Exceptions::default()).await.unwrap_err();
        assert!(matches!(unknown, NameError::Unresolved { .. }), "{unknown}");
    }
}
