//! What it costs to know who asks: the least that can be asked, with a token and of a server that asks nobody.

use std::path::Path;

use crate::fleets;
use crate::measure::{Asked, Pace, beside};
use crate::problem::{Doing, LoadError, Result};
use crate::process;
use crate::quantity::Quantity;
use crate::queries;
use crate::report::Report;
use crate::scratch;
use crate::server::Server;
use crate::table::{Row, Target};

/// Two servers beside each other, with nothing in them.
pub async fn cost(report: &mut Report, pace: Pace) -> Result<()> {
    let folder = scratch::folder("access");
    let url = |name: &str| fleets::url(&folder.path().join(name));
    let (asking, open) =
        (Server::start_asking(&url("asking.db"), folder.path()).await?, Server::start(&url("open.db")).await?);
    let token = token(folder.path()).await?;
    let real = Asked { server: asking.address(), requests: vec![queries::nothing().bearing(&token)] };
    let least = Asked { server: open.address(), requests: vec![queries::nothing()] };
    for connections in [1, 16] {
        let [real, least] = beside(&real, &least, connections, pace).await?;
        let clients = if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") };
        let row =
            Row::new(format!("{{ __typename }} with a token, {clients}"), "", Quantity::PerSecond(real.per_second));
        let row = row.beside("asked nobody", Quantity::PerSecond(least.per_second));
        report.add(row.should(Target::RatioAtLeast(0.95)));
    }
    asking.stop().await?;
    open.stop().await
}

/// A token of the key in a data directory.
async fn token(data: &Path) -> Result<String> {
    let mut command = process::underlay();
    command.args(["token", "create", "--role", "viewer", "--data-dir"]).arg(data);
    command.env("UNDERLAY_RUN_DIR", data.join("none")).env("UNDERLAY_SERVER", "http://127.0.0.1:1");
    let made = tokio::process::Command::from(command).output().await.doing(|| "make a token".to_owned())?;
    match made.status.success() {
        true => Ok(String::from_utf8_lossy(&made.stdout).trim().to_owned()),
        false => Err(LoadError::Answer(format!("no token: {}", String::from_utf8_lossy(&made.stderr)))),
    }
}
