//! A large impact over HTTP: the cost of its first page, and of the next pages.

use std::net::SocketAddr;
use std::time::Instant;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::ask;
use crate::measure::median;
use crate::problem::{LoadError, Result};
use crate::quantity::Quantity;
use crate::report::Report;
use crate::table::Row;

/// The number of entries in a page.
const PAGE_ENTRIES: usize = 1_000;
/// The number of requests for the first page, and of following pages for each.
const FIRST_PAGES: usize = 3;
const NEXT_PAGES: usize = 10;

const IMPACT: &str = "query($of: [ID!]!, $first: Int, $after: String) {
  impact(of: $of) {
    revision counts { kind effect count }
    affected(first: $first, after: $after) {
      nodes { kind path effect rule because(first: 1) { path } } pageInfo { hasNextPage endCursor }
    }
  }
}";

/// The impact of the largest site, page by page.
pub async fn of_site(report: &mut Report, fleet: &str, server: SocketAddr, site: Uuid, devices: usize) -> Result<()> {
    let (mut first, mut next) = (Vec::with_capacity(FIRST_PAGES), Vec::with_capacity(FIRST_PAGES * NEXT_PAGES));
    for _ in 0..FIRST_PAGES {
        let (took, mut cursor) = page(server, site, &Value::Null).await?;
        first.push(took);
        for _ in 0..NEXT_PAGES {
            let Some(after) = cursor else { break };
            let (took, following) = page(server, site, &after).await?;
            next.push(took);
            cursor = following;
        }
    }
    let first = Quantity::Seconds(median(first));
    let what = format!("impact of a site of {devices} devices, HTTP, first page of {PAGE_ENTRIES}");
    report.add(Row::new(what, fleet, first));
    if next.is_empty() {
        report.skip("further pages of an impact: the fleet has too few objects");
        return Ok(());
    }
    let what = format!("impact of a site of {devices} devices, HTTP, next page of {PAGE_ENTRIES}");
    report.add(Row::new(what, fleet, Quantity::Seconds(median(next))).beside("the first page", first));
    Ok(())
}

/// Returns the seconds for a page, and the cursor of the next one.
async fn page(server: SocketAddr, site: Uuid, after: &Value) -> Result<(f64, Option<Value>)> {
    let begin = Instant::now();
    let answer = ask(server, IMPACT, json!({"of": [site], "first": PAGE_ENTRIES, "after": after})).await?;
    let took = begin.elapsed().as_secs_f64();
    let affected = &answer["impact"]["affected"];
    if affected["nodes"].as_array().is_none_or(Vec::is_empty) {
        return Err(LoadError::Answer(format!("the impact of {site} is {answer}")));
    }
    let goes_on = affected["pageInfo"]["hasNextPage"] == true;
    Ok((took, goes_on.then(|| affected["pageInfo"]["endCursor"].clone())))
}
