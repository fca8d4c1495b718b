//! Handles commits that failed, and determines the answers if the result of a commit did not arrive.
//!
//! Guarantees: a batch is reported as written only if it is, and as not written only if it never will be. If neither
//! can be determined, the answer says so.

use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder as _, ExponentialBuilder};
use tracing::{error, warn};

use super::{Committer, Failure, Work, jobs_of};
use crate::feed;
use crate::store::{StoreError, Trouble};
use crate::write::change_capture::Records;
use crate::write::job::internal;
use crate::write::plan::Planned;
use underlay_inventory::{Refusal, Snapshot};

/// The pauses before the attempts to find out whether a batch was committed after its connection was lost: five, from
/// 50 ms to 2 s, each with a random part of up to as much, so that replicas do not ask at the same moment.
const LOOKUP_DELAYS: ExponentialBuilder = ExponentialBuilder::new()
    .with_min_delay(Duration::from_millis(50))
    .with_factor(2.5)
    .with_max_times(5)
    .with_jitter();

impl Committer {
    /// Handles a database error. What was not written is refused, or retried batch by batch if one batch of a group is
    /// the cause. What may have been written is looked up.
    pub(super) async fn recover(&self, base: &Arc<Snapshot>, works: Vec<Work>, failure: Failure) {
        match failure {
            Failure::Unknown(error, records) => self.look_up(base, works, records, error).await,
            Failure::Nothing(error) if error.may_be_of_one() && works.len() > 1 => {
                warn!(batches = works.len(), "a shared commit failed, each batch goes alone: {error}");
                for work in works {
                    Box::pin(self.write(vec![work.job])).await;
                }
            }
            Failure::Nothing(error) if error.is_violation() => {
                let refusal = internal(&format!("the database refused a batch that was checked: {error}"));
                // The snapshot is loaded again only if the database has another revision. Otherwise it would be the
                // same.
                if let Err(error) = feed::catch_up(&self.store, &self.current).await {
                    error!("this process cannot get in step with the database: {error}");
                }
                works.into_iter().for_each(|work| work.job.reply(Err(refusal.clone())));
            }
            Failure::ChangeCapture(error) => {
                let refusal = internal(&format!("the changes of a batch cannot be recorded: {error}"));
                works.into_iter().for_each(|work| work.job.reply(Err(refusal.clone())));
            }
            Failure::Nothing(error) => self.refuse(jobs_of(works), self.store.trouble(&error), &error),
            Failure::LeaseLost { lease, epoch } => {
                let refusal = Refusal::LeaseLost { lease, epoch };
                works.into_iter().for_each(|work| work.job.reply(Err(refusal.clone())));
            }
            Failure::RunOvertaken => works.into_iter().for_each(|work| work.job.reply(Err(Refusal::RunOvertaken))),
            // The revision was held, so nobody can have written: the database was restored at this moment.
            Failure::Overtaken => self.refuse(jobs_of(works), Trouble::Unreachable, &"another history"),
        }
    }

    /// Determines whether a group was committed, which is true for all of it or for nothing.
    async fn look_up(&self, base: &Arc<Snapshot>, works: Vec<Work>, records: Records, error: StoreError) {
        warn!("a commit was not answered as it should be: {error}");
        let written = works.iter().find(|work| work.planned.as_ref().is_ok_and(Planned::changes_something));
        let id = match written.map(|work| work.job.batch.id) {
            Some(id) => Some(id),
            // The items that a run saw may not be stored, so they must be sent again.
            None if works.iter().any(|work| work.run.is_some()) => None,
            None => return self.publish(base, works, records),
        };
        for (id, pause) in LOOKUP_DELAYS.build().filter_map(|pause| Some((id?, pause))) {
            tokio::time::sleep(pause).await;
            match self.find_batch(id).await {
                Ok(true) => return self.publish(base, works, records),
                Ok(false) if self.store.is_shared() => {
                    return self.refuse(jobs_of(works), self.store.trouble(&error), &error);
                }
                // On SQLite the commit may be complete in the log, where the next process finds it if this one crashes
                // before it writes again.
                Ok(false) => break,
                Err(lookup) => warn!("the database did not answer if a batch was committed: {lookup}"),
            }
        }
        let met = match self.store.trouble(&error) {
            Trouble::Slow | Trouble::Unreachable => "the database became unavailable during the commit",
            trouble => trouble.clause(),
        };
        let refusal = Refusal::Unavailable(format!(
            "{met}, and it is not known whether the batch was written: read the objects before repeating it, or repeat it with the \
             same requestId"
        ));
        for work in works {
            // An item that was refused before the commit was not part of it.
            let refusal = work.planned.err().unwrap_or_else(|| refusal.clone());
            work.job.reply(Err(refusal));
        }
    }

    async fn find_batch(&self, id: uuid::Uuid) -> Result<bool, StoreError> {
        let writing = self.noting(self.store.begin_write().await)?;
        // The lost connection may still be committing. The row is free when that has ended.
        writing.hold().await?;
        let found = writing.find_batch(id).await?.is_some();
        // A rollback that fails leaves nothing either, because its connection is closed.
        let _ = writing.roll_back().await;
        Ok(found)
    }
}
