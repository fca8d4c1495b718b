//! A host, as the controller sees it: the part of the API's kind Host that its life depends on.

mod wanted;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use underlay_address::IgnoredIdentities;
use uuid::Uuid;

pub use self::wanted::{Image, Order, OrderKey, Profile, RootDevice, Wanted};

/// A time of the server's database.
pub type Time = DateTime<Utc>;

/// A host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Host {
    /// The id of the host.
    pub id: Uuid,
    /// The name of the host.
    pub name: String,
    /// The number that grows with each change of the reported fields. A report for an older one is refused.
    pub observed_version: i64,
    /// The address of its BMC.
    pub bmc_url: Option<String>,
    /// The id of the credential for its BMC.
    pub bmc_credential: Option<Uuid>,
    /// True if the certificate of its BMC is not checked.
    #[serde(default)]
    pub bmc_insecure: bool,
    /// The certificates, in PEM, that are trusted for its BMC besides the usual ones.
    #[serde(default)]
    pub bmc_trusted_cas: Option<String>,
    /// The UUID or serial number by which its system is found at a BMC that has several.
    pub uid: Option<String>,
    /// The serial number of its machine, where `uid` is a UUID.
    #[serde(default)]
    pub serial: Option<String>,
    /// The names that its machine had at the first look. `None`: nobody has looked yet.
    #[serde(default)]
    pub seen_identity: Option<SeenIdentity>,
    /// The last time at which a claim asked for a look at its machine.
    #[serde(default)]
    pub look_asked: Option<Time>,
    /// The last time at which somebody asked for the hardware to be read.
    pub hardware_asked: Option<Time>,
    /// The identities that mean nothing at this server. The members above have none of them.
    #[serde(skip)]
    pub ignored: Arc<IgnoredIdentities>,
    /// True if all that was seen of its machine is among them. Then nobody knows any more which machine it is, until a person
    /// accepts it.
    #[serde(skip)]
    pub is_pinned_by_nothing: bool,
    /// The MAC address that it boots from.
    pub boot_mac: Option<String>,
    /// The firmware that it boots with, if it is known.
    #[serde(default)]
    pub boot_mode: Option<BootMode>,
    /// The disk that a system is installed on; `None` if the provisioner chooses.
    #[serde(default)]
    pub root_device: Option<RootDevice>,
    /// The name of its provisioner.
    pub provisioner: Option<String>,
    /// True if it is in maintenance. No order is begun then.
    #[serde(default)]
    pub in_maintenance: bool,
    /// True if it is to be deleted when everything outside is cleared up.
    #[serde(default)]
    pub deleting: bool,
    /// The last order.
    pub wanted: Option<Wanted>,
    /// The number of the last order; 0 if there was none.
    pub generation: i64,
    /// The number of the last order that is done or failed.
    pub generation_done: i64,
    /// The state in its life.
    pub state: State,
    /// The power that was last seen.
    pub power: Power,
    /// The step of the order that is at work.
    pub step: Option<Step>,
    /// The conditions that hold.
    #[serde(default)]
    pub conditions: Vec<Condition>,
    /// The reason why it failed.
    pub failure: Option<HostFailure>,
    /// True if it was INSTALLED since it was acquired, and its system was not switched off by a release since.
    #[serde(default)]
    pub was_installed: bool,
    /// The observations that make no revision.
    #[serde(default)]
    pub observed: Observed,
    /// The id of the site of its machine, or of its appliance.
    #[serde(default)]
    pub site: Option<Uuid>,
    /// The name of the appliance that lists it.
    #[serde(default)]
    pub appliance: Option<String>,
    /// The time between two polls while it rests, in seconds, as its appliance says.
    #[serde(default)]
    pub interval: Option<u32>,
}

impl Host {
    /// Returns the host without what identifies no machine at its server. The MAC address that it boots from stays, because
    /// a provisioner needs it.
    pub fn ignoring(mut self, ignored: &Arc<IgnoredIdentities>) -> Self {
        let means = |text: &String| !ignored.has(text);
        let was_pinned = self.is_pinned();
        self.uid = self.uid.filter(means);
        self.serial = self.serial.filter(means);
        self.seen_identity = self.seen_identity.map(|seen| SeenIdentity {
            uuid: seen.uuid.filter(means),
            serial: seen.serial.filter(means),
            macs: seen.macs.into_iter().filter(means).collect(),
            at: seen.at,
        });
        self.is_pinned_by_nothing = was_pinned && !self.is_pinned();
        self.ignored = Arc::clone(ignored);
        self
    }

