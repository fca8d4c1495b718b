//! Topology queries: in process, over HTTP, during writes, and compared with recursive SQL.

mod measurements;
mod pages;
mod sql;

use std::net::SocketAddr;

use serde_json::json;
use uuid::Uuid;

pub use measurements::{Measurements, measure, print};
pub use pages::of_site;

use crate::client::{Prepared, ask};
use crate::measure::{self, Pace, beside, load};
use crate::problem::{LoadError, Result};
use crate::quantity::Quantity;
use crate::queries::{self, Devices};
use crate::report::Report;
use crate::run::FleetSize;
use crate::table::{Row, Target};
use crate::writes;
use sql::Sql;

/// The number of items in the batches that are written during queries.
const BATCH_ITEMS: usize = 1_000;

const LINE: &str = "trace through 2 panels and circuits";

/// A line with four fields of each of its hops.
const TRACE: &str = "query($from: ID!) {
  trace(from: $from) {
    complete
    branches {
      steps {
        ... on Port { id name type enabled }
        ... on Cable { id name color lengthM }
        ... on CircuitTermination { id name side description }
        ... on Circuit { id name type status }
        ... on ProviderNetwork { id name description version }
        ... on Site { id name type status }
      }
    }
  }
}";

/// The measurements in process.
pub fn in_process(
    report: &mut Report,
    fleet: &str,
    fleet_size: FleetSize,
    measured: &Measurements,
    smallest: Option<&(String, f64)>,
) {
    let seconds = |what: String, time: f64, most: f64| {
        Row::new(what, fleet, Quantity::Seconds(time)).should(Target::AtMost(Quantity::Seconds(most)))
    };
    if fleet_size == FleetSize::Small {
        let what = format!("lines of all {} endpoints, one core", measured.endpoints);
        report.add(seconds(what, measured.all_lines, 1.0));
    }
    if fleet_size != FleetSize::Large {
        return;
    }
    if let Some(trace) = measured.trace {
        report.add(seconds(format!("{LINE}, in process"), trace, 5e-6));
        if let Some((fleet_before, before)) = smallest {
            let row = Row::new(format!("{LINE}, growth"), fleet, Quantity::Seconds(trace));
            report.add(
                row.beside(format!("with {fleet_before}"), Quantity::Seconds(*before)).should(Target::RatioAtMost(2.0)),
            );
        }
    }
    if let Some(path) = measured.shortest_path {
        report.add(seconds("shortest path across two sites".to_owned(), path, 5e-3));
    }
    if let Some(leaf) = measured.leaf {
        report.add(seconds("impact of a leaf".to_owned(), leaf, 5e-3));
    }
    if let Some(rack) = measured.rack {
        let row = Row::new("impact of a rack with servers of a cluster", fleet, Quantity::Seconds(rack));
        let leaf = measured.leaf.map(|leaf| ("a leaf", Quantity::Seconds(leaf)));
        report.add(leaf.into_iter().fold(row, |row, (what, leaf)| row.beside(what, leaf)));
    }
    let devices = measured.site_devices;
    // The budget is for ten thousand devices, because the cost depends on what is affected.
    let of_site = devices as f64 / 10_000.0;
    report.add(seconds(format!("impact of a site of {devices} devices"), measured.site, 0.5 * of_site));
    let what = format!("single points of failure of a site of {devices} devices");
    report.add(seconds(what, measured.single_points, 1.0 * of_site));
}

/// Measures traces over HTTP, and the cost of queries during writes.
pub async fn over_http(
    report: &mut Report,
    fleet: &str,
    server: SocketAddr,
    begins: &[Uuid],
    devices: &Devices,
    pace: Pace,
) -> Result<()> {
    let prepared = |begin: &Uuid| Prepared::graphql(TRACE, &json!({"from": begin}));
    let requests: Vec<Prepared> = begins.iter().map(prepared).collect();
    let Some(first) = begins.first() else {
        report.skip("lines over HTTP: the fleet has none through two panels and a circuit");
        return Ok(());
    };
    let seen = ask(server, TRACE, json!({"from": first})).await?;
    if seen["trace"]["branches"][0]["steps"].as_array().is_none_or(|steps| steps.len() < 8) {
        return Err(LoadError::Answer(format!("the line of {first} is {seen}")));
    }
    let traces = measure::Workload { server, requests: requests.clone() };
    let least = measure::Workload { server, requests: vec![queries::nothing()] };
    for connections in [1, 16] {
        let [traced, least] = beside(&traces, &least, connections, pace).await?;
        let what = format!("{LINE}, 4 fields a hop, HTTP, {connections} connections");
        let row = Row::new(what, fleet, Quantity::PerSecond(traced.per_second));
        let row = row.beside("{ __typename }", Quantity::PerSecond(least.per_second));
        report.add(row.should(Target::RatioAtLeast(0.30)));
    }
    let lookups = devices.lookups(begins.len());
    for (number, what, requests) in [(2_000, LINE, requests), (2_001, "one device by name with 20 ports", lookups)] {
        let alone = load(server, 1, requests.clone(), pace.as_one_round()).await?;
        let busy = load(server, 1, requests, pace.as_one_round());
        let (busy, _) = writes::beside_batches(server, BATCH_ITEMS, number, devices, busy).await?;
        let row = Row::new(
            format!("{what}, p99 while batches of {BATCH_ITEMS} are written"),
            fleet,
            Quantity::Seconds(busy.p99),
        );
        report.add(row.beside("nothing written", Quantity::Seconds(alone.p99)).should(Target::RatioAtMost(2.0)));
    }
    Ok(())
}

/// Measures the same queries as one recursive statement on PostgreSQL.
pub async fn beside_sql(report: &mut Report, fleet: &str, database: &str) -> Result<()> {
    let measured = measure(database).await?;
    let sql = Sql::connect(database).await?;
    if let Some(trace) = measured.trace {
        let row = Row::new(format!("{LINE}, beside SQL"), fleet, Quantity::Seconds(trace));
        report.add(
            row.beside("one recursive statement, PostgreSQL", Quantity::Seconds(sql.trace(&measured.begins).await?)),
        );
    }
    if let (Some(leaf), Some(device)) = (measured.leaf, measured.a_leaf) {
        let row = Row::new("impact of a leaf, beside SQL", fleet, Quantity::Seconds(leaf));
        let reference = sql.impact(device).await?;
        report
            .add(row.beside("one recursive statement for what it may touch, PostgreSQL", Quantity::Seconds(reference)));
    }
    sql.close().await
}
