//! Hosts and reports, as the API sends and takes them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};
use underlay_address::IgnoredIdentities;
use underlay_kit::control::Position;
use uuid::Uuid;

use super::{Change, Enlistment, HostsStatus, Part, Refusal, Report, Reported, Standing, Strays};
use crate::host::{
    BootMode, Condition, Ended, Host, HostFailure, Observed, Order, Outcome, Power, Profile, RootDevice, SeenIdentity,
    State, Step, Time, Wanted, Word,
};

/// The fields of a host that the controller reads.
pub const HOST: &str = "fragment host on Host {
  id name observedVersion bmcUrl bmcCredential { id } bmcInsecure bmcTrustedCas uid serial seenIdentity { uuid serial macs at } lookAsked { at } hardwareAsked { at } bootMac bootMode provisioner maintenance deleting
  rootDevice { wwn serial name minSizeBytes rotational }
  wanted { id act profile { id image { url checksum format } } variables force until coversRunning alone adopt givenIn stop } generation generationDone state power step { attempt name of since }
  conditions { type status reason message messageForTenants } failure { during reason message step before erased armed } wasInstalled
  observed { seenAt powerAt detail }
  site { id }
  appliance { name interval }
}";

/// The fields of the state of the server. They compare its log with the position `$known`.
pub const STATUS: &str = "fragment status on HostsStatus { history position revision standing(of: $known) observeOnly { reason } now ignoredIdentities }";

/// The state of the server as the API sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WireStatus {
    history: String,
    position: String,
    revision: i64,
    standing: Standing,
    observe_only: Option<Value>,
    now: Time,
    ignored_identities: Vec<String>,
}

impl WireStatus {
    /// Returns the identities that the server ignores.
    pub fn ignored(&self) -> Arc<IgnoredIdentities> {
        ignored(&self.ignored_identities)
    }
}

/// Returns the identities that a server ignores.
pub fn ignored(texts: &[String]) -> Arc<IgnoredIdentities> {
    Arc::new(texts.iter().cloned().collect())
}

impl From<WireStatus> for HostsStatus {
    fn from(it: WireStatus) -> Self {
        Self {
            position: Position { history: it.history, revision: it.revision, cursor: it.position },
            standing: it.standing,
            is_observe_only: it.observe_only.is_some(),
            now: it.now,
        }
    }
}

/// Returns the position that the caller knows as the API takes it. Every server has what is before the first revision.
pub fn known(known: Option<&Position>) -> &str {
    known.map_or("0", |known| &known.cursor)
}

/// A host as the API sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WireHost {
    id: Uuid,
    name: String,
    observed_version: i64,
    bmc_url: Option<String>,
    bmc_credential: Option<WithId>,
    bmc_insecure: bool,
    bmc_trusted_cas: Option<String>,
    uid: Option<String>,
    serial: Option<String>,
    seen_identity: Option<SeenIdentity>,
    look_asked: Option<WireAsked>,
    hardware_asked: Option<WireAsked>,
    boot_mac: Option<String>,
    boot_mode: Option<BootMode>,
    #[serde(default)]
    root_device: Option<RootDevice>,
    provisioner: Option<String>,
    maintenance: serde_json::Map<String, Value>,
    deleting: bool,
    wanted: Option<WireWanted>,
    generation: i64,
    generation_done: i64,
    state: State,
    power: Power,
    /// An unknown step is read as no step. It then waits for its deadline or an order.
    step: Option<Value>,
    conditions: Vec<Condition>,
    failure: Option<WireFailure>,
    was_installed: bool,
    observed: Option<WireObserved>,
    site: Option<WithId>,
    appliance: Option<WireAppliance>,
}

