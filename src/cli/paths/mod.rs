//! `underlay paths`: the ways between two objects, and with `--diversity` what two of them share.

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
use super::target::Reach;

const EXAMPLES: &str = "\
Examples:
  underlay paths device/node-7 device/node-12
  underlay paths site/ams1 site/fra1 --weight latency --limit 3
  underlay paths device/node-7 provider/lumen --disjoint --avoid device/spine-1
  underlay paths device/border-1 device/border-9 --diversity";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub(super) struct Arguments {
    /// Where the paths begin: a device, port, virtual machine, cluster, site, circuit or provider as KIND/NAME, or an
    /// id, or DEVICE:PORT.
    #[arg(value_name = "FROM", value_parser = end, add = ArgValueCompleter::new(complete::objects))]
    from: ObjectName,
    /// Where they end.
    #[arg(value_name = "TO", value_parser = end, add = ArgValueCompleter::new(complete::objects))]
    to: ObjectName,
    /// As many as there are without a device or line in common.
    #[arg(long)]
    disjoint: bool,
    /// Two that have as little as possible in common, and everything that breaks both.
    #[arg(long, conflicts_with_all = ["disjoint", "limit"])]
    diversity: bool,
    /// At most so many: 1 to 100. Default: 1, with --disjoint all.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<u16>,
    /// What they are compared by.
    #[arg(long, value_enum, value_name = "WEIGHT", default_value_t = Weight::Hops)]
    weight: Weight,
    /// What they must not touch, with all that goes down with it. Can be given several times.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    avoid: Vec<ObjectName>,
    /// Of which network they are.
    #[arg(long, value_enum, value_name = "PLANE", default_value_t = Plane::Data)]
    plane: Plane,
    /// Also use what is not active.
    #[arg(long)]
    include_planned: bool,
    /// Also use links without cables, and circuits that end at a bare site.
    #[arg(long)]
    include_logical: bool,
    /// How they are printed.
    #[arg(short, long, value_enum, default_value_t = Output::Drawing)]
    output: Output,
}

/// What paths are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Weight {
    /// The hops from device to device.
    Hops,
    /// The length; those with parts of unknown length come last.
    Length,
    /// The latency of the circuits; those with circuits of unknown latency come last.
    Latency,
}

/// Of which network paths are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Plane {
    /// That of users.
    Data,
    /// That over which devices are managed.
    Management,
}

/// How paths are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Output {
    /// Drawn from device to device.
    Drawing,
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
    let variables = variables(client, arguments).await?;
    let answer = match arguments.diversity {
        true => ask::diversity(client, variables).await?,
        false => ask::paths(client, variables).await?,
    };
    let shown = match arguments.output {
        Output::Json => writeln!(io::stdout(), "{}", pretty(&answer, 0)),
        Output::Drawing => draw::print(&answer, &mut anstream::stdout().lock()),
    };
    Ok(printed(shown).exit())
}

/// The variables of the question.
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

/// A value as the API calls it.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_uppercase()).unwrap_or_default()
}
