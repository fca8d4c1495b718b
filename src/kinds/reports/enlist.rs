//! Enlists the machines of appliances. People order it, a controller lists the machines, and the server makes the
//! hosts.

use std::collections::HashSet;
use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value as Json, json};
use underlay_address::fits;
use underlay_entity::appliance::{ApplianceType, Model as ApplianceRow};
use underlay_entity::enlistment;
use underlay_entity::host::{HostPower, Model as HostRow};
use underlay_entity::long::Long;
use uuid::Uuid;

use super::invalid;
use super::leases::LeasesOf;
use super::machines::{EnlistedMachineInput, Identities};
use super::write::{MAX_SENTENCE_CHARACTERS, check_text};
use crate::access::WriteKind;
use crate::kinds::appliance::{Appliance, appliance_site};
use crate::kinds::control::{Enlistment, unanswered};
use crate::kinds::errors::{forbidden, refused};
use crate::kinds::grammar::enum_name;
use crate::kinds::host::Host;
use crate::kinds::request::Request;
use crate::kinds::scalars::Revision;
use crate::kinds::site::Site;
use crate::kinds::write_handle::WriteHandle;
use crate::store::{Enlisted, Fence, NewEnlistment};
use crate::write::{Answer, Batch, Conflicts, Decision, Fields, Intent, Item, Mode, Origin, Status, check_name};
use underlay_inventory::{KeyOf, Kind, Refusal, Snapshot, cast, parse_id};

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
    /// The appliance, whose `enlistment` says how it goes on.
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
    /// says how it ended. A machine that is a host already is left as it is, so the order can be repeated. New hosts are
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
        let enlisting = Enlisting { appliance, order, machines: input.machines, fences: vec![fence], observe_only };
        let answer = handle.write(batch(&handle, enlisting)).await.map_err(|it| refused(&it, None, None))?;
        request.wrote(&answer);
        let mut end = end_of(&answer, found);
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
        let gone =
            || Refusal::NotFound { field: "appliance".to_owned(), what: format!("Appliance {}", self.appliance) };
        let appliance = base.get::<Appliance>(self.appliance).ok_or_else(gone)?;
        let leases = LeasesOf::appliance(base, self.appliance).ok_or_else(gone)?;
        self.fences.iter().try_for_each(|fence| leases.check(&fence.lease))?;
        let pattern = self.order.pattern.as_ref().or(appliance.name_pattern.as_ref());
        let hosts = || base.table(Host::ID).rows(0).map(|(_, row)| cast::<HostRow>(row.as_ref()));
        let urls: HashSet<&str> = hosts().filter_map(|host| host.bmc_url.as_deref()).collect();
        let identities = Identities::of(&self.machines, hosts());
        let is_new = |machine: &&EnlistedMachineInput| {
            let fits = pattern.is_none_or(|pattern| fits(pattern, &machine.name));
            fits && !urls.contains(&*machine.url) && !identities.is_of_host(machine)
        };
        let new: Vec<&EnlistedMachineInput> = self.machines.iter().filter(is_new).collect();
        // What a person says of a machine that runs is said of one machine.
        let covers_running = self.order.force && new.len() == 1;
        let item = |machine: &&EnlistedMachineInput| {
            let mut fields = self.fields(base, appliance, machine, identities.serial_of(machine));
            if let Some(wanted) = self.wanted(machine, covers_running, now) {
                fields.set("wanted", wanted);
                fields.set("generation", 1.into());
            }
            Item::Write { kind: Host::describe(), intent: Intent::Create, fields, if_version: None }
        };
        Ok(new.iter().map(item).collect())
    }

    fn fences(&self) -> &[Fence] {
        &self.fences
    }
}

impl Enlisting {
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

/// Counts what became of machines.
fn end_of(answer: &Answer, found: usize) -> Enlisted {
    let created = answer.outcomes.iter().filter(|outcome| outcome.status == Status::Created).count();
    let refused = answer.outcomes.iter().find_map(|outcome| outcome.error.as_ref());
    let count = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
    let sentence = refused.map(|refusal| format!("not every machine became a host, such as for: {refusal}"));
    Enlisted { found: count(found), enlisted: count(created), sentence, is_done: true }
}

fn batch(handle: &WriteHandle, enlisting: Enlisting) -> Batch {
    Batch {
        id: Uuid::new_v4(),
        bytes: enlisting.machines.len() * 512,
        items: Vec::new(),
        mode: Mode::PerItem,
        conflicts: Conflicts::Fail,
        author: handle.author(),
        origin: Origin::Decision(Arc::new(enlisting)),
        request_id: None,
    }
}