#[derive(Deserialize)]
struct WithId {
    id: Uuid,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireWanted {
    id: Option<Uuid>,
    act: Order,
    profile: Option<Profile>,
    #[serde(default)]
    variables: BTreeMap<String, String>,
    force: bool,
    until: Option<Time>,
    covers_running: bool,
    alone: bool,
    adopt: bool,
    given_in: Option<State>,
    /// An outcome of a version that this controller does not know ends the order too.
    stop: Option<Value>,
}

#[derive(Deserialize)]
struct WireFailure {
    during: State,
    reason: String,
    message: String,
    /// An unknown step is read as no step.
    step: Option<Value>,
    before: Option<State>,
    erased: bool,
    armed: bool,
}

#[derive(Deserialize)]
struct WireAsked {
    at: Time,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireObserved {
    seen_at: Time,
    power_at: Option<Time>,
    detail: Option<Value>,
}

/// The detail of an observation, which only controllers understand.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail {
    #[serde(default)]
    script_fetched_at: Option<Time>,
    #[serde(default)]
    facts_at: Option<Time>,
    #[serde(default)]
    word: Option<Word>,
}

#[derive(Deserialize)]
struct WireAppliance {
    name: String,
    interval: u32,
}

impl From<WireHost> for Host {
    fn from(it: WireHost) -> Self {
        let appliance = it.appliance.as_ref().map(|appliance| appliance.name.clone());
        let interval = it.appliance.as_ref().map(|appliance| appliance.interval);
        Self {
            id: it.id,
            name: it.name,
            observed_version: it.observed_version,
            bmc_url: it.bmc_url,
            bmc_credential: it.bmc_credential.map(|credential| credential.id),
            bmc_insecure: it.bmc_insecure,
            bmc_trusted_cas: it.bmc_trusted_cas,
            uid: it.uid,
            serial: it.serial,
            seen_identity: it.seen_identity,
            look_asked: it.look_asked.map(|asked| asked.at),
            hardware_asked: it.hardware_asked.map(|asked| asked.at),
            ignored: Arc::default(),
            is_pinned_by_nothing: false,
            boot_mac: it.boot_mac,
            boot_mode: it.boot_mode,
            root_device: it.root_device,
            provisioner: it.provisioner,
            in_maintenance: !it.maintenance.is_empty(),
            deleting: it.deleting,
            wanted: it.wanted.map(|wanted| Wanted {
                id: wanted.id,
                act: wanted.act,
                profile: wanted.profile,
                variables: wanted.variables,
                force: wanted.force,
                until: wanted.until,
                covers_running: wanted.covers_running,
                alone: wanted.alone,
                adopt: wanted.adopt,
                given_in: wanted.given_in,
                stop: wanted.stop.map(|stop| serde_json::from_value(stop).unwrap_or(Outcome::Cancelled)),
            }),
            generation: it.generation,
            generation_done: it.generation_done,
            state: it.state,
            power: it.power,
            step: it.step.and_then(|step| serde_json::from_value::<Step>(step).ok()),
            conditions: it.conditions,
            failure: it.failure.map(|failure| HostFailure {
                during: failure.during,
                reason: failure.reason,
                message: failure.message,
                step: failure.step.and_then(|step| serde_json::from_value(step).ok()),
                before: failure.before,
                erased: failure.erased,
                armed: failure.armed,
            }),
            was_installed: it.was_installed,
            observed: it.observed.map(Observed::from).unwrap_or_default(),
            site: it.site.map(|site| site.id),
            appliance,
            interval,
        }
    }
}

impl From<WireObserved> for Observed {
    fn from(it: WireObserved) -> Self {
        // The detail can be that of another version.
        let detail: Detail = it.detail.and_then(|detail| serde_json::from_value(detail).ok()).unwrap_or_default();
        let Detail { script_fetched_at, facts_at, word } = detail;
        Self { seen_at: Some(it.seen_at), power_at: it.power_at, script_fetched_at, facts_at, word }
    }
}

/// An order to list the machines of an appliance as the API sends it.
#[derive(Deserialize)]
pub struct WireEnlistment {
    appliance: WireListing,
    site: Option<WithId>,
    enlistment: WireOrder,
}

#[derive(Deserialize)]
struct WireListing {
    id: Uuid,
    name: String,
    url: Option<String>,
    credential: Option<WithId>,
}

#[derive(Deserialize)]
struct WireOrder {
    number: i64,
    discover: bool,
}

impl From<WireEnlistment> for Enlistment {
    fn from(WireEnlistment { appliance, site, enlistment }: WireEnlistment) -> Self {
        Self {
            appliance: appliance.id,
            name: appliance.name,
            url: appliance.url,
            credential: appliance.credential.map(|credential| credential.id),
            site: site.map(|site| site.id),
            number: enlistment.number,
            discover: enlistment.discover,
        }
    }
}

/// The answer to reports as the API sends it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportsData {
    report_hosts: Payload,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Payload {
    results: Vec<WireResult>,
    status: WireStatus,
}

#[derive(Deserialize)]
struct WireResult {
    host: Option<WireHost>,
    error: Option<WireError>,
}

#[derive(Deserialize)]
struct WireError {
    code: String,
    message: String,
}

/// Returns the answer to reports.
pub fn reported(data: ReportsData) -> Reported {
    let Payload { results, status } = data.report_hosts;
    let ignored = status.ignored();
    let outcome = |WireResult { host, error }: WireResult| match (error, host) {
        (Some(error), _) => Err(refusal(error)),
        (None, Some(host)) => Ok(Host::from(host).ignoring(&ignored)),
        (None, None) => Err(Refusal::Gone),
    };
    let outcomes = results.into_iter().map(outcome).collect();
    Reported { outcomes, status: status.into() }
}

fn refusal(error: WireError) -> Refusal {
    match error.code.as_str() {
        "LEASE_LOST" => Refusal::OldEpoch,
        "STALE_VERSION" => Refusal::Changed,
        "NOT_FOUND" => Refusal::Gone,
        _ => Refusal::Other(error.message),
    }
}

/// Returns a report as the API takes it.
pub fn report(report: &Report) -> Value {
    let mut value = json!({"host": report.host, "lease": report.fence.lease, "epoch": report.fence.epoch});
    if let Some(it) = &report.change {
        value["change"] = change(it);
    }
    if let Some(it) = report.observed.as_ref().and_then(observed) {
        value["observed"] = it;
    }
    if !report.acts.is_empty() {
        let line = |line: &super::Line| json!({"at": line.at, "act": line.act, "message": sentence(&line.message), "part": part(line.part)});
        value["acts"] = report.acts.iter().map(line).collect();
    }
    value
}

const fn part(part: Part) -> &'static str {
    match part {
        Part::Whole => "WHOLE",
        Part::Begin => "BEGIN",
        Part::End => "END",
    }
}

