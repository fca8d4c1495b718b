//! Defines the few colours of the output, which mark only what a reader should find first.

use anstyle::{AnsiColor, Style};

/// The style of headings.
pub const HEADING: Style = Style::new().bold();

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const CHANGING: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// Returns the style of a word for a status or a result. Every other word is plain.
pub fn of_word(word: &str) -> Style {
    match word {
        "ACTIVE" | "CONNECTED" | "CREATED" | "SUCCEEDED" | "ok" => GOOD,
        "FAILED" | "DELETED" | "ABANDONED" | "HELD" | "problem" => BAD,
        "OFFLINE" | "DECOMMISSIONING" | "UPDATED" | "warning" => CHANGING,
        "PLANNED" | "STAGED" | "RETIRED" | "skipped" => QUIET,
        _ => Style::new(),
    }
}
