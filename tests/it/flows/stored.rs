//! A value that one database could not store is rejected on both, and an answer that quotes it can be stored.

use serde_json::{Value, json};

use crate::harness::inside::{Inside, batch, items, sqlite};
use crate::harness::{APPLY, Client, Server, Sql, assert_same, on_both_databases, postgres};

async fn apply(client: &Client, input: Value) -> Value {
    client.ok(APPLY, json!({ "input": input })).await["apply"].clone()
}

on_both_databases! {
    async fn an_answer_that_quotes_a_nul_can_be_stored(server: Server) {
        let client = server.client();
        let input = json!({
            "source": "dcim", "mode": "PER_ITEM", "requestId": "one",
            "items": [
                {"region": {"name": "good", "externalId": "g"}},
                {"region": {"name": "bad", "externalId": "e\0"}},
                {"region": {"name": "worse", "parent": {"region": "x\0y"}}},
                {"delete": {"ref": {"region": {"region": "z\0"}}}},
                {"release": {"ref": {"region": {"region": "good"}}, "fields": ["no\0such"]}},
                {"region": {"name": "n\0"}},
                {"region": {"name": "attributes", "attributes": {"a": {"b": ["\0"]}}}},
                {"region": {"name": "also good"}},
            ],
        });
        let answer = apply(&client, input.clone()).await;
        let results = answer["results"].as_array().expect("results");
        let of = |status: &str| results.iter().filter(|result| result["status"] == status).count();
        assert_eq!((&answer["revision"], of("CREATED"), of("FAILED")), (&json!(1), 2, 6), "{answer}");
        assert!(results.iter().all(|result| result["error"]["code"] != "INTERNAL"), "{answer}");
        for (item, field, quoted) in [(2, "message", r"x\u0000y"), (3, "message", r"z\u0000"), (4, "field", r"no\u0000such")] {
            let text = results[item]["error"][field].as_str().expect("a text");
            assert!(text.contains(quoted) && !text.contains('\0'), "it stands for the character: {text:?}");
        }
        assert_eq!(results[5]["name"], r"n\u0000");
        assert_eq!(results[6]["error"]["field"], "attributes");
        assert_eq!(apply(&client, input).await, answer, "a repeat gets the same answer");
    }

    async fn stored_and_logged_names_contain_no_nul(server: Server) {
        let client = server.client();
        for field in ["source", "requestId"] {
            let mut input = json!({"items": [{"region": {"name": "r"}}]});
            input[field] = json!("a\0");
            let refused = client.execute(APPLY, json!({ "input": input })).await;
            let error = refused.errors.first().expect("an error");
            assert_eq!((error.code.as_str(), error.field.as_deref()), ("INVALID", Some(field)), "{error:?}");
            assert!(error.message.contains("without control characters"), "{error:?}");
        }
        // A run is named by its id, so no run has such a name. The message shows the character.
        let input = json!({"items": [{"region": {"name": "r"}}], "run": "a\0"});
        let refused = client.execute(APPLY, json!({ "input": input })).await;
        let error = refused.errors.first().expect("an error");
        assert_eq!((error.code.as_str(), error.field.as_deref()), ("NOT_FOUND", Some("run")), "{error:?}");
        assert!(!error.message.contains('\0'), "{error:?}");
    }

    async fn dates_are_those_that_both_databases_hold(mut server: Server) {
        let client = server.client();
        let circuit = |round: &str, number: usize, date: &str| json!({"circuit": {
            "provider": {"provider": "p"}, "name": format!("c{number}"), "circuitId": format!("c{number}"),
            "type": "TRANSIT", "installedOn": date, "description": round,
        }});
        assert_eq!(apply(&client, json!({"items": [{"provider": {"name": "p", "type": "CLOUD"}}]})).await["revision"], 1);
        let bad = ["0000-12-31", "-0044-03-15", "+10000-01-01", "+262000-01-01"];
        let good = ["0001-01-01", "9999-12-31", "2026-11-20"];
        // As many new rows as are copied, a few new ones, and rows that take the place of others.
        for (round, many) in [("many", 120), ("few", 3), ("others", 3)] {
            let dates = bad.iter().chain(good.iter().cycle().take(many));
            let items: Vec<Value> = dates.enumerate().map(|(number, date)| circuit(round, number, date)).collect();
            let answer = apply(&client, json!({"mode": "PER_ITEM", "items": items})).await;
            for (result, date) in answer["results"].as_array().expect("results").iter().zip(bad) {
                assert_eq!((&result["error"]["code"], &result["error"]["field"]), (&json!("INVALID"), &json!("installedOn")), "{date}");
                let says = format!("must be a date from 0001-01-01 to 9999-12-31, not \"{date}\"");
                assert!(result["error"]["message"].as_str().is_some_and(|it| it.contains(&says)), "{result}");
            }
            let failed = answer["results"].as_array().expect("results").iter().filter(|it| it["status"] == "FAILED");
            assert_eq!(failed.count(), bad.len(), "{answer}");
            if many == 120 {
                // The next ones are new again.
                let count = bad.len()..bad.len() + 6;
                let gone = count.map(|number| json!({"delete": {"ref": {"circuit": {"provider": "p", "circuit": format!("c{number}")}}}}));
                let gone = apply(&client, json!({"items": gone.collect::<Vec<_>>()})).await;
                assert_eq!(gone["revision"], 3, "{gone}");
            }
        }
        let all = "{ circuits(first: 200) { nodes { name installedOn } } }";
        let before = client.ok(all, json!({})).await;
        server.kill();
        server.restart().await;
        assert_eq!(server.client().ok(all, json!({})).await, before, "they come back as they were");
        assert!(before.to_string().contains("0001-01-01") && before.to_string().contains("9999-12-31"));
    }

    async fn times_in_filters_are_limited_to_both_databases(server: Server) {
        let query = "query($filter: ChangeFilter) { changes(filter: $filter) { totalCount } }";
        for (field, time) in [("fromTime", "+10000-01-01T00:00:00Z"), ("toTime", "-0044-03-15T00:00:00Z")] {
            let refused = server.client().execute(query, json!({"filter": {field: time}})).await;
            let error = refused.errors.first().unwrap_or_else(|| panic!("{time} is taken"));
            assert_ne!(error.code, "INTERNAL", "{error:?}");
        }
    }
}

/// Where the database refuses a batch, the snapshot stays as it was, at the same revision.
async fn law(url: &str, refuse: &str) {
    let inside = Inside::open(url).await;
    let site = |name: &str| batch(items([json!({"site": {"name": name, "type": "EDGE"}})]));
    inside.writer.write(site("first")).await.expect("written");
    let sql = Sql::connect(url).await;
    sql.run(refuse).await;
    let before = inside.current.get();
    let refused = inside.writer.write(site("boom")).await.expect_err("the database refuses it");
    assert_eq!(refused.code().as_str(), "INTERNAL");
    assert!(std::sync::Arc::ptr_eq(&before, &inside.current.get()), "nothing is loaded afresh");
    assert_eq!(inside.writer.write(site("second")).await.expect("written").revision, Some(2));
    assert_same(&inside.current.get(), &inside.loaded().await);
    sql.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_commit_reloads_nothing_on_sqlite() {
    let (url, _folder) = sqlite();
    let refuse =
        "CREATE TRIGGER boom BEFORE INSERT ON site WHEN NEW.name = 'boom' BEGIN SELECT RAISE(ABORT, 'boom'); END";
    law(&url, refuse).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn a_refused_commit_reloads_nothing_on_postgres() {
    law(&postgres::create_database().await, "ALTER TABLE site ADD CHECK (name <> 'boom')").await;
}
