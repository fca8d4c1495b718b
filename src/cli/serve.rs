//! `underlay serve`: runs the server.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::process::ExitCode;

use clap::Args;
use tracing_subscriber::EnvFilter;

use super::config::{self, Flags};
use crate::app;
use crate::config::{Settings, database_file};
use crate::store::{DatabaseUrl, make_folder};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Fill an empty inventory with a made-up fleet of about 400 devices.
    #[arg(long)]
    demo: bool,
}

pub(super) fn run(arguments: Arguments) -> ExitCode {
    let settings = match arguments.flags.settings() {
        Ok(settings) => settings,
        Err(error) => return config::explain(&error).into(),
    };
    log();
    open_files();
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return super::fail(format_args!("cannot start: {error}")),
    };
    // Held until the server has stopped: dropping it removes the folder.
    let (database, _folder) = match database(&settings, arguments.demo) {
        Ok(database) => database,
        Err(error) => return super::fail(error),
    };
    let retention = settings.feed_retention.value;
    let options = app::Options {
        listen: settings.listen.value,
        database,
        listen_url: settings.feed_listen_url.map(|url| url.value),
        retention,
        demo: arguments.demo,
    };
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
fn database(settings: &Settings, demo: bool) -> Result<(DatabaseUrl, Option<tempfile::TempDir>), String> {
    if let Some(url) = &settings.database {
        return Ok((url.value.clone(), None));
    }
    let (folder, temporary) = match (&settings.data_dir, demo) {
        (None, true) => {
            let folder = tempfile::Builder::new().prefix("underlay-demo-").tempdir();
            let folder = folder.map_err(|error| format!("no temporary folder can be made: {error}"))?;
            (folder.path().to_owned(), Some(folder))
        }
        _ => (settings.folder().map_err(|error| error.to_string())?, None),
    };
    make_folder(&folder).map_err(|error| format!("the data directory {} cannot be made: {error}", folder.display()))?;
    Ok((DatabaseUrl::file(&database_file(&folder)), temporary))
}

/// Lets the process have as many files open as the system allows it: each connection is one, and the usual limit of 1,024
/// is meant for programs that do not know better.
#[cfg(unix)]
fn open_files() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn open_files() {}

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
