//! The place into which a scan emits what it reads.

use tokio::sync::mpsc;

use super::error::AdapterError;
use super::item::{BadItem, Item, Secret};
use super::report::Report;

/// Takes the items of a scan. It makes the adapter wait while the runner is busy, so that memory stays bounded.
#[derive(Debug)]
pub struct Sink {
    emitted: mpsc::Sender<Emitted>,
    report: Report,
}

/// Something that a scan emitted.
#[derive(Clone, Debug, PartialEq)]
pub enum Emitted {
    /// An item that is to be written.
    Item(Item),
    /// A thing of the source that cannot be mapped.
    Bad(BadThing),
    /// A secret of a credential.
    Secret(Secret),
}

/// One thing of a source that cannot be mapped, or not whole. The rest of the scan goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadThing {
    /// The kind that the thing would become, by its name in items; `None` if that is not known.
    pub kind: Option<String>,
    /// The id of the thing in the source.
    pub external_id: String,
    /// The code of the reason, such as `INVALID`.
    pub code: &'static str,
    /// A sentence that names the field and says what is wrong and what is allowed.
    pub message: String,
    /// The presence decides whether an object that the inventory has of it stays.
    pub presence: Presence,
}

/// The presence of a thing that cannot be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// The source still has it. An object that the inventory has of it stays as it is: the runner names it as seen.
    StillThere,
    /// Its item is emitted, without what the message names: nothing is wrong, but the inventory cannot hold that.
    InPart,
    /// The source has only a rest of it, which is no such object. The object that the inventory has of it is gone.
    Gone,
}

impl BadThing {
    /// Returns the report of a thing that an adapter cannot map.
    pub fn new(kind: Option<&str>, external_id: impl Into<String>, message: impl Into<String>) -> Self {
        let kind = kind.map(str::to_owned);
        let (code, presence) = ("INVALID", Presence::StillThere);
        Self { kind, external_id: external_id.into(), code, message: message.into(), presence }
    }

    /// Returns the report of a value that the item of a thing cannot hold. The item is emitted without it.
    pub fn in_part(kind: &str, external_id: impl Into<String>, message: impl Into<String>) -> Self {
        Self { presence: Presence::InPart, ..Self::new(Some(kind), external_id, message) }
    }

    /// Returns the report of a thing that would become an item that nobody can write.
    pub fn of_item(kind: Option<&str>, external_id: impl Into<String>, error: &BadItem) -> Self {
        Self::new(kind, external_id, error.to_string())
    }
}

impl Sink {
    /// Returns a sink, and the receiver of what is put into it. At most `waiting` items wait between the two. Tests of
    /// adapters use it too.
    pub fn new(waiting: usize) -> (Self, mpsc::Receiver<Emitted>) {
        let (emitted, receiver) = mpsc::channel(waiting.max(1));
        (Self { emitted, report: Report::default() }, receiver)
    }

    /// Emits an item. An item refers to objects of items before it, or to objects that others write.
    ///
    /// # Errors
    /// Returns [`AdapterError::Stopped`] if the runner takes no more; the scan then ends with it.
    pub async fn put(&mut self, item: Item) -> Result<(), AdapterError> {
        self.emit(Emitted::Item(item)).await
    }

    /// Reports a thing that cannot be mapped.
    ///
    /// # Errors
    /// Returns [`AdapterError::Stopped`] if the runner takes no more; the scan then ends with it.
    pub async fn bad(&mut self, thing: BadThing) -> Result<(), AdapterError> {
        self.emit(Emitted::Bad(thing)).await
    }

    /// Emits a secret of a credential, after the item of the credential.
    ///
    /// # Errors
    /// Returns [`AdapterError::Stopped`] if the runner takes no more; the scan then ends with it.
    pub async fn secret(&mut self, secret: Secret) -> Result<(), AdapterError> {
        self.emit(Emitted::Secret(secret)).await
    }

    /// The counts of what the scan read, which the adapter keeps as it goes.
    pub const fn report(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Returns the counts at the end of a scan.
    pub fn into_report(self) -> Report {
        self.report
    }

    async fn emit(&mut self, emitted: Emitted) -> Result<(), AdapterError> {
        self.emitted.send(emitted).await.map_err(|_| AdapterError::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;
    use crate::sync::item::ExternalId;

    fn item(id: u32) -> Item {
        Item::new(ExternalId::new("rack", id.to_string()), Map::new()).expect("an item")
    }

    #[tokio::test]
    async fn a_scan_waits_while_nobody_takes_its_items() {
        let (mut sink, mut receiver) = Sink::new(2);
        let scan = tokio::spawn(async move {
            for number in 0..10 {
                sink.put(item(number)).await?;
                sink.report().read("rack", 1);
            }
            Ok::<_, AdapterError>(sink.into_report())
        });
        tokio::task::yield_now().await;
        assert_eq!(receiver.len(), 2);
        for number in 0..10 {
            assert_eq!(receiver.recv().await, Some(Emitted::Item(item(number))));
        }
        assert_eq!(scan.await.expect("ends").expect("no error").totals(), (10, 0, 0));
    }

    #[tokio::test]
    async fn a_scan_ends_when_the_runner_stops() {
        let (mut sink, receiver) = Sink::new(2);
        drop(receiver);
        assert_eq!(sink.put(item(1)).await, Err(AdapterError::Stopped));
        assert_eq!(sink.bad(BadThing::new(Some("rack"), "1", "it has no name")).await, Err(AdapterError::Stopped));
    }
}
