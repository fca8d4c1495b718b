//! Draws a trace from the top down, with one line for each hop.
//!
//! ```text
//! ● port/ams1/node-7/eth0
//! ┃ cable/c17  3 m, DAC
//! ○ port/ams1/panel-1/FRONT/1
//! │
//! ○ port/ams1/panel-1/REAR/1
//! ✗ OPEN: nothing leads on
//! ```

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use super::ask::SHOWN_FIELDS;
use crate::object::{ObjectPath, kinds};
use crate::paths::latency;
use crate::show::{HEADING, of_word};
use underlay_kinds::trace::metres;
use underlay_kit::line;

const BROKEN: Style = AnsiColor::Red.on_default();
const QUIET: Style = Style::new().dimmed();

/// Prints the branches of a trace, then its totals.
pub(super) fn print(trace: &Value, out: &mut dyn Write) -> io::Result<()> {
    let branches = trace["branches"].as_array().map(Vec::as_slice).unwrap_or_default();
    for (index, branch) in branches.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        if branches.len() > 1 || !each(&branch["positions"]).is_empty() {
            writeln!(out, "{HEADING}{}{HEADING:#}", heading(branch, index + 1, branches.len()))?;
        }
        print_branch(branch, out)?;
    }
    let is = |field: &str, yes: &'static str, no: &'static str| if trace[field] == true { yes } else { no };
    let mut words = vec![is("complete", "complete", "not complete"), is("active", "active", "not active")];
    words.extend((trace["split"] == true).then_some("split: a position had to be guessed"));
    words.extend((trace["truncated"] == true).then_some("truncated"));
    writeln!(out, "\n{}, as of revision {}", words.join(", "), trace["revision"])
}

fn heading(branch: &Value, index: usize, of: usize) -> String {
    let mut words = vec![format!("Branch {index} of {of}")];
    for (before, field) in [("position", "positions"), ("arrives at position", "endPositions")] {
        let positions: Vec<String> = each(&branch[field]).iter().map(Value::to_string).collect();
        if !positions.is_empty() {
            words.push(format!("{before} {}", positions.join(", ")));
        }
    }
    words.extend((branch["direction"] == "THROUGH").then(|| "the other way".to_owned()));
    words.join(", ")
}

fn print_branch(branch: &Value, out: &mut dyn Write) -> io::Result<()> {
    let steps = each(&branch["steps"]);
    for (index, step) in steps.iter().enumerate() {
        let (hops, before) = (each(step), index.checked_sub(1).map(|before| each(&steps[before])));
        if before.is_some_and(|before| inside(before, hops)) {
            writeln!(out, "{QUIET}│{QUIET:#}")?;
        }
        for hop in hops {
            print_hop(hop, index == 0 || index + 1 == steps.len(), out)?;
        }
    }
    let outcome = branch["outcome"].as_str().unwrap_or_default();
    match (outcome, branch["end"].is_null()) {
        ("COMPLETE", false) => writeln!(out, "{}", measures(branch)),
        ("COMPLETE", true) => writeln!(out, "┊ outside the inventory\n{}", measures(branch)),
        _ => {
            let why = match outcome {
                "OPEN" => "nothing leads on",
                "LOOP" => "it has been here before",
                _ => "it is not joined inside at this position",
            };
            writeln!(out, "{BROKEN}✗ {}: {why}{BROKEN:#}\n{}", line(outcome), measures(branch))
        }
    }
}

/// Returns true if the line passes from hop to hop inside an object, without a cable or circuit between.
fn inside(before: &[Value], after: &[Value]) -> bool {
    let between = |hop: &Value| matches!(hop["__typename"].as_str(), Some("Cable" | "Circuit"));
    !before.iter().chain(after).any(between)
}

fn print_hop(hop: &Value, is_end: bool, out: &mut dyn Write) -> io::Result<()> {
    let name = hop["__typename"].as_str().unwrap_or_default();
    let mark = match name {
        "Cable" => "┃",
        "Circuit" => "☁",
        _ if is_end => "●",
        _ => "○",
    };
    let path = kinds().named(name).map(|kind| ObjectPath::read(kind, hop).to_string()).unwrap_or_default();
    write!(out, "{mark} {path}")?;
    for (index, field) in SHOWN_FIELDS.iter().enumerate() {
        let Some(text) = describe_field(field, &hop[*field]) else { continue };
        let style = of_word(&text);
        let before = if SHOWN_FIELDS[..index].iter().any(|field| describe_field(field, &hop[*field]).is_some()) {
            ", "
        } else {
            "  "
        };
        write!(out, "{before}{style}{}{style:#}", line(&text))?;
    }
    writeln!(out)
}

