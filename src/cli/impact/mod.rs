//! `underlay impact`: what goes down, is cut off or loses a redundancy when objects fail, as a tree of reasons.

mod ask;
mod draw;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use underlay_adapters::Client;

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, KindName, ObjectName, find};
use super::output::printed;
use super::server;
use super::show::pretty;
use super::target::Reach;

const EXAMPLES: &str = "\
Examples:
  underlay impact device/leaf-3
  underlay impact device/leaf-3 device/leaf-4 --kind virtual-machines
  underlay impact rack/ams1/A14 --all
  underlay impact provider/lumen --anchor device/border-1 -o json";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(super) struct Arguments {
    /// What fails, all together: KIND/NAME with as many parents as are needed, such as rack/ams1/A14, or an id.
    #[arg(required = true, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    objects: Vec<ObjectName>,
    /// What devices have to reach: a device or a provider network. Can be given several times. Default: the ways out.
    #[arg(long = "anchor", value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    anchors: Vec<ObjectName>,
    /// Count and list only objects of this kind. Can be given several times.
    #[arg(short, long = "kind", value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// Count and list only objects anywhere beneath this one.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Show ports, cables and the ends of circuits too where nothing else follows from them.
    #[arg(long)]
    all: bool,
    /// How it is printed.
    #[arg(short, long, value_enum, default_value_t = Output::Tree)]
    output: Output,
}

/// How an impact is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// As a tree: what follows from what.
    Tree,
    /// As JSON.
    Json,
}

pub(super) fn run(arguments: Arguments, server: Reach) -> Exit {
    server::talk(server, async |client| match show(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let of = ids(client, &arguments.objects).await?;
    let anchors = ids(client, &arguments.anchors).await?;
    let within = ids(client, arguments.within.as_slice()).await?;
    let impact = ask::impact(client, &ask::variables(&of, &anchors, &within, &arguments.kinds)).await?;
    let mut out = anstream::stdout().lock();
    let shown = match arguments.output {
        Output::Json => writeln!(io::stdout(), "{}", pretty(&impact, 0)),
        Output::Tree => draw::print(&impact, arguments.all, &mut out),
    };
    Ok(printed(shown).exit())
}

async fn ids(client: &Client, names: &[ObjectName]) -> Result<Vec<String>, FindError> {
    let mut found = Vec::with_capacity(names.len());
    for name in names {
        found.push(find(client, name).await?.id);
    }
    Ok(found)
}