fn change(change: &Change) -> Value {
    let step = change.step.as_ref().map(|step| json!({"attempt": step.attempt, "name": step.name, "of": step.of}));
    let facts = change.facts.as_ref().map(|facts| {
        let identities: Vec<&String> = facts.serial.iter().chain(&facts.uuid).collect();
        let mut found = json!({"identities": identities, "bootMac": facts.boot_mac, "cpuCores": facts.cpu_cores,
            "memoryBytes": facts.memory_bytes, "disks": facts.disks});
        if let Some(architecture) = facts.cpu_architecture {
            // Servers of an older version do not know this member.
            found["cpuArchitecture"] = json!(architecture);
        }
        found
    });
    json!({
        "basedOn": change.based_on,
        "generation": change.generation,
        "order": change.order,
        "state": change.state,
        "power": change.power,
        "step": step,
        "generationDone": change.generation_done,
        "conditions": change.conditions.iter().map(condition).collect::<Vec<_>>(),
        "failure": change.failure.as_ref().map(failure),
        "ended": change.ended.as_ref().map(ended),
        "seenIdentity": change.seen_identity,
        "facts": facts,
    })
}

fn condition(it: &Condition) -> Value {
    json!({"type": it.r#type, "status": it.status, "reason": it.reason, "message": it.message.as_deref().map(sentence),
        "messageForTenants": it.message_for_tenants.as_deref().map(sentence)})
}

fn failure(it: &HostFailure) -> Value {
    json!({"during": it.during, "reason": it.reason, "message": sentence(&it.message), "step": it.step,
        "before": it.before, "erased": it.erased, "armed": it.armed})
}

fn ended(it: &Ended) -> Value {
    json!({"outcome": it.outcome, "reason": it.reason, "message": sentence(&it.message)})
}

/// Returns a sentence that is as long as the server permits. Sentences of machines and provisioners can be of any length.
pub fn sentence(text: &str) -> String {
    const MAX_CHARACTERS: usize = 1_000;
    let text = text.replace('\0', " ");
    match text.char_indices().nth(MAX_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None if text.is_empty() => "there was no reason".to_owned(),
        None => text,
    }
}

/// Returns strays as the API takes them, but for the holder of the lease. Texts of a provisioner can be of any length.
pub fn strays(strays: &Strays) -> Value {
    const MAX_CHARACTERS: usize = 253;
    let short = |text: &str| text.chars().filter(|it| *it != '\0').take(MAX_CHARACTERS).collect::<String>();
    let given = |text: &Option<String>| text.as_deref().map(short).filter(|text| !text.is_empty());
    let listed = strays.listed.iter().map(|it| {
        let name = Some(short(&it.name)).filter(|name| !name.is_empty());
        json!({"name": name.as_deref().unwrap_or("unnamed"), "host": it.host, "address": given(&it.address),
            "uid": given(&it.uid)})
    });
    json!({"lease": strays.fence.lease, "epoch": strays.fence.epoch, "provisioner": strays.provisioner,
        "strays": listed.collect::<Vec<_>>(), "total": strays.total})
}

