//! The examples of the console's screen for operations work on the demo.

use std::path::Path;

use reqwest::header::{ACCEPT, LOCATION, VARY};
use serde_json::{Map, Value, json};

use crate::harness::{Client, Database, Server};

#[tokio::test]
async fn every_example_of_the_console_answers_with_data() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let client = server.client();
    let examples = examples();
    assert!((6..=8).contains(&examples.len()), "a handful of examples, not {}", examples.len());

    for (query, variables_query) in examples {
        let title = query.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a title");
        let variables = variables(&client, variables_query.as_deref()).await;
        let data = client.ok(&query, variables).await;
        let fields = data.as_object().unwrap_or_else(|| panic!("{title}: no data: {data}"));
        for (field, found) in fields {
            assert!(!found.is_null(), "{title}: {field} found nothing");
            assert_ne!(found["nodes"], json!([]), "{title}: {field} found nothing");
        }
    }
}

#[tokio::test]
async fn only_a_browser_is_led_to_the_console() {
    let server = Server::start(Database::Sqlite).await;
    let http = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build();
    let http = http.expect("make a client");
    let get = |accept: &'static str| http.get(format!("{}/graphql", server.url())).header(ACCEPT, accept).send();

    let led = get("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8").await.expect("an answer");
    assert_eq!((led.status().as_u16(), &led.headers()[LOCATION]), (303, &"/api".parse().expect("a path")));
    assert_eq!(led.headers()[VARY], "accept");

    let no_query = get("application/json").await.expect("an answer");
    assert_eq!(no_query.status(), 400, "a program without a query gets an error");
}

/// The examples, each with the query that finds its variables, if it has any.
fn examples() -> Vec<(String, Option<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("console/examples");
    let read = |name: String| std::fs::read_to_string(folder.join(name)).ok();
    let names =
        std::fs::read_dir(&folder).expect("the folder of examples").map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| name.into_string().ok()?.strip_suffix(".graphql").map(str::to_owned));
    let names = names.filter(|name| !name.ends_with(".variables"));
    names
        .map(|name| (read(format!("{name}.graphql")).expect("an example"), read(format!("{name}.variables.graphql"))))
        .collect()
}

/// Does what the console does: each field of the query gives a variable with the id that it finds.
async fn variables(client: &Client, query: Option<&str>) -> Value {
    let Some(query) = query else { return json!({}) };
    let Value::Object(found) = client.ok(query, json!({})).await else { panic!("no data: {query}") };
    let found = found.into_iter().map(|(name, object)| (name, object["id"].clone()));
    Value::Object(found.collect::<Map<_, _>>())
}
