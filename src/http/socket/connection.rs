//! One connection.

use std::collections::HashMap;

use async_graphql::ServerError;
use axum::body::Bytes;
use futures_util::future::FutureExt;
use futures_util::sink::SinkExt;
use futures_util::stream::{AbortHandle, Abortable, BoxStream, SelectAll, StreamExt, abortable, once, unfold};
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, Message};

use super::message::{self, Closing, Said};
use super::meter::{Full, MOST_BEFORE, Meter};
use super::upgrade::Socket;
use super::{MOST_BYTES, Patience};
use crate::http::admission::{Admitted, Subscribed};
use crate::http::answered::Written;
use crate::http::identity::{self, Asker, expired};
use crate::http::live::{Live, Operation, Output, operation};
use crate::http::open::{MOST_OF_TENANT, Open, stopped};
use crate::http::refused::Refused;
use crate::http::{Service, body, execute, measured, min_revision, receive};

/// How many operations may run on one connection.
const MOST_OPERATIONS: usize = 100;
/// How many answers are put together before they are sent.
const MOST_TOGETHER: usize = 32;

/// What an operation gives.
enum Given {
    Next(Bytes),
    /// The one answer of what is answered once.
    Once(Written),
    Failed(Bytes),
    End,
}

/// A connection that speaks the protocol.
pub struct Connection<'a> {
    service: Service,
    socket: &'a mut Socket,
    /// The bytes that came and are no message yet.
    meter: Meter,
    /// The room that it takes.
    open: &'a mut Open,
    stopping: watch::Receiver<bool>,
    patience: Patience,
    began: Instant,
    /// The token that came with the request for the connection.
    token: Option<String>,
    /// Who it is, once that is acknowledged.
    asker: Option<Asker>,
    /// When the client last gave a sign of life, and when it was last asked for one.
    heard: Instant,
    asked: Instant,
    operations: SelectAll<Abortable<BoxStream<'static, (String, Given)>>>,
    /// The operations that run, by their ids.
    running: HashMap<String, AbortHandle>,
}

/// What a connection has to see to.
enum Occurs {
    Stop,
    Expired,
    Received(Option<Result<Message, tungstenite::Error>>),
    Given(String, Given),
    Due,
}

/// The client is gone, or says nothing for too long.
struct Gone;

