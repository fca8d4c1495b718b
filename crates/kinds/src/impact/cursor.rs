//! Cursors of a list of affected objects. A cursor is a position in one answer, and is valid only for the same viewer
//! and the same query.

use async_graphql::Context;
use async_graphql::Value;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use underlay_engine::feed::QuestionDigest;

/// The number of digest bytes in a cursor. They prove that the server issued the cursor.
const CHECK_BYTES: usize = 8;
const BATCH_AT: usize = 8;
const ORDER_AT: usize = BATCH_AT + 16;
const RANK_AT: usize = ORDER_AT + 8;
const CHECK_AT: usize = RANK_AT + 4;

/// A position in the list of affected objects of one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The revision of the answer.
    pub revision: i64,
    /// The batch that created the revision. It distinguishes histories that reuse a revision number.
    pub batch_id: Uuid,
    /// A digest of the order of the answer's entries.
    pub order: u64,
    /// The number of entries before this one.
    pub rank: u32,
}

impl Cursor {
    /// Encodes the cursor as the text that clients see.
    pub fn encode(&self, question: &QuestionDigest) -> String {
        let mut bytes = Vec::with_capacity(CHECK_AT + CHECK_BYTES);
        bytes.extend(self.revision.to_be_bytes());
        bytes.extend(self.batch_id.as_bytes());
        bytes.extend(self.order.to_be_bytes());
        bytes.extend(self.rank.to_be_bytes());
        let check = check(question, &bytes);
        bytes.extend(check);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Decodes a cursor. Returns `None` if the cursor was not issued for this query and this viewer.
    pub fn decode(text: &str, question: &QuestionDigest) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (content, checked) = bytes.split_at_checked(CHECK_AT)?;
        if checked != check(question, content) {
            return None;
        }
        Some(Self {
            revision: i64::from_be_bytes(content[..BATCH_AT].try_into().ok()?),
            batch_id: Uuid::from_slice(&content[BATCH_AT..ORDER_AT]).ok()?,
            order: u64::from_be_bytes(content[ORDER_AT..RANK_AT].try_into().ok()?),
            rank: u32::from_be_bytes(content[RANK_AT..].try_into().ok()?),
        })
    }
}

fn check(question: &QuestionDigest, bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let digest = Sha256::new().chain_update(question).chain_update(bytes).finalize();
    std::array::from_fn(|at| digest[at])
}

/// Returns the first cursor that the request gives to a list of affected objects beneath the current field. The caller
/// looks up the answer of that cursor before it computes anything.
pub fn first_after(context: &Context<'_>) -> Option<String> {
    let lists = context.look_ahead().field("affected").selection_fields();
    lists.iter().find_map(|list| {
        let arguments = list.arguments().ok()?;
        arguments.into_iter().find_map(|(name, value)| match value {
            Value::String(cursor) if name == "after" => Some(cursor),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_for_its_question_alone() {
        let cursor = Cursor { revision: 7, batch_id: Uuid::from_u128(3), order: u64::MAX, rank: 12 };
        let text = cursor.encode(&[1; 16]);
        // Clients give cursors back to later versions, so their form is pinned.
        assert_eq!(text, "AAAAAAAAAAcAAAAAAAAAAAAAAAAAAAAD__________8AAAAMleOvxqOt2OM");
        assert_eq!(Cursor::decode(&text, &[1; 16]), Some(cursor));
        assert_eq!(Cursor::decode(&text, &[2; 16]), None, "another question, or another viewer");
        for bad in ["", "x", "AAAA", "%%%", &text[1..], &format!("{text}AA")] {
            assert_eq!(Cursor::decode(bad, &[1; 16]), None, "{bad}");
        }
        let bytes = URL_SAFE_NO_PAD.decode(&text).expect("base64");
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_eq!(Cursor::decode(&URL_SAFE_NO_PAD.encode(changed), &[1; 16]), None, "byte {at}");
        }
    }
}
