//! Resolves the names of machines, and refuses the addresses to which nothing may connect. A connection must go to an
//! address that was returned here, so that a name server cannot answer the check and the connection differently.

use std::net::IpAddr;

use thiserror::Error;
use tokio::net::lookup_host;
use underlay_address::{AllowedHost, Exceptions, Host, Reserved, allows};

/// The reason why the addresses of a name are not used.
#[derive(Debug, Error)]
pub enum NameError {
    /// The name cannot be resolved.
    #[error("the name {name} cannot be resolved: {reason}")]
    Unresolved { name: String, reason: std::io::Error },
    /// The name has no address.
    #[error("the name {name} has no address")]
    Nothing { name: String },
    /// One of its addresses is reserved.
    #[error("the name {name} has the address {address}, which {reason}; allow its network at the controller")]
    Reserved { name: String, address: IpAddr, reason: Reserved },
    /// The credential is not for one of its addresses.
    #[error(
        "the name {name} has the address {address}, which is in none of the allowedHosts of the credential; add it there"
    )]
    NotAllowed { name: String, address: IpAddr },
}

/// Returns the addresses of a name, at least one.
///
/// # Errors
/// Returns an error if there are none, or if one of them is reserved and no exception, or is none that the credential is for:
/// nobody knows which one a connection would take. `allowed` are the hosts that the credential is for; empty for all.
pub async fn resolve(name: &str, exceptions: &Exceptions, allowed: &[AllowedHost]) -> Result<Vec<IpAddr>, NameError> {
    let found = lookup_host((name, 0)).await;
    let found = found.map_err(|reason| NameError::Unresolved { name: name.to_owned(), reason })?;
    let found: Vec<IpAddr> = found.map(|address| address.ip()).collect();
    for address in &found {
        let refused = |reason| NameError::Reserved { name: name.to_owned(), address: *address, reason };
        exceptions.refuse(*address).map_err(refused)?;
    }
    if allows(allowed, &Host::Name(name.to_owned())) != Some(true)
        && let Some(address) = found.iter().find(|address| allows(allowed, &Host::Ip(**address)) != Some(true))
    {
        return Err(NameError::NotAllowed { name: name.to_owned(), address: *address });
    }
    if found.is_empty() { Err(NameError::Nothing { name: name.to_owned() }) } else { Ok(found) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_of_a_reserved_address_is_refused() {
        let refused = resolve("localhost", &Exceptions::default(), &[]).await.unwrap_err();
        assert!(matches!(refused, NameError::Reserved { reason: Reserved::Loopback, .. }), "{refused}");
        assert!(!resolve("localhost", &Exceptions::everything(), &[]).await.unwrap().is_empty());
        let unknown = resolve("nothing.invalid", &Exceptions::default(), &[]).await.unwrap_err();
        assert!(matches!(unknown, NameError::Unresolved { .. }), "{unknown}");
    }

    #[tokio::test]
    async fn a_name_is_used_only_if_the_credential_is_for_it_or_all_of_its_addresses() {
        let loopback = ["127.0.0.0/8", "::1"];
        for (allowed, is_allowed) in [
            (&[][..], true),
            (&["localhost"], true),
            (&["LOCALHOST.", "10.0.0.0/8"], true),
            (&loopback, true),
            (&["10.0.0.0/8"], false),
            (&["other"], false),
        ] {
            let hosts: Vec<AllowedHost> = allowed.iter().map(|text| text.parse().unwrap()).collect();
            let found = resolve("localhost", &Exceptions::everything(), &hosts).await;
            assert_eq!(found.is_ok(), is_allowed, "{allowed:?}: {found:?}");
            let sentence = found.err().map(|error| error.to_string()).unwrap_or_default();
            assert!(is_allowed || sentence.contains("none of the allowedHosts of the credential"), "{sentence}");
        }
    }
}
