//! Keeps a controller from acting on a graph that is not the one it knew: the history of the database, and observe only.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::sleep;
use underlay_kit::control::{BackOff, Position, PositionFile, Status};

use super::Shared;
use crate::api::{Api, ApiError, HostsStatus};

/// The history that a controller knows, and its file.
#[derive(Debug)]
pub struct Safety {
    file: PositionFile,
    history: Mutex<Option<String>>,
}

/// The reason why nothing may be done outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The server says that controllers may only observe.
    ObserveOnly,
    /// The database has another history than the one that this controller knows.
    OtherHistory,
}

impl Safety {
    /// Returns the safety of a controller with this file.
    pub const fn new(file: PositionFile) -> Self {
        Self { file, history: Mutex::new(None) }
    }

    /// Checks an answer of the server, right before an act.
    ///
    /// # Errors
    /// Returns the reason why nothing may be done.
    pub fn check(&self, history: &str, is_observe_only: bool) -> Result<(), Halt> {
        if self.locked().as_deref() != Some(history) {
            return Err(Halt::OtherHistory);
        }
        if is_observe_only { Err(Halt::ObserveOnly) } else { Ok(()) }
    }

    /// Keeps a position. A position that cannot be kept makes the next start cautious, and nothing else.
    pub fn keep(&self, position: &Position) -> Result<(), String> {
        *self.locked() = Some(position.history.clone());
        self.file.write(position).map_err(|error| error.to_string())
    }

    /// Returns the reason why a controller that starts must not act, if there is one.
    fn doubt(&self, hosts_status: &HostsStatus) -> Option<String> {
        match self.file.read() {
            Ok(Some(saved)) if saved.history == hosts_status.position.history => None,
            Ok(Some(_)) => Some("the database has another history than when this controller ran last".to_owned()),
            _ if !hosts_status.has_taken_hosts => None,
            Ok(None) => Some("a controller started without its state file while hosts are in use".to_owned()),
            Err(error) => Some(format!("a controller started while hosts are in use, and {error}")),
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<String>> {
        // A thread that panicked while it held the lock left nothing half done.
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<A: Api> Shared<A> {
    /// Checks the server before anything else, again and again until it answers. Returns the position from which to
    /// subscribe.
    pub(super) async fn check_start(&self, status: &Status) -> Position {
        let mut pauses = BackOff::new(Duration::from_secs(1), Duration::from_secs(30));
        loop {
            match self.try_start().await {
                Ok(position) => return position,
                Err(reason) => status.looked(Err(reason)),
            }
            sleep(pauses.failed(())).await;
        }
    }

    async fn try_start(&self) -> Result<Position, String> {
        let hosts_status = self.api.hosts_status().await.map_err(|error| error.to_string())?;
        self.clock.set(hosts_status.now);
        if let Some(doubt) = self.safety.doubt(&hosts_status) {
            self.set_observe_only(&doubt).await.map_err(|error| error.to_string())?;
        }
        // The file is written before anything is done, so that a restart finds it.
        self.safety.keep(&hosts_status.position)?;
        Ok(hosts_status.position)
    }

    /// Goes on after the history of the database changed: controllers may only observe, and the new history is followed.
    pub(super) async fn other_history(&self) -> Result<Position, ApiError> {
        self.set_observe_only("the database has another history than the one that a controller followed").await?;
        let hosts_status = self.api.hosts_status().await?;
        self.clock.set(hosts_status.now);
        self.safety.keep(&hosts_status.position).map_err(ApiError::Refused)?;
        self.lives.look_again();
        Ok(hosts_status.position)
    }

    async fn set_observe_only(&self, reason: &str) -> Result<(), ApiError> {
        self.api.observe_only(&format!("{}: {reason}", self.name)).await
    }
}
