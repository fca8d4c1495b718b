//! GraphQL over HTTP: media types, methods and status codes.

use serde_json::json;

use crate::harness::{Server, on_both_databases};

on_both_databases! {
    async fn invalid_requests_get_a_status_code(server: Server) {
        let client = server.client();
        let table: [(&str, &[u8], u16); 5] = [
            ("application/json", br#"{"query": "{ __typename }"}"#, 200),
            ("application/json; charset=utf-8", br#"{"query": "{ __typename }"}"#, 200),
            ("text/plain", br#"{"query": "{ __typename }"}"#, 415),
            ("application/json", b"{", 400),
            ("application/json", b"{\"query\": \"\xff\"}", 400),
        ];
        for (media, body, status) in table {
            let answer = client.post_bytes(media, body).await.unwrap();
            assert_eq!(answer.status, status, "{media} {}", answer.text());
            assert_eq!(answer.headers["content-type"], "application/json; charset=utf-8");
            assert!(status == 200 || answer.json()["errors"][0]["extensions"]["code"] == "INVALID", "{}", answer.text());
        }
    }

    async fn get_accepts_only_queries(server: Server) {
        let client = server.client();
        let read = client.get("/graphql?query=%7B__typename%7D").await;
        assert_eq!((read.status, &read.json()["data"]["__typename"]), (200, &"Query".into()));
        let two = "/graphql?query=query%20A%7Ba:revision%7D%20query%20B%7Bb:revision%7D&operationName=B&variables=%7B%7D";
        assert_eq!(client.get(two).await.json()["data"], json!({"b": 0}), "the one that is named");
        for (bad, says) in [("query=%7Brevision%7D&variables=7", "variables"), ("query=%7Brevision%7D&extensions=%7B", "extensions")] {
            let answer = client.get(&format!("/graphql?{bad}")).await;
            assert_eq!(answer.status, 400, "{}", answer.text());
            assert!(answer.text().contains(&format!("the parameter {says} must be a JSON object")), "{}", answer.text());
        }
        let written = client.get("/graphql?query=mutation%7BreleaseSource(source:%22x%22)%7Breleased%7D%7D").await;
        assert_eq!(written.status, 405, "{}", written.text());
    }
}
