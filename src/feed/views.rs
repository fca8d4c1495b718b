//! What each tenant sees, kept along with the whole while somebody of the tenant asks.
//!
//! Guarantees: a tenant's values come in the order of revisions, none is left out, and each is what the tenant sees of
//! the whole value of that revision; a reader never waits for one to be made but the first of its tenant. Only so many
//! tenants have values at a time, and those that nobody has asked for some time are dropped.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use super::newest::Newest;
use super::record;
use super::ring::{Revised, Room};
use super::view::View;
use crate::inventory::{Snapshot, TenantView, UnseenError};

/// How many tenants may have values at a time.
pub const MOST_TENANTS: usize = 64;
/// How long a value is kept that nobody of its tenant asks.
const LONGEST_UNUSED: Duration = Duration::from_secs(600);
/// How often that is looked for.
const GLANCE: Duration = Duration::from_secs(60);
/// How long the first of a tenant waits: a million ports are looked through in seconds.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// What is held of the recent revisions of each tenant: those who have lost their place read everything again.
const ROOM: Room = Room { revisions: 512, changes: 5_000, bytes: 4 * 1024 * 1024 };
/// After a value was made anew, because what led to the next one was not held, nothing is done for so many times longer
/// than that took.
const REST: u32 = 2;
/// How many revisions are gone through at a time.
const MOST_STEPS: usize = 256;

/// Why what a tenant sees cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    #[error("{MOST_TENANTS} other tenants are asking at this time: try again later")]
    TooMany,
    #[error("what the tenant sees is still being worked out: try again in some seconds")]
    NotYet,
    #[error("what the tenant sees cannot be worked out: the log of the server says why")]
    Failed,
}

