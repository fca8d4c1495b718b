//! Draws paths from device to device, with everything between two devices in one line.
//!
//! ```text
//! ● device/ams1/node-7
//! ┃ node-7/eth0 ━ c17 ━ leaf-1/Ethernet3  3 m
//! ○ device/ams1/leaf-1
//! ```

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use crate::object::{ObjectPath, kinds};
use crate::show::HEADING;
use underlay_kinds::trace::metres;
use underlay_kit::line;

const RISK: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// The note for an answer without a path: it names the objects that were not considered.
const NOTHING: &str =
    "not searched: objects that are not active (--include-planned), logical connections (--include-logical)";

/// Prints paths. For a diversity answer, also prints what the two paths share.
pub(super) fn print(answer: &Value, out: &mut dyn Write) -> io::Result<()> {
    let paths = each(&answer["paths"]);
    if paths.is_empty() {
        writeln!(out, "there is no path")?;
        writeln!(out, "{QUIET}{NOTHING}{QUIET:#}")?;
    }
    for (index, path) in paths.iter().enumerate() {
        writeln!(out, "{HEADING}{}{HEADING:#}", heading(path, index + 1, paths.len()))?;
        print_path(path, out)?;
        writeln!(out)?;
    }
    if let Some(disjoint) = answer["disjoint"].as_bool().filter(|_| !paths.is_empty()) {
        print_shared(answer, disjoint, paths.len(), out)?;
    }
    writeln!(out, "as of revision {}", answer["revision"])
}

fn heading(path: &Value, index: usize, of: usize) -> String {
    let number = if of > 1 { format!("Path {index} of {of}: ") } else { String::new() };
    let hops = path["hops"].as_u64().unwrap_or_default();
    let mut words = vec![format!("{hops} {}", if hops == 1 { "hop" } else { "hops" })];
    words.push(length(path).unwrap_or_else(|| "length unknown".to_owned()));
    words.extend(latency(path));
    words.extend(path["bandwidthBps"].as_u64().map(bandwidth));
    words.extend((path["active"] == false).then(|| "not active".to_owned()));
    words.extend((path["logical"] == true).then(|| "logical".to_owned()));
    format!("{number}{}", words.join(", "))
}

/// Returns the length of a path or a segment, or `None` if no part of it is known.
fn length(of: &Value) -> Option<String> {
    let known = of["knownLengthM"].as_f64().unwrap_or_default();
    let part = (known > 0.0).then(|| format!("more than {}", metres(known)));
    of["lengthM"].as_f64().map(metres).or(part)
}

/// Returns the latency of a path, a segment or a branch, or `None` if it crosses nothing whose latency matters.
pub(crate) fn latency(of: &Value) -> Option<String> {
    let known = of["knownLatencyMs"].as_f64().filter(|known| *known > 0.0);
    match of["unknownLatencies"].as_u64().unwrap_or_default() {
        0 => of["latencyMs"].as_f64().map(|latency| format!("{latency} ms")),
        _ => Some(known.map_or_else(|| "latency unknown".to_owned(), |known| format!("more than {known} ms"))),
    }
}

/// Returns a bandwidth as a person would write it: `2.5 Gbit/s`.
pub(crate) fn bandwidth(bps: u64) -> String {
    let (amount, unit) = match bps {
        bps if bps >= 1_000_000_000 => (bps as f64 / 1e9, "Gbit/s"),
        bps => (bps as f64 / 1e6, "Mbit/s"),
    };
    format!("{amount} {unit}")
}

fn print_path(path: &Value, out: &mut dyn Write) -> io::Result<()> {
    let (nodes, segments) = (each(&path["nodes"]), each(&path["segments"]));
    for (index, node) in nodes.iter().enumerate() {
        let mark = if index == 0 || index + 1 == nodes.len() { "●" } else { "○" };
        writeln!(out, "{mark} {}", called(node).map(|path| path.to_string()).unwrap_or_default())?;
        if let Some(segment) = segments.get(index) {
            print_segment(segment, out)?;
        }
    }
    Ok(())
}

fn print_segment(segment: &Value, out: &mut dyn Write) -> io::Result<()> {
    let steps: Vec<String> = each(&segment["steps"]).iter().map(step).collect();
    let (mark, between) = match segment["type"].as_str().unwrap_or_default() {
        "LINE" => ("┃", steps.join(" ━ ")),
        "BARE_SITE" => ("┊", steps.join(" ━ ")),
        "LINK" => ("┊", format!("link {}", line(segment["link"]["name"].as_str().unwrap_or_default()))),
        "MEMBER" => return writeln!(out, "{QUIET}┊ in it{QUIET:#}"),
        _ => return writeln!(out, "{QUIET}│ of one parent{QUIET:#}"),
    };
    let mut words: Vec<String> = length(segment).into_iter().collect();
    words.extend(latency(segment));
    words.extend((segment["active"] == false).then(|| "not active".to_owned()));
    let known = if words.is_empty() { String::new() } else { format!("  {}", words.join(", ")) };
    writeln!(out, "{mark} {between}{QUIET}{known}{QUIET:#}")
}

