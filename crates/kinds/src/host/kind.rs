//! Declares a host.

use underlay_entity::facts::HardwareCondition;
use underlay_entity::host::{
    AcknowledgedHardware, Condition, ConditionStatus, HardwareAsked, HostBoot, HostBootMode, HostFailure, HostPower,
    HostState, HostStep, LookAsked, Model, RootDevice, SeenIdentity,
};
use underlay_entity::long::Long;
use underlay_entity::machine::{CpuArchitecture, Hardware};
use underlay_entity::text::Mac;
use underlay_entity::text_map::TextMap;
use underlay_inventory::{Audience, Form, MadeName, Role, Shape, Unique, Unnamed, cast};
use underlay_kind_derive::{kind, resolvers};
use underlay_read::{TextFilter, enum_filter};

use super::arrival::{ARRIVAL, HostAdoption};
use super::linking::{Linked, machine_of};
use super::machine::{HostMachine, HostMachineFilter, HostMachineInput};
use super::names::short_id;
use super::place::host_site;
use super::protection::PROTECTION;
use super::topology::TOPOLOGY;
use super::wanted::{HostLastOrder, HostWanted};
use super::{names, rules, values, write};
use crate::address::{ADDRESS, address};
use crate::appliance::{Appliance, ApplianceFilter, ApplianceRef};
use crate::boots::{BootAttempt, NetworkBoot, attempt_of, boots_of};
use crate::bounds::text;
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::common::{LONG_TEXT, TEXT};
use crate::control::{ActConnection, Observation, acts_of, observation_of};
use crate::credential::{Credential, CredentialFilter, CredentialRef, of_hosts};
use crate::device::Device;
use crate::facts::cabling::{HostCabling, cabling_of_host};
use crate::facts::{
    self, FactsReport, HardwareConditionFilter, HardwareEventConnection, HostAgentToken, MissingHardware, Part,
};
use crate::grammar::enum_name;
use crate::host_class::{HostClass, HostClassFilter, HostClassRef};
use crate::machine::{HARDWARE, machine};
use crate::port::mac;
use crate::site::Site;

enum_filter!(HostStateFilter, HostState);
enum_filter!(HostPowerFilter, HostPower);
enum_filter!(HostBootModeFilter, HostBootMode);
enum_filter!(HostBootFilter, HostBoot);
enum_filter!(CpuArchitectureFilter, CpuArchitecture);

const ROOT_DEVICE: Shape = Shape::Structure("an object with wwn, serial, name, minSizeBytes and rotational");

const MAINTENANCE: Shape = Shape::Structure("an object with a reason for each name");

const STEP: Shape = Shape::Structure("an object with attempt, name, of and since");

const CONDITIONS: Shape =
    Shape::Structure("a list of objects with type, status, reason, message and messageForTenants");

const FAILURE: Shape = Shape::Structure("an object with during, reason, message, step, before, erased and armed");

const LAST_ORDER: Shape = Shape::Structure("an object with id, number, act, outcome, reason, message and at");

const ACKNOWLEDGED_HARDWARE: Shape = Shape::Structure("an object with amounts, at and by");

const HARDWARE_ASKED: Shape = Shape::Structure("an object with at and by");
const LOOK_ASKED: Shape = Shape::Structure("an object with at");

const SEEN_IDENTITY: Shape = Shape::Structure("an object with uuid, serial, macs and at");

/// The number of an order: at least 0.
const GENERATION: Shape = Shape::Integer { least: 0, most: i64::MAX };

