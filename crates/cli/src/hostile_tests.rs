//! Malicious files: manifests and tables, changed at random. Every file is read as items or rejected with errors that
//! contain no control sequence for a terminal.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use serde_json::Value;
use tempfile::TempDir;

use super::csv::{self, CsvTable};
use super::kinds::KnownKinds;
use super::manifest::{self, ManifestItem};

#[allow(dead_code, reason = "not everything that the integration tests need is needed here")]
#[path = "../../../tests/it/hostile/mutation.rs"]
mod mutation;

/// Problems that are reported, and that there are more.
const MAX_REPORTED_ERRORS: usize = 1_001;

const MANIFESTS: [&str; 5] = [
    "# A site\napiVersion: underlay/v1\nkind: Site\nmetadata:\n  name: ams1\n  labels: {env: prod, \"a.b/c\": 'x'}\n\
     spec:\n  type: EDGE\n  region: &m ams-metro\n  description: |\n    two\n    lines\n---\napiVersion: underlay/v1\n\
     kind: Rack\nmetadata: {name: A14}\nspec: {site: ams1, heightU: 47, attributes: {x: [1, 2.5, null, true]}}\n",
    r#"{"apiVersion":"underlay/v1","kind":"Device","metadata":{"name":"hv-01","externalRef":{"source":"x","id":"1"}},
        "spec":{"site":"ams1","role":"SERVER","placement":{"rack":"A14","startUnit":1.5,"face":"REAR"}}}"#,
    r#"{"kind":"List","items":[{"apiVersion":"underlay/v1","kind":"Region","metadata":{"name":"europe"},"spec":{}}]}"#,
    "apiVersion: inventory.miloapis.com/v1alpha1\nkind: Rack\nmetadata:\n  name: a14\nspec:\n  siteRef:\n    name: ams1\n\
     \x20 heightRU: 47\n",
    "apiVersion: inventory.miloapis.com/v1alpha1\nkind: Node\nmetadata: {name: n1, annotations: {a: b}}\nspec:\n\
     \x20 siteRef: {name: ams1}\n  hardware: {memory: 512Gi, cpu: '64'}\n",
];

const TABLES: [&str; 3] = [
    "name,site,rack,startUnit\nhv-01,ams1,A14,3.5\n\"hv-02\",ams1,\"A\"\"14\",\n",
    "name,role,site,labels.env,attributes.x,placement.rack,placement.startUnit,addresses\r\n\
     a,SERVER,ams1,prod,\"{\"\"y\"\": 1}\",A1,7,\"[]\"\r\n\r\nb,LEAF,ams1,,,,,\r\n",
    "\u{feff}name;role;site\nä;SERVER;\"ams1\nx\"\n",
];

/// The file that each case writes anew, in a folder of its own.
struct TempFile {
    _folder: TempDir,
    file: PathBuf,
}

impl TempFile {
    fn new(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("make a folder");
        Self { file: folder.path().join(name), _folder: folder }
    }
}

/// Checks that a reader returns items or a bounded number of errors for any content of a file.
fn always(file: &str, good: &[&str], read: impl Fn(&Path) -> (Vec<ManifestItem>, Vec<String>)) {
    let file_of_case = TempFile::new(file);
    let good = good.iter().map(|text| (*text).to_owned()).collect();
    let check = |text: Vec<u8>| {
        fs::write(&file_of_case.file, &text).expect("write a file");
        let (items, errors) = read(&file_of_case.file);
        prop_assert!(!items.is_empty() || !errors.is_empty(), "nothing was read, and no error reports it");
        prop_assert!(errors.len() <= MAX_REPORTED_ERRORS, "{} problems", errors.len());
        for item in &items {
            let members = item.item.as_object().map(|members| members.values().all(Value::is_object));
            prop_assert_eq!(members, Some(true), "{:?}", item);
        }
        for error in &errors {
            prop_assert!(!error.is_empty() && !error.contains(|it: char| it.is_control() && it != '\n'), "{:?}", error);
        }
        prop_assert_eq!(read(&file_of_case.file), (items, errors), "the same once more");
        Ok::<_, TestCaseError>(())
    };
    let config = Config { failure_persistence: None, max_shrink_iters: 1_000, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(&mutation::bytes(good), check) {
        panic!("{failure}");
    }
}

fn messages<E: Display>(errors: &[E]) -> Vec<String> {
    errors.iter().map(E::to_string).collect()
}

fn manifests(file: &str) {
    let kinds = KnownKinds::new();
    always(file, &MANIFESTS, |file| match manifest::read(file, &kinds) {
        Ok(items) => (items, Vec::new()),
        Err(errors) => (Vec::new(), messages(&errors)),
    });
}

#[test]
fn manifests_of_yaml_are_read_or_refused() {
    manifests("x.yaml");
}

#[test]
fn manifests_of_json_are_read_or_refused() {
    manifests("x.json");
}

#[test]
fn tables_are_read_or_refused() {
    let kinds = KnownKinds::new();
    let device = kinds.registry().named("device").expect("a kind");
    always("x.csv", &TABLES, |file| {
        let CsvTable { items, errors, .. } = csv::read(file, device, &kinds);
        (items, messages(&errors))
    });
}
