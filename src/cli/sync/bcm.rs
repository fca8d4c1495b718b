//! The settings of a BCM, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_bcm::{HostName, Pace, Settings};

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
    /// Returns the settings of the source with a name.
    pub(super) fn settings(self, source: &str) -> Settings {
        Settings {
            source: source.to_owned(),
            url: self.url,
            certificate: self.cert_file,
            key: self.key_file,
            authority: self.ca_file,
            host_name: if self.any_host_name { HostName::Any } else { HostName::Checked },
            site: self.site,
            pace: Pace::default(),
        }
    }
}
