//! A pass writes the reported fields of a host that differ.

use tokio::time::Instant;
use underlay_kit::control::Then;

use super::{IDLE_CHECK_DELAY, OTHER_GRAPH_DELAY, Pass, REFUSED_RETRY_DELAY, Turned, fence, is_by_hand};
use crate::api::{Api, ApiError, Change, Refusal};
use crate::controller::Shared;
use crate::controller::conditions::{Known, conditions};
use crate::controller::safety::Halt;
use crate::host::{Power, State};

impl<A: Api> Shared<A> {
    /// Returns the reported fields as they should be, but for the state and the order.
    pub(super) fn change(&self, pass: &Pass<'_>) -> Change {
        let mut change = Change::of(&pass.host);
        if let Some((power, _)) = self.cache.evidence(&pass.host).power
            && power != Power::Unknown
        {
            change.power = power;
        }
        let known = Known {
            unserved: pass.unserved.clone(),
            halt: pass.halt,
            is_by_hand: is_by_hand(&pass.backends),
            unreachable: self.cache.unreachable(pass.host.id),
            other_machine: self.cache.other_machine(pass.host.id),
            not_taken_over: self.cache.not_taken_over(pass.host.id),
        };
        change.conditions = conditions(&pass.host, &known);
        change.facts = self.cache.facts(pass.host.id);
        // The first good look is remembered, and a machine that told nothing before.
        if !pass.host.is_pinned() {
            change.seen_identity = self.cache.identity(pass.host.id).or(change.seen_identity);
        }
        change
    }

    /// Returns the reported fields as they should be when the order ends in a state.
    pub(super) fn end(&self, pass: &Pass<'_>, state: State) -> Change {
        let mut change = self.change(pass);
        change.generation_done = change.generation;
        (change.state, change.step) = (state, None);
        change
    }

    /// Writes what differs from what the host has, and ends the pass.
    pub(super) async fn sync(&self, pass: &mut Pass<'_>, then: Then) -> Turned {
        let change = self.change(pass);
        if change == Change::of(&pass.host) {
            return Turned::End(then);
        }
        match self.write(pass, change).await {
            Turned::On(_) => Turned::End(then),
            end @ Turned::End(_) => end,
        }
    }

    /// Writes a change, and returns the host as it is then. Notes if nothing may be done any more.
    pub(super) async fn write(&self, pass: &mut Pass<'_>, change: Change) -> Turned {
        let id = pass.host.id;
        let has_facts = change.facts.is_some();
        let asked = Instant::now();
        let answer = match self.reporter.change(id, fence(pass.held), change).await {
            Ok(answer) => answer,
            Err(ApiError::Refused(reason)) => return Turned::End(Then::Failed(reason)),
            Err(error) => return Turned::End(Then::Failed(error.to_string())),
        };
        pass.halt = self.safety.check(&answer.status).err();
        if pass.halt == Some(Halt::OtherGraph) {
            // As if the answer was lost: what was written is read again, and no act follows.
            return Turned::End(Then::At(Instant::now() + OTHER_GRAPH_DELAY));
        }
        match answer.outcome {
            Ok(host) if !self.is_here(host.site) => {
                self.leaves(&host);
                Turned::End(Then::Rest)
            }
            Ok(host) => {
                self.is_at_site(id, asked);
                if has_facts {
                    self.cache.wrote_facts(id);
                }
                self.cache.read(&host, pass.held.epoch);
                Turned::On(Box::new(host))
            }
            Err(Refusal::Changed) => Turned::End(Then::At(Instant::now() + REFUSED_RETRY_DELAY)),
            Err(Refusal::OldEpoch | Refusal::Gone) => {
                self.cache.forget(id);
                Turned::End(Then::At(Instant::now() + IDLE_CHECK_DELAY))
            }
            Err(Refusal::Other(reason)) => Turned::End(Then::Failed(reason)),
        }
    }
}
