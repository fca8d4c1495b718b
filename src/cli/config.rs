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
}

impl Flags {
    /// The configuration with these flags and the environment of the process.
    pub(super) fn settings(&self) -> Result<Settings, ConfigError> {
        let flags = [
            (Key::Listen, &self.listen),
            (Key::DataDir, &self.data_dir),
            (Key::Database, &self.database),
            (Key::FeedRetention, &self.feed_retention),
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
