//! The examples of the editor work on the demo.

use reqwest::header::{ACCEPT, HeaderMap, HeaderValue};
use serde_json::{Map, Value, json};

use crate::harness::{Client, Database, Server};

#[tokio::test]
async fn every_example_of_the_page_answers_with_data() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let client = server.client();
    let browser = client.with_headers(HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/html"))]));
    let page = browser.get("/graphql").await;
    assert_eq!(page.status, 200, "{}", page.text());
    let examples = examples(&page.text());
    assert!((6..=8).contains(&examples.len()), "a handful of examples, not {}", examples.len());

    for example in examples {
        let query = example["query"].as_str().expect("a query");
        let title = query.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a title");
        let variables = variables(&client, &example["variables"]).await;
        let data = client.ok(query, variables).await;
        let fields = data.as_object().unwrap_or_else(|| panic!("{title}: no data: {data}"));
        for (field, found) in fields {
            assert!(!found.is_null(), "{title}: {field} found nothing");
            assert_ne!(found["nodes"], json!([]), "{title}: {field} found nothing");
        }
    }
}

#[tokio::test]
async fn only_a_browser_gets_the_editor() {
    let server = Server::start(Database::Sqlite).await;
    let http = reqwest::Client::builder().no_proxy().build().expect("make a client");
    let get = |accept: &'static str| http.get(format!("{}/graphql", server.url())).header(ACCEPT, accept).send();

    let page = get("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8").await.expect("an answer");
    assert_eq!(page.status(), 200);
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    let policy = page.headers()["content-security-policy"].to_str().expect("text");
    assert!(policy.contains("frame-ancestors 'none'"), "nobody may frame the page: {policy}");
    assert!(!examples(&page.text().await.expect("a body")).is_empty());

    let no_query = get("application/json").await.expect("an answer");
    assert_eq!(no_query.status(), 400, "a program without a query gets an error");
}

/// The examples, as they stand in the page.
fn examples(page: &str) -> Vec<Value> {
    let (_, rest) = page.split_once(r#"<script type="application/json" id="examples">"#).expect("examples in the page");
    let (text, _) = rest.split_once("</script>").expect("the end of the examples");
    serde_json::from_str(text).expect("examples as JSON")
}

/// Does what the page does: each field of the query gives a variable with the id that it finds.
async fn variables(client: &Client, query: &Value) -> Value {
    let Some(query) = query.as_str() else { return json!({}) };
    let Value::Object(found) = client.ok(query, json!({})).await else { panic!("no data: {query}") };
    let found = found.into_iter().map(|(name, object)| (name, object["id"].clone()));
    Value::Object(found.collect::<Map<_, _>>())
}
