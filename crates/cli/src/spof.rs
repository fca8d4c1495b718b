//! `underlay spof`: lists single points of failure.

use std::io::Write;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, MAX_OBJECTS_PER_PAGE};

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, ObjectName, find};
use super::output::printed;
use super::server;
use super::show::{Cell, Table, pretty};
use super::target::ServerAccess;
use underlay_kit::line;

const EXAMPLES: &str = "\
Examples:
  underlay spof --within site/ams1
  underlay spof --within rack/ams1/A14 --rule power
  underlay spof --limit 10 -o json";

const QUERY: &str = "query($within: ID, $rule: ImpactRule, $first: Int) { \
    singlePointsOfFailure(within: $within, rule: $rule, first: $first) { node { id } kind path count } }";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// List only objects anywhere below this one, and the cables and circuits that end there. Default: all objects.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Count only the objects that are lost by this rule. Default: any rule.
    #[arg(long, value_enum, value_name = "RULE")]
    rule: Option<Rule>,
    /// The maximum number of objects, those that take most away first: 1 to 1000.
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = limit)]
    limit: usize,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = SpofOutput::Table)]
    output: SpofOutput,
}

/// The rules of the API by which a failure propagates.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rule {
    /// The object that contains the lost object is down.
    Containment,
    /// An object on the line is down.
    Line,
    /// The object has too little power.
    Power,
    /// The object reaches no anchor over the network.
    Network,
    /// A LAG has no members left.
    Group,
    /// The object that the lost object runs on is gone.
    Hosting,
    /// A link has lost an end, or all of its cables.
    Link,
}

/// The output format of single points of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SpofOutput {
    /// A table for people, with the largest effect first.
    Table,
    /// The list as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpofData {
    single_points_of_failure: Vec<Value>,
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
    let rule = arguments.rule.as_ref().and_then(ValueEnum::to_possible_value);
    let rule = rule.map(|rule| rule.get_name().to_uppercase());
    let variables = json!({ "within": within, "rule": rule, "first": arguments.limit });
    let SpofData { single_points_of_failure: found } = client.query(QUERY, variables).await?;
    let mut out = anstream::stdout();
    if arguments.output == SpofOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&Value::Array(found), 0))).exit());
    }
    if found.is_empty() {
        eprintln!("there is no single point of failure");
        return Ok(Exit::Done);
    }
    let row = |point: &Value| {
        let path = line(point["path"].as_str().unwrap_or_default());
        [path, point["count"].to_string()].map(Cell::plain).to_vec()
    };
    let rows: Vec<Vec<Cell>> = found.iter().map(row).collect();
    let mut table = Table::new(["OBJECT", "TAKES AWAY"].map(str::to_owned).to_vec());
    let shown = printed(table.print(&rows, &mut out));
    if found.len() == arguments.limit {
        eprintln!("there may be more; --limit can be up to {MAX_OBJECTS_PER_PAGE}");
    }
    Ok(shown.exit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_is_valid() {
        underlay_testing::graphql::assert_valid(QUERY);
    }
}
