//! Requests change events, reads them, and formats them as JSON for programs.

use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use underlay_client::ChangeEvent;

use crate::describe::author;
use crate::follow::Followed;
use crate::object::{KindName, ObjectPath, kinds, selection};
use crate::show::escaped;
use underlay_kit::line;

/// The type of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, ValueEnum)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum EventType {
    /// An object was created.
    Created,
    /// Some fields of an object changed.
    Updated,
    /// An object was deleted.
    Deleted,
    /// An object moved below --within, because an object that contains it moved.
    Entered,
    /// An object moved out from below --within, because an object that contains it moved.
    Left,
    /// A note without a change, with the current position of the server.
    #[value(skip)]
    Progress,
}

impl EventType {
    /// Returns the API's word for the type.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Created => "CREATED",
            Self::Updated => "UPDATED",
            Self::Deleted => "DELETED",
            Self::Entered => "ENTERED",
            Self::Left => "LEFT",
            Self::Progress => "PROGRESS",
        }
    }
}

impl fmt::Display for EventType {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// A position in the order of events from which a watch can resume.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct EventPosition {
    /// The cursor that the API takes as `after`.
    pub(super) cursor: String,
    /// The revision of the position, if it is known.
    pub(super) revision: Option<i64>,
}

/// Formats the position for messages to the user.
impl fmt::Display for EventPosition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.revision {
            Some(revision) => write!(out, "revision {revision}"),
            None => write!(out, "{}", line(&self.cursor)),
        }
    }
}

/// A change event, or a note of how far the server is.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Event {
    #[serde(rename = "type")]
    pub(super) what: EventType,
    pub(super) cursor: String,
    pub(super) revision: i64,
    pub(super) at: Value,
    pub(super) kind: Option<String>,
    pub(super) object_id: Option<String>,
    pub(super) name: Option<String>,
    /// The path as the server writes it, without a family.
    #[serde(default)]
    path: Option<String>,
    /// The change; null if the object only moved with an object that contains it.
    #[serde(default)]
    pub(super) change: Value,
    #[serde(default)]
    object: Value,
    object_revision: i64,
}

/// Returns the subscription for objects of these kinds, or of all kinds if none is given.
pub(super) fn subscription(of: &[KindName]) -> String {
    let all = kinds().kinds().filter(|kind| of.is_empty() || of.iter().any(|KindName(one)| one.id == kind.id));
    let paths = all.map(|kind| format!("... on {} {{ {} }}", kind.name, selection(kind)));
    format!(
        "subscription($filter: ChangeEventFilter, $after: ChangeCursor) {{ changes(filter: $filter, after: $after) {{ \
           type cursor revision at kind objectId name path objectRevision \
           change {{ position before after was: before(references: KEY) is: after(references: KEY) actor source }} \
           object {{ ... on Object {{ labels }} {} }} }} }}",
        paths.collect::<Vec<_>>().join(" ")
    )
}

impl ChangeEvent for Event {
    fn cursor(&self) -> &str {
        &self.cursor
    }
}

impl Followed for Event {
    type Position = EventPosition;

    fn position(&self) -> EventPosition {
        EventPosition { cursor: self.cursor.clone(), revision: Some(self.revision) }
    }
}

impl Event {
    /// Returns the path of the object in a form that can be typed: `rack/ams1/A14`. That of an object that no longer exists
    /// is its path before it was deleted.
    pub(super) fn path(&self) -> Option<String> {
        let (kind, name) = (self.kind.as_deref()?, self.name.as_deref()?);
        Some(match kinds().named(kind) {
            Some(kind) if self.object.is_object() => ObjectPath::read(kind, &self.object).to_string(),
            Some(kind) => line(self.path.as_deref().unwrap_or(&format!("{}/{name}", kind.singular))),
            // The server is newer and has more kinds.
            None => line(&format!("{kind}/{name}")),
        })
    }

