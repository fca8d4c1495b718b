//! Reads an NVIDIA Base Command Manager (BCM, formerly Bright Cluster Manager) as a source, through its JSON API from
//! version 10.25.03 on.
//!
//! [`Bcm`] is the adapter. A scan reads the categories, the racks and the devices, and maps each object by itself
//! (`map`). BCM gives no hints, so changes come with the next scan. [`simulator`] is a small BCM for trials and tests.
//!
//! Guarantees: an answer that is not what the API promises fails the scan, so nothing counts as gone by mistake. A
//! device that cannot be mapped is reported with its id, the field and the reason, and the rest goes on. The
//! certificates are read again for each scan. No message holds a password or a key.

mod client;
mod map;
mod notes;
#[cfg(test)]
mod notes_tests;
mod object;
mod scan;
mod settings;
pub mod simulator;

use std::collections::HashMap;
use std::sync::Mutex;

use underlay_kit::sync::{Adapter, AdapterError, ExternalId, HintStream, Items, Scanned, Sink};

pub use self::settings::{HostName, Pace, Settings, SettingsError};

use self::client::Client;
use self::scan::Scan;

/// The adapter of one BCM.
#[derive(Debug)]
pub struct Bcm {
    settings: Settings,
    /// The address of BCM, which ends with a slash.
    base: String,
    /// The host names of the nodes that the last scan read, by their ids.
    hostnames: Mutex<HashMap<String, String>>,
}

impl Bcm {
    /// Returns the adapter of a BCM. It connects when it is used.
    ///
    /// # Errors
    /// Returns an error if the settings cannot be used, or a file with a certificate or key cannot be read.
    pub fn new(settings: Settings) -> Result<Self, SettingsError> {
        if settings.site.trim().is_empty() {
            return Err(SettingsError::Site);
        }
        let base = settings::base(&settings.url)?.to_string();
        // The files are read only to report what is wrong with them at once, after what is wrong whatever they hold.
        Client::new(&settings)?;
        Ok(Self { settings, base, hostnames: Mutex::default() })
    }

    /// Returns a client with the certificates that are in the files now, so that they can be renewed.
    fn client(&self) -> Result<Client, AdapterError> {
        Client::new(&self.settings)
            .map_err(|error| AdapterError::Unusable { call: self.base.clone(), reason: error.to_string() })
    }

    fn scan_with<'a>(&'a self, client: &'a Client) -> Scan<'a> {
        Scan::new(client, &self.settings, &self.base, &self.hostnames)
    }
}

impl Adapter for Bcm {
    async fn scan(&self, sink: &mut Sink) -> Result<Scanned, AdapterError> {
        let client = self.client()?;
        client.version().await?;
        self.scan_with(&client).everything(sink).await?;
        // BCM has no position in its changes.
        Ok(Scanned { cursor: None })
    }

    async fn look(&self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let client = self.client()?;
        self.scan_with(&client).one(id).await
    }

    fn hints(&self) -> Option<HintStream> {
        None
    }
}
