//! Enlists the machines of appliances. People order it, a controller lists the machines, and the server makes the
//! hosts.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use underlay_address::fits;
use underlay_entity::appliance::{ApplianceType, Model as ApplianceRow};
use underlay_entity::enlistment::{self, EnlistOutcome, EnlistedMachine};
use underlay_entity::host::{HostPower, Model as HostRow};
use underlay_entity::long::Long;
use uuid::Uuid;

use super::invalid;
use super::leases::LeasesOf;
use super::listing::{Extent, Known, Serials, Verdict, keeps_credential};
use super::machines::EnlistedMachineInput;
use super::write::{MAX_SENTENCE_CHARACTERS, check_text};
use crate::appliance::{Appliance, appliance_site};
use crate::control::{Enlistment, unanswered};
use crate::errors::{forbidden, refused};
use crate::grammar::enum_name;
use crate::host::Host;
use crate::request::Request;
use crate::scalars::Revision;
use crate::site::Site;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{Enlisted, Fence, NewEnlistment};
use underlay_engine::write::{
    Author, Batch, Conflicts, Decision, Fields, Intent, Item, Mode, Origin, Sets, WriteAnswer, check_name,
};
use underlay_inventory::{KeyOf, Kind, Refusal, Snapshot, parse_id};

/// The greatest number of machines in a call.
const MAX_MACHINES: usize = 1_000;
/// The greatest number of open enlistments in an answer.
const MAX_OPEN_ENLISTMENTS: i32 = 100;
/// The time in which the discovery of a new host must begin.
const DISCOVERY_VALIDITY: TimeDelta = TimeDelta::hours(1);
/// The provisioner of the machines of a simulated appliance.
const SIMULATED: &str = "simulated";

/// An order to make hosts of the machines that an appliance lists.
#[derive(Clone, Debug, InputObject)]
pub struct EnlistApplianceInput {
    /// The id of the appliance.
    pub appliance: ID,
    /// The pattern of the names of the machines, with `*` for any text and `?` for one character. Defaults to the
    /// `namePattern` of the appliance.
    pub pattern: Option<String>,
    /// True discovers the new hosts whose machines were seen off. Defaults to false.
    pub discover: Option<bool>,
    /// True makes the hosts that are discovered AVAILABLE. Otherwise they stay REGISTERED. Defaults to false.
    pub adopt: Option<bool>,
    /// True also discovers a machine that runs, which reboots it, if it is the only new one. Defaults to false.
    pub force: Option<bool>,
    /// The name of the provisioner of the new hosts. Defaults to `simulated` for an appliance of the type SIMULATED.
    pub provisioner: Option<String>,
}

/// The result of `enlistAppliance`.
#[derive(Clone, Debug, SimpleObject)]
pub struct EnlistAppliancePayload {
    /// The appliance, whose `enlistment` reports the progress.
    pub appliance: Appliance,
}

/// Machines that an appliance lists.
#[derive(Clone, Debug, InputObject)]
pub struct EnlistHostsInput {
    /// The controller, by the name with which it took its leases.
    pub holder: String,
    /// The lease of the appliance: `hosts/NN` of a controller without a site, or `hosts/SITE/NN` of one that serves the site
    /// of the appliance. NN is the last byte of the appliance's id modulo 64, in two digits, and SITE is the id of the site.
    pub lease: String,
    /// The epoch under which the controller holds the lease.
    pub epoch: Long,
    /// The id of the appliance.
    pub appliance: ID,
    /// The number of the enlistment.
    pub number: Long,
    /// The machines: at most 1,000.
    pub machines: Vec<EnlistedMachineInput>,
    /// True if more machines come in another call. Defaults to false.
    pub more: Option<bool>,
    /// A sentence that says why the machines cannot be listed.
    pub error: Option<String>,
}

/// The result of `enlistHosts`.
#[derive(Clone, Debug, SimpleObject)]
pub struct EnlistHostsPayload {
    /// The enlistment as it is now. Null if another one was ordered since.
    pub enlistment: Option<Enlistment>,
    /// The revision that was created. Null if nothing was written.
    pub revision: Option<Revision>,
}

