//! Parts as things with a life of their own in the API: in which host each is, and was from when to when.
//!
//! Guarantee: one statement of each kind reads the parts of all hosts of a list.

use std::collections::HashMap;
use std::sync::Arc;

use async_graphql::dataloader::{DataLoader, Loader};
use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_engine::store::{PartQuery, StoreError, TracedPart};
use underlay_entity::hardware_event::HardwarePart;
use underlay_entity::hardware_stay;
use uuid::Uuid;

use super::agent::host_id;
use super::facts_of;
use super::load::FactsLoader;
use crate::changes::size;
use crate::control::unanswered;
use crate::errors::{forbidden, unreadable};
use crate::host::Host;
use crate::request::Request;
use underlay_read::{PageInfo, ReadError};

/// The parts in the messages of refusals.
const PARTS: &str = "the parts of hosts";
/// The greatest number of parts of one serial number that are returned.
const MAX_SAME_SERIAL: u64 = 1_000;

/// A part of hosts that is recognised by its model and serial number, in whichever host it is.
#[derive(Clone, Debug)]
pub struct Part(Arc<TracedPart>);

/// A part of hosts that is recognised by its model and serial number, in whichever host it is. It is known from the
/// reports of agents, and kept for good.
#[Object]
impl Part {
    /// The kind of part.
    async fn kind(&self) -> HardwarePart {
        self.0.part.kind
    }

    /// The maker. Null if it is not known.
    async fn manufacturer(&self) -> Option<&str> {
        self.0.part.manufacturer.as_deref()
    }

    /// The model, or the maker's part number. Null if it is not known.
    async fn model(&self) -> Option<&str> {
        Some(self.0.part.model.as_str()).filter(|model| !model.is_empty())
    }

    /// The serial number.
    async fn serial(&self) -> &str {
        &self.0.part.serial
    }

    /// The host in which the part is. Null if it is in none that is known, if it is ambiguous, and if the host was deleted.
    async fn host(&self, context: &Context<'_>) -> Option<Host> {
        host_of(context, self.present()?)
    }

    /// The place in the host, such as a slot or a PCI address. Null if it is in no host, or ambiguous.
    async fn place(&self) -> Option<&str> {
        self.present().map(|stay| stay.place.as_str())
    }

    /// The time since which the part is in the host, by the clock of the server. Null if it is in no host, or ambiguous.
    async fn since(&self) -> Option<DateTime<Utc>> {
        self.present().map(|stay| stay.from_at)
    }

    /// True if several hosts have a part of this kind, model and serial number. Either it moved and its old host has not
    /// reported since, or the maker gave the number twice.
    async fn ambiguous(&self) -> bool {
        self.holding().len() > 1
    }

    /// The stays of the part in hosts, the newest first.
    async fn stays(&self) -> Vec<PartStay> {
        self.0.stays.iter().rev().cloned().map(PartStay).collect()
    }
}

impl Part {
    /// Returns the stays in the hosts that have the part. One whose last report lacks it counts if no other has it.
    fn holding(&self) -> Vec<&hardware_stay::Model> {
        let open = || self.0.stays.iter().filter(|stay| stay.until_at.is_none());
        let seen: Vec<_> = open().filter(|stay| stay.missing_since.is_none()).collect();
        if seen.is_empty() { open().collect() } else { seen }
    }

    /// Returns the stay in the one host that has the part.
    fn present(&self) -> Option<&hardware_stay::Model> {
        match self.holding()[..] {
            [stay] => Some(stay),
            _ => None,
        }
    }
}

/// The time for which a part was in a host.
#[derive(Clone, Debug)]
pub struct PartStay(hardware_stay::Model);

/// The time for which a part was in a host.
#[Object]
impl PartStay {
    /// The host. Null if it was deleted since.
    async fn host(&self, context: &Context<'_>) -> Option<Host> {
        host_of(context, &self.0)
    }

    /// The last place of the part in the host, such as a slot or a PCI address.
    async fn place(&self) -> &str {
        &self.0.place
    }

    /// The time of the first report that showed the part there, by the clock of the server.
    async fn from(&self) -> DateTime<Utc> {
        self.0.from_at
    }

    /// The time of the first report that did not show it any more. Null while it is there.
    async fn until(&self) -> Option<DateTime<Utc>> {
        self.0.until_at
    }
}

/// A page of parts.
#[derive(Clone, Debug, SimpleObject)]
pub struct PartConnection {
    /// The parts of this page, in the order in which they became known.
    pub nodes: Vec<Part>,
    /// The position of this page in the list.
    pub page_info: PageInfo,
}

/// A selection of parts: those that meet all that is given.
#[derive(Clone, Debug, Default, InputObject)]
pub struct PartFilter {
    /// The kind of part.
    pub kind: Option<HardwarePart>,
    /// The maker, exactly.
    pub manufacturer: Option<String>,
    /// The model, or the maker's part number, exactly.
    pub model: Option<String>,
    /// The serial number, exactly.
    pub serial: Option<String>,
    /// The host in which they are: its id, or a path such as `host/gpu-7`.
    pub host: Option<ID>,
    /// True returns only parts that are in a host now, also ambiguous ones; false only those that are in none.
    pub present: Option<bool>,
}

/// The root fields about parts.
#[derive(Debug, Default)]
pub struct PartRoots;

/// The root fields about parts.
#[Object]
impl PartRoots {
    /// The parts with a serial number. Several makers can use the same one. At most 1000 are returned.
    async fn part(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The serial number, exactly.")] serial: String,
    ) -> Result<Option<Vec<Part>>> {
        Box::pin(async move {
            let request = Request::of(context);
            request.database_for(PARTS).map_err(|it| forbidden(&it))?;
            let snapshot = request.snapshot();
            let Some(facts) = facts_of(&snapshot) else { return Ok(None) };
            let query = PartQuery { serial: Some(serial), ..PartQuery::default() };
            let found = facts.parts(&query, None, MAX_SAME_SERIAL).await.map_err(|error| unanswered(&error))?;
            Ok(Some(found.into_iter().map(shown).collect()))
        })
        .await
    }

