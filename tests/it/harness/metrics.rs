//! Reads the metrics of a server in the format of Prometheus.

use std::collections::{BTreeMap, BTreeSet};

use super::{Client, Server};

/// A line of `/metrics`.
#[derive(Clone, Debug)]
pub struct Sample {
    pub name: String,
    pub labels: BTreeMap<String, String>,
    pub value: f64,
}

/// All samples, with the types of the metrics.
#[derive(Clone, Debug)]
pub struct Exported {
    pub types: BTreeMap<String, String>,
    pub samples: Vec<Sample>,
}

impl Exported {
    /// Returns the current metrics of a server.
    pub async fn of(server: &Server) -> Self {
        Self::to(&server.client()).await
    }

    /// Returns the current metrics as a client gets them, which can have a token.
    pub async fn to(client: &Client) -> Self {
        let collected = client.get("/metrics").await;
        assert_eq!(collected.status, 200);
        let text = collected.text();
        let (mut types, mut samples) = (BTreeMap::new(), Vec::new());
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix("# ") {
                Some(comment) => {
                    if let ["TYPE", name, kind] = comment.split(' ').collect::<Vec<_>>()[..] {
                        types.insert(name.to_owned(), kind.to_owned());
                    }
                }
                None => samples.push(sample(line)),
            }
        }
        Self { types, samples }
    }

    /// Returns the metric that a sample belongs to; a histogram has several samples.
    pub fn metric<'a>(&self, sample: &'a str) -> &'a str {
        let part = ["_bucket", "_sum", "_count"].iter().find_map(|end| sample.strip_suffix(end));
        part.filter(|name| self.types.get(*name).is_some_and(|kind| kind == "histogram")).unwrap_or(sample)
    }

    /// Returns the labels of a metric, without the bounds of buckets.
    pub fn labels(&self, metric: &str) -> BTreeSet<String> {
        let samples = self.samples.iter().filter(|sample| self.metric(&sample.name) == metric);
        samples.flat_map(|sample| sample.labels.keys()).filter(|label| *label != "le").cloned().collect()
    }

    /// Returns the sum of the samples with a name that have these labels.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let has = |sample: &&Sample| {
            labels.iter().all(|(label, value)| sample.labels.get(*label).is_some_and(|it| it == value))
        };
        self.samples.iter().filter(|sample| sample.name == name).filter(has).map(|sample| sample.value).sum()
    }
}

fn sample(line: &str) -> Sample {
    let (what, value) = line.rsplit_once(' ').unwrap_or_else(|| panic!("no sample: {line}"));
    let (name, labels) = what.split_once('{').unwrap_or((what, ""));
    let labels = labels.trim_end_matches('}').split(',').filter(|label| !label.is_empty());
    let label = |label: &str| {
        let (name, value) = label.split_once('=').unwrap_or_else(|| panic!("no label: {line}"));
        (name.to_owned(), value.trim_matches('"').to_owned())
    };
    Sample { name: name.to_owned(), labels: labels.map(label).collect(), value: value.parse().expect("a number") }
}
