use chrono::DateTime;
use serde_json::{Value, json};

use super::*;

const HERE: u128 = 100;
const THERE: u128 = 200;

/// A record of an object with the number 7: what it stands in and its labels, before and after.
fn record(before: Option<(&[u128], Value)>, after: Option<(&[u128], Value)>) -> change::Model {
    let scope = |(containers, labels): (&[u128], Value)| {
        let containers: Vec<Uuid> = containers.iter().map(|id| Uuid::from_u128(*id)).collect();
        json!({ "labels": labels, "tenant": null, "containers": containers }).to_string()
    };
    let operation = match (&before, &after) {
        (None, _) => Operation::Created,
        (_, None) => Operation::Deleted,
        _ => Operation::Updated,
    };
    let (before, after) = (before.map(scope), after.map(scope));
    change::Model {
        revision: 1,
        position: 0,
        format: 1,
        kind: "Thing".to_owned(),
        object_id: Uuid::from_u128(7),
        name: "t".to_owned(),
        operation,
        before: None,
        after: None,
        scope_before: before.filter(|scope| after.as_ref() != Some(scope)),
        scope_after: after,
        actor: "a".to_owned(),
        source: Some("bcm".to_owned()),
        at: DateTime::UNIX_EPOCH,
    }
}

fn set<T: Eq + std::hash::Hash>(values: impl IntoIterator<Item = T>) -> Option<HashSet<T>> {
    Some(values.into_iter().collect())
}

#[test]
fn a_change_fits_when_the_object_did_before_or_does_after() {
    let none = || json!({});
    let within = EventFilter { within: Some(Uuid::from_u128(HERE)), ..EventFilter::default() };
    let labels = |text: &str| Some(LabelSelector::parse(text).expect("a selector"));
    let labelled = EventFilter { labels: labels("env=prod"), ..EventFilter::default() };
    let both = EventFilter { labels: labels("env=prod"), ..within.clone() };
    let (here, there): (&[u128], &[u128]) = (&[HERE, 1], &[THERE, 1]);
    let (prod, lab) = (|| json!({"env": "prod"}), || json!({"env": "lab"}));
    for (filter, before, after, fits, moved) in [
        (&within, Some((here, none())), Some((here, none())), true, false),
        (&within, Some((there, none())), Some((there, none())), false, false),
        (&within, Some((here, none())), Some((there, none())), true, true),
        (&within, Some((there, none())), Some((here, none())), true, true),
        (&within, None, Some((here, none())), true, false),
        (&within, None, Some((there, none())), false, false),
        (&within, Some((here, none())), None, true, false),
        (&within, Some((there, none())), None, false, false),
        (&within, Some((here, none())), Some((here, prod())), true, false),
        (&labelled, Some((here, prod())), Some((here, lab())), true, false),
        (&labelled, Some((here, lab())), Some((here, prod())), true, false),
        (&labelled, Some((here, lab())), Some((there, lab())), false, false),
        // Both at the same time: never the old place with the new labels.
        (&both, Some((here, lab())), Some((there, prod())), false, true),
        (&both, Some((here, prod())), Some((there, lab())), true, true),
    ] {
        let shown = format!("{before:?} {after:?}");
        let judged = filter.judge(&record(before, after)).expect("a record");
        assert_eq!(judged, Judged { fits, moved }, "{filter:?} {shown}");
    }
}

#[test]
fn named_values_are_matched() {
    let default = EventFilter::default;
    let here = [HERE];
    let update = record(Some((&here, json!({}))), Some((&here, json!({"a": "b"}))));
    for (filter, fits) in [
        (default(), true),
        (EventFilter { kinds: set(["Thing", "Other"]), ..default() }, true),
        (EventFilter { kinds: set(["Other"]), ..default() }, false),
        (EventFilter { kinds: set([]), ..default() }, false),
        (EventFilter { objects: set([Uuid::from_u128(7)]), ..default() }, true),
        (EventFilter { objects: set([Uuid::from_u128(8)]), ..default() }, false),
        (EventFilter { sources: set(["bcm".to_owned()]), ..default() }, true),
        (EventFilter { sources: set(["other".to_owned()]), ..default() }, false),
        (EventFilter { event_types: set([EventType::Updated]), ..default() }, true),
        (EventFilter { event_types: set([EventType::Created, EventType::Entered]), ..default() }, false),
    ] {
        assert_eq!(filter.judge(&update).expect("a record").fits, fits, "{filter:?}");
    }
}

#[test]
fn a_move_is_seen_where_the_change_itself_is_not_asked_for() {
    let (here, there) = ([HERE], [THERE]);
    let update = record(Some((&here, json!({}))), Some((&there, json!({}))));
    let within = Some(Uuid::from_u128(HERE));
    let filter = EventFilter { within, kinds: set(["Other"]), ..EventFilter::default() };
    assert_eq!(filter.judge(&update).expect("a record"), Judged { fits: false, moved: true });
    let filter = EventFilter { kinds: set(["Other"]), ..EventFilter::default() };
    assert_eq!(filter.judge(&update).expect("a record"), Judged { fits: false, moved: false });
}

#[test]
fn an_unreadable_record_is_an_error_only_for_a_filter_that_reads_it() {
    let mut bad = record(None, Some((&[HERE], json!({}))));
    bad.scope_after = Some("{".to_owned());
    assert!(EventFilter::default().judge(&bad).is_ok());
    let filter = EventFilter { within: Some(Uuid::from_u128(HERE)), ..EventFilter::default() };
    assert!(matches!(filter.judge(&bad), Err(RecordError::Scope { revision: 1, .. })));
}
