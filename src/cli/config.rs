//! `underlay config`: prints the configuration that is in effect; and the flags that change it.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::exit::Exit;
use crate::config::{self, ConfigError, Key, Settings, Sources};

/// The flags of everything that can be configured.
#[derive(Args)]
pub(super) struct Flags {
    /// The configuration file. Default: underlay.toml in the platform's folder for configuration, such as
    /// ~/.config/underlay, if it is there. [env: UNDERLAY_CONFIG_FILE]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to listen; port 0 takes a free one. Default: 127.0.0.1:8080. [env: UNDERLAY_LISTEN]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Where data is kept. Default: the platform's data directory, such as ~/.local/share/underlay; with --demo a
    /// temporary one. [env: UNDERLAY_DATA_DIR]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<String>,
    /// The database: sqlite:///path/to/file or postgres://user@host/database. Default: an SQLite file in the data
    /// directory. [env: UNDERLAY_DATABASE]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// For how long changes are kept: days or hours, such as 400d or 36h, at least 24h; 0: for ever. Default: 400d.
    /// [env: UNDERLAY_FEED_RETENTION]
    #[arg(long, value_name = "TIME")]
    feed_retention: Option<String>,
    /// The file of a secret of at least 32 bytes that tokens are signed with. [env: UNDERLAY_AUTH_SECRET_FILE]
    #[arg(long, value_name = "FILE")]
    auth_secret_file: Option<String>,
    /// The file of the public key that tokens are verified with. [env: UNDERLAY_AUTH_PUBLIC_KEY_FILE]
    #[arg(long, value_name = "FILE")]
    auth_public_key_file: Option<String>,
    /// The claim aud that tokens must have which are verified with one of these. [env: UNDERLAY_AUTH_AUDIENCE]
    #[arg(long, value_name = "NAME")]
    auth_audience: Option<String>,
    /// The file of the TLS certificates, that of the server first. [env: UNDERLAY_TLS_CERTIFICATES]
    #[arg(long, value_name = "FILE")]
    tls_certificates: Option<String>,
    /// The file of their private key. [env: UNDERLAY_TLS_KEY]
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// Where to listen for what other servers on the same PostgreSQL database write: a URL that leads to it past a proxy
    /// that shares connections. Default: that of the database. [env: UNDERLAY_FEED_LISTEN_URL]
    #[arg(long, value_name = "URL")]
    feed_listen_url: Option<String>,
}

impl Flags {
    /// The configuration with these flags and the environment of the process.
    pub(super) fn settings(&self) -> Result<Settings, ConfigError> {
        let flags = [
            (Key::Listen, &self.listen),
            (Key::DataDir, &self.data_dir),
            (Key::Database, &self.database),
            (Key::FeedRetention, &self.feed_retention),
            (Key::FeedListenUrl, &self.feed_listen_url),
            (Key::AuthSecretFile, &self.auth_secret_file),
            (Key::AuthPublicKeyFile, &self.auth_public_key_file),
            (Key::AuthAudience, &self.auth_audience),
            (Key::TlsCertificates, &self.tls_certificates),
            (Key::TlsKey, &self.tls_key),
        ];
        let flags = flags.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        let variables: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        config::load(&Sources { file: self.config.clone(), flags: flags.collect(), variables })
    }
}

// Written by hand: the URL of the database may hold a password.
impl std::fmt::Debug for Flags {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Flags").finish_non_exhaustive()
    }
}

pub(super) fn run(flags: &Flags) -> Exit {
    match flags.settings().and_then(|settings| settings.show()) {
        Ok(text) => {
            // Nobody may be reading.
            let _ = std::io::stdout().write_all(text.as_bytes());
            Exit::Done
        }
        Err(error) => explain(&error),
    }
}

/// Says what is wrong with the configuration.
pub(super) fn explain(error: &ConfigError) -> Exit {
    eprintln!("error: {error}");
    Exit::Usage
}
