//! OpenStack Ironic, the bare-metal service: a source of the inventory, and a provisioner of hosts.
//!
//! [`Ironic`] is the adapter. A scan reads ports and nodes page by page, and the inventories of the nodes that changed since
//! the last one, and maps each object by itself (`map`). Nodes that changed give hints in between (`hints`). [`client`] is a
//! client of the REST API, for everything that reads Ironic or works with it. [`provisioner`] has machines installed by it.
//!
//! Guarantees of the source: an answer that is not what the API promises fails the scan, so nothing counts as gone by
//! mistake. A node or port that cannot be mapped is reported with its id, the field and the reason, and the rest goes on. A
//! password that Ironic does not show is never written, and no message holds one. The source never writes to Ironic.

mod bmc_url;
pub mod client;
mod error;
mod hints;
mod map;
mod memory;
mod place;
pub mod provisioner;
mod scan;
mod settings;

use std::sync::Arc;

use underlay_kit::sync::{Adapter, AdapterError, ExternalId, HintStream, Items, Scanned, Sink};

pub use self::place::{Rule, RuleError};
pub use self::settings::{Settings, SettingsError, USUAL_UNITS};

use self::client::Client;
use self::map::Context;
use self::memory::Memory;
use self::scan::Scan;

/// The adapter of one Ironic.
#[derive(Debug)]
pub struct Ironic {
    settings: Settings,
    client: Arc<Client>,
    memory: Arc<Memory>,
}

impl Ironic {
    /// Returns the adapter of an Ironic. It connects when it is used.
    ///
    /// # Errors
    /// Returns an error if the settings cannot be used.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        settings.check()?;
        let client = Arc::new(Client::new(&settings.connection)?);
        Ok(Self { settings, client, memory: Arc::default() })
    }

    fn scan(&self) -> Scan<'_> {
        let cx = Context {
            source: self.settings.source.clone(),
            base: self.client.base().to_string(),
            site: self.settings.site.trim().to_owned(),
            places: self.settings.places.clone(),
            rack_units: self.settings.rack_units,
        };
        Scan::new(&self.client, cx, &self.memory)
    }
}

impl Adapter for Ironic {
    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        self.client.negotiate().await?;
        self.scan().everything(sink).await?;
        // Ironic has no position in its changes.
        Ok(Scanned { cursor: None })
    }

    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        self.scan().one(id).await
    }

    fn hints(&self) -> Option<HintStream> {
        let (client, memory, pause) = (Arc::clone(&self.client), Arc::clone(&self.memory), self.settings.hints);
        Some(HintStream::start(move |hints| async move { hints::follow(&client, &memory, pause, &hints).await }))
    }
}