    /// Returns the actor of the change, and the source on whose behalf the actor wrote.
    pub(super) fn author(&self) -> Option<String> {
        self.change.is_object().then(|| author(&self.change))
    }

    /// Formats the whole event as JSON in one line, without a line feed.
    pub(super) fn json(&self) -> String {
        let change = &self.change;
        // A change holds the labels if they are among its fields. The change that deletes an object holds all fields.
        let labels = match &self.object {
            Value::Object(object) => object.get("labels"),
            _ => change["before"].get("labels"),
        };
        let value = json!({
            "type": self.what, "cursor": self.cursor, "revision": self.revision, "at": self.at,
            "kind": self.kind, "objectId": self.object_id, "name": self.name, "path": self.path(),
            "labels": labels, "position": change["position"], "actor": change["actor"], "source": change["source"],
            "before": change["before"], "after": change["after"], "objectRevision": self.object_revision,
        });
        escaped(&value.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(value: Value) -> Event {
        serde_json::from_value(value).expect("an event")
    }

    #[test]
    fn the_subscription_is_valid_graphql() {
        let racks: KindName = "racks".parse().expect("a kind");
        for of in [&[][..], &[racks]] {
            underlay_testing::graphql::assert_valid(subscription(of));
        }
        assert!(
            subscription(&[racks]).contains("object { ... on Object { labels } ... on Rack { name site { name } } }")
        );
    }

    #[test]
    fn events_are_formatted_completely() {
        let updated = event(json!({
            "type": "UPDATED", "cursor": "c", "revision": 7, "at": "2026-11-20T12:25:33Z", "kind": "Rack", "objectId": "1",
            "name": "A14", "path": "rack/ams1/A14", "objectRevision": 8, "object": {"labels": {"a": "b"}, "name": "A14", "site": {"name": "ams1"}},
            "change": {"position": 2, "before": {"status": "ACTIVE"}, "after": {"status": "FAILED"}, "actor": "ana", "source": null},
        }));
        assert_eq!((updated.path().as_deref(), updated.author().as_deref()), (Some("rack/ams1/A14"), Some("ana")));
        assert_eq!(
            updated.json(),
            "{\"type\":\"UPDATED\",\"cursor\":\"c\",\"revision\":7,\"at\":\"2026-11-20T12:25:33Z\",\"kind\":\"Rack\",\
             \"objectId\":\"1\",\"name\":\"A14\",\"path\":\"rack/ams1/A14\",\"labels\":{\"a\":\"b\"},\"position\":2,\
             \"actor\":\"ana\",\"source\":null,\"before\":{\"status\":\"ACTIVE\"},\"after\":{\"status\":\"FAILED\"},\
             \"objectRevision\":8}"
        );
        let deleted = event(json!({
            "type": "DELETED", "cursor": "c", "revision": 7, "at": "", "kind": "Rack", "objectId": "1", "name": "A\u{1b}",
            "path": "rack/ams1/A\u{1b}",
            "object": null, "objectRevision": 8,
            "change": {"position": 0, "before": {"labels": {"x": "y"}}, "after": null, "actor": "ana", "source": "crm"},
        }));
        assert_eq!(
            (deleted.path().as_deref(), deleted.author().as_deref()),
            (Some("rack/ams1/A\\u{1b}"), Some("ana for crm"))
        );
        let printed: Value = serde_json::from_str(&deleted.json()).expect("JSON");
        assert_eq!(printed["labels"], json!({"x": "y"}));
        let progress = event(json!({
            "type": "PROGRESS", "cursor": "c", "revision": 7, "at": "", "kind": null, "objectId": null, "name": null,
            "object": null, "objectRevision": 7, "change": null,
        }));
        assert_eq!((progress.path(), progress.author()), (None, None));
        assert_eq!(progress.position(), EventPosition { cursor: "c".to_owned(), revision: Some(7) });
    }
}
