//! Draws an impact as a tree: each affected object stands below the first object that caused its effect.
//!
//! ```text
//! device/ams1/leaf-1
//! ├─ device/ams1/node-1  DEGRADED by NETWORK
//! │  └─ virtualMachine/k1/vm-1  DEGRADED by HOSTING
//! └─ cluster/k1  DEGRADED by HOSTING, 1 of 8 lost
//! ```

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::Value;

use super::ask::Extent;
use crate::object::kinds;
use crate::show::HEADING;
use underlay_kinds::topology;
use underlay_kit::line;

const DOWN: Style = AnsiColor::Red.on_default();
const ISOLATED: Style = AnsiColor::Magenta.on_default();
const DEGRADED: Style = AnsiColor::Yellow.on_default();

/// The number of lines of the tree that are shown without `--all`.
const TREE_LINES: usize = 50;

/// Prints the tree or its first lines, the number of objects left out, and then the counts.
pub(super) fn print(impact: &Value, extent: Extent, out: &mut dyn Write) -> io::Result<()> {
    let max_lines = if extent == Extent::All { usize::MAX } else { TREE_LINES };
    let shown = Tree::of(impact, extent).print(max_lines, out)?;
    let total = impact["totalCount"].as_u64().unwrap_or_default();
    match total.saturating_sub(shown as u64) {
        0 => {}
        more => writeln!(out, "and {more} more: --all shows everything")?,
    }
    let counts = impact["counts"].as_array().map(Vec::as_slice).unwrap_or_default();
    if counts.is_empty() {
        writeln!(out, "nothing else is affected")?;
    }
    for (kind, counts) in by_kind(counts) {
        writeln!(out, "{HEADING}{kind}{HEADING:#} {}", counts.join(", "))?;
    }
    match impact["unanchored"].as_u64() {
        Some(count) if count > 0 => {
            writeln!(out, "{count} devices have no anchor to reach: name one with --anchor to see which are isolated")
        }
        _ => Ok(()),
    }
}

/// Returns texts such as `3 DOWN` for each kind.
fn by_kind(counts: &[Value]) -> BTreeMap<&str, Vec<String>> {
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for count in counts {
        let effect = count["effect"].as_str().unwrap_or_default();
        let style = style(effect);
        let text = format!("{} {style}{effect}{style:#}", count["count"]);
        kinds.entry(count["kind"].as_str().unwrap_or_default()).or_default().push(text);
    }
    kinds
}

fn style(effect: &str) -> Style {
    match effect {
        "DOWN" => DOWN,
        "ISOLATED" => ISOLATED,
        "DEGRADED" => DEGRADED,
        _ => Style::new(),
    }
}

/// The affected objects, arranged by cause.
struct Tree<'a> {
    /// The objects at the top of the tree: pairs of id and path.
    roots: Vec<(&'a str, &'a str)>,
    /// The objects below the object with an id, in order.
    under: HashMap<&'a str, Vec<&'a Value>>,
    /// The ids of the objects that are not shown.
    hidden: HashSet<&'a str>,
}

impl<'a> Tree<'a> {
    fn of(impact: &'a Value, extent: Extent) -> Self {
        let affected = impact["affected"].as_array().map(Vec::as_slice).unwrap_or_default();
        let known: HashSet<&str> = affected.iter().map(id).collect();
        let mut tree = Self { roots: Vec::new(), under: HashMap::new(), hidden: HashSet::new() };
        let mut tops = HashSet::new();
        for object in affected {
            let reason = &object["because"][0];
            let above = id(reason);
            tree.under.entry(above).or_default().push(object);
            // Objects that the user named, or that a filter left out of the answer, are roots.
            if !known.contains(above) && tops.insert(above) {
                tree.roots.push((above, reason["path"].as_str().unwrap_or_default()));
            }
        }
        if extent == Extent::FirstPage {
            tree.hide(affected);
        }
        tree
    }

    /// Hides objects that are parts of others and cause no effect that is shown. Works from the leaves upwards.
    fn hide(&mut self, affected: &'a [Value]) {
        let is_part = |object: &Value| {
            let kind = object["kind"].as_str().and_then(|kind| kinds().named(kind));
            kind.is_some_and(|kind| !topology().of(kind.id).reported.is_loss())
        };
        let mut shown: HashSet<&str> = affected.iter().filter(|object| !is_part(object)).map(id).collect();
        let above: HashMap<&str, &str> =
            affected.iter().map(|object| (id(object), id(&object["because"][0]))).collect();
        let mut pending: Vec<&str> = shown.iter().copied().collect();
        while let Some(at) = pending.pop() {
            if let Some(above) = above.get(at).filter(|above| shown.insert(above)) {
                pending.push(above);
            }
        }
        self.hidden = affected.iter().map(id).filter(|id| !shown.contains(id)).collect();
        self.show_what_is_all();
    }

    /// Shows the parts of objects beneath the roots that have nothing else.
    fn show_what_is_all(&mut self) {
        let bare: Vec<&str> =
            self.roots.iter().map(|(id, _)| *id).filter(|id| self.shown_under(id).is_empty()).collect();
        let mut pending = bare;
        while let Some(at) = pending.pop() {
            for object in self.under.get(at).into_iter().flatten() {
                if self.hidden.remove(id(object)) {
                    pending.push(id(object));
                }
            }
        }
    }

