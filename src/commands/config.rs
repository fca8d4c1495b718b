//! `underlay config`: prints the effective configuration. Also defines the flags that change it.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use underlay_cli::exit::Exit;
use underlay_server::config::{self, ConfigError, Key, Settings, Sources};

/// The flags for all configuration settings.
#[derive(Args)]
pub(super) struct Flags {
    /// The configuration file. Default: underlay.toml in the platform's folder for configuration, such as
    /// ~/.config/underlay, if the file exists. [env: UNDERLAY_CONFIG_FILE]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The address to listen on; port 0 takes a free port. Default: 127.0.0.1:8080. [env: UNDERLAY_LISTEN]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// The data directory. Default: the platform's data directory, such as ~/.local/share/underlay; with --demo a
    /// temporary one. [env: UNDERLAY_DATA_DIR]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<String>,
    /// The database: sqlite:///path/to/file or postgres://user@host/database. Default: an SQLite file in the data
    /// directory. [env: UNDERLAY_DATABASE]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The time for which changes are kept: days or hours, such as 400d or 36h, at least 24h; 0 keeps them for ever.
    /// Default: 400d. [env: UNDERLAY_FEED_RETENTION]
    #[arg(long, value_name = "TIME")]
    feed_retention: Option<String>,
    /// The time between two reports of an agent on a host: seconds, such as 300s. Default: 300s. [env:
    /// UNDERLAY_FACTS_PERIOD]
    #[arg(long, value_name = "TIME")]
    facts_period: Option<String>,
    /// The file with the secret that tokens are signed with, of at least 32 bytes. [env: UNDERLAY_AUTH_SECRET_FILE]
    #[arg(long, value_name = "FILE")]
    auth_secret_file: Option<String>,
    /// The file with the public key that tokens are verified with. [env: UNDERLAY_AUTH_PUBLIC_KEY_FILE]
    #[arg(long, value_name = "FILE")]
    auth_public_key_file: Option<String>,
    /// The claim aud that tokens verified with this secret or key must have. [env: UNDERLAY_AUTH_AUDIENCE]
    #[arg(long, value_name = "NAME")]
    auth_audience: Option<String>,
    /// The file with the TLS certificates, the server's own first. [env: UNDERLAY_TLS_CERTIFICATES]
    #[arg(long, value_name = "FILE")]
    tls_certificates: Option<String>,
    /// The file with the private key of the TLS certificates. [env: UNDERLAY_TLS_KEY]
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// The file with the keys that encrypt secrets, each 32 bytes in Base64; the first encrypts, and all decrypt. [env:
    /// UNDERLAY_SECRETS_KEY_FILE]
    #[arg(long, value_name = "FILE")]
    secrets_key_file: Option<String>,
    /// The directory in which the controller of --with hosts keeps what it knows of the database. It must be kept, apart
    /// from the data directory: see docs/hosts.md. Default: hosts in the platform's directory for state, such as
    /// ~/.local/state/underlay. [env: UNDERLAY_HOSTS_STATE_DIR]
    #[arg(long, value_name = "DIR")]
    hosts_state_dir: Option<String>,
    /// The PostgreSQL URL to receive notifications from, about commits of other servers on the same database. It must
    /// bypass any proxy that shares connections between clients. Default: the URL of the database. [env:
    /// UNDERLAY_FEED_LISTEN_URL]
    #[arg(long, value_name = "URL")]
    feed_listen_url: Option<String>,
}

impl Flags {
    /// Returns the configuration from these flags, the environment and the file.
    pub(super) fn settings(&self) -> Result<Settings, ConfigError> {
        let flags = [
            (Key::Listen, &self.listen),
            (Key::DataDir, &self.data_dir),
            (Key::Database, &self.database),
            (Key::FeedRetention, &self.feed_retention),
            (Key::FeedListenUrl, &self.feed_listen_url),
            (Key::FactsPeriod, &self.facts_period),
            (Key::AuthSecretFile, &self.auth_secret_file),
            (Key::AuthPublicKeyFile, &self.auth_public_key_file),
            (Key::AuthAudience, &self.auth_audience),
            (Key::TlsCertificates, &self.tls_certificates),
            (Key::TlsKey, &self.tls_key),
            (Key::SecretsKeyFile, &self.secrets_key_file),
            (Key::HostsStateDir, &self.hosts_state_dir),
        ];
        let flags = flags.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        let variables: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        config::load(&Sources { file: self.config.clone(), flags: flags.collect(), variables })
    }
}

// Not derived, because the URL of the database can contain a password.
impl std::fmt::Debug for Flags {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Flags").finish_non_exhaustive()
    }
}

pub(super) fn run(flags: &Flags) -> Exit {
    match flags.settings().and_then(|settings| settings.show()) {
        Ok(text) => {
            // The reader may be gone.
            let _ = std::io::stdout().write_all(text.as_bytes());
            Exit::Done
        }
        Err(error) => explain(&error),
    }
}

/// Prints what is wrong with the configuration.
pub(super) fn explain(error: &ConfigError) -> Exit {
    eprintln!("error: {error}");
    Exit::Usage
}
