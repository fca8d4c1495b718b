//! `underlay serve`: runs the server.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use tracing_subscriber::EnvFilter;

use crate::app;
use crate::store::DatabaseUrl;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// Where to listen; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:8080", env = "UNDERLAY_LISTEN", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// Where data is kept. Default: the platform's data directory, such as ~/.local/share/underlay; with --demo a
    /// temporary one.
    #[arg(long, env = "UNDERLAY_DATA_DIR", value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The database: sqlite:///path/to/file or postgres://user@host/database. Default: an SQLite file in the data
    /// directory.
    #[arg(long, env = "UNDERLAY_DATABASE", value_name = "URL", hide_env_values = true)]
    database: Option<DatabaseUrl>,
    /// Fill an empty inventory with a made-up fleet of about 400 devices.
    #[arg(long)]
    demo: bool,
}

pub(super) fn run(arguments: Arguments) -> ExitCode {
    log();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return super::fail(format_args!("cannot start: {error}")),
    };
    // Held until the server has stopped: dropping it removes the folder.
    let (database, _folder) = match database(&arguments) {
        Ok(database) => database,
        Err(error) => return super::fail(error),
    };
    let options = app::Options { listen: arguments.listen, database, demo: arguments.demo };
    match runtime.block_on(app::serve(options, ready)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::fail(error),
    }
}

/// Says where the server can be reached, in one line that programs wait for.
fn ready(address: SocketAddr) {
    let mut out = std::io::stdout();
    // Nobody may be reading: the server serves all the same.
    let _ = writeln!(out, "Underlay is ready at http://{address}/").and_then(|()| out.flush());
}

/// The database to use, and the temporary folder that it is in, if it is in one.
fn database(arguments: &Arguments) -> Result<(DatabaseUrl, Option<tempfile::TempDir>), String> {
    if let Some(url) = &arguments.database {
        return Ok((url.clone(), None));
    }
    let (folder, temporary) = match (&arguments.data_dir, arguments.demo) {
        (Some(folder), _) => (folder.clone(), None),
        (None, true) => {
            let folder = tempfile::Builder::new().prefix("underlay-demo-").tempdir();
            let folder = folder.map_err(|error| format!("no temporary folder can be made: {error}"))?;
            (folder.path().to_owned(), Some(folder))
        }
        (None, false) => {
            let folders = directories::ProjectDirs::from("", "", "underlay");
            let folders = folders.ok_or("there is no home directory: say where to keep data with --data-dir DIR")?;
            (folders.data_dir().to_owned(), None)
        }
    };
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("the data directory {} cannot be made: {error}", folder.display()))?;
    Ok((DatabaseUrl::file(&folder.join("underlay.db")), temporary))
}

/// Logs to standard error: for people in a terminal, JSON otherwise. `RUST_LOG` says how much.
fn log() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,sea_orm=warn,sea_orm_migration=warn"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match std::io::stderr().is_terminal() {
        true => builder.init(),
        false => builder.json().init(),
    }
}
