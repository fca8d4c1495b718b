//! Filters: each is answered or rejected, and an object that matches a filter does not match its negation.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::{Served, always, mutation};

const COUNTS: &str = "query($filter: DeviceFilter!) {
  fits: devices(filter: $filter) { totalCount nodes { name } }
  not: devices(filter: {not: $filter}) { totalCount }
  all: devices { totalCount }
}";

/// Filters that ask for something of the small inventory.
fn leaves() -> Vec<Value> {
    vec![
        json!({"name": {"eq": "ams1-a14-hv-01"}}),
        json!({"name": {"startsWith": "AMS1"}}),
        json!({"name": {"in": ["ams1-a14-hv-02", ""]}}),
        json!({"labels": "env in (prod),!row"}),
        json!({"role": {"in": ["SERVER", "PDU"]}}),
        json!({"site": {"region": {"name": {"contains": "metro"}}}}),
        json!({"ports": {"some": {"type": {"eq": "ETHERNET"}, "cabled": true}}}),
        json!({"ports": {"none": {"cabled": false}}}),
        json!({"parent": {"isNull": true}}),
        json!({"rack": {"name": {"eq": "A14"}}}),
        json!({"tenant": {"isNull": true}}),
        json!({}),
    ]
}

fn filter() -> impl Strategy<Value = Value> {
    select(leaves()).prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(|all| json!({"and": all})),
            vec(inner.clone(), 0..3).prop_map(|some| json!({"or": some})),
            inner.clone().prop_map(|opposite| json!({"not": opposite})),
            // Through other objects and back. Filters that nest too deep are rejected.
            inner.clone().prop_map(|some| json!({"site": {"devices": {"some": some}}})),
            inner.clone().prop_map(|none| json!({"rack": {"devices": {"none": none}}})),
            inner.prop_map(|device| json!({"ports": {"some": {"device": device}}})),
        ]
    })
}

#[test]
fn an_object_matches_a_filter_or_its_negation() {
    let served = Served::start();
    always(filter(), |filter| {
        let answer = served.answer(json!({"query": COUNTS, "variables": {"filter": filter}}).to_string())?;
        let data = &answer["data"];
        if data.is_object() {
            let [fits, not, all] = ["fits", "not", "all"].map(|list| data[list]["totalCount"].as_u64());
            if fits.is_none() && not.is_none() {
                let message = answer["errors"][0]["message"].as_str().unwrap_or_default();
                prop_assert!(message.contains("references and lists in each other"), "{}", answer);
                return Ok(());
            }
            prop_assert_eq!(fits.zip(not).map(|(fits, not)| fits + not), all, "{}", answer);
            prop_assert_eq!(data["fits"]["nodes"].as_array().map(|nodes| nodes.len() as u64), fits, "{}", answer);
        }
        Ok(())
    });
}

#[test]
fn generated_filters_are_valid() {
    let served = Served::start();
    for filter in leaves() {
        let body = json!({"query": COUNTS, "variables": {"filter": filter}}).to_string();
        let answer = served.answer(body).unwrap_or_else(|error| panic!("{filter}: {error}"));
        assert_eq!(answer["errors"], Value::Null, "{filter}");
    }
}

#[test]
fn every_filter_is_answered_or_rejected() {
    let served = Served::start();
    let good = leaves().iter().map(|filter| json!({"filter": {"or": [filter, {"not": filter}]}}).to_string()).collect();
    always(mutation::text(good), |variables| {
        let query = Value::from(COUNTS);
        // Another test covers text that is no longer JSON; here it must be recognised.
        let body = format!("{{\"query\":{query},\"variables\":{variables}}}");
        let answer = served.answer(body.clone())?;
        if serde_json::from_str::<Value>(&body).is_err() {
            prop_assert!(answer["errors"].is_array(), "it was no JSON: {}", answer);
        }
        Ok(())
    });
}
