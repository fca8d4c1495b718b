//! Cursors of a list of what is affected: a place in one answer, to no other viewer and of no other question.

use async_graphql::Context;
use async_graphql::Value;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::feed::QuestionDigest;

/// How many bytes of a digest tell whether a cursor is what was handed out.
const CHECK: usize = 8;
const BATCH: usize = 8;
const ORDER: usize = BATCH + 16;
const RANK: usize = ORDER + 8;
const CHECKED: usize = RANK + 4;

/// A place in the list of what is affected by one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    /// The revision that the answer is of.
    pub revision: i64,
    /// The batch that made the revision: it tells histories apart.
    pub batch_id: Uuid,
    /// A digest of the order of the answer.
    pub order: u64,
    /// How many entries come before this one.
    pub rank: u32,
}

impl Cursor {
    /// The cursor as clients see it.
    pub fn encode(&self, question: &QuestionDigest) -> String {
        let mut bytes = Vec::with_capacity(CHECKED + CHECK);
        bytes.extend(self.revision.to_be_bytes());
        bytes.extend(self.batch_id.as_bytes());
        bytes.extend(self.order.to_be_bytes());
        bytes.extend(self.rank.to_be_bytes());
        let check = check(question, &bytes);
        bytes.extend(check);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads a cursor; `None` when it was not handed out for this question and this viewer.
    pub fn decode(text: &str, question: &QuestionDigest) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        let (told, checked) = bytes.split_at_checked(CHECKED)?;
        if checked != check(question, told) {
            return None;
        }
        Some(Self {
            revision: i64::from_be_bytes(told[..BATCH].try_into().ok()?),
            batch_id: Uuid::from_slice(&told[BATCH..ORDER]).ok()?,
            order: u64::from_be_bytes(told[ORDER..RANK].try_into().ok()?),
            rank: u32::from_be_bytes(told[RANK..].try_into().ok()?),
        })
    }
}

fn check(question: &QuestionDigest, bytes: &[u8]) -> [u8; CHECK] {
    let digest = Sha256::new().chain_update(question).chain_update(bytes).finalize();
    std::array::from_fn(|at| digest[at])
}

/// The first cursor that the request gives to a list of what is affected, beneath the field that is being resolved.
/// The answer that it is of is found before anything is worked out.
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
