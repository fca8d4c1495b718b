//! Runs the synchronizers of all sources, until they end or the process is asked to end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinSet;
use underlay_client::{Client, ClientError, Patience};
use underlay_files::Files;
use underlay_kit::line;
use underlay_kit::sync::{
    Adapter, Duty, NewSource, Observer, Pauses, Prune, Ran, RunEnd, RunMode, Runner, Server, State, StateError, Status,
    SyncError, Timing,
};

use super::How;
use super::dry_run::{Reports, dry_run};
use super::netbox;
use super::output::{Output, SourceOutput};
use super::reader::FileReader;
use super::settings::{SourceSettings, SourceType};
use super::unusable::Unusable;
use crate::credentials::Credentials;
use crate::exit::Exit;
use crate::listen::listen;
use crate::server;
use crate::signals::Signals;
use crate::target::ServerAccess;

/// The pause before a source that lacks something is tried again. It doubles each time, up to the interval.
const FIRST_RETRY_DELAY: Duration = Duration::from_secs(10);

/// The number of sources of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// One, whose flags somebody just wrote: what is wrong ends the process.
    One,
    /// Several, which fail alone: what one of them lacks keeps no other one from running.
    Several,
}

/// Sources, and how they are synchronized.
pub(super) struct Work {
    pub(super) sources: Vec<SourceSettings>,
    pub(super) number: Number,
    pub(super) server: ServerAccess,
    pub(super) how: How,
}

impl Work {
    pub(super) fn run(self) -> Exit {
        match tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build() {
            Ok(runtime) => {
                let exit = runtime.block_on(self.work());
                // A thread that reads a file which never ends, such as a pipe, does not keep the process.
                runtime.shutdown_background();
                exit
            }
            Err(error) => {
                eprintln!("error: cannot start: {error}");
                Exit::Failed
            }
        }
    }

    async fn work(self) -> Exit {
        let mut signals = Signals::listen();
        let status = Arc::new(Status::new(self.sources.iter().map(|source| source.name.as_str())));
        if let Some(at) = self.how.listen
            && let Err(reason) = listen(at, Arc::<Status>::clone(&status)).await
        {
            eprintln!("error: {reason}");
            return Exit::Failed;
        }
        let output = Output::new(status, &self.how);
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        for source in self.sources {
            let observer = Arc::new(output.of(&source.name));
            let (number, server, how) = (self.number, self.server.clone(), self.how.clone());
            tasks.spawn(One { source, number, server, how, observer, stopped: stopped.clone() }.work());
        }
        let mut exit = Exit::Done;
        loop {
            tokio::select! {
                ended = tasks.join_next() => match ended {
                    None => return exit,
                    Some(Ok(other)) => exit = worse(exit, other),
                    // Others go on: the task has logged its panic.
                    Some(Err(_)) => exit = Exit::Failed,
                },
                () = signals.next() => {
                    stop.send_replace(true);
                    if self.how.dry_run || signals.count() > 1 {
                        return exit;
                    }
                }
            }
        }
    }
}

/// Returns the client of a source, with the token of the source if it has one of its own.
fn client(reach: &ServerAccess, source: &SourceSettings) -> Result<Client, ClientError> {
    let tokens = match &source.token_file {
        Some(file) => Credentials::File(file.clone()).tokens(),
        None => reach.credentials.clone().tokens(),
    };
    let tokens = match &source.of {
        SourceType::NetBox(_) => tokens.map(netbox::for_server),
        _ => tokens,
    };
    Ok(Client::new(reach.server.clone(), Patience::default())?.with_tokens(tokens))
}

/// The synchronizer of one source.
struct One {
    source: SourceSettings,
    number: Number,
    server: ServerAccess,
    how: How,
    observer: Arc<SourceOutput>,
    stopped: watch::Receiver<bool>,
}

/// The parts that a synchronizer needs before it can begin.
struct Ready<A> {
    adapter: A,
    client: Client,
    /// The state, if it writes.
    state: Option<State>,
}

/// The reason why a synchronizer cannot begin.
#[derive(Debug, Error)]
enum Refused {
    #[error(transparent)]
    Adapter(#[from] Unusable),
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error("{0}")]
    State(String),
}

impl One {
    async fn work(self) -> Exit {
        match self.source.of.clone() {
            SourceType::Files(paths) => {
                self.with(Prune::Delete, |_| Ok(Files::new(paths.clone(), FileReader::new()))).await
            }
            SourceType::Exec(exec) => self.with(Prune::Keep, |_| Ok(exec.clone())).await,
            SourceType::NetBox(table) => self.with(Prune::Delete, |name| table.adapter(name)).await,
            SourceType::Bcm(table) => self.with(Prune::Retire, |name| table.adapter(name)).await,
            SourceType::Ironic(table) => self.with(Prune::Retire, |name| table.adapter(name)).await,
        }
    }

