//! Resolves the names of BMCs, and refuses the addresses to which nothing may connect. A connection goes to an address that
//! was checked here, so a name server cannot answer the check and the connection differently.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
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
        address: SocketAddr,
        /// The reason.
        reason: Reserved,
    },
}

/// Resolves names to addresses that are allowed.
#[derive(Clone, Debug)]
pub struct Checked(pub Exceptions);

impl Checked {
    async fn addresses(self, name: String) -> Result<Vec<SocketAddr>, NameError> {
        let found = lookup_host((name.as_str(), 0)).await;
        let found: Vec<SocketAddr> =
            found.map_err(|reason| NameError::Unresolved { name: name.clone(), reason })?.collect();
        // One reserved address is enough to refuse the name: nobody knows which one a connection would take.
        for address in &found {
            let refused = |reason| NameError::Reserved { name: name.clone(), address: *address, reason };
            self.0.refuse(address.ip()).map_err(refused)?;
        }
        if found.is_empty() { Err(NameError::Nothing { name }) } else { Ok(found) }
    }
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let addresses = self.clone().addresses(name.as_str().to_owned());
        Box::pin(async move {
            let found: Addrs = Box::new(addresses.await?.into_iter());
            Ok(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_of_a_reserved_address_is_refused() {
        let refused = Checked(Exceptions::default()).addresses("localhost".to_owned()).await.unwrap_err();
        assert!(matches!(refused, NameError::Reserved { reason: Reserved::Loopback, .. }), "{refused}");
        assert!(!Checked(Exceptions::everything()).addresses("localhost".to_owned()).await.unwrap().is_empty());
        let unknown = Checked(Exceptions::default()).addresses("nothing.invalid".to_owned()).await.unwrap_err();
        assert!(matches!(unknown, NameError::Unresolved { .. }), "{unknown}");
    }
}
