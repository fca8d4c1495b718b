//! `underlay paths`: finds paths between two objects, and with `--diversity` what two paths share.

mod ask;
mod draw;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::Client;

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, ObjectName, end, find};
use super::output::printed;
use super::server;
use super::show::pretty;
use super::target::ServerAccess;

pub(super) use draw::{bandwidth, latency};

const EXAMPLES: &str = "\
Examples:
  underlay paths device/node-7 device/node-12
  underlay paths site/ams1 site/fra1 --weight latency --limit 3
  underlay paths device/node-7 provider/lumen --disjoint --avoid device/spine-1
  underlay paths device/border-1 device/border-9 --diversity";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// The start of the paths: a device, port, virtual machine, cluster, site, circuit or provider as KIND/NAME, or an
    /// id, or DEVICE:PORT.
    #[arg(value_name = "FROM", value_parser = end, add = ArgValueCompleter::new(complete::objects))]
    from: ObjectName,
    /// The end of the paths, in the same forms.
    #[arg(value_name = "TO", value_parser = end, add = ArgValueCompleter::new(complete::objects))]
    to: ObjectName,
    /// Find as many paths as possible that share no device or line.
    #[arg(long)]
    disjoint: bool,
    /// Find two paths that share as little as possible, and everything that breaks both.
    #[arg(long, conflicts_with_all = ["disjoint", "limit"])]
    diversity: bool,
    /// The maximum number of paths: 1 to 100. Default: 1, with --disjoint all.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u16>,
    /// The weight by which paths are compared.
    #[arg(long, value_enum, value_name = "WEIGHT", default_value_t = Weight::Hops)]
    weight: Weight,
    /// An object that paths must avoid, with everything that goes down with it. Can be given several times.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    avoid: Vec<ObjectName>,
    /// The network in which paths are searched.
    #[arg(long, value_enum, value_name = "PLANE", default_value_t = Plane::Data)]
    plane: Plane,
    /// Also use objects that are not active.
    #[arg(long)]
    include_planned: bool,
    /// Also use links without cables, and circuits that end at a bare site.
    #[arg(long)]
    include_logical: bool,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = PathsOutput::Drawing)]
    output: PathsOutput,
}

/// The weight by which paths are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Weight {
    /// The number of hops from device to device.
    Hops,
    /// The length. Paths with parts of unknown length come last.
    Length,
    /// The latency of circuits, and of cables by their length. Paths with circuits of unknown latency come last.
    Latency,
}

/// The network in which paths are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Plane {
    /// The network that carries the traffic of users.
    Data,
    /// The network that devices are managed over.
    Management,
}

/// The output format of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PathsOutput {
    /// A drawing from device to device.
    Drawing,
    /// The paths as JSON, for programs.
    Json,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match show(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let variables = variables(client, arguments).await?;
    let answer = match arguments.diversity {
        true => ask::diversity(client, variables).await?,
        false => ask::paths(client, variables).await?,
    };
    let shown = match arguments.output {
        PathsOutput::Json => writeln!(io::stdout(), "{}", pretty(&answer, 0)),
        PathsOutput::Drawing => draw::print(&answer, &mut anstream::stdout().lock()),
    };
    Ok(printed(shown).exit())
}

/// Finds the named objects and returns the variables of the query.
async fn variables(client: &Client, arguments: &Arguments) -> Result<Value, FindError> {
    let (from, to) = (find(client, &arguments.from).await?.id, find(client, &arguments.to).await?.id);
    let mut avoid = Vec::with_capacity(arguments.avoid.len());
    for name in &arguments.avoid {
        avoid.push(find(client, name).await?.id);
    }
    let mut variables = json!({
        "from": from,
        "to": to,
        "avoid": avoid,
        "weight": word(arguments.weight),
        "plane": word(arguments.plane),
        "planned": arguments.include_planned,
        "logical": arguments.include_logical,
    });
    if !arguments.diversity {
        variables["mode"] = if arguments.disjoint { "DISJOINT" } else { "SHORTEST" }.into();
        variables["limit"] = arguments.limit.into();
    }
    Ok(variables)
}

/// Returns a value in the API's spelling.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_uppercase()).unwrap_or_default()
}
