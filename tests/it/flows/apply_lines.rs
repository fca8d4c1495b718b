//! `POST /apply`: items as lines, written in batches while they arrive.

use std::io::Write as _;
use std::process::{Command, Stdio};

use reqwest::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::harness::{Client, Database, Server, lines, on_both_databases};

/// The number of items that a batch of a request in several batches has.
const BATCH_ITEMS: usize = 1_000;

fn region(name: usize) -> Value {
    json!({"region": {"name": format!("r{name:05}")}})
}

/// The body of items.
fn body(items: &[Value]) -> String {
    items.iter().map(|item| format!("{}\n", json!({"item": item}))).collect()
}

async fn count(client: &Client) -> Value {
    client.ok("{ regions(first: 0) { totalCount } }", json!({})).await["regions"]["totalCount"].take()
}

on_both_databases! {
    async fn lines_are_written_in_batches_in_their_order(server: Server) {
        let client = server.client();
        // Each region refers to the one before it, also over the borders of batches; one refers to a later batch.
        let mut items: Vec<Value> = (0..2 * BATCH_ITEMS + 10).map(region).collect();
        for (at, item) in items.iter_mut().enumerate().skip(1).filter(|(at, _)| at % 100 == 0) {
            item["region"]["parent"] = json!({"region": format!("r{:05}", at - 1)});
        }
        items[5]["region"]["parent"] = json!({"region": format!("r{:05}", BATCH_ITEMS + 1)});
        let (results, end) = client.apply_lines("", &items).await;
        for (at, result) in results.iter().enumerate() {
            assert_eq!(result["line"], at + 1);
            let status = if at == 5 { "FAILED" } else { "CREATED" };
            assert_eq!((&result["status"], &result["by"], &result["kind"]), (&json!(status), &json!("CREATED"), &json!("Region")), "{result}");
        }
        assert_eq!(results[5]["error"]["code"], "NOT_FOUND", "{}", results[5]);
        assert_eq!(end, json!({
            "end": true, "firstRevision": 1, "lastRevision": 3,
            "counts": {"created": 2 * BATCH_ITEMS + 9, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 1},
        }));
        let (results, end) = client.apply_lines("", &items[..5]).await;
        assert!(results.iter().all(|result| result["status"] == "UNCHANGED" && result["by"] == "KEY"), "{results:?}");
        assert_eq!((&end["firstRevision"], &end["lastRevision"]), (&Value::Null, &Value::Null));
    }

    async fn a_repeated_request_goes_on_where_the_first_one_broke(mut server: Server) {
        let client = server.client();
        let items: Vec<Value> = (0..3 * BATCH_ITEMS).map(region).collect();
        // The first request breaks off in the middle of its third batch.
        let cut = format!("{}{{\"item\":", body(&items[..2 * BATCH_ITEMS + 3]));
        let broken = client.post_lines("requestId=q", cut).await;
        let (results, end) = lines(&broken);
        assert_eq!((results.len(), &end["counts"]["failed"]), (2 * BATCH_ITEMS + 4, &json!(1)), "{end}");
        server.stop().await;
        server.restart().await;
        let client = server.client();
        let (again, end) = client.apply_lines("requestId=q", &items[..2 * BATCH_ITEMS]).await;
        assert_eq!(again, results[..2 * BATCH_ITEMS], "the first two batches have the answers of the first time");
        assert_eq!((&end["firstRevision"], &end["lastRevision"]), (&json!(1), &json!(2)));
        // Another request under the same name is refused at its first batch.
        let other = client.post_lines("requestId=q", body(&[region(7)])).await;
        let (none, end) = lines(&other);
        assert_eq!((none.len(), &end["end"], &end["error"]["code"]), (0, &json!(false), &json!("REQUEST_REUSED")), "{end}");
    }

    async fn atomic_lines_are_one_batch(server: Server) {
        let client = server.client();
        let late = [json!({"site": {"name": "s", "type": "EDGE", "region": {"region": "r00001"}}}), region(1)];
        let (results, end) = client.apply_lines("mode=ATOMIC", &late).await;
        assert!(results.iter().all(|result| result["status"] == "CREATED"), "{results:?}");
        assert_eq!((&end["firstRevision"], &end["lastRevision"]), (&json!(1), &json!(1)));
        let bad = [region(2), json!({"region": {"name": ""}})];
        let (results, end) = client.apply_lines("mode=ATOMIC", &bad).await;
        assert_eq!((&results[1]["status"], &end["lastRevision"]), (&json!("FAILED"), &Value::Null), "{end}");
        assert_eq!((&results[0]["status"], &results[0]["id"]), (&json!("NOT_WRITTEN"), &Value::Null), "{results:?}");
        assert_eq!(end["counts"], json!({"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 1}));
        let applied = client.ok("mutation($input: ApplyInput!) { apply(input: $input) { revision results { status id } changes { id } } }",
            json!({"input": {"items": bad}})).await;
        let results = json!([{"status": "NOT_WRITTEN", "id": null}, {"status": "FAILED", "id": null}]);
        assert_eq!(applied["apply"], json!({"revision": null, "results": results, "changes": []}));
        let (results, end) = client.apply_lines("dryRun=true", &bad).await;
        assert_eq!((&results[0]["status"], &results[1]["status"]), (&json!("CREATED"), &json!("FAILED")));
        assert_eq!(end["lastRevision"], Value::Null);
        assert_eq!(count(&client).await, 1, "neither wrote anything");
        let many: Vec<Value> = (0..10_001).map(region).collect();
        for query in ["mode=ATOMIC", "dryRun=true"] {
            let refused = client.post_lines(query, body(&many)).await;
            assert_eq!((refused.status, &refused.json()["errors"][0]["extensions"]["code"]), (413, &json!("BATCH_TOO_LARGE")));
        }
    }
}

/// Readers of JSON take one of them without a word, and not all the same one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_that_is_given_twice_refuses_its_line() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let lines_of = [
        r#"{"item":{"region":{"name":"a","name":"b"}}}"#,
        r#"{"item":{"region":{"name":"c"}},"item":{"region":{"name":"d"}}}"#,
        r#"{"item":{"region":{"name":"e","attributes":{"x":{"y":1,"y":2}}}}}"#,
        r#"{"item":{"region":{"name":"f"}}}"#,
    ];
    let (results, end) = lines(&client.post_lines("", lines_of.join("\n")).await);
    let messages: Vec<_> = results.iter().map(|it| it["error"]["message"].as_str().unwrap_or_default()).collect();
    for (message, member) in messages.iter().zip(["name", "item", "y"]) {
        assert!(message.contains(&format!("the member {member:?} is given twice")), "{message}");
    }
    assert_eq!((&results[3]["status"], &end["counts"]["created"]), (&json!("CREATED"), &json!(1)), "{results:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_is_written_on_behalf_of_its_source() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let line = |name: &str, source: &str| {
        json!({"item": {"region": {"name": name, "externalId": name}}, "source": source}).to_string()
    };
    let body = [line("a", "dcim"), line("b", "ipam"), line("c", "ipam")].join("\n");
    let (results, end) = lines(&client.post_lines("", body.clone()).await);
    assert!(results.iter().all(|result| result["status"] == "CREATED"), "{results:?}");
    assert_eq!((&results[1]["externalId"], &end["lastRevision"]), (&json!("b"), &json!(2)), "a batch for each source");
    let regions = client.ok("{ regions { nodes { name externalRefs { source } } } }", json!({})).await;
    assert_eq!(regions["regions"]["nodes"][1], json!({"name": "b", "externalRefs": [{"source": "ipam"}]}));
    let (results, _) = lines(&client.post_lines("source=dcim", body.clone()).await);
    let codes: Vec<&Value> = results.iter().map(|result| &result["error"]["field"]).collect();
    assert_eq!(codes, [&Value::Null, &json!("source"), &json!("source")], "{results:?}");
    let refused = client.post_lines("mode=ATOMIC", body).await;
    let message = refused.json()["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
    assert_eq!(refused.status, 400);
    assert!(message.starts_with("line 2 is written in the name of the source \"ipam\""), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_is_applied_as_it_is_and_compressed() {
    let (from, to) = (Server::start(Database::Sqlite).await, Server::start(Database::Sqlite).await);
    let done = from.cli(["demo"]).await;
    assert_eq!(done.code, 0, "{done:?}");
    let export = from.cli(["export"]).await.stdout;
    let mut gzip = Command::new("gzip").arg("-c").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("gzip");
    let mut input = gzip.stdin.take().expect("a pipe");
    let text = export.clone();
    let writing = std::thread::spawn(move || input.write_all(text.as_bytes()).expect("it reads"));
    let packed = gzip.wait_with_output().expect("it ends").stdout;
    writing.join().expect("it was written");
    let gzipped = HeaderMap::from_iter([(CONTENT_ENCODING, HeaderValue::from_static("gzip"))]);
    let (results, end) = lines(&to.client().with_headers(gzipped).post_lines("", packed).await);
    let failed: Vec<&Value> = results.iter().filter(|result| result["status"] == "FAILED").collect();
    assert!(failed.is_empty() && end["end"] == true, "{end}: {failed:#?}");
    assert_eq!(results.len() + 2, export.lines().count(), "an answer to each line but the first and the last");
    let again = to.cli(["export"]).await.stdout;
    assert_eq!(again.lines().count(), export.lines().count());
    // The end of the export is missing: what was written stays, and the answer says that it is not whole.
    let cut = export.trim_end().rsplit_once('\n').expect("lines").0.to_owned();
    let (_, end) = lines(&to.client().post_lines("", cut).await);
    let message = end["error"]["message"].as_str().unwrap_or_default();
    assert!(end["end"] == false && message.contains("the export was cut off"), "{end}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_requests_get_readable_errors() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_LIMITS_APPLY_BODY", "5000000").await;
    let client = server.client();
    let with = |name: &'static str, value: &'static str| {
        client.with_headers(HeaderMap::from_iter([(name.parse().expect("a name"), HeaderValue::from_static(value))]))
    };
    let error = |answer: crate::harness::Answer| {
        let error = answer.json()["errors"][0].take();
        (answer.status, error["extensions"]["code"].clone(), error["message"].as_str().unwrap_or_default().to_owned())
    };
    for (query, says) in [
        ("mode=ALL", "mode: unknown variant `ALL`, expected `ATOMIC` or `PER_ITEM`"),
        ("dry=true", "unknown field `dry`, expected one of `source`, `mode`, `conflicts`, `dryRun`"),
        ("requestId=", "requestId must be 1 to 253 characters"),
    ] {
        let (status, code, message) = error(client.post_lines(query, "").await);
        assert!(status == 400 && code == "INVALID" && message.contains(says), "{query}: {status} {message}");
    }
    let (status, ..) = error(client.post_lines("mode=ATOMIC", "x".repeat(5_000_001)).await);
    assert_eq!(status, 413);
    let long = client.post_lines("", format!("{}{}", body(&[region(1)]), "x".repeat(5_000_001))).await;
    let (results, end) = lines(&long);
    assert_eq!((results.len(), &end["end"]), (0, &json!(false)), "{end}");
    assert!(end["error"]["message"].as_str().is_some_and(|it| it.contains("limits.applyBody")), "{end}");
    assert_eq!(with("content-encoding", "br").post_lines("", "x").await.status, 415);
    let broken = with("content-encoding", "gzip").post_lines("", "this is no gzip").await;
    assert_eq!(lines(&broken).1["end"], false);
    let plain = reqwest::Client::builder().no_proxy().build().expect("a client");
    let plain = plain.post(format!("{}/apply", server.url())).body("{}").send().await.expect("an answer");
    assert_eq!(plain.status(), 415, "a page of another site can send this without being asked");
    let (results, end) = lines(&client.post_lines("", "\n\nnonsense\n[]\n{\"item\":7}\n").await);
    let found: Vec<_> = results.iter().map(|it| (it["line"].clone(), it["error"]["code"].clone())).collect();
    assert_eq!(found, [3, 4, 5].map(|line| (json!(line), json!("INVALID"))), "{results:?}");
    assert_eq!(end["end"], true);
    assert_eq!(
        lines(&client.post_lines("", "").await),
        (
            Vec::new(),
            json!({
                "end": true, "firstRevision": null, "lastRevision": null,
                "counts": {"created": 0, "updated": 0, "deleted": 0, "unchanged": 0, "failed": 0},
            })
        )
    );
    assert_eq!(count(&client).await, 0);
}
