//! The settings of an Ironic as a source: where it is, and what Ironic itself does not know.

use std::time::Duration;

use thiserror::Error;

use crate::client::{Connection, ConnectionError};
use crate::place::Rule;

/// The number of units of a rack that nothing else describes.
pub const USUAL_UNITS: u32 = 48;

/// The reason why settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The connection cannot be used.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The site has no name.
    #[error("the site is empty: give the name of the site where the nodes of Ironic are")]
    Site,
    /// A rack cannot have so many units.
    #[error("a rack has 1 to 100 units, not {units}")]
    Units {
        /// The number.
        units: u32,
    },
}

/// The settings of an Ironic.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the source, under which external references are written.
    pub source: String,
    pub connection: Connection,
    /// The name of the site where the nodes are. It must exist, because Ironic knows no sites.
    pub site: String,
    /// The rules for the places of nodes in racks. Without rules, places are not written.
    pub places: Vec<Rule>,
    /// The number of units of the racks that are created.
    pub rack_units: u32,
    /// The time between two looks for nodes that changed.
    pub hints: Duration,
}

impl Settings {
    /// Returns the usual settings.
    pub fn new(source: &str, connection: Connection, site: &str) -> Self {
        Self {
            source: source.to_owned(),
            connection,
            site: site.to_owned(),
            places: Vec::new(),
            rack_units: USUAL_UNITS,
            hints: Duration::from_secs(15),
        }
    }

    /// Checks what the settings say besides the connection.
    ///
    /// # Errors
    /// Returns what is wrong.
    pub(crate) fn check(&self) -> Result<(), SettingsError> {
        if self.site.trim().is_empty() {
            return Err(SettingsError::Site);
        }
        let units = self.rack_units;
        if (1..=100).contains(&units) { Ok(()) } else { Err(SettingsError::Units { units }) }
    }
}
