//! Finds the database that the configuration names, for commands that work on it without a server.

use std::future::Future;

use super::config::{Flags, explain};
use underlay_cli::exit::Exit;
use underlay_engine::store::DatabaseUrl;
use underlay_server::config::{ConfigError, Settings, database_file};

/// Returns the configured database, or the file in the data directory.
pub(super) fn chosen(settings: &Settings) -> Result<DatabaseUrl, ConfigError> {
    match &settings.database {
        Some(url) => Ok(url.clone()),
        None => Ok(DatabaseUrl::file(&database_file(&settings.folder()?))),
    }
}

/// Runs a command on the database that flags and environment name.
pub(super) fn on_database<F: Future<Output = Exit>>(
    flags: &Flags,
    command: impl FnOnce(Settings, DatabaseUrl) -> F,
) -> Exit {
    let chosen = flags.settings().and_then(|settings| chosen(&settings).map(|url| (settings, url)));
    let (settings, url) = match chosen {
        Ok(chosen) => chosen,
        Err(error) => return explain(&error),
    };
    match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime.block_on(command(settings, url)),
        Err(error) => {
            eprintln!("error: cannot start: {error}");
            Exit::Failed
        }
    }
}
