//! The bytes of a connection that are no message yet. The library makes room for a frame as soon as its head says how long
//! it is, so that counts, in `limits.bodies`; before the connection is acknowledged there may only be a few bytes.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use crate::http::admission::Taken;
use crate::http::refused::Refused;

/// How many bytes may come before the connection is acknowledged: the first message has little more than a token.
pub const MOST_BEFORE: usize = 16 * 1024;

/// Counts the bytes of a connection; cheap to clone.
#[derive(Clone, Debug)]
pub struct Meter(Arc<Mutex<Count>>);

#[derive(Debug)]
struct Count {
    frames: Frames,
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
        Self(Arc::new(Mutex::new(Count { frames: Frames::default(), taken, is_acknowledged: false, full: None })))
    }

    /// From now on what comes counts for whom the connection is.
    pub fn acknowledge(&self, taken: Taken) {
        let mut count = self.lock();
        let before = std::mem::replace(&mut count.taken, taken).bytes();
        count.is_acknowledged = true;
        // What follows the first message may be there already.
        if let Err(refused) = count.taken.take(before) {
            count.full = Some(Full::Busy(refused));
        }
    }

    /// So many bytes have become a message.
    pub fn message(&self, bytes: usize) {
        self.lock().taken.give_back(bytes);
    }

    /// Why no more is read, if that is so.
    pub fn full(&self) -> Option<Full> {
        match &self.lock().full {
            Some(Full::Before) => Some(Full::Before),
            Some(Full::Busy(refused)) => Some(Full::Busy(refused.clone())),
            None => None,
        }
    }

    fn read(&self, bytes: &[u8]) -> io::Result<()> {
        let mut count = self.lock();
        if count.full.is_some() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let announced = count.frames.announced(bytes);
        let is_early = !count.is_acknowledged && count.taken.bytes().saturating_add(announced) > MOST_BEFORE;
        // What is refused takes no room from others: nothing is made for it.
        let full = if is_early { Some(Full::Before) } else { count.taken.take(announced).err().map(Full::Busy) };
        count.full = full;
        if count.full.is_some() { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the frames of a connection begin (RFC 6455, section 5.2).
#[derive(Debug, Default)]
struct Frames {
    /// What came of the head of a frame.
    head: Vec<u8>,
    /// How many bytes are still to come of its payload.
    left: u64,
}

impl Frames {
    /// How long the payloads are of the frames whose heads end in some bytes.
    fn announced(&mut self, mut bytes: &[u8]) -> usize {
        let mut announced = 0_u64;
        while let Some((first, rest)) = bytes.split_first() {
            if self.left > 0 {
                let part = self.left.min(bytes.len() as u64);
                self.left -= part;
                bytes = bytes.get(part as usize..).unwrap_or_default();
                continue;
            }
            self.head.push(*first);
            bytes = rest;
            if let Some(length) = self.length() {
                announced = announced.saturating_add(length);
                self.left = length;
                self.head.clear();
            }
        }
        usize::try_from(announced).unwrap_or(usize::MAX)
    }

    /// How long the payload is, once the head is whole.
    fn length(&self) -> Option<u64> {
        let second = *self.head.get(1)?;
        let (short, mask) = (second & 0x7f, if second & 0x80 == 0 { 0 } else { 4 });
        let long = match short {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.head.len() < 2 + long + mask {
            return None;
        }
        let length = self.head.get(2..2 + long)?;
        Some(match long {
            0 => u64::from(short),
            _ => length.iter().fold(0, |length, byte| length << 8 | u64::from(*byte)),
        })
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
        let counted = self.meter.read(into.filled().get(before..).unwrap_or_default());
        Poll::Ready(counted.inspect_err(|_| into.set_filled(before)))
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame of a client with a payload of so many bytes.
    fn frame(length: usize) -> Vec<u8> {
        let mut frame = vec![0x81];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            126..0x1_0000 => {
                frame.push(0xfe);
                frame.extend((length as u16).to_be_bytes());
            }
            _ => {
                frame.push(0xff);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([1, 2, 3, 4]);
        frame.resize(frame.len() + length, b'x');
        frame
    }

    #[test]
    fn frames_are_seen_however_they_come() {
        let lengths = [0, 5, 125, 126, 300, 65_535, 65_536, 0, 70_000];
        let bytes: Vec<u8> = lengths.iter().flat_map(|length| frame(*length)).collect();
        for part in [1, 2, 3, 7, 64, 8_192, bytes.len()] {
            let mut frames = Frames::default();
            let announced: usize = bytes.chunks(part).map(|part| frames.announced(part)).sum();
            assert_eq!((announced, frames.left), (lengths.iter().sum(), 0), "in parts of {part}");
        }
        let mut frames = Frames::default();
        assert_eq!(frames.announced(&frame(70_000)[..13]), 0, "the head is not whole");
        assert_eq!(frames.announced(&[4]), 70_000, "it is");
        assert_eq!(
            Frames::default().announced(&[0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4]),
            usize::MAX
        );
    }
}
