//! The work on the lives of hosts, for the workers of the kit.

use std::sync::Arc;

use underlay_kit::control::{Then, Work};
use uuid::Uuid;

use super::Shared;
use super::strays::Known;
use crate::api::Api;

/// The maximum number of pages of hosts that a look reads.
const MAX_PAGES: usize = 10_000;

/// The work on the lives of hosts.
pub struct Lives<A: Api>(pub Arc<Shared<A>>);

impl<A: Api + 'static> Work for Lives<A> {
    type Key = Uuid;

    async fn look(&self) -> Result<(), String> {
        let shared = &self.0;
        let (mut after, mut known) = (None, Known::default());
        for _ in 0..MAX_PAGES {
            let page = shared.api.hosts(after).await.map_err(|error| error.to_string())?;
            for host in page.hosts {
                known.add(&host);
                if !shared.is_here(host.site) {
                    shared.leaves(&host);
                } else if shared.held(host.id).is_some() {
                    shared.lives.add(host.id);
                    shared.polls.add_first(host.id, shared.first_poll());
                    shared.readings.add_first(host.id, shared.first_reading());
                }
            }
            match page.next {
                Some(next) => after = Some(next),
                None => {
                    shared.report_strays(&known).await;
                    return Ok(());
                }
            }
        }
        Err(format!("the server has more than {MAX_PAGES} pages of hosts"))
    }

    async fn work(&self, key: &Uuid) -> Then {
        self.0.pass(*key).await
    }
}
