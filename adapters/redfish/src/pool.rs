//! The BMCs that calls were made to, so that their sessions and connections are shared, and ended at last.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use reqwest::Url;
use tokio::time::Instant;
use underlay_hosts::machine::Target;

use crate::bmc::Bmc;
use crate::failure::RedfishError;

/// The maximum number of BMCs that are kept.
const MAX_BMCS: usize = 50_000;
/// The number of sessions that are deleted at once.
const AT_ONCE: usize = 64;

/// A BMC, and everything that says how it is opened. A changed password is another key, and the old session goes.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    root: Url,
    secret: Option<(String, String)>,
    allowed_hosts: Vec<String>,
    insecure: bool,
    trusted_cas: Option<String>,
}

/// The BMCs in use.
#[derive(Default)]
pub struct Pool {
    known: Mutex<HashMap<Key, (Arc<Bmc>, Instant)>>,
}

impl Pool {
    /// Returns the BMC of a target, which `make` makes if there is none.
    ///
    /// # Errors
    /// Returns the error of `make`.
    pub fn get(
        &self,
        root: &Url,
        target: &Target,
        make: impl FnOnce() -> Result<Bmc, RedfishError>,
    ) -> Result<Arc<Bmc>, RedfishError> {
        let secret = target.secret.as_ref().map(|it| (it.username.clone(), it.password.clone()));
        let trusted_cas = target.trusted_cas.clone();
        let allowed_hosts = target.allowed_hosts().iter().map(ToString::to_string).collect();
        let key = Key { root: root.clone(), secret, allowed_hosts, insecure: target.insecure, trusted_cas };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((bmc, used)) = known.get_mut(&key) {
            *used = Instant::now();
            return Ok(Arc::clone(bmc));
        }
        let bmc = Arc::new(make()?);
        if known.len() >= MAX_BMCS {
            let oldest = known.iter().min_by_key(|(_, (_, used))| *used).map(|(key, _)| key.clone());
            oldest.and_then(|key| known.remove(&key));
        }
        known.insert(key, (Arc::clone(&bmc), Instant::now()));
        Ok(bmc)
    }

    /// Deletes the sessions of BMCs that were not called for some time, and forgets these BMCs.
    pub async fn close_unused(&self, since: Duration) {
        let unused: Vec<Arc<Bmc>> = {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            let unused = known.extract_if(|_, (_, used)| used.elapsed() >= since);
            unused.map(|(_, (bmc, _))| bmc).collect()
        };
        stream::iter(unused).for_each_concurrent(AT_ONCE, |bmc| async move { bmc.close().await }).await;
    }
}
