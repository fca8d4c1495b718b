//! Reads the hardware of the machine on which it runs, and shows it or reports it to a server.
//!
//! Guarantees: it only reads. Files are read afresh for each report, within a bound on the size and on the time; programs
//! that others installed are run at most once an hour, within a bound on the time and on what they write. A part that
//! cannot be read makes its section incomplete and is named there; it never fails the report. A recorded tree gives the
//! report that the machine gave on which it was recorded, and runs nothing.

mod bounded;
mod connection;
mod enrol;
mod error;
mod lldp;
mod permanent_mac;
mod program;
mod programs;
mod reader;
mod record;
mod redact;
mod report;
mod rhythm;
mod root;
mod run;
mod sections;
mod send;
mod server;
mod token;
mod value;

pub use self::enrol::Enroller;
pub use self::error::AgentError;
pub use self::lldp::LISTEN;
pub use self::program::{enrol_once, report_for_ever, report_once};
pub use self::programs::{Limits, Programs};
pub use self::record::{Serials, record};
pub use self::report::{PATIENCE, report};
pub use self::rhythm::{Last, Rhythm};
pub use self::root::Root;
pub use self::run::{Reports, run};
pub use self::send::Sender;
pub use self::server::ServerAddress;
pub use self::token::{Token, TokenFile, TokenSource};
