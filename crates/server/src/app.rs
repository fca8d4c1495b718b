//! This module assembles the server from its parts, starts it and stops it. After a signal, running requests have 20
//! seconds to finish.

use std::future::Future;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tracing::info;
use uuid::Uuid;

use underlay_address::{MachineSettings, Network};

use crate::api;
use crate::http::{
    self, Admission, Documents, Files, Groups, Lag, Limits, Listener, Login, Opened, Persisted, Service, TlsError,
};
use underlay_engine::access::{ClaimNames, OwnToken, Role, SigningKey, Trust, announce};
use underlay_engine::facts::{Facts, FactsTimes, FactsWriter};
use underlay_engine::feed::{self, CurrentSnapshot, FollowError, Observed, View, Views};
use underlay_engine::runtime::allocator;
pub use underlay_engine::runtime::request_runtime;
use underlay_engine::secrets::{Keys, Secrets};
use underlay_engine::sources::{Sources, Timing, keep_healthy};
use underlay_engine::store::{self, DatabaseUrl, FactsStore, LockFile, Retention, Store, StoreError};
use underlay_engine::write::{Author, Batch, Conflicts, Item, Mode, Origin, Writer};
use underlay_inventory::Refusal;
use underlay_kinds::boots::{BootLog, BootLogWriter};

/// The time that running requests have to finish when the server stops.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(20);
/// The maximum number of connections of all parts of this process.
const INSIDE_CONNECTIONS: usize = 64;

/// The options with which the server starts.
pub struct Options {
    /// The address and port on which the server listens.
    pub listen: SocketAddr,
    /// The database that holds the server's data.
    pub database: DatabaseUrl,
    /// The database on which to listen for changes of other processes, if it is not `database`.
    pub listen_url: Option<DatabaseUrl>,
    /// The time for which changes are kept.
    pub retention: Retention,
    /// True if an empty inventory is filled with the demo.
    pub demo: bool,
    /// The longest time that the server may be behind the database and still be ready.
    pub max_lag: Duration,
    /// The way in which requests are authenticated.
    pub authentication: Authentication,
    /// The access of parts of this process, such as a controller, if there are any.
    pub inside: Option<Inside>,
    /// The role of the token that the web page gets.
    pub page_role: Role,
    /// The way in which people sign in to the console at an issuer, if there is one.
    pub login: Option<Login>,
    /// The certificate and key files, if the server speaks TLS.
    pub tls: Option<Files>,
    /// The origins whose pages may read answers, besides the server's own origin.
    pub origins: Vec<String>,
    /// The settings about machines that the rules of kinds read.
    pub machines: MachineSettings,
    /// The networks of the proxies that are believed about the connections of their clients.
    pub trusted_proxies: Vec<Network>,
    /// The keys that encrypt secrets.
    pub keys: Keys,
    /// The limits on requests, subscriptions and connections.
    pub limits: Limits,
    /// The times after which something happens by itself. Users do not set them.
    pub times: Times,
}

/// The times after which something happens by itself. Users do not set them; tests that wait for them shorten them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// The times of connections.
    pub connections: http::Timing,
    /// The times of runs of sources.
    pub sources: Timing,
    /// The times of facts.
    pub facts: FactsTimes,
}

impl Times {
    /// Returns the times of connections, each divided by `divisor`. Those of sources stay as they are.
    pub fn with_connections_divided_by(self, divisor: u32) -> Self {
        Self { connections: self.connections.divided_by(divisor), ..self }
    }
}

/// The access of parts of this process to the server: a second listener on loopback, without TLS, and tokens.
pub struct Inside {
    /// The tokens that the parts send.
    pub tokens: Vec<OwnToken>,
    /// Receive the address of the listener once the server listens.
    pub addresses: Vec<oneshot::Sender<SocketAddr>>,
}

/// The way in which a server authenticates requests.
pub enum Authentication {
    /// There is no authentication: every client may do everything.
    Anybody,
    /// The server accepts tokens of its own key, which programs of the same user find in a file. It listens on loopback
    /// only.
    Own {
        /// The key that signs and verifies the tokens.
        key: SigningKey,
        /// The path of the key file.
        file: PathBuf,
    },
    /// The server accepts tokens that configured keys or issuers verify.
    Tokens(Box<Trust>),
}

