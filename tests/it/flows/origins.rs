//! Requests of pages from other origins, and the headers of answers.

use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderMap, HeaderName, HeaderValue, ORIGIN};
use serde_json::json;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use crate::harness::{Database, Server};

fn headers<const N: usize>(headers: [(HeaderName, &'static str); N]) -> HeaderMap {
    HeaderMap::from_iter(headers.map(|(name, value)| (name, HeaderValue::from_static(value))))
}

/// The status of an attempt to open a WebSocket from a page.
async fn opened(server: &Server, origin: &str) -> u16 {
    let url = format!("{}/graphql/ws", server.url().replacen("http", "ws", 1));
    let mut request = url.into_client_request().expect("a request");
    request.headers_mut().insert("origin", origin.parse().expect("a header"));
    request.headers_mut().insert("sec-websocket-protocol", "graphql-transport-ws".parse().expect("a header"));
    match tokio_tungstenite::connect_async(request).await {
        Ok((_, response)) => response.status().as_u16(),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => response.status().as_u16(),
        Err(error) => panic!("{origin}: {error}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn configured_origins_are_allowed() {
    let allowed = "https://dashboard.example.org";
    let server = Server::start(Database::Sqlite).env("UNDERLAY_ORIGINS", allowed).await;
    let strict = Server::start(Database::Sqlite).await;
    let shown = async |server: &Server, origin: &'static str| {
        let client = server.client().with_headers(headers([(ORIGIN, origin)]));
        let answer = client.get("/graphql?query=%7Brevision%7D").await;
        answer.headers.get("access-control-allow-origin").map(|it| it.to_str().expect("text").to_owned())
    };
    assert_eq!(shown(&server, "https://dashboard.example.org").await.as_deref(), Some(allowed));
    assert_eq!(shown(&server, "https://evil.example").await, None);
    assert_eq!(shown(&strict, "https://dashboard.example.org").await, None);
    let own: String = server.url().to_owned();
    for (server, origin, status) in [
        (&server, allowed, 101),
        (&server, "https://evil.example", 403),
        (&server, own.as_str(), 101),
        (&strict, allowed, 403),
    ] {
        assert_eq!(opened(server, origin).await, status, "{origin}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn preflight_allows_the_api_and_not_the_page() {
    let origin = "https://dashboard.example.org";
    let server = Server::start(Database::Sqlite).env("UNDERLAY_ORIGINS", origin).await;
    for (path, is_shared) in [("/graphql", true), ("/", false)] {
        let asked = reqwest::Client::new()
            .request(reqwest::Method::OPTIONS, format!("{}{path}", server.url()))
            .header(ORIGIN, origin)
            .header("access-control-request-method", "GET")
            .header("access-control-request-headers", "authorization");
        let answer = asked.send().await.expect("an answer");
        assert_eq!(answer.headers().contains_key("access-control-allow-origin"), is_shared, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn forms_and_mutations_by_get_are_refused() {
    let server = Server::start(Database::Sqlite).await;
    let body = r#"{"query":"mutation { createRegion(input: {name: \"eu\"}) { revision } }"}"#;
    for media in ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"] {
        let answer = server.client().post_bytes(media, body).await.expect("an answer");
        assert_eq!(answer.status, 415, "{media}");
    }
    let by_get = "/graphql?query=mutation%7BcreateRegion(input:%7Bname:%22eu%22%7D)%7Brevision%7D%7D";
    assert_eq!(server.client().get(by_get).await.status, 405);
    assert_eq!(server.client().ok("{ revision }", json!({})).await["revision"], 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_have_a_request_id_and_are_compressed_on_request() {
    let server = Server::start(Database::Sqlite).arg("--demo").await;
    let path = "/graphql?query=%7Bdevices(first:100)%7Bnodes%7Bid%20name%7D%7D%7D";
    let id = HeaderName::from_static("x-request-id");
    let own = server.client().with_headers(headers([(id.clone(), "my-7")])).get(path).await;
    assert_eq!(own.headers[&id], "my-7");
    let made = server.client().with_headers(headers([(id.clone(), "not plain")])).get(path).await;
    assert!(made.headers[&id].len() == 36, "{:?}", made.headers[&id]);
    assert!(!own.headers.contains_key(CONTENT_ENCODING));
    let small = server.client().with_headers(headers([(ACCEPT_ENCODING, "gzip")])).get(path).await;
    assert_eq!(small.headers[CONTENT_ENCODING], "gzip");
    assert!(small.body.len() * 2 < own.body.len(), "{} of {} bytes", small.body.len(), own.body.len());
}
