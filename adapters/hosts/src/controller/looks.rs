//! Looks at machines by drivers: which machine it is, and if it is on. They change nothing.
//!
//! An order begins with a look, and right before each act the machine is looked at again: a path, a cable or an address can
//! lead to another machine by then. A BMC that belongs to a provisioner is read by a driver too, because what the provisioner
//! says of power is a cached value, and its inventory is of an earlier day. Where no driver can read it, the machine is one
//! that tells nothing.

use super::Shared;
use super::calls::HostBackends;
use crate::api::Api;
use crate::host::{Host, Power, SeenIdentity};
use crate::life::{Act, Look, ManagedBy, Recognised, may_boot_running};
use crate::machine::{CallError, Same, Sight, Target, WRONG_MACHINE, recognise, recognise_by_macs};

/// A machine that was looked at.
pub(super) struct MachineSeen {
    pub sight: Sight,
    pub machine: Recognised,
    /// The MAC addresses that it was asked for.
    macs: Vec<String>,
}

impl<A: Api> Shared<A> {
    /// Looks at the machine of a host, and notes what was seen. Returns true if something is new.
    ///
    /// # Errors
    /// Returns an error if the machine cannot be looked at, or if it is another machine than that of the host.
    pub(super) async fn look_at_machine(&self, backends: &HostBackends, host: &Host) -> Result<bool, CallError> {
        // A call that began before a step shows nothing about it, so the time is that of the beginning.
        let at = self.clock.now();
        let MachineSeen { sight, machine, macs } = self.see(backends, host).await?;

        let look = Look { at, power: sight.power, machine };
        let identity = SeenIdentity::of(&sight.identity, macs, at);
        // What is known already is kept. That a machine tells nothing is known until it tells something.
        let is_known = host.is_pinned() || host.seen_identity.is_some() && identity.is_silent();
        Ok(self.cache.looked(host.id, look, (!is_known).then_some(identity)))
    }

    /// Checks right before an act that the machine is that of the host, and that it is off if the provisioner boots it by
    /// itself.
    ///
    /// # Errors
    /// Returns an error if it is not, or if nobody can see that.
    pub(super) async fn check_machine(&self, backends: &HostBackends, host: &Host, act: Act) -> Result<(), CallError> {
        let refused =
            |reason: &str, message: &str| CallError::Refused { reason: reason.to_owned(), message: message.to_owned() };
        let is_by_hand = backends.driver.is_by_hand();
        let is_owned = backends.managed_by() == ManagedBy::ProvisionerAlone;
        if is_by_hand && !is_owned {
            return Ok(());
        }
        let MachineSeen { sight, machine, .. } = self.see(backends, host).await?;
        let is_alone = host.order().is_some_and(|order| order.alone);
        match machine {
            Recognised::Known => {}
            Recognised::Silent if is_alone => {}
            Recognised::Silent => {
                let message = "the machine says nothing of itself any more, and the order is not for this host alone";
                return Err(refused("TellsNothing", message));
            }
            Recognised::Learned => {
                let message = "the machine says for the first time which one it is: see that it is the right one, then order \
                               again";
                return Err(refused("FirstLook", message));
            }
        }
        if !is_owned || !act.boots() || may_boot_running(host, host.state, false) {
            return Ok(());
        }
        match sight.power {
            Power::Off => Ok(()),
            Power::On => Err(refused("MachineRuns", "the machine was switched on meanwhile, and was left alone")),
            Power::Unknown => {
                Err(refused("PowerUnknown", "nobody can see any more if the machine is running, and it was left alone"))
            }
        }
    }

    /// Reads a machine, and compares it with what is known of the machine of a host.
    pub(super) async fn see(&self, backends: &HostBackends, host: &Host) -> Result<MachineSeen, CallError> {
        let read = async {
            let target = self.target(host).await?;
            let mut sight = self.look_at(backends.driver.look(&target)).await?;
            sight.identity = sight.identity.without(&host.ignored);
            self.recognised(backends, host, &target, sight).await
        };
        match read.await {
            Err(CallError::Refused { reason, message }) if reason == WRONG_MACHINE => {
                self.cache.found_other(host.id, message.clone());
                Err(CallError::Refused { reason, message })
            }
            // No driver of ours was ever answered. The provisioner may have another way to the BMC.
            Err(_) if backends.managed_by() == ManagedBy::ProvisionerAlone && !host.is_pinned() => {
                Ok(MachineSeen { sight: Sight::default(), machine: Recognised::Silent, macs: Vec::new() })
            }
            seen => seen,
        }
    }

    async fn recognised(
        &self,
        backends: &HostBackends,
        host: &Host,
        target: &Target,
        sight: Sight,
    ) -> Result<MachineSeen, CallError> {
        let named = backends.driver.named(target).without(&host.ignored);
        if host.is_pinned_by_nothing {
            return Err(unknown_machine(target));
        }
        let (mut same, mut macs) = (recognise(host, &named, &sight.identity), Vec::new());
        if same == Same::Unknown {
            macs = self.look_at(backends.driver.macs(target)).await?;
            macs.retain(|mac| !host.ignored.has(mac));
            same = recognise_by_macs(&self.known_macs(host, &macs).await?, &macs);
        }

        let identity = SeenIdentity::of(&sight.identity, macs.clone(), self.clock.now());
        let machine = match same {
            Same::Yes => Recognised::Known,
            Same::No(found) => return Err(other_machine(target, &format!("has {found}"))),
            // It told something before, so this one may be another.
            Same::Unknown if host.is_pinned() => {
                return Err(other_machine(target, "says nothing that could be compared"));
            }
            Same::Unknown if identity.is_silent() => Recognised::Silent,
            Same::Unknown => Recognised::Learned,
        };
        Ok(MachineSeen { sight, machine, macs })
    }

    /// Returns the MAC addresses that are known of the machine of a host, if it listed some that can be compared.
    async fn known_macs(&self, host: &Host, listed: &[String]) -> Result<Vec<String>, CallError> {
        if listed.is_empty() {
            return Ok(Vec::new());
        }
        let of_ports = self.api.macs(host.id).await;
        let of_ports = of_ports.map_err(|error| CallError::NotMade { reason: error.to_string() })?;
        let seen = host.seen_identity.iter().flat_map(|seen| seen.macs.iter().cloned());
        let known = host.boot_mac.iter().cloned().chain(seen).chain(of_ports);
        Ok(known.filter(|mac| !host.ignored.has(mac)).collect())
    }
}

fn other_machine(target: &Target, found: &str) -> CallError {
    let message = format!(
        "{}: the machine {found}, which is not what is known of the machine of the host: it is another machine, and was \
         left alone; correct bmcUrl, or accept it with `underlay host accept-machine` if the machine or its board was exchanged",
        underlay_kit::printable(&target.url)
    );
    CallError::Refused { reason: WRONG_MACHINE.to_owned(), message }
}

fn unknown_machine(target: &Target) -> CallError {
    let message = format!(
        "{}: the machine of the host is known only by what hosts.ignoredIdentities of the server declares, so nobody knows if \
         this is the machine, and it was left alone; look at it, and accept it with `underlay host accept-machine`",
        underlay_kit::printable(&target.url)
    );
    CallError::Refused { reason: WRONG_MACHINE.to_owned(), message }
}
