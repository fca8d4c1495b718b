//! The bytes that came over a connection and are no message yet. They count in `limits.bodies`; before the connection is
//! acknowledged there may only be a few.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use crate::http::admission::Taken;
use crate::http::refused::Refused;

/// How many bytes may come before the connection is acknowledged: the first message has little more than a token.
pub const MOST_BEFORE: usize = 16 * 1024;
/// How many bytes a control frame has around its payload: those of clients are short, and masked.
const AROUND: usize = 6;

/// Counts the bytes of a connection; cheap to clone.
#[derive(Clone, Debug)]
pub struct Meter(Arc<Mutex<Count>>);

#[derive(Debug)]
struct Count {
    taken: Taken,
    is_acknowledged: bool,
    full: Option<Full>,
}

/// Why no more is read.
#[derive(Debug)]
pub enum Full {
    /// Too much came before the connection was acknowledged.
    Before,
    /// There is no room for more.
    Busy(Refused),
}

impl Meter {
    /// Nothing came yet.
    pub fn new(taken: Taken) -> Self {
        Self(Arc::new(Mutex::new(Count { taken, is_acknowledged: false, full: None })))
    }

    /// From now on what comes counts for whom the connection is.
    pub fn acknowledge(&self, taken: Taken) {
        let mut count = self.lock();
        count.taken = taken;
        count.is_acknowledged = true;
    }

    /// All that came has become a message.
    pub fn message(&self) {
        let mut count = self.lock();
        let bytes = count.taken.bytes();
        count.taken.give_back(bytes);
    }

    /// A control frame with a payload of so many bytes came, perhaps in the middle of a message.
    pub fn control(&self, payload: usize) {
        self.lock().taken.give_back(payload + AROUND);
    }

    /// Why no more is read, if that is so.
    pub fn full(&self) -> Option<Full> {
        self.lock().full.take()
    }

    fn read(&self, bytes: usize) -> io::Result<()> {
        let mut count = self.lock();
        let full = match count.taken.take(bytes) {
            Err(refused) => Full::Busy(refused),
            Ok(()) if !count.is_acknowledged && count.taken.bytes() > MOST_BEFORE => Full::Before,
            Ok(()) => return Ok(()),
        };
        count.full = Some(full);
        Err(io::Error::from(io::ErrorKind::OutOfMemory))
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection of which the bytes that come are counted.
#[derive(Debug)]
pub struct Metered<S> {
    stream: S,
    meter: Meter,
}

impl<S> Metered<S> {
    /// Counts the bytes of a connection.
    pub fn new(stream: S, meter: Meter) -> Self {
        Self { stream, meter }
    }
}

impl<S: AsyncRead + Unpin> Metered<S> {
    /// Reads what still comes and keeps nothing of it, until the client closes the connection: one that is closed while
    /// something comes loses what was sent last.
    pub async fn discard(&mut self) {
        let mut part = [0; 4096];
        while self.stream.read(&mut part).await.is_ok_and(|read| read > 0) {}
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let read = into.filled().len() - before;
        Poll::Ready(self.meter.read(read).inspect_err(|_| into.set_filled(before)))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
