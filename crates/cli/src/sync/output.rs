//! Tells people what synchronizers do.

use std::collections::BTreeSet;
use std::io::{IsTerminal, Write as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use underlay_kit::line;
use underlay_kit::sync::{Observer, Ran, Report, RunEnd, RunMode, Status, SyncError, Tally};

use super::How;
use crate::server;

const LAYOUT: &str = "{spinner} {prefix}: {msg}  {elapsed}";
/// The time between two moves of the bar while nothing new is known.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);
/// The maximum number of problems that are printed of a run, and that are remembered.
const MAX_PRINTED_PROBLEMS: usize = 10;
const MAX_KEPT_PROBLEMS: usize = 1_000;

/// The output for all sources.
#[derive(Clone)]
pub(super) struct Output {
    bars: Option<MultiProgress>,
    status: Arc<Status>,
    reports: bool,
}

/// The output for one source.
pub(super) struct SourceOutput {
    name: String,
    output: Output,
    bar: Option<ProgressBar>,
    problems: Mutex<Problems>,
}

/// The things that could not be written, so that each is printed when it is new, and few of them.
#[derive(Debug, Default)]
struct Problems {
    last_run: BTreeSet<String>,
    this_run: BTreeSet<String>,
    /// The number of new ones in this run.
    new: usize,
}

impl Problems {
    /// Notes a problem. Returns true if it should be printed.
    fn add(&mut self, text: &str) -> bool {
        if self.this_run.len() < MAX_KEPT_PROBLEMS {
            self.this_run.insert(text.to_owned());
        }
        self.new += usize::from(!self.last_run.contains(text));
        self.new <= MAX_PRINTED_PROBLEMS && !self.last_run.contains(text)
    }

    /// Ends a run. Returns the number of new ones that were not printed.
    fn end(&mut self, mode: RunMode) -> usize {
        let this_run = std::mem::take(&mut self.this_run);
        match mode {
            RunMode::Full => self.last_run = this_run,
            // It saw some things, so that the problems of others go on.
            RunMode::Partial => {
                let room = MAX_KEPT_PROBLEMS.saturating_sub(self.last_run.len());
                self.last_run.extend(this_run.into_iter().take(room));
            }
        }
        std::mem::take(&mut self.new).saturating_sub(MAX_PRINTED_PROBLEMS)
    }
}

impl Output {
    /// Returns the output: bars on a terminal, and else a line for each scan. A preview has neither.
    pub(super) fn new(status: Arc<Status>, how: &How) -> Self {
        let has_bars = std::io::stderr().is_terminal() && !how.dry_run;
        let bars = has_bars.then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr()));
        Self { bars, status, reports: how.report }
    }

    /// Returns the output for a source.
    pub(super) fn of(&self, name: &str) -> SourceOutput {
        let bar = self.bars.as_ref().map(|bars| {
            let style = ProgressStyle::with_template(LAYOUT).unwrap_or_else(|_| ProgressStyle::default_spinner());
            let bar = bars.add(ProgressBar::new_spinner().with_style(style).with_prefix(line(name)));
            bar.enable_steady_tick(REDRAW_INTERVAL);
            bar
        });
        SourceOutput { name: name.to_owned(), output: self.clone(), bar, problems: Mutex::default() }
    }

    /// Prints while the bars stand aside.
    fn print(&self, print: impl FnOnce()) {
        match &self.bars {
            Some(bars) => bars.suspend(print),
            None => print(),
        }
    }
}

impl Observer for SourceOutput {
    fn progress(&self, tally: &Tally) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{} items read, {} changed", tally.items, tally.created + tally.updated));
        }
    }

    fn ended(&self, ran: &Ran) {
        self.output.status.ended(&self.name, ran);
        if let Some(bar) = &self.bar {
            bar.set_message("waits");
            bar.reset_elapsed();
        }
        let name = line(&self.name);
        let more = self.problems.lock().unwrap_or_else(PoisonError::into_inner).end(ran.mode);
        self.output.print(|| {
            if more > 0 {
                eprintln!(
                    "hint: {name}: there are {more} more: `underlay describe source/{name}` shows the errors of the run"
                );
            }
            let text = counts(&name, ran);
            // Nobody may be reading: what was done is done all the same.
            let _ = writeln!(std::io::stdout(), "{text}");
            match &ran.end {
                RunEnd::Failed(error) => {
                    eprintln!("error: {name}: {}", line(&error.to_string()));
                    if let SyncError::Client(error) = error
                        && let Some(advice) = server::advice(error)
                    {
                        eprintln!("hint: {name}: {advice}");
                    }
                }
                RunEnd::Held => eprintln!(
                    "hint: {name}: an operator must decide: `underlay describe source/{name}` shows what is held, and \
                     `underlay source approve {name}` or `underlay source reject {name}` ends it"
                ),
                RunEnd::Done | RunEnd::Stopped => {}
            }
            if self.output.reports && ran.mode == RunMode::Full {
                let _ = std::io::stdout().write_all(table(&ran.report).as_bytes());
            }
        });
    }

    fn problem(&self, text: &str) {
        if self.problems.lock().unwrap_or_else(PoisonError::into_inner).add(text) {
            let text = format!("problem: {}: {}", line(&self.name), line(text));
            self.output.print(|| eprintln!("{text}"));
        }
    }

    fn note(&self, text: &str) {
        let text = format!("note: {}: {}", line(&self.name), line(text));
        self.output.print(|| eprintln!("{text}"));
    }
}

