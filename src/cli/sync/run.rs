//! Runs the synchronizers of all sources, until they end or the process is asked to end.

use std::io;
use std::sync::Arc;

use tokio::sync::watch;
use tokio::task::JoinSet;
use underlay_bcm::Bcm;
use underlay_client::{Client, ClientError, Patience};
use underlay_files::Files;
use underlay_ironic::Ironic;
use underlay_kit::line;
use underlay_kit::sync::{
    Adapter, Duty, NewSource, Observer, Pauses, Prune, Ran, RunEnd, Runner, Server, State, StateError, Status,
    SyncError, Timing,
};
use underlay_netbox::NetBox;

use super::How;
use super::dry_run::dry_run;
use super::output::Output;
use super::reader::FileReader;
use super::settings::{SourceSettings, SourceType};
use crate::cli::credentials::Credentials;
use crate::cli::exit::Exit;
use crate::cli::listen::listen;
use crate::cli::server;
use crate::cli::signals::Signals;
use crate::cli::target::ServerAccess;

/// Sources, and how they are synchronized.
pub(super) struct Work {
    pub(super) sources: Vec<SourceSettings>,
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
        let output = Output::new(status, self.how.report);
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        for source in self.sources {
            let client = match client(&self.server, &source) {
                Ok(client) => client,
                Err(error) => return server::explain(&error),
            };
            let one = One { source, client, how: self.how.clone(), output: output.clone(), stopped: stopped.clone() };
            tasks.spawn(one.work());
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
    Ok(Client::new(reach.server.clone(), Patience::default())?.with_tokens(tokens))
}

/// The synchronizer of one source.
struct One {
    source: SourceSettings,
    client: Client,
    how: How,
    output: Output,
    stopped: watch::Receiver<bool>,
}

impl One {
    async fn work(self) -> Exit {
        match self.source.of.clone() {
            SourceType::Files(paths) => self.with(Files::new(paths, FileReader::new()), Prune::Delete).await,
            SourceType::Exec(exec) => self.with(exec, Prune::Keep).await,
            SourceType::NetBox(settings) => match NetBox::new(*settings) {
                Ok(netbox) => self.with(netbox, Prune::Delete).await,
                Err(error) => self.refuse(&error),
            },
            SourceType::Bcm(settings) => match Bcm::new(*settings) {
                Ok(bcm) => self.with(bcm, Prune::Retire).await,
                Err(error) => self.refuse(&error),
            },
            SourceType::Ironic(settings) => match Ironic::new(*settings) {
                Ok(ironic) => self.with(ironic, Prune::Retire).await,
                Err(error) => self.refuse(&error),
            },
        }
    }

    /// Reports settings that an adapter does not take.
    fn refuse(&self, error: &dyn std::error::Error) -> Exit {
        eprintln!("error: {}: {}", line(&self.source.name), line(&error.to_string()));
        Exit::Usage
    }

    async fn with<A: Adapter>(self, adapter: A, prune: Prune) -> Exit {
        let Self { source, client, how, output, stopped } = self;
        let SourceSettings { name, interval, state, of, .. } = source;
        if how.dry_run {
            return dry_run(&client, &name, &adapter).await;
        }
        let observer: Arc<dyn Observer> = Arc::new(output.of(&name));
        let state = match open(&state, &name, &*observer) {
            Ok(state) => state,
            Err(reason) => {
                eprintln!("error: {}: {}", line(&name), line(&reason));
                return Exit::Failed;
            }
        };
        let new = NewSource { kind: of.name(), url: of.url(), interval_seconds: interval.as_secs(), prune };
        let timing = Timing { interval, ..Timing::default() };
        let server = Server::new(client, name, Pauses::default());
        let duty = if how.once { Duty::Once } else { Duty::Forever };
        exit(&Runner::new(adapter, server, new, state, timing, observer).run(duty, stopped).await)
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
