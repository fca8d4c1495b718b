//! Host controllers on a running server: what they report, and whole lives of simulated hosts.

mod boots;
mod calls;
mod credentials;
mod direct;
mod enlisted;
mod hardware;
mod identity;
mod ironic;
mod killed;
mod libvirt;
mod lives;
mod looks;
mod process;
mod redfish;
mod reports;
mod restores;
mod rollbacks;
mod sharing;
mod sites;
mod strays;

pub use enlisted::enlist_listed;

use serde_json::{Value, json};
use underlay_engine::write::{Batch, Origin};

use crate::harness::inside::{Inside, batch, items};
use crate::harness::{Client, Server};

/// Writes fields that only the server sets, as the mutations of the life do, while the server is stopped.
async fn write_as_server(server: &mut Server, all: Vec<Value>) {
    server.stop().await;
    write_while_stopped(server, all).await;
    server.restart().await;
}

/// Writes the same to the database of a server that is stopped already.
async fn write_while_stopped(server: &Server, all: Vec<Value>) {
    let inside = Inside::open(&server.database_url()).await;
    let batch = Batch { origin: Origin::Server, ..batch(items(all)) };
    let answer = inside.writer.write(batch).await.expect("written");
    assert!(answer.outcomes.iter().all(|outcome| outcome.error.is_none()), "{:?}", answer.outcomes);
    inside.store.close().await.expect("closed");
}

/// Reads fields of a host.
async fn host(client: &Client, name: &str, fields: &str) -> Value {
    let query = format!("query($name: String!) {{ host(name: $name) {{ {fields} }} }}");
    client.ok(&query, json!({ "name": name })).await["host"].take()
}
