//! The state of a request that resolvers use: the snapshot that the whole request reads, the caller, and access to the
//! write path and the change log.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use async_graphql::{Context, Result};
use foldhash::HashMap;

use super::shared_values::SharedValues;
use super::write_handle::WriteHandle;
use underlay_engine::access::{Caller, CallerKey, Channel, Forbidden, WriteKind, WritePermit};
use underlay_engine::feed::View;
use underlay_engine::runtime::{FairSemaphore, Permit, compute};
use underlay_engine::secrets::{Keys, Secrets};
use underlay_engine::sources::Sources;
use underlay_engine::store::Store;
use underlay_engine::write::{MAX_BATCH_ITEMS, WriteAnswer};
use underlay_inventory::Snapshot;
use underlay_read::{Budget, FilterShare, Pace, Places};
use underlay_topology::StopFlag;

/// The request that resolvers serve.
#[derive(Debug)]
pub struct Request {
    snapshot: Mutex<Arc<Snapshot>>,
    /// The budget for its answer.
    pub pace: Arc<Pace>,
    /// The authenticated caller of the request.
    caller: Arc<Caller>,
    /// The identity by which the caller's use of the server is counted.
    key: CallerKey,
    /// The view of the caller.
    pub view: Arc<View>,
    /// The change log as the caller reads it; `None` if the caller sees only a part of the inventory.
    log: Option<Store>,
    /// The maximum number of items in a batch.
    max_items: usize,
    /// The maximum number of steps of a filter on one list.
    max_steps: u64,
    /// The write path and the runs of sources. Only a write handle can write.
    sources: Sources,
    /// The way to the secrets.
    secrets: Secrets,
    /// The protection of the connection on which the caller asks.
    channel: Channel,
    /// The results of the writes of a mutation, by the response key of the field.
    written: Mutex<HashMap<String, Result<Arc<WriteAnswer>>>>,
    /// The values that equal fields share.
    pub shared: SharedValues,
    /// The places that all callers share.
    places: Places,
}

impl Request {
    /// Returns a request that reads a snapshot.
    pub fn new(snapshot: Arc<Snapshot>, caller: Arc<Caller>, view: Arc<View>, sources: Sources) -> Self {
        let (snapshot, pace) = (Mutex::new(snapshot), Arc::new(Pace::new(None)));
        let secrets = Secrets::new(sources.store().clone(), Keys::none());
        let key = caller.key();
        let log = view.log().map(|log| log.for_caller(key.clone()));
        let (channel, written, max_items) = (Channel::Plain, Mutex::default(), MAX_BATCH_ITEMS);
        let (shared, places) = (SharedValues::default(), Places::default());
        Self {
            snapshot,
            pace,
            caller,
            key,
            view,
            log,
            sources,
            max_items,
            max_steps: u64::MAX,
            secrets,
            channel,
            written,
            shared,
            places,
        }
    }

    /// Returns the request with the places that it shares with all others.
    pub fn with_places(self, places: Places) -> Self {
        Self { places, ..self }
    }

    /// Returns the request with a way to the secrets, and with the protection of its connection.
    pub fn with_secrets(self, secrets: Secrets, channel: Channel) -> Self {
        Self { secrets, channel, ..self }
    }

    /// Returns the request with another limit for batches.
    pub fn with_max_items(self, max_items: usize) -> Self {
        Self { max_items, ..self }
    }

    /// Returns the request with a limit for filters.
    pub fn with_max_steps(self, max_steps: u64) -> Self {
        Self { max_steps, ..self }
    }

    /// Returns the work that the filter of one list may take.
    pub fn filter_share(&self) -> FilterShare {
        self.places.filter_share(self.key.clone(), self.max_steps)
    }

    /// Returns the request with a budget for its answer.
    pub fn with_budget(self, budget: Arc<Budget>) -> Self {
        Self { pace: Arc::new(Pace::new(Some(budget))), ..self }
    }

