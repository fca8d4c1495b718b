//! The rules of orders: pure functions that say for one host what an order changes, or why the host does not get it.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Value as Json, json};
use underlay_entity::host::{
    AcknowledgedHardware, Condition, ConditionStatus, HardwareAmount, HardwareAsked, HostAct, HostBoot, HostFailure,
    HostPower, HostState, LastOrder, Model, Wanted,
};
use underlay_entity::long::Long;
use underlay_entity::profile::{self, ProfileMethod};
use underlay_entity::text_map::TextMap;

use super::OVERRIDDEN;
use super::act::{Act, Afterwards, MayForce};
use super::bond::Bond;
use super::facts::{failed_during, failed_taken, is_at_work, maintenance, touches};
use super::obstacle::{DIRECT, Obstacle};
use super::stop::Stop;
use underlay_engine::write::Fields;

/// The number of other conditions that an override keeps: there is room for one more.
const KEPT_CONDITIONS: usize = 31;

/// The time after which an order is not begun any more, unless it says another one. What people know of a machine is not
/// true for long.
const VALIDITY: TimeDelta = TimeDelta::hours(1);
/// The same for an order that only changes the power.
const POWER_VALIDITY: TimeDelta = TimeDelta::minutes(10);

/// A host that an order is for, with what the rules read besides it.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The row of the host.
    pub host: &'a Model,
    /// The profile that the host would be installed with.
    pub profile: Option<&'a profile::Model>,
    /// True if the order is for this host alone.
    pub is_alone: bool,
    /// True if its machine says nothing by which it could be recognised.
    pub tells_nothing: bool,
    /// What binds its machine, whatever the state of the host is.
    pub bond: Option<Bond>,
    /// The name of another host that is the same machine.
    pub shares_machine_with: Option<&'a str>,
    /// The amounts of its hardware that are known, as the agent on its machine reported last.
    pub hardware: &'a [HardwareAmount],
    /// The time of the database.
    pub now: DateTime<Utc>,
}

/// Returns the fields of a host that an order changes.
///
/// # Errors
/// Returns the reason for which the host does not get the order.
pub fn judge(subject: &Subject<'_>, act: &Act) -> Result<Fields, Obstacle> {
    let host = subject.host;
    if let Some(other) = subject.shares_machine_with.filter(|_| !act.is_for_shared_machine()) {
        return Err(Obstacle::SharesMachine { other: other.to_owned() });
    }
    let frees =
        matches!(act, Act::Release { .. } | Act::Override { .. } | Act::Delete { .. } | Act::ReplaceMachine { .. });
    if frees && is_armed(host) {
        return Err(Obstacle::Armed);
    }
    if act.is_for_machine() && subject.tells_nothing && !subject.is_alone {
        return Err(Obstacle::TellsNothing);
    }
    match act {
        Act::Adopt { state, force } => adopt(host, *state, *force),
        Act::Discover { force, afterwards, valid_for } => discover(subject, *force, *afterwards, *valid_for),
        Act::Install { profile, variables, force, valid_for } => {
            let order = Wanted { profile: Some(*profile), variables: variables.clone(), ..wanted(HostAct::Install) };
            install(subject, order, *force, *valid_for)
        }
        Act::Release { wipe, force, valid_for } => {
            let act = if *wipe { HostAct::Wipe } else { HostAct::Release };
            release(subject, act, *force, *valid_for)
        }
        Act::Power { act, force, valid_for } => power(subject, *act, *force, *valid_for),
        Act::Boot { boot, force, valid_for } => set_boot(subject, *boot, *force, *valid_for),
        Act::Retry => retry(subject),
        Act::Cancel => cancel(host, subject.now),
        Act::AcceptMachine => is_idle(host).map(|()| set([("seenIdentity", Json::Null), ("hardware", Json::Null)])),
        Act::ReplaceMachine { serial, force } => replace(host, serial, *force),
        Act::AcknowledgeHardware { actor } => acknowledge(subject, actor),
        Act::ReadHardware { actor } => read_hardware(subject, actor),
        Act::Override { state, reason, actor } => Ok(overridden(host, *state, reason, actor)),
        Act::Delete { .. } => delete(host),
    }
}

