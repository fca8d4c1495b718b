//! Measures reads: the dashboard compared with the same from constants, one device compared with the smallest possible
//! query, and the search.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::Path;

use serde_json::json;

use crate::client::{Prepared, ask};
use crate::constants::{self, Answered};
use crate::measure::{Measured, Pace, Workload, beside, load};
use crate::problem::{Doing, Result};
use crate::quantity::Quantity;
use crate::queries::{self, DASHBOARD, Devices};
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// The number of dashboard pages that are requested in turn.
const REQUESTED_PAGES: usize = 40;
/// The number of devices that are looked up in turn.
pub const LOOKUPS: usize = 2_000;
/// The number of connections in measurements with many.
pub const MANY_CONNECTIONS: usize = 16;

/// Measures the dashboard on one connection, without reference.
pub async fn dashboard(server: SocketAddr, devices: &Devices, pace: Pace) -> Result<Measured> {
    let pages: Vec<Prepared> = devices.pages(REQUESTED_PAGES).into_iter().map(queries::dashboard).collect();
    load(server, 1, pages, pace).await
}

/// Measures one device by its name on one connection, without reference.
pub async fn device(server: SocketAddr, devices: &Devices, pace: Pace) -> Result<Measured> {
    load(server, 1, devices.lookups(LOOKUPS), pace).await
}

/// Measures all reads except the search, with their references.
pub async fn all(
    report: &mut Report,
    fleet: &str,
    server: SocketAddr,
    devices: &Devices,
    pace: Pace,
    scratch: &Path,
) -> Result<()> {
    let pages = devices.pages(REQUESTED_PAGES);
    let constants = constant_server(server, &pages, scratch).await?;
    let requests: Vec<Prepared> = pages.iter().copied().map(queries::dashboard).collect();
    let real = Workload { server, requests: requests.clone() };
    let same = Workload { server: constants.address(), requests };
    for connections in [1, MANY_CONNECTIONS] {
        let [real, same] = beside(&real, &same, connections, pace).await?;
        let what = format!("50 devices with site, rack, role, 10 ports and far ends, {}", clients(connections));
        let row = Row::new(&what, fleet, Quantity::PerSecond(real.per_second));
        let row = row.beside("the same from constants", Quantity::PerSecond(same.per_second));
        report.add(row.should(Target::RatioAtLeast(0.55)));
        let row = Row::new(format!("{what}, p99"), fleet, Quantity::Seconds(real.p99));
        report.add(row.beside("the same from constants", Quantity::Seconds(same.p99)));
    }
    drop(constants);
    let real = Workload { server, requests: devices.lookups(LOOKUPS) };
    let least = Workload { server, requests: vec![queries::nothing()] };
    for connections in [1, MANY_CONNECTIONS] {
        let [real, least] = beside(&real, &least, connections, pace).await?;
        let what = format!("one device by name with 20 ports, {}", clients(connections));
        let row = Row::new(what, fleet, Quantity::PerSecond(real.per_second));
        let row = row.beside("{ __typename }", Quantity::PerSecond(least.per_second));
        report.add(row.should(Target::RatioAtLeast(0.25)));
        let what = format!("{{ __typename }}, {}, of it the client's processor time", clients(connections));
        let row = Row::new(what, fleet, Quantity::Seconds(least.client));
        report.add(row.beside("time between answers", Quantity::Seconds(1.0 / least.per_second)));
    }
    Ok(())
}

/// Starts the reference with the answers of the real server, and checks that it gives the same answers.
async fn constant_server(real: SocketAddr, pages: &[Option<&str>], scratch: &Path) -> Result<Server> {
    let mut answered = Vec::with_capacity(pages.len());
    for after in pages {
        let data = ask(real, DASHBOARD, json!({"after": after})).await?;
        answered.push(Answered { after: *after, data });
    }
    fs::create_dir_all(scratch).doing(|| format!("make {}", scratch.display()))?;
    let file = scratch.join("constants.json");
    let text = File::create(&file).doing(|| format!("write {}", file.display()))?;
    serde_json::to_writer(std::io::BufWriter::new(text), &answered)?;
    let server = Server::constants(&file).await?;
    for page in &answered {
        let data = ask(server.address(), DASHBOARD, json!({"after": page.after})).await?;
        constants::same(&page.data, &data)?;
    }
    Ok(server)
}

/// Measures the search for whole names, beginnings and middles of names.
pub async fn search(report: &mut Report, fleet: &str, server: SocketAddr, devices: &Devices, pace: Pace) -> Result<()> {
    // The names are ASCII, so every byte index is a character boundary.
    let beginning = |name: &str| name.len().saturating_sub(2).max(1).min(name.len());
    let whole = devices.searches("PREFIX", |name| name);
    let prefix = devices.searches("PREFIX", |name| name.get(..beginning(name)).unwrap_or(name));
    let middle = devices.searches("CONTAINS", |name| name.get(2..beginning(name).max(3)).unwrap_or(name));
    for (what, requests, most) in [
        ("search for a whole name, p99", whole, 5e-3),
        ("search for the beginning of a name, p99", prefix, 5e-3),
        ("search for the middle of a name, p99", middle, 60e-3),
    ] {
        let measured = load(server, 1, requests, pace).await?;
        let row = Row::new(what, fleet, Quantity::Seconds(measured.p99));
        report.add(row.should(Target::AtMost(Quantity::Seconds(most))));
    }
    Ok(())
}

/// Returns a number of connections in words.
pub fn clients(connections: usize) -> String {
    if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") }
}
