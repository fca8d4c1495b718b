//! Impact over HTTP and on the command line.

use serde_json::{Value, json};

use crate::harness::{Client, Server, on_both_databases};

const IMPACT: &str =
    "query($of: [ID!]!, $anchors: [ID!], $kinds: [String!], $within: ID, $first: Int, $after: String) {
  impact(of: $of, anchors: $anchors, kinds: $kinds, within: $within) {
    revision unanchored of { ... on Device { name } } counts { kind effect count }
    affected(first: $first, after: $after) {
      totalCount nodes { path effect rule lost of because(first: 10) { path node { id } } node { ... on Device { name } } }
      pageInfo { hasNextPage hasPreviousPage endCursor }
    }
  }
}";

/// A server on a leaf that alone leads to a border, with a guest.
async fn fleet(client: &Client) {
    let device = |name: &str, role: &str| json!({"device": {"site": {"site": "s"}, "name": name, "role": role}});
    let port =
        |device: &str, name: &str| json!({"port": {"device": {"device": device}, "name": name, "type": "ETHERNET"}});
    let cable = |name: &str, a: (&str, &str), b: (&str, &str)| {
        let end = |(device, port): (&str, &str)| json!([{"port": {"device": device, "port": port}}]);
        json!({"cable": {"name": name, "aEnds": end(a), "bEnds": end(b)}})
    };
    client
        .apply_all(vec![
            json!({"site": {"name": "s", "type": "DATACENTER"}}),
            json!({"cluster": {"name": "k"}}),
            device("border", "BORDER_ROUTER"),
            device("leaf", "LEAF"),
            json!({"device": {"site": {"site": "s"}, "name": "node", "role": "SERVER", "cluster": {"cluster": "k"}}}),
            port("border", "e1"),
            port("leaf", "e1"),
            port("leaf", "e2"),
            port("node", "e1"),
            cable("up", ("leaf", "e1"), ("border", "e1")),
            cable("down", ("node", "e1"), ("leaf", "e2")),
            json!({"virtualMachine": {"name": "guest", "host": {"device": "node"}}}),
        ])
        .await;
}

async fn id(client: &Client, list: &str, name: &str) -> Value {
    let query = format!("query($name: String) {{ {list}(filter: {{name: {{eq: $name}}}}) {{ nodes {{ id }} }} }}");
    client.ok(&query, json!({"name": name})).await[list]["nodes"][0]["id"].clone()
}

