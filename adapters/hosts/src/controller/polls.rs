//! Polls: looks at machines that change nothing.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use underlay_kit::control::{Then, Work, jitter};
use uuid::Uuid;

use super::Shared;
use super::calls::HostBackends;
use crate::api::{Api, Fence};
use crate::host::{Host, Time};
use crate::life::ManagedBy;
use crate::machine::{CallError, WRONG_MACHINE};
use crate::provisioner::Sighting;

/// The pause before a machine is polled whose hardware is being read.
const READING_DELAY: Duration = Duration::from_secs(5);

/// The polls of hosts, for the workers of the kit.
pub struct Polls<A: Api>(pub Arc<Shared<A>>);

impl<A: Api + 'static> Work for Polls<A> {
    type Key = Uuid;

    async fn look(&self) -> Result<(), String> {
        // The look at the lives of hosts adds their polls.
        Ok(())
    }

    async fn work(&self, key: &Uuid) -> Then {
        let shared = &self.0;
        let Some(held) = shared.held(*key) else { return Then::Rest };
        let Some(host) = shared.cache.host(*key) else { return Then::At(Instant::now() + Duration::from_secs(5)) };
        if !shared.is_here(host.site) || shared.scope.refuses(&host).is_some() {
            return Then::Rest;
        }
        let Ok(backends) = shared.backends(&host) else { return Then::Rest };
        // What somebody waits for ends a reading of the hardware, and other polls wait for its end.
        let is_urgent = host.order().is_some() || shared.is_asked_to_look(&host);
        let at_work = if is_urgent { Some(shared.turns.work(*key).await) } else { shared.turns.look(*key) };
        let Some(_at_work) = at_work else { return Then::At(Instant::now() + jitter(READING_DELAY)) };
        if shared.poll(&backends, &host).await {
            shared.lives.add(*key);
        }
        let fence = Fence { lease: held.name, epoch: held.epoch };
        shared.reporter.observe(*key, fence, shared.cache.observed(*key));
        // The host may have got an order meanwhile.
        let interval = shared.timing.poll(&shared.cache.host(*key).unwrap_or(host));
        Then::At(Instant::now() + jitter(interval))
    }
}

impl<A: Api> Shared<A> {
    /// Returns a time for the first poll of a host, at random, so that not all are made at once.
    pub(super) fn first_poll(&self) -> Instant {
        Instant::now() + self.timing.first_polls.mul_f64(rand::random())
    }

    /// Polls a host, and returns true if something new was seen.
    async fn poll(&self, backends: &HostBackends, host: &Host) -> bool {
        let mut is_new = self.poll_provisioner(backends, host).await;
        // The power of a machine whose BMC belongs to a provisioner is that which the provisioner says. Which machine it is
        // is asked until it is known.
        let is_looked_at = match backends.managed_by() {
            ManagedBy::ProvisionerAlone => !host.is_pinned() || self.is_asked_to_look(host),
            ManagedBy::DriverAndProvisioner | ManagedBy::DriverAlone => !backends.driver.is_by_hand(),
        };
        if is_looked_at {
            is_new |= self.poll_machine(backends, host).await;
        }
        is_new
    }

    /// Returns true if a claim asked for a look that no driver has made yet.
    fn is_asked_to_look(&self, host: &Host) -> bool {
        let looked = self.cache.evidence(host).look.map(|look| look.at);
        host.look_asked.is_some_and(|asked| looked.is_none_or(|looked| looked < asked))
    }

    /// Notes what a provisioner that owns the BMC saw. Returns true if it is new.
    fn saw_owned(&self, host: &Host, seen: Sighting, at: Time) -> bool {
        let is_other = self.cache.is_known(host.id, seen.is_known);
        seen.power.is_some_and(|power| self.cache.saw_power(host.id, power, at)) || is_other
    }

    async fn poll_machine(&self, backends: &HostBackends, host: &Host) -> bool {
        match self.look_at_machine(backends, host).await {
            Ok(is_new) => is_new || host.current_step().is_some(),
            // The look has noted it.
            Err(CallError::Refused { reason, .. }) if reason == WRONG_MACHINE => true,
            Err(CallError::NotMade { reason } | CallError::Unanswered { reason }) => {
                self.cache.is_away(host.id, reason)
            }
            Err(CallError::Refused { message, .. }) => self.cache.is_away(host.id, message),
        }
    }

    async fn poll_provisioner(&self, backends: &HostBackends, host: &Host) -> bool {
        let Some(provisioner) = &backends.provisioner else { return false };
        let step = host.current_step();
        if !provisioner.owns_machine() && step.is_none() {
            return false;
        }
        let at = self.clock.now();
        let seen = match self.look_at(provisioner.see(host)).await {
            Ok(seen) => seen,
            // No driver is called for such a host, so nobody else notices that nothing answers.
            Err(error) if provisioner.owns_machine() => return self.cache.is_away(host.id, error.to_string()),
            Err(_) => return false,
        };
        let mut is_new = provisioner.owns_machine() && self.saw_owned(host, seen, at);
        if let Some(step) = step
            && seen.script_of == Some(host.order_key())
            && self.cache.evidence(host).observed.script_fetched_at.is_none_or(|fetched| fetched <= step.since)
        {
            self.cache.saw_script(host.id, at);
            is_new = true;
        }
        is_new
    }
}
