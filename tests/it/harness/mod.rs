//! The base of every integration test: a running server on its own database, a client for it, and the command line.
//! Tests that need no server write to an inventory in process (`world`).
//!
//! ```ignore
//! on_both_databases! {
//!     async fn a_rack_can_be_made(server: Server) {
//!         let client = server.client();
//!         let made = client.apply_all(vec![json!({"site": {"name": "ams1"}})]).await;
//!         assert_eq!(made["results"][0]["status"], "CREATED");
//!     }
//! }
//! ```
//!
//! Nothing is left behind: `underlay_testing` ends the processes and removes the folders of a test. A test waits for
//! conditions with `until`, never for time.

mod cli;
mod client;
mod databases;
pub mod faults;
pub mod inside;
pub mod ironic;
pub mod libvirtd;
pub mod metrics;
pub mod node;
mod program;
mod proxy;
pub mod python;
mod same;
mod server;
mod socket;
mod sql;
pub mod sushy;
mod terminal;
mod within;
pub mod world;

pub use cli::{Cli, Outcome};
pub use client::{APPLY, Answer, Client, lines};
pub(crate) use databases::on_both_databases;
pub use program::underlay;
pub use proxy::Proxy;
pub use same::{assert_same, assert_same_objects};
pub use server::{Database, Server, StartServer};
pub use socket::{Received, Socket};
pub use sql::Sql;
pub use terminal::Terminal;
pub use underlay_testing::{HANG, Process, exit_code, free_port, postgres, scratch, until};
pub use within::Within;
