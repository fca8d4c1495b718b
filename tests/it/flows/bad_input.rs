//! Invalid input over HTTP gets an error code, a field and a sentence, and writes nothing.

use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

/// The revision, and how many objects of some kinds there are.
async fn state(client: &Client) -> Value {
    let query = "{ revision regions { totalCount } sites { totalCount } racks { totalCount } devices { totalCount }
        ports { totalCount } cables { totalCount } changes { totalCount } }";
    client.ok(query, json!({})).await
}

/// A site with two racks, two devices and their ports, another site, and a cable.
async fn fleet(client: &Client) {
    client
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"site": {"name": "fra1", "type": "DATACENTER"}}),
            json!({"region": {"name": "eu"}}),
            json!({"region": {"name": "nl", "parent": {"region": "eu"}}}),
            json!({"rack": {"site": {"site": "ams1"}, "name": "A14", "heightU": 42}}),
            json!({"rack": {"site": {"site": "fra1"}, "name": "A14", "heightU": 42}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "node-7", "role": "SERVER",
                "placement": {"rack": {"site": "ams1", "rack": "A14"}, "startUnit": 10, "unitHeight": 2}}}),
            json!({"device": {"site": {"site": "ams1"}, "name": "leaf-1", "role": "LEAF"}}),
            json!({"port": {"device": {"device": "node-7"}, "name": "e1", "type": "ETHERNET"}}),
            json!({"port": {"device": {"device": "leaf-1"}, "name": "e1", "type": "ETHERNET"}}),
            json!({"port": {"device": {"device": "leaf-1"}, "name": "e2", "type": "ETHERNET"}}),
            json!({"port": {"device": {"device": "leaf-1"}, "name": "psu", "type": "POWER_INLET"}}),
            json!({"cable": {"name": "c1", "aEnds": [{"port": {"device": "node-7", "port": "e1"}}],
                "bEnds": [{"port": {"device": "leaf-1", "port": "e1"}}]}}),
        ])
        .await;
}

fn rack(field: &str, value: Value) -> Value {
    json!({"rack": {"site": {"site": "ams1"}, "name": "new", "heightU": 10, field: value}})
}

fn cable(a: Value, b: Value) -> Value {
    json!({"cable": {"name": "c2", "aEnds": [{"port": a}], "bEnds": [{"port": b}]}})
}