    /// The parts of hosts, also those that are in none any more, in the order in which they became known.
    async fn parts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only the parts that meet this.")] filter: Option<PartFilter>,
        #[graphql(desc = "The maximum number of parts: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only parts after this cursor.")] after: Option<String>,
    ) -> Result<Option<PartConnection>> {
        Request::of(context).database_for(PARTS).map_err(|it| forbidden(&it))?;
        Box::pin(page(context, filter.unwrap_or_default(), first, after)).await
    }
}

async fn page(
    context: &Context<'_>,
    filter: PartFilter,
    first: Option<i32>,
    after: Option<String>,
) -> Result<Option<PartConnection>> {
    let limit = size(first)?;
    let after = after.as_deref().map(position).transpose()?;
    let snapshot = Request::of(context).snapshot();
    let PartFilter { kind, manufacturer, model, serial, host, present } = filter;
    let host = host.map(|host| host_id(&snapshot, "filter.host", &host)).transpose()?;
    let query = PartQuery { kind, manufacturer, model, serial, host, present };
    let Some(facts) = facts_of(&snapshot) else { return Ok(None) };
    let mut found = facts.parts(&query, after, limit as u64 + 1).await.map_err(|error| unanswered(&error))?;

    let more = found.len() > limit;
    found.truncate(limit);
    let page_info = PageInfo {
        has_next_page: more,
        has_previous_page: after.is_some(),
        start_cursor: found.first().map(cursor),
        end_cursor: found.last().map(cursor),
    };
    Ok(Some(PartConnection { nodes: found.into_iter().map(shown).collect(), page_info }))
}

/// The key of the parts that are in a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartsOf(pub Uuid);

impl Loader<PartsOf> for FactsLoader {
    type Value = Vec<Part>;
    type Error = Arc<StoreError>;

    async fn load(&self, keys: &[PartsOf]) -> Result<HashMap<PartsOf, Self::Value>, Self::Error> {
        let hosts: Vec<Uuid> = keys.iter().map(|key| key.0).collect();
        let mut found: HashMap<PartsOf, Self::Value> = HashMap::new();
        for (host, part) in self.0.parts_of(&hosts).await? {
            found.entry(PartsOf(host)).or_default().push(shown(part));
        }
        Ok(found)
    }
}

/// Returns the parts that are in a host. Returns `None` for a caller who sees only a part of the inventory.
///
/// # Errors
/// Returns an error if the database does not answer.
pub async fn parts_of_host(context: &Context<'_>, host: Uuid) -> Result<Option<Vec<Part>>> {
    let loader = context.data_opt::<DataLoader<FactsLoader>>();
    let (Some(_), Some(loader)) = (Request::of(context).view.log(), loader) else { return Ok(None) };
    let found = loader.load_one(PartsOf(host)).await.map_err(|error| unanswered(&error))?;
    Ok(Some(found.unwrap_or_default()))
}

fn shown(part: TracedPart) -> Part {
    Part(Arc::new(part))
}

fn host_of(context: &Context<'_>, stay: &hardware_stay::Model) -> Option<Host> {
    let snapshot = Request::of(context).snapshot();
    snapshot.hold(snapshot.find(stay.host_id)?).map(Host)
}

fn cursor(part: &TracedPart) -> String {
    part.part.id.to_string()
}

fn position(cursor: &str) -> Result<i64> {
    let reason = "is no cursor of a part: take one from pageInfo".to_owned();
    cursor.parse().map_err(|_| unreadable(&ReadError::Argument { argument: "after", reason }))
}

#[cfg(test)]
mod tests {
    use underlay_entity::hardware_part;

    use super::*;

    #[test]
    fn a_cursor_is_the_id_of_a_part() {
        let part = hardware_part::Model {
            id: 4_107,
            kind: HardwarePart::Disk,
            manufacturer: None,
            model: String::new(),
            serial: "S1".to_owned(),
        };
        let part = TracedPart { part, stays: Vec::new() };
        // Clients give it back to a later version.
        assert_eq!(cursor(&part), "4107");
        assert_eq!(position("4107").ok(), Some(4_107));
        for bad in ["", "x", "4107 ", "NDEwNw"] {
            assert!(position(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_part_is_in_the_host_that_has_it() {
        let at = |second| DateTime::from_timestamp(second, 0);
        let stay = |id: i64, until_at, missing_since| hardware_stay::Model {
            id,
            part_id: 1,
            host_id: Uuid::from_u128(1),
            place: id.to_string(),
            from_at: DateTime::UNIX_EPOCH,
            until_at,
            missing_since,
        };
        let (ended, missing, there) = (stay(1, at(5), None), stay(2, None, at(5)), stay(3, None, None));
        for (stays, present, ambiguous) in [
            (vec![ended.clone()], None, false),
            (vec![ended.clone(), missing.clone()], Some("2"), false),
            (vec![missing.clone(), there.clone()], Some("3"), false),
            (vec![ended, missing, there.clone(), there], None, true),
        ] {
            let (kind, serial) = (HardwarePart::Disk, "S1".to_owned());
            let part = hardware_part::Model { id: 1, kind, manufacturer: None, model: String::new(), serial };
            let part = shown(TracedPart { part, stays });
            assert_eq!(part.present().map(|stay| stay.place.as_str()), present);
            assert_eq!(part.holding().len() > 1, ambiguous);
        }
    }
}
