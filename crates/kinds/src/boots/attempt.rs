//! The decisions about an attempt, as pure functions of the host, of the attempt and of the time.

use chrono::TimeDelta;
use serde_json::Value as Json;
use thiserror::Error;
use underlay_engine::store::BootGround;
use underlay_entity::boot_attempt::{BootAttemptState, BootPurpose, Model as Attempt};
use underlay_entity::host::{HostAct, HostState, Model as Host};
use uuid::Uuid;

use super::DIRECT;
use super::refusal::WhyDisk;
use crate::grammar::enum_name;

/// The number of boots that an attempt has before one of them fetches its text.
pub const MAX_BOOTS: i32 = 3;
/// The steps in which the machine of a host is to boot, or works. Before them the machine was looked at.
const BOOTING_STEPS: [&str; 6] = ["boot-network", "power-on", "power-cycle", "inspect", "install", "wipe"];
/// The step in which an attempt is opened.
const PREPARE: &str = "prepare";

/// The reason why a controller gets no attempt.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotOpened {
    #[error("controllers may only observe")]
    ObserveOnly,
    #[error("the host has no such order at work, or is not in its step prepare")]
    NoOrder,
    #[error("the machine has worked for this order already, so it may be in use; look at it before a retry")]
    HasWorked,
    #[error("what was prepared for this order was taken back")]
    Closed,
}

/// The reason why a report is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotReported {
    #[error("the token is not that of the last boot of a machine")]
    OldToken,
    #[error("the work has ended")]
    Ended,
    #[error("the machine has not fetched what it works by")]
    NothingFetched,
    #[error("a discovery is done when the machine has reported its hardware")]
    NoFacts,
}

/// A report of a machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Said {
    /// The end of the work, or `None` while it goes on.
    pub end: Option<BootAttemptState>,
    pub stage: Option<String>,
    pub percent: Option<i16>,
    pub message: Option<String>,
    pub facts: Option<Json>,
}

/// Returns the purpose and the id of the order of a host that boots its machine, if such an order is at work.
fn order_at_work(host: &Host) -> Option<(BootPurpose, Uuid)> {
    let wanted = host.wanted.as_ref().filter(|_| host.generation > host.generation_done)?;
    let purpose = match (wanted.act, host.state) {
        (HostAct::Discover, HostState::Discovering) => BootPurpose::Discover,
        (HostAct::Install, HostState::Installing) => BootPurpose::Install,
        (HostAct::Wipe, HostState::Wiping) => BootPurpose::Wipe,
        _ => return None,
    };
    Some((purpose, wanted.id?))
}

/// Returns the name of the step of the order that a host has now.
fn step_of(host: &Host) -> Option<&str> {
    host.step.as_ref().filter(|step| step.of.0 == host.generation).map(|step| step.name.as_str())
}

const fn time_for(purpose: BootPurpose) -> TimeDelta {
    match purpose {
        BootPurpose::Discover => TimeDelta::minutes(30),
        BootPurpose::Install => TimeDelta::minutes(90),
        BootPurpose::Wipe => TimeDelta::hours(4),
    }
}

/// Returns the attempt that a controller gets for an order. To ask again for one that nothing booted by gives the same.
///
/// # Errors
/// Returns the reason why there is none.
pub fn open(host: &Host, ground: &BootGround, order: Uuid) -> Result<Attempt, NotOpened> {
    if ground.is_observe_only {
        return Err(NotOpened::ObserveOnly);
    }
    let (purpose, at_work) = order_at_work(host).ok_or(NotOpened::NoOrder)?;
    let is_stopped = host.wanted.as_ref().is_some_and(|wanted| wanted.stop.is_some());
    if at_work != order || is_stopped || step_of(host) != Some(PREPARE) {
        return Err(NotOpened::NoOrder);
    }
    if let Some(known) = ground.attempt.as_ref().filter(|known| known.order_id == order) {
        return match BootAttemptState::of(known.state) {
            Some(BootAttemptState::Open) if known.text_at.is_none() => Ok(known.clone()),
            Some(BootAttemptState::Closed) if known.text_at.is_none() => Err(NotOpened::Closed),
            _ => Err(NotOpened::HasWorked),
        };
    }
    Ok(Attempt {
        host_id: host.id,
        order_id: order,
        purpose: purpose.number(),
        state: BootAttemptState::Open.number(),
        opened_at: ground.now,
        until: ground.now + time_for(purpose),
        boots: 0,
        token: None,
        booted_at: None,
        loaded_at: None,
        text_at: None,
        text: None,
        rebooted_at: None,
        heard_at: None,
        stage: None,
        percent: None,
        message: None,
        facts: None,
    })
}

/// Returns the attempt of an order after a controller closed it, if it was open.
pub fn close(ground: &BootGround, order: Uuid) -> Option<Attempt> {
    let open = ground.attempt.as_ref().filter(|known| known.order_id == order && is_open(known))?;
    Some(Attempt { state: BootAttemptState::Closed.number(), token: None, ..open.clone() })
}

