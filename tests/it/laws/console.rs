//! The console's files: the program serves every file of `console/dist` with its type, and nothing else.

use std::collections::BTreeMap;
use std::fs;

use super::source::repository;
use crate::harness::{Database, Server};

/// The media types by the ends of names.
const TYPES: [(&str, &str); 4] = [
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

/// The files of the bundle, with their content.
fn bundle() -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(repository().join("console/dist")).expect("read the bundle").flatten();
    let named = |file: fs::DirEntry| {
        let name = file.file_name().into_string().expect("a plain name");
        (name, fs::read(file.path()).expect("read a file of the bundle"))
    };
    files.map(named).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bundle_is_served_and_nothing_else() {
    let server = Server::start(Database::Sqlite).await;
    let bundle = bundle();
    assert!(bundle.contains_key("index.html") && bundle.contains_key("main.js"), "{:?}", bundle.keys());
    for (name, content) in &bundle {
        let end = name.rsplit('.').next().expect("an end");
        let (_, media) = TYPES.iter().find(|(known, _)| *known == end).unwrap_or_else(|| panic!("what is {name}?"));
        let path = if name == "index.html" { "/".to_owned() } else { format!("/console/{name}") };
        let answer = server.client().get(&path).await;
        assert_eq!(answer.status, 200, "{name} is missing in crates/server/src/http/console/files.rs");
        assert_eq!(answer.headers["content-type"], *media, "{name}");
        assert!(answer.body == *content, "{name} is another file");
    }
    // A file that is listed and not in the bundle would not compile, so the number of both tells the rest.
    let table =
        fs::read_to_string(repository().join("crates/server/src/http/console/files.rs")).expect("read the table");
    let (_, table) = table.split_once("files! {").expect("a table");
    let (table, _) = table.split_once('}').expect("the end of the table");
    assert_eq!(table.lines().filter(|line| line.contains('"')).count(), bundle.len(), "{table}");
    for path in ["/console/", "/console", "/console/index.html", "/console/main.css", "/console/../Cargo.toml"] {
        assert_eq!(server.client().get(path).await.status, 404, "{path}");
    }
}