/// Checks what holds for every order that a controller works on.
fn is_free(host: &Model) -> Result<(), Obstacle> {
    if host.deleting {
        return Err(Obstacle::Deleting);
    }
    if !host.maintenance.0.is_empty() {
        return Err(Obstacle::Maintenance(maintenance(host)));
    }
    is_idle(host)
}

fn is_idle(host: &Model) -> Result<(), Obstacle> {
    match is_at_work(host) {
        true => Err(Obstacle::AtWork { act: host.wanted.as_ref().map(|wanted| wanted.act) }),
        false => Ok(()),
    }
}

/// Forgets the machine that was exchanged. Nobody knows what runs on the one that is there now, so nothing counts as installed
/// on it, and what a person said of the old one when it ran is not true of this one.
fn replace(host: &Model, serial: &str, force: MayForce) -> Result<Fields, Obstacle> {
    if host.deleting {
        return Err(Obstacle::Deleting);
    }
    is_idle(host)?;
    if !host.state.rests() {
        return Err(Obstacle::State { state: host.state, remedy: "wait until it ends" });
    }
    if (host.state.is_taken() || failed_taken(host)) && !force.is_yes() {
        return Err(Obstacle::ReplacesTaken { state: host.state });
    }

    let mut fields = set([
        ("uid", Json::Null),
        ("serial", serial.into()),
        ("bootMac", Json::Null),
        ("seenIdentity", Json::Null),
        ("hardware", Json::Null),
        ("wasInstalled", false.into()),
    ]);
    if host.state == HostState::Installed {
        fields.set("state", value(HostState::Acquired));
    }
    if let Some(last) = &host.wanted {
        fields.set("wanted", value(Wanted { force: false, covers_running: false, ..last.clone() }));
    }
    Ok(fields)
}

/// The machine is not touched, so it does not matter in which state the host is.
fn acknowledge(subject: &Subject<'_>, actor: &str) -> Result<Fields, Obstacle> {
    if subject.hardware.is_empty() {
        return Err(Obstacle::NothingReported);
    }
    let acknowledged =
        AcknowledgedHardware { amounts: subject.hardware.to_vec(), at: subject.now, by: actor.to_owned() };
    Ok(set([("acknowledgedHardware", value(acknowledged))]))
}

/// A controller only reads, and waits until no order is at work.
fn read_hardware(subject: &Subject<'_>, actor: &str) -> Result<Fields, Obstacle> {
    if subject.host.deleting {
        return Err(Obstacle::Deleting);
    }
    if subject.host.bmc_url.is_none() {
        return Err(Obstacle::NoBmc);
    }
    Ok(set([("hardwareAsked", value(HardwareAsked { at: subject.now, by: actor.to_owned() }))]))
}

fn adopt(host: &Model, state: HostState, force: MayForce) -> Result<Fields, Obstacle> {
    if host.deleting {
        return Err(Obstacle::Deleting);
    }
    is_idle(host)?;
    match host.state {
        HostState::Registered if state == HostState::Available && host.power == HostPower::On && !force.is_yes() => {
            Err(Obstacle::AdoptsRunning)
        }
        // An order that failed says nothing about the machine as it is adopted.
        HostState::Registered => Ok(set([("state", value(state)), ("failure", Json::Null)])),
        other => Err(Obstacle::State { state: other, remedy: "only a REGISTERED host is adopted" }),
    }
}

fn discover(
    subject: &Subject<'_>,
    force: MayForce,
    afterwards: Afterwards,
    valid_for: Option<TimeDelta>,
) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    let covers_running = force.is_yes() && subject.is_alone;
    let is_seen_on = host.power == HostPower::On && !covers_running;
    match host.state {
        HostState::Registered | HostState::Available if is_seen_on => {
            return Err(Obstacle::Running { state: host.state });
        }
        HostState::Registered | HostState::Available => {}
        HostState::Failed if !failed_taken(host) => {}
        state => return Err(Obstacle::State { state, remedy: remedy_of_taken(state) }),
    }
    has_provisioner(host)?;
    let adopt = afterwards == Afterwards::Available;
    let order = Wanted { force: force.is_yes(), covers_running, adopt, ..wanted(HostAct::Discover) };
    Ok(ordered(subject, order, valid_for))
}

