//! `underlay find`: finds objects by a part of a name, serial number, address or similar field.

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError, MAX_OBJECTS_PER_PAGE};

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{KindName, kinds};
use super::output::printed;
use super::server;
use super::show::{Cell, Table};
use super::target::ServerAccess;
use underlay_kit::line;

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// A part of a name, cable label, serial number, asset tag, MAC address, address or circuit id, in upper or lower
    /// case. Exact matches come first.
    #[arg(value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    text: String,
    /// Find only objects of this kind. Can be given several times.
    #[arg(short, long = "kind", value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_only))]
    kinds: Vec<KindName>,
    /// The maximum number of objects: 1 to 1000.
    #[arg(long, value_name = "NUMBER", default_value_t = 50, value_parser = limit)]
    limit: usize,
}

fn limit(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().filter(|number| (1..=MAX_OBJECTS_PER_PAGE).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 1 to {MAX_OBJECTS_PER_PAGE}"))
}

#[derive(Deserialize)]
struct SearchData {
    search: Vec<Hit>,
}

/// An object that was found, and the field that matched.
#[derive(Deserialize)]
struct Hit {
    kind: String,
    path: String,
    field: String,
    text: String,
    node: Value,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match search(&client, &arguments).await {
        Ok(hits) => print(&arguments, &hits),
        Err(error) => server::explain(&error),
    })
}

async fn search(client: &Client, arguments: &Arguments) -> Result<Vec<Hit>, ClientError> {
    let kinds: Vec<&str> = arguments.kinds.iter().map(|kind| kind.0.name).collect();
    let kinds = if kinds.is_empty() { Value::Null } else { json!(kinds) };
    let variables = json!({ "text": arguments.text, "kinds": kinds, "first": arguments.limit });
    let answer: SearchData = client.query(&query(), variables).await?;
    Ok(answer.search)
}

/// Returns the query. It includes the family of each kind that has one, because the family is needed to identify an
/// object.
fn query() -> String {
    let families = kinds().kinds().filter_map(|kind| Some((kind.name, kind.key.family?.member)));
    let families = families.map(|(kind, family)| format!("... on {kind} {{ name {family} }}"));
    format!(
        "query($text: String!, $kinds: [String!], $first: Int) {{ search(text: $text, kinds: $kinds, first: $first) {{ \
           kind path field text node {{ id {} }} }} }}",
        families.collect::<Vec<_>>().join(" ")
    )
}

fn print(arguments: &Arguments, hits: &[Hit]) -> Exit {
    if hits.is_empty() {
        eprintln!("no object matches {}", underlay_kit::shown(&arguments.text));
        return Exit::Done;
    }
    let rows: Vec<Vec<Cell>> =
        hits.iter().map(|hit| [object(hit), line(&hit.field), line(&hit.text)].map(Cell::plain).to_vec()).collect();
    let mut table = Table::new(["OBJECT", "FIELD", "TEXT"].map(str::to_owned).to_vec());
    let shown = printed(table.print(&rows, &mut anstream::stdout()));
    if hits.len() == arguments.limit {
        eprintln!("there may be more; --limit can be up to {MAX_OBJECTS_PER_PAGE}");
    }
    shown.exit()
}

/// Returns the path of an object in a form that can be typed. The server leaves families out.
fn object(hit: &Hit) -> String {
    let family = kinds().named(&hit.kind).and_then(|kind| kind.key.family);
    let named = family.and_then(|family| {
        let (name, of) = (hit.node["name"].as_str()?, hit.node[family.member].as_str()?);
        let above = hit.path.strip_suffix(name).filter(|_| family.names.first() != Some(&of))?;
        Some(format!("{above}{of}/{name}"))
    });
    line(named.as_deref().unwrap_or(&hit.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_hits_can_be_typed() {
        for (kind, path, node, expected) in [
            ("Rack", "rack/ams1/A14", json!({"id": "1"}), "rack/ams1/A14"),
            ("Port", "port/s/d/e1/1", json!({"name": "e1/1", "family": "DATA"}), "port/s/d/e1/1"),
            ("Port", "port/s/d/1", json!({"name": "1", "family": "REAR"}), "port/s/d/REAR/1"),
        ] {
            let hit = Hit { kind: kind.into(), path: path.into(), field: "name".into(), text: String::new(), node };
            assert_eq!(object(&hit), expected);
        }
    }
}
