//! The alerts that are part of Underlay use metrics and labels that a server exports, and each gives advice.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::metrics::use_a_little;
use crate::harness::metrics::Exported;
use crate::harness::{Server, on_both_databases};
use crate::laws::metrics::documented;
use crate::laws::source::repository;

#[derive(Deserialize)]
struct RuleFile {
    groups: Vec<Group>,
}

#[derive(Deserialize)]
struct Group {
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
struct Rule {
    alert: String,
    expr: String,
    labels: BTreeMap<String, String>,
    annotations: BTreeMap<String, String>,
}

/// The words of the language of Prometheus that the alerts use, and the labels that Prometheus gives.
const WORDS: [&str; 16] = [
    "absent",
    "and",
    "by",
    "changes",
    "histogram_quantile",
    "increase",
    "instance",
    "job",
    "le",
    "max",
    "or",
    "rate",
    "source",
    "sum",
    "time",
    "up",
];

on_both_databases! {
    async fn alerts_use_exported_metrics_and_give_advice(server: Server) {
        use_a_little(&server).await;
        let postgres = server.database_url().starts_with("postgres");
        check(&Exported::of(&server).await, postgres);
    }
}

fn check(exported: &Exported, postgres: bool) {
    let text = std::fs::read_to_string(repository().join("deploy/prometheus/underlay.rules.yaml")).expect("the rules");
    let file: RuleFile = serde_saphyr::from_str(&text).expect("a file of rules");
    let rules: Vec<Rule> = file.groups.into_iter().flat_map(|group| group.rules).collect();
    assert!(rules.len() > 10);
    let names: BTreeSet<&str> = exported.samples.iter().map(|sample| sample.name.as_str()).collect();
    let documented_metrics = documented();
    for Rule { alert, expr, labels, annotations } in &rules {
        assert!(["critical", "warning"].contains(&labels["severity"].as_str()), "{alert}: {labels:?}");
        assert!(annotations.get("summary").is_some_and(|it| !it.is_empty()), "{alert} says nothing");
        assert!(annotations.get("action").is_some_and(|it| it.len() > 20), "{alert} does not say what to do");
        for Selector { metric, label, value } in parsed(expr) {
            let of = exported.metric(&metric);
            let only_there = documented_metrics.get(of).is_some_and(|it| it.meaning.contains("only on PostgreSQL"));
            if metric == "up" || only_there && !postgres {
                continue;
            }
            assert!(names.contains(metric.as_str()), "{alert} asks for {metric}");
            let Some(label) = label else { continue };
            assert!(exported.labels(of).contains(&label), "{alert} asks for {label} of {metric}");
            // Which codes there are depends on what went wrong.
            if let Some(value) = value.filter(|_| label != "code") {
                assert!(exported.samples.iter().any(|it| it.name == metric && it.labels.get(&label) == Some(&value)));
            }
        }
    }
}

/// A part of an expression: a metric, one of its labels, and the required value of the label.
struct Selector {
    metric: String,
    label: Option<String>,
    value: Option<String>,
}

fn parsed(expr: &str) -> Vec<Selector> {
    let mut parsed = Vec::new();
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let mut rest = expr;
    while let Some(start) = rest.find(|it: char| it.is_alphabetic()) {
        // A number with a unit, as in `[5m]`, is no word.
        let counts = rest[..start].ends_with(|it: char| it.is_ascii_digit());
        let end = rest[start..].find(|it| !is_word(it)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        rest = &rest[end..];
        if counts {
            continue;
        }
        assert!(word.starts_with("underlay_") || WORDS.contains(&word), "{expr}: what is {word}?");
        if !word.starts_with("underlay_") && word != "up" {
            continue;
        }
        let metric = word.to_owned();
        parsed.push(Selector { metric: metric.clone(), label: None, value: None });
        let Some(inside) = rest.strip_prefix('{') else { continue };
        let (selectors, after) = inside.split_once('}').expect("a brace that ends");
        rest = after;
        for selector in selectors.split(',') {
            let (label, value) = selector.split_once(['=', '!']).expect("a selector");
            let exact = !selector.contains(['!', '~']);
            let value = exact.then(|| value.trim_matches('"').to_owned());
            parsed.push(Selector { metric: metric.clone(), label: Some(label.to_owned()), value });
        }
    }
    assert!(parsed.iter().any(|it| it.label.is_none()), "{expr} asks for nothing");
    parsed
}
