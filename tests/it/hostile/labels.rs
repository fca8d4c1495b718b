//! Label selectors: an invalid selector is rejected with a sentence, and a valid one means the same as in Kubernetes.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use underlay_entity::common::Labels;
use underlay_read::LabelSelector;

use super::{always, mutation};

fn labels() -> impl Strategy<Value = BTreeMap<String, String>> {
    btree_map(word(), word(), 0..4)
}

/// One of a few, so that labels and selectors meet.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![Just("env".to_owned()), Just("a.b/c".to_owned()), Just("Un-i_1".to_owned()), Just("in".to_owned())]
}

fn good() -> Vec<String> {
    let selectors = ["env in (prod,stage),!legacy,team=core", "a!=b", "a notin (b)", "a", "!a", "a==b", ""];
    selectors.map(str::to_owned).to_vec()
}

#[test]
fn every_text_is_a_selector_or_rejected() {
    always((mutation::text(good()), labels()), |(text, labels)| {
        match LabelSelector::parse(&text) {
            Ok(selector) => {
                let labels = Labels(Arc::new(labels));
                prop_assert_eq!(selector.fits(&labels), selector.clone().fits(&labels));
            }
            Err(sentence) => prop_assert!(!sentence.is_empty()),
        }
        Ok(())
    });
}

#[test]
fn a_selector_matches_as_written() {
    always((labels(), word(), vec(word(), 1..3)), |(labels, key, values)| {
        let fits = |text: String| {
            let selector = LabelSelector::parse(&text).map_err(TestCaseError::fail)?;
            Ok::<_, TestCaseError>(selector.fits(&Labels(Arc::new(labels.clone()))))
        };
        let value = labels.get(&key);
        let list = values.join(", ");
        let is_in = value.is_some_and(|value| values.contains(value));
        prop_assert_eq!(fits(format!("{key} in ({list})"))?, is_in);
        prop_assert_eq!(fits(format!("{key} notin ({list})"))?, !is_in);
        prop_assert_eq!(fits(format!("{key}={}", values[0]))?, value == Some(&values[0]));
        prop_assert_eq!(fits(format!("{key}!={}", values[0]))?, value != Some(&values[0]));
        prop_assert_eq!(fits(key.clone())?, value.is_some());
        prop_assert_eq!(fits(format!("!{key}"))?, value.is_none());
        prop_assert_eq!(fits(format!("{key}, {key} in ({list})"))?, is_in, "all of them hold");
        Ok(())
    });
}
