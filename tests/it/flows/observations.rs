//! Observations: they make no revision, reach every process, and go away with their objects.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use underlay_engine::feed::Observed;
use underlay_engine::store::{MAX_DETAIL_BYTES, MAX_OBSERVATIONS, Observation, Observations, UnfitObservations};
use underlay_entity::observation::ObservedCondition;
use uuid::Uuid;

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::postgres;

fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_800_000_000 + seconds, 0).expect("a time")
}

fn seen(object: Uuid, seconds: i64, conditions: i64) -> Observation {
    Observation {
        object,
        kind: "Region".to_owned(),
        seen_at: at(seconds),
        by: "hub".to_owned(),
        power_at: (seconds % 2 == 0).then(|| at(seconds - 1)),
        detail: Some(json!({"fan": seconds, "text": "ä\"\u{1F600}"})),
        conditions,
    }
}

async fn observations_are_written_in_bulk_and_read_by_id(url: &str) {
    let inside = Inside::open(url).await;
    let names = (0..MAX_OBSERVATIONS).map(|number| json!({"region": {"name": format!("r{number}")}}));
    let answer = inside.writer.write(batch(items(names))).await.expect("written");
    let ids: Vec<Uuid> = answer.outcomes.iter().filter_map(|outcome| outcome.id).collect();
    let revision = inside.current.get().revision();
    let observed = Observed::load(&inside.store).await.expect("loaded");
    let other = Observed::load(&inside.store).await.expect("loaded");
    let bits = ObservedCondition::Unreachable.bit() | ObservedCondition::NeedsPerson.bit();
    for round in 0..3 {
        let all = ids.iter().enumerate();
        let all = all.map(|(number, id)| seen(*id, number as i64 + round, if round == 2 { bits } else { 0 }));
        let all = Observations::of(all.collect()).expect("within bounds");
        observed.write(&inside.store, &all).await.expect("written");
    }
    let rows = inside.store.observations(&ids).await.expect("rows");
    assert_eq!(rows.len(), ids.len());
    for (number, id) in ids.iter().enumerate() {
        let (row, expected) = (&rows[id], seen(*id, number as i64 + 2, bits));
        let found = (row.seen_at, row.power_at, row.detail.clone(), row.conditions, row.by.as_str(), row.kind.as_str());
        let wanted = (expected.seen_at, expected.power_at, expected.detail, bits, "hub", "Region");
        assert_eq!(found, wanted);
        let now = observed.seen(*id).expect("it was seen");
        assert_eq!((now.at, now.conditions), (expected.seen_at, bits));
    }
    let first = ids[0];
    assert_eq!(other.seen(first), None, "not read yet");
    other.refresh(&inside.store).await.expect("refreshed");
    assert_eq!(other.seen(first), observed.seen(first), "another process");
    let loaded = Observed::load(&inside.store).await.expect("loaded");
    assert_eq!(loaded.seen(first), observed.seen(first), "a process that starts");
    assert_eq!(inside.current.get().revision(), revision, "no revision");
    assert_eq!(inside.loaded().await.revision(), revision, "no revision in the database");

    // The observation of a deleted object is kept for a minute, because this process may not have seen the delete yet.
    let object = underlay_engine::write::Item::Delete {
        kind: None,
        object: json!(first.to_string()),
        cascade: underlay_engine::write::Cascade::No,
        if_version: None,
    };
    inside.writer.write(batch(vec![object])).await.expect("deleted");
    observed.forget_deleted(&inside.store, &inside.current).await.expect("tidied");
    assert!(observed.seen(first).is_some(), "too young");
    let later = inside.store.read_clock().await.expect("the time") + TimeDelta::seconds(1);
    inside.store.forget_observations(&[first], later).await.expect("deleted");
    assert!(!inside.store.observations(&ids).await.expect("rows").contains_key(&first));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn observations_on_sqlite() {
    let (url, _folder) = sqlite();
    observations_are_written_in_bulk_and_read_by_id(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn observations_on_postgres() {
    let url = postgres::create_database().await;
    observations_are_written_in_bulk_and_read_by_id(&url).await;
    postgres::drop_database(&url).await;
}

#[test]
fn observations_have_bounds() {
    let object = Uuid::from_u128(7);
    let many = (0..=MAX_OBSERVATIONS as u128).map(|id| seen(Uuid::from_u128(id), 0, 0)).collect();
    let count = MAX_OBSERVATIONS + 1;
    assert_eq!(Observations::of(many).expect_err("too many"), UnfitObservations::TooMany { count });
    let sized = |bytes: usize| Observation { detail: Some(json!("x".repeat(bytes - 2))), ..seen(object, 0, 0) };
    assert!(Observations::of(vec![sized(MAX_DETAIL_BYTES)]).is_ok());
    let bytes = MAX_DETAIL_BYTES + 1;
    assert_eq!(
        Observations::of(vec![sized(bytes)]).expect_err("too large"),
        UnfitObservations::Detail { object, bytes }
    );
    let twice = Observations::of(vec![seen(object, 1, 0), seen(object, 2, 0)]).expect("within bounds");
    assert_eq!(twice.iter().map(|it| it.seen_at).collect::<Vec<_>>(), [at(2)], "the last one counts");
}
