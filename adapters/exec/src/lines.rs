//! The lines that a program prints.

use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncRead, BufReader};
use underlay_kit::sync::{AdapterError, BadThing, Item, MAX_LINE_VALUES};
use underlay_kit::{check_values, read_json, shown};

/// The maximum length of a line in bytes: more than any object has.
const MAX_LINE_BYTES: usize = 2 << 20;

/// The maximum length of the output in bytes. The largest inventories have about as much.
const MAX_OUTPUT_BYTES: u64 = 1 << 30;

/// A thing of the source.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// An object of the inventory, as an item of `apply`.
    Item(Item),
    /// A thing that the program, or this reader, cannot map.
    Bad(BadThing),
}

/// A line that the program printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A thing of the source.
    Entry(Entry),
    /// The end, with the number of lines that are items.
    End { items: u64 },
}

/// The names of the members of lines.
const MEMBERS: [&str; 4] = ["item", "bad", "end", "items"];

/// The members of lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    item: Option<Value>,
    bad: Option<Bad>,
    end: Option<bool>,
    items: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Bad {
    kind: Option<String>,
    external_id: String,
    message: String,
}

/// Reads lines, and knows where it is for messages.
pub struct Lines<R> {
    call: String,
    reader: BufReader<R>,
    number: u64,
    /// The number of bytes that were read.
    bytes: u64,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// Returns the lines of an output. `call` names it in messages.
    pub fn new(call: String, output: R) -> Self {
        Self { call, reader: BufReader::new(output), number: 0, bytes: 0 }
    }

    /// Returns the next line that is not blank; `None` at the end of the output.
    ///
    /// # Errors
    /// Returns an error if the output cannot be read, or a line is none of those that a program may print.
    pub async fn next(&mut self) -> Result<Option<Line>, AdapterError> {
        loop {
            let Some(line) = self.bytes().await? else { return Ok(None) };
            let text = str::from_utf8(&line).map_err(|_| self.wrong("", "text in UTF-8"))?.trim();
            if !text.is_empty() {
                return self.read(text).map(Some);
            }
        }
    }

    /// Returns the error for an output that ends without its last line.
    pub fn cut_off(&self) -> AdapterError {
        self.wrong("", "{\"end\": true, \"items\": N} as the last line, but the output ended here")
    }

    /// Returns the error for the current line.
    pub fn wrong(&self, member: &str, expected: impl Into<String>) -> AdapterError {
        let member = if member.is_empty() { String::new() } else { format!(".{member}") };
        let path = format!("line {}{member}", self.number);
        AdapterError::WrongAnswer { call: self.call.clone(), path, expected: expected.into() }
    }

    fn read(&self, text: &str) -> Result<Line, AdapterError> {
        let one_of = "an object with `item`, `bad`, or `end` and `items`";
        check_values(text.as_bytes(), MAX_LINE_VALUES).map_err(|expected| self.wrong("", expected))?;
        let value = read_json(text).map_err(|error| self.wrong("", format!("a line of JSON: {error}")))?;
        let strange =
            value.as_object().and_then(|members| members.keys().find(|name| !MEMBERS.contains(&name.as_str())));
        let expected = match strange {
            Some(name) => format!("{one_of}, and no member {}", shown(name)),
            None => one_of.to_owned(),
        };
        // The error of the library repeats values, and a program that fails can print anything.
        let members = serde_json::from_value(value).map_err(|_| self.wrong("", expected))?;
        match members {
            Members { item: Some(item), bad: None, end: None, items: None } => Ok(Line::Entry(self.item(item))),
            Members { item: None, bad: Some(bad), end: None, items: None } => {
                Ok(Line::Entry(Entry::Bad(BadThing::new(bad.kind.as_deref(), bad.external_id, bad.message))))
            }
            Members { item: None, bad: None, end: Some(true), items: Some(items) } => Ok(Line::End { items }),
            _ => Err(self.wrong("", one_of)),
        }
    }

    /// Reads an item. One that is wrong by itself is reported, and the rest of the output goes on.
    fn item(&self, item: Value) -> Entry {
        match Item::from_json(item) {
            Ok(item) => Entry::Item(item),
            Err(error) => Entry::Bad(BadThing::of_item(None, format!("line {}", self.number), &error)),
        }
    }

    async fn bytes(&mut self) -> Result<Option<Vec<u8>>, AdapterError> {
        self.number += 1;
        let mut line = Vec::new();
        loop {
            let part = self.reader.fill_buf().await.map_err(|error| AdapterError::Unreachable {
                call: self.call.clone(),
                reason: format!("its output cannot be read: {error}"),
            })?;
            if part.is_empty() {
                return Ok((!line.is_empty()).then_some(line));
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(part.len(), |end| end + 1);
            line.extend_from_slice(&part[..taken]);
            self.reader.consume(taken);
            self.bytes += taken as u64;
            if self.bytes > MAX_OUTPUT_BYTES {
                return Err(self.wrong("", format!("at most {} MiB of output", MAX_OUTPUT_BYTES >> 20)));
            }
            if line.len() > MAX_LINE_BYTES {
                return Err(self.wrong("", format!("at most {MAX_LINE_BYTES} bytes")));
            }
            if end.is_some() {
                return Ok(Some(line));
            }
        }
    }
}
