//! Lists of any length, page by page: what was printed is not kept.

use std::num::NonZeroUsize;

use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError};

use super::object::plural;
use crate::inventory::Description;

/// The most that the API gives at a time.
pub(super) const MOST_PER_PAGE: usize = 1_000;

/// The objects of a kind that are asked for.
#[derive(Clone, Debug)]
pub(super) struct Listing {
    /// The kind.
    pub(super) kind: &'static Description,
    /// Which of them, in the API's own form; null: all.
    pub(super) filter: Value,
    /// What is selected of each.
    pub(super) selection: String,
    /// At most so many; `None`: all.
    pub(super) limit: Option<NonZeroUsize>,
}

/// A page of objects.
#[derive(Debug)]
pub(super) struct Page {
    /// The objects, with what was selected of them.
    pub(super) nodes: Vec<Value>,
    /// How many there are in all, on the first page where it was asked for.
    pub(super) total: Option<u64>,
}

/// Whether the first page says how many objects there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Total {
    Counted,
    NotCounted,
}

/// A list that is being read.
#[derive(Debug)]
pub(super) struct Pages<'a> {
    client: &'a Client,
    listing: Listing,
    total: Total,
    /// How many may still come.
    left: usize,
    /// The size of a page: it gets smaller once it was too much for the server.
    at_a_time: usize,
    /// Where the next page begins; `None` before the first.
    after: Option<String>,
    ended: bool,
}

#[derive(Deserialize)]
struct Answer {
    list: Connection,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Connection {
    nodes: Vec<Value>,
    page_info: PageInfo,
    total_count: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PageInfo {
    has_next_page: bool,
    end_cursor: Option<String>,
}

impl<'a> Pages<'a> {
    /// Begins to read a list. Nothing is asked yet.
    pub(super) fn of(client: &'a Client, listing: Listing, total: Total) -> Self {
        let left = listing.limit.map_or(usize::MAX, NonZeroUsize::get);
        Self { client, listing, total, left, at_a_time: MOST_PER_PAGE, after: None, ended: false }
    }

    /// The next page; `None` after the last. The first may be empty, no other is.
    pub(super) async fn next(&mut self) -> Result<Option<Page>, ClientError> {
        if self.ended {
            return Ok(None);
        }
        let list = self.ask().await?;
        self.left = self.left.saturating_sub(list.nodes.len());
        let next = list.page_info.end_cursor.filter(|_| list.page_info.has_next_page);
        // A server that does not go on would be asked for ever.
        self.ended = self.left == 0 || list.nodes.is_empty() || next.is_none() || next == self.after;
        self.after = next;
        Ok(Some(Page { nodes: list.nodes, total: list.total_count }))
    }

    /// The next part of the list. Where it is too much, half as many are asked for.
    async fn ask(&mut self) -> Result<Connection, ClientError> {
        loop {
            let first = self.left.min(self.at_a_time);
            let variables = json!({ "filter": self.listing.filter, "first": first, "after": self.after });
            match self.client.query(&self.query(), variables).await {
                Ok(Answer { list }) => return Ok(list),
                Err(error) if is_too_much(&error) && first > 1 => self.at_a_time = first / 2,
                Err(error) => return Err(error),
            }
        }
    }

    fn query(&self) -> String {
        let Listing { kind, selection, .. } = &self.listing;
        let total = match self.total {
            Total::Counted if self.after.is_none() => "totalCount ",
            Total::Counted | Total::NotCounted => "",
        };
        format!(
            "query($filter: {}Filter, $first: Int, $after: String) {{ \
               list: {}(filter: $filter, first: $first, after: $after) {{ \
                 {total}pageInfo {{ hasNextPage endCursor }} nodes {{ {selection} }} }} }}",
            kind.name,
            plural(kind)
        )
    }
}

/// Says if a server refuses an answer because it has too many objects or bytes.
fn is_too_much(error: &ClientError) -> bool {
    let said = || error.to_string();
    error.has_code("TOO_COMPLEX") && ["limits.objects", "limits.answer"].iter().any(|limit| said().contains(limit))
}
