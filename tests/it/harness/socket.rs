//! A client of subscriptions that speaks `graphql-transport-ws`, message by message.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// Longer than anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// What came over a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Received {
    /// A message.
    Message(Value),
    /// The end, with the code and the reason.
    Closed(u16, String),
    /// The end, without a word.
    Lost,
}

/// A connection.
pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Socket {
    /// Connects; nothing is said yet.
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

    /// Connects and begins.
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

    /// Asks for something under an id.
    pub async fn subscribe(&mut self, id: &str, query: &str, variables: Value) {
        let payload = json!({"query": query, "variables": variables});
        self.send(json!({"id": id, "type": "subscribe", "payload": payload})).await;
    }

    /// The next message; pings are answered by the library.
    pub async fn receive(&mut self) -> Received {
        self.receive_within(PATIENCE).await.unwrap_or_else(|| panic!("nothing came for {} s", PATIENCE.as_secs()))
    }

    /// The same; `None` when nothing comes for so long.
    pub async fn receive_within(&mut self, limit: Duration) -> Option<Received> {
        let received = async {
            loop {
                match self.stream.next().await {
                    Some(Ok(Message::Text(text))) => {
                        return Received::Message(serde_json::from_str(&text).expect("JSON"));
                    }
                    Some(Ok(Message::Close(Some(frame)))) => {
                        return Received::Closed(frame.code.into(), frame.reason.to_string());
                    }
                    Some(Ok(Message::Close(None)) | Err(_)) | None => return Received::Lost,
                    Some(Ok(_)) => {}
                }
            }
        };
        tokio::time::timeout(limit, received).await.ok()
    }

    /// The payload of the next message, which must be an answer.
    pub async fn answer(&mut self) -> Value {
        match self.receive().await {
            Received::Message(mut message) if message["type"] == "next" => message["payload"].take(),
            other => panic!("no answer: {other:?}"),
        }
    }

    /// The errors of the next message, which must be the end of an operation by errors.
    pub async fn refusal(&mut self) -> Value {
        match self.receive().await {
            Received::Message(mut message) if message["type"] == "error" => message["payload"].take(),
            other => panic!("no refusal: {other:?}"),
        }
    }

    /// The next event of a subscription to `changes`; those that say nothing but how far it is are left out.
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

    /// So many events.
    pub async fn events(&mut self, count: usize) -> Vec<Value> {
        let mut events = Vec::with_capacity(count);
        for _ in 0..count {
            events.push(self.event().await);
        }
        events
    }

    /// Sees that nothing comes for a while.
    pub async fn silent(&mut self) {
        let received = self.receive_within(Duration::from_millis(300)).await;
        assert_eq!(received, None, "nothing was to come");
    }
}
