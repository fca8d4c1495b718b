//! Large bodies: the items of a batch in them are read one by one, and need no tree of values.
//!
//! They are looked for by where they begin and end only. Whether they are JSON shows when they are read; a body that
//! has none, or none that can be read, is parsed in one piece, which says what is wrong with it.

use std::ops::Range;

use memchr::{memchr2, memmem};
use serde_json::Value;

/// The member that holds the items of a batch.
const ITEMS: &[u8] = b"\"items\"";
/// What stands for the items while the rest is parsed. Whoever sends it gets it back.
const MARK: &str = "the items of a batch, read apart";

/// A body in parts.
#[derive(Debug)]
pub struct Large<'a> {
    /// The body, with something else in the place of the items.
    pub whole: Value,
    /// The variable in which the items are.
    pub variable: String,
    /// The texts of the items.
    pub items: Vec<&'a str>,
}

/// A body in parts, if it has items where the variables of a request have them.
pub fn part(body: &[u8]) -> Option<Large<'_>> {
    let items = memmem::find(body, ITEMS)? + ITEMS.len();
    let colon = items + body[items..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let list = (body[colon] == b':').then_some(colon + 1)?;
    let list = list + body[list..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let (elements, end) = elements(body, list)?;
    let rest = [&body[..list], b"\"", MARK.as_bytes(), b"\"", &body[end..]].concat();
    let whole: Value = serde_json::from_slice(&rest).ok()?;
    let mut variables = whole.get("variables")?.as_object()?.iter();
    let (variable, _) = variables.find(|(_, value)| value.get("items").and_then(Value::as_str) == Some(MARK))?;
    let variable = variable.clone();
    let text = std::str::from_utf8(body).ok()?;
    let items: Option<Vec<&str>> = elements.into_iter().map(|element| text.get(element)).collect();
    Some(Large { whole, variable, items: items? })
}

/// Where the elements of the list stand that begins at a place, and where it ends. An empty list has one, which is no
/// value.
fn elements(body: &[u8], begin: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let mut elements = Vec::new();
    let (mut depth, mut from, mut at) = (0_usize, begin + 1, begin);
    loop {
        match body.get(at)? {
            b'"' => at = end_of_text(body, at + 1)?,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 1 => {
                elements.push(from..at);
                return (body[begin] == b'[' && body[at] == b']').then_some((elements, at + 1));
            }
            b']' | b'}' => depth -= 1,
            b',' if depth == 1 => {
                elements.push(from..at);
                from = at + 1;
            }
            _ if depth == 0 => return None,
            _ => {}
        }
        at += 1;
    }
}

/// Where the text ends that has begun before a place.
fn end_of_text(body: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', body.get(at..)?)?;
        if body[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A body, put together again from its parts; `None` if it has none.
    fn again(body: &str) -> Option<Value> {
        let Large { mut whole, variable, items } = part(body.as_bytes())?;
        let items: Result<Vec<Value>, _> = items.into_iter().map(serde_json::from_str).collect();
        whole["variables"][variable]["items"] = Value::Array(items.ok()?);
        Some(whole)
    }

    #[test]
    fn a_request_with_items_is_parted() {
        for body in [
            r#"{"query": "q", "variables": {"input": {"items": [{"site": {"name": "a"}}, 2 ,[3, 4]], "mode": "ATOMIC"}}}"#,
            r#"{"variables":{"input":{"items":[{"a":"]},[{\"\\"},{"b":"\\\""},"\u005d",null,"ä"]}},"query":"items: [1]"}"#,
            r#"{"query": "{ a(x: \"items\": [1]) }", "variables": {"i" : {"items" : [ { } ] , "x": 1}}}"#,
        ] {
            assert_eq!(again(body), serde_json::from_str(body).ok(), "{body}");
            assert!(again(body).is_some(), "{body}");
        }
    }

    #[test]
    fn all_else_is_parsed_in_one_piece() {
        for body in [
            "",
            "{",
            r#"{"items""#,
            r#"{"items": "#,
            r#"{"items": ["#,
            r#"{"items": [1], "variables": {}}"#,
            r#"{"variables": {"input": {"items": []}}}"#,
            r#"{"variables": {"input": {"items": {"a": 1}}}}"#,
            r#"{"variables": {"input": {"items": 1, "x": [1]}}}"#,
            r#"{"variables": {"input": {"items": [1, 2}}}"#,
            r#"{"variables": {"input": {"items": [1, {]}]}}}"#,
            r#"{"variables": {"input": {"items": [1,, 2]}}}"#,
            r#"{"variables": {"input": {"items": [1, 2,]}}}"#,
            r#"{"variables": {"input": {"items": [1, "a]}}}"#,
            r#"{"variables": {"input": {"items": [tru]}}}"#,
            r#"{"variables": {"input": {"items": [1]}}"#,
            r#"{"variables": {"input": {"items": [1]}, "input": 2}}"#,
            r#"{"variables": {"input": {"deep": {"items": [1]}}}}"#,
            r#"{"variables": [{"items": [1]}]}"#,
        ] {
            assert_eq!(again(body), None, "{body}");
        }
    }

    #[test]
    fn what_is_no_text_has_no_parts() {
        let body = b"{\"variables\": {\"input\": {\"items\": [\"\xff\"]}}}";
        assert!(part(body).is_none());
    }
}
