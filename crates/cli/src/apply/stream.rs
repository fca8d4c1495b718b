//! Applies an export: reads its lines one by one and writes them in batches.
//!
//! Guarantees: a line is written after all earlier lines that it refers to. At most the pending batches are in memory.
//! A rejected batch ends the run; the batches written before it stay unchanged when the run is repeated.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Chain, Cursor, Read, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use thiserror::Error;
use underlay_client::{Client, ClientError};

use super::rejections::sentence;
use crate::batch::{self, BatchAnswer, Conflicts, Detail, Input, MAX_BATCH_ITEMS, Status, Totals};
use crate::exit::Exit;
use crate::server;
use underlay_kinds::lines::{BEGINNING, EndLine, FORMAT, Header, ItemLine, Line, LineConflicts, LineError};
use underlay_kit::printable;

/// The number of bytes of lines that can be pending.
const PENDING_BYTES: usize = 4 << 20;
/// The maximum length of a line in bytes; no object needs as many.
const LINE_BYTES: usize = 2 << 20;
/// The number of rejected lines that are printed.
const SHOWN_ERRORS: usize = 20;

/// The reason why an export cannot be applied to its end.
#[derive(Debug, Error)]
enum StreamError {
    #[error("line {line} {reason}")]
    Line { line: u64, reason: String },
    #[error("the export is cut off after line {lines}: its last line says how many there are")]
    CutOff { lines: u64 },
    #[error("line {line}: {message}")]
    Refused { line: u64, message: String },
    #[error("the server refused {count} lines of a batch")]
    RefusedItems { count: usize },
    #[error(transparent)]
    Client(#[from] ClientError),
}

/// A text whose beginning was read and put back.
type Rewound<R> = BufReader<Chain<Cursor<Vec<u8>>, R>>;

/// Checks if a text is an export. Also returns the complete text, because its beginning can be read only once.
pub(super) fn detect_export<R: Read>(mut text: R) -> (bool, Rewound<R>) {
    let mut beginning = Vec::new();
    // A read error occurs again for the next reader, which reports it.
    let _ = text.by_ref().take(BEGINNING.len() as u64).read_to_end(&mut beginning);
    (beginning == BEGINNING, BufReader::new(Cursor::new(beginning).chain(text)))
}

/// Writes an export. `conflicts` applies to fields of other managers if a line does not say what to do with them.
pub(super) async fn apply(client: &Client, lines: impl BufRead, conflicts: Option<Conflicts>) -> Exit {
    let mut stream =
        Stream { client, conflicts, pending: PendingBatches::default(), written: Totals::default(), bar: bar() };
    let result = stream.run(ExportLines { lines, number: 0 }).await;
    stream.bar.finish_and_clear();
    let Err(error) = result else {
        // The reader may be gone; the objects are written nevertheless.
        let _ = writeln!(std::io::stdout(), "{}", stream.written);
        return Exit::Done;
    };
    let exit = match &error {
        StreamError::Client(error) => server::explain(error),
        error => {
            eprintln!("error: {}", printable(&error.to_string()));
            Exit::Failed
        }
    };
    match stream.written.count() {
        0 => eprintln!("nothing was written"),
        _ => eprintln!(
            "written before: {}; when the cause is corrected, apply the whole export again: what is there already stays \
             unchanged",
            stream.written
        ),
    }
    exit
}

fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:30} {human_pos}/{human_len} items, {elapsed}");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The lines of an export, read one by one.
struct ExportLines<R> {
    lines: R,
    number: u64,
}

impl<R: BufRead> ExportLines<R> {
    /// Returns the next line, or `None` at the end.
    fn next(&mut self) -> Result<Option<Vec<u8>>, StreamError> {
        self.number += 1;
        let bad = |reason: String| StreamError::Line { line: self.number, reason };
        let mut line = Vec::new();
        let mut text = (&mut self.lines).take(LINE_BYTES as u64 + 1);
        text.read_until(b'\n', &mut line).map_err(|error| bad(format!("cannot be read: {error}")))?;
        match line.len() {
            0 => Ok(None),
            length if length > LINE_BYTES => Err(bad(format!("has more than {LINE_BYTES} bytes"))),
            _ => Ok(Some(line)),
        }
    }

    fn header(&mut self) -> Result<Header, StreamError> {
        let line = self.next()?.unwrap_or_default();
        let bad = |reason: String| StreamError::Line { line: 1, reason };
        let read = |line: &[u8]| serde_json::from_slice::<Value>(line);
        let format = read(&line).ok().and_then(|it| it["format"].as_str().map(str::to_owned)).unwrap_or_default();
        if format != FORMAT {
            return Err(bad(format!("says that the format is {format:?}; this program reads {FORMAT}")));
        }
        serde_json::from_slice(&line).map_err(|error| bad(format!("is no header of an export: {error}")))
    }

