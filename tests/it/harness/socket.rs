//! A client of subscriptions over `graphql-transport-ws`, message by message.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use underlay_testing::{HANG, until};

/// The data that was received over a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Received<M = Value> {
    /// A message of the server, as JSON or as its text.
    Message(M),
    /// The end of the connection, with its code and reason.
    Closed(u16, String),
    /// The end of the connection without a close frame.
    Lost,
}

/// A connection.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Connects without sending a message.
    pub async fn open(server: &str, protocol: Option<&str>) -> Result<Self, Error> {
        let url = format!("{}/graphql/ws", server.replacen("http", "ws", 1));
        let mut request = url.into_client_request()?;
        if let Some(protocol) = protocol {
            let protocol = protocol.parse().expect("a header");
            request.headers_mut().insert("sec-websocket-protocol", protocol);
        }
        let (stream, _) = tokio_tungstenite::connect_async(request).await?;
        Ok(Self { stream })
    }

    /// Connects and initializes the protocol.
    pub async fn try_connect(server: &str) -> Result<Self, Error> {
        let mut socket = Self::open(server, Some("graphql-transport-ws")).await?;
        socket.try_send(json!({"type": "connection_init"})).await?;
        assert_eq!(socket.receive().await, Received::Message(json!({"type": "connection_ack"})));
        Ok(socket)
    }

    pub async fn connect(server: &str) -> Self {
        Self::try_connect(server).await.unwrap_or_else(|error| panic!("{server}: {error}"))
    }

    pub async fn try_send(&mut self, message: Value) -> Result<(), Error> {
        self.stream.send(Message::text(message.to_string())).await
    }

    pub async fn send(&mut self, message: Value) {
        self.try_send(message).await.expect("send a message");
    }

    pub async fn try_send_raw(&mut self, message: Message) -> Result<(), Error> {
        self.stream.send(message).await
    }

    pub async fn send_raw(&mut self, message: Message) {
        self.try_send_raw(message).await.expect("send a message");
    }

    /// Sends an operation under an id.
    pub async fn subscribe(&mut self, id: &str, query: &str, variables: Value) {
        let payload = json!({"query": query, "variables": variables});
        self.send(json!({"id": id, "type": "subscribe", "payload": payload})).await;
    }

    /// Returns the next message; the library answers pings.
    pub async fn receive(&mut self) -> Received {
        match self.receive_text().await {
            Received::Message(text) => Received::Message(serde_json::from_str(&text).expect("JSON")),
            Received::Closed(code, reason) => Received::Closed(code, reason),
            Received::Lost => Received::Lost,
        }
    }

    /// Returns the next message as its text, which may be JSON that no `Value` can hold, such as 1e999.
    pub async fn receive_text(&mut self) -> Received<String> {
        let received = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => return Received::Message(text.to_string()),
                    Some(Ok(Message::Close(Some(frame)))) => {
                        return Received::Closed(frame.code.into(), frame.reason.to_string());
                    }
                    Some(Ok(Message::Close(None)) | Err(_)) | None => return Received::Lost,
                    Some(Ok(_)) => {}
                }
            }
        };
        let received = timeout(HANG, received).await;
        received.unwrap_or_else(|_| panic!("nothing came for {} s", HANG.as_secs()))
    }

    /// Waits until so many bytes have come that this client does not read.
    pub async fn wait_for_bytes(&self, bytes: usize) {
        let MaybeTlsStream::Plain(stream) = self.stream.get_ref() else { panic!("the tests use plain connections") };
        let mut seen = vec![0; bytes];
        until(format!("{bytes} bytes come"), async || {
            stream.peek(&mut seen).await.expect("look at what has come") == bytes
        })
        .await;
    }

    /// Returns the payload of the next message, which must be an answer.
    pub async fn answer(&mut self) -> Value {
        match self.receive().await {
            Received::Message(mut message) if message["type"] == "next" => message["payload"].take(),
            other => panic!("no answer: {other:?}"),
        }
    }

    /// Returns the errors of the next message, which must end an operation with errors.
    pub async fn refusal(&mut self) -> Value {
        match self.receive().await {
            Received::Message(mut message) if message["type"] == "error" => message["payload"].take(),
            other => panic!("no refusal: {other:?}"),
        }
    }

    /// Returns the next event of a subscription to `changes`, without PROGRESS events.
    pub async fn event(&mut self) -> Value {
        loop {
            let mut answer = self.answer().await;
            assert_eq!(answer["errors"], Value::Null, "{answer}");
            let event = answer["data"]["changes"].take();
            if event["type"] != "PROGRESS" {
                return event;
            }
        }
    }

    /// Returns this number of events.
    pub async fn events(&mut self, count: usize) -> Vec<Value> {
        let mut events = Vec::with_capacity(count);
        for _ in 0..count {
            events.push(self.event().await);
        }
        events
    }
}
