//! Lists: pages in both directions, orders, filters of every form, and single objects by id.

use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const LIST: &str =
    "query($filter: DeviceFilter, $by: DeviceOrder, $first: Int, $after: String, $last: Int, $before: String) {
  devices(filter: $filter, orderBy: $by, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { name } edges { cursor node { name } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}";

async fn page(client: &Client, variables: Value) -> Value {
    client.ok(LIST, variables).await["devices"].take()
}

fn names(page: &Value) -> Vec<String> {
    page["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap().to_owned()).collect()
}

async fn found(client: &Client, filter: Value) -> String {
    let page = page(client, json!({"filter": filter, "by": {"by": "NAME"}})).await;
    assert_eq!(page["totalCount"], names(&page).len(), "{filter}");
    names(&page).join(" ")
}

/// Two sites beneath two regions; devices d1 to d12 that differ in many ways, written in three batches.
async fn fleet(client: &Client) {
    client
        .apply_all(vec![
            json!({"region": {"name": "eu"}}),
            json!({"region": {"name": "nl", "parent": {"region": "eu"}}}),
            json!({"site": {"name": "ams1", "type": "DATACENTER", "region": {"region": "nl"}}}),
            json!({"site": {"name": "nyc1", "type": "EDGE"}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "A1", "heightU": 42, "labels": {"power": "ab"}}}),
            json!({"cluster": {"name": "k1"}}),
        ])
        .await;
    for part in 0..3 {
        let devices = (1..=4).map(|at| {
            let number = part * 4 + at;
            let site = if number % 2 == 0 { "ams1" } else { "nyc1" };
            let env = ["prod", "stage", "test"][number % 3];
            let mut device = json!({"name": format!("d{number}"), "site": {"site": site}, "role": if number <= 6 { "SERVER" } else { "LEAF" },
                "labels": {"env": env}, "inletsRequired": number % 4 + 1});
            if number == 2 || number == 4 {
                device["placement"] = json!({"rack": {"rack": "A1"}, "startUnit": number, "unitHeight": 1});
            }
            if number % 3 == 0 {
                device["serial"] = json!(format!("SN-{number}"));
                device["cluster"] = json!({"cluster": "k1"});
            }
            json!({"device": device})
        });
        client.apply_all(devices.collect()).await;
    }
    client.apply_all(vec![
        json!({"port": {"device": {"device": "d1"}, "name": "e", "type": "ETHERNET", "speedBps": 100_000_000_000_u64}}),
        json!({"port": {"device": {"device": "d2"}, "name": "s", "type": "SERIAL"}}),
    ]).await;
}

on_both_databases! {
    async fn joined_pages_equal_the_list(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let filters = [Value::Null, json!({"role": {"eq": "SERVER"}}), json!({"site": {"name": {"eq": "ams1"}}})];
        for by in ["KEY", "UPDATED_AT", "CREATED_AT", "NAME", "SERIAL"] {
            for direction in ["ASC", "DESC"] {
                for filter in &filters {
                    let order = json!({"by": by, "direction": direction});
                    let all = page(&client, json!({"filter": filter, "by": order})).await;
                    let whole = names(&all);
                    let what = format!("{order} {filter}");
                    for size in [1, 3, 5, 12] {
                        let (mut forward, mut after) = (Vec::new(), Value::Null);
                        loop {
                            let part = page(&client, json!({"filter": filter, "by": order, "first": size, "after": after})).await;
                            assert_eq!(part["totalCount"], whole.len(), "{what}");
                            assert_eq!(part["pageInfo"]["hasPreviousPage"], json!(!forward.is_empty()), "{what}");
                            forward.extend(names(&part));
                            if part["pageInfo"]["hasNextPage"] == false { break }
                            after = part["pageInfo"]["endCursor"].clone();
                        }
                        assert_eq!(forward, whole, "{what} forward by {size}");
                        let (mut backward, mut before) = (Vec::new(), Value::Null);
                        loop {
                            let part = page(&client, json!({"filter": filter, "by": order, "last": size, "before": before})).await;
                            backward = [names(&part), backward].concat();
                            if part["pageInfo"]["hasPreviousPage"] == false { break }
                            before = part["pageInfo"]["startCursor"].clone();
                        }
                        assert_eq!(backward, whole, "{what} backward by {size}");
                    }
                    // Between two cursors, and between two that are the wrong way round.
                    let cursor = |at: usize| all["edges"][at]["cursor"].clone();
                    let last = whole.len() - 1;
                    let between = page(&client, json!({"filter": filter, "by": order, "after": cursor(0), "before": cursor(last)})).await;
                    assert_eq!(names(&between), whole[1..last], "{what} between");
                    let nothing = page(&client, json!({"filter": filter, "by": order, "after": cursor(last), "before": cursor(0)})).await;
                    assert_eq!(names(&nothing), [""; 0], "{what} the wrong way round");
                }
            }
        }
    }

    async fn names_are_in_natural_order(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let sorted: Vec<_> = (1..=12).map(|number| format!("d{number}")).collect();
        assert_eq!(names(&page(&client, json!({"by": {"by": "NAME"}})).await), sorted);
        let ams1: Vec<_> = (1..=6).map(|number| format!("d{}", number * 2)).collect();
        let query = r#"{ site(name: "ams1") { devices { nodes { name } totalCount } } }"#;
        let devices = client.ok(query, json!({})).await["site"]["devices"].take();
        assert_eq!((names(&devices), &devices["totalCount"]), (ams1, &json!(6)));
    }

    async fn pages_are_stable_during_writes(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let order = json!({"by": "NAME"});
        let first = page(&client, json!({"by": order, "first": 4})).await;
        let end = first["pageInfo"]["endCursor"].clone();
        client.apply_all(vec![
            json!({"device": {"name": "d0", "site": {"site": "ams1"}, "role": "OTHER"}}),
            json!({"device": {"name": "d5a", "site": {"site": "ams1"}, "role": "OTHER"}}),
            // The very one that the page ended at.
            json!({"delete": {"ref": {"device": {"device": "d4"}}}}),
            json!({"delete": {"ref": {"device": {"device": "d6"}}}}),
        ]).await;
        let second = page(&client, json!({"by": order, "first": 4, "after": end})).await;
        assert_eq!(names(&second), ["d5", "d5a", "d7", "d8"]);
    }

    async fn invalid_pages_are_rejected(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let cursor = page(&client, json!({"first": 1})).await["pageInfo"]["endCursor"].clone();
        let table = [
            (json!({"first": -1}), "first", "must be from 0 to 1000, not -1"),
            (json!({"first": 1001}), "first", "must be from 0 to 1000, not 1001"),
            (json!({"last": 1001}), "last", "must be from 0 to 1000, not 1001"),
            (json!({"first": 1, "last": 1}), "last", "cannot be combined with first"),
            (json!({"after": "x"}), "after", "is no cursor of a list in this order"),
            (json!({"after": cursor, "by": {"by": "NAME"}}), "after", "is no cursor of a list in this order"),
        ];
        for (variables, field, says) in table {
            let errors = client.refused(LIST, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some(field)), "{variables}");
            assert!(errors[0].message.contains(says), "{variables}: {errors:?}");
        }
        let none = page(&client, json!({"first": 0})).await;
        assert_eq!((names(&none).len(), &none["totalCount"], &none["pageInfo"]["hasNextPage"]), (0, &json!(12), &json!(true)));
    }

    async fn filters_of_every_form(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let ids = client.ok(r#"{ region(name: "eu") { id } rack(name: "A1") { id } d3: device(name: "d3") { id version } }"#, json!({})).await;
        let d3 = &ids["d3"]["id"];
        let table = [
            (json!({"name": {"eq": "d3"}}), "d3"),
            (json!({"name": {"in": ["d3", "d1", "d3"]}}), "d1 d3"),
            (json!({"name": {"startsWith": "D1", "caseInsensitive": true}}), "d1 d10 d11 d12"),
            (json!({"name": {"endsWith": "2"}}), "d2 d12"),
            (json!({"serial": {"contains": "N-1"}}), "d12"),
            (json!({"serial": {"isNull": false}}), "d3 d6 d9 d12"),
            (json!({"serial": {"isNull": true}, "role": {"eq": "LEAF"}}), "d7 d8 d10 d11"),
            (json!({"id": {"eq": d3}}), "d3"),
            (json!({"inletsRequired": {"gt": 3}}), "d3 d7 d11"),
            (json!({"inletsRequired": {"gte": 2, "lt": 3}}), "d1 d5 d9"),
            (json!({"inletsRequired": {"in": [1]}}), "d4 d8 d12"),
            (json!({"role": {"notIn": ["SERVER"]}, "inletsRequired": {"lte": 2}}), "d8 d9 d12"),
            (json!({"version": {"lte": ids["d3"]["version"]}}), "d1 d2 d3 d4"),
            (json!({"labels": "env in (prod,stage),!legacy"}), "d1 d3 d4 d6 d7 d9 d10 d12"),
            (json!({"labels": "env=test"}), "d2 d5 d8 d11"),
            (json!({"labels": "legacy"}), ""),
            (json!({"and": [{"labels": "env=prod"}, {"role": {"eq": "SERVER"}}]}), "d3 d6"),
            (json!({"or": [{"name": {"eq": "d1"}}, {"labels": "env=test", "role": {"eq": "LEAF"}}]}), "d1 d8 d11"),
            (json!({"or": []}), ""),
            (json!({"not": {"or": [{"role": {"eq": "LEAF"}}, {"serial": {"isNull": true}}]}}), "d3 d6"),
            (json!({"site": {"name": {"eq": "nyc1"}}, "role": {"eq": "LEAF"}}), "d7 d9 d11"),
            (json!({"site": {"region": {"parent": {"name": {"eq": "eu"}}}}, "cluster": {"isNull": false}}), "d6 d12"),
            (json!({"site": {"region": {"isNull": true}}, "role": {"eq": "SERVER"}}), "d1 d3 d5"),
            (json!({"cluster": {"isNull": true}, "rack": {"isNull": false}}), "d2 d4"),
            (json!({"rack": {"labels": "power=ab"}}), "d2 d4"),
            (json!({"not": {"cluster": {"name": {"eq": "k1"}}}, "role": {"eq": "LEAF"}}), "d7 d8 d10 d11"),
            (json!({"ports": {"some": {"type": {"eq": "ETHERNET"}}}}), "d1"),
            (json!({"ports": {"some": {}, "none": {"type": {"eq": "ETHERNET"}}}}), "d2"),
            (json!({"ports": {"some": {"speedBps": {"gte": 100_000_000_000_u64}}}}), "d1"),
            (json!({"within": ids["region"]["id"]}), "d2 d4 d6 d8 d10 d12"),
            (json!({"within": ids["rack"]["id"]}), "d2 d4"),
            (json!({"within": d3}), ""),
            (json!({"createdAt": {"isNull": true}}), ""),
        ];
        for (filter, names) in table {
            assert_eq!(found(&client, filter.clone()).await, names, "{filter}");
        }
        let sites = r#"{ sites(filter: {devices: {none: {role: {eq: SERVER}, name: {endsWith: "1"}}}}) { nodes { name } } }"#;
        assert_eq!(names(&client.ok(sites, json!({})).await["sites"]), ["ams1"]);
    }

    async fn objects_by_id(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let ids = client.ok(r#"{ rack(site: "ams1", name: "A1") { id } device(name: "d1") { id } }"#, json!({})).await;
        let (rack, device) = (&ids["rack"]["id"], &ids["device"]["id"]);
        let query = "query($id: ID!, $ids: [ID!]!) {
            node(id: $id) { __typename id ... on Rack { heightU } }
            nodes(ids: $ids) { __typename ... on Device { name role } } }";
        let missing = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
        let data = client.ok(query, json!({"id": rack, "ids": [device, missing, "x", rack]})).await;
        assert_eq!(data["node"], json!({"__typename": "Rack", "id": rack, "heightU": 42}));
        assert_eq!(data["nodes"], json!([{"__typename": "Device", "name": "d1", "role": "SERVER"}, null, null, {"__typename": "Rack"}]));
        assert_eq!(client.ok(query, json!({"id": missing, "ids": []})).await, json!({"node": null, "nodes": []}));
        let many: Vec<_> = (0..1001).map(|_| missing).collect();
        let errors = client.refused(query, json!({"id": rack, "ids": many})).await;
        assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("INVALID", Some("ids")));
        let key = client.ok(r#"{ rack(name: "nothing") { id } }"#, json!({})).await;
        assert_eq!(key["rack"], Value::Null);
    }
}