    /// Returns the next parsed line and its length in bytes.
    fn line(&mut self) -> Result<(Line, usize), StreamError> {
        let cut_off = StreamError::CutOff { lines: self.number };
        let line = self.next()?.ok_or(cut_off)?;
        let bad = |error: LineError| {
            let reason = match line.ends_with(b"\n") {
                true => format!("is neither an item nor the end: {error}"),
                false => "is cut off".to_owned(),
            };
            StreamError::Line { line: self.number, reason }
        };
        Line::read(&line).map(|read| (read, line.len())).map_err(bad)
    }
}

/// The source and the conflict policy that a batch is written with.
type BatchKey = (Option<String>, Option<LineConflicts>);

/// Items that are written together.
#[derive(Debug, Default)]
struct Batch {
    key: BatchKey,
    items: Vec<Value>,
    lines: Vec<u64>,
}

/// The batches that are not written yet. No batch refers to another, so they can be written in any order.
#[derive(Debug, Default)]
struct PendingBatches {
    batches: Vec<Batch>,
    /// The index of the batch that writes an object, by the object's id.
    writes: HashMap<String, usize>,
    items: usize,
    bytes: usize,
}

impl PendingBatches {
    /// Returns true if the pending batches must be written before the line can be added: the line refers to an object
    /// of another batch, or there is no room for it.
    fn must_wait(&self, line: &ItemLine, bytes: usize) -> bool {
        let own = self.batches.iter().position(|batch| batch.key == key(line));
        let mut elsewhere = false;
        each_id(&line.item, &mut |id| elsewhere |= self.writes.get(id).is_some_and(|batch| Some(*batch) != own));
        elsewhere || self.items >= MAX_BATCH_ITEMS || (self.items > 0 && self.bytes + bytes > PENDING_BYTES)
    }

    fn add(&mut self, line: ItemLine, number: u64, bytes: usize) {
        let key = key(&line);
        let own = self.batches.iter().position(|batch| batch.key == key);
        let at = own.unwrap_or_else(|| {
            self.batches.push(Batch { key, ..Batch::default() });
            self.batches.len() - 1
        });
        self.writes.extend(written(&line.item).map(|id| (id.to_owned(), at)));
        self.batches[at].items.push(line.item);
        self.batches[at].lines.push(number);
        self.items += 1;
        self.bytes += bytes;
    }
}

fn key(line: &ItemLine) -> BatchKey {
    (line.source.clone(), line.conflicts)
}

/// Returns the id of the object that an item writes.
fn written(item: &Value) -> Option<&str> {
    let (_, fields) = item.as_object()?.iter().next()?;
    fields.get("id").or_else(|| fields.get("ref")?.get("id"))?.as_str()
}

/// Returns the name of the object that an item writes.
fn name(item: &Value) -> Option<&str> {
    item.as_object()?.values().next()?.get("name")?.as_str()
}

/// Calls `visit` with every value that can be the id of an object.
fn each_id(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| match value {
            Value::String(id) if name == "id" => visit(id),
            value => each_id(value, visit),
        }),
        Value::Array(list) => list.iter().for_each(|value| each_id(value, visit)),
        _ => {}
    }
}

/// An export that is being written.
struct Stream<'a> {
    client: &'a Client,
    conflicts: Option<Conflicts>,
    pending: PendingBatches,
    written: Totals,
    bar: ProgressBar,
}

impl Stream<'_> {
    async fn run(&mut self, mut lines: ExportLines<impl BufRead>) -> Result<(), StreamError> {
        let header = lines.header()?;
        self.bar.set_length(header.objects);
        let mut items = 0;
        loop {
            match lines.line()? {
                (Line::Item(line), bytes) => self.item(line, lines.number, bytes).await?,
                (Line::End(EndLine { end }), _) if end == items => break,
                (Line::Header(_), _) => {
                    let reason = "is a second header".to_owned();
                    return Err(StreamError::Line { line: lines.number, reason });
                }
                (Line::End(EndLine { end }), _) => {
                    let reason = format!("says that there are {end} items; there are {items}");
                    return Err(StreamError::Line { line: lines.number, reason });
                }
            }
            items += 1;
        }
        self.flush().await
    }

    async fn item(&mut self, line: ItemLine, number: u64, bytes: usize) -> Result<(), StreamError> {
        if self.pending.must_wait(&line, bytes) {
            self.flush().await?;
        }
        self.pending.add(line, number, bytes);
        Ok(())
    }

    /// Writes the pending batches.
    async fn flush(&mut self) -> Result<(), StreamError> {
        for batch in std::mem::take(&mut self.pending).batches {
            let payload = match batch::apply(self.client, &self.input(&batch), Detail::Results).await {
                Ok(payload) => payload,
                Err(error) => return Err(with_line(error, &batch)),
            };
            if payload.results.iter().any(|result| result.status == Status::Failed) {
                return Err(refused(&batch, &payload));
            }
            payload.results.iter().for_each(|result| self.written.add(result.status));
            let items = self.written.count() as u64;
            self.bar.set_length(self.bar.length().unwrap_or_default().max(items));
            self.bar.set_position(items);
        }
        Ok(())
    }

    fn input<'b>(&self, batch: &'b Batch) -> Input<'b> {
        let (source, conflicts) = &batch.key;
        let forced = conflicts.map(|LineConflicts::Force| Conflicts::Force);
        Input { source: source.as_deref(), conflicts: forced.or(self.conflicts), ..Input::of(&batch.items) }
    }
}

