//! `underlay serve`: runs the server.

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use tempfile::TempDir;
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tracing_subscriber::EnvFilter;
use underlay_client::{Client, Patience, ServerAddress};
use underlay_hosts::controller::Scope;

use super::config::{self, Flags};
use underlay_cli::run::hosts::{self, Hosts, Reach};
use underlay_cli::run::state;
use underlay_engine::access::{OwnToken, Role, SigningKey, Trust, Trusted, VerifyingKey};
use underlay_engine::facts::FactsTimes;
use underlay_engine::runtime::test_times;
use underlay_engine::store::{DatabaseUrl, make_folder};
use underlay_server::app::{self, Authentication, Inside};
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
    /// Run a controller in the same process. It has a token of its own, and talks to the server over loopback.
    #[arg(long, value_name = "CONTROLLER")]
    with: Option<With>,
}

/// A controller that runs in the process of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum With {
    /// Power, discover, install and wipe hosts, as `underlay run hosts` does.
    Hosts,
}

/// The time that a controller has to end when the server stops.
const CONTROLLER_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// The roles of the controller in the process of a server.
const CONTROLLER: [Role; 2] = [Role::Reconciler, Role::SecretsReader];

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
    let Starting { options, controller, _folder } = match starting(&arguments, settings) {
        Ok(starting) => starting,
        Err(error) => return underlay_cli::fail(error),
    };
    let serving = async {
        match controller {
            None => app::serve(options, ready).await,
            Some(controller) => {
                let (stop, stopped) = watch::channel(false);
                let running = tokio::spawn(controller.run(stopped));
                app::serve_until(options, || stopping(stop, running), ready).await
            }
        }
    };
    match runtime.block_on(serving) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => underlay_cli::fail(error),
    }
}

/// The server and its controller before they start.
struct Starting {
    options: app::Options,
    controller: Option<Beside>,
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
    let (inside, controller) = arguments.with.map(|With::Hosts| beside(&settings, temporary)).transpose()?.unzip();
    let options = app::Options {
        listen: settings.listen,
        database,
        listen_url: settings.feed.listen_url,
        retention: settings.feed.retention,
        demo: arguments.demo,
        max_lag: settings.feed.max_lag,
        authentication,
        inside,
        page_role: settings.auth.page_role,
        login: settings.login,
        tls: settings.tls,
        origins: settings.origins,
        machines: settings.hosts.machines(),
        trusted_proxies: settings.http.trusted_proxies,
        keys,
        limits,
        times: app::Times { facts: facts_times(settings.facts.period), ..app::Times::default() }
            .with_connections_divided_by(divisor),
    };
    Ok(Starting { options, controller, _folder: folder })
}

/// Returns the times of facts for a time between two reports of an agent.
fn facts_times(period: Duration) -> FactsTimes {
    FactsTimes { period, ..FactsTimes::default() }
}

/// The controller in the process of a server, before the server listens.
struct Beside {
    token: OwnToken,
    address: oneshot::Receiver<SocketAddr>,
    state: PathBuf,
    reach: Reach,
}

/// Returns the access of a controller in this process, and the controller.
fn beside(settings: &Settings, temporary: Option<&Path>) -> Result<(Inside, Beside), String> {
    let state = controller_state(settings, temporary)?;
    let token = OwnToken::of("host-controller", &CONTROLLER).map_err(|error| error.to_string())?;
    let (sender, address) = oneshot::channel();
    let reach = Reach { allowed_addresses: settings.hosts.allowed_addresses.clone(), ..Reach::default() };
    Ok((Inside { token: token.clone(), address: sender }, Beside { token, address, state, reach }))
}

/// Returns the state file of a controller in this process. It is apart from the data directory, so that the file is not
/// rolled back together with the database.
fn controller_state(settings: &Settings, temporary: Option<&Path>) -> Result<PathBuf, String> {
    let configured = temporary.map(Path::to_owned).or_else(|| settings.hosts.state_dir.clone());
    let folder = configured.or_else(state::usual_folder).ok_or_else(|| {
        "there is no home directory to keep the state of the host controller in: name a directory with hosts.stateDir \
         (--hosts-state-dir)"
            .to_owned()
    })?;
    let server = match (&settings.database, temporary) {
        (Some(url), _) => url.public_name().map_err(|error| error.to_string())?,
        (None, Some(temporary)) => temporary.display().to_string(),
        (None, None) => {
            let folder = settings.folder().map_err(|error| error.to_string())?;
            folder.canonicalize().unwrap_or(folder).display().to_string()
        }
    };
    Ok(state::state_file(&folder, &server))
}

impl Beside {
    /// Runs the controller once the server listens.
    async fn run(self, stop: watch::Receiver<bool>) {
        // Without an address the server failed to start, and says why.
        let Ok(address) = self.address.await else { return };
        let token = self.token.token().to_owned();
        let server = format!("http://{address}").parse::<ServerAddress>().map_err(|error| error.to_string());
        let started = server.and_then(|server| {
            let client =
                Client::new(server, hosts::patience(Patience::default())).map_err(|error| error.to_string())?;
            let client = client.with_tokens(Some(Arc::new(move || Ok(token.clone()))));
            Hosts::new(client, self.state, Scope::default(), self.reach)
        });
        match started {
            Ok(hosts) => hosts.run(stop, |reason| tracing::warn!("{reason}")).await,
            Err(error) => tracing::error!("the host controller cannot start: {error}"),
        }
    }
}

/// Returns a future that waits for a signal, and then until the controller has given its leases back, which needs the
/// server.
fn stopping(stop: watch::Sender<bool>, mut running: JoinHandle<()>) -> impl Future<Output = ()> {
    let signal = app::signal();
    async move {
        signal.await;
        stop.send_replace(true);
        // A controller that panicked has ended too.
        if tokio::time::timeout(CONTROLLER_SHUTDOWN_TIMEOUT, &mut running).await.is_err() {
            running.abort();
        }
    }
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
