//! A boot server between a made-up server, made-up origins and simulated machines, over real sockets.

mod boots;
mod connections;
mod faults;
mod files;
mod firmware;
mod forms;
mod origin;
mod reports;
mod server;
mod site;
mod texts;
