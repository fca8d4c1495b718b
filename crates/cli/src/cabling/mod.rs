//! `underlay cabling`: what hosts hear by LLDP, beside the cables that are recorded.
//!
//! `check` lists the interfaces at which both do not agree, as a table, as JSON, or as manifests that mend what can be
//! mended safely.

mod answer;
mod mend;

use std::io::Write;

use clap::{Args, Subcommand, ValueEnum};
use clap_complete::ArgValueCompleter;
use serde_json::{Value, json};
use underlay_client::{Client, Pages, Total};
use underlay_kit::line;

use self::answer::{Checked, selection};
use crate::complete;
use crate::exit::{EXIT_CODES_OF_CHECK, Exit};
use crate::host::Refused;
use crate::object::{ObjectName, find, kinds, listing};
use crate::output::{Printed, printed};
use crate::server;
use crate::show::{Cell, Table, of_word, pretty};
use crate::target::ServerAccess;

const EXAMPLES: &str = "\
Examples:
  underlay cabling check
  underlay cabling check --within rack/ams1/A14 --all
  underlay cabling check -o manifest > mend.yaml && underlay diff -f mend.yaml";

#[derive(Debug, Args)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES_OF_CHECK}"))]
pub struct Arguments {
    #[command(subcommand)]
    act: Act,
}

#[derive(Debug, Subcommand)]
enum Act {
    /// List the interfaces of hosts at which another neighbour is heard than is recorded.
    ///
    /// A neighbour is compared with the far end of the line of the port, through panels and over circuits. An interface at
    /// which nothing is heard is no mismatch.
    Check(CheckArguments),
}

#[derive(Debug, Args)]
struct CheckArguments {
    /// Only hosts anywhere below this object: a region, site, location or rack.
    #[arg(long, value_name = "OBJECT", add = ArgValueCompleter::new(complete::objects))]
    within: Option<ObjectName>,
    /// List all interfaces, also those that agree and those at which nothing is heard.
    #[arg(long)]
    all: bool,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = CheckOutput::Table)]
    output: CheckOutput,
}

/// The output format of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CheckOutput {
    /// A table with a line for each interface.
    Table,
    /// The interfaces as JSON, for programs.
    Json,
    /// Manifests that apply -f reads, of what can be mended safely, and a comment about everything else.
    Manifest,
}

pub(crate) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    let Act::Check(arguments) = arguments.act;
    server::talk(server, async |client| check(&client, &arguments).await.unwrap_or_else(|refused| refused.explain()))
}

async fn check(client: &Client, arguments: &CheckArguments) -> Result<Exit, Refused> {
    let kind = kinds().named("host").ok_or_else(|| Refused::Usage("there is no kind host".to_owned()))?;
    let mut filter = json!({ "hasAgent": true });
    if let Some(name) = &arguments.within {
        // A host stands where its machine does.
        filter["machine"] = json!({ "device": { "within": find(client, name).await?.id } });
    }
    let mut pages = Pages::of(client, listing(kind, filter, selection(), None), Total::NotCounted);
    let mut listed: Vec<Checked> = Vec::new();
    while let Some(page) = pages.next().await? {
        for node in page.nodes {
            let interfaces = answer::interfaces(node).map_err(Refused::Usage)?;
            listed.extend(interfaces.into_iter().filter(|it| arguments.all || it.is_mismatch()));
        }
    }
    Ok(match (show(&listed, arguments.output), listed.iter().any(Checked::is_mismatch)) {
        (Printed::Failed, _) => Exit::Failed,
        (Printed::Whole | Printed::NobodyReads, true) => Exit::Different,
        (Printed::Whole | Printed::NobodyReads, false) => Exit::Done,
    })
}

fn show(listed: &[Checked], output: CheckOutput) -> Printed {
    let mut out = anstream::stdout();
    match output {
        CheckOutput::Json => {
            let all = listed.iter().map(|it| it.raw.clone()).collect();
            printed(writeln!(out, "{}", pretty(&Value::Array(all), 0)))
        }
        CheckOutput::Manifest => printed(out.write_all(mend::manifests(listed).as_bytes())),
        CheckOutput::Table if listed.is_empty() => {
            eprintln!("nothing that is heard differs from what is recorded");
            Printed::Whole
        }
        CheckOutput::Table => {
            let headings = ["HOST", "INTERFACE", "PORT", "RECORDED", "HEARD", "VERDICT"];
            let rows: Vec<Vec<Cell>> = listed.iter().map(row).collect();
            printed(Table::new(headings.map(str::to_owned).to_vec()).print(&rows, &mut out))
        }
    }
}

fn row(checked: &Checked) -> Vec<Cell> {
    let ports = checked.recorded.iter().map(answer::Port::shown).collect::<Vec<_>>().join(", ");
    let heard = checked.heard.iter().map(answer::Heard::shown).collect::<Vec<_>>().join(", ");
    let port = checked.port.as_ref().map(answer::Port::shown).unwrap_or_default();
    let mut cells: Vec<Cell> =
        [&checked.host, &checked.interface, &port, &ports, &heard].map(|text| Cell::plain(line(text))).to_vec();
    cells.push(Cell { text: line(&checked.verdict), style: of_word(&checked.verdict) });
    cells
}