    /// Returns what identifies the last order.
    pub fn order_key(&self) -> OrderKey {
        OrderKey { number: self.generation, id: self.wanted.as_ref().and_then(|wanted| wanted.id) }
    }

    /// Returns true if it is known what its machine says of itself.
    pub fn is_pinned(&self) -> bool {
        self.seen_identity.as_ref().is_some_and(|seen| !seen.is_silent())
    }

    /// Returns the order that is neither done nor failed.
    pub fn order(&self) -> Option<&Wanted> {
        self.wanted.as_ref().filter(|_| self.generation > self.generation_done)
    }

    /// Returns the state to which the host goes back when its order is refused: the state in which it was given. A host at
    /// work of which this is not known is FAILED.
    pub fn state_before(&self) -> State {
        if self.state.rests() {
            return self.state;
        }
        let given_in = self.wanted.as_ref().and_then(|wanted| wanted.given_in);
        given_in.filter(|state| state.rests()).unwrap_or(State::Failed)
    }

    /// Returns the step of the order that is at work. A step of an earlier order is none.
    pub fn current_step(&self) -> Option<&Step> {
        self.step.as_ref().filter(|step| step.of == self.generation && self.order().is_some())
    }
}

impl State {
    /// Returns true if a host waits for orders in this state.
    pub const fn rests(self) -> bool {
        !matches!(self, Self::Discovering | Self::Installing | Self::Releasing | Self::Wiping)
    }
}

/// The states in the life of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum State {
    /// Known from elsewhere. It may be in use.
    Registered,
    /// Its hardware is being found out.
    Discovering,
    /// Free.
    Available,
    /// Taken by somebody, and nothing is installed yet.
    Acquired,
    /// A system is being installed.
    Installing,
    /// In use.
    Installed,
    /// Being switched off and detached.
    Releasing,
    /// Its disks are being erased.
    Wiping,
    /// A step failed.
    Failed,
}

/// The firmware that a host boots with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum BootMode {
    /// UEFI, without Secure Boot.
    Uefi,
    /// UEFI with Secure Boot.
    UefiSecure,
    /// The BIOS of older machines.
    Bios,
}

/// The power of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Power {
    /// Switched on.
    On,
    /// Switched off.
    Off,
    /// Nobody has seen it.
    #[default]
    Unknown,
}

/// The steps of orders. The names are stored and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepName {
    /// The provisioner gets to know the host.
    Register,
    /// The power is looked at, before anything is done with a machine that may be in use.
    Look,
    /// The provisioner prepares what the machine will boot.
    Prepare,
    /// The machine is set to boot from the network once.
    BootNetwork,
    /// The machine is set to boot from its disk the next time.
    BootLocal,
    /// The machine is switched on.
    PowerOn,
    /// The machine is switched off and on.
    PowerCycle,
    /// The machine is asked to shut down.
    PowerOff,
    /// The machine is switched off without asking it.
    ForceOff,
    /// The hardware is being found out.
    Inspect,
    /// The system is being installed.
    Install,
    /// The provisioner lets go of the system.
    Detach,
    /// The disks are being erased.
    Wipe,
}

impl StepName {
    /// All steps.
    pub const ALL: [Self; 13] = [
        Self::Register,
        Self::Look,
        Self::Prepare,
        Self::BootNetwork,
        Self::BootLocal,
        Self::PowerOn,
        Self::PowerCycle,
        Self::PowerOff,
        Self::ForceOff,
        Self::Inspect,
        Self::Install,
        Self::Detach,
        Self::Wipe,
    ];

    /// Returns the name that is stored.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Look => "look",
            Self::Prepare => "prepare",
            Self::BootNetwork => "boot-network",
            Self::BootLocal => "boot-local",
            Self::PowerOn => "power-on",
            Self::PowerCycle => "power-cycle",
            Self::PowerOff => "power-off",
            Self::ForceOff => "force-off",
            Self::Inspect => "inspect",
            Self::Install => "install",
            Self::Detach => "detach",
            Self::Wipe => "wipe",
        }
    }
}

/// A step of an order. It is written before the act that it describes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// The number of the attempt, from 1. It grows when a step is repeated.
    pub attempt: i32,
    /// The name of the step.
    pub name: StepName,
    /// The number of the order.
    pub of: i64,
    /// The time when the step began.
    pub since: Time,
}

