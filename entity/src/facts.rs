//! The row of the facts that were last reported of a host, without the facts themselves. They are in no snapshot.

use sea_orm::entity::prelude::*;

/// One report in the table `facts`: a host has at most one of each origin.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "facts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub host_id: Uuid,
    /// The number of a [`FactsOrigin`].
    #[sea_orm(primary_key, auto_increment = false)]
    pub origin: i16,
    /// The digest of the facts: SHA-256 in hexadecimal digits.
    pub digest: String,
    /// The version of the program that reported.
    pub program: String,
    /// The time of the report, by the clock of the machine.
    pub observed_at: DateTimeUtc,
    /// The time at which the last message about these facts came, by the clock of the server.
    pub received_at: DateTimeUtc,
    /// The time since which the facts are these, by the clock of the server.
    pub since: DateTimeUtc,
    /// True if the last report lacked parts that were there before. The next one tells whether they are gone.
    pub pending: bool,
    /// True if a disk expects to fail.
    pub disk_failing: bool,
    /// True if the memory has had errors since the boot that could not be corrected.
    pub memory_errors: bool,
    /// The models, the amounts and what is heard. Null in a row that an older version wrote.
    pub summary: Option<Json>,
    /// The time when the row was written, by the clock of the database.
    pub written_at: DateTimeUtc,
}

impl ActiveModelBehavior for ActiveModel {}

/// The party that says what hardware a host has. The numbers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, async_graphql::Enum)]
#[repr(i16)]
pub enum FactsOrigin {
    /// The agent that runs on the machine.
    Agent = 0,
    /// OpenStack's recorder (ironic-python-agent) on the machine. It reads the hardware once, when it starts.
    Recorder = 1,
    /// The BMC of the machine. A controller reads it once a day, and when somebody asks for it.
    Bmc = 2,
}

impl FactsOrigin {
    /// All origins, in the order of their numbers.
    pub const ALL: [Self; 3] = [Self::Agent, Self::Recorder, Self::Bmc];

    /// Returns the number of the origin in the column `origin`.
    pub const fn number(self) -> i16 {
        self as i16
    }

    /// Returns the origin of a number. There is none for the number of a later version.
    pub fn of(number: i16) -> Option<Self> {
        Self::ALL.into_iter().find(|origin| origin.number() == number)
    }

    /// Returns true if each report is a new reading of the hardware. If not, an equal report confirms nothing.
    pub const fn reads_anew(self) -> bool {
        match self {
            Self::Agent | Self::Bmc => true,
            Self::Recorder => false,
        }
    }
}

/// A condition of the hardware of a host, worked out when it is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, async_graphql::Enum)]
pub enum HardwareCondition {
    /// The agent of the host has reported before, or has a token to report with, and has not reported for three periods.
    FactsStale,
    /// A disk of the host expects to fail, as its last report says.
    DiskFailing,
    /// The memory of the host has had errors since the boot that could not be corrected, as its last report says.
    MemoryErrors,
    /// The host has less hardware than its class demands, or than it had when its hardware was acknowledged, as its last report
    /// says. `missingHardware` says what.
    HardwareMissing,
    /// A neighbour is heard at an interface of the host that is not the far end that is recorded for it. `cabling` says where.
    /// Never for a token of a tenant.
    CablingMismatch,
    /// An interface of the host is switched on and has no carrier, as its last report says, though a cable is recorded at its
    /// port. Never for a token of a tenant.
    LinkDown,
    /// A GPU of the host fell off its bus, as its last report says.
    GpuLost,
}

impl HardwareCondition {
    /// All conditions.
    pub const ALL: [Self; 7] = [
        Self::FactsStale,
        Self::DiskFailing,
        Self::MemoryErrors,
        Self::HardwareMissing,
        Self::CablingMismatch,
        Self::LinkDown,
        Self::GpuLost,
    ];

    /// Returns the name of the condition in the API and in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FactsStale => "FACTS_STALE",
            Self::DiskFailing => "DISK_FAILING",
            Self::MemoryErrors => "MEMORY_ERRORS",
            Self::HardwareMissing => "HARDWARE_MISSING",
            Self::CablingMismatch => "CABLING_MISMATCH",
            Self::LinkDown => "LINK_DOWN",
            Self::GpuLost => "GPU_LOST",
        }
    }
}
