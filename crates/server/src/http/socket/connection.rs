//! One WebSocket connection, from its first message to its end.

use std::collections::HashMap;
use std::sync::Arc;

use axum::body::Bytes;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::sink::SinkExt;
use futures_util::stream::{AbortHandle, Abortable, BoxStream, SelectAll, StreamExt, abortable, once, unfold};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, Message};

use super::message::{self, ClientMessage, Closing};
use super::meter::{Full, MAX_UNACKNOWLEDGED_BYTES, Meter};
use super::sending::Outgoing;
use super::upgrade::Socket;
use super::{MAX_MESSAGE_BYTES, Patience};
use crate::http::admission::{Admitted, Subscribed};
use crate::http::identity::{self, Asker};
use crate::http::json_answer::Written;
use crate::http::live::{Delivery, Live, LiveOutput, delivery};
use crate::http::open::{Place, stopped};
use crate::http::refusal::Refused;
use crate::http::request::{self, Parsed, Size};
use crate::http::response::errors;
use crate::http::{Service, execute, min_revision, request_metrics};
use underlay_engine::access::Channel;
use underlay_error::Code;

/// The most operations that run on one connection.
const MAX_OPERATIONS: usize = 100;

/// The output of an operation.
enum Reply {
    Next(Written),
    Failed(Bytes),
    End,
}

/// A connection that speaks the protocol.
pub struct Connection<'a> {
    service: Service,
    socket: &'a mut Socket,
    /// The counter of bytes that are not a complete message yet.
    meter: Meter,
    /// The permit that counts this connection among all, or among those whose clients are not known yet.
    permit: &'a mut Place,
    stopping: watch::Receiver<bool>,
    patience: Patience,
    began: Instant,
    /// The token in the headers of the handshake; then the one by which the caller was authenticated.
    token: Option<String>,
    /// The protection of the connection.
    channel: Channel,
    /// The caller, once the connection is acknowledged.
    asker: Option<Asker>,
    /// Becomes ready when the token of the caller is no longer accepted.
    refusal: BoxFuture<'static, Refused>,
    /// The time of the last sign of life of the client.
    last_received: Instant,
    /// The time of the last ping of the server.
    pinged: Instant,
    operations: SelectAll<Abortable<BoxStream<'static, (String, Reply)>>>,
    /// The handles of the running operations, by their ids.
    running: HashMap<String, AbortHandle>,
}

/// An event of a connection.
enum Occurs {
    Stop,
    Displaced,
    Refused(Refused),
    Received(Option<Result<Message, tungstenite::Error>>),
    Replied(String, Reply),
    Due,
}

/// The client has disconnected, or was silent for too long.
struct Gone;

/// The reason for which a connection ends.
enum End {
    Gone,
    Close(Closing),
}

impl From<Gone> for End {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

impl From<Closing> for End {
    fn from(closing: Closing) -> Self {
        Self::Close(closing)
    }
}

impl<'a> Connection<'a> {
    /// Creates a connection after its handshake.
    pub fn new(
        service: Service,
        socket: &'a mut Socket,
        meter: Meter,
        permit: &'a mut Place,
        (token, channel): (Option<String>, Channel),
    ) -> Self {
        let (now, patience) = (Instant::now(), service.timing.socket);
        Self {
            socket,
            meter,
            stopping: service.open.stopping(),
            service,
            permit,
            patience,
            began: now,
            token,
            channel,
            asker: None,
            refusal: Box::pin(std::future::pending()),
            last_received: now,
            pinged: now,
            operations: SelectAll::new(),
            running: HashMap::new(),
        }
    }

    /// Serves the connection until it ends. Returns the reason to send to the client, unless the client has
    /// disconnected.
    pub async fn run(mut self) -> Option<Closing> {
        loop {
            match self.step().await {
                Ok(()) => {}
                Err(End::Gone) => return None,
                Err(End::Close(closing)) => return Some(closing),
            }
        }
    }

    async fn step(&mut self) -> Result<(), End> {
        let due = self.due();
        let occurs = tokio::select! {
            () = stopped(&mut self.stopping) => Occurs::Stop,
            () = self.permit.is_lost() => Occurs::Displaced,
            refused = &mut self.refusal => Occurs::Refused(refused),
            received = self.socket.next() => Occurs::Received(received),
            Some((id, reply)) = self.operations.next(), if !self.operations.is_empty() => Occurs::Replied(id, reply),
            () = sleep_until(due) => Occurs::Due,
        };
        match occurs {
            Occurs::Stop => Err(Closing::Restart.into()),
            Occurs::Displaced => Err(Closing::Busy("too many connections wait for connection_init".to_owned()).into()),
            Occurs::Refused(refused) => self.end(&refused).await,
            Occurs::Received(received) => self.receive(received).await,
            Occurs::Replied(id, reply) => Ok(self.deliver(id, reply).await?),
            Occurs::Due => self.look_after().await,
        }
    }