    fn shown_under(&self, id: &str) -> Vec<&'a Value> {
        let all = self.under.get(id).into_iter().flatten().copied();
        all.filter(|object| !self.hidden.contains(self::id(object))).collect()
    }

    /// Prints the tree up to a number of lines. Returns the number of affected objects on these lines.
    fn print(&self, max_lines: usize, out: &mut dyn Write) -> io::Result<usize> {
        let (mut lines, mut shown) = (0, 0);
        for (id, path) in &self.roots {
            if lines >= max_lines {
                break;
            }
            writeln!(out, "{HEADING}{}{HEADING:#}", line(path))?;
            lines += 1;
            // The entries that remain to be printed: the object, the prefix of its line, and true if it is the last of
            // its siblings.
            let mut pending = Vec::new();
            self.push(id, "", &mut pending);
            while let Some((object, before, last)) = pending.pop().filter(|_| lines < max_lines) {
                (lines, shown) = (lines + 1, shown + 1);
                writeln!(out, "{before}{} {}", if last { "└─" } else { "├─" }, describe(object))?;
                let before = format!("{before}{}", if last { "   " } else { "│  " });
                self.push(self::id(object), &before, &mut pending);
            }
        }
        Ok(shown)
    }

    fn push(&self, id: &str, before: &str, pending: &mut Vec<(&'a Value, String, bool)>) {
        let under = self.shown_under(id);
        let entries = under.iter().enumerate().rev();
        pending.extend(entries.map(|(at, object)| (*object, before.to_owned(), at + 1 == under.len())));
    }
}

fn id(object: &Value) -> &str {
    object["node"]["id"].as_str().unwrap_or_default()
}

/// Returns the text for an object: its path, effect and rule, and its share of lost members.
fn describe(object: &Value) -> String {
    let text = |field: &str| object[field].as_str().unwrap_or_default();
    let (effect, style) = (text("effect"), style(text("effect")));
    let share = match (object["lost"].as_u64(), object["of"].as_u64()) {
        (Some(lost), Some(of)) => format!(", {lost} of {of} lost"),
        _ => String::new(),
    };
    format!("{}  {style}{effect}{style:#} by {}{share}", line(text("path")), text("rule"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(id: &str, kind: &str, effect: &str, rule: &str, because: &str) -> Value {
        json!({"node": {"id": id}, "kind": kind, "path": format!("{kind}/{id}"), "effect": effect, "rule": rule,
            "lost": null, "of": null, "because": [{"node": {"id": because}, "path": format!("x/{because}")}]})
    }

    fn printed(impact: &Value, extent: Extent) -> String {
        let mut out = Vec::new();
        print(impact, extent, &mut out).expect("print");
        anstream::adapter::strip_str(&String::from_utf8(out).expect("text")).to_string()
    }

    #[test]
    fn every_object_is_below_its_cause() {
        let mut cluster = object("k", "Cluster", "DEGRADED", "HOSTING", "d");
        (cluster["lost"], cluster["of"]) = (json!(1), json!(8));
        let impact = json!({
            "affected": [
                object("p", "Port", "DOWN", "CONTAINMENT", "given"),
                object("i", "Port", "DOWN", "POWER", "given"),
                object("d", "Device", "DOWN", "POWER", "i"),
                object("v", "VirtualMachine", "DOWN", "HOSTING", "d"),
                cluster,
            ],
            "counts": [{"kind": "Device", "effect": "DOWN", "count": 1}],
            "totalCount": 5,
            "unanchored": 0,
        });
        let expected = "x/given\n└─ Port/i  DOWN by POWER\n   └─ Device/d  DOWN by POWER\n      \
            ├─ VirtualMachine/v  DOWN by HOSTING\n      └─ Cluster/k  DEGRADED by HOSTING, 1 of 8 lost\n\
            and 1 more: --all shows everything\nDevice 1 DOWN\n";
        assert_eq!(printed(&impact, Extent::FirstPage), expected);
        let all = printed(&impact, Extent::All);
        assert!(all.contains("├─ Port/p  DOWN by CONTAINMENT\n") && !all.contains("more"), "{all}");
    }

    #[test]
    fn parts_are_shown_where_they_are_all_there_is() {
        let impact = json!({
            "affected": [object("p", "Port", "DOWN", "LINE", "cable"), object("d", "Device", "DOWN", "POWER", "feed"),
                object("q", "Port", "DOWN", "CONTAINMENT", "d"), object("r", "Port", "DOWN", "CONTAINMENT", "p")],
            "counts": [{"kind": "Port", "effect": "DOWN", "count": 3}, {"kind": "Device", "effect": "DOWN", "count": 1}],
            "totalCount": 4, "unanchored": 0,
        });
        let expected = "x/cable\n└─ Port/p  DOWN by LINE\n   └─ Port/r  DOWN by CONTAINMENT\nx/feed\n\
            └─ Device/d  DOWN by POWER\nand 1 more: --all shows everything\nDevice 1 DOWN\nPort 3 DOWN\n";
        assert_eq!(printed(&impact, Extent::FirstPage), expected);
    }

    #[test]
    fn the_first_lines_and_the_number_of_others_are_shown() {
        let affected: Vec<Value> =
            (0..80).map(|at| object(&format!("d{at}"), "Device", "DOWN", "CONTAINMENT", "given")).collect();
        let impact = json!({
            "affected": affected,
            "counts": [{"kind": "Device", "effect": "DOWN", "count": 2_000_080}],
            "totalCount": 2_000_080,
            "unanchored": 0,
        });
        let text = printed(&impact, Extent::FirstPage);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), TREE_LINES + 2, "{text}");
        assert_eq!(lines[TREE_LINES - 1], "├─ Device/d48  DOWN by CONTAINMENT");
        assert_eq!(lines[TREE_LINES], "and 2000031 more: --all shows everything");
        assert_eq!(lines[TREE_LINES + 1], "Device 2000080 DOWN");
        assert_eq!(printed(&impact, Extent::All).lines().filter(|line| line.contains("Device/")).count(), 80);
    }
}
