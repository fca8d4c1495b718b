//! What each tenant sees, kept along with the whole while somebody of the tenant asks.
//!
//! Guarantees: a tenant's values come in the order of revisions, none is left out, and each is what the tenant sees of
//! the whole value of that revision; a reader never waits for one to be made but the first of its tenant. The views that
//! are kept are bounded in number and in bytes. A view that nobody uses makes room for another one, or is dropped after
//! some time; its task ends and its memory is freed at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use super::newest::{Newest, retire};
use super::record;
use super::ring::{Revised, Room};
use super::view::View;
use crate::runtime::spawn_in_background;
use underlay_inventory::{Snapshot, TenantView, UnseenError};

/// How many tenants may have values at a time.
pub const MOST_TENANTS: usize = 64;
/// How many bytes the views of all tenants may take, about.
const MOST_BYTES: usize = 2 * 1024 * 1024 * 1024;
/// What a view takes at least, in bytes.
const LEAST_BYTES: usize = 64 * 1024;
/// How long a value is kept that nobody of its tenant asks.
const LONGEST_UNUSED: Duration = Duration::from_secs(600);
/// How often that is looked for.
const GLANCE: Duration = Duration::from_secs(60);
/// How long the first of a tenant waits: a million ports are looked through in seconds.
const LONGEST_WAIT: Duration = Duration::from_secs(20);
/// What is held of the recent revisions of each tenant, as far as the whole ones are held: subscribers of a tenant that
/// lost their place read everything again.
const ROOM: Room = Room { revisions: 512, changes: 2_000, bytes: 4 * 1024 * 1024 };
/// After a value was made anew, because what led to the next one was not held, nothing is done for so many times longer
/// than that took.
const REST: u32 = 2;
/// How many revisions are gone through at a time.
const MOST_STEPS: usize = 256;
/// The number of tenants from which on a common view is made for the next one.
const SEVERAL: usize = 2;
/// The number of revisions by which the common view may be older than the value of which a tenant's view is made. Each
/// tenant's view holds what was changed since by itself.
const OLDEST_COMMON: i64 = 256;

/// How much is kept for all tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRoom {
    /// How many tenants may have views at a time.
    pub tenants: usize,
    /// From how many bytes on no further view begins, unless an unused one makes room for it.
    pub bytes: usize,
}

impl Default for ViewRoom {
    fn default() -> Self {
        Self { tenants: MOST_TENANTS, bytes: MOST_BYTES }
    }
}

/// Why what a tenant sees cannot be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    #[error("the server has no room for one more tenant at this time: try again later")]
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
    room: ViewRoom,
    tenants: Arc<Mutex<HashMap<String, Kept>>>,
    /// Values are made one after the other: each takes a processor and some memory.
    making: Arc<Semaphore>,
    /// The common view, from which those of tenants are made. It is dropped when no tenant's view was made for a while.
    common: Arc<Mutex<Option<Common>>>,
}

/// The value that all tenants see in common.
#[derive(Debug)]
struct Common {
    value: Arc<Snapshot>,
    used: Instant,
}

#[derive(Debug)]
struct Kept {
    /// Its task ends when this receiver and those of the callers that wait are gone.
    view: watch::Receiver<Option<Arc<View>>>,
    used: Instant,
    /// Held by the callers that wait for the view.
    waiting: Arc<()>,
    /// About how many bytes it takes, as its task says.
    bytes: Arc<AtomicUsize>,
}

impl Kept {
    /// For how long nobody has asked; `None` while somebody does.
    fn unused(&self) -> Option<Duration> {
        let free = self.view.borrow().as_ref().is_some_and(|view| Arc::strong_count(view) == 1);
        (free && Arc::strong_count(&self.waiting) == 1).then(|| self.used.elapsed())
    }
}

/// The way to a view that is there or will be.
struct Awaited {
    view: watch::Receiver<Option<Arc<View>>>,
    /// While it is held, the view is not dropped.
    _waiting: Arc<()>,
}

impl Views {
    /// With this for those who are of no tenant.
    pub fn new(whole: View) -> Self {
        Self::with_room(whole, ViewRoom::default())
    }

