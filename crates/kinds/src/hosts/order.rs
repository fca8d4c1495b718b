//! An order for hosts: it is judged when its batch is planned, for all of its hosts or for none.

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use uuid::Uuid;

use super::act::Act;
use super::bond::bond;
use super::error::OrderError;
use super::facts::tells_nothing;
use super::named::check_hosts;
use super::obstacle::Obstacle;
use super::role::HostRole;
use super::rules::{Subject, judge};
use super::settings::machine_settings;
use super::sharing::Machines;
use underlay_engine::write::{Decision, Fields, Intent, Item};
use underlay_entity::host::Model;
use underlay_entity::profile::{self, ProfilePurpose};
use underlay_inventory::{Refusal, Snapshot};

/// An order for hosts.
#[derive(Clone, Debug)]
pub struct Order {
    role: HostRole,
    hosts: Vec<Uuid>,
    act: Act,
    request: Json,
}

impl Order {
    /// Creates an order for hosts. `request` is the order as the client sent it.
    ///
    /// # Errors
    /// Returns an error if there are no hosts, too many, or one of them twice.
    pub fn new(role: HostRole, hosts: Vec<Uuid>, act: Act, request: Json) -> Result<Self, OrderError> {
        check_hosts(&hosts)?;
        Ok(Self { role, hosts, act, request })
    }

    /// Returns the profile that a host would be installed with.
    fn profile<'a>(&self, base: &'a Snapshot, host: &Model) -> Result<Option<&'a profile::Model>, OrderError> {
        let Act::Install { profile, .. } = &self.act else {
            let last = host.wanted.as_ref().and_then(|wanted| wanted.profile);
            return Ok(last.and_then(|profile| self.role.profile(base, profile)));
        };
        let found =
            self.role.profile(base, *profile).ok_or_else(|| OrderError::missing("profile", "profile", *profile))?;
        match found.purpose {
            ProfilePurpose::Install => Ok(Some(found)),
            ProfilePurpose::Discover | ProfilePurpose::Wipe => {
                let reason = format!("must be a profile for the purpose INSTALL, and {} is not", found.name);
                Err(OrderError::invalid("profile", reason))
            }
        }
    }

    fn judged(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Fields>, OrderError> {
        let mut changes = Vec::with_capacity(self.hosts.len());
        let mut refused: Vec<(usize, String, Obstacle)> = Vec::new();
        let machines = Machines::of(&self.role, base);
        let ignored = &machine_settings(base).ignored_identities;
        for (at, id) in self.hosts.iter().enumerate() {
            let host =
                self.role.host(base, *id).ok_or_else(|| OrderError::missing(format!("ids[{at}]"), "host", *id))?;
            let profile = self.profile(base, host)?;
            let shares_machine_with = machines.other(host).map(|(other, _)| other.name.as_str());
            let bond = base.find(*id).and_then(|object| bond(&self.role, base, object, host));
            let is_alone = self.hosts.len() == 1;
            let tells_nothing = tells_nothing(host, ignored);
            let hardware = &(self.role.hardware)(base, *id);
            let subject = Subject { host, profile, is_alone, tells_nothing, bond, shares_machine_with, hardware, now };
            match judge(&subject, &self.act) {
                Ok(mut fields) => {
                    fields.set("id", id.to_string().into());
                    changes.push(fields);
                }
                Err(obstacle) => refused.push((at, host.name.clone(), obstacle)),
            }
        }
        let others = refused.len().saturating_sub(1);
        match refused.into_iter().next() {
            None => Ok(changes),
            Some((at, name, obstacle)) => {
                Err(OrderError::Refused { field: format!("ids[{at}]"), name, obstacle, others })
            }
        }
    }
}

impl Decision for Order {
    fn request(&self) -> &Json {
        &self.request
    }

    fn size(&self) -> usize {
        self.hosts.len()
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let kind = base.kind(self.role.kind);
        let if_version = match &self.act {
            Act::Delete { if_version } => *if_version,
            _ => None,
        };
        let item = |fields| Item::Write { kind, intent: Intent::Update, fields, if_version };
        Ok(self.judged(base, now)?.into_iter().map(item).collect())
    }
}
