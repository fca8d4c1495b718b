//! Keeps a view for each tenant, and updates it with the whole inventory while callers of the tenant use it.
//!
//! Guarantees: the snapshots of a tenant come in the order of revisions, without gaps. Each is exactly the part of the
//! whole snapshot of its revision that the tenant may see. Only the first caller of a tenant waits for its view to be
//! made. The views are bounded in number and in bytes. A view that nobody uses makes room for another one, or is
//! dropped after some time. Its task then ends, and its memory is freed at once.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use super::current::{CurrentSnapshot, retire};
use super::record;
use super::ring::{Revised, Room};
use super::view::View;
use crate::runtime::spawn_in_background;
use underlay_error::Code;
use underlay_inventory::{Snapshot, TenantView, UnseenError};

/// The maximum number of tenants that have views at a time.
pub const MAX_TENANTS: usize = 64;
/// The maximum size of the views of all tenants, in bytes. It is approximate.
const MAX_VIEWS_BYTES: usize = 2 * 1024 * 1024 * 1024;
/// The least size of a view, in bytes.
const MIN_VIEW_BYTES: usize = 64 * 1024;
/// The time after which an unused view is dropped.
const UNUSED_VIEW_TIMEOUT: Duration = Duration::from_secs(600);
/// The time between two searches for unused views.
const SWEEP_INTERVAL: Duration = Duration::from_secs(60);
/// The longest time that a caller waits for a new view. Making one takes seconds for a million ports.
const NEW_VIEW_TIMEOUT: Duration = Duration::from_secs(20);
/// The bounds of the recent revisions that each tenant's view holds, if the whole inventory still holds them. A
/// subscriber that resumes from an older revision reads everything again.
const RECENT_REVISIONS: Room = Room { revisions: 512, changes: 2_000, bytes: 4 * 1024 * 1024 };
/// A view is built again if the changes to its next revision are no longer held. Its task then pauses for this multiple
/// of the time that took.
const REBUILD_PAUSE_FACTOR: u32 = 2;
/// The maximum number of revisions that one step applies.
const MAX_REVISIONS_PER_STEP: usize = 256;
/// The number of tenants with views from which on the views are made from a common view.
const COMMON_VIEW_TENANTS: usize = 2;
/// The number of revisions by which the common view may be older than a tenant's view that is made from it. The
/// tenant's view then holds the changes since then in memory of its own.
const OLDEST_COMMON: i64 = 256;

/// The bounds of the views of all tenants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewRoom {
    /// The maximum number of tenants that have views at a time.
    pub tenants: usize,
    /// The size in bytes from which on no further view is made, unless an unused one makes room for it.
    pub bytes: usize,
}

impl Default for ViewRoom {
    fn default() -> Self {
        Self { tenants: MAX_TENANTS, bytes: MAX_VIEWS_BYTES }
    }
}

/// An error that prevents a tenant from getting its view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ViewError {
    #[error("the server cannot hold the view of another tenant now; try again later")]
    TooMany,
    #[error("the view of this tenant is still being computed; try again in a few seconds")]
    NotYet,
    #[error("the view of this tenant cannot be computed; the server log gives the reason")]
    Failed,
}

impl ViewError {
    /// Returns the error code for clients.
    pub fn code(&self) -> Code {
        match self {
            Self::TooMany | Self::NotYet => Code::Unavailable,
            Self::Failed => Code::Internal,
        }
    }
}

