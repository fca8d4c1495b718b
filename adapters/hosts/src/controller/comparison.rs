//! Compares the newest position that a controller knows with what the server has: at its start, before each renewal of its
//! leases, and whenever an answer does not fit.
//!
//! A database whose course went back keeps the id of its history: a file that was copied back, a snapshot of a disk, a
//! standby that lacked the last commits. It lacks the newest position, or has another batch at its revision. Then all
//! controllers may only observe. A replica that is behind has the position soon; until then nothing is done on its word.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use underlay_kit::control::{BackOff, Living, Position, Status};

use super::Shared;
use super::safety::Verdict;
use crate::api::{Api, ApiError, HostsStatus, Standing};

/// The time between two looks at a server that lacks the newest position.
const MISSING_DELAY: Duration = Duration::from_secs(1);
/// The number of looks at the leases of others during the time of one, and the minimum in all.
const LOOKS_PER_LEASE: u32 = 12;
/// The beginning of the names of all leases of controllers of hosts, also of those of sites.
const ALL_LEASES: &str = "hosts/";
const OTHER_HISTORY: &str = "the database has another history than the one that a controller followed";

/// The end of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The position of the server.
    pub position: Position,
    /// False if the graph is another one than before.
    pub is_same_graph: bool,
}

impl<A: Api> Shared<A> {
    /// Checks the server before anything else, again and again until it answers. Returns the position from which to
    /// subscribe.
    pub(super) async fn check_start(&self, status: &Status) -> Position {
        let mut pauses = BackOff::new(Duration::from_secs(1), Duration::from_secs(30));
        loop {
            match self.try_start(status).await {
                Ok(position) => return position,
                Err(reason) => status.looked(Err(reason)),
            }
            sleep(pauses.failed(())).await;
        }
    }

    async fn try_start(&self, status: &Status) -> Result<Position, String> {
        let why = match self.safety.saved() {
            Ok(Some(saved)) => {
                self.safety.recall(saved);
                let compared = self.compare(|reason| status.looked(Err(reason))).await;
                return compared.map(|it| it.position).map_err(|error| error.to_string());
            }
            Ok(None) => "a controller started without its state file".to_owned(),
            Err(error) => format!("a controller started, and {error}"),
        };
        self.join(&why, status).await.map_err(|error| error.to_string())
    }

    /// Starts without knowing any position. Beside another controller that lives, this one joins it.
    async fn join(&self, why: &str, status: &Status) -> Result<Position, ApiError> {
        let mut now = self.hosts_status(None).await?;
        if self.api.has_taken_hosts().await? {
            status.looked(Err(format!("{why}: it looks whether another one works")));
            let is_anybody_there;
            (now, is_anybody_there) = self.meet(now, status).await?;
            if !is_anybody_there {
                let reason = format!("{why} while hosts are in use, and met no other controller");
                self.set_observe_only(&reason).await?;
            }
        }
        self.follow(&now).await
    }

    /// Looks at the leases of others for as long as a lease lasts, and longer if the server answers so slowly that a living
    /// controller would hardly be seen. Returns the status of the server at the end, and true if somebody renewed a lease
    /// twice meanwhile, in one course of one history. Those who renew have compared their own positions.
    ///
    /// A look that fails is no look, and the next one goes on from the one before it: where every tenth call fails, hardly
    /// twelve looks in a row succeed. Without an answer for the time of a lease, it ends with the error.
    async fn meet(&self, start: HostsStatus, status: &Status) -> Result<(HostsStatus, bool), ApiError> {
        let ttl = self.timing.leases.ttl;
        let (mut now, mut living, end) = (start, Living::default(), Instant::now() + ttl);
        let (mut looks, mut answered) = (0, Instant::now());
        loop {
            let next = match self.look_at_others(&now.position, &mut living).await {
                Ok(next) => next,
                Err(error) if answered.elapsed() < ttl => {
                    status.looked(Err(error.to_string()));
                    sleep(ttl / LOOKS_PER_LEASE).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            (looks, answered) = (looks + 1, Instant::now());
            let is_own_history = next.position.history == now.position.history;
            match next.standing {
                Standing::Held if is_own_history => {
                    now = next;
                    if Instant::now() >= end && looks >= LOOKS_PER_LEASE {
                        return Ok((now, living.is_anybody_there()));
                    }
                }
                // Another replica may have answered before.
                Standing::Missing if is_own_history && Instant::now() < end + self.timing.catch_up => {}
                _ => return Err(ApiError::NoSuchPosition),
            }
            sleep(ttl / LOOKS_PER_LEASE).await;
        }
    }

    /// Looks at the leases of others once, and then at the server, which compares a position.
    async fn look_at_others(&self, known: &Position, living: &mut Living) -> Result<HostsStatus, ApiError> {
        living.see(self.api.leases(ALL_LEASES).await?);
        self.hosts_status(Some(known)).await
    }

    /// Compares the newest position with what the server has. If the graph is another one than before, controllers may only
    /// observe from then on, and this one follows it. `tell` gets to know why it takes long.
    pub(super) async fn compare(&self, tell: impl Fn(String)) -> Result<Compared, ApiError> {
        loop {
            let known = self.safety.known();
            let revision = known.as_ref().map_or(0, |known| known.revision);
            let now = match self.hosts_status(known.as_ref()).await {
                Ok(now) => now,
                Err(error) if self.safety.waits() => {
                    tell(error.to_string());
                    sleep(MISSING_DELAY).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            let reason = match self.safety.judge(&now, self.timing.catch_up) {
                Verdict::Accepted => {
                    self.safety.note(&now.position);
                    self.safety.settle().await.map_err(ApiError::Refused)?;
                    return Ok(Compared { position: now.position, is_same_graph: true });
                }
                Verdict::Waits => {
                    tell(format!("the server is behind the revision {revision}, which this controller knows"));
                    sleep(MISSING_DELAY.min(self.timing.catch_up)).await;
                    continue;
                }
                Verdict::OtherHistory => OTHER_HISTORY.to_owned(),
                Verdict::RolledBack => {
                    format!(
                        "the database was rolled back: its revision {revision} is not the one that a controller knows"
                    )
                }
            };
            self.set_observe_only(&reason).await?;
            return Ok(Compared { position: self.follow(&now).await?, is_same_graph: false });
        }
    }

    /// Checks that the server has what this controller knows, before leases are renewed: who renews one works, and others
    /// rely on it.
    pub(super) async fn check_server(&self) -> Result<(), String> {
        let now = self.hosts_status(self.safety.known().as_ref()).await.map_err(|error| error.to_string())?;
        let differs = |_| "the server lacks what this controller knows: it is behind, or was rolled back".to_owned();
        self.safety.check_graph(&now).map_err(differs)
    }

    /// Follows the graph of an answer. The file is written before anything is done, so that a restart finds it.
    async fn follow(&self, now: &HostsStatus) -> Result<Position, ApiError> {
        self.safety.follow(&now.position).await.map_err(ApiError::Refused)?;
        Ok(now.position.clone())
    }

    async fn hosts_status(&self, known: Option<&Position>) -> Result<HostsStatus, ApiError> {
        let now = self.api.hosts_status(known).await?;
        self.clock.set(now.now);
        Ok(now)
    }

    async fn set_observe_only(&self, reason: &str) -> Result<(), ApiError> {
        self.api.observe_only(&format!("{}: {reason}", self.name)).await
    }
}
