//! The diff between two revisions over the API.

use serde_json::{Value, json};
use underlay_engine::store::{ChangeQuery, Outline};
use underlay_read::{self, DiffQuery};

use crate::harness::inside::Inside;
use crate::harness::{Client, Server, Sql, on_both_databases};

const DIFF: &str = "query($from: Revision!, $to: Revision!, $filter: ObjectDiffFilter, $first: Int, $after: String) {
    diff(from: $from, to: $to, filter: $filter, first: $first, after: $after) {
        nodes { kind objectId name operation before after object { id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
}";

async fn diff(client: &Client, variables: Value) -> Value {
    client.ok(DIFF, variables).await["diff"].take()
}

/// Returns the operation and the object of each difference, in order.
fn summaries(diff: &Value) -> Vec<String> {
    let nodes = diff["nodes"].as_array().expect("nodes").iter();
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    nodes.map(|it| format!("{} {} {}", text(&it["operation"]), text(&it["kind"]), text(&it["name"]))).collect()
}

fn region(name: &str, description: Option<&str>) -> Value {
    json!({"region": {"name": name, "description": description}})
}

fn delete(name: &str) -> Value {
    json!({"delete": {"ref": {"region": {"region": name}}}})
}

/// Six revisions: some of what they do comes to nothing.
async fn history(client: &Client) {
    let site = json!({"site": {"name": "s", "type": "EDGE", "region": {"region": "r2"}}});
    for items in [
        vec![region("r1", Some("one")), region("r2", None), region("r10", None), site],
        vec![region("r1", Some("two")), region("brief", None), region("gone", Some("was"))],
        vec![region("r1", Some("one")), region("r2", Some("more")), delete("brief")],
        vec![region("r2", Some("most")), delete("r10"), region("new", None)],
        vec![region("new", Some("newer")), delete("gone")],
        vec![json!({"region": {"name": "r2", "labels": {"a": "b"}}})],
    ] {
        client.apply_all(items).await;
    }
}

on_both_databases! {
    async fn each_difference_is_listed_once(server: Server) {
        let client = server.client();
        history(&client).await;
        let forward = diff(&client, json!({"from": 1, "to": 5})).await;
        assert_eq!(summaries(&forward), ["CREATED Region new", "UPDATED Region r2", "DELETED Region r10"]);
        let nodes = &forward["nodes"];
        assert_eq!((&nodes[0]["before"], &nodes[0]["after"]["description"]), (&Value::Null, &json!("newer")));
        assert_eq!(nodes[0]["after"]["managers"]["description"], "local", "managers by name");
        assert_eq!((&nodes[1]["before"]["description"], &nodes[1]["after"]["description"]), (&Value::Null, &json!("most")));
        assert_eq!((&nodes[1]["before"]["version"], &nodes[1]["after"]["version"]), (&json!(1), &json!(4)));
        assert_eq!(nodes[1]["after"].get("name"), None, "only what differs");
        assert_eq!((&nodes[2]["before"]["name"], &nodes[2]["after"], &nodes[2]["object"]), (&json!("r10"), &Value::Null, &Value::Null));
        assert_eq!(nodes[1]["object"]["id"], nodes[1]["objectId"]);
        // The other way: what would undo it.
        let backward = diff(&client, json!({"from": 5, "to": 1})).await;
        assert_eq!(summaries(&backward), ["DELETED Region new", "UPDATED Region r2", "CREATED Region r10"]);
        for index in 0..3 {
            assert_eq!(backward["nodes"][index]["before"], nodes[index]["after"]);
            assert_eq!(backward["nodes"][index]["after"], nodes[index]["before"]);
        }
        for (variables, expected) in [
            (json!({"from": 0, "to": 1}), vec!["CREATED Region r1", "CREATED Region r2", "CREATED Region r10", "CREATED Site s"]),
            (json!({"from": 3, "to": 3}), vec![]),
            (json!({"from": 1, "to": 3}), vec!["CREATED Region gone", "UPDATED Region r2"]),
            (json!({"from": 2, "to": 5, "filter": {"operations": ["DELETED"]}}), vec!["DELETED Region brief", "DELETED Region gone", "DELETED Region r10"]),
            (json!({"from": 5, "to": 2, "filter": {"operations": ["CREATED"]}}), vec!["CREATED Region brief", "CREATED Region gone", "CREATED Region r10"]),
            (json!({"from": 0, "to": 6, "filter": {"kinds": ["Site", "Rack"]}}), vec!["CREATED Site s"]),
            (json!({"from": 5, "to": 6, "filter": {"objects": [nodes[1]["objectId"]]}}), vec!["UPDATED Region r2"]),
            (json!({"from": 5, "to": 6, "filter": {"objects": []}}), vec![]),
        ] {
            assert_eq!(summaries(&diff(&client, variables.clone()).await), expected, "{variables}");
        }
    }

    async fn a_diff_is_read_page_by_page(server: Server) {
        let client = server.client();
        let names: Vec<String> = (1..=45).map(|number| format!("r{number}")).collect();
        client.apply_all(names.iter().map(|name| region(name, None)).collect()).await;
        // Every third comes back to what it was: pages are full all the same.
        client.apply_all(names.iter().map(|name| region(name, Some("x"))).collect()).await;
        client.apply_all(names.iter().step_by(3).map(|name| region(name, None)).collect()).await;
        let expected: Vec<String> = (1..=45).filter(|it| it % 3 != 1).map(|it| format!("UPDATED Region r{it}")).collect();
        let (mut found, mut after, mut pages) = (Vec::new(), Value::Null, 0);
        loop {
            let page = diff(&client, json!({"from": 1, "to": 3, "first": 10, "after": after})).await;
            found.extend(summaries(&page));
            pages += 1;
            assert_eq!(page["pageInfo"]["hasPreviousPage"], pages > 1);
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
            // Later revisions do not matter to it.
            client.apply_all(vec![region("r2", Some(&format!("{pages}")))]).await;
        }
        assert_eq!((found, pages), (expected, 3));
        let none = diff(&client, json!({"from": 1, "to": 3, "first": 0})).await;
        assert_eq!((summaries(&none).len(), &none["pageInfo"]["hasNextPage"]), (0, &json!(true)));
        for (variables, field) in [
            (json!({"from": 1, "to": 2, "after": after}), "after"), (json!({"from": 1, "to": 3, "after": "x"}), "after"),
            (json!({"from": 1, "to": 3, "first": 1001}), "first"), (json!({"from": 1, "to": 3, "filter": {"kinds": ["Rak"]}}), "kinds"),
            (json!({"from": 1, "to": 3, "filter": {"objects": ["x"]}}), "objects"),
            (json!({"from": 99, "to": 3}), "from"), (json!({"from": 1, "to": 99}), "to"),
        ] {
            let errors = client.refused(DIFF, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{variables}");
        }
    }

    async fn dropped_revisions_cannot_be_compared(server: Server) {
        let client = server.client();
        history(&client).await;
        // As `feed.retention` does it.
        let sql = Sql::connect(&server.database_url()).await;
        sql.run("DELETE FROM batch WHERE revision < 4").await;
        let held = diff(&client, json!({"from": 3, "to": 5})).await;
        assert_eq!(summaries(&held), ["DELETED Region gone", "CREATED Region new", "UPDATED Region r2", "DELETED Region r10"]);
        for (from, to, field) in [(2, 5, "from"), (5, 0, "to")] {
            let errors = client.refused(DIFF, json!({"from": from, "to": to})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REVISION_COMPACTED", Some(field)));
            assert_eq!(errors[0].extensions["oldestRevision"], 4);
        }
    }

    async fn the_log_is_the_same_in_pieces_of_any_size(server: Server) {
        let client = server.client();
        history(&client).await;
        let store = Inside::open(&server.database_url()).await.store;
        let mut query = ChangeQuery { from_revision: Some(2), to_revision: Some(5), oldest_first: true, limit: 100, ..ChangeQuery::default() };
        let position = |it: &Outline| (it.object_id, it.revision, it.position);
        let whole: Vec<_> = store.outlines(&query).await.expect("outlines").iter().map(position).collect();
        assert!(whole.len() == 11 && whole.is_sorted_by_key(|it| (it.1, it.2)), "{whole:?}");
        let mut by_object = whole.clone();
        by_object.sort();
        query.objects = Some(whole.iter().map(|it| it.0).collect());
        for limit in 1..=12 {
            let (mut outlines, mut changes, mut past) = (Vec::new(), Vec::new(), None);
            query.limit = limit;
            loop {
                query.past = outlines.last().map(|it: &(_, i64, i32)| (it.1, it.2));
                let found = store.outlines(&query).await.expect("outlines");
                outlines.extend(found.iter().map(position));
                if (found.len() as u64) < limit {
                    break;
                }
            }
            query.past = None;
            loop {
                let found = store.changes_by_object(&query, past).await.expect("changes");
                changes.extend(found.iter().map(|it| (it.object_id, it.revision, it.position)));
                past = changes.last().copied();
                if (found.len() as u64) < limit {
                    break;
                }
            }
            assert_eq!((&outlines, &changes), (&whole, &by_object), "{limit} at a time");
        }
    }

    async fn too_many_changes_are_rejected_with_advice(server: Server) {
        let client = server.client();
        history(&client).await;
        let inside = Inside::open(&server.database_url()).await;
        let ask = async |from, to, max_changes| {
            let question = DiffQuery { max_changes, ..DiffQuery::all(from, to, 10) };
            underlay_read::diff(&inside.store, &inside.current.get(), &question).await
        };
        assert_eq!(ask(1, 3, 6).await.expect("just so many").differences.len(), 2);
        for (from, to) in [(1, 3), (3, 1)] {
            let error = ask(from, to, 5).await.expect_err("one more");
            assert_eq!(error.code().as_str(), "TOO_COMPLEX");
            assert!(error.to_string().contains(&format!("between revisions {from} and {to} there are more than 5 changes")), "{error}");
        }
    }

    async fn a_reused_id_is_compared_as_one_object(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "r", "description": "x", "displayName": "R"}})]).await;
        let id = client.ok("{ region(name: \"r\") { id } }", json!({})).await["region"]["id"].clone();
        client.apply_all(vec![delete("r")]).await;
        let again = client.apply(vec![json!({"region": {"id": id, "name": "r", "displayName": "S"}})]).await;
        assert_eq!(again["results"][0]["status"], "CREATED", "{again:#}");
        let found = diff(&client, json!({"from": 1, "to": 3})).await;
        let node = &found["nodes"][0];
        assert_eq!(summaries(&found), ["UPDATED Region r"]);
        assert_eq!((&node["before"]["description"], &node["after"]["description"]), (&json!("x"), &Value::Null));
        assert_eq!((&node["before"]["displayName"], &node["after"]["displayName"]), (&json!("R"), &json!("S")));
        assert_eq!(node["after"].get("name"), None);
    }
}
