//! Acquires hosts: chooses them on a snapshot outside the sequencer, and writes the choice if each of them can still be
//! claimed. If others were faster, it chooses again. Of machines that were seen a while ago it has controllers take another
//! look.

use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value as Json, json};
use underlay_entity::host::HostState;
use uuid::Uuid;

use super::choose::{Chosen, check_enough, choose};
use super::claim::Claim;
use super::claimable::unclaimable_of;
use super::error::OrderError;
use super::facts::word;
use super::looks::{LastLook, Looks};
use super::role::{HostRole, Spread};
use super::sharing::Machines;
use super::shortage::Shortage;
use super::spread::{Worst, worst_of};
use underlay_engine::runtime::{block_in_place, compute};
use underlay_engine::write::{Decision, Fields, Intent, Item, WriteAnswer};
use underlay_inventory::{ObjectRef, Refusal, Snapshot};

/// The number of times that hosts are chosen.
const MAX_ATTEMPTS: usize = 3;

/// The server, as far as a claim needs it.
pub trait Desk {
    /// Returns the current snapshot.
    fn current(&self) -> Arc<Snapshot>;

    /// Returns the time at which the machine of a host answered last; `None` if it never did.
    fn seen_at(&self, host: Uuid) -> Option<DateTime<Utc>>;

    /// Writes the claim in the name of the caller.
    fn claim(&self, claim: Arc<dyn Decision>) -> impl Future<Output = Result<WriteAnswer, Refusal>>;

    /// Writes the request for looks in the name of the caller, apart from the claim.
    fn look(&self, looks: Arc<dyn Decision>) -> impl Future<Output = Result<WriteAnswer, Refusal>>;
}

/// The result of a claim.
#[derive(Clone, Debug)]
pub struct Acquired {
    /// The answer to the batch that acquired the hosts, in the order in which they were chosen.
    pub answer: WriteAnswer,
    /// The worst single failure; `None` without a spread, or if no failure takes any of the hosts.
    pub worst: Option<Worst>,
}

/// A claim after the choice, which is judged when its batch is planned.
#[derive(Debug)]
struct Claiming {
    role: HostRole,
    claim: Arc<Claim>,
    request: Json,
    chosen: Result<Vec<LastLook>, OrderError>,
}

/// Acquires hosts. `request` is the claim as the client sent it. A repeated request gets the hosts of the first one.
///
/// # Errors
/// Returns an error if there are too few hosts, or others were faster three times.
pub async fn acquire(role: HostRole, claim: Claim, request: Json, desk: &impl Desk) -> Result<Acquired, Refusal> {
    claim.check()?;
    let claim = Arc::new(claim);
    for _ in 0..MAX_ATTEMPTS {
        let chosen = chosen(role, desk.current(), Arc::clone(&claim)).await;
        let (hosts, of_choice) = match chosen {
            Ok(Chosen { hosts, worst }) => (Ok(hosts), worst),
            Err(OrderError::Short(shortage)) => {
                (Err(OrderError::Short(looked_again(role, shortage, desk).await?)), None)
            }
            Err(error) => (Err(error), None),
        };
        let chosen = hosts.clone().map(|hosts| last_looks(hosts, desk));
        let decision = Claiming { role, claim: Arc::clone(&claim), request: request.clone(), chosen };
        match desk.claim(Arc::new(decision)).await {
            Err(Refusal::ClaimOvertaken) => {}
            Err(refusal) => return Err(refusal),
            Ok(answer) => {
                let written: Vec<Uuid> = answer.outcomes.iter().filter_map(|outcome| outcome.id).collect();
                let of_answer = match claim.spread {
                    // A repeated request gets the hosts of the first one, whatever was chosen now.
                    Some(spread) if hosts.as_ref() != Ok(&written) => worst(role, spread, &answer).await?,
                    _ => of_choice,
                };
                return Ok(Acquired { answer, worst: of_answer });
            }
        }
    }
    Err(Refusal::ClaimOvertaken)
}