/// Returns the text for a field of a hop, or `None` if the field is null or has its normal value.
fn describe_field(field: &str, value: &Value) -> Option<String> {
    match (field, value) {
        (_, Value::Null) | ("enabled", Value::Bool(true)) => None,
        ("enabled", _) => Some("switched off".to_owned()),
        ("status", Value::String(word)) if word == "ACTIVE" || word == "CONNECTED" => None,
        ("latencyMs", value) => value.as_f64().map(|latency| format!("{latency} ms")),
        ("lengthM" | "distanceM", value) => value.as_f64().map(metres),
        (_, Value::String(text)) => Some(text.clone()),
        (_, value) => Some(value.to_string()),
    }
}

/// Formats the number of cables, the length and the latency of a branch.
fn measures(branch: &Value) -> String {
    let known = branch["knownLengthM"].as_f64().unwrap_or_default();
    let length = match branch["lengthM"].as_f64() {
        Some(length) => metres(length),
        None if known > 0.0 => format!("more than {}", metres(known)),
        None => "length unknown".to_owned(),
    };
    let cables = branch["cableCount"].as_u64().unwrap_or_default();
    let mut words = vec![format!("{cables} {}", if cables == 1 { "cable" } else { "cables" }), length];
    words.extend(latency(branch));
    words.extend((branch["active"] == false).then(|| "not active".to_owned()));
    format!("  {}", words.join(", "))
}

fn each(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn port(device: &str, family: &str, name: &str) -> Value {
        let device = json!({"name": device, "site": {"name": "s"}});
        json!({"__typename": "Port", "name": name, "family": family, "device": device, "rack": null, "enabled": true})
    }

    fn drawn(trace: &Value) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        print(trace, &mut out).expect("print");
        String::from_utf8(out.into_inner()).expect("text")
    }

    #[test]
    fn a_line_is_drawn_hop_by_hop() {
        let cable = json!({"__typename": "Cable", "name": "c1", "label": "L\u{1b}1", "media": "DAC", "color": null,
                           "lengthM": 2.5, "status": "PLANNED"});
        let trace = json!({
            "revision": 7, "complete": false, "active": false, "split": true, "truncated": false,
            "branches": [{
                "direction": "CABLE", "positions": [], "outcome": "UNMAPPED", "active": false, "lengthM": null,
                "knownLengthM": 2.5, "latencyMs": null, "cableCount": 1, "end": {"__typename": "Port"},
                "steps": [[port("a", "DATA", "e1")], [cable], [port("p", "FRONT", "1")], [port("p", "REAR", "1")]],
            }],
        });
        let expected = "\
● port/s/a/e1
┃ cable/c1  L\\u{1b}1, DAC, 2.5 m, PLANNED
○ port/s/p/FRONT/1
│
● port/s/p/REAR/1
✗ UNMAPPED: it is not joined inside at this position
  1 cable, more than 2.5 m, not active

not complete, not active, split: a position had to be guessed, as of revision 7
";
        assert_eq!(drawn(&trace), expected);
    }

    #[test]
    fn branches_have_headings() {
        let branch = |positions: Value, direction: &str| {
            json!({
                "direction": direction, "positions": positions, "outcome": "COMPLETE", "active": true, "lengthM": 0.0,
                "knownLengthM": 0.0, "latencyMs": null, "cableCount": 0, "end": null, "steps": [[port("p", "REAR", "1")]],
            })
        };
        let trace = json!({
            "revision": 7, "complete": true, "active": true, "split": false, "truncated": false,
            "branches": [branch(json!([1]), "CABLE"), branch(json!([1, 2]), "THROUGH")],
        });
        let expected = "\
Branch 1 of 2, position 1
● port/s/p/REAR/1
┊ outside the inventory
  0 cables, 0 m

Branch 2 of 2, position 1, 2, the other way
● port/s/p/REAR/1
┊ outside the inventory
  0 cables, 0 m

complete, active, as of revision 7
";
        assert_eq!(drawn(&trace), expected);
    }
}
