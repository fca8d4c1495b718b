//! The end of all open orders after controllers could only observe.

use chrono::{DateTime, Utc};
use serde_json::Value as Json;
use underlay_entity::host::Model;

use super::MAX_HOSTS;
use super::facts::is_at_work;
use super::role::HostRole;
use super::rules::stopped;
use super::stop::Stop;
use underlay_engine::write::{Decision, Intent, Item};
use underlay_inventory::{Refusal, Snapshot, cast};

/// The end of the orders that are open while controllers only observe. Those that touched nothing expire. Of the others no
/// further step is begun that touches a machine, and controllers follow them to their end.
///
/// A decision ends at most 1,000 orders, and requests nothing when there are none: it is repeated until then.
#[derive(Clone, Copy, Debug)]
pub struct EndOfOrders {
    role: HostRole,
}

impl EndOfOrders {
    /// Returns the decision.
    pub const fn new(role: HostRole) -> Self {
        Self { role }
    }
}

impl Decision for EndOfOrders {
    fn request(&self) -> &Json {
        // It has no name by which it could be repeated: an order that was stopped is left out.
        &Json::Null
    }

    fn size(&self) -> usize {
        MAX_HOSTS
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let kind = base.kind(self.role.kind);
        let rows = base.table(self.role.kind).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()));
        let open = rows.filter_map(|host| {
            let order = host.wanted.as_ref().filter(|order| is_at_work(host) && order.stop.is_none())?;
            let mut fields = stopped(host, order, Stop::ObservedOnly, now);
            fields.set("id", host.id.to_string().into());
            Some(Item::Write { kind, intent: Intent::Update, fields, if_version: None })
        });
        Ok(open.take(MAX_HOSTS).collect())
    }
}