/// An error that prevents the server from starting, or stops it.
#[derive(Debug, Error)]
pub enum AppError {
    #[error(
        "{0} is not a loopback address: without authentication Underlay listens on loopback only; configure it ([auth], see \
         config.default.toml), or use --listen 127.0.0.1:PORT or --insecure-no-auth"
    )]
    NotLoopback(SocketAddr),
    #[error("cannot listen on {address}: {error}")]
    Listen { address: SocketAddr, error: std::io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Follow(#[from] FollowError),
    #[error("the demo cannot be written: {0}")]
    Demo(#[from] Refusal),
}

/// Runs the server until a signal stops it. Calls `ready` with the address and the URL scheme once requests are
/// answered.
pub async fn serve(options: Options, ready: impl FnOnce(SocketAddr, &str)) -> Result<(), AppError> {
    serve_until(options, signal, ready).await
}

/// Does the same as [`serve`], until a future is ready that is made once the inventory is loaded.
pub async fn serve_until<S>(
    options: Options,
    stop: impl FnOnce() -> S,
    ready: impl FnOnce(SocketAddr, &str),
) -> Result<(), AppError>
where
    S: Future<Output = ()> + Send + 'static,
{
    let connections = options.limits.connections;
    let (stopping, stopped) = watch::channel(false);
    let (open, ended) = Opened::new(stopped.clone());
    let Started { listeners, routes, key_file, facts, store, mut tasks, prepared, _lock_file } =
        start(options, open).await?;
    let stop = stop();
    let (address, scheme) = (listeners.outside.address(), listeners.scheme);
    let server = listeners.outside.serve(routes.clone(), connections, stopped.clone());
    let beside = serve_inside(listeners.inside, routes, stopped.clone());
    tasks.push(tokio::spawn(async move {
        stop.await;
        stopping.send_replace(true);
    }));
    // Otherwise the first request would have to prepare the schema.
    let _ = prepared.await;
    allocator::settle();
    // The announcement is removed when the server has stopped.
    let _announced = key_file.and_then(|file| announce(address, &file));
    ready(address, scheme);
    until_stopped(async { tokio::join!(server, beside) }, stopped, ended).await;
    tasks.into_iter().chain(listeners.renewal).for_each(|task| task.abort());
    facts.close().await?;
    store.close().await?;
    Ok(())
}

/// Waits until a server has ended, and after it all long-lived connections, which ask their clients to reconnect. Once it
/// is to stop, it has some seconds for that.
async fn until_stopped(
    serving: impl Future<Output = ((), ())>,
    mut stopped: watch::Receiver<bool>,
    mut ended: mpsc::Receiver<()>,
) {
    let late = async {
        let _ = stopped.wait_for(|stopping| *stopping).await;
        tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
    };
    tokio::select! {
        () = async {
            serving.await;
            while ended.recv().await.is_some() {}
        } => {}
        () = late => info!("some requests did not finish in time"),
    }
}

/// A server that is about to answer requests.
struct Started {
    listeners: Listeners,
    routes: axum::Router,
    /// The file of the server's own key, if tokens are signed with it.
    key_file: Option<PathBuf>,
    facts: FactsStore,
    store: Store,
    tasks: Vec<JoinHandle<()>>,
    /// Ends when the schema is prepared.
    prepared: JoinHandle<()>,
    /// The lock file is taken before the store is opened, and held until the store is closed.
    _lock_file: Option<LockFile>,
}

/// Opens listeners and the database, loads the inventory, starts the tasks and makes the service.
async fn start(options: Options, open: Opened) -> Result<Started, AppError> {
    let (trust, own) = trust_of(options.authentication, options.listen)?;
    let trust = trust.with_own(options.inside.as_ref().map_or_else(Vec::new, |inside| inside.tokens.clone()));
    let listeners = Listeners::open(options.listen, options.tls, options.inside, options.times.connections)?;
    http::metrics::collect();
    // This runs while the inventory is loaded.
    let prepared = tokio::task::spawn_blocking(api::prepare);
    let _lock_file = options.database.lock_file()?;
    let (inventory, writers) = Inventory::load(&options.database, options.machines, options.times.facts).await?;
    let Inventory { store, facts, current, observed, writer, .. } = inventory.clone();
    let mut tasks = inventory.start_tasks(options.listen_url.unwrap_or(options.database), options.retention);
    if options.demo && current.get().is_empty() {
        write_demo(&current, &writer).await?;
    }
    tasks.push(tokio::spawn(writers.facts.run(current.clone(), options.retention)));
    tasks.push(tokio::spawn(writers.boots.run()));
    let sources =
        Sources::new(store.clone(), current.clone(), writer, underlay_kinds::source::ROLE, options.times.sources);
    tasks.push(tokio::spawn(keep_healthy(sources.clone())));
    tasks.push(tokio::spawn(underlay_kinds::reports::keep_hosts(sources.clone())));
    tasks.push(tokio::spawn(underlay_kinds::facts::keep_recorded(sources.clone(), facts.clone())));
    tasks.push(tokio::spawn(underlay_kinds::hosts::keep_ready(underlay_kinds::host::ROLE, current.clone())));
    let service = Service {
        trust: Arc::new(trust),
        lag: Arc::new(Lag::new(options.max_lag)),
        looks: Arc::default(),
        own_key: own.as_ref().map(|(key, _)| key.clone()),
        page_role: options.page_role,
        login: options.login.map(Arc::new),
        origins: options.origins.into(),
        admission: Arc::new(Admission::new(options.limits)),
        api: api::build(),
        views: Views::new(View::whole(current, observed, store.clone())),
        sources,
        secrets: Secrets::new(store.clone(), options.keys),
        facts: facts.clone(),
        trusted_proxies: options.trusted_proxies.into(),
        store: store.clone(),
        groups: Groups::new(options.limits.answers),
        persisted: Persisted::default(),
        documents: Documents::default(),
        open,
        timing: options.times.connections,
    };
    let (routes, key_file) = (http::routes(service), own.map(|(_, file)| file));
    Ok(Started { listeners, routes, key_file, facts: inventory.facts_store, store, tasks, prepared, _lock_file })
}

/// The listeners of a server, before anything is answered.
struct Listeners {
    outside: Listener,
    /// The URL scheme of the outside.
    scheme: &'static str,
    /// The listener of parts of this process, and the receivers of its address.
    inside: Option<(Listener, Vec<oneshot::Sender<SocketAddr>>)>,
    /// Reloads the certificate when its files change.
    renewal: Option<JoinHandle<()>>,
}

impl Listeners {
    fn open(
        listen: SocketAddr,
        tls: Option<Files>,
        inside: Option<Inside>,
        timing: http::Timing,
    ) -> Result<Self, AppError> {
        let (scheme, tls, renewal) = match tls {
            None => ("http", None, None),
            Some(files) => {
                let (acceptor, renewal) = http::acceptor(files)?;
                ("https", Some(acceptor), Some(tokio::spawn(renewal)))
            }
        };
        let failed = |address| move |error| AppError::Listen { address, error };
        let outside = Listener::open(listen, tls, timing.write).map_err(failed(listen))?;
        let inside = match inside {
            None => None,
            Some(inside) => {
                let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
                Some((Listener::open(listen, None, timing.write).map_err(failed(listen))?, inside.addresses))
            }
        };
        Ok(Self { outside, scheme, inside, renewal })
    }
}

/// The inventory that was loaded from a database, and the way to write to it.
#[derive(Clone)]
struct Inventory {
    store: Store,
    facts_store: FactsStore,
    facts: Facts,
    current: CurrentSnapshot,
    observed: Observed,
    writer: Writer,
}

/// The writers of what makes no revision. They run until the server stops.
struct Writers {
    facts: FactsWriter,
    boots: BootLogWriter,
}

impl Inventory {
    async fn load(
        database: &DatabaseUrl,
        machines: MachineSettings,
        times: FactsTimes,
    ) -> Result<(Self, Writers), AppError> {
        let store = Store::open(database, underlay_kinds::tables()).await?;
        let facts_store = FactsStore::open(&store, database).await?;
        let (facts, facts_writer) = Facts::load(facts_store.clone(), store.clone(), times).await?;
        let (boot_log, boots_writer) = BootLog::new(store.clone());
        let registry = underlay_kinds::registry().with_settings(machines).with_settings(facts.clone());
        let registry = Arc::new(registry.with_settings(boot_log));
        let current = CurrentSnapshot::new(feed::load(&store, &registry).await?);
        let observed = Observed::load(&store).await?;
        let writer = Writer::start(store.clone(), current.clone());
        let writers = Writers { facts: facts_writer, boots: boots_writer };
        Ok((Self { store, facts_store, facts, current, observed, writer }, writers))
    }

    /// Starts the tasks that run until the server stops: replication, if other processes can write to the database, and
    /// maintenance.
    fn start_tasks(&self, listen_url: DatabaseUrl, retention: Retention) -> Vec<JoinHandle<()>> {
        let Self { store, facts_store, current, observed, .. } = self;
        let mut tasks = vec![
            tokio::spawn(http::metrics::keep_up()),
            tokio::spawn(allocator::keep_tidy()),
            tokio::spawn(store::keep_moving_log(store.clone())),
            tokio::spawn(store::keep_moving_log(facts_store.store().clone())),
            tokio::spawn(feed::keep_short(store.clone(), retention)),
            tokio::spawn(feed::keep_observed(store.clone(), current.clone(), observed.clone())),
        ];
        if store.is_shared() {
            let wake = Arc::new(Notify::new());
            tasks.push(tokio::spawn(feed::notify(store.clone(), listen_url, Arc::clone(&wake))));
            tasks.push(tokio::spawn(feed::keep_up(store.clone(), current.clone(), wake)));
        }
        tasks
    }
}

/// Serves the parts of this process, which have a listener of their own.
async fn serve_inside(
    inside: Option<(Listener, Vec<oneshot::Sender<SocketAddr>>)>,
    routes: axum::Router,
    stopping: watch::Receiver<bool>,
) {
    if let Some((listener, addresses)) = inside {
        for address in addresses {
            // The part may have ended already.
            let _ = address.send(listener.address());
        }
        listener.serve(routes, INSIDE_CONNECTIONS, stopping).await;
    }
}

/// Returns how tokens are verified, and the server's own key with its file if tokens are signed with that.
fn trust_of(
    authentication: Authentication,
    listen: SocketAddr,
) -> Result<(Trust, Option<(SigningKey, PathBuf)>), AppError> {
    match authentication {
        Authentication::Anybody => Ok((Trust::anybody(), None)),
        Authentication::Tokens(trust) => Ok((*trust, None)),
        Authentication::Own { .. } if !listen.ip().is_loopback() => Err(AppError::NotLoopback(listen)),
        Authentication::Own { key, file } => {
            let trust = Trust::tokens(vec![key.verifying()], Vec::new(), ClaimNames::default());
            Ok((trust, Some((key, file))))
        }
    }
}

/// Fills an empty inventory with the demo, in one batch.
async fn write_demo(current: &CurrentSnapshot, writer: &Writer) -> Result<(), Refusal> {
    let registry = Arc::clone(current.get().registry());
    let items = underlay_demo::items(&underlay_demo::Options::default()).map(|item| Item::parse(&registry, item));
    let batch = Batch {
        id: Uuid::new_v4(),
        items: items.collect::<Result<_, _>>()?,
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: Author::user("demo"),
        origin: Origin::Client,
        request_id: None,
        bytes: 0,
    };
    let answer = writer.write(batch).await?;
    if let Some(refusal) = answer.outcomes.iter().find_map(|outcome| outcome.error.clone()) {
        return Err(refusal);
    }
    info!(objects = answer.snapshot.len(), "wrote the demo");
    Ok(())
}

/// Returns a future that waits for a signal to stop. On Unix, this call already installs the handlers, so a signal
/// stops the server in order even before the future is polled.
pub fn signal() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let signals = {
        use tokio::signal::unix::{SignalKind, signal};
        [SignalKind::interrupt(), SignalKind::terminate()].map(signal)
    };
    #[cfg(unix)]
    let stop = async move {
        // If no handler can be installed, a signal ends the process as it ends any other process.
        let each = signals.into_iter().flatten().map(|mut signal| Box::pin(async move { signal.recv().await }));
        match each.collect::<Vec<_>>() {
            each if each.is_empty() => std::future::pending().await,
            each => drop(futures_util::future::select_all(each).await),
        }
    };
    #[cfg(not(unix))]
    let stop = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    async move {
        stop.await;
        info!("stopping");
    }
}