/// An enlistment that no controller has done yet.
#[derive(Clone, Debug, SimpleObject)]
pub struct OpenEnlistment {
    /// The appliance whose machines a controller lists.
    pub appliance: Appliance,
    /// The site of the appliance, or of its rack. The controllers of this site list the machines.
    pub site: Option<Site>,
    /// The enlistment that was ordered.
    pub enlistment: Enlistment,
}

/// The root field that lists enlistments.
#[derive(Debug, Default)]
pub struct EnlistRoots;

/// The root field that lists enlistments.
#[Object]
impl EnlistRoots {
    /// The enlistments that no controller has done yet, the oldest first.
    async fn open_enlistments(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of enlistments: 0 to 100. Defaults to 100.")] first: Option<i32>,
    ) -> Result<Option<Vec<OpenEnlistment>>> {
        let request = Request::of(context);
        let store = request.database_for("enlistments").map_err(|it| forbidden(&it))?;
        let first = first.unwrap_or(MAX_OPEN_ENLISTMENTS);
        let most = u64::try_from(first).ok().filter(|_| first <= MAX_OPEN_ENLISTMENTS);
        let reason = || invalid("first", format!("must be from 0 to {MAX_OPEN_ENLISTMENTS}, not {first}"));
        let most = most.ok_or_else(|| refused(&reason(), None, None))?;
        let open = Box::pin(store.open_enlistments(most)).await.map_err(|it| unanswered(&it))?;
        let snapshot = request.snapshot();
        let with_appliance = |it: enlistment::Model| {
            let appliance = snapshot.find(it.appliance_id).and_then(|object| snapshot.hold(object)).map(Appliance)?;
            let site = appliance_site(&snapshot, &appliance.0.row).and_then(|site| snapshot.find(site));
            let site = site.and_then(|object| snapshot.hold(object)).map(Site);
            Some(OpenEnlistment { appliance, site, enlistment: it.into() })
        };
        Ok(Some(open.into_iter().filter_map(with_appliance).collect()))
    }
}

/// Root fields that enlist machines.
#[derive(Debug, Default)]
pub struct EnlistMutation;

/// Root fields that enlist machines.
#[Object]
impl EnlistMutation {
    /// Orders to make hosts of the machines that an appliance lists. A controller does it soon, and `Appliance.enlistment`
    /// says how it ended. Where a machine is a host already, the host gets at most another address: that at which the appliance
    /// lists the machine now, unless a person or a source set the address, or the host has an open order. New hosts are
    /// REGISTERED, with an order if they are to be discovered.
    async fn enlist_appliance(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The appliance, and which of its machines.")] input: EnlistApplianceInput,
    ) -> Result<Option<EnlistAppliancePayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Single).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let (appliance, new) =
            ordered(&snapshot, input, handle.author().actor).map_err(|it| refused(&it, None, None))?;
        let store = request.sources().store();
        Box::pin(store.order_enlistment(new)).await.map_err(|it| unanswered(&it))?;
        Ok(Some(EnlistAppliancePayload { appliance }))
    }

    /// Makes hosts of machines that an appliance lists, as its enlistment says. Controllers call it.
    async fn enlist_hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The machines.")] input: EnlistHostsInput,
    ) -> Result<Option<EnlistHostsPayload>> {
        let request = Request::of(context);
        let handle = request.handle(WriteKind::Report).map_err(|it| forbidden(&it))?;
        let (appliance, error) = read(&input).map_err(|it| refused(&it, None, None))?;
        let store = request.sources().store();
        let last = Box::pin(store.enlistments_of(&[appliance])).await.map_err(|it| unanswered(&it))?.pop();
        let Some(order) = last.filter(|it| it.number == input.number.0 && it.done_at.is_none()) else {
            return Ok(Some(EnlistHostsPayload { enlistment: None, revision: None }));
        };
        let observe_only = Box::pin(store.observe_only()).await.map_err(|it| unanswered(&it))?.is_some();
        let fence = Fence { lease: input.lease, holder: input.holder, epoch: input.epoch.0 };
        let found = input.machines.len();
        let machines = input.machines;
        let extent = match order.found.is_none() && input.more != Some(true) {
            true => Extent::Whole,
            false => Extent::Part,
        };
        let enlisting = Arc::new(Enlisting { appliance, order, extent, machines, fences: vec![fence], observe_only });
        let batch = batch(&handle, Arc::clone(&enlisting));
        let answer = handle.write(batch).await.map_err(|it| refused(&it, None, None))?;
        request.wrote(&answer);
        let mut end = enlisting.end_of(&answer, found).map_err(|it| refused(&it, None, None))?;
        end.sentence = error.or(end.sentence);
        end.is_done = input.more != Some(true);
        let number = input.number.0;
        let row = Box::pin(store.end_enlistment(appliance, number, end)).await.map_err(|it| unanswered(&it))?;
        Ok(Some(EnlistHostsPayload { enlistment: row.map(Into::into), revision: answer.revision.map(Revision) }))
    }
}

