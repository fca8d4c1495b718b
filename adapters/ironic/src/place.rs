//! The rules by which the place of a node in a rack is found.
//!
//! Ironic knows no racks; sites keep them in `extra`, in `properties`, or in the names of nodes. A rule is written as
//! `FIELD=PATTERN`. The field is `name`, `description`, `conductor_group`, or a path such as `extra.location.rack`. The
//! pattern is the text of the field, in which `{rack}`, `{unit}` and `{height}` stand for what is wanted, and `*` for any
//! text. Each takes as little as it can; `{unit}` and `{height}` take numbers. Of several rules, the first that fits counts
//! for each part of the place.

use serde_json::{Map, Value};
use thiserror::Error;
use underlay_kit::shown;

use crate::client::Node;

/// The maximum number of parts of a pattern.
const MAX_PATTERN_PARTS: usize = 32;
/// The fields that are no paths.
const PLAIN: [&str; 3] = ["name", "description", "conductor_group"];

/// The reason why a rule cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the rule {} for places {reason}; write it like extra.rack={{rack}} or name={{rack}}-u{{unit}}*", shown(.rule))]
pub struct RuleError {
    rule: String,
    reason: String,
}

/// A rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    field: Vec<String>,
    parts: Vec<Piece>,
}

/// A piece of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Any,
    Rack,
    Unit,
    Height,
}

/// The position of a node, as far as rules found it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RackPosition {
    /// The name of the rack.
    pub rack: Option<String>,
    /// The lowest unit.
    pub unit: Option<f64>,
    /// The number of units.
    pub height: Option<f64>,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// Returns the reason why the text is none.
    pub fn parse(rule: &str) -> Result<Self, RuleError> {
        let wrong = |reason: &str| RuleError { rule: rule.to_owned(), reason: reason.to_owned() };
        let (field, pattern) = rule.split_once('=').ok_or_else(|| wrong("has no ="))?;
        let field: Vec<String> = field.trim().split('.').map(str::to_owned).collect();
        let is_known = match field.as_slice() {
            [one] => PLAIN.contains(&one.as_str()),
            [first, rest @ ..] => {
                ["extra", "properties"].contains(&first.as_str()) && rest.iter().all(|it| !it.is_empty())
            }
            [] => false,
        };
        if !is_known {
            return Err(wrong("must begin with name, description, conductor_group, extra.NAME or properties.NAME"));
        }
        let parts = pieces(pattern.trim()).map_err(wrong)?;
        if !parts.iter().any(|part| matches!(part, Piece::Rack | Piece::Unit | Piece::Height)) {
            return Err(wrong("must have {rack}, {unit} or {height}"));
        }
        Ok(Self { field, parts })
    }

    /// Adds what the rule finds to a place.
    fn apply(&self, node: &Node, place: &mut RackPosition) {
        let Some(text) = self.text(node) else { return };
        let mut found = RackPosition::default();
        if fit(&self.parts, &text, &mut found) {
            place.rack = place.rack.take().or(found.rack);
            place.unit = place.unit.or(found.unit);
            place.height = place.height.or(found.height);
        }
    }

    /// Returns the text of the field.
    fn text(&self, node: &Node) -> Option<String> {
        let value = match self.field.as_slice() {
            [one] if one == "name" => return node.name.clone(),
            [one] if one == "description" => return node.description.clone(),
            [one] if one == "conductor_group" => return node.conductor_group.clone(),
            [first, rest @ ..] if first == "extra" => within(&node.extra, rest)?,
            [_, rest @ ..] => within(&node.properties, rest)?,
            [] => return None,
        };
        match value {
            Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// Returns the place of a node by rules.
pub fn place(rules: &[Rule], node: &Node) -> RackPosition {
    let mut place = RackPosition::default();
    rules.iter().for_each(|rule| rule.apply(node, &mut place));
    place
}

fn within<'a>(members: &'a Map<String, Value>, path: &[String]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    let value = members.get(first)?;
    if rest.is_empty() { Some(value) } else { within(value.as_object()?, rest) }
}

fn pieces(pattern: &str) -> Result<Vec<Piece>, &'static str> {
    let (mut pieces, mut rest) = (Vec::new(), pattern);
    while !rest.is_empty() {
        let (piece, length) = match rest.find(['{', '*']) {
            Some(0) if rest.starts_with('*') => (Piece::Any, 1),
            Some(0) => {
                let end = rest.find('}').ok_or("has a { without a }")?;
                let piece = match &rest[1..end] {
                    "rack" => Piece::Rack,
                    "unit" => Piece::Unit,
                    "height" => Piece::Height,
                    _ => return Err("can have {rack}, {unit} and {height} only"),
                };
                (piece, end + 1)
            }
            Some(at) => (Piece::Text(rest[..at].to_owned()), at),
            None => (Piece::Text(rest.to_owned()), rest.len()),
        };
        pieces.push(piece);
        rest = &rest[length..];
    }
    if pieces.len() > MAX_PATTERN_PARTS {
        return Err("has too many parts");
    }
    // A number ends by itself, and anything can follow it.
    let is_clear = |pair: &[Piece]| {
        let is_number = matches!(pair[0], Piece::Unit | Piece::Height);
        pair.iter().any(|piece| matches!(piece, Piece::Text(_))) || (is_number && pair[1] == Piece::Any)
    };
    if !pieces.windows(2).all(is_clear) {
        return Err("must have a text between two of {rack}, {unit}, {height} and *, but for a * after a number");
    }
    Ok(pieces)
}