/// A host: a machine as something that can be powered, booted and installed. The tenant of its cluster sees it, and no
/// other tenant does.
#[kind(
    id = HOST,
    row = Model,
    reference(host = "The name of the host."),
    rules = &[rules::name, rules::bmc_url, rules::provisioner, rules::machine, of_hosts],
    on_loss = Some(write::on_loss),
    on_write = Some(write::on_write),
    unnamed = Some(Unnamed::Referring { by: "machine", name: MadeName::Tried(names::made_up) }),
    unique = &[Unique {
        field: "machine",
        of: |row| cast::<Model>(row).machine.map(|machine| machine.id().to_string()),
    }],
    audience = Audience::TenantOf("cluster"),
    protection = Some(PROTECTION),
    arrival = Some(ARRIVAL),
    searched(short_id => |row| [names::short_id(row.id)], title, uid, serial, boot_mac, boot_ip),
    no_delete,
    observed,
)]
pub struct Host {
    // The numbers 32 and 33 are reserved for the fields `nodeSet` and `hub`, which come with hubs and clusters.
    /// A short name for people to say and type: `h-` and seven characters of the id. It need not be unique.
    #[computed(
        |host| short_id(host.id),
        filter(TextFilter, |filter, host, _| filter.fits(Some(&short_id(host.id)))),
        filter_text = "A condition on the short name: `h-` and seven characters of the id.",
    )]
    short_id: String,

    /// The machine that the host is. Null if it is not known.
    #[input = "The device or virtual machine that the host is. It is the machine of no other host. If it is absent and \
        `uid` or `serial` is given, the server sets it to the only device that has this UUID or serial number. An item \
        without a name and with a machine means the host of that machine."]
    #[reference(
        6,
        form = Form::OneOf,
        kinds("Device", "VirtualMachine"),
        input = HostMachineInput,
        unread,
        filter(HostMachineFilter, |filter, host, at| filter.fits(host.machine.is_some(), at)),
        filter_text = "A condition on the machine of the host.",
        within,
    )]
    machine: Option<HostMachine>,

    /// The class of the host.
    #[written = "A host that is discovered without one gets the only class whose conditions it meets."]
    #[reference(7, filter)]
    class: Option<HostClass>,

    /// The appliance that lists the host. Null for a token of a tenant.
    #[input = "The appliance that lists the host."]
    #[reference(8, filter, for_operators)]
    appliance: Option<Appliance>,

    /// The UUID or serial number by which the machine identifies itself. Null for a token of a tenant.
    #[input = "The UUID or serial number by which the machine identifies itself: 1 to 253 characters."]
    #[field(9, filter, normalised(values::identity), for_operators)]
    uid: Option<String>,

    /// The serial number of the machine, where `uid` is its UUID. Null for a token of a tenant.
    #[input = "The serial number of the machine, where `uid` is its UUID: 1 to 253 characters."]
    #[field(36, filter, normalised(values::identity), for_operators)]
    serial: Option<String>,

    /// A readable name for people. It need not be unique.
    #[field(10, filter, order("the title"))]
    title: Option<String>,

    /// The instruction set of the machine's processors.
    #[field(11, filter)]
    architecture: Option<CpuArchitecture>,

    /// The address of the BMC. Null for a token of a tenant.
    #[input = "The address of the BMC: `redfish://`, `redfish-virtualmedia://` or `redfish-uefihttp://` (each also \
        with `+http` or `+https`, and with the aliases `idrac-` and `ilo5-`), `ipmi://`, \
        `libvirt+tls|tcp|ssh://host/system#DOMAIN-UUID`, `simulated://`, or `exec://NAME#MACHINE`. A write that \
        changes it without `bmcCredential` clears the credential."]
    #[field(12, shape = ADDRESS, filter, normalised(address), for_operators)]
    bmc_url: Option<String>,

    /// The credential with which the BMC is opened. Null for a token of a tenant.
    #[input = "The credential with which the BMC is opened."]
    #[reference(13, filter, for_operators)]
    bmc_credential: Option<Credential>,

    /// True if the certificate of the BMC is not checked.
    #[input = "True leaves the certificate of the BMC unchecked. Defaults to false."]
    #[field(14)]
    bmc_insecure: bool,

    /// The certificates, in PEM, that are trusted for the BMC besides the usual ones.
    #[input = "The certificates, in PEM, that are trusted for the BMC besides the usual ones: at most 16,384 \
        characters."]
    #[field(15, shape = LONG_TEXT, normalised(values::certificates))]
    bmc_trusted_cas: Option<String>,

    /// The MAC address from which the machine boots over the network. Null for a token of a tenant.
    #[input = "The MAC address from which the machine boots over the network."]
    #[field(
        16,
        shape = TEXT,
        output(Option<Mac>, |row| row.boot_mac.clone().map(Mac)),
        filter(TextFilter, |row| row.boot_mac.as_deref()),
        normalised(mac),
        for_operators,
    )]
    boot_mac: Option<Mac>,

    /// The IP address that the machine has while it boots over the network.
    #[field(17, filter, normalised(values::ip))]
    boot_ip: Option<String>,

    /// The firmware by which the machine boots.
    #[field(18, filter)]
    boot_mode: Option<HostBootMode>,

    /// The device that the machine was last ordered to boot from.
    #[input = "The device that the machine boots from when no order says otherwise. Defaults to LOCAL."]
    #[field(19, filter)]
    boot: HostBoot,

    /// The disk that a system is installed on. Null: the provisioner chooses.
    #[input = "The disk that a system is installed on. A write replaces the whole object."]
    #[field(20, shape = ROOT_DEVICE, borrowed, normalised(values::root_device))]
    root_device: Option<RootDevice>,

    /// The name of the provisioner that installs the host. Null for a token of a tenant.
    #[input = "The name of the provisioner that installs the host."]
    #[field(21, filter, normalised(|value| text(value, 253)), for_operators)]
    provisioner: Option<String>,

    /// The reasons why the host is in maintenance, each by the name of the person or program that keeps it there.
    /// Empty: it is in none.
    #[input = "The reasons why the host is in maintenance, each by the name of the person or program that keeps it \
        there: at most 32, each of 1 to 1,000 characters. An empty object ends it. A write replaces the whole object."]
    #[field(22, shape = MAINTENANCE, output(&TextMap, |row| &row.maintenance.0), normalised(values::maintenance))]
    maintenance: TextMap,

    /// The purpose for which the host is acquired.
    #[field(23, unwritten, filter, set_by_server)]
    acquired_for: Option<String>,

    /// True if the host is deleted as soon as a controller has cleared up what exists outside.
    #[field(24, unwritten, filter, set_by_server)]
    deleting: bool,

    /// The order that the host has, or had last. Null if it never had one.
    #[reference(
        25,
        form = Form::OptionalMember("profile"),
        unwritten,
        unread,
        normalised(values::wanted),
        set_by_server,
    )]
    wanted: Option<Profile>,

    /// The number of orders that the host has had. Each order adds one.
    #[field(26, shape = GENERATION, unwritten, set_by_server)]
    generation: Long,

    /// The state of the host in its life. Only controllers and the mutations of the life set it.
    #[field(
        27,
        unwritten,
        filter,
        order("the state", |row| Some(enum_name(row.state))),
        assigned_by(Role::Reconciler),
        reported,
    )]
    state: HostState,

    /// The power of the host as it was last seen. Only controllers set it.
    #[field(
        28,
        unwritten,
        filter,
        order("the power state", |row| Some(enum_name(row.power))),
        assigned_by(Role::Reconciler),
        reported,
    )]
    power: HostPower,

    /// The step at which a controller works for the host. Null if none works.
    #[field(29, shape = STEP, unwritten, borrowed, normalised(values::step), assigned_by(Role::Reconciler), reported)]
    step: Option<HostStep>,

    /// The last order that is done or has failed. An order is at work while this is less than `generation`.
    #[field(30, shape = GENERATION, unwritten, assigned_by(Role::Reconciler), reported)]
    generation_done: Long,

    /// The cluster that has the host.
    // No controller sets it: the tenant of the cluster sees the host.
    #[reference(31, filter)]
    cluster: Option<Cluster>,

    /// The conditions of the host, each type once.
    #[field(
        34,
        shape = CONDITIONS,
        unwritten,
        normalised(values::conditions),
        redacted(values::conditions_for_tenants),
        assigned_by(Role::Reconciler),
        reported,
    )]
    conditions: Vec<Condition>,

    /// The failure because of which the host is FAILED. Null for a token of a tenant.
    #[field(
        35,
        shape = FAILURE,
        unwritten,
        borrowed,
        normalised(values::failure),
        assigned_by(Role::Reconciler),
        reported,
        for_operators,
    )]
    failure: Option<HostFailure>,

    /// The end of the last order, and the reason if it was not done. Null if no order ended, and for a token of a
    /// tenant.
    #[field(
        37,
        shape = LAST_ORDER,
        unwritten,
        unread,
        normalised(values::last_order),
        assigned_by(Role::Reconciler),
        reported,
        for_operators,
    )]
    last_order: Option<LastOrder>,

    /// True if the host was INSTALLED since it was acquired, and its system was not switched off by a release since. If
    /// this is false, nobody knows what runs on the machine, and a release leaves it alone without force.
    #[field(38, unwritten, set_by_server)]
    was_installed: bool,

    /// What the machine said of itself at the first look at it. A machine that says something else later is another
    /// one, and gets no order, until `acceptMachines` is called for the host. Null: nobody has looked yet, and for a
    /// token of a tenant.
    #[field(
        39,
        shape = SEEN_IDENTITY,
        unwritten,
        borrowed,
        normalised(values::seen_identity),
        assigned_by(Role::Reconciler),
        reported,
        for_operators,
    )]
    seen_identity: Option<SeenIdentity>,

    /// The last time at which a claim asked controllers to look at the machine, because it was last seen more than 60
    /// seconds before. Null: none did, and for a token of a tenant.
    #[field(40, shape = LOOK_ASKED, unwritten, borrowed, set_by_server, for_operators)]
    look_asked: Option<LookAsked>,

    /// The hardware that the last discovery found, also where the host has no device. What people and sources record is
    /// `Device.hardware`. Null: none was found yet.
    #[field(41, shape = HARDWARE, unwritten, borrowed, normalised(machine), assigned_by(Role::Reconciler), reported)]
    hardware: Option<Hardware>,

    /// The hardware that the host had when somebody acknowledged it, with `acknowledgeHardware`. Null: nobody did, and for a
    /// token of a tenant.
    #[field(42, shape = ACKNOWLEDGED_HARDWARE, unwritten, borrowed, set_by_server, for_operators)]
    acknowledged_hardware: Option<AcknowledgedHardware>,

    /// The last time at which somebody asked for the hardware to be read from the BMC, with `readHardware`. Null: nobody did,
    /// and for a token of a tenant.
    #[field(43, shape = HARDWARE_ASKED, unwritten, borrowed, set_by_server, for_operators)]
    hardware_asked: Option<HardwareAsked>,

    /// The state that a source reports of the host. It counts once: when a run creates the host, and `hostsArrive` of
    /// the source is AS_REPORTED. Otherwise it has no effect. An item without a source cannot contain it: adopt hosts
    /// with `adoptHosts`.
    #[input_only(immutable)]
    arrives_as: HostAdoption,

    /// True matches hosts in maintenance, false matches hosts in none.
    #[filter(|is_in, host, _| *is_in != host.maintenance.0.is_empty())]
    in_maintenance: bool,

    /// Matches if one of the conditions of the host has this type and the status TRUE.
    #[filter(
        |filter, host, _| {
            let holds = |it: &&Condition| it.status == ConditionStatus::True;
            host.conditions.0.iter().filter(holds).any(|it| filter.fits(Some(&it.r#type)))
        },
    )]
    condition: TextFilter,

    /// Matches if one of the conditions of the hardware of the host at this moment is this one. `isNull` matches hosts
    /// without one.
    #[filter(
        |filter, host, at| {
            let has = |condition| facts::has_condition(at.snapshot, host, condition);
            let mut all = HardwareCondition::ALL.into_iter();
            all.clone().any(|it| filter.fits(Some(it)) && has(it)) || (filter.fits(None) && !all.any(has))
        },
    )]
    hardware_condition: HardwareConditionFilter,

    /// True matches hosts whose agents have reported, or have a token to report with; false matches the others.
    #[filter(|wanted, host, at| *wanted == facts::has_agent(at.snapshot, host.id))]
    has_agent: bool,
}