    /// Returns the time at which a timeout has to be checked next.
    fn due(&self) -> Instant {
        let Patience { init, quiet, dead } = self.patience;
        let life = (self.last_received + dead).min(self.last_received.max(self.pinged) + quiet);
        if self.asker.is_some() { life } else { life.min(self.began + init) }
    }

    async fn look_after(&mut self) -> Result<(), End> {
        // A message that arrived before the timeout counts, even if this server was too busy to read it then.
        if let Some(received) = self.socket.next().now_or_never() {
            self.receive(received).await?;
        }
        if self.asker.is_none() && self.began.elapsed() >= self.patience.init {
            return Err(Closing::InitTimeout.into());
        }
        if self.last_received.elapsed() >= self.patience.dead {
            request_metrics::dropped();
            return Err(End::Gone);
        }
        if self.last_received.max(self.pinged).elapsed() >= self.patience.quiet {
            self.pinged = Instant::now();
            self.send(vec![Message::Ping(Bytes::new())]).await?;
        }
        Ok(())
    }

    async fn receive(&mut self, received: Option<Result<Message, tungstenite::Error>>) -> Result<(), End> {
        self.last_received = Instant::now();
        let text = match received {
            Some(Ok(Message::Text(text))) if text.len() > MAX_MESSAGE_BYTES => {
                return Err(Closing::TooLarge(MAX_MESSAGE_BYTES).into());
            }
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Binary(_))) => return Err(Closing::Invalid("it is not text".to_owned()).into()),
            // The library answers pings of WebSocket.
            Some(Ok(Message::Ping(payload) | Message::Pong(payload))) => {
                self.meter.message(payload.len());
                return Ok(());
            }
            Some(Ok(Message::Close(_) | Message::Frame(_))) | None => return Err(End::Gone),
            Some(Err(_)) => {
                return Err(match self.meter.full() {
                    Some(Full::Before) => Closing::TooLarge(MAX_UNACKNOWLEDGED_BYTES).into(),
                    Some(Full::Busy(refused)) => Closing::Busy(refused.message).into(),
                    None => End::Gone,
                });
            }
        };
        self.meter.message(text.len());
        match Size::of(text.len()).run(|| ClientMessage::read(&text)).map_err(Closing::Invalid)? {
            ClientMessage::ConnectionInit { .. } if self.asker.is_some() => Err(Closing::InitAgain.into()),
            ClientMessage::ConnectionInit { payload } => {
                let token = message::token(payload.as_ref()).map_err(|error| Closing::Forbidden(error.to_string()))?;
                let token = token.map(str::to_owned).or(self.token.take());
                let asker = identify(self.service.clone(), token.clone());
                let asker = asker.await.map_err(Closing::Forbidden)?.over(self.channel);
                let open = self.service.open.begin(&asker.caller);
                self.permit.open(open.map_err(|error| Closing::Busy(error.to_string()))?);
                self.meter.acknowledge(self.service.admission.body(&asker.caller));
                self.refusal = identity::refusal(&self.service, token.clone(), Arc::clone(&asker.caller));
                self.token = token;
                self.asker = Some(asker);
                Ok(self.send(vec![Message::text(message::ACKNOWLEDGED)]).await?)
            }
            ClientMessage::Ping { payload } => {
                Ok(self.send(vec![Message::text(message::pong(payload.as_deref()))]).await?)
            }
            ClientMessage::Pong => Ok(()),
            ClientMessage::Subscribe { id, payload } => match self.asker.clone() {
                // The key of the token may have been withdrawn since the last operation.
                Some(asker) => match identity::authenticated(&self.service, self.token.as_deref()).await {
                    Ok(_) => self.begin(asker, id, &payload, text.len()).await,
                    Err(refused) if refused.code == Code::Unavailable => Ok(self.refuse(&id, &refused).await?),
                    Err(refused) => {
                        self.refuse(&id, &refused).await?;
                        self.end(&refused).await
                    }
                },
                None => Err(Closing::Unauthorized.into()),
            },
            ClientMessage::Complete { id } => {
                self.running.remove(&id).into_iter().for_each(|operation| operation.abort());
                Ok(())
            }
        }
    }

    /// Ends all operations, because the token of the caller is no longer accepted.
    async fn end(&mut self, refused: &Refused) -> Result<(), End> {
        let ids: Vec<String> = self.running.keys().cloned().collect();
        for id in ids {
            self.running.remove(&id).into_iter().for_each(|operation| operation.abort());
            self.refuse(&id, refused).await?;
        }
        Err(match refused.code {
            Code::Unavailable => Closing::Busy(refused.message.clone()),
            _ => Closing::Forbidden(refused.message.clone()),
        }
        .into())
    }

    /// Begins an operation, whose message had this number of bytes.
    async fn begin(&mut self, asker: Asker, id: String, payload: &str, bytes: usize) -> Result<(), End> {
        if self.running.contains_key(&id) {
            return Err(Closing::Subscribed(id).into());
        }
        if self.running.len() >= MAX_OPERATIONS {
            let what = format!("at most {MAX_OPERATIONS} operations may run on one connection");
            return Ok(self.refuse(&id, &Refused::new(Code::Invalid, what)).await?);
        }
        let answers = match self.answers(asker, payload, bytes) {
            Ok(answers) => answers,
            Err(refused) => return Ok(self.refuse(&id, &refused).await?),
        };
        let named = id.clone();
        let answers = answers.chain(once(async { Reply::End })).map(move |reply| (named.clone(), reply));
        let (answers, handle) = abortable(answers.boxed());
        self.operations.push(answers);
        self.running.insert(id, handle);
        Ok(())
    }

    /// Returns the answers to the request of an operation.
    fn answers(&self, asker: Asker, payload: &str, bytes: usize) -> Result<BoxStream<'static, Reply>, Refused> {
        let mut body = self.service.admission.body(&asker.caller);
        body.take(bytes)?;
        let parsed = request::parsed(&self.service, &asker.caller, payload.as_bytes(), &mut body)?;
        Ok(match delivery(parsed, &asker)? {
            Delivery::Once(parsed) => {
                let admitted = self.service.admission.request(body)?;
                self.answered_once(asker, admitted, *parsed)
            }
            Delivery::Live(request) => {
                request.take_copies(&mut body)?;
                let subscribed = self.service.admission.subscription(body)?;
                live(Live::new(self.service.clone(), request), subscribed)
            }
        })
    }

    fn answered_once(&self, asker: Asker, admitted: Admitted, parsed: Parsed) -> BoxStream<'static, Reply> {
        let service = self.service.clone();
        let answer = async move {
            let current = match min_revision::reached(&asker.view.current, &parsed.request).await {
                Ok(current) => current,
                Err(refused) => return Reply::Failed(errors(&refused)),
            };
            let answer = execute::execute(&service, asker, parsed, current).await;
            drop(admitted);
            // A request that was refused before it ran has only errors.
            match answer.is_refusal() {
                true => Reply::Failed(answer.errors().bytes),
                false => Reply::Next(answer.json()),
            }
        };
        once(answer).boxed()
    }

    async fn refuse(&mut self, id: &str, refused: &Refused) -> Result<(), Gone> {
        let text = message::error(id, &errors(refused));
        self.send(vec![Message::text(text)]).await
    }

    /// Sends an answer, together with those that are ready.
    async fn deliver(&mut self, id: String, reply: Reply) -> Result<(), Gone> {
        let mut outgoing = Outgoing::default();
        let mut at_hand = Some((id, reply));
        while let Some((id, reply)) = at_hand.take() {
            self.add(&mut outgoing, &id, reply);
            if !outgoing.is_full() {
                at_hand = self.operations.next().now_or_never().flatten();
            }
        }
        self.send(outgoing.messages).await
    }

    /// Adds the message for the output of an operation, unless the operation has already ended.
    fn add(&mut self, outgoing: &mut Outgoing, id: &str, reply: Reply) {
        match reply {
            Reply::Next(answer) => outgoing.add_answer(id, answer),
            Reply::Failed(bytes) => {
                if let Some(operation) = self.running.remove(id) {
                    operation.abort();
                    outgoing.add(Message::text(message::error(id, &bytes)));
                }
            }
            Reply::End => {
                if self.running.remove(id).is_some() {
                    outgoing.add(Message::text(message::complete(id)));
                }
            }
        }
    }

    /// Sends messages. A client that accepts them after a while is alive, even if it could not send anything meanwhile.
    async fn send(&mut self, messages: Vec<Message>) -> Result<(), Gone> {
        let began = Instant::now();
        for message in messages {
            in_time(self.patience, self.socket.feed(message)).await?;
        }
        in_time(self.patience, SinkExt::<Message>::flush(self.socket)).await?;
        if began.elapsed() >= self.patience.quiet / 4 {
            self.last_received = Instant::now();
        }
        Ok(())
    }
}

/// Waits until the client has accepted a message or a part of one.
async fn in_time(patience: Patience, sent: impl Future<Output = Result<(), tungstenite::Error>>) -> Result<(), Gone> {
    match timeout(patience.dead, sent).await {
        Ok(sent) => sent.map_err(|_| Gone),
        Err(_) => {
            request_metrics::dropped();
            Err(Gone)
        }
    }
}

/// Authenticates the caller by a token, and finds the view that the caller has.
async fn identify(service: Service, token: Option<String>) -> Result<Asker, String> {
    let asker = async { identity::seeing(&service, identity::authenticated(&service, token.as_deref()).await?).await };
    asker.await.map_err(|refused: Refused| refused.message)
}

/// Returns the answers of a subscription.
fn live(live: Live, subscribed: Subscribed) -> BoxStream<'static, Reply> {
    let answers = unfold((live, subscribed), |(mut live, subscribed)| async move {
        let reply = match live.next().await? {
            LiveOutput::Next { answer, .. } => Reply::Next(answer),
            LiveOutput::Failed(bytes) => Reply::Failed(bytes),
        };
        Some((reply, (live, subscribed)))
    });
    answers.boxed()
}
