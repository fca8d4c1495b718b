//! The acts on an object, in pages, the newest first.

use async_graphql::{Context, Result, SimpleObject};
use chrono::{DateTime, Utc};
use futures_util::future::BoxFuture;
use underlay_entity::act;
use underlay_entity::long::Long;
use uuid::Uuid;

use super::load::{ActsOf, load};
use crate::changes::size;
use crate::errors::unreadable;
use underlay_read::{PageInfo, ReadError};

/// An act of a driver or a provisioner on a host.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostHistoryEntry")]
pub struct HistoryEntry {
    /// The number of the act among those of the host. It grows with each act.
    pub number: Long,
    /// The time of the act, as the controller knows it.
    pub at: DateTime<Utc>,
    /// The controller that acted.
    pub by: String,
    /// The act, as one word.
    pub act: String,
    /// A sentence about the act, and how it ended.
    pub message: String,
}

impl From<act::Model> for HistoryEntry {
    fn from(act: act::Model) -> Self {
        Self { number: Long(act.number), at: act.at, by: act.by, act: act.name, message: act.sentence }
    }
}

/// A page of the acts on a host.
#[derive(Clone, Debug, SimpleObject)]
#[graphql(name = "HostHistory")]
pub struct ActConnection {
    /// The acts of this page, the newest first.
    pub nodes: Vec<HistoryEntry>,
    /// The position of this page in the list.
    pub page_info: PageInfo,
}

/// Returns a page of the acts on an object. The future is on the heap, because the resolver of every field of an object
/// takes as much space as its largest field.
pub fn acts_of<'a>(
    context: &'a Context<'_>,
    object: Uuid,
    first: Option<i32>,
    after: Option<String>,
) -> BoxFuture<'a, Result<Option<ActConnection>>> {
    Box::pin(async move {
        let limit = size(first)?;
        let before = after.as_deref().map(position).transpose()?;
        let key = ActsOf { object, before, most: limit as u64 + 1 };
        if crate::request::Request::of(context).view.log().is_none() {
            return Ok(None);
        }
        let mut acts = load(context, key).await?.unwrap_or_default();
        let more = acts.len() > limit;
        acts.truncate(limit);
        let page_info = PageInfo {
            has_next_page: more,
            has_previous_page: before.is_some(),
            start_cursor: acts.first().map(cursor),
            end_cursor: acts.last().map(cursor),
        };
        Ok(Some(ActConnection { nodes: acts.into_iter().map(HistoryEntry::from).collect(), page_info }))
    })
}

fn cursor(act: &act::Model) -> String {
    act.number.to_string()
}

fn position(cursor: &str) -> Result<i64> {
    let reason = "is no cursor of a history: take one from pageInfo".to_owned();
    cursor.parse().map_err(|_| unreadable(&ReadError::Argument { argument: "after", reason }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_the_number_of_an_act() {
        let (object_id, at) = (Uuid::from_u128(9), DateTime::UNIX_EPOCH);
        let act = act::Model {
            object_id,
            number: 4_107,
            at,
            by: String::new(),
            name: String::new(),
            sentence: String::new(),
        };
        // Clients give it back to a later version.
        assert_eq!(cursor(&act), "4107");
        assert_eq!(position("4107").ok(), Some(4_107));
        for bad in ["", "x", "4107 ", "NDEwNw"] {
            assert!(position(bad).is_err(), "{bad}");
        }
    }
}
