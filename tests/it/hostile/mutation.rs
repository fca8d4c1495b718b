//! Mutates valid texts as an attacker or a broken connection would: flips bytes, removes, doubles and swaps parts,
//! inserts syntax, long numbers and deep nesting.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Fragments that are inserted into texts: syntax of the parsed formats, and limits of numbers and characters.
#[rustfmt::skip]
const ODD: [&str; 49] = [
    "\"", "'", "\\", "{", "}", "[", "]", "(", ")", ":", ",", ";", "$", "@", "#", "!", "|", "&", "...", "\"\"\"",
    "\0", "\u{1b}[2J", "\u{7f}", "\u{ffff}", "\u{feff}", "\u{202e}", "\u{10ffff}", "\\u0000", "\\ud800", "\\x",
    "\n", "\r", "\t", " ", "null", "true", "-1", "-0", "1e999", "0.1e-400", "NaN", "9223372036854775808",
    "-9223372036854775809", "18446744073709551616", "&a [*a, *a]", "<<: *a", "!!binary x", "\n---\n", "%YAML 9",
];
/// Fragments that nest, and are inserted many times.
const NESTED: [&str; 7] = ["{", "[", "(", "{a:", "[[", "- ", "{\"a\":"];
/// The maximum number of repetitions. Parsers have lower limits, or nest on the heap.
const MAX_REPETITIONS: usize = 3_000;
/// The longest part that is doubled, in bytes.
const MAX_DOUBLED_BYTES: usize = 2_000;

/// One change of a text.
#[derive(Clone, Debug)]
pub enum Change {
    /// Bits of a byte are the other way around.
    Flip(Index, u8),
    /// A part is taken out.
    Delete(Index, Index),
    /// A part comes several times.
    Repeat(Index, Index, usize),
    /// Two parts change their places: what comes before a place, and what comes after it.
    Swap(Index),
    /// Something is put in.
    Insert(Index, &'static str),
    /// Something that nests is put in many times.
    Nest(Index, &'static str, usize),
    /// A long number is put in.
    Digits(Index, usize),
    /// The rest is cut off.
    Cut(Index),
}

impl Change {
    fn apply(&self, text: &mut Vec<u8>) {
        let length = text.len();
        let within = |at: &Index| at.index(length + 1);
        match self {
            Self::Flip(at, bits) => {
                let at = at.index(text.len().max(1));
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= bits;
                }
            }
            Self::Delete(from, to) => drop(text.drain(part(within(from), within(to)))),
            Self::Repeat(from, to, times) => {
                let part = part(within(from), within(to));
                let more = text[part.clone()].repeat(*times);
                text.splice(part.end..part.end, more);
            }
            Self::Swap(at) => text.rotate_left(within(at)),
            Self::Insert(at, odd) => put(text, within(at), odd.as_bytes()),
            Self::Nest(at, mark, times) => put(text, within(at), mark.repeat(*times).as_bytes()),
            Self::Digits(at, count) => put(text, within(at), "7".repeat(*count).as_bytes()),
            Self::Cut(at) => text.truncate(within(at)),
        }
    }
}

fn part(one: usize, other: usize) -> std::ops::Range<usize> {
    let (from, to) = (one.min(other), one.max(other));
    from..to.min(from + MAX_DOUBLED_BYTES)
}

fn put(text: &mut Vec<u8>, at: usize, more: &[u8]) {
    text.splice(at..at, more.iter().copied());
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<Index>;
    prop_oneof![
        3 => (at(), 1_u8..).prop_map(|(at, bits)| Change::Flip(at, bits)),
        3 => (at(), at()).prop_map(|(from, to)| Change::Delete(from, to)),
        2 => (at(), at(), 1_usize..4).prop_map(|(from, to, times)| Change::Repeat(from, to, times)),
        1 => at().prop_map(Change::Swap),
        6 => (at(), select(ODD.as_slice())).prop_map(|(at, odd)| Change::Insert(at, odd)),
        1 => (at(), select(NESTED.as_slice()), 1..MAX_REPETITIONS)
            .prop_map(|(at, mark, times)| Change::Nest(at, mark, times)),
        1 => (at(), 1_usize..400).prop_map(|(at, count)| Change::Digits(at, count)),
        1 => at().prop_map(Change::Cut),
    ]
}

/// One of some texts, with up to five changes, or none.
pub fn bytes(good: Vec<String>) -> impl Strategy<Value = Vec<u8>> {
    (select(good), vec(change(), 0..6)).prop_map(|(good, changes)| {
        let mut text = good.into_bytes();
        changes.iter().for_each(|change| change.apply(&mut text));
        text
    })
}

/// Returns the mutated text, with replacement characters for invalid UTF-8.
pub fn text(good: Vec<String>) -> impl Strategy<Value = String> {
    bytes(good).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}
