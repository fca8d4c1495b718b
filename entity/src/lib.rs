//! The database rows of every kind, and of the engine's own tables: columns and enums. Their only behaviour is
//! [`row::Row`], which gives access to the row of any kind.
#![recursion_limit = "256"]

pub mod act;
pub mod appliance;
pub mod batch;
pub mod cable;
pub mod change;
pub mod circuit;
pub mod circuit_termination;
pub mod cluster;
pub mod common;
pub mod credential;
pub mod date;
pub mod device;
pub mod enlistment;
pub mod history;
pub mod host;
pub mod host_class;
pub mod lease;
pub mod lifecycle;
pub mod link;
pub mod location;
pub mod long;
pub mod machine;
pub mod manager;
pub mod object_reference;
pub mod observation;
pub mod observe_only;
pub mod place;
pub mod port;
pub mod power_feed;
pub mod profile;
pub mod provider;
pub mod provider_network;
pub mod rack;
pub mod region;
pub mod request;
pub mod revision;
pub mod row;
pub mod secret;
pub mod secret_read;
pub mod site;
pub mod source;
pub mod source_held;
pub mod source_item;
pub mod source_ledger;
pub mod source_run;
pub mod source_seen;
pub mod source_suspect;
pub mod source_turn;
pub mod targets;
#[cfg(test)]
mod tests;
pub mod text;
pub mod text_map;
pub mod virtual_machine;
