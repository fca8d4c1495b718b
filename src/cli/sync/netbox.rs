//! The settings of a NetBox, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_netbox::{Settings, Tenants, TokenSource, Words};

/// The environment variable that can hold the token for NetBox.
const TOKEN: &str = "NETBOX_TOKEN";

/// A NetBox to read.
#[derive(Clone, Debug, Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct NetBoxTable {
    /// The address of NetBox, such as https://netbox.example.com.
    #[arg(long, value_name = "URL")]
    url: String,
    /// The file with the token for NetBox. Default: the environment variable NETBOX_TOKEN holds the token.
    #[arg(long = "netbox-token-file", value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A file with certificates of authorities (PEM), if one of your own signed the certificate of NetBox.
    #[arg(long = "netbox-authority", value_name = "FILE")]
    authority: Option<PathBuf>,
    /// A file (TOML) that adds and replaces words for roles, statuses and types.
    #[arg(long, value_name = "FILE")]
    words: Option<PathBuf>,
    /// Write the slugs of tenants to the field `tenant`, which decides who may see an object.
    #[arg(long)]
    #[serde(default)]
    tenants: bool,
}

impl NetBoxTable {
    /// Returns the settings of the source with a name.
    pub(super) fn settings(self, source: &str) -> Result<Settings, String> {
        let token = match (self.token_file, std::env::var(TOKEN)) {
            (Some(file), _) => TokenSource::File(file),
            (None, Ok(token)) => TokenSource::Text(token),
            (None, Err(_)) => {
                return Err(format!(
                    "there is no token for NetBox: name its file by --netbox-token-file (`netbox.token-file` in the file of \
                     --config), or set {TOKEN}"
                ));
            }
        };
        let words = self.words.map(|file| {
            std::fs::read_to_string(&file).map_err(|error| format!("{} cannot be read: {error}", file.display()))
        });
        let words = Words::new(words.transpose()?.as_deref()).map_err(|error| error.to_string())?;
        let settings = Settings::new(source, &self.url, token).map_err(|error| error.to_string())?;
        let tenants = if self.tenants { Tenants::Border } else { Tenants::Label };
        Ok(Settings { authority: self.authority, words, tenants, ..settings })
    }
}
