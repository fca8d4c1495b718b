//! `underlay graph`: draws a part of the inventory as a graph, for Graphviz, yEd, Gephi or a program.

mod answer;
mod dot;
mod graphml;

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::{Client, MAX_OBJECTS_PER_PAGE};

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, ObjectName, find};
use super::output::printed;
use super::server;
use super::show::pretty;
use super::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay graph --within rack/ams1/A14 | dot -Tsvg > a14.svg
  underlay graph --within rack/ams1/A14 --layers power
  underlay graph --within site/ams1 --by rack --depth 1 -o graphml > ams1.graphml
  underlay graph --by site --layers physical,logical -o json";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// Draw only objects anywhere below this one, or the members of this cluster. Default: the whole inventory.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// The layers of edges, separated by commas.
    #[arg(long, value_enum, value_name = "LAYERS", value_delimiter = ',', default_value = "physical")]
    layers: Vec<Layer>,
    /// The objects that are the nodes.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = By::Device)]
    by: By,
    /// Also draw what is connected to these objects over so many hops: 0 to 10.
    #[arg(long, value_name = "HOPS", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=10))]
    depth: u8,
    /// The maximum number of nodes: 1 to 1000.
    #[arg(long, value_name = "NUMBER", default_value_t = MAX_OBJECTS_PER_PAGE, value_parser = limit)]
    limit: usize,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = GraphOutput::Dot)]
    output: GraphOutput,
}

/// The layers of edges that the API knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layer {
    /// Lines of cables, panels and circuits between data ports.
    Physical,
    /// The supply of power, from feeds and outlets to inlets.
    Power,
    /// Links.
    Logical,
    /// Devices in a chassis, racks in locations and sites, sites in regions.
    Containment,
}

/// The objects that are the nodes of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Every device.
    Device,
    /// Every rack, for everything in it.
    Rack,
    /// Every site, for everything at it.
    Site,
}

/// The output format of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GraphOutput {
    /// The language of Graphviz.
    Dot,
    /// GraphML, for yEd, Gephi and others.
    Graphml,
    /// JSON, as the API returns it.
    Json,
}

fn limit(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| (1..=MAX_OBJECTS_PER_PAGE).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 1 to {MAX_OBJECTS_PER_PAGE}"))
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match show(&client, &arguments).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

async fn show(client: &Client, arguments: &Arguments) -> Result<Exit, FindError> {
    let within = match &arguments.within {
        Some(name) => Some(find(client, name).await?.id),
        None => None,
    };
    let variables = json!({
        "within": within,
        "depth": arguments.depth,
        "layers": arguments.layers.iter().map(|layer| word(*layer)).collect::<Vec<_>>(),
        "by": word(arguments.by),
        "first": arguments.limit,
    });
    let answer = answer::ask(client, variables).await?;
    let text = match arguments.output {
        GraphOutput::Json => pretty(&answer, 0) + "\n",
        GraphOutput::Dot => dot::write(&answer::read(client, &answer)?),
        GraphOutput::Graphml => graphml::write(&answer::read(client, &answer)?),
    };
    note_what_is_missing(&answer);
    Ok(printed(io::stdout().lock().write_all(text.as_bytes())).exit())
}

/// Prints a note on standard error if the graph is empty or not complete.
fn note_what_is_missing(answer: &Value) {
    let nodes = answer["nodes"].as_array().map_or(0, Vec::len);
    if answer["complete"] == false {
        eprintln!("note: these are the first {nodes} nodes; choose less with --within, or larger nodes with --by");
    } else if nodes == 0 {
        eprintln!("note: there is nothing to draw");
    }
}

/// Returns a value in the API's spelling.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_uppercase()).unwrap_or_default()
}