/// Returns an observation as the API takes it; `None` if nothing was seen.
fn observed(it: &Observed) -> Option<Value> {
    let seen_at = it.seen_at.or(it.power_at).or(it.script_fetched_at).or(it.facts_at)?;
    // Of four bytes each, so many characters fit into an observation.
    const MAX_CHARACTERS: usize = 800;
    let mut word = it.word.clone();
    if let Some(text) = word.as_mut().and_then(|word| word.sentence.as_mut())
        && let Some((end, _)) = text.char_indices().nth(MAX_CHARACTERS)
    {
        text.truncate(end);
    }
    let detail = json!({"scriptFetchedAt": it.script_fetched_at, "factsAt": it.facts_at, "word": word});
    Some(json!({"seenAt": seen_at, "powerAt": it.power_at, "detail": detail}))
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;
    use crate::host::{OrderKey, StepName, WordState};

    fn wire() -> Value {
        json!({"id": Uuid::from_u128(7), "name": "h", "observedVersion": 3, "bmcUrl": "simulated://a",
            "bmcCredential": {"id": Uuid::from_u128(8)}, "bmcInsecure": false, "bmcTrustedCas": null, "uid": null, "serial": null,
            "seenIdentity": {"uuid": null, "serial": "S", "macs": [], "at": "2026-01-01T00:00:00Z"}, "lookAsked": null, "bootMac": null, "provisioner": "simulated", "maintenance": {}, "deleting": false,
            "wanted": {"id": Uuid::from_u128(6), "act": "INSTALL", "profile": {"id": Uuid::from_u128(9)}, "force": true, "until": null,
                "coversRunning": false, "alone": true, "adopt": false, "givenIn": "ACQUIRED", "stop": null},
            "generation": 2, "generationDone": 1, "state": "INSTALLING", "power": "ON",
            "step": {"attempt": 1, "name": "power-cycle", "of": 2, "since": "2026-01-01T00:00:00Z"},
            "conditions": [{"type": "A", "status": "TRUE", "reason": "R", "message": null, "messageForTenants": null}],
            "failure": null, "wasInstalled": false, "observed": null, "site": {"id": Uuid::from_u128(10)}, "appliance": null})
    }

    #[test]
    fn a_host_is_read_whatever_else_it_has() {
        let host = Host::from(serde_json::from_value::<WireHost>(wire()).unwrap());
        assert_eq!(host.current_step().map(|step| step.name), Some(StepName::PowerCycle));
        let order = host.order().map(|it| (it.act, it.force));
        assert_eq!((host.site, order), (Some(Uuid::from_u128(10)), Some((Order::Install, true))));
        let key = OrderKey { number: 2, id: Some(Uuid::from_u128(6)) };
        assert_eq!((host.order_key(), change(&Change::of(&host))["order"].clone()), (key, json!(Uuid::from_u128(6))));
        let mut other = wire();
        // A step of another version, and no site.
        other["step"]["name"] = json!("dance");
        other["site"] = Value::Null;
        other["appliance"] = json!({"name": "a1", "interval": 300});
        other["observed"] = json!({"seenAt": "2026-01-01T00:00:00Z", "powerAt": null, "detail": {"word": "odd"}});
        let host = Host::from(serde_json::from_value::<WireHost>(other).unwrap());
        assert_eq!((&host.step, host.site, host.appliance.as_deref()), (&None, None, Some("a1")));
        assert!(host.observed.seen_at.is_some() && host.observed.word.is_none());
    }

    #[test]
    fn an_observation_comes_back_as_it_was_sent() {
        let at = |seconds: i64| DateTime::from_timestamp(1_800_000_000 + seconds, 0);
        let word = Word {
            step: StepName::Install,
            of: 2,
            order: Some(Uuid::from_u128(6)),
            state: WordState::Working,
            sentence: Some("goes on".to_owned()),
            at: at(4).unwrap(),
        };
        let seen =
            Observed { seen_at: at(1), power_at: at(2), script_fetched_at: at(3), facts_at: None, word: Some(word) };
        let sent = observed(&seen).unwrap();
        assert_eq!(Observed::from(serde_json::from_value::<WireObserved>(sent).unwrap()), seen);
        assert_eq!(observed(&Observed::default()), None, "nothing was seen");
        // A word that an older controller stored is about an order without an id.
        let old = json!({"step": "install", "of": 2, "state": "DONE", "sentence": null, "at": "2026-01-01T00:00:00Z"});
        let old: Word = serde_json::from_value(old).unwrap();
        assert!(old.is_about(StepName::Install, OrderKey { number: 2, id: None }));
        assert!(!old.is_about(StepName::Install, OrderKey { number: 2, id: Some(Uuid::from_u128(6)) }));
    }
}
