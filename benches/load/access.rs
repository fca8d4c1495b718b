//! Measures the cost of authentication: the smallest possible query with a token, compared with a server without
//! authentication. Also compares the dashboard of a tenant, who sees a part of the inventory, with that of a caller who
//! sees all of it.

use std::path::Path;
use std::time::{Duration, Instant};

use underlay_testing::scratch;

use crate::client::Connection;
use crate::fleets;
use crate::measure::{Pace, Workload, beside};
use crate::problem::{Doing, LoadError, Result, within};
use crate::program;
use crate::quantity::Quantity;
use crate::queries::{self, Devices};
use crate::reads::clients;
use crate::report::Report;
use crate::server::Server;
use crate::table::{Row, Target};

/// A tenant that exists in the fleets.
const TENANT: &str = "payments";
/// The number of dashboard pages that are requested in turn.
const REQUESTED_PAGES: usize = 40;
/// The maximum time for the first answer to a tenant.
const FIRST_ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// Compares two empty servers, one with authentication and one without.
pub async fn cost(report: &mut Report, pace: Pace) -> Result<()> {
    let folder = scratch::folder("access");
    let url = |name: &str| fleets::url(&folder.path().join(name));
    let (asking, open) =
        (Server::start_asking(&url("asking.db"), folder.path()).await?, Server::start(&url("open.db")).await?);
    let token = token(folder.path(), &[]).await?;
    let real = Workload { server: asking.address(), requests: vec![queries::nothing().bearing(&token)] };
    let least = Workload { server: open.address(), requests: vec![queries::nothing()] };
    for connections in [1, 16] {
        let [real, least] = beside(&real, &least, connections, pace).await?;
        let what = format!("{{ __typename }} with a token, {}", clients(connections));
        let row = Row::new(what, "", Quantity::PerSecond(real.per_second));
        let row = row.beside("asked nobody", Quantity::PerSecond(least.per_second));
        report.add(row.should(Target::RatioAtLeast(0.95)));
    }
    asking.stop().await?;
    open.stop().await
}

/// Compares a tenant's requests with those of a caller who sees everything, on a fleet.
pub async fn tenancy(report: &mut Report, fleet: &str, database: &str, devices: &Devices, pace: Pace) -> Result<()> {
    let folder = scratch::folder("tenancy");
    let server = Server::start_asking(database, folder.path()).await?;
    let (all, tenant) = (token(folder.path(), &[]).await?, token(folder.path(), &["--tenant", TENANT]).await?);
    let before = server.memory()?;
    let begun = Instant::now();
    within(FIRST_ANSWER_TIMEOUT, "the first answer to a tenant", async {
        let mut connection = Connection::open(server.address()).await?;
        connection.exchange(&queries::dashboard(None).bearing(&tenant)).await.map(drop)
    })
    .await?;
    let first = Quantity::Seconds(begun.elapsed().as_secs_f64());
    report.add(Row::new("the first answer to a tenant", fleet, first));
    let added = server.memory()?.saturating_sub(before);
    report.add(Row::new("memory for the snapshots of a tenant", fleet, Quantity::Bytes(added as f64)));
    let pages = devices.pages(REQUESTED_PAGES);
    let workload = |token: &str| Workload {
        server: server.address(),
        requests: pages.iter().map(|after| queries::dashboard(*after).bearing(token)).collect(),
    };
    let (part, whole) = (workload(&tenant), workload(&all));
    for connections in [1, 16] {
        let [part, whole] = beside(&part, &whole, connections, pace).await?;
        let what =
            format!("50 devices with site, rack, role, 10 ports and far ends, for a tenant, {}", clients(connections));
        let row = Row::new(what, fleet, Quantity::PerSecond(part.per_second));
        let row = row.beside("for a caller who sees everything", Quantity::PerSecond(whole.per_second));
        report.add(row.should(Target::RatioAtLeast(0.9)));
    }
    server.stop().await
}

/// Creates a token with the signing key in a data directory.
pub async fn token(data: &Path, more: &[&str]) -> Result<String> {
    let mut command = program::underlay();
    command.args(["token", "create", "--role", "viewer"]).args(more).arg("--data-dir").arg(data);
    command.env("UNDERLAY_RUN_DIR", data.join("none")).env("UNDERLAY_SERVER", "http://127.0.0.1:1");
    let made = tokio::process::Command::from(command).output().await.doing(|| "make a token".to_owned())?;
    match made.status.success() {
        true => Ok(String::from_utf8_lossy(&made.stdout).trim().to_owned()),
        false => Err(LoadError::Answer(format!("no token: {}", String::from_utf8_lossy(&made.stderr)))),
    }
}
