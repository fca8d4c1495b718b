//! The rounds of a call: look at the node, decide, act, and so on.

use tokio::time::{Instant, sleep, timeout};
use underlay_hosts::host::Host;
use underlay_hosts::life::Duty;
use underlay_hosts::machine::CallError;
use underlay_hosts::provisioner::{Call, FailureKind, Job, Progress};

use super::IronicProvisioner;
use super::decide::{Act, At, Next, View, decide, name};
use super::facts::facts;
use crate::client::Node;

/// The maximum number of acts in a call. A duty has fewer.
const MAX_ACTS: usize = 12;

/// The progress of a call.
struct Rounds {
    /// The way in which the next decision is made: what was begun in this call is gone on with.
    call: Call,
    /// True if the settings of the node were brought up to date.
    is_fresh: bool,
    /// True if Ironic works for this call.
    has_begun: bool,
    acts: usize,
    /// The act that was refused last, with the state in which it was.
    refused: Option<(Act, Option<String>)>,
    began: Instant,
}

impl IronicProvisioner {
    /// Works on a job, as far as that is possible now.
    pub(super) async fn rounds(&self, job: &Job<'_>) -> Result<Progress, CallError> {
        let mut rounds =
            Rounds { call: job.call, is_fresh: false, has_begun: false, acts: 0, refused: None, began: Instant::now() };
        loop {
            let node = match self.look(job.host).await {
                Ok(node) => node,
                Err(_) if rounds.has_begun => return Ok(self.wait("the provisioner does not answer now")),
                Err(error) => return Err(error),
            };
            let view = View {
                node: node.as_ref(),
                host: job.host,
                order: job.order,
                call: rounds.call,
                is_fresh: rounds.is_fresh,
            };
            match decide(job.duty, &view) {
                Next::Act(act) => {
                    if let Some(end) = self.act_in(&mut rounds, job, node.as_ref(), act).await {
                        return end;
                    }
                }
                Next::Wait if self.waits_here(&rounds, node.as_ref()) => sleep(self.tempo.look).await,
                Next::Wait => return Ok(self.wait(&node.as_ref().map(name).unwrap_or_default())),
                Next::Later(reason) => return self.later(&rounds, reason),
                Next::Done => return Ok(self.done(job.duty, node.as_ref()).await),
                Next::Failed(kind, sentence) => return Ok(Progress::Failed { kind, sentence }),
                Next::Unknown => return Ok(Progress::Unknown),
            }
        }
    }

    /// Makes an act, and returns the end of the call if that is its end.
    async fn act_in(
        &self,
        rounds: &mut Rounds,
        job: &Job<'_>,
        node: Option<&Node>,
        act: Act,
    ) -> Option<Result<Progress, CallError>> {
        if rounds.acts >= MAX_ACTS || rounds.began.elapsed() >= self.tempo.within {
            return Some(self.later(rounds, "the provisioner is slow".to_owned()));
        }
        rounds.acts += 1;
        let error = match self.make(job, node, act).await {
            Ok(()) => {
                rounds.is_fresh |= matches!(act, Act::Create | Act::Refresh);
                if matches!(act, Act::Verb(_)) {
                    (rounds.call, rounds.has_begun) = (Call::Continue, true);
                }
                return None;
            }
            Err(error) => error,
        };
        match error {
            // The node may have changed between the look and the act. The next look shows it.
            CallError::Refused { .. } if rounds.refused != Some((act, node.map(name))) => {
                rounds.refused = Some((act, node.map(name)));
                None
            }
            // Only what begins work is worth a failure of the controller's call; the rest is asked for again.
            CallError::Refused { message, .. } if rounds.call == Call::Continue => {
                Some(Ok(Progress::Failed { kind: FailureKind::Work, sentence: message }))
            }
            CallError::NotMade { reason } => Some(self.later(rounds, reason)),
            CallError::Unanswered { reason } if rounds.call == Call::Continue => Some(Ok(self.wait(&reason))),
            error => Some(Err(error)),
        }
    }

    /// Looks at the node of a host, in time for an act after it.
    async fn look(&self, host: &Host) -> Result<Option<Node>, CallError> {
        timeout(self.tempo.within, self.directory.find(host)).await.unwrap_or_else(|_| {
            let reason = format!("the provisioner did not answer within {} s", self.tempo.within.as_secs());
            Err(CallError::NotMade { reason })
        })
    }

    /// Returns true if a wait is short enough to be waited for within the call.
    fn waits_here(&self, rounds: &Rounds, node: Option<&Node>) -> bool {
        let is_short = node.is_some_and(|node| At::of(node).is_short()) || rounds.has_begun;
        is_short && rounds.began.elapsed() < self.tempo.within / 2
    }

    /// Ends a call that can do nothing now: it is to be made again if it began nothing.
    fn later(&self, rounds: &Rounds, reason: String) -> Result<Progress, CallError> {
        match rounds.call {
            Call::Begin => Err(CallError::NotMade { reason }),
            Call::Continue => Ok(self.wait(&reason)),
        }
    }

    fn wait(&self, sentence: &str) -> Progress {
        Progress::Wait { again: self.tempo.again, sentence: Some(sentence.to_owned()) }
    }

    async fn done(&self, duty: Duty, node: Option<&Node>) -> Progress {
        let (Duty::Inspect, Some(node)) = (duty, node) else { return Progress::Done { facts: None } };
        // An inspection that stored no inventory found what is in the properties of the node.
        let inventory = self.client.inventory(&node.uuid).await.ok().flatten();
        Progress::Done { facts: Some(facts(node, inventory.as_ref())) }
    }
}
