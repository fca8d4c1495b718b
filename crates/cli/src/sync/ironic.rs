//! The settings of an Ironic, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_ironic::client::{Auth, Connection, ConnectionError};
use underlay_ironic::{Ironic, Rule, Settings, SettingsError, USUAL_UNITS};

use super::unusable::Unusable;
use crate::ironic::{Account, AccountError, AuthKind, DOMAIN};

/// An Ironic to read.
#[derive(Clone, Debug, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct IronicTable {
    /// The address of Ironic, such as https://ironic.example.com:6385.
    #[arg(long, value_name = "URL")]
    url: String,
    /// The name of the site where the nodes are. It must exist, because Ironic knows no sites.
    #[arg(long, value_name = "NAME")]
    site: String,
    /// The way in which Ironic authenticates its callers (its setting auth_strategy).
    #[arg(long, value_enum, default_value_t)]
    #[serde(default)]
    auth: AuthKind,
    /// The user name, for http-basic and keystone.
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// The file with the password, or with the secret of the application credential. It is read again each time.
    /// Default: the environment variable IRONIC_PASSWORD holds it.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// The file with the certificates of authorities (PEM) that are trusted besides those of the system, for Ironic and
    /// Keystone.
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// The address of Keystone, such as https://keystone.example.com:5000.
    #[arg(long, value_name = "URL")]
    keystone_url: Option<String>,
    /// The id of an application credential, instead of a user name.
    #[arg(long, value_name = "ID", conflicts_with_all = ["username", "project"])]
    application_credential: Option<String>,
    /// The domain of the user. Default: Default.
    #[arg(long, value_name = "NAME")]
    user_domain: Option<String>,
    /// The project of the token. Default: the token is for the system as a whole.
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
    /// The domain of the project. Default: Default.
    #[arg(long, value_name = "NAME")]
    project_domain: Option<String>,
    /// A rule for the places of nodes in racks, as FIELD=PATTERN: extra.rack={rack}, or name={rack}-u{unit}*. Can be
    /// given several times. Default: places are not written.
    #[arg(long = "place", value_name = "RULE")]
    #[serde(default)]
    place: Vec<String>,
    /// The number of units of the racks that the rules name: 1 to 100.
    #[arg(long, value_name = "NUMBER", default_value_t = USUAL_UNITS)]
    #[serde(default = "usual_units")]
    rack_units: u32,
}

const fn usual_units() -> u32 {
    USUAL_UNITS
}

impl IronicTable {
    /// The address of Ironic.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the adapter of the source with a name.
    pub(super) fn adapter(&self, source: &str) -> Result<Ironic, Unusable> {
        let authentication = self.account().authentication("");
        if let Err(error @ AccountError::Flags(_)) = &authentication {
            return Err(Unusable::settings(error));
        }
        // What is written in the settings is looked at first, because nothing that is missing makes up for it.
        self.with(source, Connection::new(&self.url, Auth::None))?;
        let auth = authentication.map_err(|error| Unusable::lacking(&error))?;
        self.with(source, Connection { authority: self.ca_file.clone(), ..Connection::new(&self.url, auth) })
    }

    fn account(&self) -> Account {
        let domain = |name: &Option<String>| name.clone().unwrap_or_else(|| DOMAIN.to_owned());
        Account {
            kind: self.auth,
            username: self.username.clone(),
            password_file: self.password_file.clone(),
            keystone_url: self.keystone_url.clone(),
            application_credential: self.application_credential.clone(),
            user_domain: domain(&self.user_domain),
            project: self.project.clone(),
            project_domain: domain(&self.project_domain),
        }
    }

    fn with(&self, source: &str, connection: Connection) -> Result<Ironic, Unusable> {
        let places: Result<Vec<Rule>, _> = self.place.iter().map(|rule| Rule::parse(rule)).collect();
        let places = places.map_err(|error| Unusable::settings(&error))?;
        let settings =
            Settings { places, rack_units: self.rack_units, ..Settings::new(source, connection, &self.site) };
        Ironic::new(settings).map_err(|error| match &error {
            SettingsError::Connection(ConnectionError::Certificate { .. } | ConnectionError::Client { .. }) => {
                Unusable::lacking(&error)
            }
            SettingsError::Connection(ConnectionError::Url { .. })
            | SettingsError::Site
            | SettingsError::Units { .. } => Unusable::settings(&error),
        })
    }
}
