//! Compares what is registered at provisioners with the hosts of the graph, at each look at all hosts, and reports what the
//! graph does not know. Nothing is ever removed, and the looks go on while controllers may only observe.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::{Shared, lease_of_provisioner};
use crate::api::{Api, Fence, MAX_STRAYS, Strays};
use crate::host::Host;
use crate::machine::CallError;
use crate::provisioner::{Provisioner, Registered};

/// The maximum number of pages that a provisioner lists.
const MAX_PAGES: usize = 1_000;

/// The hosts of the graph, as far as they are found at provisioners.
#[derive(Debug, Default)]
pub struct Known {
    /// The provisioner of each host.
    hosts: HashMap<Uuid, Option<String>>,
    addresses: HashSet<String>,
    uids: HashSet<String>,
}

impl Known {
    /// Adds a host.
    pub fn add(&mut self, host: &Host) {
        self.hosts.insert(host.id, host.provisioner.clone());
        self.addresses.extend(host.bmc_url.clone());
        self.uids.extend(host.uid.as_deref().map(str::to_lowercase));
    }

    /// Returns true if the graph knows a machine that is registered at a provisioner. One that was registered for a host
    /// is known by this host alone, and any other one by its address or its identity.
    fn has(&self, provisioner: &str, machine: &Registered) -> bool {
        let is_known = |uid: &String| self.uids.contains(&uid.to_lowercase());
        match machine.host {
            Some(host) => self.hosts.get(&host).is_some_and(|own| own.as_deref() == Some(provisioner)),
            None => {
                machine.address.as_ref().is_some_and(|address| self.addresses.contains(address))
                    || machine.uid.as_ref().is_some_and(is_known)
            }
        }
    }
}

/// The strays of a provisioner that were found so far.
#[derive(Default)]
struct Found {
    listed: BTreeMap<String, Registered>,
    total: usize,
}

impl Found {
    /// Adds a stray. Those with the first names are listed, so that each look lists the same.
    fn add(&mut self, stray: Registered) {
        self.total += 1;
        self.listed.insert(stray.name.clone(), stray);
        if self.listed.len() > MAX_STRAYS {
            self.listed.pop_last();
        }
    }
}

impl<A: Api> Shared<A> {
    /// Reports the strays of the provisioners whose leases are held here. A provisioner that does not answer, or a report
    /// that fails, leaves what was reported before, which has the time of its look.
    pub(super) async fn report_strays(&self, known: &Known) {
        for (name, provisioner) in self.provisioners.all() {
            let lease = lease_of_provisioner(name);
            if !provisioner.has_register() || self.held_of(lease).is_none() {
                continue;
            }
            let Ok(Some(Found { listed, total })) = self.strays_of(name, &**provisioner, known).await else { continue };
            let Some(held) = self.held_of(lease) else { continue };
            let fence = Fence { lease: held.name, epoch: held.epoch };
            let (provisioner, listed) = (name.to_owned(), listed.into_values().collect());
            drop(self.api.report_strays(&Strays { provisioner, fence, listed, total }).await);
        }
    }

    /// Returns the strays of a provisioner; `None` if it has more pages than are read.
    async fn strays_of(
        &self,
        name: &str,
        provisioner: &dyn Provisioner,
        known: &Known,
    ) -> Result<Option<Found>, CallError> {
        let (mut found, mut after) = (Found::default(), None::<String>);
        for _ in 0..MAX_PAGES {
            let page = self.look_at(provisioner.registered(after.as_deref())).await?;
            page.machines.into_iter().filter(|it| !known.has(name, it)).for_each(|stray| found.add(stray));
            match page.next {
                Some(next) => after = Some(next),
                None => return Ok(Some(found)),
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, host: Option<Uuid>) -> Registered {
        Registered { name: name.to_owned(), host, address: None, uid: None }
    }

    #[test]
    fn a_machine_is_known_by_its_host_or_by_what_identifies_it() {
        let (host, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let known = Known {
            hosts: [(host, Some("ironic".to_owned())), (other, None)].into(),
            addresses: ["redfish://10.0.0.7".to_owned()].into(),
            uids: ["czj1".to_owned()].into(),
        };
        let at = |host, address: &str, uid: &str| Registered {
            address: Some(address.to_owned()),
            uid: Some(uid.to_owned()),
            ..machine("m", host)
        };
        for (registered, is_known) in [
            (machine("m", Some(host)), true),
            (machine("m", Some(other)), false),
            (machine("m", Some(Uuid::from_u128(3))), false),
            (at(Some(Uuid::from_u128(3)), "redfish://10.0.0.7", "CZJ1"), false),
            (machine("m", None), false),
            (at(None, "redfish://10.0.0.7", "other"), true),
            (at(None, "redfish://10.0.0.8", "CZJ1"), true),
            (at(None, "redfish://10.0.0.8", "CZJ2"), false),
        ] {
            assert_eq!(known.has("ironic", &registered), is_known, "{registered:?}");
        }
        assert!(!known.has("other", &machine("m", Some(host))), "the host has another provisioner");
    }

    #[test]
    fn the_first_strays_are_listed_and_all_are_counted() {
        let mut found = Found::default();
        (0..MAX_STRAYS + 7).rev().for_each(|number| found.add(machine(&format!("m{number:05}"), None)));
        assert_eq!((found.listed.len(), found.total), (MAX_STRAYS, MAX_STRAYS + 7));
        assert_eq!(found.listed.keys().next().map(String::as_str), Some("m00000"));
    }
}
