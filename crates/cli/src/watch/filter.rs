//! Holds the filter of a watch as it was typed. A state file stores it, so that a watch with another filter cannot use
//! the file.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::event::EventType;
use crate::object::{KindName, ObjectName};
use underlay_kit::line;

/// The filter of a watch; an empty field does not restrict the events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchFilter {
    kinds: Vec<String>,
    /// The object as it was typed. Its id is not stored here, because the object can be renamed or deleted later.
    within: Option<String>,
    label: Option<String>,
    operations: Vec<EventType>,
    sources: Vec<String>,
}

impl WatchFilter {
    /// Returns the filter of these arguments. The order of the arguments makes no difference.
    pub(super) fn of(
        kinds: &[KindName],
        within: Option<&ObjectName>,
        label: Option<&str>,
        operations: &[EventType],
        sources: &[String],
    ) -> Self {
        Self {
            kinds: sorted(kinds.iter().map(|KindName(kind)| kind.name.to_owned())),
            within: within.map(ToString::to_string),
            label: label.map(str::to_owned),
            operations: sorted(operations.iter().copied()),
            sources: sorted(sources.iter().cloned()),
        }
    }

    /// Returns the filter as the API takes it, with the id of the object that `within` names.
    pub(super) fn variable(&self, within: Option<&str>) -> Value {
        let mut filter = json!({});
        if !self.kinds.is_empty() {
            filter["kinds"] = json!(self.kinds);
        }
        if !self.operations.is_empty() {
            filter["operations"] = json!(self.operations);
        }
        if !self.sources.is_empty() {
            filter["sources"] = json!(self.sources);
        }
        if let Some(label) = &self.label {
            filter["labels"] = json!(label);
        }
        if let Some(id) = within {
            filter["within"] = json!(id);
        }
        filter
    }
}

fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Formats the filter as the arguments that produce it.
impl fmt::Display for WatchFilter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = |name: &str, value: &str| format!("--{name} {}", line(value));
        let kinds = self.kinds.iter().map(|kind| flag("kind", kind));
        let within = self.within.iter().map(|within| flag("within", within));
        let label = self.label.iter().map(|label| flag("label", label));
        let operations = self.operations.iter().map(|what| flag("operation", what.word()));
        let sources = self.sources.iter().map(|source| flag("source", source));
        let all: Vec<String> = kinds.chain(within).chain(label).chain(operations).chain(sources).collect();
        if all.is_empty() { out.write_str("no filter") } else { out.write_str(&all.join(" ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_equal_in_any_order_and_have_the_form_of_the_api() {
        let kind = |word: &str| word.parse::<KindName>().expect("a kind");
        let within: ObjectName = "racks/ams1/A14".parse().expect("a name");
        let sources = ["b".to_owned(), "a".to_owned()];
        let filter = |kinds: &[KindName]| {
            WatchFilter::of(kinds, Some(&within), Some("env=prod"), &[EventType::Updated, EventType::Created], &sources)
        };
        let one = filter(&[kind("racks"), kind("Device"), kind("rack")]);
        assert_eq!(one, filter(&[kind("devices"), kind("rack")]));
        assert_ne!(one, filter(&[]));
        assert_eq!(
            one.variable(Some("7")),
            json!({"kinds": ["Device", "Rack"], "operations": ["CREATED", "UPDATED"], "sources": ["a", "b"],
                "labels": "env=prod", "within": "7"})
        );
        assert_eq!(
            one.to_string(),
            "--kind Device --kind Rack --within rack/ams1/A14 --label env=prod --operation CREATED --operation UPDATED \
             --source a --source b"
        );
        let none = WatchFilter::default();
        assert_eq!((none.to_string().as_str(), none.variable(None)), ("no filter", json!({})));
    }
}
