//! GraphQL over Server-Sent Events, in the mode of distinct connections.

use serde_json::{Value, json};

use super::subscriptions::{CHANGES, summary};
use crate::harness::{Database, HANG, Server, Socket, on_both_databases};

/// A client of an event stream, byte by byte.
struct Stream {
    response: reqwest::Response,
    text: String,
}

/// An event: its name and its data.
type Event = (String, String);

impl Stream {
    async fn post(server: &Server, accept: &str, query: &str, variables: Value) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().expect("a client");
        let request = client.post(format!("{}/graphql/stream", server.url())).header("accept", accept);
        let response = request.json(&json!({"query": query, "variables": variables})).send().await.expect("an answer");
        Self { response, text: String::new() }
    }

    fn content_type(&self) -> &str {
        self.response.headers()["content-type"].to_str().expect("text")
    }

    /// The next event; `None` at the end of the stream. Comments are left out.
    async fn next(&mut self) -> Option<Event> {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let line = |name: &str| {
                    let prefix = format!("{name}:");
                    event.lines().find_map(|line| line.strip_prefix(&prefix)).map(|text| text.trim_start().to_owned())
                };
                let found = line("event").map(|name| (name, line("data").expect("data")));
                self.text = rest.to_owned();
                if found.is_some() {
                    return found;
                }
            }
            let chunk = tokio::time::timeout(HANG, self.response.chunk()).await.expect("something");
            self.text += std::str::from_utf8(&chunk.ok()??).expect("text");
        }
    }

    async fn answer(&mut self) -> Value {
        match self.next().await {
            Some((name, data)) if name == "next" => serde_json::from_str(&data).expect("JSON"),
            other => panic!("no answer: {other:?}"),
        }
    }

    async fn event(&mut self) -> Value {
        loop {
            let event = self.answer().await["data"]["changes"].take();
            if event["type"] != "PROGRESS" {
                return event;
            }
        }
    }
}

const STREAM: &str = "text/event-stream";

on_both_databases! {
    async fn changes_come_as_events(mut server: Server) {
        let client = server.client();
        let text = "one\ntwo\r\n\nthree\u{2028}four";
        client.apply_all(vec![json!({"region": {"name": "a"}}), json!({"region": {"name": "b", "description": text}})]).await;
        let mut stream = Stream::post(&server, STREAM, CHANGES, json!({"after": 0})).await;
        assert_eq!((stream.response.status().as_u16(), stream.content_type()), (200, "text/event-stream; charset=utf-8"));
        assert_eq!(summary(&stream.event().await), "1 a CREATED");
        let second = stream.event().await;
        assert_eq!((summary(&second), &second["change"]["after"]["description"]), ("1 b CREATED".to_owned(), &json!(text)));
        client.apply_all(vec![json!({"region": {"name": "d"}})]).await;
        assert_eq!(summary(&stream.event().await), "2 d CREATED");
        let mut rest = Stream::post(&server, STREAM, CHANGES, json!({"after": second["cursor"]})).await;
        assert_eq!(summary(&rest.event().await), "2 d CREATED");
        // At a stop it ends without `complete`: the client comes back.
        let (end, ()) = tokio::join!(stream.next(), server.stop());
        assert_eq!(end, None);
    }

    async fn an_operation_with_one_answer_completes_after_it(server: Server) {
        let mut stream = Stream::post(&server, STREAM, "{ revision }", json!({})).await;
        assert_eq!(stream.answer().await["data"], json!({"revision": 0}));
        assert_eq!(stream.next().await, Some(("complete".to_owned(), String::new())));
        assert_eq!(stream.next().await, None);
        let create = "mutation { createRegion(input: { name: \"r\" }) { revision } }";
        let mut stream = Stream::post(&server, STREAM, create, json!({})).await;
        assert_eq!(stream.answer().await["data"], json!({"createRegion": {"revision": 1}}));
    }

    async fn rejects_an_invalid_subscription_like_an_invalid_query(server: Server) {
        for (query, variables, code) in [
            ("{ nothing }", json!({}), "INVALID"),
            ("subscription { changes {", json!({}), "INVALID"),
            ("subscription { changes { cursor } b: changes { cursor } }", json!({}), "INVALID"),
            (CHANGES, json!({"after": 99}), "REVISION_COMPACTED"),
            (CHANGES, json!({"filter": {"within": "x"}}), "INVALID"),
        ] {
            let stream = Stream::post(&server, STREAM, query, variables).await;
            assert_eq!((stream.response.status().as_u16(), stream.content_type()), (400, "application/json; charset=utf-8"));
            let body: Value = stream.response.json().await.expect("JSON");
            assert_eq!(body["errors"][0]["extensions"]["code"], code, "{query}: {body}");
        }
        let refused = Stream::post(&server, "application/json", "{ revision }", json!({})).await;
        assert_eq!(refused.response.status(), 406);
        let client = server.client();
        let address = "/graphql/stream?query=subscription%20%7Bchanges(after:99)%20%7Bcursor%7D%7D";
        assert_eq!(client.get(address).await.status, 400);
        // A request for a stream is not answered with a single response.
        let errors = client.refused("subscription { changes { cursor } }", json!({})).await;
        assert_eq!(errors[0].code, "INVALID");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_subscription_gets_progress_again_and_again() {
    let server = Server::start(Database::Sqlite).await;
    server.client().apply_all(vec![json!({"region": {"name": "a"}})]).await;
    let mut stream = Stream::post(&server, STREAM, CHANGES, json!({})).await;
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", CHANGES, json!({})).await;
    for _ in 0..2 {
        let (streamed, mut received) = tokio::join!(stream.answer(), socket.answer());
        let received = received["data"]["changes"].take();
        assert_eq!((&received["type"], &received["revision"]), (&json!("PROGRESS"), &json!(1)));
        assert_eq!(streamed["data"]["changes"], received, "at the same position");
    }
}
