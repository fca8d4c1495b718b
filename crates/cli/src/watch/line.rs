//! Formats an event as a line for people: time, type, object, actor, and the old and new values.

use super::event::Event;
use crate::csv::CsvColumns;
use crate::describe::difference;
use crate::object::kinds;
use crate::show::{instant, of_word};

/// The width of the column for the type of an event.
const TYPE_WIDTH: usize = "UPDATED".len();

/// Returns the line with colours and a line feed.
pub(super) fn line(event: &Event) -> String {
    let word = event.what.word();
    let style = of_word(word);
    let at = instant(event.at.as_str().unwrap_or_default());
    let kind = event.kind.as_deref().and_then(|kind| kinds().named(kind));
    let changed = kind.map(|kind| difference(CsvColumns::of(kind), &event.change["was"], &event.change["is"]));
    let rest = [event.path(), event.author(), changed].into_iter().flatten().filter(|text| !text.is_empty());
    let rest = rest.collect::<Vec<_>>().join("  ");
    format!("{at}  {style}{word:TYPE_WIDTH$}{style:#}  {rest}\n")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn printed(what: &str, object: Value, change: Value) -> String {
        let event: Event = serde_json::from_value(json!({
            "type": what, "cursor": "c", "revision": 7, "at": "2026-11-20T12:25:33.123Z", "kind": "Port", "objectId": "1",
            "name": "e1", "objectRevision": 8, "object": object, "change": change,
        }))
        .expect("an event");
        anstream::adapter::strip_str(&line(&event)).to_string()
    }

    #[test]
    fn a_line_has_the_object_the_author_and_the_fields() {
        let port = json!({"name": "e1", "family": "DATA", "device": {"name": "leaf-3", "site": {"name": "ams1"}}});
        let change = |before: Value, after: Value| json!({"was": before, "is": after, "actor": "ana", "source": "crm"});
        let updated = change(json!({"mtu": 1500, "version": 1}), json!({"mtu": 9000, "version": 7}));
        assert_eq!(
            printed("UPDATED", port.clone(), updated),
            "2026-11-20T12:25:33Z  UPDATED  port/ams1/leaf-3/e1  ana for crm  mtu 1500 → 9000\n"
        );
        let created = change(Value::Null, json!({"mtu": 1500}));
        assert_eq!(
            printed("CREATED", port.clone(), created),
            "2026-11-20T12:25:33Z  CREATED  port/ams1/leaf-3/e1  ana for crm\n"
        );
        assert_eq!(printed("LEFT", port, Value::Null), "2026-11-20T12:25:33Z  LEFT     port/ams1/leaf-3/e1\n");
        let deleted = change(json!({"mtu": 1500}), Value::Null);
        assert_eq!(printed("DELETED", Value::Null, deleted), "2026-11-20T12:25:33Z  DELETED  port/e1  ana for crm\n");
    }
}
