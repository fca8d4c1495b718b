//! The rules of the kinds and of the write path, on the value alone: batches are planned in process, without a server
//! or a database. Tables say what is written, and what is refused with which code, field and words.

mod attributes;
mod batches;
mod cable_joints;
mod cables;
mod circuits;
mod common;
mod compute;
mod deletes;
mod devices;
mod hostile;
mod identity;
mod large;
mod lists;
mod managers;
mod placement;
mod places;
mod ports;
mod references;
mod vm_ports;
mod wiring;
pub mod world;

use world::{World, accept_all, refuse_all};