    async fn with<A: Adapter>(mut self, prune: Prune, adapter: impl Fn(&str) -> Result<A, Unusable>) -> Exit {
        let mut pause = FIRST_RETRY_DELAY;
        loop {
            let refused = match self.prepare(&adapter) {
                Ok(ready) => return self.begin(ready, prune).await,
                Err(refused) => refused,
            };
            if self.number == Number::One || self.how.dry_run {
                return self.refuse(&refused);
            }
            let end = RunEnd::Failed(refused.into());
            let (tally, report) = Default::default();
            let ran = Ran { mode: RunMode::Full, end, tally, report, took: Duration::ZERO };
            self.observer.ended(&ran);
            if self.how.once {
                return exit(&ran);
            }
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                _ = self.stopped.wait_for(|stop| *stop) => return Exit::Done,
            }
            pause = (pause * 2).min(self.source.interval);
        }
    }

    /// Prepares everything that can be missing.
    fn prepare<A>(&self, adapter: impl Fn(&str) -> Result<A, Unusable>) -> Result<Ready<A>, Refused> {
        let (adapter, client) = (adapter(&self.source.name)?, client(&self.server, &self.source)?);
        // A preview keeps no state.
        let state = match self.how.dry_run {
            true => None,
            false => Some(open(&self.source.state, &self.source.name, &*self.observer).map_err(Refused::State)?),
        };
        Ok(Ready { adapter, client, state })
    }

    /// Reports the reason why a synchronizer cannot begin.
    fn refuse(&self, refused: &Refused) -> Exit {
        if let Refused::Client(error) = refused {
            return server::explain(error);
        }
        eprintln!("error: {}: {}", line(&self.source.name), line(&refused.to_string()));
        match (refused, self.number) {
            (Refused::Adapter(_), Number::One) => Exit::Usage,
            _ => Exit::Failed,
        }
    }

    async fn begin<A: Adapter>(self, ready: Ready<A>, prune: Prune) -> Exit {
        let Ready { adapter, client, state } = ready;
        let SourceSettings { name, interval, of, .. } = self.source;
        let reports = if self.how.report { Reports::Yes } else { Reports::No };
        let Some(state) = state else { return dry_run(&client, &name, prune, &adapter, reports).await };
        let new = NewSource { kind: of.name(), url: of.url(), interval_seconds: interval.as_secs(), prune };
        let timing = Timing { interval, ..Timing::default() };
        let server = Server::new(client, name, Pauses::default());
        let duty = if self.how.once { Duty::Once } else { Duty::Forever };
        exit(&Runner::new(adapter, server, new, state, timing, self.observer).run(duty, self.stopped).await)
    }
}

impl From<Refused> for SyncError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Client(error) => Self::Client(error),
            Refused::Adapter(_) | Refused::State(_) => Self::NotReady { reason: refused.to_string() },
        }
    }
}

/// Opens the state file of a source, in a folder that is made if it is missing.
fn open(path: &std::path::Path, source: &str, observer: &dyn Observer) -> Result<State, String> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("the folder {} for the state cannot be made: {error}", folder.display()))?;
    }
    match State::open(path, source) {
        Ok((state, note)) => {
            if let Some(note) = note {
                observer.note(&note);
            }
            Ok(state)
        }
        // The state may be lost at any time, so a disk without room keeps nothing from being synchronized.
        Err(StateError::Lock { error, file }) if has_no_room(&error) => {
            observer
                .note(&format!("{file} cannot be written, so no state is kept and everything is sent once: {error}"));
            Ok(State::in_memory(source))
        }
        Err(error) => Err(error.to_string()),
    }
}

fn has_no_room(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | ReadOnlyFilesystem | StorageFull)
}

fn exit(ran: &Ran) -> Exit {
    match &ran.end {
        RunEnd::Done | RunEnd::Stopped => Exit::Done,
        RunEnd::Failed(error) if error.is_unreachable() => Exit::Unreachable,
        RunEnd::Failed(SyncError::Client(error)) if error.is_passing() => Exit::Unreachable,
        RunEnd::Held | RunEnd::Failed(_) => Exit::Failed,
    }
}

/// Returns the exit of two sources: a failure takes precedence over an unreachable server.
const fn worse(one: Exit, other: Exit) -> Exit {
    match (one, other) {
        (Exit::Done, other) => other,
        (one, Exit::Done) => one,
        (Exit::Unreachable, other) => other,
        (one, _) => one,
    }
}
