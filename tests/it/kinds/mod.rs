//! The rules of each kind, in a file or a folder that is named as in `crates/kinds/src`; those of all kinds are in `common`.
//! Batches are planned on a snapshot alone, in process, without a server or a database. Tables list the writes, and the
//! rejected ones with code, field and message.

mod common;

mod appliance;
mod cable;
mod circuit;
mod circuit_termination;
mod cluster;
mod credential;
mod device;
mod facts;
mod host;
mod host_class;
mod link;
mod location;
mod port;
mod power_feed;
mod profile;
mod provider;
mod rack;
mod region;
mod site;
mod source;
mod virtual_machine;