/// Fits the pieces to a text, and notes what they stand for. Each takes as little as it can, so a piece ends at the first
/// place where the text after it stands; the last one takes the rest.
fn fit(pieces: &[Piece], text: &str, found: &mut RackPosition) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return text.is_empty() };
    if let Piece::Text(literal) = piece {
        return text.strip_prefix(literal.as_str()).is_some_and(|text| fit(rest, text, found));
    }
    let end = match (piece, rest.first()) {
        (Piece::Unit | Piece::Height, _) => text.find(|letter: char| !letter.is_ascii_digit() && letter != '.'),
        (_, Some(Piece::Text(literal))) => match text.find(literal.as_str()) {
            Some(at) => Some(at),
            None => return false,
        },
        _ => None,
    };
    let (value, after) = text.split_at(end.unwrap_or(text.len()));
    let fits = match piece {
        Piece::Rack => {
            found.rack = Some(value.to_owned());
            !value.is_empty()
        }
        Piece::Unit => {
            found.unit = number(value);
            found.unit.is_some()
        }
        Piece::Height => {
            found.height = number(value);
            found.height.is_some()
        }
        Piece::Any | Piece::Text(_) => true,
    };
    fits && fit(rest, after, found)
}

/// Reads a number of units, which the inventory has in steps of a half.
fn number(text: &str) -> Option<f64> {
    let number: f64 = text.parse().ok()?;
    (number > 0.0 && number <= 100.0 && (number * 2.0).fract() == 0.0).then_some(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn node() -> Node {
        let Value::Object(extra) = json!({"rack": "B07", "loc": {"u": 14, "h": "2"}, "empty": ""}) else {
            unreachable!()
        };
        Node { name: Some("ams1-r12-u03-gpu".to_owned()), extra, ..Node::default() }
    }

    #[test]
    fn rules_find_the_parts_of_a_place() {
        for (rules, expected) in [
            (
                &["extra.rack={rack}", "extra.loc.u={unit}", "extra.loc.h={height}"][..],
                (Some("B07"), Some(14.0), Some(2.0)),
            ),
            (&["name=ams1-{rack}-u{unit}-*"], (Some("r12"), Some(3.0), None)),
            (&["name=*-r{rack}-u{unit}*"], (Some("12"), Some(3.0), None)),
            (&["name=ams2-{rack}-u{unit}", "extra.rack={rack}"], (Some("B07"), None, None)),
            (&["name=ams1-r{unit}-u{height}-*", "extra.rack=*{rack}7"][..1], (None, Some(12.0), Some(3.0))),
            (&["extra.empty={rack}", "extra.gone={rack}", "properties.rack={rack}"], (None, None, None)),
            (&["extra.rack={unit}"], (None, None, None)),
        ] {
            let parsed: Vec<Rule> = rules.iter().map(|rule| Rule::parse(rule).expect("a rule")).collect();
            let found = place(&parsed, &node());
            assert_eq!((found.rack.as_deref(), found.unit, found.height), expected, "{rules:?}");
        }
    }

    #[test]
    fn rejects_a_text_that_is_no_rule_with_a_readable_error() {
        for (rule, expected) in [
            ("extra.rack", "has no ="),
            ("rack={rack}", "must begin with name"),
            ("extra={rack}", "must begin with name"),
            ("extra.a..b={rack}", "must begin with name"),
            ("driver_info.x={rack}", "must begin with name"),
            ("name=rack", "must have {rack}"),
            ("name={rack", "has a { without a }"),
            ("name={row}", "can have {rack}, {unit} and {height} only"),
            ("name={rack}{unit}", "must have a text between two"),
        ] {
            let refused = Rule::parse(rule).expect_err("refused").to_string();
            assert!(refused.contains(expected) && refused.contains("write it like"), "{refused}");
        }
    }
}
