//! The settings of an Ironic, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_ironic::client::Connection;
use underlay_ironic::{Rule, Settings, USUAL_UNITS};

use crate::cli::ironic::{Account, AuthKind, DOMAIN};

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
    /// Returns the settings of the source with a name.
    pub(super) fn settings(self, source: &str) -> Result<Settings, String> {
        let domain = |name: Option<String>| name.unwrap_or_else(|| DOMAIN.to_owned());
        let account = Account {
            kind: self.auth,
            username: self.username,
            password_file: self.password_file,
            keystone_url: self.keystone_url,
            application_credential: self.application_credential,
            user_domain: domain(self.user_domain),
            project: self.project,
            project_domain: domain(self.project_domain),
        };
        let connection = Connection::new(&self.url, account.authentication("")?);
        let connection = Connection { authority: self.ca_file, ..connection };
        let places: Result<Vec<Rule>, _> = self.place.iter().map(|rule| Rule::parse(rule)).collect();
        let places = places.map_err(|error| error.to_string())?;
        Ok(Settings { places, rack_units: self.rack_units, ..Settings::new(source, connection, &self.site) })
    }
}
