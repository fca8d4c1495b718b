//! The provisioner `direct`: machines boot what the server itself prepared, and report to it.
//!
//! It opens and closes the attempt of an order at the server, and follows what the machine reports. The drivers power the
//! machine and set what it boots.
//!
//! Guarantee: nothing is begun twice. The server keeps the attempt with the order, and opens none for an order for which the
//! machine has worked.

mod progress;
mod remote;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, ready};
use uuid::Uuid;

pub use progress::{BootAttempt, BootAttemptState};
pub use remote::RemoteBoots;

use crate::api::{ApiError, Fence};
use crate::host::{Host, OrderKey, Time};
use crate::life::{Duty, PowerAct};
use crate::machine::{CallError, Target};
use crate::provisioner::{Call, FailureKind, Job, Progress, Provisioner, RegisteredPage, Sighting};

/// The name of the provisioner.
pub const NAME: &str = "direct";
/// The time after which the server is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(5);

/// The attempts of hosts at the server.
pub trait Boots: Send + Sync {
    /// Opens the attempt of an order. Returns the reason of the server if it refuses.
    fn open<'a>(
        &'a self,
        host: Uuid,
        order: Uuid,
        fence: &'a Fence,
    ) -> BoxFuture<'a, Result<Result<(), String>, ApiError>>;

    /// Closes the attempt of an order, if there is one and its work goes on.
    fn close<'a>(&'a self, host: Uuid, order: Uuid, fence: &'a Fence) -> BoxFuture<'a, Result<(), ApiError>>;

    /// Returns the last attempt of a host, with the time of the server.
    fn attempt(&self, host: Uuid) -> BoxFuture<'_, Result<(Option<BootAttempt>, Time), ApiError>>;
}

/// The provisioner.
#[derive(Clone)]
pub struct Direct {
    boots: Arc<dyn Boots>,
}

impl Direct {
    /// Returns the provisioner of a server.
    pub fn new(boots: Arc<dyn Boots>) -> Self {
        Self { boots }
    }

    async fn prepare(&self, job: &Job<'_>, order: Uuid) -> Result<Progress, CallError> {
        if job.call == Call::Continue {
            let attempt = self.attempt_of(job.host.id, order).await?.0;
            return Ok(attempt.map_or(Progress::Unknown, |_| Progress::Done { facts: None }));
        }
        match self.boots.open(job.host.id, order, fence(job)?).await.map_err(not_made)? {
            Ok(()) => Ok(Progress::Done { facts: None }),
            Err(sentence) => Ok(Progress::Failed { kind: FailureKind::Profile, sentence }),
        }
    }

    async fn follow(&self, host: Uuid, order: Uuid) -> Result<Progress, CallError> {
        let (attempt, now) = self.attempt_of(host, order).await?;
        Ok(attempt.map_or(Progress::Unknown, |attempt| attempt.progress(now, ASK_AGAIN)))
    }

    /// Returns the attempt of an order, with the time of the server.
    async fn attempt_of(&self, host: Uuid, order: Uuid) -> Result<(Option<BootAttempt>, Time), CallError> {
        let (attempt, now) = self.boots.attempt(host).await.map_err(not_made)?;
        Ok((attempt.filter(|attempt| attempt.order == order), now))
    }
}

impl Provisioner for Direct {
    fn owns_machine(&self) -> bool {
        false
    }

    fn work<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Progress, CallError>> {
        Box::pin(async move {
            let done = Progress::Done { facts: None };
            let Some(order) = job.order.id else {
                // Only orders from the time before orders had ids have none, and none of these was for this provisioner.
                return Ok(if job.duty == Duty::Delete { done } else { Progress::Unknown });
            };
            match job.duty {
                Duty::Register | Duty::Adopt | Duty::Delete => Ok(done),
                Duty::Prepare => self.prepare(&job, order).await,
                Duty::Inspect | Duty::Install | Duty::Deinstall => self.follow(job.host.id, order).await,
                Duty::Detach => {
                    self.boots.close(job.host.id, order, fence(&job)?).await.map_err(not_made)?;
                    Ok(done)
                }
            }
        })
    }

    fn power<'a>(&'a self, _: &'a Host, _: &'a Target, _: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        let message = "the provisioner direct does not own machines; their driver powers them".to_owned();
        Box::pin(ready(Err(CallError::Refused { reason: "NotOwned".to_owned(), message })))
    }

    fn see<'a>(&'a self, host: &'a Host) -> BoxFuture<'a, Result<Sighting, CallError>> {
        Box::pin(async move {
            let key = host.order_key();
            let attempt = match key.id {
                Some(order) => self.attempt_of(host.id, order).await?.0,
                None => None,
            };
            let script_of = attempt
                .filter(|attempt| attempt.text_at.is_some())
                .map(|attempt| OrderKey { number: key.number, id: Some(attempt.order) });
            Ok(Sighting { power: None, is_known: true, script_of })
        })
    }

    fn has_register(&self) -> bool {
        // Every attempt is that of a host of the graph.
        false
    }

    fn registered<'a>(&'a self, _: Option<&'a str>) -> BoxFuture<'a, Result<RegisteredPage, CallError>> {
        Box::pin(ready(Ok(RegisteredPage::default())))
    }
}

fn fence<'a>(job: &Job<'a>) -> Result<&'a Fence, CallError> {
    job.fence.ok_or_else(|| CallError::NotMade { reason: "the lease of the host is not held".to_owned() })
}

/// Returns the error of a call to the server. To make it again changes nothing.
fn not_made(error: ApiError) -> CallError {
    match error {
        ApiError::Refused(message) => CallError::Refused { reason: "NotPrepared".to_owned(), message },
        error => CallError::NotMade { reason: error.to_string() },
    }
}