on_both_databases! {
    async fn an_impact_explains_itself(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let leaf = id(&client, "devices", "leaf").await;
        let answer = client.ok(IMPACT, json!({"of": [leaf], "kinds": ["Device", "VirtualMachine", "Cluster"]})).await;
        let impact = &answer["impact"];
        assert_eq!(impact["of"], json!([{"name": "leaf"}]));
        let shown_lines: Vec<String> = impact["affected"]["nodes"].as_array().unwrap().iter().map(|it| {
            let because: Vec<&str> = it["because"].as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
            format!("{} {} {} < {}", it["path"], it["effect"], it["rule"], because.join(" ")).replace('"', "")
        }).collect();
        assert_eq!(shown_lines, [
            "device/s/node ISOLATED NETWORK < device/s/leaf",
            "cluster/k ISOLATED HOSTING < device/s/node",
            "virtualMachine/s/node/guest ISOLATED HOSTING < device/s/node",
        ]);
        let first = client.ok(IMPACT, json!({"of": [leaf], "first": 2})).await["impact"]["affected"].clone();
        assert_eq!((&first["pageInfo"]["hasNextPage"], first["nodes"].as_array().unwrap().len()), (&json!(true), 2));
        let after = json!({"of": [leaf], "after": first["pageInfo"]["endCursor"]});
        let rest = client.ok(IMPACT, after).await["impact"]["affected"].clone();
        let count = rest["nodes"].as_array().unwrap().len() + 2;
        assert_eq!(json!(count), first["totalCount"]);
        assert_eq!(client.ok(IMPACT, json!({"of": [leaf], "first": 0})).await["impact"]["affected"]["nodes"], json!([]));
    }

    async fn invalid_queries_are_rejected(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let leaf = id(&client, "devices", "leaf").await;
        let cable = id(&client, "cables", "up").await;
        let nowhere = json!("0197a0c4-5d1e-7000-8000-000000000001");
        let table = [
            (json!({"of": []}), "INVALID", "of", "must have 1 to 1000 entries, not 0"),
            (json!({"of": vec![leaf.clone(); 10_000]}), "INVALID", "of", "must have 1 to 1000 entries, not 10000"),
            (json!({"of": [nowhere]}), "NOT_FOUND", "of", "does not exist"),
            (json!({"of": ["x"]}), "INVALID", "of", "must be a UUID"),
            (json!({"of": [leaf], "anchors": []}), "INVALID", "anchors", "must have 1 to 1000 entries"),
            (json!({"of": [leaf], "anchors": [cable]}), "INVALID", "anchors", "must be Device or ProviderNetwork"),
            (json!({"of": [leaf], "kinds": ["Toaster"]}), "INVALID", "kinds", "the kinds are"),
            (json!({"of": [leaf], "within": nowhere}), "NOT_FOUND", "within", "does not exist"),
            (json!({"of": [leaf], "first": 1_000_000}), "INVALID", "first", "must be from 0 to 1000"),
            (json!({"of": [leaf], "after": "?"}), "INVALID", "after", "is no cursor"),
        ];
        for (variables, code, field, says) in table {
            let errors = client.refused(IMPACT, variables).await;
            let error = &errors[0];
            let at = (&error.extensions["code"], &error.extensions["field"]);
            assert_eq!(at, (&json!(code), &json!(field)), "{errors:?}");
            assert!(error.message.contains(says), "{}", error.message);
        }
    }

    async fn single_points_of_failure_are_listed_most_first(server: Server) {
        let client = server.client();
        fleet(&client).await;
        let query = "query($first: Int, $rule: ImpactRule) { singlePointsOfFailure(first: $first, rule: $rule) { path count } }";
        let found = client.ok(query, json!({"first": 2})).await["singlePointsOfFailure"].clone();
        assert_eq!(found[0]["count"], json!(4), "{found}");
        assert_eq!(found.as_array().unwrap().len(), 2);
        let network = client.ok(query, json!({"rule": "NETWORK"})).await["singlePointsOfFailure"].clone();
        let paths: Vec<&str> = network.as_array().unwrap().iter().map(|it| it["path"].as_str().unwrap()).collect();
        assert!(paths.contains(&"device/s/leaf") && paths.contains(&"cable/up"), "{paths:?}");
        assert_eq!(client.ok(query, json!({"rule": "POWER"})).await["singlePointsOfFailure"], json!([]));
    }

    async fn the_command_line_draws_a_tree(server: Server) {
        fleet(&server.client()).await;
        let drawn = server.cli(["impact", "device/leaf"]).await;
        assert_eq!(drawn.code, 0, "{}", drawn.stderr);
        let expected = "device/s/leaf\n└─ device/s/node  ISOLATED by NETWORK\n   \
            ├─ cluster/k  ISOLATED by HOSTING, 1 of 1 lost\n   \
            └─ virtualMachine/s/node/guest  ISOLATED by HOSTING\n";
        assert!(drawn.stdout.starts_with(expected), "{}", drawn.stdout);
        assert!(drawn.stdout.contains("Device 1 ISOLATED"), "{}", drawn.stdout);
        let json = server.cli(["impact", "device/leaf", "-o", "json"]).await;
        let json: Value = serde_json::from_str(&json.stdout).expect("JSON");
        assert!(json["affected"].as_array().is_some_and(|list| list.len() > 3), "{json}");
        let points = server.cli(["spof", "--within", "site/s", "--rule", "network"]).await;
        assert_eq!(points.code, 0, "{}", points.stderr);
        assert!(points.stdout.contains("device/s/leaf"), "{}", points.stdout);
    }
}
