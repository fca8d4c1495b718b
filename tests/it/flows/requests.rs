//! Repeated requests, concurrent writers, and the change log.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::harness::{Server, on_both_databases};

on_both_databases! {
    async fn a_repeated_request_is_answered_as_the_first_time(mut server: Server) {
        let client = server.client();
        let input = json!({"requestId": "r1", "mode": "PER_ITEM", "items": [
            {"region": {"name": "good"}}, {"region": {"name": ""}}
        ]});
        let first = client.apply_input(input.clone()).await;
        assert_eq!((&first["revision"], &first["results"][1]["status"]), (&json!(1), &json!("FAILED")));
        assert_eq!(client.apply_input(input.clone()).await, first, "failed items too");
        let create = r#"mutation { createRegion(input: {name: "one"}, requestId: "r2") { region { id name } revision } }"#;
        let made = client.ok(create, json!({})).await;
        assert_eq!(client.ok(create, json!({})).await, made);
        let id = made["createRegion"]["region"]["id"].clone();
        let delete = r#"mutation($id: ID!) { deleteRegion(id: $id, requestId: "r3") { deleted { kind id name } revision } }"#;
        let deleted = client.ok(delete, json!({"id": id})).await;
        assert_eq!(deleted["deleteRegion"]["deleted"], json!([{"kind": "Region", "id": id, "name": "one"}]));
        assert_eq!(client.ok(delete, json!({"id": id})).await, deleted);
        // The object of the first request was deleted meanwhile; it is not created again.
        assert_eq!(client.refused(create, json!({})).await[0].code, "NOT_FOUND");
        // The name of a request is not given to another.
        let other = r#"mutation { createCluster(input: {name: "k"}, requestId: "r2") { revision } }"#;
        let errors = client.refused(other, json!({})).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("REQUEST_REUSED", Some("requestId")));
        // A batch that was refused wrote nothing, and neither does its repeat.
        let refused = json!({"requestId": "r4", "items": [{"region": {"name": "x"}}, {"region": {"name": ""}}]});
        let answer = client.apply_input(refused.clone()).await;
        assert_eq!(answer["revision"], Value::Null);
        let again = client.apply_input(refused).await;
        assert_eq!(again["results"][1], answer["results"][1]);
        assert_eq!(client.ok("{ revision regions { totalCount } }", json!({})).await,
            json!({"revision": 3, "regions": {"totalCount": 1}}));
        server.stop().await;
        server.restart().await;
        let client = server.client();
        assert_eq!(client.apply_input(input).await, first, "after a restart");
        assert_eq!(client.ok(delete, json!({"id": id})).await, deleted);
        assert_eq!(client.ok("{ revision }", json!({})).await, json!({"revision": 3}));
    }

    async fn request_ids_and_sources_are_validated(server: Server) {
        let client = server.client();
        for (field, value) in [("requestId", "a\0"), ("requestId", ""), ("source", "a\0"), ("source", " a")] {
            let input = json!({"items": [{"region": {"name": "r"}}], field: value});
            let errors = client.refused(crate::harness::APPLY, json!({"input": input})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{value:?}");
        }
        assert_eq!(client.ok("{ revision }", json!({})).await, json!({"revision": 0}));
    }

    async fn one_of_two_writers_gets_a_unit(server: Server) {
        let client = server.client();
        client.apply_all(vec![
            json!({"site": {"name": "s", "type": "EDGE"}}),
            json!({"rack": {"site": {"site": "s"}, "name": "r", "heightU": 42}}),
        ]).await;
        let create = "mutation($input: DeviceInput!) { createDevice(input: $input) { revision } }";
        for unit in 1..=10 {
            let wanted = |name: String| json!({"input": {"name": name, "site": {"site": "s"}, "role": "SERVER",
                "placement": {"rack": {"rack": "r"}, "startUnit": unit, "unitHeight": 1}}});
            let writers = (0..4).map(|writer| client.execute(create, wanted(format!("d{unit}-{writer}"))));
            let answers = join_all(writers).await;
            let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.errors.is_empty());
            assert_eq!((won.len(), lost.len()), (1, 3), "unit {unit}");
            for answer in lost {
                assert_eq!(answer.errors[0].code, "OVERLAP");
                assert!(answer.errors[0].message.contains(&format!("at U{unit} in rack r")), "{:?}", answer.errors);
            }
        }
        let count = client.ok("{ devices { totalCount } revision }", json!({})).await;
        assert_eq!(count, json!({"devices": {"totalCount": 10}, "revision": 11}));
    }

    async fn the_change_log_records_changes(server: Server) {
        let client = server.client();
        client.apply_all(vec![json!({"region": {"name": "r", "displayName": "one"}}), json!({"region": {"name": "s"}})]).await;
        let apply = json!({"source": "bcm", "items": [{"region": {"name": "r", "description": "t"}}]});
        client.apply_input(apply).await;
        client.apply_all(vec![json!({"delete": {"ref": {"region": {"region": "s"}}}})]).await;
        let query = "{ region(name: \"r\") { changes(first: 1) { nodes { revision operation source after before object { id } }
            pageInfo { hasNextPage endCursor } } } }";
        let changes = client.ok(query, json!({})).await["region"]["changes"].clone();
        let newest = &changes["nodes"][0];
        assert_eq!((&newest["operation"], &newest["source"], &newest["after"]["description"], &newest["revision"]),
            (&json!("UPDATED"), &json!("bcm"), &json!("t"), &json!(2)));
        assert_eq!(changes["pageInfo"]["hasNextPage"], true);
        let next = format!("{{ region(name: \"r\") {{ changes(after: {}) {{ nodes {{ operation after }} }} }} }}",
            changes["pageInfo"]["endCursor"]);
        let older = client.ok(&next, json!({})).await["region"]["changes"]["nodes"].clone();
        assert_eq!((older.as_array().unwrap().len(), &older[0]["operation"]), (1, &json!("CREATED")));
        assert_eq!(older[0]["after"]["displayName"], "one");
        let log = "query($filter: ChangeFilter, $after: String, $order: ChangeOrder) {
            changes(filter: $filter, first: 2, after: $after, orderBy: $order) {
                totalCount nodes { revision position name operation object { id } } pageInfo { hasNextPage endCursor } } }";
        let first = client.ok(log, json!({"order": "OLDEST_FIRST"})).await["changes"].clone();
        assert_eq!((&first["totalCount"], &first["pageInfo"]["hasNextPage"]), (&json!(4), &json!(true)));
        let rest = client.ok(log, json!({"order": "OLDEST_FIRST", "after": first["pageInfo"]["endCursor"]})).await;
        let listed = |page: &Value| -> Vec<String> {
            let nodes = page["nodes"].as_array().unwrap().iter();
            nodes.map(|it| format!("{} {} {}", it["revision"], it["name"].as_str().unwrap(), it["operation"].as_str().unwrap())).collect()
        };
        let all = [listed(&first), listed(&rest["changes"])].concat();
        assert_eq!(all, ["1 r CREATED", "1 s CREATED", "2 r UPDATED", "3 s DELETED"]);
        assert_eq!(rest["changes"]["nodes"][1]["object"], Value::Null, "it is gone");
        for (filter, names) in [
            (json!({"operations": ["DELETED"]}), vec!["3 s DELETED"]),
            (json!({"sources": ["bcm"]}), vec!["2 r UPDATED"]),
            (json!({"fromRevision": 2, "toRevision": 2}), vec!["2 r UPDATED"]),
            (json!({"kinds": ["Site"]}), vec![]),
            (json!({"actors": ["nobody"]}), vec![]),
        ] {
            let found = client.ok(log, json!({"filter": filter})).await["changes"].clone();
            assert_eq!(listed(&found), names, "{filter}");
            assert_eq!(found["totalCount"], names.len(), "{filter}");
        }
        for (filter, field) in [(json!({"kinds": ["Rak"]}), "kinds"), (json!({"objects": ["x"]}), "objects"),
            (json!({"actors": ["a\0"]}), "actors"), (json!({"sources": ["\0"]}), "sources")] {
            let errors = client.refused(log, json!({"filter": filter})).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{filter}");
        }
    }
}
