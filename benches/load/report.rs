//! The output: the table on the terminal, all data as JSON, the plot, and the documentation page with the table.

use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::document::{self, Section};
use crate::inside::Weight;
use crate::machine::Machine;
use crate::plot;
use crate::problem::{Doing, LoadError, Result};
use crate::quantity::{Quantity, thousands};
use crate::table::{self, Row};

/// The minimum number of objects of a kind. With fewer, the fixed part of its tables would dominate their memory.
const MIN_OBJECTS: usize = 100;
const PLOT: &str = "performance.svg";

/// The costs in a fleet of one size.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Point {
    pub ports: u64,
    pub objects: u64,
    /// The dashboard in seconds, as are the four times below.
    pub dashboard: f64,
    pub device: f64,
    pub mutation: f64,
    pub next_snapshot: f64,
    /// The trace of a line through two panels and circuits, in seconds; absent if the fleet has none.
    pub trace: Option<f64>,
    pub start: f64,
    /// The memory after loading, in bytes.
    pub memory: u64,
}

/// All results of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub machine: Machine,
    /// True if the fleets were small and the times short.
    pub quick: bool,
    pub finished_at: Option<chrono::DateTime<chrono::Utc>>,
    pub rows: Vec<Row>,
    pub weights: Vec<Weight>,
    pub growth: Vec<Point>,
    /// The measurements that were skipped, with the reason.
    pub skipped: Vec<String>,
    /// The measurements that failed, with the reason.
    pub failed: Vec<String>,
}

impl Report {
    /// Returns an empty report.
    pub fn new(quick: bool) -> Self {
        Self {
            machine: Machine::here(),
            quick,
            finished_at: None,
            rows: Vec::new(),
            weights: Vec::new(),
            growth: Vec::new(),
            skipped: Vec::new(),
            failed: Vec::new(),
        }
    }

    /// Adds a row and prints it.
    pub fn add(&mut self, row: Row) {
        eprintln!("  {}: {}", row.what, row.measured);
        self.rows.push(row);
    }

    /// Records the reason why a measurement is skipped, and prints it.
    pub fn skip(&mut self, why: impl Into<String>) {
        let why = why.into();
        eprintln!("  skipped: {why}");
        self.skipped.push(why);
    }

    /// Records the error of a part, if it failed.
    pub fn keep(&mut self, part: &str, done: Result<()>) {
        if let Err(error) = done {
            eprintln!("  failed: {part}: {error}");
            self.failed.push(format!("{part}: {error}"));
        }
    }

    /// Prints the table and writes the files. The table goes into a section of the page.
    pub fn publish(&mut self, to: &Path, section: Section) -> Result<()> {
        self.finished_at = Some(chrono::Utc::now());
        println!("{}", self.machine.words());
        if !self.rows.is_empty() {
            println!("{}", table::terminal(&self.rows));
        }
        for why in &self.skipped {
            println!("skipped: {why}");
        }
        for why in &self.failed {
            println!("failed: {why}");
        }
        fs::create_dir_all(to).doing(|| format!("make {}", to.display()))?;
        let write = |name: &str, text: &str| {
            let file = to.join(name);
            fs::write(&file, text).doing(|| format!("write {}", file.display()))?;
            println!("wrote {}", file.display());
            Ok::<_, LoadError>(())
        };
        write(section.file(), &(serde_json::to_string_pretty(self)? + "\n"))?;
        if self.is_plotted() {
            write(PLOT, &plot::growth(&self.growth)?)?;
        }
        write(document::NAME, &document::with_table(section, &self.markdown())?)
    }

    /// Returns true if there are enough points for a plot. A line needs two.
    fn is_plotted(&self) -> bool {
        self.growth.len() > 1
    }

    /// Returns the text for the documentation.
    fn markdown(&self) -> String {
        let when = self.finished_at.map_or_else(String::new, |at| at.format("%Y-%m-%d").to_string());
        let quick = if self.quick { ", `--quick`" } else { "" };
        let mut text = format!("{} ({when}{quick}).\n\n{}", self.machine.words(), table::markdown(&self.rows));
        if self.is_plotted() {
            text += &format!("\n![How cost grows with the inventory]({PLOT})\n\n{}", growth(&self.growth));
        }
        let weights: Vec<_> = self.weights.iter().filter(|it| it.objects >= MIN_OBJECTS).collect();
        if !weights.is_empty() {
            text += "\n| kind | objects | bytes each |\n| --- | ---: | ---: |\n";
        }
        for weight in weights {
            let each = Quantity::Bytes(weight.bytes as f64 / weight.objects as f64);
            text += &format!("| {} | {} | {each} |\n", weight.kind, thousands(&weight.objects.to_string()));
        }
        for why in self.skipped.iter().chain(&self.failed) {
            text += &format!("\nNot measured: {why}.\n");
        }
        text
    }
}

/// Returns the points of the plot as a table.
fn growth(points: &[Point]) -> String {
    let heads =
        ["ports", "objects", "50 devices", "one device", "mutation", "next snapshot", "trace", "start", "memory"];
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), " ---: |".repeat(heads.len()));
    for point in points {
        let counts = [point.ports, point.objects].map(|count| thousands(&count.to_string()));
        let seconds = |time: f64| Quantity::Seconds(time).to_string();
        let measured = [point.dashboard, point.device, point.mutation, point.next_snapshot];
        let mut times = measured.map(seconds).to_vec();
        times.push(point.trace.map_or_else(String::new, seconds));
        times.push(seconds(point.start));
        let memory = Quantity::Bytes(point.memory as f64);
        text += &format!("| {} | {} | {memory} |\n", counts.join(" | "), times.join(" | "));
    }
    text
}