/// An error that ends the updates of a tenant's view.
#[derive(Debug, Error)]
enum KeepError {
    #[error(transparent)]
    Unseen(#[from] UnseenError),
    #[error("the computation ended early: {0}")]
    GivenUp(#[from] tokio::task::JoinError),
}

/// The views of all tenants, and the whole view.
#[derive(Clone, Debug)]
pub struct Views {
    whole: Arc<View>,
    room: ViewRoom,
    tenants: Arc<Mutex<HashMap<String, HeldView>>>,
    /// Views are made one after the other, because each takes a processor and some memory.
    making: Arc<Semaphore>,
    /// The common view, from which the views of tenants are made. It is dropped if no view was made for some time.
    common: Arc<Mutex<Option<Common>>>,
}

/// The part of the inventory that all tenants see.
#[derive(Debug)]
struct Common {
    snapshot: Arc<Snapshot>,
    used: Instant,
}

#[derive(Debug)]
struct HeldView {
    /// The task of the view ends when this receiver and those of waiting callers are dropped.
    view: watch::Receiver<Option<Arc<View>>>,
    used: Instant,
    /// The callers that wait for the view hold clones of this.
    waiting: Arc<()>,
    /// The approximate size of the view in bytes, which its task reports.
    bytes: Arc<AtomicUsize>,
}

impl HeldView {
    /// Returns the time since the view was last used. Returns `None` while it is in use.
    fn unused(&self) -> Option<Duration> {
        let free = self.view.borrow().as_ref().is_some_and(|view| Arc::strong_count(view) == 1);
        (free && Arc::strong_count(&self.waiting) == 1).then(|| self.used.elapsed())
    }
}

/// A view that exists or is being made.
struct Awaited {
    view: watch::Receiver<Option<Arc<View>>>,
    /// The view is not dropped while this is held.
    _waiting: Arc<()>,
}

impl Views {
    /// Creates the views. Callers without a tenant get the whole view.
    pub fn new(whole: View) -> Self {
        Self::with_room(whole, ViewRoom::default())
    }

    /// Creates the views with other bounds.
    pub fn with_room(whole: View, room: ViewRoom) -> Self {
        let making = Arc::new(Semaphore::new(1));
        Self { whole: Arc::new(whole), room, tenants: Arc::default(), making, common: Arc::default() }
    }

    /// Returns the view of callers without a tenant.
    pub fn whole(&self) -> &Arc<View> {
        &self.whole
    }

    /// Returns the view of a tenant, or the whole view for callers without a tenant. The view is updated for as long as
    /// it is held.
    ///
    /// # Errors
    /// Returns an error if the view cannot be computed, or not in time.
    pub async fn of(&self, tenant: Option<&str>) -> Result<Arc<View>, ViewError> {
        let Some(tenant) = tenant else { return Ok(Arc::clone(&self.whole)) };
        let mut awaited = self.kept(tenant)?;
        match tokio::time::timeout(NEW_VIEW_TIMEOUT, awaited.view.wait_for(Option::is_some)).await {
            Ok(Ok(view)) => view.clone().ok_or(ViewError::Failed),
            Ok(Err(_)) => Err(ViewError::Failed),
            Err(_) => Err(ViewError::NotYet),
        }
    }

    /// Returns the views of tenants that are complete.
    pub fn of_tenants(&self) -> Vec<Arc<View>> {
        self.lock().values().filter_map(|kept| kept.view.borrow().clone()).collect()
    }

    /// Returns the view of a tenant, and begins to make it if it does not exist.
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
        let kept = HeldView { view, used: Instant::now(), waiting, bytes: Arc::clone(&bytes) };
        tenants.insert(tenant.to_owned(), kept);
        tokio::spawn(self.clone().keep(tenant.to_owned(), ready, bytes));
        Ok(awaited)
    }

    /// Makes the view of a tenant, and updates it until it is dropped.
    async fn keep(self, tenant: String, ready: watch::Sender<Option<Arc<View>>>, bytes: Arc<AtomicUsize>) {
        if let Err(error) = self.replicate(&tenant, &ready, &bytes).await {
            tracing::error!(tenant, "the view of a tenant cannot be computed: {error}");
        }
        let removed = {
            let mut tenants = self.lock();
            // Another view may have been begun for the tenant after this one was dropped.
            let is_ours = tenants.get(&tenant).is_some_and(|kept| Arc::ptr_eq(&kept.bytes, &bytes));
            is_ours.then(|| tenants.remove(&tenant))
        };
        retire((removed, ready));
        if self.lock().is_empty() {
            retire(self.lock_common().take());
        }
    }

    /// Updates the view of a tenant with the whole view until it is dropped.
    async fn replicate(
        &self,
        tenant: &str,
        ready: &watch::Sender<Option<Arc<View>>>,
        bytes: &AtomicUsize,
    ) -> Result<(), KeepError> {
        let whole = self.whole.current.clone();
        let mut arrives = whole.watch();
        let first = arrives.borrow_and_update().clone();
        let mut seen = self.make(first, tenant).await?;
        let current = CurrentSnapshot::with_room(Snapshot::clone(seen.seen()), RECENT_REVISIONS);
        let weigh = |seen: &TenantView| {
            bytes.store(MIN_VIEW_BYTES + seen.about_bytes() + current.about_bytes(), Ordering::Relaxed);
        };
        weigh(&seen);
        ready.send_replace(Some(Arc::new(View::part(
            current.clone(),
            self.whole.answers.of_tenant(tenant),
            self.whole.observed.clone(),
        ))));
        // The interval also passes while writes arrive without a pause.
        let mut sweeps = tokio::time::interval(SWEEP_INTERVAL);
        while !ready.is_closed() {
            let (of_whole, of_tenant) = (whole.clone(), current.clone());
            let step = tokio::task::spawn_blocking(move || step(seen, &of_whole, &of_tenant)).await??;
            current.forget_before(whole.oldest());
            seen = match step {
                Step::Current(seen) => {
                    weigh(&seen);
                    tokio::select! {
                        // The sender lives as long as `whole`.
                        _ = arrives.changed() => {}
                        () = ready.closed() => {}
                        _ = sweeps.tick() => self.sweep(),
                    }
                    seen
                }
                Step::Behind(seen) => seen,
                Step::Lost(old) => {
                    retire(old);
                    let began = Instant::now();
                    let made = self.make(self.whole.current.get(), tenant).await?;
                    current.replace(&current.get(), Arc::clone(made.seen()));
                    weigh(&made);
                    tokio::select! {
                        () = tokio::time::sleep(began.elapsed() * REBUILD_PAUSE_FACTOR) => {}
                        () = ready.closed() => {}
                    }
                    made
                }
            };
        }
        retire(seen);
        Ok(())
    }

    /// Makes the view of a tenant from a whole snapshot, on a thread that may block, one view after the other.
    async fn make(&self, whole: Arc<Snapshot>, tenant: &str) -> Result<TenantView, KeepError> {
        // The semaphore is never closed.
        let _turn = self.making.acquire().await;
        let (views, tenant) = (self.clone(), tenant.to_owned());
        let made = spawn_in_background(move || match views.common(&whole)? {
            Some(common) => TenantView::beside(&whole, &tenant, &common),
            None => TenantView::of(&whole, &tenant),
        });
        Ok(made.await??)
    }

    /// Returns the common view of a snapshot or of a slightly older one. Returns `None` if there is only one tenant.
    fn common(&self, whole: &Arc<Snapshot>) -> Result<Option<Arc<Snapshot>>, UnseenError> {
        if self.lock().len() < COMMON_VIEW_TENANTS {
            return Ok(None);
        }
        let oldest = whole.revision().saturating_sub(OLDEST_COMMON);
        if let Some(common) = self.lock_common().as_mut().filter(|common| common.snapshot.revision() >= oldest) {
            common.used = Instant::now();
            return Ok(Some(Arc::clone(&common.snapshot)));
        }
        let snapshot = Arc::new(TenantView::common(whole)?);
        retire(self.lock_common().replace(Common { snapshot: Arc::clone(&snapshot), used: Instant::now() }));
        Ok(Some(snapshot))
    }

    /// Drops views that were not used for a long time, and further unused views while the bounds are exceeded.
    fn sweep(&self) {
        let mut tenants = self.lock();
        tenants.retain(|_, kept| kept.unused().is_none_or(|unused| unused < UNUSED_VIEW_TIMEOUT));
        while bytes_of(&tenants) > self.room.bytes && evict(&mut tenants) {}
        drop(tenants);
        retire(self.lock_common().take_if(|common| common.used.elapsed() > SWEEP_INTERVAL));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, HeldView>> {
        self.tenants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_common(&self) -> MutexGuard<'_, Option<Common>> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the approximate size of all views in bytes.
fn bytes_of(tenants: &HashMap<String, HeldView>) -> usize {
    tenants.values().map(|kept| kept.bytes.load(Ordering::Relaxed)).sum()
}

/// Drops the view that was unused for the longest time. Returns false if every view is in use.
fn evict(tenants: &mut HashMap<String, HeldView>) -> bool {
    let unused = tenants.iter().filter_map(|(tenant, kept)| Some((kept.unused()?, tenant.clone())));
    unused.max().is_some_and(|(_, oldest)| tenants.remove(&oldest).is_some())
}

/// The progress of a tenant's view.
enum Step {
    /// The view is at the revision of the whole view.
    Current(TenantView),
    /// The view is behind, and the next changes are held.
    Behind(TenantView),
    /// The next changes are not held, so the view must be built again.
    Lost(TenantView),
}

/// Applies the next revisions that are held, and publishes each with the changes that the tenant sees.
fn step(mut seen: TenantView, whole: &CurrentSnapshot, current: &CurrentSnapshot) -> Result<Step, UnseenError> {
    for _ in 0..MAX_REVISIONS_PER_STEP {
        let (at, target) = (seen.seen().head(), whole.get().head());
        if at == target {
            return Ok(Step::Current(seen));
        }
        let next = whole.recent(at.revision + 1).filter(|revised| revised.before.head() == at);
        let Some(revised) = next else { return Ok(Step::Lost(seen)) };
        let before = current.get();
        let touched = seen.replicate(&revised.after, revised.changes.iter().map(|change| change.object_id))?;
        let after = Arc::clone(seen.seen());
        let changes = changes(&before, &after, &touched, &revised);
        current.follow(&before, vec![Revised { before: Arc::clone(&before), after, changes: Arc::new(changes) }]);
    }
    Ok(Step::Behind(seen))
}

/// Returns the changes of a revision that a tenant sees.
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