/// Returns what to do with a host that belongs to somebody before it is discovered.
const fn remedy_of_taken(state: HostState) -> &'static str {
    match state {
        HostState::Acquired | HostState::Installed | HostState::Failed => "release it first, with releaseHosts",
        _ => "wait until it ends",
    }
}

fn install(
    subject: &Subject<'_>,
    order: Wanted,
    force: MayForce,
    valid_for: Option<TimeDelta>,
) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    let remedy = match host.state {
        HostState::Acquired => None,
        HostState::Failed if failed_during(host) == Some(HostState::Installing) => None,
        HostState::Available => Some("acquire it first, with acquireHosts"),
        HostState::Registered => Some("adopt or discover it, then acquire it"),
        HostState::Failed if failed_taken(host) => Some("release it, or retry what failed"),
        HostState::Failed => Some("retry what failed, then acquire it"),
        HostState::Installed => Some("release it first, with releaseHosts"),
        _ => Some("wait until it ends"),
    };
    if let Some(remedy) = remedy {
        return Err(Obstacle::State { state: host.state, remedy });
    }
    can_install(subject)?;
    let covers_running = force.is_yes() && subject.is_alone;
    Ok(ordered(subject, Wanted { force: force.is_yes(), covers_running, ..order }, valid_for))
}

/// Checks that a host has a provisioner that installs and wipes. Returns its name.
fn has_installer(host: &Model) -> Result<&str, Obstacle> {
    match has_provisioner(host)? {
        DIRECT => Err(Obstacle::OnlyDiscovers),
        provisioner => Ok(provisioner),
    }
}

/// Checks that the provisioner of a host has the method of a profile. No provisioner has another one than DISK_IMAGE
/// yet.
fn can_install(subject: &Subject<'_>) -> Result<(), Obstacle> {
    let provisioner = has_installer(subject.host)?;
    match subject.profile.and_then(|profile| profile.method) {
        None | Some(ProfileMethod::DiskImage) => Ok(()),
        Some(method) => Err(Obstacle::Method { provisioner: provisioner.to_owned(), method }),
    }
}

fn has_provisioner(host: &Model) -> Result<&str, Obstacle> {
    host.provisioner.as_deref().ok_or(Obstacle::NoProvisioner)
}

fn release(
    subject: &Subject<'_>,
    act: HostAct,
    force: MayForce,
    valid_for: Option<TimeDelta>,
) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    match host.state {
        HostState::Acquired | HostState::Installed => {}
        HostState::Failed if failed_taken(host) => {}
        state @ (HostState::Registered | HostState::Available | HostState::Failed) => {
            return Err(Obstacle::State { state, remedy: "it belongs to nobody, so there is nothing to release" });
        }
        state => return Err(Obstacle::State { state, remedy: "wait until it ends" }),
    }
    if host.cluster_id.is_some() {
        return Err(Obstacle::OfCluster);
    }
    if act == HostAct::Wipe {
        has_installer(host)?;
    }
    // To switch off several running machines is one thing, to erase their disks another one.
    let covers_running = force.is_yes() && (act == HostAct::Release || subject.is_alone);
    Ok(ordered(subject, Wanted { force: force.is_yes(), covers_running, ..wanted(act) }, valid_for))
}

fn power(
    subject: &Subject<'_>,
    act: HostAct,
    force: MayForce,
    valid_for: Option<TimeDelta>,
) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    let rests = matches!(
        host.state,
        HostState::Registered | HostState::Available | HostState::Acquired | HostState::Installed | HostState::Failed
    );
    if !rests {
        return Err(Obstacle::State { state: host.state, remedy: "wait until it ends" });
    }
    if host.bmc_url.is_none() && host.appliance_id.is_none() && host.provisioner.is_none() {
        return Err(Obstacle::NoPower);
    }
    if act != HostAct::PowerOn && !subject.is_alone {
        match subject.bond {
            Some(Bond::Carries) => return Err(Obstacle::Carries { act }),
            Some(Bond::SeenAsAnother) => return Err(Obstacle::SeenAsAnother { act }),
            None => {}
        }
    }
    if act != HostAct::PowerOn && may_be_in_use(host) && !subject.is_alone && !force.is_yes() {
        return Err(Obstacle::MayBeInUse { state: host.state, act });
    }
    Ok(ordered(subject, Wanted { force: force.is_yes(), ..wanted(act) }, valid_for))
}

