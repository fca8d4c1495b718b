//! Numbers and texts that outlive a process are data: a client or the database gives them back to a later version. Each
//! of them is pinned here. `field_numbers.rs` does the same for the numbers of fields.

use std::collections::BTreeSet;

use underlay_engine::feed::{self, EventPosition};
use underlay_entity::boot::BootTarget;
use underlay_entity::boot_attempt::{BootAttemptState, BootPurpose};
use underlay_entity::facts::FactsOrigin;
use underlay_entity::observation::ObservedCondition;
use underlay_read::{self, ListPosition, SortValue};
use uuid::Uuid;

use super::source::{Source, repository, sources};

/// A line for each number: `kind Kind number`, `family Kind number name`, or `condition Name bit`. Lines are only
/// added.
const PINNED: &str = include_str!("stored_numbers.txt");

#[test]
fn kinds_and_families_keep_their_numbers() {
    let registry = underlay_kinds::registry();
    let mut found = BTreeSet::new();
    for kind in registry.kinds() {
        found.insert(format!("kind {} {}", kind.name, kind.id.0));
        let families = kind.key.family.into_iter().flat_map(|family| family.names).enumerate();
        found.extend(families.map(|(number, name)| format!("family {} {number} {name}", kind.name)));
    }
    let conditions = ObservedCondition::ALL.into_iter();
    found.extend(conditions.map(|it| format!("condition {it:?} {}", it.bit().trailing_zeros())));
    let pinned: BTreeSet<String> = PINNED.lines().map(str::to_owned).collect();
    assert_eq!(found, pinned, "numbers that are found, and those in stored_numbers.txt: a number is never used again");
}

#[test]
fn origins_of_facts_keep_their_numbers() {
    let numbers = FactsOrigin::ALL.map(|origin| (format!("{origin:?}"), origin.number()));
    assert_eq!(numbers, [("Agent".to_owned(), 0), ("Recorder".to_owned(), 1), ("Bmc".to_owned(), 2)]);
}

#[test]
fn purposes_states_and_targets_of_boots_keep_their_numbers() {
    let targets = BootTarget::ALL.map(|target| (format!("{target:?}"), target.number()));
    assert_eq!(
        targets,
        [("Local", 0), ("Discover", 1), ("Install", 2), ("Wipe", 3)].map(|(name, number)| (name.to_owned(), number))
    );
    let purposes = BootPurpose::ALL.map(|purpose| (format!("{purpose:?}"), purpose.number()));
    assert_eq!(
        purposes,
        [("Discover", 1), ("Install", 2), ("Wipe", 3)].map(|(name, number)| (name.to_owned(), number))
    );
    let states = BootAttemptState::ALL.map(|state| (format!("{state:?}"), state.number()));
    assert_eq!(
        states,
        [("Open", 1), ("Done", 2), ("Failed", 3), ("Closed", 4)].map(|(name, number)| (name.to_owned(), number))
    );
}

/// A higher format is one that older processes must not read. It needs a migration that raises the format in the
/// revision row, and code that still reads the records of the formats before.
#[test]
fn records_keep_their_format() {
    assert_eq!(feed::FORMAT, 1);
}

#[test]
fn cursors_of_lists_keep_their_form() {
    let (parent, id) = (Uuid::from_u128(7), Uuid::from_u128(9));
    let text = |text: &str| SortValue::Text(text.to_owned());
    for (position, revision, pinned) in [
        (
            ListPosition::Key(parent, 1, text("e1")),
            None,
            "W3siayI6WyIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDciLDEseyJ0IjoiZTEifV19LCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDkiXQ",
        ),
        (
            ListPosition::Key(parent, 0, text("e1")),
            Some(12),
            "W3siayI6WyIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDciLDAseyJ0IjoiZTEifV19LCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDkiLDEyXQ",
        ),
        (ListPosition::Updated(12), None, "W3sidSI6MTJ9LCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDkiXQ"),
        (
            ListPosition::Value("SERIAL".to_owned(), SortValue::None),
            None,
            "W3sidiI6WyJTRVJJQUwiLCJuIl19LCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDkiXQ",
        ),
        (
            ListPosition::Value("SERIAL".to_owned(), text("a")),
            None,
            "W3sidiI6WyJTRVJJQUwiLHsidCI6ImEifV19LCIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDkiXQ",
        ),
        (
            ListPosition::Value("MTU".to_owned(), SortValue::Integer(9_000)),
            None,
            "W3sidiI6WyJNVFUiLHsiaSI6OTAwMH1dfSwiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDA5Il0",
        ),
        (
            ListPosition::Value("UNIT".to_owned(), SortValue::Number(1.5)),
            None,
            "W3sidiI6WyJVTklUIix7ImYiOjEuNX1dfSwiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDA5Il0",
        ),
    ] {
        let cursor = underlay_read::Cursor(position, id);
        assert_eq!(cursor.encode(revision), pinned, "{cursor:?}");
        assert_eq!(underlay_read::Cursor::decode(pinned), Some((cursor, revision)));
    }
}