/// The line that says what a run did.
fn counts(name: &str, ran: &Ran) -> String {
    let mode = match ran.mode {
        RunMode::Full => "full",
        RunMode::Partial => "partial",
    };
    let end = match ran.end {
        RunEnd::Done => "",
        RunEnd::Held => " held",
        RunEnd::Failed(_) => " failed",
        RunEnd::Stopped => " stopped",
    };
    let tally = &ran.tally;
    let mut text = format!("{name}: {mode} run{end}: {} items", tally.items);
    for (count, word) in [
        (tally.created, "created"),
        (tally.updated, "updated"),
        (tally.unchanged, "unchanged"),
        (tally.gone, "gone"),
        (tally.held, "held"),
        (tally.failed, "refused"),
        (tally.bad, "not readable"),
        (tally.skipped, "skipped"),
        (tally.in_part, "values left out"),
    ] {
        if count > 0 {
            text.push_str(&format!(", {count} {word}"));
        }
    }
    text + &format!(", {:.1} s", ran.took.as_secs_f64())
}

/// The outcomes of the things of a source, by their types.
pub(super) fn table(report: &Report) -> String {
    let mut text = String::new();
    for (name, counts) in report.types() {
        text += &format!("  {}: {} read, {} mapped\n", line(name), counts.read, counts.mapped);
        for (place, count) in &counts.put_aside {
            text += &format!("    {count} put aside: {}\n", line(place));
        }
        for (reason, count) in &counts.left_out {
            text += &format!("    {count} left out: {}\n", line(reason));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_reported_in_a_line() {
        let tally =
            Tally { items: 120, created: 2, unchanged: 117, bad: 1, skipped: 3, in_part: 2, ..Tally::default() };
        let took = Duration::from_millis(1_240);
        let ran = Ran { mode: RunMode::Full, end: RunEnd::Held, tally, report: Report::default(), took };
        let expected = "git: full run held: 120 items, 2 created, 117 unchanged, 1 not readable, 3 skipped, \
                        2 values left out, 1.2 s";
        assert_eq!(counts("git", &ran), expected);
    }

    #[test]
    fn a_problem_is_printed_when_it_is_new() {
        let mut problems = Problems::default();
        let printed = (0..12).filter(|number| problems.add(&number.to_string())).count();
        assert_eq!((printed, problems.end(RunMode::Full)), (MAX_PRINTED_PROBLEMS, 2));
        assert!(!problems.add("3") && problems.add("new"));
        assert_eq!(problems.end(RunMode::Full), 0);
        assert!(problems.add("5") && !problems.add("3"));
    }

    #[test]
    fn a_partial_run_forgets_no_problem_of_what_it_did_not_see() {
        let mut problems = Problems::default();
        assert!(problems.add("of a full run"));
        problems.end(RunMode::Full);
        assert!(problems.add("of a partial run"));
        assert_eq!(problems.end(RunMode::Partial), 0);
        assert!(!problems.add("of a full run") && !problems.add("of a partial run"));
    }

    #[test]
    fn a_report_says_where_everything_went() {
        let mut report = Report::default();
        report.read("vlan", 3);
        report.left_out("vlan", "no kind", 3);
        report.read("device", 2);
        report.mapped("device", 2);
        report.put_aside("device", "attributes", 1);
        let expected = "  device: 2 read, 2 mapped\n    1 put aside: attributes\n  vlan: 3 read, 0 mapped\n    3 left \
                        out: no kind\n";
        assert_eq!(table(&report), expected);
    }
}
