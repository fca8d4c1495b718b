//! The configuration of the server. Its sources are built-in defaults (`config.default.toml`), a file, `UNDERLAY_…`
//! variables and flags. Each source overrides those before it. The merged values are extracted into [`Settings`], which
//! is nested as the TOML is.
//!
//! Guarantees: an unknown key, or an unknown variable with our prefix, is an error, so a typing mistake never goes
//! unnoticed. Every value knows its origin. No message shows the value of a secret.

mod auth;
mod console;
mod error;
mod key;
mod limits;
mod secrets;
mod show;
mod sources;
mod tls;
mod value;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

pub use auth::Auth;
pub use error::ConfigError;
pub use key::Key;
pub use secrets::SecretKeys;
pub use sources::{Sources, usual_file};

use underlay_address::{Exceptions, IgnoredIdentities, MachineSettings, Network};

use crate::http::{Files, Limits, Login};
use show::Shown;
use underlay_engine::store::{DatabaseUrl, Retention};

/// The configuration that is in effect.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    /// The address and port on which the server listens.
    #[serde(deserialize_with = "value::address")]
    pub listen: SocketAddr,
    /// The directory that holds the data, if it is configured.
    #[serde(default, deserialize_with = "value::directory")]
    pub data_dir: Option<PathBuf>,
    /// The database, if it is configured.
    #[serde(default, deserialize_with = "value::database")]
    pub database: Option<DatabaseUrl>,
    /// The origins whose pages may read answers, besides the server's own origin.
    #[serde(default, deserialize_with = "value::origins")]
    pub origins: Vec<String>,
    /// The settings of the change log and its replication.
    pub feed: Feed,
    /// The authentication settings.
    pub auth: Auth,
    /// The way in which people sign in to the console at an issuer, if one is configured.
    #[serde(default, rename = "console", deserialize_with = "console::login")]
    pub login: Option<Login>,
    /// The certificate and key files, if the server speaks TLS.
    #[serde(default, deserialize_with = "tls::files")]
    pub tls: Option<Files>,
    /// The settings of hosts.
    #[serde(default)]
    pub hosts: Hosts,
    /// The settings of what agents report.
    pub facts: Facts,
    /// The settings of the web server.
    #[serde(default)]
    pub http: Http,
    /// The keys that encrypt secrets.
    #[serde(default, deserialize_with = "secrets::keys")]
    pub secrets: SecretKeys,
    /// The limits on requests, subscriptions and connections.
    #[serde(with = "limits::LimitsTable")]
    pub limits: Limits,
    /// All configured values, with their origins.
    #[serde(skip)]
    shown: Vec<Shown>,
}

/// The settings of the change log and its replication.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Feed {
    /// The time for which changes are kept.
    #[serde(deserialize_with = "value::retention")]
    pub retention: Retention,
    /// The longest time that a replica may be behind and still be ready.
    #[serde(deserialize_with = "value::seconds")]
    pub max_lag: Duration,
    /// The database on which to listen for changes of other processes, if it is not [`Settings::database`].
    #[serde(default, deserialize_with = "value::shared_database")]
    pub listen_url: Option<DatabaseUrl>,
}

/// The settings of hosts.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Hosts {
    /// The addresses that BMCs and appliances may have although they are loopback, link-local or metadata addresses.
    #[serde(default, deserialize_with = "value::exceptions")]
    pub allowed_addresses: Exceptions,
    /// The UUIDs, serial numbers and MAC addresses that identify no machine.
    #[serde(default, deserialize_with = "value::identities")]
    pub ignored_identities: IgnoredIdentities,
    /// The directory that holds the state of the controller in the process of the server, if it is configured.
    #[serde(default, deserialize_with = "value::directory")]
    pub state_dir: Option<PathBuf>,
}

impl Hosts {
    /// Returns the settings that the rules of kinds read.
    pub fn machines(&self) -> MachineSettings {
        let Self { allowed_addresses, ignored_identities, state_dir: _ } = self.clone();
        MachineSettings { allowed_addresses, ignored_identities }
    }
}

/// The settings of what the agents on hosts report.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Facts {
    /// The time between two reports of an agent.
    #[serde(deserialize_with = "value::seconds")]
    pub period: Duration,
}

/// The settings of the web server.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Http {
    /// The networks of the proxies that are believed about the connections of their clients.
    #[serde(default, deserialize_with = "value::networks")]
    pub trusted_proxies: Vec<Network>,
}

/// Loads the configuration from all sources.
pub fn load(sources: &Sources) -> Result<Settings, ConfigError> {
    let figment = sources.merged()?;
    let settings: Settings = figment.extract()?;
    let settings = Settings { shown: Shown::all(&figment), ..settings };
    console::check(&settings)?;
    Ok(settings)
}

impl Settings {
    /// Returns the data directory: the configured one, or the one of the platform.
    pub fn folder(&self) -> Result<PathBuf, ConfigError> {
        match &self.data_dir {
            Some(folder) => Ok(folder.clone()),
            None => sources::directories().map(|it| it.data_dir().to_owned()).ok_or(ConfigError::NoHome),
        }
    }
}

/// Returns the path of the SQLite file in a data directory.
pub fn database_file(folder: &Path) -> PathBuf {
    folder.join("underlay.db")
}

#[cfg(test)]
mod tests;