on_both_databases! {
    async fn invalid_items_are_rejected_with_code_field_and_sentence(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let before = state(&client).await;
        let port = |device: &str, name: &str| json!({"device": device, "port": name});
        let placed = |start: f64, rack: Value| json!({"device": {"site": {"site": "ams1"}, "name": "new", "role": "SERVER",
            "placement": {"rack": rack, "startUnit": start, "unitHeight": 2}}});
        let a14 = || json!({"site": "ams1", "rack": "A14"});
        let table = [
            ("no such site", rack("site", json!({"site": "x"})), "NOT_FOUND", "site", "Site x does not exist"),
            ("two of them", json!({"port": {"rack": {"rack": "A14"}, "name": "o", "type": "POWER_OUTLET"}}), "AMBIGUOUS", "rack", "rack/ams1/A14, rack/fra1/A14"),
            ("the other site", placed(1.0, json!({"site": "fra1", "rack": "A14"})), "INCOMPATIBLE", "placement.rack", "of the site"),
            ("the unit is taken", placed(11.0, a14()), "OVERLAP", "placement", "U11-U12 (FRONT) overlaps node-7 at U10-U11 in rack A14"),
            ("too high", placed(42.0, a14()), "OVERLAP", "placement", "does not fit within rack A14 (height 42U)"),
            ("half of a half", placed(1.25, a14()), "INVALID", "placement.startUnit", "in steps of 0.5"),
            ("out of range", rack("heightU", json!(101)), "INVALID", "heightU", "from 1 to 100, not 101"),
            ("a label out of grammar", rack("labels", json!({"-x": "y"})), "INVALID", "labels.-x", "is no label key"),
            ("NUL", rack("serial", json!("a\0b")), "INVALID", "serial", "must not contain the character NUL"),
            ("NUL inside", rack("attributes", json!({"a": {"b": ["\0"]}})), "INVALID", "attributes", "NUL"),
            ("a huge number", rack("attributes", json!({"a": 1e200})), "INVALID", "attributes.a", "write it as text"),
            ("an empty name", rack("name", json!("")), "INVALID", "name", "must not be empty"),
            ("an immutable field", json!({"rack": {"id": null, "site": {"site": "fra1"}, "name": "A14", "heightU": 1000}}),
                "INVALID", "heightU", "from 1 to 100"),
            ("a cycle", json!({"region": {"name": "eu", "parent": {"region": "nl"}}}), "INVALID", "parent", "or a part of it"),
            ("a port with two cables", cable(port("leaf-1", "e2"), port("node-7", "e1")), "DUPLICATE", "bEnds[0]", "taken by cable/c1"),
            ("ends that cannot be joined", cable(port("leaf-1", "e2"), port("leaf-1", "psu")), "INCOMPATIBLE", "bEnds", "cannot be joined"),
            ("one end twice", cable(port("leaf-1", "e2"), port("leaf-1", "e2")), "INVALID", "bEnds[0]", "ends at already"),
            ("in use", json!({"delete": {"ref": {"rack": a14()}}}), "IN_USE", "", "rack/ams1/A14 is still in use by 1 Device (node-7)"),
            ("in use with cascade", json!({"delete": {"ref": {"rack": a14()}, "cascade": true}}), "IN_USE", "", "1 Device (node-7)"),
            ("a stale version", json!({"delete": {"ref": {"region": {"region": "nl"}}, "ifVersion": 7}}), "STALE_VERSION", "", "not 7"),
            ("what is not there", json!({"delete": {"ref": {"rack": {"rack": "x"}}}}), "NOT_FOUND", "ref", "Rack x does not exist"),
        ];
        for (what, item, code, field, says) in table {
            let good = json!({"region": {"name": "good"}});
            let payload = client.apply(vec![good, item]).await;
            assert_eq!(payload["revision"], Value::Null, "{what}");
            let error = &payload["results"][1]["error"];
            assert_eq!((&error["code"], error["field"].as_str().unwrap_or_default()), (&json!(code), field), "{what}: {error}");
            assert!(error["message"].as_str().unwrap().contains(says), "{what}: {error}");
            assert_eq!(payload["results"][0]["error"], Value::Null, "{what}");
        }
        assert_eq!(state(&client).await, before, "nothing was written");
    }

    async fn fields_unknown_to_the_schema_are_rejected(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let before = state(&client).await;
        let table = [
            ("an unknown field", json!({"rack": {"hight": 1}}), "hight"),
            ("an unknown kind", json!({"rak": {}}), "rak"),
            ("an unknown enum value", rack("status", json!("GONE")), "\"Status\" does not contain the given value"),
            ("a text for a number", rack("heightU", json!("42")), "Int"),
            ("a number for a text", rack("serial", json!(42)), "String"),
            ("a list for an object", rack("site", json!([])), "SiteRef"),
            ("two kinds in one item", json!({"rack": {}, "site": {}}), "exactly one field"),
        ];
        for (what, item, says) in table {
            let errors = client.refused(crate::harness::APPLY, json!({"input": {"items": [item]}})).await;
            assert_eq!(errors[0].code, "INVALID", "{what}: {errors:?}");
            assert!(errors.iter().any(|error| error.message.contains(says)), "{what}: {errors:?}");
        }
        for (what, query, says) in [
            ("an unknown field", "{ racks { nodes { hight } } }", "hight"),
            ("an unknown argument", "{ racks(hight: 1) { totalCount } }", "hight"),
            ("an unknown order", "{ racks(orderBy: {by: HIGHT}) { totalCount } }", "RackOrderBy"),
            ("a bad selector", r#"{ racks(filter: {labels: "a b"}) { totalCount } }"#, "label"),
            ("no GraphQL", "{ racks {", "expected"),
        ] {
            let errors = client.refused(query, json!({})).await;
            assert_eq!(errors[0].code, "INVALID", "{what}: {errors:?}");
            assert!(errors[0].message.contains(says), "{what}: {errors:?}");
        }
        assert_eq!(state(&client).await, before, "nothing was written");
    }

    async fn bytes_that_are_not_a_request_are_rejected(server: Server) {
        let client = server.client();
        let huge = "x".repeat(10_000_000);
        let name = json!({"query": "mutation($n: String!) { createRegion(input: {name: $n}) { revision } }", "variables": {"n": huge}});
        let table: Vec<(&str, Vec<u8>)> = vec![
            ("invalid UTF-8", b"{\"query\": \"{ revision \xff }\"}".to_vec()),
            ("cut off", b"{\"query\": \"{ rev".to_vec()),
            ("a NUL", b"{\"query\": \"{ revision \0 }\"}".to_vec()),
            ("a bomb of lists", "[".repeat(1_000_000).into_bytes()),
            ("a name of 10 MB", name.to_string().into_bytes()),
            ("nothing", Vec::new()),
        ];
        for (what, body) in table {
            let Ok(answer) = client.post_bytes("application/json", body).await else { continue };
            let text = answer.text();
            assert!(text.contains("errors") || answer.status >= 400, "{what}: {} {text}", answer.status);
            assert!(text.len() < 3_000, "{what} is answered with {} bytes", text.len());
        }
        let wide = format!("mutation {{ createRegion(input: {{name: \"r\", attributes: {}1{}}}) {{ revision }} }}",
            "{a: ".repeat(500), "}".repeat(500));
        let errors = client.refused(&wide, json!({})).await;
        assert_eq!(errors[0].code, "TOO_COMPLEX", "{errors:?}");
        assert!(errors[0].message.contains("nested too deep"), "{errors:?}");
        let lists = format!("query($x: {}Int{}) {{ revision }}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(client.refused(&lists, json!({})).await[0].code, "TOO_COMPLEX");
        // The greatest depth that the parser and JSON permit: the inventory answers with its own limit.
        let literal = format!("mutation {{ createRegion(input: {{name: \"r\", attributes: {}1{}}}) {{ revision }} }}",
            "{a: ".repeat(120), "}".repeat(120));
        let nested = (0..110).fold(json!(1), |inner, _| json!({"a": inner}));
        let variable = "mutation($a: JSON) { createRegion(input: {name: \"r\", attributes: $a}) { revision } }";
        for (query, variables) in [(literal.as_str(), json!({})), (variable, json!({"a": nested}))] {
            let errors = client.refused(query, variables).await;
            assert!(errors[0].message.contains("must not be nested more than 32 deep"), "{errors:?}");
        }
        let state = state(&client).await;
        assert_eq!((&state["revision"], &state["regions"]["totalCount"]), (&json!(0), &json!(0)));
    }

    async fn a_batch_of_requests_is_refused_with_a_sentence(server: Server) {
        let client = server.client();
        let one = json!({"query": "{ revision }"});
        for body in [json!([one, one]), json!([one]), json!([]), json!(["{ revision }"]), json!(["{ revision }", null, {}])] {
            for text in [body.to_string(), format!(" \n{body}")] {
                let answer = client.post_bytes("application/json", text.into_bytes()).await.expect("an answer");
                let text = answer.text();
                assert!(answer.status == 400 && text.contains("INVALID"), "{body}: {} {text}", answer.status);
                assert!(text.contains("requests are not taken in batches. Send each request by itself"), "{body}: {text}");
            }
        }
    }

    async fn a_single_mutation_reports_its_error(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let racks = client.ok(r#"{ rack(site: "ams1", name: "A14") { id version } }"#, json!({})).await;
        let (id, version) = (&racks["rack"]["id"], &racks["rack"]["version"]);
        let before = state(&client).await;
        let update = "mutation($id: ID!, $patch: RackPatch!, $version: Revision) {
            updateRack(id: $id, patch: $patch, ifVersion: $version) { revision } }";
        let create = "mutation($input: RackInput!) { createRack(input: $input) { revision } }";
        let delete = "mutation($id: ID!) { deleteRack(id: $id) { revision } }";
        let missing = "0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee";
        let table = [
            (update, json!({"id": id, "patch": {"heightU": 5}}), "INCOMPATIBLE", Some("heightU"), "must be at least 11: node-7"),
            (update, json!({"id": id, "patch": {"heightU": null}}), "INVALID", Some("heightU"), "cannot be cleared"),
            (update, json!({"id": id, "patch": {}, "version": 99}), "STALE_VERSION", None, "not 99: read it again"),
            (update, json!({"id": missing, "patch": {"cage": "1"}}), "NOT_FOUND", Some("id"), missing),
            (update, json!({"id": "x", "patch": {"cage": "1"}}), "INVALID", Some("id"), "must be a UUID"),
            (create, json!({"input": {"site": {"site": "ams1"}, "name": "A14", "heightU": 1}}), "DUPLICATE", Some("name"),
                "the name A14 is already taken by rack/ams1/A14"),
            (create, json!({"input": {"site": {"site": "ams1"}, "name": "n"}}), "INVALID", Some("heightU"), "is required"),
            (delete, json!({"id": id}), "IN_USE", None, "rack/ams1/A14 is still in use by 1 Device (node-7)"),
            (delete, json!({"id": missing}), "NOT_FOUND", Some("ref"), missing),
        ];
        for (mutation, variables, code, field, says) in table {
            let errors = client.refused(mutation, variables.clone()).await;
            assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), (code, field), "{variables}: {errors:?}");
            assert!(errors[0].message.contains(says), "{variables}: {errors:?}");
            assert_eq!(errors[0].extensions["kind"], "Rack", "{errors:?}");
        }
        assert_eq!(state(&client).await, before, "nothing was written");
        client.ok(update, json!({"id": id, "patch": {"cage": "7"}, "version": version})).await;
    }

    async fn the_siblings_of_a_failing_mutation_survive(server: Server) {
        let client = server.client();
        let mutation = r#"mutation {
            one: createRegion(input: {name: "one"}) { region { name } revision }
            bad: createRegion(input: {name: ""}) { revision }
            two: createRegion(input: {name: "two", parent: {region: "one"}}) { region { parent { name } } revision }
        }"#;
        let answer = client.execute(mutation, json!({})).await;
        assert_eq!(answer.data["one"], json!({"region": {"name": "one"}, "revision": 1}));
        assert_eq!(answer.data["bad"], Value::Null);
        assert_eq!(answer.data["two"], json!({"region": {"parent": {"name": "one"}}, "revision": 2}));
        assert_eq!(answer.errors.len(), 1);
        assert_eq!((answer.errors[0].code.as_str(), &answer.errors[0].path), ("INVALID", &json!(["bad"])));
        assert_eq!(answer.extensions["revision"], 2);
    }
}