/// Returns the hops of a step. Hops of parallel strands stand side by side.
fn step(step: &Value) -> String {
    let hops: Vec<String> = each(step).iter().filter_map(|hop| called(hop).map(|path| path.short())).collect();
    if hops.len() == 1 { hops.concat() } else { format!("({})", hops.join(" | ")) }
}

fn print_shared(answer: &Value, disjoint: bool, paths: usize, out: &mut dyn Write) -> io::Result<()> {
    match (disjoint, paths) {
        (true, _) => writeln!(out, "no device or line in common")?,
        (false, 1) => writeln!(out, "there is no other path")?,
        (false, _) => writeln!(out, "these have the fewest devices and lines in common")?,
    }
    let risks = each(&answer["risks"]);
    match risks.len() {
        0 => writeln!(out, "nothing breaks both")?,
        _ => writeln!(out, "{HEADING}What breaks {} alone{HEADING:#}", if paths == 1 { "it" } else { "both" })?,
    }
    for risk in risks {
        let group = risk["riskGroup"].as_str().map(|name| format!("risk group {}", line(name)));
        let what = group.unwrap_or_else(|| line(risk["path"].as_str().unwrap_or_default()));
        let end = if risk["takesEnd"] == true { "  and an end of them" } else { "" };
        writeln!(out, "{RISK}!{RISK:#} {what}{QUIET}{end}{QUIET:#}")?;
    }
    Ok(())
}

/// Reads the path of an object.
fn called(object: &Value) -> Option<ObjectPath> {
    let kind = kinds().named(object["__typename"].as_str()?)?;
    Some(ObjectPath::read(kind, object))
}

fn each(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn drawn(answer: &Value) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        print(answer, &mut out).expect("print");
        String::from_utf8(out.into_inner()).expect("text")
    }

    fn device(name: &str) -> Value {
        json!({"__typename": "Device", "name": name, "site": {"name": "s"}})
    }

    fn port(name: &str) -> Value {
        json!({"__typename": "Port", "name": name, "family": "DATA", "device": device("a"), "rack": null})
    }

    #[test]
    fn a_path_is_drawn_from_device_to_device() {
        let cable = json!({"__typename": "Cable", "name": "c\u{1b}1"});
        let answer = json!({
            "revision": 7,
            "paths": [{
                "hops": 2, "lengthM": null, "knownLengthM": 1500.0, "latencyMs": 2.5, "bandwidthBps": 2_500_000_000_u64,
                "active": false, "logical": true, "nodes": [device("a"), device("b"), device("c")],
                "segments": [
                    {"type": "LINE", "lengthM": 1500.0, "knownLengthM": 1500.0, "latencyMs": null, "knownLatencyMs": 4.0075,
                     "unknownLatencies": 1, "active": false,
                     "steps": [[port("e1")], [cable, cable], [port("e2")]]},
                    {"type": "LINK", "lengthM": null, "knownLengthM": 0.0, "latencyMs": 2.5, "active": true,
                     "link": {"name": "l1"}, "steps": []},
                ],
            }],
        });
        let expected = "\
2 hops, more than 1.5 km, 2.5 ms, 2.5 Gbit/s, not active, logical
● device/s/a
┃ a/e1 ━ (c\\u{1b}1 | c\\u{1b}1) ━ a/e2  1.5 km, more than 4.0075 ms, not active
○ device/s/b
┊ link l1  2.5 ms
● device/s/c

as of revision 7
";
        assert_eq!(drawn(&answer), expected);
        assert_eq!(
            drawn(&json!({"revision": 7, "paths": []})),
            format!("there is no path\n{NOTHING}\nas of revision 7\n")
        );
    }

    #[test]
    fn shared_objects_are_named() {
        let path = json!({"hops": 0, "lengthM": 0.0, "knownLengthM": 0.0, "nodes": [], "segments": []});
        let answer = json!({
            "revision": 7, "disjoint": true, "paths": [path, path],
            "risks": [
                {"path": "rack/s/r1", "riskGroup": null, "takesEnd": false},
                {"path": null, "riskGroup": "duct 1", "takesEnd": true},
            ],
        });
        let expected = "\
Path 1 of 2: 0 hops, 0 m

Path 2 of 2: 0 hops, 0 m

no device or line in common
What breaks both alone
! rack/s/r1
! risk group duct 1  and an end of them
as of revision 7
";
        assert_eq!(drawn(&answer), expected);
    }
}
