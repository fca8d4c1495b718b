//! Follows changes over lost connections.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::client::Client;
use crate::error::ClientError;
use crate::subscription::Subscription;

/// An event of one of the subscriptions `changes` and `hardwareEvents`.
pub trait ChangeEvent: DeserializeOwned {
    /// Returns the position after the event.
    fn cursor(&self) -> &str;
}

/// A subscription to changes or to events of hardware that resumes at its last position.
///
/// Guarantee: each event is the one after the last event that was returned, whatever happens between the two. The caller
/// decides after an error how long to wait, and if another connection is of use.
#[derive(Debug)]
pub struct ChangeStream {
    client: Client,
    subscription: String,
    variables: Value,
    after: String,
    connection: Option<Subscription>,
}

#[derive(Deserialize)]
struct Data<E> {
    #[serde(alias = "changes", alias = "hardwareEvents")]
    event: E,
}

impl ChangeStream {
    /// Returns the stream of the events after a position. The subscription selects `changes` or `hardwareEvents`
    /// with at least the cursor, and gets the position in the variable `after`. Sends nothing yet.
    pub fn new(client: Client, subscription: String, variables: Value, after: String) -> Self {
        Self { client, subscription, variables, after, connection: None }
    }

    /// Connects, if there is no connection.
    ///
    /// # Errors
    /// Returns an error if the server cannot be reached, or refuses the subscription.
    pub async fn connect(&mut self) -> Result<(), ClientError> {
        if self.connection.is_none() {
            let mut variables = self.variables.clone();
            variables["after"] = Value::from(self.after.as_str());
            self.connection = Some(self.client.subscribe(&self.subscription, variables).await?);
        }
        Ok(())
    }

    /// Returns true if there is a connection that was not lost yet.
    pub fn is_connected(&self) -> bool {
        self.connection.is_some()
    }

    /// Returns the position after the last event.
    pub fn position(&self) -> &str {
        &self.after
    }

    /// Waits for the next event. Connects first if that is necessary. Cancelling the wait loses no event.
    ///
    /// # Errors
    /// Returns an error if the connection was lost, or the server refuses the subscription. The next call connects
    /// again.
    pub async fn next<E: ChangeEvent>(&mut self) -> Result<E, ClientError> {
        self.connect().await?;
        let Some(connection) = &mut self.connection else { return Err(self.ended()) };
        match connection.next::<Data<E>>().await {
            Ok(Some(Data { event })) => {
                event.cursor().clone_into(&mut self.after);
                Ok(event)
            }
            Ok(None) => {
                self.connection = None;
                Err(self.ended())
            }
            Err(error) => {
                self.connection = None;
                Err(error)
            }
        }
    }

    fn ended(&self) -> ClientError {
        ClientError::Lost {
            server: self.client.server().to_string(),
            reason: "the server says that there is nothing more".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::client::Patience;

    #[derive(Debug, PartialEq, Eq, Deserialize)]
    struct Event {
        cursor: String,
    }

    impl ChangeEvent for Event {
        fn cursor(&self) -> &str {
            &self.cursor
        }
    }

    /// Starts a server that answers each subscription with one event, whose position follows that of the request, and
    /// then hangs up.
    async fn server() -> Client {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            loop {
                let (mut connection, _) = listener.accept().await.expect("a connection");
                let mut buffer = vec![0; 65_536];
                let read = connection.read(&mut buffer).await.expect("a request");
                let request = String::from_utf8_lossy(&buffer[..read]).into_owned();
                let (_, body) = request.split_once("\r\n\r\n").expect("a body");
                let body: Value = serde_json::from_str(body).expect("JSON");
                let after = body["variables"]["after"].as_str().expect("a position").to_owned();
                assert_eq!(body["variables"]["filter"], json!({"kinds": ["Rack"]}));
                let event = json!({"data": {"changes": {"cursor": format!("{after}x")}}});
                let response = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n\
                     event: next\ndata: {event}\n\n"
                );
                connection.write_all(response.as_bytes()).await.expect("an event");
            }
        });
        let address = format!("http://{address}").parse().expect("a server address");
        Client::new(address, Patience::default()).expect("a client")
    }

    #[tokio::test]
    async fn a_stream_resumes_after_the_last_event() {
        let variables = json!({"filter": {"kinds": ["Rack"]}});
        let mut stream = ChangeStream::new(server().await, "subscription".to_owned(), variables, "a".to_owned());
        assert!(!stream.is_connected());
        for cursor in ["ax", "axx", "axxx"] {
            assert_eq!(stream.next().await, Ok(Event { cursor: cursor.to_owned() }));
            assert_eq!((stream.position(), stream.is_connected()), (cursor, true));
            let lost = stream.next::<Event>().await.expect_err("lost");
            assert!(lost.is_passing() && !stream.is_connected(), "{lost}");
        }
    }
}
