//! The messages that the server sends over a connection. A long answer is sent in fragments (RFC 6455, section 5.4), so
//! it is never copied as a whole.

use axum::body::Bytes;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::message;
use crate::http::json_answer::Written;

/// The number of bytes up to which an answer is copied into its message.
const MAX_COPIED_BYTES: usize = 16 * 1024;
/// The number of bytes of a longer answer that are sent at a time.
const FRAGMENT_BYTES: usize = 16 * 1024;
/// The numbers of messages and fragments, and of bytes of answers in them, from which on they are sent and no further
/// one is added.
const MAX_BUFFERED_MESSAGES: usize = 32;
const MAX_BUFFERED_BYTES: usize = 64 * 1024;

/// Messages that are sent together.
#[derive(Debug, Default)]
pub struct Outgoing {
    pub messages: Vec<Message>,
    bytes: usize,
}

impl Outgoing {
    /// Returns true if there is no room for a further message.
    pub fn is_full(&self) -> bool {
        self.messages.len() >= MAX_BUFFERED_MESSAGES || self.bytes >= MAX_BUFFERED_BYTES
    }

    /// Adds a message.
    pub fn add(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Adds the message with an answer of an operation. The bytes of a long answer count until they are sent.
    pub fn add_answer(&mut self, id: &str, answer: Written) {
        self.bytes += answer.bytes.len();
        if answer.bytes.len() < MAX_COPIED_BYTES {
            return self.add(Message::text(message::next(id, &answer.bytes)));
        }
        let (begin, end) = message::around_next(id);
        self.messages.push(fragment(begin.into(), Data::Text, false));
        self.messages.extend(answer.parts(FRAGMENT_BYTES).map(|part| fragment(part, Data::Continue, false)));
        self.messages.push(fragment(Bytes::from_static(end.as_bytes()), Data::Continue, true));
    }
}

fn fragment(bytes: Bytes, kind: Data, is_last: bool) -> Message {
    Message::Frame(Frame::message(bytes, OpCode::Data(kind), is_last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use underlay_engine::access::Caller;
    use underlay_read::Answers;

    #[test]
    fn an_answer_has_the_same_text_in_fragments() {
        let answers = Answers::new(1 << 20, 1 << 20);
        for length in [10, MAX_COPIED_BYTES, FRAGMENT_BYTES, 3 * FRAGMENT_BYTES + 1] {
            let text = format!("\"{}\"", "é".repeat(length / 2));
            let budget = answers.begin(&Caller::anybody().key(), 0);
            let answer = Written::new(text.clone().into_bytes(), budget).expect("it fits");
            let mut outgoing = Outgoing::default();
            outgoing.add_answer("1", answer);
            let (mut sent, mut ends) = (Vec::new(), 0);
            for message in &outgoing.messages {
                match message {
                    Message::Frame(frame) => {
                        sent.extend_from_slice(frame.payload());
                        ends += usize::from(frame.header().is_final);
                    }
                    whole => {
                        sent.extend_from_slice(whole.to_text().expect("text").as_bytes());
                        ends += 1;
                    }
                }
            }
            assert_eq!((String::from_utf8(sent), ends), (Ok(message::next("1", text.as_bytes())), 1), "{length}");
            assert_eq!(outgoing.is_full(), length >= MAX_BUFFERED_BYTES);
            drop(outgoing);
            assert_eq!(answers.used(), 0);
        }
    }
}
