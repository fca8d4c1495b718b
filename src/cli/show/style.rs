//! Colours: few, and only for what the eye should find first.

use anstyle::{AnsiColor, Style};

/// Headings.
pub(in crate::cli) const HEADING: Style = Style::new().bold();

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const CHANGING: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// The style of a word that says how something is, or what became of it; plain for every other word.
pub(in crate::cli) fn of_word(word: &str) -> Style {
    match word {
        "ACTIVE" | "CONNECTED" | "CREATED" | "ok" => GOOD,
        "FAILED" | "DELETED" | "problem" => BAD,
        "OFFLINE" | "DECOMMISSIONING" | "UPDATED" | "warning" => CHANGING,
        "PLANNED" | "STAGED" | "RETIRED" | "skipped" => QUIET,
        _ => Style::new(),
    }
}