    /// The same with other bounds for what is kept for tenants.
    pub fn with_room(whole: View, room: ViewRoom) -> Self {
        let making = Arc::new(Semaphore::new(1));
        Self { whole: Arc::new(whole), room, tenants: Arc::default(), making, common: Arc::default() }
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
        let mut awaited = self.kept(tenant)?;
        match tokio::time::timeout(LONGEST_WAIT, awaited.view.wait_for(Option::is_some)).await {
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
    fn kept(&self, tenant: &str) -> Result<Awaited, ViewError> {
        let mut tenants = self.lock();
        if let Some(kept) = tenants.get_mut(tenant) {
            kept.used = Instant::now();
            return Ok(Awaited { view: kept.view.clone(), _waiting: Arc::clone(&kept.waiting) });
        }
        while tenants.len() >= self.room.tenants || bytes_of(&tenants) >= self.room.bytes {
            evict(&mut tenants).then_some(()).ok_or(ViewError::TooMany)?;
        }
        let (ready, view) = watch::channel(None);
        let (waiting, bytes) = (Arc::new(()), Arc::new(AtomicUsize::new(0)));
        let awaited = Awaited { view: view.clone(), _waiting: Arc::clone(&waiting) };
        let kept = Kept { view, used: Instant::now(), waiting, bytes: Arc::clone(&bytes) };
        tenants.insert(tenant.to_owned(), kept);
        tokio::spawn(self.clone().keep(tenant.to_owned(), ready, bytes));
        Ok(awaited)
    }

    /// Makes what a tenant sees, and keeps it along until it is dropped.
    async fn keep(self, tenant: String, ready: watch::Sender<Option<Arc<View>>>, bytes: Arc<AtomicUsize>) {
        if let Err(error) = self.follow(&tenant, &ready, &bytes).await {
            tracing::error!(tenant, "what a tenant sees cannot be worked out: {error}");
        }
        let removed = {
            let mut tenants = self.lock();
            // Another one may have begun for the tenant, after this one was dropped.
            let is_ours = tenants.get(&tenant).is_some_and(|kept| Arc::ptr_eq(&kept.bytes, &bytes));
            is_ours.then(|| tenants.remove(&tenant))
        };
        retire((removed, ready));
        if self.lock().is_empty() {
            retire(self.lock_common().take());
        }
    }

    /// Follows the whole value until the view is dropped.
    async fn follow(
        &self,
        tenant: &str,
        ready: &watch::Sender<Option<Arc<View>>>,
        bytes: &AtomicUsize,
    ) -> Result<(), KeepError> {
        let whole = self.whole.newest.clone();
        let mut arrives = whole.watch();
        let first = arrives.borrow_and_update().clone();
        let mut seen = self.make(first, tenant).await?;
        let newest = Newest::with_room(Snapshot::clone(seen.seen()), ROOM);
        let weigh = |seen: &TenantView| {
            bytes.store(LEAST_BYTES + seen.about_bytes() + newest.about_bytes(), Ordering::Relaxed);
        };
        weigh(&seen);
        ready.send_replace(Some(Arc::new(View::part(newest.clone(), self.whole.answers.of_tenant(tenant)))));
        // Counted on while others write all the time.
        let mut glances = tokio::time::interval(GLANCE);
        while !ready.is_closed() {
            let (of_whole, of_tenant) = (whole.clone(), newest.clone());
            let step = tokio::task::spawn_blocking(move || step(seen, &of_whole, &of_tenant)).await??;
            newest.forget_before(whole.oldest());
            seen = match step {
                Step::Current(seen) => {
                    weigh(&seen);
                    tokio::select! {
                        // The sender lives as long as `whole`.
                        _ = arrives.changed() => {}
                        () = ready.closed() => {}
                        _ = glances.tick() => self.sweep(),
                    }
                    seen
                }
                Step::Behind(seen) => seen,
                Step::Lost(old) => {
                    retire(old);
                    let began = Instant::now();
                    let made = self.make(self.whole.newest.get(), tenant).await?;
                    newest.replace(&newest.get(), Arc::clone(made.seen()));
                    weigh(&made);
                    tokio::select! {
                        () = tokio::time::sleep(began.elapsed() * REST) => {}
                        () = ready.closed() => {}
                    }
                    made
                }
            };
        }
        retire(seen);
        Ok(())
    }

    /// Makes what a tenant sees of a value: where it delays nobody, and one after the other.
    async fn make(&self, whole: Arc<Snapshot>, tenant: &str) -> Result<TenantView, KeepError> {
        // It is never closed.
        let _turn = self.making.acquire().await;
        let (views, tenant) = (self.clone(), tenant.to_owned());
        let made = spawn_in_background(move || match views.common(&whole)? {
            Some(common) => TenantView::beside(&whole, &tenant, &common),
            None => TenantView::of(&whole, &tenant),
        });
        Ok(made.await??)
    }

    /// Gives the common view of a value, or of one a little before it; `None` where there is one tenant.
    fn common(&self, whole: &Arc<Snapshot>) -> Result<Option<Arc<Snapshot>>, UnseenError> {
        if self.lock().len() < SEVERAL {
            return Ok(None);
        }
        let oldest = whole.revision().saturating_sub(OLDEST_COMMON);
        if let Some(common) = self.lock_common().as_mut().filter(|common| common.value.revision() >= oldest) {
            common.used = Instant::now();
            return Ok(Some(Arc::clone(&common.value)));
        }
        let value = Arc::new(TenantView::common(whole)?);
        retire(self.lock_common().replace(Common { value: Arc::clone(&value), used: Instant::now() }));
        Ok(Some(value))
    }

    /// Drops what nobody has used for long, and what nobody uses while there is no room.
    fn sweep(&self) {
        let mut tenants = self.lock();
        tenants.retain(|_, kept| kept.unused().is_none_or(|unused| unused < LONGEST_UNUSED));
        while bytes_of(&tenants) > self.room.bytes && evict(&mut tenants) {}
        drop(tenants);
        retire(self.lock_common().take_if(|common| common.used.elapsed() > GLANCE));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Kept>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_common(&self) -> MutexGuard<'_, Option<Common>> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// About how many bytes all views take.
fn bytes_of(tenants: &HashMap<String, Kept>) -> usize {
    tenants.values().map(|kept| kept.bytes.load(Ordering::Relaxed)).sum()
}

/// Drops the view that has not been used for the longest time; gives whether there was one that nobody uses.
fn evict(tenants: &mut HashMap<String, Kept>) -> bool {
    let unused = tenants.iter().filter_map(|(tenant, kept)| Some((kept.unused()?, tenant.clone())));
    unused.max().is_some_and(|(_, oldest)| tenants.remove(&oldest).is_some())
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
