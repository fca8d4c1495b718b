//! The settings of a BCM, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_bcm::{Bcm, HostName, Pace, Settings, SettingsError};

use super::unusable::Unusable;

/// A BCM to read.
#[derive(Clone, Debug, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct BcmTable {
    /// The address of the head node, such as https://head.example.com:8081.
    #[arg(long, value_name = "URL")]
    url: String,
    /// The file with the client certificate (PEM) by which BCM knows the synchronizer. It is read again for each scan.
    #[arg(long, value_name = "FILE")]
    cert_file: PathBuf,
    /// The file with the private key of the client certificate (PEM, without a passphrase).
    #[arg(long, value_name = "FILE")]
    key_file: PathBuf,
    /// The file with the certificates of the authorities (PEM) that vouch for BCM. Default: those of the system.
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Take a certificate of BCM that does not hold the host name of --url. One of the authorities in --ca-file must
    /// still have signed it.
    #[arg(long, requires = "ca_file")]
    #[serde(default)]
    any_host_name: bool,
    /// The name of the site where the racks and nodes are. It must exist, because BCM knows no sites.
    #[arg(long, value_name = "NAME")]
    site: String,
}

impl BcmTable {
    /// The address of BCM.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the adapter of the source with a name.
    pub(super) fn adapter(&self, source: &str) -> Result<Bcm, Unusable> {
        let settings = Settings {
            source: source.to_owned(),
            url: self.url.clone(),
            certificate: self.cert_file.clone(),
            key: self.key_file.clone(),
            authority: self.ca_file.clone(),
            host_name: if self.any_host_name { HostName::Any } else { HostName::Checked },
            site: self.site.clone(),
            pace: Pace::default(),
        };
        Bcm::new(settings).map_err(|error| match error {
            SettingsError::Url { .. } | SettingsError::HostName | SettingsError::Site => Unusable::settings(&error),
            SettingsError::File { .. } | SettingsError::Client { .. } => Unusable::lacking(&error),
        })
    }
}
