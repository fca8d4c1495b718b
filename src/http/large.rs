//! Large bodies: the items of a batch in them are parsed on two threads.
//!
//! What comes out is what parsing the whole gives. The items are looked for by where they begin and end only; wherever
//! that does not lead to a list that parses, the whole is parsed in one piece, which says what is wrong with it.

use std::ops::Range;

use memchr::{memchr2, memmem};
use serde_json::Value;

use crate::store::in_halves;

/// The member that holds the items of a batch.
const ITEMS: &[u8] = b"\"items\"";
/// What stands for the items while the rest is parsed. Whoever sends it gets it back.
const MARK: &str = "the items of a batch, parsed apart";

/// Parses a body.
///
/// # Errors
/// When it is not JSON.
pub fn parse(body: &[u8]) -> Result<Value, serde_json::Error> {
    apart(body).map_or_else(|| serde_json::from_slice(body), Ok)
}

/// Parses a body with its items apart, if it has some where the variables of a request have them.
fn apart(body: &[u8]) -> Option<Value> {
    let items = memmem::find(body, ITEMS)? + ITEMS.len();
    let colon = items + body[items..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let list = (body[colon] == b':').then_some(colon + 1)?;
    let list = list + body[list..].iter().position(|byte| !byte.is_ascii_whitespace())?;
    let (elements, end) = elements(body, list)?;
    let rest = [&body[..list], b"\"", MARK.as_bytes(), b"\"", &body[end..]].concat();
    let mut whole: Value = serde_json::from_slice(&rest).ok()?;
    let variables = whole.get_mut("variables")?.as_object_mut()?;
    let mut marked = variables.values_mut().filter_map(|value| value.get_mut("items"));
    let place = marked.find(|items| items.as_str() == Some(MARK))?;
    let parsed = in_halves(&elements, elements.len(), |elements| {
        let parsed: Result<Vec<Value>, _> =
            elements.iter().map(|it| serde_json::from_slice(&body[it.clone()])).collect();
        vec![parsed]
    });
    let parsed: Vec<Vec<Value>> = parsed.into_iter().collect::<Result<_, _>>().ok()?;
    *place = Value::Array(parsed.into_iter().flatten().collect());
    Some(whole)
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

    /// That a body is parsed as in one piece; whether its items were parsed apart.
    fn parsed(body: &str) -> bool {
        let whole = serde_json::from_str::<Value>(body).map_err(|error| error.to_string());
        assert_eq!(parse(body.as_bytes()).map_err(|error| error.to_string()), whole, "{body}");
        apart(body.as_bytes()).is_some()
    }

    #[test]
    fn items_are_parsed_apart_where_a_request_has_them() {
        for body in [
            r#"{"query": "q", "variables": {"input": {"items": [{"site": {"name": "a"}}, 2 ,[3, 4]], "mode": "ATOMIC"}}}"#,
            r#"{"variables":{"input":{"items":[{"a":"]},[{\"\\"},{"b":"\\\""},"\u005d",null]}},"query":"items: [1]"}"#,
            r#"{"query": "{ a(x: \"items\": [1]) }", "variables": {"i" : {"items" : [ { } ] , "x": 1}}}"#,
        ] {
            assert!(parsed(body), "{body}");
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
            assert!(!parsed(body), "{body}");
        }
    }

    #[test]
    fn half_of_many_items_is_parsed_on_another_thread() {
        let items: Vec<Value> = (0..2_001).map(|number| serde_json::json!({"rack": {"name": number}})).collect();
        let body = serde_json::json!({"query": "q", "variables": {"input": {"items": items}}});
        assert!(parsed(&body.to_string()));
        let cut = body.to_string().replace(":2000", ":200x");
        assert!(!parsed(&cut), "what is wrong is said as ever");
    }
}
