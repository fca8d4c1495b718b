//! The rules of the kinds and of the write path on a snapshot alone: batches are planned in process, without a server
//! or a database. Tables list the writes, and the rejected ones with code, field and message.

mod assigned;
mod attributes;
mod batches;
mod cable_ends;
mod cables;
mod circuits;
mod common;
mod compute;
mod deletes;
mod devices;
mod hostile;
mod hosts;
mod identity;
pub mod in_use;
mod large;
mod lists;
mod managers;
mod placement;
mod places;
mod ports;
mod references;
mod sources;
mod vm_ports;
mod wiring;
pub mod world;

use world::{World, accept_all, refuse_all};