/// Checks an order to enlist.
fn ordered(
    snapshot: &Arc<Snapshot>,
    input: EnlistApplianceInput,
    by: String,
) -> std::result::Result<(Appliance, NewEnlistment), Refusal> {
    let id = parse_id("appliance", &input.appliance)?;
    let gone = || Refusal::NotFound { field: "appliance".to_owned(), what: format!("Appliance {id}") };
    let object = snapshot.find(id).ok_or_else(gone)?;
    let appliance = Appliance(snapshot.hold(object).ok_or_else(gone)?);
    let row: &ApplianceRow = &appliance.0.row;
    check_name("pattern", input.pattern.as_deref())?;
    check_name("provisioner", input.provisioner.as_deref())?;
    if row.r#type == ApplianceType::Manual {
        return Err(invalid("appliance", "is of the type MANUAL, which lists no machines: create each host"));
    }
    let simulated = (row.r#type == ApplianceType::Simulated).then(|| SIMULATED.to_owned());
    let provisioner = input.provisioner.or(simulated);
    let discover = input.discover.unwrap_or_default();
    if discover && provisioner.is_none() {
        let reason = "must name a provisioner, because only a provisioner can discover hosts";
        return Err(invalid("provisioner", reason));
    }
    let (adopt, force) = (input.adopt.unwrap_or_default(), input.force.unwrap_or_default());
    if !discover && (adopt || force) {
        let field = if adopt { "adopt" } else { "force" };
        return Err(invalid(field, "is for hosts that are discovered: set discover too"));
    }
    let new = NewEnlistment { lister: id, pattern: input.pattern, discover, adopt, force, provisioner, by };
    Ok((appliance, new))
}

/// Checks the machines of a controller.
fn read(input: &EnlistHostsInput) -> std::result::Result<(Uuid, Option<String>), Refusal> {
    let appliance = parse_id("appliance", &input.appliance)?;
    check_name("holder", Some(&input.holder))?;
    if input.machines.len() > MAX_MACHINES {
        let reason = format!("has {} entries; at most {MAX_MACHINES} are allowed", input.machines.len());
        return Err(invalid("machines", reason));
    }
    if let Some(error) = &input.error {
        check_text("error", error, MAX_SENTENCE_CHARACTERS)?;
    }
    Ok((appliance, input.error.clone()))
}

/// Machines that become hosts.
#[derive(Debug)]
struct Enlisting {
    appliance: Uuid,
    order: enlistment::Model,
    extent: Extent,
    machines: Vec<EnlistedMachineInput>,
    fences: Vec<Fence>,
    observe_only: bool,
}

impl Decision for Enlisting {
    fn request(&self) -> &Json {
        // It has no name by which it could be repeated: a machine that is a host already is left out.
        &Json::Null
    }