#[test]
fn cursors_of_events_keep_their_form() {
    let (batch, object) = (Uuid::from_u128(7), Uuid::from_u128(9));
    for (position, batch_id, pinned) in [
        (EventPosition::Change(3), Some(batch), "NDEvMy8wMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwNw"),
        (
            EventPosition::Moved(object),
            Some(batch),
            "NDEvbTAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA5LzAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA3",
        ),
        (EventPosition::End, Some(batch), "NDEvLzAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA3"),
        (EventPosition::End, None, "NDEvLw"),
    ] {
        let cursor = feed::Cursor { revision: 41, position, batch_id };
        assert_eq!(cursor.encode(), pinned, "{cursor:?}");
        assert_eq!(feed::Cursor::decode(pinned), Some(cursor));
    }
}

#[test]
fn cursors_of_the_change_log_keep_their_form() {
    for (revision, position, pinned) in
        [(41, 3, "NDEvMw"), (1, 0, "MS8w"), (i64::MAX, i32::MAX, "OTIyMzM3MjAzNjg1NDc3NTgwNy8yMTQ3NDgzNjQ3")]
    {
        let cursor = underlay_read::LogPosition { revision, position };
        assert_eq!(cursor.encode(), pinned, "{cursor:?}");
        assert_eq!(underlay_read::LogPosition::decode(pinned), Some(cursor));
    }
}

#[test]
fn cursors_of_diffs_keep_their_form() {
    let object = Uuid::from_u128(9);
    for (from, to, pinned) in [
        (0, 41, "MC80MS8wMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDk"),
        (41, 7, "NDEvNy8wMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDk"),
    ] {
        let cursor = underlay_read::DiffPosition { from, to, object };
        assert_eq!(cursor.encode(), pinned, "{cursor:?}");
        assert_eq!(underlay_read::DiffPosition::decode(pinned), Some(cursor));
    }
}

/// The files that make cursors. The forms that other modules can make are pinned above; for the others there is a text of
/// the test beside them that pins them. A new kind of cursor must be pinned too.
const CURSORS: [(&str, Option<&str>); 12] = [
    ("crates/engine/src/feed/cursor.rs", None),
    ("crates/kinds/src/changes/mod.rs", None),
    ("crates/kinds/src/control/acts.rs", Some("assert_eq!(cursor(&act), \"4107\");")),
    ("crates/kinds/src/diff.rs", None),
    ("crates/kinds/src/facts/events.rs", Some("assert_eq!(cursor(&event), \"4107\");")),
    ("crates/kinds/src/facts/traced_parts.rs", Some("assert_eq!(cursor(&part), \"4107\");")),
    ("crates/kinds/src/impact/answer.rs", None),
    ("crates/kinds/src/impact/cursor.rs", Some("\"AAAAAAAAAAcAAAAAAAAAAAAAAAAAAAAD__________8AAAAMleOvxqOt2OM\"")),
    ("crates/kinds/src/runs/list.rs", Some("\"2027-01-15T08:00:00.123456789Z/00000000-0000-0000-0000-000000000007\"")),
    ("crates/read/src/connection.rs", None),
    ("crates/read/src/cursor.rs", None),
    ("crates/read/src/log_cursor.rs", None),
];

/// The file that encodes tokens, which are no cursors.
const TOKENS: &str = "crates/engine/src/store/boot_token.rs";

#[test]
fn every_cursor_is_pinned() {
    // A page names its cursors, and all but numbers are encoded.
    let is_encoded = |source: &Source| source.has("URL_SAFE_NO_PAD") && source.path != TOKENS;
    let makes = |source: &Source| is_encoded(source) || source.has("end_cursor");
    let all = ["crates/engine/src", "crates/kinds/src", "crates/read/src", "crates/server/src"];
    let all = all.into_iter().flat_map(sources);
    let found: BTreeSet<String> = all.filter(makes).map(|source| source.path).collect();
    assert_eq!(found, BTreeSet::from(CURSORS.map(|(file, _)| file.to_owned())));
    for (file, pinned) in CURSORS {
        let text = std::fs::read_to_string(repository().join(file)).expect("a source");
        assert!(pinned.is_none_or(|pinned| text.contains(pinned)), "{file} does not pin its cursors any more");
    }
}

/// Controllers of other versions, and the server, compute the same.
#[test]
fn hosts_keep_their_leases() {
    for (id, number) in [(0, 0), (63, 63), (64, 0), (255, 63), (256, 0)] {
        assert_eq!(underlay_hosts::controller::lease_of(Uuid::from_u128(id)), number, "{id}");
    }
}