/// The names that the machine of a host had at the first look. All are empty for a machine that tells nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenIdentity {
    #[serde(default)]
    pub uuid: Option<String>,
    /// The serial number.
    #[serde(default)]
    pub serial: Option<String>,
    /// The MAC addresses that it listed, if it was asked for them.
    #[serde(default)]
    pub macs: Vec<String>,
    /// The time of the look.
    pub at: Time,
}

/// The reason why a step failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostFailure {
    /// The state in which it failed.
    pub during: State,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
    /// The step that failed. `None`: it is not known.
    #[serde(default)]
    pub step: Option<StepName>,
    /// The state before the order that failed. `None`: it is not known.
    #[serde(default)]
    pub before: Option<State>,
    /// True if an installer or a wipe began on the machine, so that its disks hold nothing.
    #[serde(default)]
    pub erased: bool,
    /// True if the machine may boot from the network the next time, because the order had set that and nobody could take it
    /// back.
    #[serde(default)]
    pub armed: bool,
}

/// The end of an order that was not done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    pub outcome: Outcome,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence that says what went wrong, and what to do.
    pub message: String,
}

/// The outcome of an order that was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Outcome {
    /// Something was begun, and a step failed.
    Failed,
    /// The controller refused it before it touched the machine.
    Refused,
    /// It was not begun in the time for which it was valid.
    Expired,
    /// A person ended it before the machine was touched.
    Cancelled,
}

/// Something that is worth knowing besides the state. The controller writes only those that hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Condition {
    /// The type of the condition.
    pub r#type: String,
    /// The truth of the condition: `TRUE`, `FALSE` or `UNKNOWN`.
    pub status: String,
    /// The reason, as one word.
    pub reason: String,
    /// A sentence for operators.
    pub message: Option<String>,
    /// A sentence that tenants see too.
    pub message_for_tenants: Option<String>,
}

/// The last look at a host. It makes no revision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Observed {
    /// The time at which its BMC or provisioner answered last.
    #[serde(default)]
    pub seen_at: Option<Time>,
    /// The time at which its power was last seen, whatever it was.
    #[serde(default)]
    pub power_at: Option<Time>,
    /// The time at which the machine fetched its script, from the network.
    #[serde(default)]
    pub script_fetched_at: Option<Time>,
    /// The time at which its facts came.
    #[serde(default)]
    pub facts_at: Option<Time>,
    /// The last word of its provisioner.
    #[serde(default)]
    pub word: Option<Word>,
}

/// The word of a provisioner about the order that it works on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Word {
    /// The step that it is about.
    pub step: StepName,
    /// The number of the order that it is about.
    pub of: i64,
    /// The id of the order that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Uuid>,
    /// The progress of that step.
    pub state: WordState,
    /// A sentence of the provisioner, relayed as it is.
    pub sentence: Option<String>,
    /// The time of the word.
    pub at: Time,
}

impl Word {
    /// Returns true if it is about a step of an order.
    pub fn is_about(&self, step: StepName, order: OrderKey) -> bool {
        self.step == step && OrderKey { number: self.of, id: self.order } == order
    }
}

/// The progress of a step of a provisioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum WordState {
    /// It works on the step.
    Working,
    /// The step is done.
    Done,
    /// The step failed.
    Failed,
}

/// The facts that a discovery found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    /// The serial number of the machine.
    pub serial: Option<String>,
    /// The UUID of the machine.
    pub uuid: Option<String>,
    /// The MAC address of the port that it boots from.
    pub boot_mac: Option<String>,
    /// The number of processor cores.
    pub cpu_cores: Option<u32>,
    /// The instruction set of the processors.
    pub cpu_architecture: Option<CpuArchitecture>,
    pub memory_bytes: Option<u64>,
    /// The disks; `None` if nobody looked for them.
    pub disks: Option<Vec<Disk>>,
}

/// The instruction set of processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CpuArchitecture {
    /// The 64-bit x86 architecture.
    Amd64,
    /// The 64-bit ARM architecture.
    Arm64,
    /// Another one.
    Other,
}

/// A disk that a discovery found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disk {
    /// The name, such as `nvme0n1`.
    pub name: String,
    pub size_bytes: u64,
    pub r#type: DiskType,
}

/// The technology of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum DiskType {
    /// Flash with a SATA or SAS interface.
    Ssd,
    /// Rotating platters.
    Hdd,
    /// Flash with an NVMe interface.
    Nvme,
}