#[resolvers]
impl Host {
    /// The machine that the host is. Null if it is not known.
    async fn machine(&self) -> Option<HostMachine> {
        HostMachine::of(&self.0)
    }

    /// The site of the device that the host is. If that is not known, the site of its appliance, or of the rack of its
    /// appliance. The controllers of this site serve the host.
    async fn site(&self) -> Option<Site> {
        let id = host_site(&self.0.snapshot, &self.0.row)?;
        self.0.snapshot.hold(self.0.snapshot.find(id)?).map(Site)
    }

    /// The devices that have the host's UUID or serial number, if the machine is not known: several devices have it, the
    /// only one is the machine of another host, or another host has it too. At most ten. Empty for a token of a tenant.
    async fn machine_suggestions(&self) -> Vec<Device> {
        if self.0.row.machine.is_some() {
            return Vec::new();
        }
        let found = match machine_of(&self.0.snapshot, &self.0.row, &[], Host::MACHINE) {
            Linked::None => Vec::new(),
            Linked::One(id) => vec![id],
            Linked::Suggested(ids) => ids,
        };
        let objects = found.into_iter().filter_map(|id| self.0.snapshot.find(id));
        objects.filter_map(|object| self.0.snapshot.hold(object).map(Device)).collect()
    }

    /// The last observation of the host. It makes no revision. Null if nothing was, and for a token of a tenant.
    async fn observed(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Observation>> {
        observation_of(context, self.0.row.id).await
    }

    /// The acts of drivers and provisioners on the host, the newest first: the last 1,000 are kept. What changed in the
    /// inventory is in `changes`. Null for a token of a tenant.
    async fn history(
        &self,
        context: &async_graphql::Context<'_>,
        #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only entries after this cursor.")] after: Option<String>,
    ) -> async_graphql::Result<Option<ActConnection>> {
        acts_of(context, self.0.row.id, first, after).await
    }

    /// The last permission for the machine of the host to boot from the network for an order, and what came of it. Null if
    /// there was none, and for a token of a tenant.
    async fn boot_attempt(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<BootAttempt>> {
        attempt_of(context, self.0.row.id).await
    }

    /// What the machine of the host was given when it booted from the network, the newest first: the last 100 boots are
    /// kept. Null for a token of a tenant.
    async fn boots(
        &self,
        context: &async_graphql::Context<'_>,
        #[graphql(desc = "The maximum number of boots: 0 to 100. Defaults to 10.")] first: Option<i32>,
    ) -> async_graphql::Result<Option<Vec<NetworkBoot>>> {
        boots_of(context, self.0.row.id, first).await
    }

    /// What was last reported of the hardware of the host, by the agent that runs on it. It makes no revision. Empty if
    /// nothing was.
    async fn facts(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Vec<FactsReport>> {
        Box::pin(facts::facts_of_host(context, self.0.row.id)).await
    }

    /// The conditions of the hardware of the host at this moment, worked out of what was reported.
    async fn hardware_conditions(&self) -> Vec<HardwareCondition> {
        facts::conditions(&self.0.snapshot, &self.0.row)
    }

    /// The hardware that the host has less of than its class demands, or than it had when its hardware was acknowledged, by the
    /// last report of its agent.
    async fn missing_hardware(&self) -> Vec<MissingHardware> {
        facts::missing(&self.0.snapshot, &self.0.row)
    }

    /// The events of the hardware of the host, the newest first: what changed between two reports, and the parts that moved
    /// to another host. Null for a token of a tenant.
    async fn hardware_events(
        &self,
        context: &async_graphql::Context<'_>,
        #[graphql(desc = "The maximum number of events: 0 to 1000. Defaults to 50.")] first: Option<i32>,
        #[graphql(desc = "Returns only events after this cursor, which are older.")] after: Option<String>,
    ) -> async_graphql::Result<Option<HardwareEventConnection>> {
        Box::pin(facts::events_of(context, facts::of_host(self.0.row.id), first, after)).await
    }

    /// The parts that are in the host, of those that are recognised by a serial number. Null for a token of a tenant.
    async fn parts(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Vec<Part>>> {
        Box::pin(facts::parts_of_host(context, self.0.row.id)).await
    }

    /// The cabling of the network interfaces: what is heard at them by LLDP, beside the far ends that are recorded. Empty
    /// if the host has no device or nothing was reported. Null for a token of a tenant.
    async fn cabling(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Vec<HostCabling>>> {
        Box::pin(cabling_of_host(context, &self.0)).await
    }

    /// The token with which the agent on the host reports, without its secret. Null if none was issued, and for a token
    /// of a tenant.
    async fn agent_token(&self, context: &async_graphql::Context<'_>) -> Option<HostAgentToken> {
        facts::token_of(context, self.0.row.id)
    }

    /// The order that the host has, or had last. Null if it never had one.
    async fn wanted(&self) -> Option<HostWanted> {
        HostWanted::of(&self.0)
    }

    /// The end of the last order, and the reason if it was not done. Null if no order ended, and for a token of a tenant.
    async fn last_order(&self) -> Option<HostLastOrder> {
        self.0.row.last_order.clone().map(HostLastOrder)
    }
}
