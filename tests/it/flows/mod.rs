//! What people and programs do with a server, from the outside; and what happens when things go wrong: crashes,
//! several processes, a database that goes away.

mod apply;
mod apply_csv;
mod apply_milo;
mod apply_refused;
mod away;
mod bad_input;
mod completion;
mod config;
mod contexts;
mod crash;
mod demo;
mod describe;
mod diff;
mod examples;
mod export;
mod find;
mod get;
mod get_manifests;
mod held;
mod impact;
mod items;
mod lists;
mod metrics;
mod net;
mod one_revision;
mod pinned;
mod protocol;
mod query;
mod replicas;
mod requests;
mod retention;
mod search;
mod sequencer;
mod serve;
mod trace;
