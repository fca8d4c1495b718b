//! The bytes of a connection that are not a complete message yet. They count in `limits.bodies` with the room that they
//! take: as soon as the header of a frame announces a length, the library reserves memory for all of it, but the system
//! gives that memory only as bytes arrive. So room grows with what arrives, as it does for bodies of requests. Before
//! the connection is acknowledged, only a few bytes may be announced.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, ReadBuf};

use crate::http::admission::Taken;
use crate::http::refusal::Refused;

/// The most bytes before the connection is acknowledged. The first message has little more than a token.
pub const MAX_UNACKNOWLEDGED_BYTES: usize = 16 * 1024;
/// The number of bytes for which there is room as soon as a longer message begins.
const INITIAL_ROOM_BYTES: u64 = 4 * 1024;

/// The counter of the bytes of a connection. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Meter(Arc<Mutex<Count>>);

#[derive(Debug)]
struct Count {
    frames: Frames,
    /// The bytes of the payloads of frames that are not a complete message yet: those announced, and those that
    /// arrived.
    announced: u64,
    arrived: u64,
    taken: Taken,
    is_acknowledged: bool,
    full: Option<Full>,
}

/// The reason for which no more is read.
#[derive(Debug)]
pub enum Full {
    /// Too many bytes arrived before the connection was acknowledged.
    Before,
    /// There is no room for more bytes.
    Busy(Refused),
}

impl Meter {
    /// Creates the counter of a connection on which no byte has arrived yet.
    pub fn new(taken: Taken) -> Self {
        let (frames, announced, arrived) = (Frames::default(), 0, 0);
        Self(Arc::new(Mutex::new(Count { frames, announced, arrived, taken, is_acknowledged: false, full: None })))
    }

    /// Counts all further bytes for the caller, who is known now.
    pub fn acknowledge(&self, taken: Taken) {
        let mut count = self.lock();
        count.taken = taken;
        count.is_acknowledged = true;
        // Bytes after the first message may have arrived already.
        if let Err(refused) = count.make_room() {
            count.full = Some(Full::Busy(refused));
        }
    }

    /// Stops counting the bytes of a complete message.
    pub fn message(&self, bytes: usize) {
        let mut count = self.lock();
        count.announced = count.announced.saturating_sub(bytes as u64);
        count.arrived = count.arrived.saturating_sub(bytes as u64);
        let (has, needs) = (count.taken.bytes(), count.room());
        count.taken.give_back(has.saturating_sub(needs));
    }

    /// Returns the reason for which no more is read, if there is one.
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
        let (announced, arrived) = count.frames.pass(bytes);
        count.announced = count.announced.saturating_add(announced);
        count.arrived = count.arrived.saturating_add(arrived);
        let is_early = !count.is_acknowledged && count.announced > MAX_UNACKNOWLEDGED_BYTES as u64;
        count.full = if is_early { Some(Full::Before) } else { count.make_room().err().map(Full::Busy) };
        if count.full.is_some() { Err(io::ErrorKind::OutOfMemory.into()) } else { Ok(()) }
    }

    fn lock(&self) -> MutexGuard<'_, Count> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Count {
    /// Returns the number of bytes for which there is to be room: about as many as arrived, and never more than were
    /// announced.
    fn room(&self) -> usize {
        let grown = self.arrived.checked_next_power_of_two().unwrap_or(u64::MAX).max(INITIAL_ROOM_BYTES);
        usize::try_from(grown.min(self.announced)).unwrap_or(usize::MAX)
    }

    /// Takes the room that is missing.
    ///
    /// # Errors
    /// Returns an error if there is no room. Nothing is taken then.
    fn make_room(&mut self) -> Result<(), Refused> {
        let (has, needs) = (self.taken.bytes(), self.room());
        if needs > has { self.taken.take(needs - has) } else { Ok(()) }
    }
}

/// The boundaries of the frames of a connection (RFC 6455, section 5.2).
#[derive(Debug, Default)]
struct Frames {
    /// The bytes of the header of a frame that have arrived.
    head: Vec<u8>,
    /// The number of bytes that are missing of the payload.
    left: u64,
}

impl Frames {
    /// Passes over these bytes. Returns the length of all payloads whose headers they complete, and the number of bytes
    /// of payloads among them.
    fn pass(&mut self, mut bytes: &[u8]) -> (u64, u64) {
        let (mut announced, mut arrived) = (0_u64, 0_u64);
        while let Some((first, rest)) = bytes.split_first() {
            if self.left > 0 {
                let part = self.left.min(bytes.len() as u64);
                self.left -= part;
                arrived += part;
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
        (announced, arrived)
    }

    /// Returns the length of the payload, once the header is complete.
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

/// A connection whose incoming bytes are counted.
#[derive(Debug)]
pub struct Metered<S> {
    stream: S,
    meter: Meter,
}

impl<S> Metered<S> {
    /// Wraps a connection with a counter.
    pub fn new(stream: S, meter: Meter) -> Self {
        Self { stream, meter }
    }
}

impl<S: AsyncRead + Unpin> Metered<S> {
    /// Reads and discards bytes until the client closes the connection. A connection that is closed while bytes arrive
    /// would lose the last message that was sent.
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
    use crate::http::{Admission, Limits};
    use underlay_engine::access::Caller;

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
            let passed = bytes.chunks(part).map(|part| frames.pass(part));
            let (announced, arrived) = passed.fold((0, 0), |all, part| (all.0 + part.0, all.1 + part.1));
            let all: u64 = lengths.iter().map(|length| *length as u64).sum();
            assert_eq!((announced, arrived, frames.left), (all, all, 0), "in parts of {part}");
        }
        let mut frames = Frames::default();
        assert_eq!(frames.pass(&frame(70_000)[..13]), (0, 0), "the head is not whole");
        assert_eq!(frames.pass(&[4, 0, 0]), (70_000, 2), "it is");
        let longest = [0x81, 0xff, 255, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4];
        assert_eq!(Frames::default().pass(&longest), (u64::MAX, 0));
    }

    #[test]
    fn room_grows_with_what_arrives() {
        let admission = Admission::new(Limits { bodies: 1 << 20, apply_body: 1, values: 0, ..Limits::unbounded() });
        let meter = Meter::new(admission.body_of_nobody());
        let taken = || meter.lock().taken.bytes();
        let first = frame(16_000);
        meter.read(&first[..8]).expect("there is room");
        assert_eq!(taken(), 4_096, "what is announced does not count before it arrives");
        meter.read(&first[8..8_008]).expect("there is room");
        assert_eq!(taken(), 8_192);
        meter.read(&first[8_008..]).expect("there is room");
        assert_eq!(taken(), 16_000, "never more than was announced");
        meter.message(16_000);
        assert_eq!(taken(), 0);
        assert!(
            meter.read(&frame(MAX_UNACKNOWLEDGED_BYTES + 1)[..8]).is_err()
                && matches!(meter.full(), Some(Full::Before))
        );
        let meter = Meter::new(admission.body_of_nobody());
        meter.read(&frame(3)[..]).expect("there is room");
        meter.acknowledge(admission.body(&Caller::anybody()));
        meter.message(3);
        let long = frame(3 << 20);
        meter.read(&long[..500_014]).expect("there is room");
        assert_eq!(meter.lock().taken.bytes(), 1 << 19);
        assert!(meter.read(&long[500_014..600_014]).is_err() && matches!(meter.full(), Some(Full::Busy(_))));
    }
}