/// Returns true if the machine of a host may boot from the network the next time, though its order ended.
fn is_armed(host: &Model) -> bool {
    host.failure.as_ref().is_some_and(|failure| failure.armed)
}

/// Returns true if somebody may use the machine of a host, whatever its state: also one that nobody looked at yet.
fn may_be_in_use(host: &Model) -> bool {
    host.power != HostPower::Off || host.state == HostState::Installed || failed_taken(host)
}

fn set_boot(
    subject: &Subject<'_>,
    boot: HostBoot,
    force: MayForce,
    valid_for: Option<TimeDelta>,
) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    if !host.state.rests() {
        return Err(Obstacle::State { state: host.state, remedy: "wait until it ends" });
    }
    if host.bmc_url.is_none() && host.appliance_id.is_none() && host.provisioner.is_none() {
        return Err(Obstacle::NoPower);
    }
    let is_in_use = host.state == HostState::Installed || failed_taken(host);
    let act = match boot {
        HostBoot::Network if is_in_use && !(subject.is_alone && force.is_yes()) => {
            return Err(Obstacle::BootsFromNetwork);
        }
        HostBoot::Network => HostAct::BootNetwork,
        HostBoot::Local => HostAct::BootLocal,
    };
    let mut fields = ordered(subject, Wanted { force: force.is_yes(), ..wanted(act) }, valid_for);
    fields.set("boot", value(boot));
    Ok(fields)
}

fn retry(subject: &Subject<'_>) -> Result<Fields, Obstacle> {
    let host = subject.host;
    is_free(host)?;
    if host.state != HostState::Failed {
        return Err(Obstacle::State { state: host.state, remedy: "only a FAILED host is retried" });
    }
    let during = match failed_during(host) {
        Some(HostState::Discovering) => Some(HostAct::Discover),
        Some(HostState::Installing) => Some(HostAct::Install),
        Some(HostState::Releasing) => Some(HostAct::Release),
        Some(HostState::Wiping) => Some(HostAct::Wipe),
        _ => None,
    };
    // A later order for the power took the place of the one that failed.
    let last = host.wanted.clone().filter(|last| !is_of_power(last.act));
    let again = match (last, during) {
        // What a person said of one running machine is not said of several, and not for ever.
        (Some(last), _) => Wanted {
            covers_running: last.covers_running && subject.is_alone,
            adopt: last.adopt,
            profile: last.profile,
            variables: last.variables,
            force: last.force,
            ..wanted(last.act)
        },
        (None, Some(HostAct::Install)) => return Err(Obstacle::NothingToRetry("installHosts")),
        (None, Some(act)) => wanted(act),
        (None, None) => return Err(Obstacle::NothingToRetry("discoverHosts, installHosts or releaseHosts")),
    };
    match again.act {
        HostAct::Discover => has_provisioner(host).map(drop)?,
        HostAct::Wipe => has_installer(host).map(drop)?,
        HostAct::Install if again.profile.is_none() => return Err(Obstacle::NothingToRetry("installHosts")),
        HostAct::Install => can_install(subject)?,
        _ => {}
    }
    Ok(ordered(subject, again, None))
}

/// Ends the order of a host. A controller that has prepared the machine takes that back first.
fn cancel(host: &Model, now: DateTime<Utc>) -> Result<Fields, Obstacle> {
    let Some(order) = host.wanted.as_ref().filter(|_| is_at_work(host)) else { return Err(Obstacle::NothingToCancel) };
    match &host.step {
        Some(step) if step.of.0 == host.generation && touches(host.state, &step.name) => {
            Err(Obstacle::Touched { step: step.name.clone() })
        }
        _ => Ok(stopped(host, order, Stop::Cancelled, now)),
    }
}

