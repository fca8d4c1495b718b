//! Reads items from the standard output of a program, so that a source can be written in any language.
//!
//! The program prints a line of JSON for each item, as in an export, and a last line with the number of items:
//!
//! ```json
//! {"item": {"rack": {"externalId": "17", "name": "A14", "site": {"site": "ams1"}}}}
//! {"bad": {"kind": "rack", "externalId": "18", "message": "height: must be a number, not \"tall\""}}
//! {"end": true, "items": 1}
//! ```
//!
//! Guarantees: without the last line, with another number in it, or with an exit code other than 0 the scan fails. The
//! program is killed with all that it started when its time is over, when the scan is dropped, or when this process ends.
//! It gets the variables PATH and HOME and those that are named, so none of ours. Its lines and its output are bounded.

mod hints;
mod lines;
mod process;

use std::future::Future;
use std::time::Duration;

use tokio::process::ChildStdout;
use underlay_kit::sync::{Adapter, AdapterError, ExternalId, HintStream, Items, Scanned, Sink};

use self::lines::{Entry, Line, Lines};
pub use self::process::Program;
use self::process::Running;

/// The output of a program that runs.
struct Output {
    running: Running,
    lines: Lines<ChildStdout>,
    items: u64,
}

impl Output {
    fn start(program: &Program) -> Result<Self, AdapterError> {
        let (running, output) = Running::start(program)?;
        Ok(Self { running, lines: Lines::new(program.to_string(), output), items: 0 })
    }

    /// Returns the next entry; `None` once the program ended and reported that it printed everything.
    async fn next(&mut self) -> Result<Option<Entry>, AdapterError> {
        match self.lines.next().await? {
            Some(Line::Entry(entry)) => {
                self.items += u64::from(matches!(entry, Entry::Item(_)));
                Ok(Some(entry))
            }
            Some(Line::End { items }) if items == self.items => self.end().await.map(|()| None),
            Some(Line::End { items }) => {
                let expected = format!("the number of items, {}; it says {items}", self.items);
                Err(self.lines.wrong("items", expected))
            }
            None => Err(self.lines.cut_off()),
        }
    }

    /// Checks that the program ends well after its last line.
    async fn end(&mut self) -> Result<(), AdapterError> {
        if self.lines.next().await?.is_some() {
            return Err(self.lines.wrong("", "nothing after the line {\"end\": true, …}"));
        }
        let status = self.running.wait().await?;
        match status.success() {
            true => Ok(()),
            false => Err(self.lines.wrong("", format!("the program to end with exit code 0; it ended with {status}"))),
        }
    }
}

/// A source that is the output of a program.
#[derive(Clone, Debug)]
pub struct Exec {
    /// The program that prints all items.
    pub program: Program,
    /// The program that prints a line whenever something changed.
    pub hints: Option<Program>,
    /// The time within which the program must end.
    pub limit: Duration,
}

impl Exec {
    /// Does something with the output of the program within its time.
    async fn within<T>(&self, work: impl Future<Output = Result<T, AdapterError>>) -> Result<T, AdapterError> {
        // The program is killed when the future that reads it is dropped.
        tokio::time::timeout(self.limit, work).await.unwrap_or_else(|_| {
            let reason = format!("it did not end within {} s and was killed", self.limit.as_secs());
            Err(AdapterError::Unreachable { call: self.program.to_string(), reason })
        })
    }

    async fn emit(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        let mut output = Output::start(&self.program)?;
        while let Some(line) = output.next().await? {
            sink.report().read("line", 1);
            match line {
                Entry::Item(item) => {
                    sink.report().mapped("line", 1);
                    sink.put(item).await?;
                }
                Entry::Bad(thing) => {
                    sink.report().left_out("line", "cannot be mapped", 1);
                    sink.bad(thing).await?;
                }
            }
        }
        Ok(Scanned::default())
    }

    async fn find(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let mut output = Output::start(&self.program)?;
        let mut found = None;
        while let Some(line) = output.next().await? {
            match line {
                Entry::Item(item) if item.id() == id => found = Some(vec![item]),
                _ => {}
            }
        }
        Ok(found)
    }
}

impl Adapter for Exec {
    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        self.within(self.emit(sink)).await
    }

    /// A program has no way to be asked for one thing, so it prints everything. Hints of this source never name a
    /// thing.
    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        self.within(self.find(id)).await
    }

    fn hints(&self) -> Option<HintStream> {
        let program = self.hints.clone()?;
        Some(HintStream::start(|hints| hints::gather(program, hints)))
    }
}

#[cfg(test)]
mod tests;
