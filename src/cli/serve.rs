//! `underlay serve`: runs the server.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use tracing_subscriber::EnvFilter;

use super::config::{self, Flags};
use crate::access::{Key, SigningKey, Trust, Trusted};
use crate::app::{self, Believed};
use crate::config::{Auth, Settings, database_file};
use crate::store::{DatabaseUrl, make_folder};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Fill an empty inventory with a made-up fleet of about 400 devices.
    #[arg(long)]
    demo: bool,
    /// Let whoever reaches the server do everything, without a token, also from other machines.
    #[arg(long)]
    insecure_no_auth: bool,
}

pub(super) fn run(arguments: Arguments) -> ExitCode {
    let settings = match arguments.flags.settings() {
        Ok(settings) => settings,
        Err(error) => return config::explain(&error).into(),
    };
    log();
    let mut limits = settings.limits;
    limits.connections = fitting(limits.connections, open_files());
    let runtime = match runtime() {
        Ok(runtime) => runtime,
        Err(error) => return super::fail(format_args!("cannot start: {error}")),
    };
    // Held until the server has stopped: dropping it removes the folder.
    let (database, _folder) = match database(&settings, arguments.demo) {
        Ok(database) => database,
        Err(error) => return super::fail(error),
    };
    let believed = match believed(&settings, arguments.insecure_no_auth, _folder.as_ref().map(tempfile::TempDir::path))
    {
        Ok(believed) => believed,
        Err(error) => return super::fail(error),
    };
    let retention = settings.feed_retention.value;
    let options = app::Options {
        listen: settings.listen.value,
        database,
        listen_url: settings.feed_listen_url.map(|url| url.value),
        retention,
        demo: arguments.demo,
        max_lag: settings.feed_max_lag,
        believed,
        page_role: settings.page_role,
        tls: settings.tls,
        origins: settings.origins,
        limits,
    };
    match runtime.block_on(app::serve(options, ready)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::fail(error),
    }
}

/// The threads that answer requests. Long ones yield after half a millisecond: after a few of these it is looked for
/// what else comes in.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().event_interval(11).enable_all().build()
}

/// Says where the server can be reached, in one line that programs wait for.
fn ready(address: SocketAddr, scheme: &str) {
    let mut out = std::io::stdout();
    // Nobody may be reading: the server serves all the same.
    let _ = writeln!(out, "Underlay is ready at {scheme}://{address}/").and_then(|()| out.flush());
}

/// Whom the server believes: nobody is asked, or whom the configuration names, or its own key in the folder for data.
fn believed(settings: &Settings, anybody: bool, temporary: Option<&Path>) -> Result<Believed, String> {
    if anybody {
        if settings.auth.is_configured() {
            return Err("--insecure-no-auth and the configured authentication exclude each other".to_owned());
        }
        let listen = settings.listen.value;
        eprintln!("warning: --insecure-no-auth: whoever reaches {listen} may read, change and delete everything");
        return Ok(Believed::Anybody);
    }
    if !settings.auth.is_configured() {
        let folder = match temporary {
            Some(folder) => folder.to_owned(),
            None => settings.folder().map_err(|error| error.to_string())?,
        };
        make_folder(&folder)
            .map_err(|error| format!("the data directory {} cannot be made: {error}", folder.display()))?;
        let key = SigningKey::of(&folder).map_err(|error| error.to_string())?;
        return Ok(Believed::Own { key, file: SigningKey::file(&folder) });
    }
    let Auth { secret_file, public_key_file, audience, claims, issuers } = settings.auth.clone();
    let secret = secret_file.map(|file| Key::secret_in(&file, audience.clone()));
    let public = public_key_file.map(|file| Key::public_in(&file, audience.clone()));
    let keys = secret.into_iter().chain(public).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let issuers = issuers.into_iter().map(Trusted::new).collect::<Result<_, _>>();
    let issuers = issuers.map_err(|error| format!("auth.issuers: {error}"))?;
    Ok(Believed::Tokens(Box::new(Trust::tokens(keys, issuers, claims))))
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

/// The number of open files that are no connections: the database, certificates, what the system needs.
const OTHER_FILES: u64 = 128;

/// Gives the number of connections that fit: at most as many as are wanted, and as the limit of open files allows.
fn fitting(wanted: usize, files: Option<u64>) -> usize {
    let Some(files) = files else { return wanted };
    // Where there are few files, half of them are for connections.
    let room = usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX);
    if room < wanted {
        tracing::warn!(
            "limits.connections is {wanted}, but this process may have only {files} files open: at most {room} \
             connections are served at a time. Raise the limit of open files (ulimit -n, LimitNOFILE)"
        );
    }
    wanted.min(room)
}

/// Lets the process have as many files open as the system allows it: each connection is one, and the usual limit of 1,024
/// is meant for programs that do not know better. Gives how many these are; `None` where there is no limit.
#[cfg(unix)]
fn open_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    getrlimit(Resource::Nofile).current
}

/// Other systems have no such limit.
#[cfg(not(unix))]
fn open_files() -> Option<u64> {
    None
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
