//! `underlay serve`: runs the server.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use tempfile::TempDir;
use tokio::sync::watch;
use tracing_subscriber::EnvFilter;

use super::config::{self, Flags};
use super::inside::{self, Programs, With};
use underlay_engine::access::{SigningKey, Trust, Trusted, VerifyingKey};
use underlay_engine::facts::FactsTimes;
use underlay_engine::runtime::test_times;
use underlay_engine::store::{DatabaseUrl, make_folder};
use underlay_server::app::{self, Authentication};
use underlay_server::config::{Auth, Settings, database_file};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// Fill an empty inventory with a made-up fleet of about 400 devices.
    #[arg(long)]
    demo: bool,
    /// Allow every client that reaches the server, also from other machines, to do everything without a token.
    #[arg(long)]
    insecure_no_auth: bool,
    /// Run these programs in the same process, separated by commas. Each has a token of its own, and talks to the server
    /// over loopback.
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',')]
    with: Vec<With>,
}

pub(super) fn run(arguments: Arguments) -> ExitCode {
    let settings = match arguments.flags.settings() {
        Ok(settings) => settings,
        Err(error) => return config::explain(&error).into(),
    };
    log();
    let runtime = match app::request_runtime() {
        Ok(runtime) => runtime,
        Err(error) => return underlay_cli::fail(format_args!("cannot start: {error}")),
    };
    // The folder is held until the server has stopped; dropping it removes the folder.
    let Starting { options, inside, _folder } = match starting(&arguments, settings) {
        Ok(starting) => starting,
        Err(error) => return underlay_cli::fail(error),
    };
    let serving = async {
        if inside.is_empty() {
            return app::serve(options, ready).await;
        }
        let (stop, stopped) = watch::channel(false);
        let running = inside.start(&stopped);
        app::serve_until(options, || inside::stopping(stop, running), ready).await
    };
    match runtime.block_on(serving) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => underlay_cli::fail(error),
    }
}

/// The server and the programs in its process before they start.
struct Starting {
    options: app::Options,
    inside: Programs,
    /// The temporary folder of the demo.
    _folder: Option<TempDir>,
}

/// Reads keys, and makes the folders that the server needs.
fn starting(arguments: &Arguments, settings: Settings) -> Result<Starting, String> {
    let mut limits = settings.limits;
    limits.connections = fitting(limits.connections, open_files());
    let (database, folder) = database(&settings, arguments.demo)?;
    let temporary = folder.as_ref().map(TempDir::path);
    let authentication = authentication(&settings, arguments.insecure_no_auth, temporary)?;
    let keys = settings.secrets.read().map_err(|error| error.to_string())?;
    let divisor = test_times::divisor()?;
    let (access, inside) = Programs::of(&arguments.with, &settings, temporary)?;
    let options = app::Options {
        listen: settings.listen,
        database,
        listen_url: settings.feed.listen_url,
        retention: settings.feed.retention,
        demo: arguments.demo,
        max_lag: settings.feed.max_lag,
        authentication,
        inside: access,
        page_role: settings.auth.page_role,
        login: settings.login,
        tls: settings.tls,
        origins: settings.origins,
        machines: settings.hosts.machines(),
        trusted_proxies: settings.http.trusted_proxies,
        keys,
        limits,
        times: app::Times { facts: facts_times(settings.facts.period, divisor), ..app::Times::default() }
            .with_connections_divided_by(divisor),
    };
    Ok(Starting { options, inside, _folder: folder })
}

/// Returns the times of facts for a time between two reports of an agent. Tests divide that between two looks.
fn facts_times(period: Duration, divisor: u32) -> FactsTimes {
    let usual = FactsTimes::default();
    FactsTimes { period, recording: usual.recording / divisor, ..usual }
}

/// Prints the address of the server, in one line that programs wait for.
fn ready(address: SocketAddr, scheme: &str) {
    let mut out = std::io::stdout();
    // The reader may be gone; the server runs nevertheless.
    let _ = writeln!(out, "Underlay is ready at {scheme}://{address}/").and_then(|()| out.flush());
}

/// Returns the authentication of the server: none, the keys and issuers of the configuration, or its own key in the
/// data directory.
fn authentication(settings: &Settings, anybody: bool, temporary: Option<&Path>) -> Result<Authentication, String> {
    if anybody {
        if settings.auth.is_configured() {
            return Err("--insecure-no-auth and the configured authentication exclude each other".to_owned());
        }
        let listen = settings.listen;
        eprintln!(
            "warning: --insecure-no-auth: every client that reaches {listen} can read, change and delete everything"
        );
        return Ok(Authentication::Anybody);
    }
    if !settings.auth.is_configured() {
        let folder = match temporary {
            Some(folder) => folder.to_owned(),
            None => settings.folder().map_err(|error| error.to_string())?,
        };
        make_folder(&folder)
            .map_err(|error| format!("the data directory {} cannot be made: {error}", folder.display()))?;
        let key = SigningKey::of(&folder).map_err(|error| error.to_string())?;
        return Ok(Authentication::Own { key, file: SigningKey::file(&folder) });
    }
    let claims = settings.auth.claims();
    let Auth { secret_file, public_key_file, audience, issuers, .. } = settings.auth.clone();
    let secret = secret_file.map(|file| VerifyingKey::secret_in(&file, audience.clone()));
    let public = public_key_file.map(|file| VerifyingKey::public_in(&file, audience.clone()));
    let keys = secret.into_iter().chain(public).collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let issuers = issuers.into_iter().map(Trusted::new).collect::<Result<_, _>>();
    let issuers = issuers.map_err(|error| format!("auth.issuers: {error}"))?;
    Ok(Authentication::Tokens(Box::new(Trust::tokens(keys, issuers, claims))))
}

/// Returns the database to use, and its temporary folder if it is in one.
fn database(settings: &Settings, demo: bool) -> Result<(DatabaseUrl, Option<TempDir>), String> {
    if let Some(url) = &settings.database {
        return Ok((url.clone(), None));
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

/// The number of open files that are not connections: the database, certificates, and files of the system.
const OTHER_FILES: u64 = 128;

/// Returns the number of connections to allow: at most as many as are wanted, and as the limit of open files permits.
fn fitting(wanted: usize, files: Option<u64>) -> usize {
    let Some(files) = files else { return wanted };
    // If the limit is low, half of the files are for connections.
    let room = usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX);
    if room < wanted {
        tracing::warn!(
            "limits.connections is {wanted}, but this process may have only {files} files open: at most {room} \
             connections are served at a time. Raise the limit of open files (ulimit -n, LimitNOFILE)"
        );
    }
    wanted.min(room)
}

/// Raises the process's limit of open files to the maximum that the system allows. Each connection is an open file, and
/// the usual limit of 1,024 is meant for programs that do not raise it. Returns the new limit, or `None` if there is no
/// limit.
#[cfg(unix)]
fn open_files() -> Option<u64> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        tracing::warn!(%error, "the limit of open files stays as it is");
    }
    getrlimit(Resource::Nofile).current
}

/// Returns `None`: other systems have no such limit.
#[cfg(not(unix))]
fn open_files() -> Option<u64> {
    None
}

/// Starts logging to standard error: as text in a terminal, as JSON otherwise. `RUST_LOG` sets the log level.
fn log() {
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn,sea_orm=warn,sea_orm_migration=warn"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match std::io::stderr().is_terminal() {
        true => builder.init(),
        false => builder.json().init(),
    }
}
