//! `underlay hardware list`: the models of the parts of all hosts.

use std::io::Write as _;

use clap::Args;
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError};
use underlay_kit::printable;

use super::word;
use crate::exit::Exit;
use crate::output::printed;
use crate::server;
use crate::show::{Cell, Table, pretty};
use crate::target::ServerAccess;

const MODELS: &str = "query($filter: HardwareModelFilter, $first: Int!, $hosts: Int!) { hardware(filter: $filter, first: $first) { totalCount \
     nodes { kind manufacturer model sizeBytes firmwareVersion count hostCount hosts(first: $hosts) { count host { name } } } } }";
/// The greatest number of models that are listed without their hosts.
const MOST_MODELS: i32 = 1_000;
/// The greatest number of models that are listed with their hosts, and of hosts of each: a server bounds the objects of an answer.
const MOST_WITH_HOSTS: (i32, i32) = (40, 1_000);

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Only of this kind of part, such as DISK.
    #[arg(long, value_name = "KIND", value_parser = word)]
    kind: Option<String>,
    /// Only models with this text in their name, whatever its case.
    #[arg(long, value_name = "TEXT")]
    model: Option<String>,
    /// Only this version of the firmware, exactly.
    #[arg(long, value_name = "VERSION")]
    firmware: Option<String>,
    /// Show a line for each host, for the 40 models with the most parts, and at most 1000 of each.
    #[arg(long)]
    hosts: bool,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = ModelsOutput::Table)]
    output: ModelsOutput,
}

/// The output format of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ModelsOutput {
    /// A table for people.
    Table,
    /// The models as JSON, for programs.
    Json,
}

#[derive(Deserialize)]
struct Models {
    hardware: Option<ModelList>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ModelList {
    nodes: Vec<Value>,
    total_count: usize,
}

pub(super) fn run(arguments: &Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| match list(&client, arguments).await {
        Ok(exit) => exit,
        Err(error) => server::explain(&error),
    })
}

async fn list(client: &Client, arguments: &Arguments) -> Result<Exit, ClientError> {
    let (first, hosts) = if arguments.hosts { MOST_WITH_HOSTS } else { (MOST_MODELS, 0) };
    let variables = json!({ "filter": filter(arguments), "first": first, "hosts": hosts });
    let Models { hardware } = client.query(MODELS, variables).await?;
    let ModelList { nodes: models, total_count } = hardware.unwrap_or_default();
    for cut in cuts(&models, total_count, arguments.hosts) {
        eprintln!("note: {}", printable(&cut));
    }
    let mut out = anstream::stdout();
    if arguments.output == ModelsOutput::Json {
        return Ok(printed(writeln!(out, "{}", pretty(&Value::Array(models), 0))).exit());
    }
    if models.is_empty() {
        eprintln!("no agent has reported such hardware");
        return Ok(Exit::Done);
    }

    let last = if arguments.hosts { "HOST" } else { "HOSTS" };
    let headings = ["KIND", "MANUFACTURER", "MODEL", "BYTES", "FIRMWARE", "COUNT", last];
    let rows: Vec<Vec<Cell>> = models.iter().flat_map(|model| rows(model, arguments.hosts)).collect();
    Ok(printed(Table::new(headings.map(str::to_owned).to_vec()).print(&rows, &mut out)).exit())
}

/// Returns what is said of models and hosts that are not listed.
fn cuts(models: &[Value], total_count: usize, by_host: bool) -> Vec<String> {
    let of_models = (total_count > models.len()).then(|| {
        let listed = models.len();
        format!("{listed} of {total_count} models are listed: narrow the list with --kind, --model or --firmware")
    });
    let of_hosts = models.iter().filter(|_| by_host).filter_map(|model| {
        let (listed, count) = (model["hosts"].as_array().map_or(0, Vec::len), model["hostCount"].as_u64()?);
        let name = text(&model["model"]);
        (count > listed as u64).then(|| format!("{listed} of {count} hosts with {name} are listed"))
    });
    of_models.into_iter().chain(of_hosts).collect()
}

fn filter(arguments: &Arguments) -> Value {
    let Arguments { kind, model, firmware, .. } = arguments;
    let mut filter = json!({});
    if let Some(kind) = kind {
        filter["kind"] = json!(kind);
    }
    if let Some(model) = model {
        filter["model"] = json!({ "contains": model, "caseInsensitive": true });
    }
    if let Some(firmware) = firmware {
        filter["firmwareVersion"] = json!({ "eq": firmware });
    }
    filter
}

/// Returns the line of a model, or a line for each of its hosts.
fn rows(model: &Value, by_host: bool) -> Vec<Vec<Cell>> {
    let row = |count: &Value, last: &Value| {
        let texts =
            ["kind", "manufacturer", "model", "sizeBytes", "firmwareVersion"].map(|member| text(&model[member]));
        texts.into_iter().chain([text(count), text(last)]).map(Cell::plain).collect()
    };
    match model["hosts"].as_array().filter(|_| by_host) {
        Some(hosts) => hosts.iter().map(|host| row(&host["count"], &host["host"]["name"])).collect(),
        None => vec![row(&model["count"], &model["hostCount"])],
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_said() {
        let model = |hosts: usize, count: usize| {
            let hosts: Vec<Value> =
                (0..hosts).map(|at| json!({"count": 1, "host": {"name": format!("h{at}")}})).collect();
            json!({"model": "PM1733", "hostCount": count, "hosts": hosts})
        };
        let (whole, cut) = (model(2, 2), model(2, 5));
        assert_eq!(cuts(std::slice::from_ref(&whole), 1, true), Vec::<String>::new());
        assert_eq!(cuts(&[model(0, 5)], 1, false), Vec::<String>::new(), "hosts were not asked for");
        let said = cuts(&[whole, cut], 7, true);
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("2 of 7 models") && said[1] == "2 of 5 hosts with PM1733 are listed", "{said:?}");
    }
}