/// Returns the open attempt by which the machine of a host may boot or go on.
///
/// # Errors
/// Returns the reason why the machine gets its disk.
pub fn at_work<'a>(host: &Host, ground: &'a BootGround) -> Result<(BootPurpose, &'a Attempt), WhyDisk> {
    let name = || host.name.to_string();
    if host.provisioner.as_deref() != Some(DIRECT) {
        let provisioner = host.provisioner.clone().unwrap_or_else(|| "none".to_owned());
        return Err(WhyDisk::AnotherProvisioner { host: name(), provisioner });
    }
    if ground.is_observe_only {
        return Err(WhyDisk::ObserveOnly);
    }
    let (purpose, order) = order_at_work(host)
        .ok_or_else(|| WhyDisk::NoOrder { host: name(), state: enum_name(host.state).to_owned() })?;
    if host.deleting || host.wanted.as_ref().is_some_and(|wanted| wanted.stop.is_some()) {
        return Err(WhyDisk::Stopped { host: name() });
    }
    let step = step_of(host).unwrap_or("none");
    if !BOOTING_STEPS.contains(&step) {
        return Err(WhyDisk::NotYet { host: name(), step: step.to_owned() });
    }
    let attempt = ground.attempt.as_ref().filter(|it| it.order_id == order && it.purpose == purpose.number());
    let attempt = attempt.ok_or_else(|| WhyDisk::NotPrepared { host: name() })?;
    if !is_open(attempt) {
        return Err(WhyDisk::Ended { host: name() });
    }
    if ground.now >= attempt.until {
        return Err(WhyDisk::Late { host: name() });
    }
    Ok((purpose, attempt))
}

/// Returns the attempt after a boot with a new token began.
///
/// # Errors
/// Returns the reason why the machine gets its disk.
pub fn boot(host: &Host, ground: &BootGround, token: String) -> Result<(BootPurpose, Attempt), WhyDisk> {
    let (purpose, attempt) = at_work(host, ground)?;
    if attempt.text_at.is_some() {
        return Err(WhyDisk::BootedAgain { host: host.name.to_string() });
    }
    if attempt.boots >= MAX_BOOTS {
        return Err(WhyDisk::TooManyBoots { host: host.name.to_string(), boots: attempt.boots });
    }
    let next = Attempt {
        boots: attempt.boots + 1,
        token: Some(token),
        booted_at: Some(ground.now),
        loaded_at: None,
        ..attempt.clone()
    };
    Ok((purpose, next))
}

/// Returns the attempt after its machine booted again though it had fetched its text, if that was not known. A controller
/// gives the work some time to report, and fails the host then.
pub fn booted_again(host: &Host, ground: &BootGround) -> Option<Attempt> {
    let (_, attempt) = at_work(host, ground).ok()?;
    let is_new = attempt.text_at.is_some() && attempt.rebooted_at.is_none();
    is_new.then(|| Attempt { rebooted_at: Some(ground.now), ..attempt.clone() })
}

/// Returns the attempt after the last boot asked for its kernel, and whether that was not known.
///
/// # Errors
/// Returns the reason why the machine gets nothing.
pub fn load(host: &Host, ground: &BootGround, token: &str) -> Result<(BootPurpose, Option<Attempt>), WhyDisk> {
    let (purpose, attempt) = at_work(host, ground)?;
    check_token(attempt, token)?;
    let first = attempt.loaded_at.is_none();
    Ok((purpose, first.then(|| Attempt { loaded_at: Some(ground.now), ..attempt.clone() })))
}

/// The text that a boot gets.
#[derive(Clone, Debug, PartialEq)]
pub enum Fetched {
    /// The boot has fetched it before, and gets it again.
    Again(String),
    /// The boot fetches it for the first time: the attempt without it.
    First(Box<Attempt>),
}

/// Decides about the text that the last boot fetches.
///
/// # Errors
/// Returns the reason why the machine is refused.
pub fn fetch(host: &Host, ground: &BootGround, token: &str) -> Result<(BootPurpose, Fetched), WhyDisk> {
    let (purpose, attempt) = at_work(host, ground)?;
    check_token(attempt, token)?;
    let fetched = match &attempt.text {
        Some(text) => Fetched::Again(text.clone()),
        None => Fetched::First(Box::new(Attempt { text_at: Some(ground.now), ..attempt.clone() })),
    };
    Ok((purpose, fetched))
}

/// Returns the attempt after a report of its machine.
///
/// # Errors
/// Returns the reason why the report is not taken.
pub fn report(ground: &BootGround, token: &str, said: Said) -> Result<Attempt, NotReported> {
    let attempt = ground.attempt.as_ref().ok_or(NotReported::OldToken)?;
    check_token(attempt, token).map_err(|_| NotReported::OldToken)?;
    if !is_open(attempt) {
        return Err(NotReported::Ended);
    }
    if attempt.text_at.is_none() {
        return Err(NotReported::NothingFetched);
    }
    let facts = said.facts.or_else(|| attempt.facts.clone());
    let is_discovery = attempt.purpose == BootPurpose::Discover.number();
    if is_discovery && said.end == Some(BootAttemptState::Done) && facts.is_none() {
        return Err(NotReported::NoFacts);
    }
    let state = said.end.map_or(attempt.state, BootAttemptState::number);
    Ok(Attempt {
        state,
        heard_at: Some(ground.now),
        stage: said.stage.or_else(|| attempt.stage.clone()),
        percent: said.percent,
        message: said.message,
        facts,
        ..attempt.clone()
    })
}

fn check_token(attempt: &Attempt, token: &str) -> Result<(), WhyDisk> {
    // What is compared are digests of long random texts, so the time that it takes tells nothing.
    if attempt.token.as_deref() == Some(token) { Ok(()) } else { Err(WhyDisk::OldToken) }
}

fn is_open(attempt: &Attempt) -> bool {
    attempt.state == BootAttemptState::Open.number()
}
