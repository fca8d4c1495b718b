//! Lets connections go to addresses that were checked alone.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use underlay_address::{AllowedHost, Exceptions};
use underlay_hosts::machine::resolve;

/// Resolves names to addresses that are allowed.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The reserved addresses that are allowed.
    pub exceptions: Exceptions,
    /// The hosts that the credential is for; empty for all.
    pub allowed: Vec<AllowedHost>,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let Self { exceptions, allowed } = self.clone();
        Box::pin(async move {
            let found = resolve(name.as_str(), &exceptions, &allowed).await?;
            let found: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(found)
        })
    }
}
