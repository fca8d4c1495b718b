//! Makes the same what differs from machine to machine, in what a page shows and in what a command printed.

use std::sync::LazyLock;

use regex::Regex;

/// What differs, and what it becomes.
const DIFFERENT: [(&str, &str); 8] = [
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "2026-01-01T00:00:00Z"),
    (r#""id":"[^"]*""#, r#""id":"ID""#),
    (r#""cursor":"[^"]*""#, r#""cursor":"CURSOR""#),
    (r"\bprocess \d+", "process 1"),
    (r"\b\d+\.\d s\b", "0.1 s"),
    // Columns are as wide as their longest text, which may be the name of a folder.
    (r" {2,}", "  "),
    (r" +\n", "\n"),
    (r"\n*$", "\n"),
];

static PATTERNS: LazyLock<Vec<(Regex, &str)>> =
    LazyLock::new(|| DIFFERENT.map(|(pattern, same)| (Regex::new(pattern).expect("a pattern"), same)).into());

/// Returns what is wrong with a printed text; `None` if it is what the page shows.
pub fn difference(shown: &str, printed: &str) -> Option<String> {
    let (shown, printed) = (same(shown), same(printed));
    let is_same = match shown.split_once("...\n") {
        Some((begin, end)) => {
            printed.len() >= begin.len() + end.len() && printed.starts_with(begin) && printed.ends_with(end)
        }
        None => shown == printed,
    };
    (!is_same).then(|| format!("--- the page shows\n{shown}--- it prints\n{printed}"))
}

fn same(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, (pattern, same)| pattern.replace_all(&text, *same).into_owned())
}