/// Prints the rejected lines of a batch, and returns the error.
fn refused(batch: &Batch, payload: &BatchAnswer) -> StreamError {
    let failed = batch.lines.iter().zip(&batch.items).zip(&payload.results).filter_map(|((line, item), result)| {
        let error = result.error.as_ref()?;
        let name = name(item).map(|name| format!("{name}: ")).unwrap_or_default();
        Some(format!("line {line}: {name}{} ({})", error.message, error.code))
    });
    for line in failed.clone().take(SHOWN_ERRORS) {
        eprintln!("error: {}", printable(&line));
    }
    StreamError::RefusedItems { count: failed.count() }
}

/// Adds the line to an error in the variables, such as `input.items.3.rack.heightU`.
fn with_line(error: ClientError, batch: &Batch) -> StreamError {
    let ClientError::Graphql(errors) = &error else { return StreamError::Client(error) };
    let item = errors.iter().find_map(|error| {
        let item = error.field()?.strip_prefix("input.items.")?.split('.').next()?;
        Some((*batch.lines.get(item.parse::<usize>().ok()?)?, sentence(&error.message).to_owned()))
    });
    match item {
        Some((line, message)) => StreamError::Refused { line, message },
        None => StreamError::Client(error),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(item: Value, source: Option<&str>) -> ItemLine {
        ItemLine { item, source: source.map(str::to_owned), conflicts: None }
    }

    #[test]
    fn an_export_is_recognised_by_its_first_line() {
        let text = |bytes: &'static str| {
            let (is_export, mut text) = detect_export(bytes.as_bytes());
            let mut whole = String::new();
            text.read_to_string(&mut whole).expect("text");
            assert_eq!(whole, bytes);
            is_export
        };
        assert!(text("{\"format\":\"underlay-export/1\",\"revision\":1,\"objects\":0}\n"));
        assert!(text("{\"format\":\"underlay-export/9\"}"), "of another version: it is not read as a manifest");
        assert!(!text("") && !text("apiVersion: underlay/v1") && !text("{\"format\":\"other\"}"));
    }

    #[test]
    fn a_line_waits_for_references_to_another_batch() {
        let mut pending = PendingBatches::default();
        pending.add(line(json!({"site": {"id": "s"}}), None), 2, 10);
        let rack = |source| line(json!({"rack": {"id": "r", "site": {"id": "s"}}}), source);
        assert!(!pending.must_wait(&rack(None), 10), "in the same batch it finds it");
        assert!(pending.must_wait(&rack(Some("bcm")), 10));
        let other = line(json!({"site": {"id": "t"}}), Some("bcm"));
        assert!(!pending.must_wait(&other, 10), "two that do not know each other can be pending");
        let forced = ItemLine { conflicts: Some(LineConflicts::Force), ..line(json!({"site": {"id": "s"}}), None) };
        assert!(pending.must_wait(&forced, 10), "lines about one object are written in their order");
        assert!(pending.must_wait(&line(json!({"release": {"ref": {"id": "s"}}}), Some("x")), 10));
        assert!(pending.must_wait(&other, PENDING_BYTES), "there is room for so many bytes");
        assert!(!PendingBatches::default().must_wait(&other, PENDING_BYTES + 1), "a long line goes alone");
    }

    #[test]
    fn errors_name_the_line() {
        let lines = |text: &'static str| ExportLines { lines: text.as_bytes(), number: 0 };
        let header = |text| lines(text).header().map_err(|error| error.to_string()).expect_err("bad");
        assert!(header("{\"format\":\"underlay-export/2\"}\n").contains("this program reads underlay-export/1"));
        assert!(header("{\"format\":\"underlay-export/1\"}\n").starts_with("line 1 is no header of an export: "));
        let second = |text| {
            let mut lines = lines(text);
            lines.header().expect("a header");
            lines.line().map_err(|error| error.to_string()).expect_err("bad")
        };
        const HEAD: &str = "{\"format\":\"underlay-export/1\",\"revision\":1,\"objects\":0}\n";
        assert!(second(HEAD).starts_with("the export is cut off after line 1"));
        let with = |rest: &str| second(String::leak(format!("{HEAD}{rest}")));
        assert!(with("{\"item\"").starts_with("line 2 is cut off"), "{}", with("{\"item\""));
        assert!(with("{\"x\":1}\n").starts_with("line 2 is neither an item nor the end"));
        assert!(with(&"x".repeat(LINE_BYTES + 1)).starts_with("line 2 has more than"));
    }
}