    /// Returns the request that a resolver serves.
    pub fn of<'a>(context: &Context<'a>) -> &'a Self {
        context.data_unchecked::<Arc<Self>>()
    }

    /// Returns the snapshot that the request reads. In a mutation, it is the snapshot after the last write.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Continues with the snapshot after a write.
    pub fn wrote(&self, answer: &WriteAnswer) {
        if answer.revision.is_some() {
            *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&answer.snapshot);
        }
    }

    /// Writes once for each response key of a mutation, and returns the same result if the field is executed again. The
    /// library executes a field again for each fragment that repeats it, but the GraphQL specification requires that
    /// fields with the same response key are executed once.
    ///
    /// # Errors
    /// Returns the error of the write.
    pub async fn once(
        &self,
        context: &Context<'_>,
        writing: impl Future<Output = Result<WriteAnswer>>,
    ) -> Result<Arc<WriteAnswer>> {
        let written = || self.written.lock().unwrap_or_else(PoisonError::into_inner);
        let field = context.field();
        let name = field.alias().unwrap_or_else(|| field.name());
        // The fields of a mutation are executed one after the other.
        if let Some(answer) = written().get(name) {
            return answer.clone();
        }
        let answer = writing.await.map(Arc::new);
        written().insert(name.to_owned(), answer.clone());
        answer
    }

    /// Waits for the turn of the caller to compute something that needs much memory or time.
    pub async fn turn_to_compute(&self) -> Permit<CallerKey> {
        self.places.computations.acquire(self.key.clone()).await
    }

    /// Runs a long computation in the turn of the caller, as [`compute`] does.
    pub async fn compute<T: Send + 'static>(&self, work: impl FnOnce(StopFlag) -> T + Send + 'static) -> T {
        let turn = self.turn_to_compute().await;
        // A computation that nobody waits for any more has its place until it has stopped.
        compute(move |stop| {
            let result = work(stop);
            drop(turn);
            result
        })
        .await
    }

    /// Returns the places for walks through the log, and the key of the caller in them.
    pub fn walks(&self) -> (FairSemaphore<CallerKey>, CallerKey) {
        (self.places.walks.clone(), self.key.clone())
    }

    /// Continues with another snapshot: that of the next event of a subscription, or an empty one while there is no
    /// event, so that an idle subscription keeps no snapshot in memory.
    pub fn look_at(&self, snapshot: Arc<Snapshot>) {
        *self.snapshot.lock().unwrap_or_else(PoisonError::into_inner) = snapshot;
    }

    /// Returns the runs of sources. The caller must have asked for a handle first, or for the log.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Continues on the newest snapshot after a call for a run.
    pub fn look_at_newest(&self) {
        if self.view.log().is_some() {
            self.look_at(self.sources.current());
        }
    }

    /// Yields to other requests if this one has used its time slice. Expensive fields call it, because a list can
    /// request them for many objects.
    pub async fn yield_now(&self) {
        self.pace.yield_now().await;
    }

    /// Returns access to the change log.
    ///
    /// # Errors
    /// Returns an error if the caller sees only a part of the inventory.
    pub fn log(&self) -> Result<&Store, Forbidden> {
        self.database_for("the change log")
    }

    /// Returns access to something in the database that cannot be separated by tenant.
    ///
    /// # Errors
    /// Returns an error if the caller sees only a part of the inventory.
    pub fn database_for(&self, what: &'static str) -> Result<&Store, Forbidden> {
        let caller = &self.caller;
        self.log
            .as_ref()
            .ok_or_else(|| Forbidden::OfAllTenants { what, tenant: caller.tenant().unwrap_or_default().to_owned() })
    }

    /// Returns access to what exists outside and is no host.
    ///
    /// # Errors
    /// Returns an error if the caller is neither an operator nor an admin, or belongs to a tenant.
    pub fn strays_to_read(&self) -> Result<&Store, Forbidden> {
        self.caller.reads_strays()?;
        self.database_for("strays")
    }

    /// Returns true if the caller may read the errors of the runs of a source.
    pub fn reads_errors_of(&self, source: &str) -> bool {
        self.caller.reads_run_errors(source).is_ok()
    }

    /// Returns the way to the secrets, for the caller to read them, and the name of the caller.
    ///
    /// # Errors
    /// Returns an error if the caller may not read secrets, or if the connection is not protected.
    pub fn secrets_to_read(&self) -> Result<(&Secrets, &str), Forbidden> {
        self.caller.reads_secrets(self.channel)?;
        Ok((&self.secrets, self.caller.actor()))
    }

    /// Returns the way to the secrets, for the caller to set them.
    ///
    /// # Errors
    /// Returns an error if the caller may not set secrets, or if the connection is not protected.
    pub fn secrets_to_set(&self) -> Result<(&Secrets, WritePermit), Forbidden> {
        Ok((&self.secrets, self.caller.sets_secrets(self.channel)?))
    }

    /// Returns the way to the secrets, for the caller to encrypt them anew.
    ///
    /// # Errors
    /// Returns an error if the caller may not.
    pub fn secrets_to_rotate(&self) -> Result<&Secrets, Forbidden> {
        self.caller.permit(WriteKind::RotateSecrets)?;
        Ok(&self.secrets)
    }

    /// Returns the authenticated caller.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Returns the identity by which the caller's use of the server is counted.
    pub fn caller_key(&self) -> &CallerKey {
        &self.key
    }

    /// Checks that the caller may write in a way, on the connection of the request.
    ///
    /// # Errors
    /// Returns an error if the caller may not.
    pub fn permits(&self, kind: WriteKind<'_>) -> Result<(), Forbidden> {
        match kind {
            WriteKind::SetSecrets => self.caller.sets_secrets(self.channel),
            WriteKind::IssueAgentTokens => self.caller.issues_agent_tokens(self.channel),
            kind => self.caller.permit(kind),
        }
        .map(|_| ())
    }

    /// Returns the handle that writes on behalf of the caller.
    ///
    /// # Errors
    /// Returns an error if the caller may not write in this way.
    pub fn handle(&self, kind: WriteKind<'_>) -> Result<WriteHandle, Forbidden> {
        Ok(WriteHandle::new(self.sources.clone(), self.caller.permit(kind)?, self.max_items))
    }
}