/// Why a tenant's values are followed no longer.
#[derive(Debug, Error)]
enum KeepError {
    #[error(transparent)]
    Unseen(#[from] UnseenError),
    #[error("the work was given up: {0}")]
    GivenUp(#[from] tokio::task::JoinError),
}

/// What everybody sees.
#[derive(Clone, Debug)]
pub struct Views {
    whole: Arc<View>,
    tenants: Arc<Mutex<HashMap<String, Kept>>>,
    /// Values are made one after the other: each takes a processor and some memory.
    making: Arc<Semaphore>,
}

#[derive(Debug)]
struct Kept {
    view: watch::Receiver<Option<Arc<View>>>,
    used: Instant,
}

impl Kept {
    /// For how long nobody has asked; `None` while somebody does.
    fn unused(&self) -> Option<Duration> {
        let free = self.view.borrow().as_ref().is_some_and(|view| Arc::strong_count(view) == 1);
        free.then(|| self.used.elapsed())
    }
}

impl Views {
    /// With this for those who are of no tenant.
    pub fn new(whole: View) -> Self {
        Self { whole: Arc::new(whole), tenants: Arc::default(), making: Arc::new(Semaphore::new(1)) }
    }

    /// What those see who are of no tenant.
    pub fn whole(&self) -> &Arc<View> {
        &self.whole
    }

    /// What somebody of a tenant sees, or of none. It is kept along for as long as it is held.
    ///
    /// # Errors
    /// When it cannot be worked out, or not now.
    pub async fn of(&self, tenant: Option<&str>) -> Result<Arc<View>, ViewError> {
        let Some(tenant) = tenant else { return Ok(Arc::clone(&self.whole)) };
        let mut view = self.kept(tenant)?;
        match tokio::time::timeout(LONGEST_WAIT, view.wait_for(Option::is_some)).await {
            Ok(Ok(view)) => view.clone().ok_or(ViewError::Failed),
            Ok(Err(_)) => Err(ViewError::Failed),
            Err(_) => Err(ViewError::NotYet),
        }
    }

    /// What is kept for tenants, as far as it is worked out.
    pub fn of_tenants(&self) -> Vec<Arc<View>> {
        self.lock().values().filter_map(|kept| kept.view.borrow().clone()).collect()
    }

    /// The place where a tenant's view is, or will be.
    fn kept(&self, tenant: &str) -> Result<watch::Receiver<Option<Arc<View>>>, ViewError> {
        let mut tenants = self.lock();
        if let Some(kept) = tenants.get_mut(tenant) {
            kept.used = Instant::now();
            return Ok(kept.view.clone());
        }
        if tenants.len() >= MOST_TENANTS {
            let unused = tenants.iter().filter_map(|(tenant, kept)| Some((kept.unused()?, tenant.clone())));
            let (_, oldest) = unused.max().ok_or(ViewError::TooMany)?;
            tenants.remove(&oldest);
        }
        let (ready, view) = watch::channel(None);
        tenants.insert(tenant.to_owned(), Kept { view: view.clone(), used: Instant::now() });
        tokio::spawn(self.clone().keep(tenant.to_owned(), ready));
        Ok(view)
    }

    /// Makes what a tenant sees, and keeps it along until nobody has asked for long.
    async fn keep(self, tenant: String, ready: watch::Sender<Option<Arc<View>>>) {
        if let Err(error) = self.follow(&tenant, &ready).await {
            tracing::error!(tenant, "what a tenant sees cannot be worked out: {error}");
        }
        let mut tenants = self.lock();
        // Another one may have begun for the tenant, after this one was dropped.
        if tenants.get(&tenant).is_some_and(|kept| kept.view.same_channel(&ready.subscribe())) {
            tenants.remove(&tenant);
        }
    }

    async fn follow(&self, tenant: &str, ready: &watch::Sender<Option<Arc<View>>>) -> Result<(), KeepError> {
        let whole = self.whole.newest.clone();
        let mut arrives = whole.watch();
        let first = arrives.borrow_and_update().clone();
        let mut seen = self.make(first, tenant).await?;
        let newest = Newest::with_room(Snapshot::clone(seen.seen()), ROOM);
        ready.send_replace(Some(Arc::new(View::part(newest.clone(), self.whole.answers.of_tenant(tenant)))));
        // Counted on while others write all the time.
        let mut glances = tokio::time::interval(GLANCE);
        loop {
            let (of_whole, of_tenant) = (whole.clone(), newest.clone());
            seen = match tokio::task::spawn_blocking(move || step(seen, &of_whole, &of_tenant)).await?? {
                Step::Current(seen) => {
                    tokio::select! {
                        // The sender lives as long as `whole`.
                        _ = arrives.changed() => {}
                        _ = glances.tick() => if self.is_dropped(tenant, ready) { return Ok(()) },
                    }
                    seen
                }
                Step::Behind(seen) => seen,
                Step::Lost(old) => {
                    drop(old);
                    let began = Instant::now();
                    let made = self.make(self.whole.newest.get(), tenant).await?;
                    newest.replace(&newest.get(), Arc::clone(made.seen()));
                    tokio::time::sleep(began.elapsed() * REST).await;
                    made
                }
            };
        }
    }

    /// Makes what a tenant sees of a value: where it delays nobody, and one after the other.
    async fn make(&self, whole: Arc<Snapshot>, tenant: &str) -> Result<TenantView, KeepError> {
        // It is never closed.
        let _turn = self.making.acquire().await;
        let tenant = tenant.to_owned();
        Ok(tokio::task::spawn_blocking(move || TenantView::of(&whole, &tenant)).await??)
    }

    /// Whether a tenant's view is kept no longer.
    fn is_dropped(&self, tenant: &str, ready: &watch::Sender<Option<Arc<View>>>) -> bool {
        match self.lock().get(tenant) {
            Some(kept) if kept.view.same_channel(&ready.subscribe()) => {
                kept.unused().is_some_and(|unused| unused >= LONGEST_UNUSED)
            }
            _ => true,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How far a tenant's value is.
enum Step {
    /// As far as the whole.
    Current(TenantView),
    /// There is more to come.
    Behind(TenantView),
    /// What comes next is not held.
    Lost(TenantView),
}

/// Goes on by the revisions that are held, each published for the tenant with what it changed for it.
fn step(mut seen: TenantView, whole: &Newest, newest: &Newest) -> Result<Step, UnseenError> {
    for _ in 0..MOST_STEPS {
        let (at, target) = (seen.seen().head(), whole.get().head());
        if at == target {
            return Ok(Step::Current(seen));
        }
        let next = whole.recent(at.revision + 1).filter(|revised| revised.before.head() == at);
        let Some(revised) = next else { return Ok(Step::Lost(seen)) };
        let before = newest.get();
        let touched = seen.follow(&revised.after, revised.changes.iter().map(|change| change.object_id))?;
        let after = Arc::clone(seen.seen());
        let changes = changes(&before, &after, &touched, &revised);
        newest.follow(&before, vec![Revised { before: Arc::clone(&before), after, changes: Arc::new(changes) }]);
    }
    Ok(Step::Behind(seen))
}

/// What a revision changed for a tenant.
fn changes(
    before: &Snapshot,
    after: &Snapshot,
    touched: &[uuid::Uuid],
    revised: &Revised,
) -> Vec<underlay_entity::change::Model> {
    // A revision is of one batch, which has one author.
    match revised.changes.first() {
        Some(change) => record::changes(before, after, touched, (&change.actor, change.source.as_deref())),
        None => Vec::new(),
    }
}