/// Returns the fields of a host whose order ends, or is to be ended by a controller after it has taken back what it
/// prepared. The order begins no further step that touches the machine.
pub fn stopped(host: &Model, order: &Wanted, stop: Stop, now: DateTime<Utc>) -> Fields {
    let step = host.step.as_ref().filter(|step| step.of.0 == host.generation);
    if !host.state.rests() || step.is_some_and(|step| touches(host.state, &step.name)) {
        return set([("wanted", value(Wanted { stop: Some(stop.outcome()), ..order.clone() }))]);
    }
    let ended = LastOrder {
        id: order.id,
        number: Long(host.generation),
        act: order.act,
        outcome: stop.outcome(),
        reason: Some(stop.reason().to_owned()),
        message: Some(stop.sentence().to_owned()),
        at: now,
    };
    set([("step", Json::Null), ("generationDone", host.generation.into()), ("lastOrder", value(ended))])
}

const fn is_of_power(act: HostAct) -> bool {
    matches!(
        act,
        HostAct::PowerOn | HostAct::PowerOff | HostAct::PowerCycle | HostAct::BootLocal | HostAct::BootNetwork
    )
}

/// Sets the state of a host and ends its order. What an admin says holds whatever the host was.
fn overridden(host: &Model, state: HostState, reason: &str, actor: &str) -> Fields {
    let message = format!("{actor}: {reason}");
    let failure = (state == HostState::Failed).then(|| HostFailure {
        during: failed_during(host).unwrap_or(host.state),
        reason: OVERRIDDEN.to_owned(),
        message: message.clone(),
        step: None,
        before: None,
        erased: false,
        armed: false,
    });
    let condition = Condition {
        r#type: OVERRIDDEN.to_owned(),
        status: ConditionStatus::True,
        reason: "ByAdmin".to_owned(),
        message: Some(message),
        message_for_tenants: None,
    };
    let mut conditions: Vec<&Condition> = others(host).take(KEPT_CONDITIONS).collect();
    conditions.push(&condition);
    set([
        ("state", value(state)),
        ("failure", value(failure)),
        ("step", Json::Null),
        // An admin overrides what the inventory knew. Only of an INSTALLED host it knows what runs.
        ("wasInstalled", false.into()),
        ("generationDone", host.generation.into()),
        ("conditions", value(conditions)),
    ])
}

fn delete(host: &Model) -> Result<Fields, Obstacle> {
    if host.state.is_taken() || failed_taken(host) {
        return Err(Obstacle::State { state: host.state, remedy: "release it first, with releaseHosts" });
    }
    is_idle(host)?;
    Ok(set([("deleting", true.into())]))
}

fn wanted(act: HostAct) -> Wanted {
    Wanted {
        id: None,
        act,
        profile: None,
        variables: TextMap::default(),
        force: false,
        until: None,
        covers_running: false,
        alone: false,
        adopt: false,
        given_in: None,
        stop: None,
    }
}

/// Returns the fields of an order, to which the kind gives an id when it is written. It ends what an override left.
fn ordered(subject: &Subject<'_>, wanted: Wanted, valid_for: Option<TimeDelta>) -> Fields {
    let host = subject.host;
    let usual = if is_of_power(wanted.act) { POWER_VALIDITY } else { VALIDITY };
    let until = Some(subject.now + valid_for.unwrap_or(usual));
    let wanted = Wanted { given_in: Some(host.state), alone: subject.is_alone, until, ..wanted };
    let mut fields = set([("wanted", value(wanted)), ("generation", (host.generation + 1).into())]);
    if host.conditions.0.iter().any(|condition| condition.r#type == OVERRIDDEN) {
        fields.set("conditions", value(others(host).collect::<Vec<_>>()));
    }
    fields
}

/// Returns the conditions of a host but for that of an override.
fn others(host: &Model) -> impl Iterator<Item = &Condition> {
    host.conditions.0.iter().filter(|condition| condition.r#type != OVERRIDDEN)
}

fn set<const N: usize>(values: [(&'static str, Json); N]) -> Fields {
    let mut fields = Fields::with_room(N + 1);
    values.into_iter().for_each(|(name, value)| fields.set(name, value));
    fields
}

/// Returns a value as JSON. The values of rows can always be written so.
fn value(value: impl Serialize) -> Json {
    json!(value)
}