    fn size(&self) -> usize {
        self.machines.len()
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> std::result::Result<Vec<Item>, Refusal> {
        let appliance = self.appliance(base)?;
        let leases = LeasesOf::appliance(base, self.appliance).ok_or_else(|| self.gone())?;
        self.fences.iter().try_for_each(|fence| leases.check(&fence.lease))?;
        let (known, machines) = (Known::of(base, self.appliance), self.fitting(appliance));
        let (verdicts, serials) = (known.judge(&machines, self.extent), Serials::of(&machines));
        // What a person says of a machine that runs is said of one machine.
        let new = verdicts.iter().filter(|verdict| **verdict == Verdict::New).count();
        let covers_running = self.order.force && new == 1;
        let item = |(machine, verdict): (&&EnlistedMachineInput, &Verdict<'_>)| match verdict {
            Verdict::New => {
                let serial = known.serial_of(machine, &serials);
                let mut fields = self.fields(base, appliance, machine, serial);
                if let Some(wanted) = self.wanted(machine, covers_running, now) {
                    fields.set("wanted", wanted);
                    fields.set("generation", 1.into());
                }
                Some(Item::Write { kind: Host::describe(), intent: Intent::Create, fields, if_version: None })
            }
            Verdict::Moved(host) => {
                let fields = address(host, appliance, machine);
                Some(Item::Write { kind: Host::describe(), intent: Intent::Update, fields, if_version: None })
            }
            Verdict::Same(_) | Verdict::Kept(..) | Verdict::Ambiguous(_) => None,
        };
        Ok(machines.iter().zip(&verdicts).filter_map(item).collect())
    }

    fn fences(&self) -> &[Fence] {
        &self.fences
    }
}

impl Enlisting {
    fn gone(&self) -> Refusal {
        Refusal::NotFound { field: "appliance".to_owned(), what: format!("Appliance {}", self.appliance) }
    }

