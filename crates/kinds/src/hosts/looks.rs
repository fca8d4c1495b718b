//! Looks that a claim asks for. What was last seen running is not acquired; if that is a while ago, the machine may be off by
//! now. So the claim asks controllers to look, and says so.
//!
//! A look is asked for by a field of the host, which controllers subscribe to. It is asked for at most once a minute for each
//! host.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use underlay_entity::host::{LookAsked, Model};
use uuid::Uuid;

use super::role::HostRole;
use underlay_engine::write::{Decision, Fields, Intent, Item};
use underlay_inventory::{Refusal, Snapshot};

/// The time for which a look at a machine counts as fresh.
const FRESH: TimeDelta = TimeDelta::seconds(60);

/// A host of a claim, and the time at which its machine answered last; `None` if it never did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastLook {
    /// The id of the host.
    pub host: Uuid,
    /// The time.
    pub at: Option<DateTime<Utc>>,
}

impl LastLook {
    /// Returns the field that asks for another look; `None` if the last one is fresh, if there was none, or if one was asked
    /// for within the last minute.
    pub fn asks(self, host: &Model, now: DateTime<Utc>) -> Option<(&'static str, Json)> {
        let is_fresh = |at: DateTime<Utc>| now - at <= FRESH;
        let is_due = self.at.is_some_and(|at| !is_fresh(at));
        let is_asked = host.look_asked.as_ref().is_some_and(|asked| is_fresh(asked.at));
        (is_due && !is_asked).then(|| ("lookAsked", json!(LookAsked { at: now })))
    }

    /// Returns true if a look was asked for since the last one.
    pub fn is_asked(self, role: &HostRole, snapshot: &Snapshot) -> bool {
        let asked = role.host(snapshot, self.host).and_then(|host| host.look_asked.as_ref());
        asked.zip(self.at).is_some_and(|(asked, at)| at < asked.at)
    }
}

/// Asks for looks at the machines of hosts that nobody acquires now.
#[derive(Clone, Debug)]
pub struct Looks {
    role: HostRole,
    hosts: Vec<LastLook>,
}

impl Looks {
    /// Returns the decision. It requests nothing for hosts whose last look is fresh.
    pub const fn new(role: HostRole, hosts: Vec<LastLook>) -> Self {
        Self { role, hosts }
    }
}

impl Decision for Looks {
    fn request(&self) -> &Json {
        // It has no name by which it could be repeated.
        &Json::Null
    }

    fn size(&self) -> usize {
        self.hosts.len()
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let kind = base.kind(self.role.kind);
        let item = |last: &LastLook| {
            let (name, asked) = last.asks(self.role.host(base, last.host)?, now)?;
            let mut fields = Fields::with_room(2);
            fields.set("id", last.host.to_string().into());
            fields.set(name, asked);
            Some(Item::Write { kind, intent: Intent::Update, fields, if_version: None })
        };
        Ok(self.hosts.iter().filter_map(item).collect())
    }
}
