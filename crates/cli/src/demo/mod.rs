//! `underlay demo`: creates a made-up fleet and writes it to a running server, or as items for other tools.
//!
//! The command writes with `apply`, like any other client, one batch after the other, so a fleet can have any size. The
//! fleet is made for an empty inventory. It is written to another one only with `--force`.

mod dump;
mod progress;
mod write;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::batch::MAX_BATCH_ITEMS;
use super::exit::Exit;
use super::server;
use super::target::ServerAccess;
use underlay_demo::{MAX_RACKS, Options, Size};

#[derive(Debug, Args)]
pub struct Arguments {
    /// Write the fleet even if the inventory is not empty.
    #[arg(long, conflicts_with = "dump")]
    force: bool,
    /// Create a fleet with this number of compute racks instead of the demo: 1 to 30000. 200 racks have about 4,000
    /// devices, 100,000 ports and 40,000 cables; about 1,900 racks have 1,000,000 ports.
    #[arg(long, value_parser = racks, value_name = "NUMBER")]
    racks: Option<usize>,
    /// The seed of the random numbers. The same seed always gives the same fleet.
    #[arg(long, default_value_t = Options::default().seed, value_name = "NUMBER")]
    seed: u64,
    /// Write the items to a file, or to standard output (-), without a server. Each line is one item of the API's
    /// `apply` as JSON, after the items that it refers to.
    #[arg(long, value_name = "FILE.jsonl|-")]
    dump: Option<PathBuf>,
    /// The number of items that are written together.
    #[arg(long, hide = true, default_value_t = MAX_BATCH_ITEMS, value_parser = batch, value_name = "NUMBER")]
    batch: usize,
}

impl Arguments {
    fn options(&self) -> Options {
        let size = self.racks.map_or(Size::Demo, |racks| Size::Fleet { racks });
        Options { size, seed: self.seed }
    }
}

fn racks(text: &str) -> Result<usize, String> {
    whole_number(text, MAX_RACKS)
}

fn batch(text: &str) -> Result<usize, String> {
    whole_number(text, MAX_BATCH_ITEMS)
}

fn whole_number(text: &str, most: usize) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 1 to {most}"))
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let options = arguments.options();
    if let Some(to) = &arguments.dump {
        return dump::run(&options, to);
    }
    server::talk(server, async |client| match write::run(&client, &options, &arguments).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

/// Returns the kind of an item.
fn kind(item: &Value) -> Option<&str> {
    item.as_object()?.keys().next().map(String::as_str)
}

fn print(text: &str) {
    // The reader may be gone; the objects are written nevertheless.
    let _ = std::io::stdout().write_all(text.as_bytes());
}
