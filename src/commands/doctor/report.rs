//! The findings of the checks, and how they are printed.

use std::io::{self, Write};

use serde::Serialize;

use underlay_cli::show::of_word;
use underlay_kit::line;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// The check found no problem.
    Ok,
    /// It works, but something should be done.
    Warning,
    /// Something is wrong.
    Problem,
    /// The check was not possible because of another problem.
    Skipped,
}

impl Level {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
            Self::Skipped => "skipped",
        }
    }
}

/// The checks of a database, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Check {
    /// The database can be reached.
    Database,
    /// The tables have the migrations of this version.
    Migrations,
    /// The columns, indexes, constraints and triggers are those that the migrations make.
    Schema,
    /// An SQLite file is undamaged.
    Integrity,
    /// The revisions form a chain, each with its changes.
    Revisions,
    /// The rows make a snapshot that follows all rules.
    Snapshot,
    /// The rows agree with the change log.
    Rows,
    /// The rest of the change log, such as names, containers and authors, is correct.
    Log,
    /// Each machine is one host.
    Hosts,
    /// Old changes are dropped.
    Retention,
    /// The reports about the hardware of hosts can be read.
    Facts,
    /// Only the owner can access the files.
    Files,
    /// There is enough space on the disk.
    Disk,
}

impl Check {
    const fn word(self) -> &'static str {
        match self {
            Self::Database => "database",
            Self::Migrations => "migrations",
            Self::Schema => "schema",
            Self::Integrity => "integrity",
            Self::Revisions => "revisions",
            Self::Snapshot => "snapshot",
            Self::Rows => "rows",
            Self::Log => "log",
            Self::Hosts => "hosts",
            Self::Retention => "retention",
            Self::Facts => "facts",
            Self::Files => "files",
            Self::Disk => "disk",
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Finding {
    pub level: Level,
    pub check: Check,
    /// The description of the result.
    pub message: String,
    /// The advice how to solve the problem.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Finding {
    /// Returns a finding without a problem.
    pub fn ok(check: Check, message: impl Into<String>) -> Self {
        Self { level: Level::Ok, check, message: message.into(), advice: None }
    }

    /// Returns a finding that something should be done.
    pub fn warning(check: Check, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Warning, check, message: message.into(), advice: Some(advice.into()) }
    }

    /// Returns a finding that something is wrong.
    pub fn problem(check: Check, message: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { level: Level::Problem, check, message: message.into(), advice: Some(advice.into()) }
    }

    /// Returns a finding that the check was not possible.
    pub fn skipped(check: Check, because: Check) -> Self {
        let message = format!("not checked, because of the problem with: {}", because.word());
        Self { level: Level::Skipped, check, message, advice: None }
    }
}

/// Returns true if there is a problem.
pub(super) fn is_bad(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.level == Level::Problem)
}

/// Prints a line for each finding.
pub(super) fn print(findings: &[Finding], out: &mut impl Write) -> io::Result<()> {
    for Finding { level, check, message, advice } in findings {
        let style = of_word(level.word());
        let advice = advice.as_deref().map_or_else(String::new, |advice| format!("; {advice}"));
        let text = line(&format!("{message}{advice}"));
        writeln!(out, "{style}{:<8}{style:#} {:<10}  {text}", level.word(), check.word())?;
    }
    Ok(())
}
