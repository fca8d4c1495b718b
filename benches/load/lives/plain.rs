//! The reference of lives: as many batches with as many changes of hosts, written by one client, one after the other.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{Connection, Prepared};
use crate::problem::{LoadError, Result, within};
use crate::queries;

/// The time limit of all batches.
const BATCHES_TIMEOUT: Duration = Duration::from_secs(1_800);

/// Writes `changes` titles of hosts in `batches` batches. Returns the time in seconds.
pub async fn write(server: SocketAddr, hosts: &[String], batches: i64, changes: i64) -> Result<f64> {
    let [batches, changes] = [batches, changes].map(|count| usize::try_from(count).unwrap_or_default());
    let before = queries::revision(server).await?;
    let mut connection = Connection::open(server).await?;
    let took = within(BATCHES_TIMEOUT, "the plain writes", async {
        let (mut took, mut written) = (Duration::ZERO, 0);
        for batch in 1..=batches {
            let until = changes * batch / batches;
            let items = (written..until).map(|at| {
                let name = &hosts[at % hosts.len()];
                json!({"host": {"name": name, "title": format!("plain {at}")}})
            });
            let request = Prepared::lines(items);
            let begin = Instant::now();
            connection.exchange(&request).await?;
            took += begin.elapsed();
            written = until;
        }
        Ok(took.as_secs_f64())
    });
    let took = took.await?;
    let made = queries::revision(server).await? - before;
    match usize::try_from(made) == Ok(batches) {
        true => Ok(took),
        false => Err(LoadError::Answer(format!("{batches} plain batches made {made} revisions"))),
    }
}
