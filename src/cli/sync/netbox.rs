//! The settings of a NetBox, as flags or the file of sources describe them.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;
use underlay_netbox::{NetBox, Settings, SettingsError, Tenants, TokenSource, Words};

use super::unusable::Unusable;

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
    /// The address of NetBox.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// Returns the adapter of the source with a name.
    pub(super) fn adapter(&self, source: &str) -> Result<NetBox, Unusable> {
        let unusable = |error: SettingsError| match error {
            SettingsError::Url { .. } => Unusable::settings(&error),
            SettingsError::Certificate { .. } | SettingsError::Words(_) | SettingsError::Client { .. } => {
                Unusable::lacking(&error)
            }
        };
        // The address is looked at first, because nothing that is missing makes up for a wrong one.
        let settings = |token| Settings::new(source, &self.url, token).map_err(unusable);
        NetBox::new(settings(TokenSource::Text(String::new()))?).map_err(unusable)?;
        let words = self.words()?;
        let tenants = if self.tenants { Tenants::Border } else { Tenants::Label };
        let settings = Settings { authority: self.authority.clone(), words, tenants, ..settings(self.token()?)? };
        NetBox::new(settings).map_err(unusable)
    }

    fn token(&self) -> Result<TokenSource, Unusable> {
        match (&self.token_file, std::env::var(TOKEN)) {
            (Some(file), _) => Ok(TokenSource::File(file.clone())),
            (None, Ok(token)) => Ok(TokenSource::Text(token)),
            (None, Err(_)) => Err(Unusable::Lacking(format!(
                "there is no token for NetBox: name its file by --netbox-token-file (`netbox.token-file` in the file of \
                 --config), or set {TOKEN}"
            ))),
        }
    }

    fn words(&self) -> Result<Words, Unusable> {
        let text = self.words.as_ref().map(|file| {
            std::fs::read_to_string(file)
                .map_err(|error| Unusable::Lacking(format!("{} cannot be read: {error}", file.display())))
        });
        Words::new(text.transpose()?.as_deref()).map_err(|error| Unusable::lacking(&error))
    }
}