/// Has controllers look again at the machines of a shortage that were seen running a while ago, and says so in it.
async fn looked_again(role: HostRole, mut shortage: Shortage, desk: &impl Desk) -> Result<Shortage, Refusal> {
    if shortage.running.is_empty() {
        return Ok(shortage);
    }
    let hosts = last_looks(shortage.running.clone(), desk);
    let answer = desk.look(Arc::new(Looks::new(role, hosts.clone()))).await?;
    shortage.looked_at = hosts.iter().filter(|last| last.is_asked(&role, &answer.snapshot)).count();
    Ok(shortage)
}

fn last_looks(hosts: Vec<Uuid>, desk: &impl Desk) -> Vec<LastLook> {
    hosts.into_iter().map(|host| LastLook { host, at: desk.seen_at(host) }).collect()
}

async fn chosen(role: HostRole, snapshot: Arc<Snapshot>, claim: Arc<Claim>) -> Result<Chosen, OrderError> {
    match claim.spread {
        None | Some(Spread::Enclosure) => block_in_place(|| choose(&role, &snapshot, &claim, None)),
        Some(_) => compute(move |stop| choose(&role, &snapshot, &claim, Some(stop))).await,
    }
}

/// Finds the worst failure of the hosts of an answer that was given before.
///
/// # Errors
/// Returns an error if the failures cannot be found within the bounds of impact.
pub async fn worst(role: HostRole, spread: Spread, answer: &WriteAnswer) -> Result<Option<Worst>, OrderError> {
    let hosts: Vec<Uuid> = answer.outcomes.iter().filter_map(|outcome| outcome.id).collect();
    let snapshot = Arc::clone(&answer.snapshot);
    compute(move |_| {
        let machine = |id: &Uuid| -> Option<ObjectRef> {
            snapshot.find(*id).and_then(|object| snapshot.outgoing(object).first_by(role.machine))
        };
        let machines: Vec<Option<ObjectRef>> = hosts.iter().map(machine).collect();
        let worst = worst_of(&role, &snapshot, spread, &machines)?;
        Ok(worst.map(|(failure, takes)| Worst { failure, takes: takes.iter().map(|at| hosts[*at]).collect() }))
    })
    .await
}

impl Claiming {
    fn judged(&self, base: &Snapshot, hosts: &[LastLook], now: DateTime<Utc>) -> Result<Vec<Fields>, OrderError> {
        let machines = Machines::of(&self.role, base);
        let acquired = |last: &LastLook| {
            let is_host = |object: &ObjectRef| object.kind == self.role.kind;
            let object = base.find(last.host).filter(is_host).ok_or(OrderError::Overtaken)?;
            let chosen_by = self.claim.selection.chosen_by();
            if unclaimable_of(&self.role, base, &machines, object, chosen_by).is_some() {
                return Err(OrderError::Overtaken);
            }
            let mut fields = Fields::with_room(4);
            fields.set("id", last.host.to_string().into());
            fields.set("state", json!(word(HostState::Acquired)));
            fields.set("acquiredFor", json!(self.claim.purpose));
            if let Some((name, asked)) = self.role.host(base, last.host).and_then(|host| last.asks(host, now)) {
                fields.set(name, asked);
            }
            Ok(fields)
        };
        hosts.iter().map(acquired).collect()
    }
}

impl Decision for Claiming {
    fn request(&self) -> &Json {
        &self.request
    }

    fn size(&self) -> usize {
        self.claim.count
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let hosts = match &self.chosen {
            Ok(hosts) => hosts,
            Err(error) => {
                // The choice may have been made on a snapshot that lacks what another process wrote.
                let is_still_short = match check_enough(&self.role, base, &self.claim) {
                    // The error of the choice says also which looks were asked for.
                    Err(OrderError::Short(_)) => true,
                    other => other.map(|()| false)?,
                };
                let holds_still = match error {
                    OrderError::Short(_) => is_still_short,
                    error => matches!(error, OrderError::Spread { .. } | OrderError::Impact(_)),
                };
                return Err(if holds_still { error.clone() } else { OrderError::Overtaken }.into());
            }
        };
        let kind = base.kind(self.role.kind);
        let item = |fields| Item::Write { kind, intent: Intent::Update, fields, if_version: None };
        Ok(self.judged(base, hosts, now)?.into_iter().map(item).collect())
    }
}
