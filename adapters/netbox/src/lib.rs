//! Reads a NetBox as a source: its REST API from version 4.1 on.
//!
//! [`NetBox`] is the adapter. A scan reads list after list in the order of references, maps each object by itself
//! (`map`), and emits it; of other objects it holds only what the mapping needs (`context`). Between scans the change
//! log of NetBox gives hints (`changes`), and one object is read again (`look`).
//!
//! Guarantees: nothing of NetBox is made up, merged or dropped in silence. An object has the external id
//! `dcim.interface:17`, with its type, because several types become one kind. A list that cannot be read, or an answer
//! that breaks the contract of the API, fails the scan. What Underlay cannot say is reported with the external id.

mod changes;
mod client;
mod context;
mod draft;
mod look;
mod map;
mod object;
mod scan;
mod settings;
mod types;
mod words;

use std::sync::Arc;

use underlay_kit::sync::{Adapter, AdapterError, ExternalId, HintStream, Items, Scanned, Sink};

pub use self::settings::{Pace, Settings, SettingsError, Tenants, TokenSource};
pub use self::words::{Words, WordsError};

use self::changes::Changes;
use self::client::Client;
use self::context::Context;
use self::look::Look;
use self::scan::Scan;
use self::types::parse;

/// The adapter of one NetBox.
#[derive(Debug)]
pub struct NetBox {
    client: Arc<Client>,
    settings: Settings,
    changes: Arc<Changes>,
}

impl NetBox {
    /// Returns the adapter of a NetBox. It connects when it is used.
    ///
    /// # Errors
    /// Returns an error if the settings cannot be used.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        let client = Arc::new(Client::new(&settings)?);
        let changes = Arc::new(Changes::new(Arc::clone(&client), settings.pace));
        Ok(Self { client, settings, changes })
    }

    fn context(&self) -> Context {
        Context::new(&self.settings, self.client.base().as_str())
    }
}

impl Adapter for NetBox {
    const PROVES_DELETIONS: bool = true;

    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        let version = self.client.check().await?;
        // Changes that are made while the scan reads are after this position. Without the right there are no hints.
        let position = match self.changes.begin().await {
            Ok(position) => Some(position),
            Err(AdapterError::Refused { .. }) => None,
            Err(error) => return Err(error),
        };
        Scan::new(&self.client, self.context(), sink).run(version).await?;
        Ok(Scanned { cursor: position.map(|position| position.to_string()) })
    }

    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        Look::new(&self.client, self.context()).at(id).await
    }

    async fn has_deleted(&self, id: &ExternalId) -> Result<bool, AdapterError> {
        let Some((of, number)) = parse(id) else { return Ok(false) };
        if self.client.object(of.path, number).await?.is_some() {
            // It is there, but it can be a rest that is no object any more.
            return Ok(self.look(id).await?.is_none());
        }
        // NetBox also hides what the token may not view. Its log says that the object is deleted, and that the token may
        // view this type is seen from its list.
        Ok(self.changes.say_deleted(id) && self.client.count(of.path).await?.is_some())
    }

    fn hints(&self) -> Option<HintStream> {
        let changes = Arc::clone(&self.changes);
        Some(HintStream::start(move |hints| async move { changes.follow(&hints).await }))
    }
}
