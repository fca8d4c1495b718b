//! The settings of a NetBox, as flags or the file of sources describe them.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use serde::Deserialize;
use underlay_client::Tokens;
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
    /// The file with the token for NetBox; --token-file is that of the Underlay server. Default: the environment
    /// variable NETBOX_TOKEN holds the token.
    // The name of the field is that in the file of sources. As a flag, it would hide --token-file.
    #[arg(id = "netbox_token_file", long = "netbox-token-file", value_name = "FILE")]
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
                 --config), or set {TOKEN}; --token-file is only for the token of the Underlay server"
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

/// Returns the tokens for the Underlay server without any of NetBox: a token in the wrong file must not be sent to the
/// wrong server.
pub(super) fn for_server(tokens: Tokens) -> Tokens {
    Arc::new(move || {
        let token = tokens()?;
        match is_of_netbox(&token) {
            true => Err(format!(
                "the token for the Underlay server is one of NetBox: name its file by --netbox-token-file \
                 (`netbox.token-file` in the file of --config), or set {TOKEN}; --token-file and UNDERLAY_TOKEN are for a \
                 token of the Underlay server"
            )),
            false => Ok(token),
        }
    })
}

/// Returns true if a token has a form of NetBox: `nbt_KEY.SECRET`, or 40 hexadecimal digits before version 4.5.
fn is_of_netbox(token: &str) -> bool {
    token.starts_with("nbt_") || (token.len() == 40 && token.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_netbox_is_not_sent_to_underlay() {
        let checked = |token: &str| {
            let token = token.to_owned();
            for_server(Arc::new(move || Ok(token.clone())))()
        };
        for token in ["nbt_abc.def", "0123456789abcdef0123456789ABCDEF01234567"] {
            let refused = checked(token).expect_err("it is of NetBox");
            assert!(refused.contains("--netbox-token-file") && !refused.contains(token), "{refused}");
        }
        assert_eq!(checked("eyJhbGciOiJFUzI1NiJ9.e30.c2ln").as_deref(), Ok("eyJhbGciOiJFUzI1NiJ9.e30.c2ln"));
    }
}
