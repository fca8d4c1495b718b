//! Cursors: foreign cursors are rejected, and every well-formed cursor leads to a position.

use proptest::prelude::*;
use serde_json::{Value, json};
use underlay_engine::feed;
use underlay_read::{Cursor, ListPosition, SortValue};
use uuid::Uuid;

use super::{Served, always, mutation};

/// More than the page of a list, in the orders and with the revisions that a list can have.
const PAGE_QUERY: &str =
    "query($after: String, $before: String, $first: Int, $last: Int, $orderBy: DeviceOrder, $pin: Boolean) {
  devices(after: $after, before: $before, first: $first, last: $last, orderBy: $orderBy, pin: $pin) {
    nodes { name } pageInfo { endCursor hasNextPage }
  }
}";
const CHANGES: &str = "query($after: String) { changes(after: $after, first: 3) { nodes { revision } } }";

fn value() -> impl Strategy<Value = SortValue> {
    prop_oneof![
        Just(SortValue::None),
        any::<i64>().prop_map(SortValue::Integer),
        any::<f64>().prop_map(SortValue::Number),
        any::<String>().prop_map(SortValue::Text),
    ]
}

fn position() -> impl Strategy<Value = ListPosition> {
    prop_oneof![
        (any::<u128>(), any::<u8>(), value()).prop_map(|(id, family, name)| ListPosition::Key(
            Uuid::from_u128(id),
            family,
            name
        )),
        any::<i64>().prop_map(ListPosition::Updated),
        (prop_oneof![Just("name".to_owned()), Just("startUnit".to_owned()), any::<String>()], value())
            .prop_map(|(name, value)| ListPosition::Value(name, value)),
    ]
}

/// Cursors that a list could have given, of whatever inventory.
fn listed() -> impl Strategy<Value = String> {
    (position(), any::<u128>(), any::<Option<i64>>())
        .prop_map(|(position, id, revision)| Cursor(position, Uuid::from_u128(id)).encode(revision))
}

fn good() -> Vec<String> {
    let key = ListPosition::Key(Uuid::from_u128(7), 0, SortValue::Text("Ethernet1/10".to_owned()));
    let value = ListPosition::Value("startUnit".to_owned(), SortValue::Number(1.5));
    let listed = [key, ListPosition::Updated(3), value].map(|position| Cursor(position, Uuid::nil()));
    let positions = [feed::EventPosition::Change(3), feed::EventPosition::Moved(Uuid::nil()), feed::EventPosition::End];
    let followed =
        positions.map(|position| feed::Cursor { revision: 1, position, batch_id: Some(Uuid::max()) }.encode());
    let pins = [None, Some(1)];
    let listed = listed.iter().flat_map(|cursor| pins.map(|revision| cursor.encode(revision)));
    listed.chain(followed).chain(["12".to_owned()]).collect()
}

#[test]
fn a_parsed_cursor_is_written_as_it_was() {
    always(prop_oneof![listed(), mutation::text(good())], |text| {
        if let Some((cursor, revision)) = Cursor::decode(&text) {
            prop_assert_eq!(Cursor::decode(&cursor.encode(revision)), Some((cursor, revision)));
        }
        if let Some(cursor) = feed::Cursor::decode(&text) {
            prop_assert!(cursor.revision >= 0);
            prop_assert_eq!(feed::Cursor::decode(&cursor.encode()), Some(cursor));
        }
        Ok(())
    });
}

#[test]
fn a_list_continues_from_any_cursor_or_rejects_it() {
    let served = Served::start();
    let orders = prop_oneof![
        Just(Value::Null),
        Just(json!({"by": "NAME", "direction": "DESC"})),
        Just(json!({"by": "START_UNIT"})),
        Just(json!({"by": "UPDATED"})),
    ];
    let pages = (prop_oneof![listed(), mutation::text(good())], orders, any::<i32>(), any::<[bool; 3]>());
    always(pages, |(cursor, order, count, [is_forward, is_pinned, is_sane])| {
        let (at, many) = if is_forward { ("after", "first") } else { ("before", "last") };
        let count = if is_sane { count.rem_euclid(4) } else { count };
        let variables = json!({at: cursor, many: count, "orderBy": order, "pin": is_pinned});
        let answer = served.answer(json!({"query": PAGE_QUERY, "variables": variables}).to_string())?;
        if let Some(nodes) = answer["data"]["devices"]["nodes"].as_array() {
            prop_assert!(nodes.len() <= 2 && nodes.len() as i64 <= i64::from(count), "{}", answer);
        }
        served.answer(json!({"query": CHANGES, "variables": {"after": cursor}}).to_string())?;
        Ok(())
    });
}
