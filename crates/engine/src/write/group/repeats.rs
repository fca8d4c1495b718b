//! Repeated requests: a request with the name of an earlier one of the same actor gets the answer of that one.
//!
//! Guarantees: a request is written once, even if it is repeated at another process at the same moment.

use std::sync::Arc;

use tracing::warn;
use underlay_entity::request;

use super::Committer;
use crate::feed;
use crate::store::Writing;
use crate::write::commit;
use crate::write::job::{Job, WriteAnswer, internal};
use underlay_inventory::Refusal;

impl Committer {
    /// Returns the jobs that were not written before. The others get the answer of the first time. While `writing`
    /// holds the revision, nobody else can write; without it, another process may write the same request at this
    /// moment.
    pub(super) async fn without_repeats(&self, jobs: Vec<Job>, writing: Option<&Writing>) -> Vec<Job> {
        let mut fresh = Vec::with_capacity(jobs.len());
        for job in jobs {
            let Some(request_id) = job.batch.request_id.as_deref() else {
                fresh.push(job);
                continue;
            };
            let (actor, since) = (&job.batch.author.actor, self.forgotten());
            let found = match writing {
                Some(writing) => writing.find_request(request_id, actor, since).await,
                None => self.store.find_request(request_id, actor, since).await,
            };
            match self.noting(found) {
                Ok(None) => fresh.push(job),
                Ok(Some(first)) if first.digest.is_some() && first.digest != job.digest => {
                    job.reply(Err(Refusal::RequestReused));
                }
                Ok(Some(first)) => self.repeat(job, first).await,
                Err(error) => self.refuse(vec![job], self.store.trouble(&error), &error),
            }
        }
        fresh
    }

    /// Answers a request that was answered before.
    async fn repeat(&self, job: Job, first: request::Model) {
        if first.revision > Some(self.current.get().revision())
            && let Err(error) = feed::catch_up(&self.store, &self.current).await
        {
            // Only the objects in the answer are older because of this.
            warn!("this process is behind the database: {error}");
        }
        let snapshot = self.current.get();
        let outcomes = commit::recall(&snapshot, first.outcome);
        let changes = match first.revision {
            None => Ok(Vec::new()),
            Some(revision) => self.store.changes_at(revision).await,
        };
        let changes = match changes {
            Ok(changes) => Arc::new(changes),
            Err(error) => return self.refuse(vec![job], self.store.trouble(&error), &error),
        };
        let base = Arc::clone(&snapshot);
        let answer = |outcomes| WriteAnswer { revision: first.revision, snapshot, base, outcomes, changes };
        job.reply(outcomes.map(answer).map_err(|error| internal(&error)));
    }
}
