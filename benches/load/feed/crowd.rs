//! Thousands of subscribers, each on its own connection, and the times when they received each event.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::Value;
use tokio::task::JoinSet;

use super::socket::{Socket, is_answer, number};
use super::writer::Sent;
use crate::problem::{LoadError, Result};

/// The number of concurrent attempts to connect.
const MAX_CONNECTING: usize = 64;
/// The time limit until the last subscriber has received an event.
const EVENT_TIMEOUT: Duration = Duration::from_secs(60);
/// The interval of checks for completion.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// The subscription. The type comes first, because it tells events from PROGRESS.
pub const EVENTS: &str = "subscription($filter: ChangeEventFilter, $after: ChangeCursor) {
  changes(filter: $filter, after: $after) {
    type revision cursor kind objectId name change { position before after }
  }
}";
/// The beginning of a PROGRESS event.
const SIGN_OF_LIFE: &[u8] = br#"{"id":"1","type":"next","payload":{"data":{"changes":{"type":"PROGRESS""#;

/// Connected subscribers. They disconnect when this is dropped.
pub struct Crowd {
    members: Vec<Arc<Mutex<Receiver>>>,
    listening: JoinSet<()>,
}

/// The events that a subscriber received.
#[derive(Debug, Default)]
struct Receiver {
    /// The revision of each event, and the time when it was received.
    events: Vec<(i64, Instant)>,
    bytes: u64,
    /// The last event as it was received.
    last: Vec<u8>,
    /// The reason why the subscriber ended.
    failed: Option<String>,
}

/// The events that a crowd received for some batches.
#[derive(Debug, Default)]
pub struct Delivered {
    /// The seconds from sending a batch until its last event was received, for each batch and subscriber.
    pub delays: Vec<f64>,
    /// The number of events of all subscribers.
    pub events: usize,
    /// The bytes received by all subscribers, including framing.
    pub bytes: u64,
}

impl Crowd {
    /// Connects this number of subscribers, each with its variables.
    pub async fn gather(server: SocketAddr, count: usize, variables: impl Fn(usize) -> Value) -> Result<Self> {
        let variables: Vec<Value> = (0..count).map(variables).collect();
        let connecting = variables.iter().map(|variables| Socket::subscribe(server, EVENTS, variables));
        let sockets: Vec<Socket> = stream::iter(connecting).buffered(MAX_CONNECTING).try_collect().await?;
        let mut listening = JoinSet::new();
        let members = sockets.into_iter().map(|socket| {
            let receiver = Arc::<Mutex<Receiver>>::default();
            listening.spawn(listen(socket, Arc::clone(&receiver)));
            receiver
        });
        Ok(Self { members: members.collect(), listening })
    }

    /// Forgets the events received so far.
    pub fn forget(&self) {
        self.each(|_, receiver| {
            receiver.events.clear();
            receiver.bytes = 0;
        });
    }

    /// Returns an event as it was received, from any subscriber that has one.
    pub fn an_event(&self) -> Option<Vec<u8>> {
        self.each(|_, receiver| receiver.last.clone()).into_iter().find(|last| !last.is_empty())
    }

    /// Waits until each subscriber has received all events of its batches, with `changes` events in each batch, or one
    /// has failed.
    pub async fn until(&self, sent: &[Sent], changes: usize, receives: impl Fn(usize, &Sent) -> bool) -> Result<()> {
        let begin = Instant::now();
        let expected = |member: usize| changes * sent.iter().filter(|batch| receives(member, batch)).count();
        let expected: Vec<usize> = (0..self.members.len()).map(expected).collect();
        loop {
            let states = self.each(|member, receiver| match &receiver.failed {
                Some(why) => Err(LoadError::Answer(why.clone())),
                None => Ok(receiver.events.len() >= expected[member]),
            });
            let behind = states.into_iter().collect::<Result<Vec<bool>>>()?.iter().filter(|there| !**there).count();
            if behind == 0 {
                return Ok(());
            }
            if begin.elapsed() > EVENT_TIMEOUT {
                let of = self.members.len();
                return Err(LoadError::Answer(format!("{behind} of {of} subscribers have not received everything")));
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Returns the events of some batches, once all subscribers have received theirs.
    ///
    /// # Errors
    /// Returns an error if a subscriber missed an event, or received one twice or out of order.
    pub async fn delivered(
        &self,
        sent: &[Sent],
        changes: usize,
        receives: impl Fn(usize, &Sent) -> bool,
    ) -> Result<Delivered> {
        self.until(sent, changes, &receives).await?;
        let mut delivered = Delivered::default();
        let each = self.each(|member, receiver| {
            let sent: Vec<&Sent> = sent.iter().filter(|batch| receives(member, batch)).collect();
            let expected = sent.iter().flat_map(|batch| std::iter::repeat_n(batch.revision, changes));
            if !receiver.events.iter().map(|(revision, _)| *revision).eq(expected) {
                let (receiver, of) = (receiver.events.len(), sent.len() * changes);
                return Err(LoadError::Answer(format!("{receiver} events came of {of}, or in another order")));
            }
            let ends = receiver.events.chunks(changes).filter_map(|events| events.last());
            let delays = ends.zip(sent).map(|((_, at), batch)| at.duration_since(batch.at).as_secs_f64());
            delivered.delays.extend(delays);
            delivered.events += receiver.events.len();
            delivered.bytes += receiver.bytes;
            Ok(())
        });
        each.into_iter().collect::<Result<()>>()?;
        Ok(delivered)
    }

    /// Returns the number of connected subscribers.
    pub fn listening(&mut self) -> usize {
        while self.listening.try_join_next().is_some() {}
        self.listening.len()
    }

    fn each<T>(&self, mut look: impl FnMut(usize, &mut Receiver) -> T) -> Vec<T> {
        let members = self.members.iter().enumerate();
        let look = |(member, receiver): (usize, &Arc<Mutex<Receiver>>)| {
            look(member, &mut receiver.lock().unwrap_or_else(PoisonError::into_inner))
        };
        members.map(look).collect()
    }
}

/// Receives events until the connection ends.
async fn listen(mut socket: Socket, receiver: Arc<Mutex<Receiver>>) {
    let mut before = socket.received();
    loop {
        let event = match socket.message().await {
            Ok(message) if !is_answer(message) => Err(format!("no answer: {}", String::from_utf8_lossy(message))),
            Ok(message) if message.starts_with(SIGN_OF_LIFE) => continue,
            Ok(message) => match number(message, "revision") {
                Some(revision) => Ok((revision, message)),
                None => Err(format!("no revision: {}", String::from_utf8_lossy(message))),
            },
            Err(error) => Err(error.to_string()),
        };
        let mut receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Ok((revision, message)) => {
                receiver.events.push((revision, Instant::now()));
                receiver.last.clear();
                receiver.last.extend_from_slice(message);
            }
            Err(why) => {
                receiver.failed = Some(why);
                return;
            }
        }
        receiver.bytes += socket.received() - before;
        before = socket.received();
    }
}