    fn appliance<'a>(&self, base: &'a Snapshot) -> std::result::Result<&'a ApplianceRow, Refusal> {
        base.get::<Appliance>(self.appliance).ok_or_else(|| self.gone())
    }

    /// Returns the machines whose names fit.
    fn fitting(&self, appliance: &ApplianceRow) -> Vec<&EnlistedMachineInput> {
        let pattern = self.order.pattern.as_ref().or(appliance.name_pattern.as_ref());
        self.machines.iter().filter(|machine| pattern.is_none_or(|pattern| fits(pattern, &machine.name))).collect()
    }

    /// Says what became of the machines. It is judged once more on the snapshot that the batch was planned on, because the
    /// answer has only what was written.
    fn end_of(&self, answer: &WriteAnswer, found: usize) -> std::result::Result<Enlisted, Refusal> {
        let base = &answer.base;
        let (known, fitting) = (Known::of(base, self.appliance), self.fitting(self.appliance(base)?));
        let mut outcomes = answer.outcomes.iter();
        let (mut machines, mut enlisted, mut changed) = (Vec::new(), 0, 0);
        for (machine, verdict) in fitting.iter().zip(known.judge(&fitting, self.extent)) {
            let named = |host: &HostRow| Some(host.name.clone());
            let (host, outcome, reason) = match verdict {
                Verdict::Same(host) => (named(host), EnlistOutcome::Unchanged, None),
                Verdict::Kept(host, why) => (named(host), EnlistOutcome::Kept, Some(why.sentence())),
                Verdict::Ambiguous(hosts) => {
                    let reason = format!("several hosts may be its host, such as {}", hosts.join(", "));
                    (None, EnlistOutcome::Kept, Some(reason))
                }
                Verdict::New | Verdict::Moved(_) => {
                    let Some(written) = outcomes.next() else { continue };
                    let host = written.id.and_then(|id| answer.snapshot.get::<Host>(id)).and_then(named);
                    match (&written.error, verdict) {
                        (Some(error), _) => (host, EnlistOutcome::Refused, Some(error.to_string())),
                        (None, Verdict::New) => {
                            enlisted += 1;
                            (host, EnlistOutcome::Created, None)
                        }
                        (None, _) => {
                            changed += 1;
                            (host, EnlistOutcome::AddressChanged, None)
                        }
                    }
                }
            };
            machines.push(EnlistedMachine { name: machine.name.clone(), host, outcome, reason });
        }
        let refused = answer.outcomes.iter().find_map(|outcome| outcome.error.as_ref());
        let sentence = refused.map(|refusal| format!("not every host could be written, such as for: {refusal}"));
        let found = i32::try_from(found).unwrap_or(i32::MAX);
        Ok(Enlisted { found, enlisted, changed, machines, sentence, is_done: true })
    }

    /// Returns the order to discover a new host, if it gets one. Nobody knows who uses the machine, so the host is REGISTERED,
    /// and the controller looks at its power before it begins.
    fn wanted(&self, machine: &EnlistedMachineInput, covers_running: bool, now: DateTime<Utc>) -> Option<Json> {
        let may_discover = self.order.discover && !self.observe_only;
        (may_discover && (covers_running || machine.power == HostPower::Off)).then(|| {
            json!({"act": "DISCOVER", "coversRunning": covers_running, "force": covers_running, "adopt": self.order.adopt,
                "givenIn": "REGISTERED", "until": now + DISCOVERY_VALIDITY})
        })
    }

    fn fields(
        &self,
        base: &Snapshot,
        appliance: &ApplianceRow,
        machine: &EnlistedMachineInput,
        serial: Option<&str>,
    ) -> Fields {
        let mut fields = Fields::default();
        let name = format!("{}{}", appliance.prefix.as_deref().unwrap_or_default(), machine.name);
        let key = KeyOf { parent: Uuid::nil(), family: 0, name: name.as_str().into() };
        // A name that another host has leaves the host to a name that is made up.
        if base.table(Host::ID).by_key(&key).is_none() {
            fields.set("name", name.into());
        }
        fields.set("bmcUrl", machine.url.as_str().into());
        fields.set("appliance", json!({"id": self.appliance.to_string()}));
        fields.set("power", enum_name(machine.power).into());
        let credential = appliance.credential_id.map(|id| json!({"id": id.to_string()}));
        let texts = [
            ("uid", machine.uid.as_deref()),
            ("serial", serial),
            ("bootMac", machine.boot_mac.as_deref()),
            ("provisioner", self.order.provisioner.as_deref()),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name, Json::from(text?))));
        for (name, value) in texts.chain(credential.map(|it| ("bmcCredential", it))) {
            fields.set(name, value);
        }
        fields
    }
}

/// Returns the fields of a host that gets the address at which the appliance lists its machine. It keeps its credential if
/// the other end of the connection and its transport stay. Otherwise it gets that of the appliance, and what a person trusted
/// of the old end is not trusted of the new one.
fn address(host: &HostRow, appliance: &ApplianceRow, machine: &EnlistedMachineInput) -> Fields {
    let mut fields = Fields::with_room(5);
    fields.set("id", host.id.to_string().into());
    fields.set("bmcUrl", machine.url.as_str().into());
    let is_same_end = keeps_credential(host.bmc_url.as_deref(), &machine.url);
    let credential = if is_same_end { host.bmc_credential_id } else { appliance.credential_id };
    if !is_same_end {
        fields.set("bmcInsecure", false.into());
        fields.set("bmcTrustedCas", Json::Null);
    }
    fields.set("bmcCredential", credential.map_or(Json::Null, |id| json!({"id": id.to_string()})));
    fields
}

fn batch(handle: &WriteHandle, enlisting: Arc<Enlisting>) -> Batch {
    // What it writes is a controller's, whatever else the caller may do: no person has chosen these addresses.
    let author = handle.author();
    let (Sets::All(roles) | Sets::Assigned(roles)) = author.sets;
    let author = Author { sets: Sets::Assigned(roles), ..author };
    Batch {
        id: Uuid::new_v4(),
        bytes: enlisting.machines.len() * 512,
        items: Vec::new(),
        mode: Mode::PerItem,
        conflicts: Conflicts::Fail,
        author,
        origin: Origin::Decision(enlisting),
        request_id: None,
    }
}
