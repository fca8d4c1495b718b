//! `underlay get`: lists objects of a kind, as a table, as manifests, or as comma-separated values.
//!
//! A list of any length is read page by page and printed as it is received.

mod filter;
mod lines;
mod manifests;
mod print;

use std::num::NonZeroUsize;

use clap::{Args, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::{Client, MAX_OBJECTS_PER_PAGE};

use super::complete;
use super::exit::{EXIT_CODES, Exit};
use super::object::{FindError, KindName, ObjectName, find};
use super::server;
use super::target::ServerAccess;
use filter::FilterArgument;
use print::Printer;
use underlay_inventory::Description;

const USAGE: &str = "underlay get [OPTIONS] KIND [NAME…]\n       underlay get [OPTIONS] KIND/NAME…";

const EXAMPLES: &str = "\
Examples:
  underlay get racks
  underlay get rack ams1/A14 -o yaml
  underlay get devices --within rack/ams1/A14 -o wide
  underlay get devices --label 'env in (prod,stage),!legacy' --filter '{status: {eq: FAILED}}'
  underlay get ports --within device/leaf-3 -o name
  underlay get devices -o csv > devices.csv

In a table references are short: A14, leaf-3/Ethernet1. The first 1,000 rows set the widths of the columns.";

#[derive(Debug, Args)]
#[command(override_usage = USAGE, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Arguments {
    /// A kind (racks), optionally followed by names of its objects, or objects as KIND/NAME.
    #[arg(required = true, value_name = "KIND", add = ArgValueCompleter::new(complete::kinds_and_objects))]
    what: Vec<String>,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = ObjectOutput::Table)]
    output: ObjectOutput,
    /// Only objects whose labels match a selector, such as env=prod,!legacy.
    #[arg(short, long, value_name = "SELECTOR")]
    label: Option<String>,
    /// Only objects anywhere below this one: a region, site, location, rack or device.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// Only objects that match a filter of the API, as GraphQL or JSON: {status: {eq: FAILED}}.
    #[arg(long, value_name = "FILTER")]
    filter: Option<FilterArgument>,
    /// The maximum number of objects. Default: all.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<NonZeroUsize>,
}

/// The output format of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ObjectOutput {
    /// A table with a line for each object.
    Table,
    /// A table with more columns.
    Wide,
    /// JSON manifests that apply -f reads.
    Json,
    /// YAML manifests that apply -f reads.
    Yaml,
    /// A table of comma-separated values that apply -f reads, with all that can be written of the objects.
    Csv,
    /// Only the paths, such as rack/ams1/A14.
    Name,
}

/// The requested objects.
enum Wanted {
    /// All objects of a kind that match the filter.
    Kind(&'static Description),
    /// The named objects.
    Objects(Vec<ObjectName>),
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let wanted = match wanted(&arguments) {
        Ok(wanted) => wanted,
        Err(reason) => {
            eprintln!("error: {reason}");
            return Exit::Usage;
        }
    };
    server::talk(server, async |client| match get(&client, &arguments, wanted).await {
        Ok(exit) => exit,
        Err(error) => error.explain(),
    })
}

/// Parses the words: a kind, a kind with names, or objects with their kinds.
fn wanted(arguments: &Arguments) -> Result<Wanted, String> {
    let (first, names) = arguments.what.split_first().ok_or("the kind of the objects is missing")?;
    let objects = if first.contains('/') {
        arguments.what.iter().map(|text| object(text)).collect::<Result<Vec<_>, _>>()?
    } else {
        let KindName(kind) = first.parse().map_err(|error: super::object::UnknownKind| error.to_string())?;
        if names.is_empty() {
            return manifests::check(kind, arguments.output).map(|()| Wanted::Kind(kind));
        }
        let name = |text: &String| ObjectName::of_kind(kind, text).map_err(|error| format!("{text:?}: {error}"));
        names.iter().map(name).collect::<Result<Vec<_>, _>>()?
    };
    let selecting = arguments.label.is_some() || arguments.within.is_some() || arguments.filter.is_some();
    if selecting || arguments.limit.is_some() {
        return Err("--label, --within, --filter and --limit cannot be used with named objects".into());
    }
    Ok(Wanted::Objects(objects))
}

fn object(text: &str) -> Result<ObjectName, String> {
    text.parse().map_err(|error| format!("{text:?}: {error}"))
}

async fn get(client: &Client, arguments: &Arguments, wanted: Wanted) -> Result<Exit, FindError> {
    let mut printer = Printer::new(client, arguments.output);
    match wanted {
        Wanted::Kind(kind) => {
            let filter = asked(client, arguments).await?;
            printer.list(kind, filter, arguments.limit).await
        }
        Wanted::Objects(names) => {
            let mut groups: Vec<(&'static Description, Vec<String>)> = Vec::new();
            for name in &names {
                let object = find(client, name).await?;
                match groups
                    .iter_mut()
                    .find(|(kind, ids)| kind.id == object.kind.id && ids.len() < MAX_OBJECTS_PER_PAGE)
                {
                    Some((_, ids)) => ids.push(object.id),
                    None => groups.push((object.kind, vec![object.id])),
                }
            }
            printer.objects(&groups).await
        }
    }
}

/// Returns the filter that the arguments form together.
async fn asked(client: &Client, arguments: &Arguments) -> Result<Value, FindError> {
    let mut all: Vec<Value> = Vec::new();
    all.extend(arguments.filter.as_ref().map(|filter| filter.0.clone()));
    all.extend(arguments.label.as_ref().map(|label| json!({ "labels": label })));
    if let Some(name) = &arguments.within {
        all.push(json!({ "within": find(client, name).await?.id }));
    }
    Ok(match all.len() {
        0 | 1 => all.pop().unwrap_or_default(),
        _ => json!({ "and": all }),
    })
}
