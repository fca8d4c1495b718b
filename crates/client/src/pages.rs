//! Reads lists of any length page by page, so that memory does not grow with the list.

use std::num::NonZeroUsize;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::client::Client;
use crate::error::ClientError;

/// The code of the error for an answer that is too large.
const TOO_COMPLEX: &str = "TOO_COMPLEX";
/// The maximum page size of the API.
pub const MAX_OBJECTS_PER_PAGE: usize = 1_000;

/// A list of objects of a kind to read.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The name of the kind, such as `Rack`.
    pub kind: String,
    /// The field of the list, such as `racks`.
    pub list: String,
    /// The filter in the API's form; null selects all objects.
    pub filter: Value,
    /// The value of the kind's orders by which the objects are sorted, such as `PATH`; `None` is the order of the server.
    pub order: Option<&'static str>,
    /// The GraphQL selection for each object.
    pub selection: String,
    /// The maximum number of objects; `None` means all.
    pub limit: Option<NonZeroUsize>,
}

/// A page of objects.
#[derive(Debug)]
pub struct Page {
    /// The objects, with the selected fields.
    pub nodes: Vec<Value>,
    /// The total number of objects, on the first page if it was requested.
    pub total: Option<u64>,
}

/// The choice to request the total number of objects with the first page, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// The server counts all objects.
    Counted,
    /// The server reads no further than the page.
    NotCounted,
}

/// A list that is being read.
#[derive(Debug)]
pub struct Pages<'a> {
    client: &'a Client,
    listing: Listing,
    total: Total,
    /// The number of objects that may still be read.
    left: usize,
    /// The size of a page. It is reduced when an answer was too large for the server.
    at_a_time: usize,
    /// The cursor of the next page; `None` before the first page.
    after: Option<String>,
    ended: bool,
}

#[derive(Deserialize)]
struct PageData {
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
    /// Prepares to read a list. Sends no request yet.
    pub fn of(client: &'a Client, listing: Listing, total: Total) -> Self {
        let left = listing.limit.map_or(usize::MAX, NonZeroUsize::get);
        Self { client, listing, total, left, at_a_time: MAX_OBJECTS_PER_PAGE, after: None, ended: false }
    }

    /// Returns the next page, or `None` after the last. Only the first page can be empty.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or refuses a page of a single object.
    pub async fn next(&mut self) -> Result<Option<Page>, ClientError> {
        if self.ended {
            return Ok(None);
        }
        let list = self.ask().await?;
        self.left = self.left.saturating_sub(list.nodes.len());
        let next = list.page_info.end_cursor.filter(|_| list.page_info.has_next_page);
        // Without this check, a server whose cursor does not advance would be asked for ever.
        self.ended = self.left == 0 || list.nodes.is_empty() || next.is_none() || next == self.after;
        self.after = next;
        Ok(Some(Page { nodes: list.nodes, total: list.total_count }))
    }

    /// Requests the next page. Halves the page size while the answer is too large for the server.
    async fn ask(&mut self) -> Result<Connection, ClientError> {
        loop {
            let first = self.left.min(self.at_a_time);
            let variables = json!({ "filter": self.listing.filter, "first": first, "after": self.after });
            match self.client.query(&self.query(), variables).await {
                Ok(PageData { list }) => return Ok(list),
                Err(error) if is_too_much(&error) && first > 1 => self.at_a_time = first / 2,
                Err(error) => return Err(error),
            }
        }
    }

    fn query(&self) -> String {
        let Listing { kind, list, order, selection, .. } = &self.listing;
        let order = order.map_or_else(String::new, |by| format!("orderBy: {{by: {by}}}, "));
        let total = match self.total {
            Total::Counted if self.after.is_none() => "totalCount ",
            Total::Counted | Total::NotCounted => "",
        };
        format!(
            "query($filter: {kind}Filter, $first: Int, $after: String) {{ \
               list: {list}(filter: $filter, {order}first: $first, after: $after) {{ \
                 {total}pageInfo {{ hasNextPage endCursor }} nodes {{ {selection} }} }} }}"
        )
    }
}

/// Returns true if a server refuses an answer because it has too many objects or bytes.
fn is_too_much(error: &ClientError) -> bool {
    let message = || error.to_string();
    error.has_code(TOO_COMPLEX) && ["limits.objects", "limits.answer"].iter().any(|limit| message().contains(limit))
}
