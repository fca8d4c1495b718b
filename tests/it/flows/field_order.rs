//! The fields of an answer are in the order of the request, as the GraphQL specification requires.

use serde_json::json;

use crate::harness::{Server, on_both_databases};

/// The text of the data of an answer.
async fn data(server: &Server, query: &str) -> String {
    let body = json!({ "query": query }).to_string();
    let text = server.client().post_bytes("application/json", body).await.expect("an answer").text();
    let (_, data) = text.split_once("\"data\":").unwrap_or_else(|| panic!("no data: {text}"));
    data.to_owned()
}

on_both_databases! {
    async fn fields_are_in_the_order_of_the_request(server: Server) {
        let items = json!([
            {"site": {"name": "a", "type": "OTHER"}},
            {"rack": {"site": {"site": "a"}, "name": "r", "heightU": 42}},
            {"device": {"site": {"site": "a"}, "name": "d", "role": "SERVER", "placement": {"rack": {"rack": "r"}, "startUnit": 3, "unitHeight": 1}}}
        ]);
        server.client().apply_all(items.as_array().expect("items").clone()).await;
        // Fields that are loaded from the database are resolved late, and failed fields are inserted afterwards.
        let query = r#"{
            site(name: "a") { changes { nodes { operation } } name type }
            rack(site: "a", name: "r") { name changes { nodes { operation } } heightU ...Status }
            gone: ports(first: 5000) { totalCount }
            device(site: "a", name: "d") { startUnit ... on Device { rack { name } } name }
            revision
        } fragment Status on Rack { status site { changes { nodes { operation } } name } }"#;
        let changes = r#"{"nodes":[{"operation":"CREATED"}]}"#;
        let expected = format!(r#"{{"site":{{"changes":{changes},"name":"a","type":"OTHER"}},"#)
            + &format!(r#""rack":{{"name":"r","changes":{changes},"heightU":42,"status":"ACTIVE","#)
            + &format!(r#""site":{{"changes":{changes},"name":"a"}}}},"gone":null,"#)
            + r#""device":{"startUnit":3.0,"rack":{"name":"r"},"name":"d"},"revision":1}"#;
        let found = data(&server, query).await;
        assert!(found.starts_with(&expected), "{found}\n{expected}");
    }

    async fn mutations_are_in_the_order_of_the_request(server: Server) {
        let mutation = r#"mutation {
            first: deleteSite(id: "00000000-0000-7000-8000-000000000000") { revision }
            second: createSite(input: {name: "a", type: EDGE}) { revision site { name } }
            third: createSite(input: {name: "a", type: EDGE}) { revision }
            fourth: createProvider(input: {name: "p", type: OTHER}) { provider { type name } }
        }"#;
        let expected = r#"{"first":null,"second":{"revision":1,"site":{"name":"a"}},"third":null,"fourth":{"provider":{"type":"OTHER","name":"p"}}}"#;
        let found = data(&server, mutation).await;
        assert!(found.starts_with(expected), "{found}");
    }
}
