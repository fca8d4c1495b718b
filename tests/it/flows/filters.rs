//! The one rule for nulls in filters: a filter that is null is none, a variable that was not sent is absent, and a null
//! inside a filter is refused.

use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, Socket};

/// The members of an input type, each with its type.
async fn members(client: &Client, input: &str) -> Vec<(String, Value)> {
    let query = "query($name: String!) { __type(name: $name) { inputFields { name type { name kind } } } }";
    let found = client.ok(query, json!({ "name": input })).await;
    let fields = found["__type"]["inputFields"].as_array().expect("members").iter();
    fields.map(|field| (field["name"].as_str().expect("a name").to_owned(), field["type"].clone())).collect()
}

/// The lists on the root with the types of their filters.
async fn lists(client: &Client) -> Vec<(String, String)> {
    let query = "{ __type(name: \"Query\") { fields { name type { name } args { name type { name } } } } }";
    let found = client.ok(query, json!({})).await;
    let fields = found["__type"]["fields"].as_array().expect("fields").iter();
    let filtered = fields.filter_map(|field| {
        let filter = field["args"].as_array()?.iter().find(|argument| argument["name"] == "filter")?;
        let is_list = field["type"]["name"].as_str()?.ends_with("Connection");
        is_list.then(|| Some((field["name"].as_str()?.to_owned(), filter["type"]["name"].as_str()?.to_owned())))?
    });
    filtered.collect()
}

/// A query with a filter in a variable, and with the same filter in the document.
fn both_ways(list: &str, of: &str, filter: &Value) -> [(String, Value); 2] {
    let arguments = if list == "diff" { "from: 0, to: 0, " } else { "" };
    let asked = "pageInfo { hasNextPage }";
    let variable = format!("query($f: {of}) {{ {list}({arguments}filter: $f) {{ {asked} }} }}");
    let literal = format!("{{ {list}({arguments}filter: {}) {{ {asked} }} }}", written(filter));
    [(variable, json!({ "f": filter })), (literal, json!({}))]
}

/// A value as GraphQL writes it.
fn written(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{name}: {}", written(value))).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.to_string(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_null_inside_a_filter_is_refused_for_every_member_of_every_filter() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let lists = lists(&client).await;
    assert!(lists.len() > underlay_kinds::registry().kinds().len(), "{lists:?}");
    let mut tried = 0;
    for (list, of) in lists {
        for none in both_ways(&list, &of, &Value::Null) {
            client.ok(&none.0, none.1).await;
        }
        for (member, ty) in members(&client, &of).await {
            let inner = match ty["kind"].as_str() {
                Some("INPUT_OBJECT") => members(&client, ty["name"].as_str().expect("a name")).await,
                _ => Vec::new(),
            };
            let inner =
                inner.into_iter().map(|(inner, _)| (format!("filter.{member}.{inner}"), json!({ inner: null })));
            for (path, value) in std::iter::once((format!("filter.{member}"), Value::Null)).chain(inner) {
                // Two requests for each of thousands of members would take long; the ways share the check.
                let way = both_ways(&list, &of, &json!({ member.as_str(): value }));
                let (query, variables) = way[tried % 2].clone();
                let errors = client.refused(&query, variables).await;
                let error = &errors[0];
                assert_eq!((error.code.as_str(), error.field.as_deref()), ("INVALID", Some(path.as_str())), "{query}");
                assert!(error.message.starts_with(&format!("{path} is null: leave it out, or give a ")), "{error:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_variable_that_was_not_sent_is_absent() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let site = |name: &str| json!({"site": {"name": name, "type": "EDGE"}});
    client.apply_all(vec![site("a"), site("b")]).await;
    let query = "query($in: [String!], $region: RegionFilter, $f: SiteFilter) {
        sites(filter: {name: {in: $in}, region: $region}) { totalCount } all: sites(filter: $f) { totalCount } }";
    for (sent, expected) in [
        (json!({}), Ok((2, 2))),
        (json!({"f": null}), Ok((2, 2))),
        (json!({"in": ["a"], "f": {"name": {"eq": "a"}}}), Ok((1, 1))),
        (json!({"in": null}), Err("filter.name.in")),
        (json!({"region": null}), Err("filter.region")),
        (json!({"f": {"and": [{"name": {"eq": "a"}}, {"region": null}]}}), Err("filter.and.1.region")),
    ] {
        match expected {
            Ok(counts) => {
                let found = client.ok(query, sent.clone()).await;
                let found = (found["sites"]["totalCount"].clone(), found["all"]["totalCount"].clone());
                assert_eq!(found, (counts.0.into(), counts.1.into()), "{sent}");
            }
            Err(field) => {
                let errors = client.refused(query, sent.clone()).await;
                assert_eq!(errors[0].field.as_deref(), Some(field), "{sent}: {errors:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscription_has_the_same_rule() {
    let server = Server::start(Database::Sqlite).await;
    let mut socket = Socket::connect(server.url()).await;
    let query = "subscription($f: ChangeEventFilter) { changes(filter: $f) { cursor } }";
    socket.subscribe("1", query, json!({"f": {"kinds": null}})).await;
    let refused = socket.refusal().await;
    assert_eq!(refused[0]["extensions"]["field"], "filter.kinds", "{refused}");
}
