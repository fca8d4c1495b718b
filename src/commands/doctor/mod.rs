//! `underlay doctor`: checks the database and the files around it, and explains how to fix each problem.
//!
//! Guarantees: nothing is written. The command works beside a running server and does not prevent one from starting. A
//! failed check skips only the checks that depend on it.

mod database;
mod facts;
mod files;
mod history;
mod report;
mod schema;

use std::io::Write;

use clap::{Args, ValueEnum};
use serde_json::json;

use self::report::{Check, Finding};
use super::config::Flags;
use super::database::on_database;
use underlay_cli::exit::{EXIT_CODES_OF_DOCTOR, Exit};
use underlay_cli::output::{Printed, printed};
use underlay_cli::show::pretty;
use underlay_engine::store::{DatabaseUrl, Store};
use underlay_server::config::Settings;

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_DOCTOR)]
pub(super) struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// The output format.
    #[arg(short, long, value_enum, default_value_t = DoctorOutput::Lines)]
    output: DoctorOutput,
}

/// The output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DoctorOutput {
    /// A line for each check.
    Lines,
    /// The findings as JSON, for programs.
    Json,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    on_database(&arguments.flags, async |settings, url| {
        let findings = examine(&settings, &url).await;
        let mut out = anstream::stdout();
        let written = match arguments.output {
            DoctorOutput::Lines => report::print(&findings, &mut out),
            DoctorOutput::Json => writeln!(out, "{}", pretty(&json!(findings), 0)),
        };
        match printed(written) {
            Printed::Failed => Exit::Failed,
            Printed::Whole | Printed::NobodyReads if report::is_bad(&findings) => Exit::Failed,
            Printed::Whole | Printed::NobodyReads => Exit::Done,
        }
    })
}

/// The checks of the content of the tables, in order.
const CONTENT: [Check; 6] =
    [Check::Schema, Check::Revisions, Check::Snapshot, Check::Rows, Check::Log, Check::Retention];

/// Runs all checks.
async fn examine(settings: &Settings, url: &DatabaseUrl) -> Vec<Finding> {
    let mut findings = Vec::new();
    match database::open(url).await {
        Ok((store, finding)) => {
            findings.push(finding);
            look_into(&store, settings, &mut findings).await;
            findings.extend(facts::facts(&store, url).await);
            // Nothing was written, so closing cannot lose anything.
            let _ = store.close().await;
        }
        Err(finding) => {
            findings.push(finding);
            findings.push(Finding::skipped(Check::Migrations, Check::Database));
            findings.extend(CONTENT.map(|check| Finding::skipped(check, Check::Database)));
        }
    }
    findings.extend(files::permissions(settings, url));
    findings.extend(files::room(url));
    findings
}

/// Checks the content of a database that can be reached.
async fn look_into(store: &Store, settings: &Settings, findings: &mut Vec<Finding>) {
    let migrations = database::migrations(store).await;
    let known = !report::is_bad(&migrations);
    findings.extend(migrations);
    let damages = database::damages(store).await;
    findings.extend(damages);
    if !known {
        return findings.extend(CONTENT.map(|check| Finding::skipped(check, Check::Migrations)));
    }
    findings.extend(schema::schema(store).await);
    findings.extend(history::revisions(store).await);
    findings.extend(history::snapshot_and_rows(store, settings.hosts.machines()).await);
    findings.push(database::retention(store, settings.feed.retention).await);
}