/// Why a connection ends.
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
    /// A connection that was just made.
    pub fn new(
        service: Service,
        socket: &'a mut Socket,
        meter: Meter,
        open: &'a mut Open,
        token: Option<String>,
    ) -> Self {
        let (now, patience) = (Instant::now(), service.patience);
        Self {
            service,
            socket,
            meter,
            stopping: open.stopping(),
            open,
            patience,
            began: now,
            token,
            asker: None,
            heard: now,
            asked: now,
            operations: SelectAll::new(),
            running: HashMap::new(),
        }
    }

    /// Serves it; gives what to say at its end, unless nobody is there any more.
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
            () = over(self.asker.as_ref()) => Occurs::Expired,
            received = self.socket.next() => Occurs::Received(received),
            Some((id, given)) = self.operations.next(), if !self.operations.is_empty() => Occurs::Given(id, given),
            () = sleep_until(due) => Occurs::Due,
        };
        match occurs {
            Occurs::Stop => Err(Closing::Restart.into()),
            Occurs::Expired => self.expire().await,
            Occurs::Received(received) => self.hear(received).await,
            Occurs::Given(id, given) => Ok(self.tell(id, given).await?),
            Occurs::Due => self.look_after().await,
        }
    }

    /// When the client has to be looked after.
    fn due(&self) -> Instant {
        let Patience { init, quiet, dead } = self.patience;
        let life = (self.heard + dead).min(self.heard.max(self.asked) + quiet);
        if self.asker.is_some() { life } else { life.min(self.began + init) }
    }

    async fn look_after(&mut self) -> Result<(), End> {
        if self.asker.is_none() && self.began.elapsed() >= self.patience.init {
            return Err(Closing::InitTimeout.into());
        }
        if self.heard.elapsed() >= self.patience.dead {
            measured::dropped();
            return Err(End::Gone);
        }
        if self.heard.max(self.asked).elapsed() >= self.patience.quiet {
            self.asked = Instant::now();
            self.send(vec![Message::Ping(Bytes::new())]).await?;
        }
        Ok(())
    }

    async fn hear(&mut self, received: Option<Result<Message, tungstenite::Error>>) -> Result<(), End> {
        self.heard = Instant::now();
        let text = match received {
            Some(Ok(Message::Text(text))) if text.len() > MOST_BYTES => {
                return Err(Closing::TooLarge(MOST_BYTES).into());
            }
            Some(Ok(Message::Text(text))) => text,
            Some(Ok(Message::Binary(_))) => return Err(Closing::Invalid("it is not text".to_owned()).into()),
            // The library answers pings.
            Some(Ok(Message::Ping(payload) | Message::Pong(payload))) => {
                self.meter.message(payload.len());
                return Ok(());
            }
            Some(Ok(Message::Close(_) | Message::Frame(_))) | None => return Err(End::Gone),
            Some(Err(_)) => {
                return Err(match self.meter.full() {
                    Some(Full::Before) => Closing::TooLarge(MOST_BEFORE).into(),
                    Some(Full::Busy(refused)) => Closing::Busy(refused.message).into(),
                    None => End::Gone,
                });
            }
        };
        self.meter.message(text.len());
        match Said::read(&text).map_err(Closing::Invalid)? {
            Said::ConnectionInit { .. } if self.asker.is_some() => Err(Closing::InitAgain.into()),
            Said::ConnectionInit { payload } => {
                let identified = identify(self.service.clone(), payload, self.token.clone());
                let asker = identified.await.map_err(Closing::Forbidden)?;
                if !self.open.is_of(asker.caller.tenant()) {
                    let what = format!("the tenant has too many connections: at most {MOST_OF_TENANT} are allowed");
                    return Err(Closing::Forbidden(what).into());
                }
                self.meter.acknowledge(self.service.admission.body(&asker.caller));
                self.asker = Some(asker);
                Ok(self.send(vec![Message::text(message::ACKNOWLEDGED)]).await?)
            }
            Said::Ping { payload } => Ok(self.send(vec![Message::text(message::pong(payload.as_ref()))]).await?),
            Said::Pong => Ok(()),
            Said::Subscribe { id, payload } => match self.asker.clone() {
                Some(asker) => self.begin(asker, id, &payload, text.len()).await,
                None => Err(Closing::Unauthorized.into()),
            },
            Said::Complete { id } => {
                self.running.remove(&id).into_iter().for_each(|operation| operation.abort());
                Ok(())
            }
        }
    }

    /// Ends all operations, because whoever asked for them is nobody any more.
    async fn expire(&mut self) -> Result<(), End> {
        let ids: Vec<String> = self.running.keys().cloned().collect();
        for id in ids {
            self.running.remove(&id).into_iter().for_each(|operation| operation.abort());
            self.refuse(&id, Refused::expired().error()).await?;
        }
        Err(Closing::Forbidden(Refused::expired().message).into())
    }

    /// Begins an operation that was asked for with so many bytes.
    async fn begin(&mut self, asker: Asker, id: String, payload: &str, bytes: usize) -> Result<(), End> {
        if self.running.contains_key(&id) {
            return Err(Closing::Subscribed(id).into());
        }
        if self.running.len() >= MOST_OPERATIONS {
            let what = format!("at most {MOST_OPERATIONS} operations may run on one connection");
            return Ok(self.refuse(&id, ServerError::new(what, None)).await?);
        }
        let answers = match self.answers(asker, payload, bytes) {
            Ok(answers) => answers,
            Err(error) => return Ok(self.refuse(&id, error).await?),
        };
        let named = id.clone();
        let answers = answers.chain(once(async { Given::End })).map(move |given| (named.clone(), given));
        let (answers, handle) = abortable(answers.boxed());
        self.operations.push(answers);
        self.running.insert(id, handle);
        Ok(())
    }

    /// The answers to what was asked.
    fn answers(&self, asker: Asker, payload: &str, bytes: usize) -> Result<BoxStream<'static, Given>, ServerError> {
        let refused = |refused: Refused| refused.error();
        let mut body = self.service.admission.body(&asker.caller);
        body.take(bytes).map_err(refused)?;
        let asked = body::read(payload.as_bytes()).map_err(|unread| Refused::unread(&unread).error())?;
        let asked = receive::document(&self.service, &asker.caller, asked)?;
        Ok(match operation(asked, &asker)? {
            Operation::Once(request) => {
                let admitted = self.service.admission.request(body).map_err(refused)?;
                self.answered_once(asker, admitted, *request)
            }
            Operation::Live(asked) => {
                let subscribed = self.service.admission.subscription(body).map_err(refused)?;
                live(Live::new(self.service.clone(), asked), subscribed)
            }
        })
    }

    fn answered_once(
        &self,
        asker: Asker,
        admitted: Admitted,
        request: async_graphql::Request,
    ) -> BoxStream<'static, Given> {
        let service = self.service.clone();
        let answer = async move {
            let newest = match min_revision::reached(&asker.view.newest, &request).await {
                Ok(newest) => newest,
                Err((_, error)) => return Given::Failed(execute::errors(error)),
            };
            let answer = execute::execute(&service, asker, request, newest).await;
            drop(admitted);
            // What was refused before it ran has no data to be followed by.
            match answer.is_refusal() {
                true => Given::Failed(answer.errors().bytes),
                false => Given::Once(answer.json()),
            }
        };
        once(answer).boxed()
    }

    async fn refuse(&mut self, id: &str, error: ServerError) -> Result<(), Gone> {
        let text = message::error(id, &execute::errors(error));
        self.send(vec![Message::text(text)]).await
    }

    /// Sends an answer, and those that are at hand with it.
    async fn tell(&mut self, id: String, given: Given) -> Result<(), Gone> {
        let mut messages = Vec::new();
        // These count until they were sent.
        let mut answers = Vec::new();
        let mut at_hand = Some((id, given));
        while let Some((id, mut given)) = at_hand.take() {
            if let Given::Once(answer) = given {
                given = Given::Next(answer.bytes.clone());
                answers.push(answer);
            }
            messages.extend(self.message(id, given));
            if messages.len() < MOST_TOGETHER {
                at_hand = self.operations.next().now_or_never().flatten();
            }
        }
        self.send(messages).await
    }

    /// The message for what an operation gave; none for the end of one that has ended.
    fn message(&mut self, id: String, given: Given) -> Option<Message> {
        match given {
            Given::Next(bytes) | Given::Once(Written { bytes, .. }) => Some(Message::text(message::next(&id, &bytes))),
            Given::Failed(bytes) => {
                self.running.remove(&id)?.abort();
                Some(Message::text(message::error(&id, &bytes)))
            }
            Given::End => self.running.remove(&id).map(|_| Message::text(message::complete(&id))),
        }
    }

    /// Sends messages. Who takes them after a while is alive, even if it could not say so meanwhile.
    async fn send(&mut self, messages: Vec<Message>) -> Result<(), Gone> {
        let began = Instant::now();
        let socket = &mut *self.socket;
        let sent = async {
            for message in messages {
                socket.feed(message).await?;
            }
            SinkExt::<Message>::flush(socket).await
        };
        match timeout(self.patience.dead, sent).await {
            Ok(Ok(())) => {
                if began.elapsed() >= self.patience.quiet / 4 {
                    self.heard = Instant::now();
                }
                Ok(())
            }
            Ok(Err(_)) => Err(Gone),
            Err(_) => {
                measured::dropped();
                Err(Gone)
            }
        }
    }
}

/// Who it is, by the first message, else by the request for the connection.
async fn identify(service: Service, payload: Option<Value>, token: Option<String>) -> Result<Asker, String> {
    let said = message::token(payload.as_ref()).map_err(|error| error.to_string())?;
    let asker =
        async { identity::seeing(&service, identity::believed(&service, said.or(token.as_deref())).await?).await };
    asker.await.map_err(|refused| refused.message)
}

/// Waits until somebody is nobody any more; for ever, while it is not known who it is.
async fn over(asker: Option<&Asker>) {
    match asker {
        Some(asker) => expired(&asker.caller).await,
        None => std::future::pending().await,
    }
}

/// The answers of a subscription.
fn live(live: Live, subscribed: Subscribed) -> BoxStream<'static, Given> {
    let answers = unfold((live, subscribed), |(mut live, subscribed)| async move {
        let given = match live.next().await? {
            Output::Next { bytes, .. } => Given::Next(bytes),
            Output::Failed(bytes) => Given::Failed(bytes),
        };
        Some((given, (live, subscribed)))
    });
    answers.boxed()
}
