//! Lets connections go to addresses that were checked alone.

use std::net::SocketAddr;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use underlay_address::Exceptions;
use underlay_hosts::machine::resolve;

/// Resolves names to addresses that are allowed.
#[derive(Clone, Debug)]
pub struct Checked(pub Exceptions);

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let exceptions = self.0.clone();
        Box::pin(async move {
            let found = resolve(name.as_str(), &exceptions).await?;
            let found: Addrs = Box::new(found.into_iter().map(|address| SocketAddr::new(address, 0)));
            Ok(found)
        })
    }
}
