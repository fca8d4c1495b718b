//! Keeps a controller from acting on a graph that is not the one it knew: the newest position that it knows, and observe
//! only.
//!
//! Guarantees: an act is made only after an answer of a server that has the newest position which this controller knew when
//! it asked. Before an act, the newest position is in the file, so that a controller that starts again knows at least the
//! step of each act that was made.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio::time::Instant;
use underlay_kit::control::{Position, PositionError, PositionFile};

use crate::api::{HostsStatus, Standing};

/// The newest position that a controller knows, and its file.
#[derive(Debug)]
pub struct Safety {
    positions: Arc<Positions>,
    /// The wait for a server that lacks the newest position.
    missing: Mutex<Option<Missing>>,
    /// Wakes the one who compares when an answer does not fit.
    doubts: Notify,
}

#[derive(Debug)]
struct Positions {
    file: PositionFile,
    /// The newest position, in the history that the controller follows.
    known: Mutex<Option<Position>>,
    /// The position in the file. Whoever writes the file holds the lock, so that no older position follows a newer one.
    kept: Mutex<Option<Position>>,
}

/// The wait for a server that lacks the newest position.
#[derive(Clone, Copy, Debug)]
struct Missing {
    since: Instant,
    last: Instant,
}

/// The reason why nothing may be done outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The server says that controllers may only observe.
    ObserveOnly,
    /// The answer is about another graph than the one that this controller knows: of another history, or an older one.
    OtherGraph,
}

/// What an answer says about the newest position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The server has it.
    Accepted,
    /// The server lacks it, and can still get it.
    Waits,
    /// The database has another history.
    OtherHistory,
    /// The database was rolled back.
    RolledBack,
}

impl Safety {
    /// Returns the safety of a controller with this file.
    pub fn new(file: PositionFile) -> Self {
        let positions = Positions { file, known: Mutex::default(), kept: Mutex::default() };
        Self { positions: Arc::new(positions), missing: Mutex::default(), doubts: Notify::new() }
    }

    /// Returns the newest position that is known, with which a server compares its log.
    pub fn known(&self) -> Option<Position> {
        locked(&self.positions.known).clone()
    }

    /// Checks an answer of the server, right before an act.
    ///
    /// # Errors
    /// Returns the reason why nothing may be done.
    pub fn check(&self, status: &HostsStatus) -> Result<(), Halt> {
        self.check_graph(status)?;
        if status.is_observe_only { Err(Halt::ObserveOnly) } else { Ok(()) }
    }

    /// Checks that an answer is about the graph that the controller knows, and notes its position if that is newer.
    ///
    /// # Errors
    /// Returns the reason why nothing may be done. Then the one who compares is woken.
    pub fn check_graph(&self, status: &HostsStatus) -> Result<(), Halt> {
        let is_own_history = self.known().is_some_and(|known| known.history == status.position.history);
        if is_own_history && matches!(status.standing, Standing::Held | Standing::Pruned) {
            self.note(&status.position);
            return Ok(());
        }
        self.doubts.notify_one();
        Err(Halt::OtherGraph)
    }

    /// Notes a position of the history that the controller follows.
    pub fn note(&self, position: &Position) {
        let mut known = locked(&self.positions.known);
        if let Some(known) = known.as_mut().filter(|it| it.history == position.history)
            && known.revision < position.revision
        {
            *known = position.clone();
        }
    }

    /// Waits until an answer does not fit.
    pub async fn doubted(&self) {
        self.doubts.notified().await;
    }

    /// Judges an answer for which the server compared the newest position. A server gets the time `catch_up` to have it.
    pub fn judge(&self, status: &HostsStatus, catch_up: Duration) -> Verdict {
        let is_own_history = self.known().is_some_and(|known| known.history == status.position.history);
        let mut missing = locked(&self.missing);
        let verdict = match status.standing {
            _ if !is_own_history => Verdict::OtherHistory,
            Standing::Held | Standing::Pruned => Verdict::Accepted,
            Standing::Replaced => Verdict::RolledBack,
            Standing::Missing => {
                let now = Instant::now();
                // While no server answered, none could catch up.
                let since = missing.filter(|it| now - it.last < catch_up / 2).map_or(now, |it| it.since);
                *missing = Some(Missing { since, last: now });
                if now - since < catch_up { Verdict::Waits } else { Verdict::RolledBack }
            }
        };
        if verdict != Verdict::Waits {
            *missing = None;
        }
        verdict
    }

    /// Returns true if a server lacked the newest position when it answered last.
    pub fn waits(&self) -> bool {
        locked(&self.missing).is_some()
    }

    /// Returns the position of the last run.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is damaged.
    pub fn saved(&self) -> Result<Option<Position>, PositionError> {
        self.positions.file.read()
    }

    /// Knows the position of the last run, which is in the file.
    pub fn recall(&self, saved: Position) {
        *locked(&self.positions.known) = Some(saved);
    }

    /// Follows the history of a position from there on, whatever was known before.
    ///
    /// # Errors
    /// Returns a sentence if the file cannot be written.
    pub async fn follow(&self, position: &Position) -> Result<(), String> {
        let position = position.clone();
        self.with_file(move |positions| positions.follow(position)).await
    }

    /// Writes the newest position to the file, and returns when it is on the disk.
    ///
    /// # Errors
    /// Returns a sentence if the file cannot be written.
    pub async fn settle(&self) -> Result<(), String> {
        self.with_file(Positions::settle).await
    }

    async fn with_file(
        &self,
        work: impl FnOnce(&Positions) -> Result<(), PositionError> + Send + 'static,
    ) -> Result<(), String> {
        let positions = Arc::clone(&self.positions);
        let written = spawn_blocking(move || work(&positions)).await;
        written.map_err(|error| error.to_string())?.map_err(|error| error.to_string())
    }
}

impl Positions {
    fn follow(&self, position: Position) -> Result<(), PositionError> {
        let mut kept = locked(&self.kept);
        self.file.write(&position)?;
        *locked(&self.known) = Some(position.clone());
        *kept = Some(position);
        Ok(())
    }

    /// Writes what is newest when it is this one's turn: also for all who wait, of whom some may be gone.
    fn settle(&self) -> Result<(), PositionError> {
        let mut kept = locked(&self.kept);
        let known = locked(&self.known).clone();
        if let Some(position) = known.as_ref().filter(|_| *kept != known) {
            self.file.advance(position)?;
            *kept = known;
        }
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked while it held the lock left nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
