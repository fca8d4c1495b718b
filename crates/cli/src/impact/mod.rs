//! `underlay impact`: shows which objects go down, become isolated or lose redundancy when objects fail, as counts and
//! a tree of reasons.
//!
//! A failure can affect millions of objects, so the command requests one page and shows its first lines. `--all`
//! requests everything.

mod ask;
mod draw;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::Value;
use underlay_client::Client;

use ask::Extent;

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, KindName, ObjectName, find};
use super::output::printed;
use super::server;
use super::show::pretty;
use super::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay impact device/leaf-3
  underlay impact device/leaf-3 device/leaf-4 --kind virtual-machines
  underlay impact rack/ams1/A14 --all
  underlay impact site/ams1
  underlay impact provider/lumen --anchor device/border-1 -o json";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// The objects that fail, all together: KIND/NAME with as many parents as are needed, such as rack/ams1/A14, or an
    /// id.
    #[arg(required = true, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    objects: Vec<ObjectName>,
    /// An anchor that devices must reach: a device or a provider network. Can be given several times. Default: the
    /// points where the network leaves the inventory, such as provider networks.
    #[arg(long = "anchor", value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    anchors: Vec<ObjectName>,
    /// Count and list only objects of this kind. Can be given several times.
    #[arg(short, long = "kind", value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// Count and list only objects anywhere below this one.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Show everything that is affected. Without this option the counts are complete, but the tree has only its first
    /// 50 lines. It then leaves out ports, cables and circuit ends that affect nothing else. JSON has only the first
    /// 1,000 objects.
    #[arg(long)]
    all: bool,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = ImpactOutput::Tree)]
    output: ImpactOutput,
}

/// The output format of an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ImpactOutput {
    /// A tree with each object below its cause.
    Tree,
    /// The answer as JSON, for programs.
    Json,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match show(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let of = ids(client, &arguments.objects).await?;
    let anchors = ids(client, &arguments.anchors).await?;
    let within = ids(client, arguments.within.as_slice()).await?;
    let extent = if arguments.all { Extent::All } else { Extent::FirstPage };
    let impact = ask::impact(client, &ask::variables(&of, &anchors, &within, &arguments.kinds), extent).await?;
    let mut out = anstream::stdout().lock();
    let shown = match arguments.output {
        ImpactOutput::Json => {
            note_what_is_left_out(&impact);
            writeln!(io::stdout(), "{}", pretty(&impact, 0))
        }
        ImpactOutput::Tree => draw::print(&impact, extent, &mut out),
    };
    Ok(printed(shown).exit())
}

/// Prints a note on standard error if the list is not complete.
fn note_what_is_left_out(impact: &Value) {
    let shown = impact["affected"].as_array().map_or(0, Vec::len);
    let total = impact["totalCount"].as_u64().unwrap_or_default();
    if shown as u64 != total {
        eprintln!("note: these are the first {shown} of {total} affected objects; --all lists everything");
    }
}

async fn ids(client: &Client, names: &[ObjectName]) -> Result<Vec<String>, FindError> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        found.push(find(client, name).await?.id);
    }
    Ok(found)
}
