//! The report of a machine about its own hardware, in the form in which an agent sends it, and as a page for people, and
//! what changed between two reports.
//!
//! Guarantees: members that this version does not know are kept, so a report passes through an older program unharmed.
//! Two reports of the same hardware have the same [`Report::digest`], whenever they were made. A section that could not
//! be read as a whole says so: what is absent from it may still be there.

mod alarms;
mod check;
mod compare;
pub mod lldp;
mod page;
mod parts;
mod protocol;
mod recorder;
mod report;
mod section;
mod summary;
mod traced;
mod value;

pub use alarms::Alarms;
pub use check::Unfit;
pub use compare::{Comparison, MissingParts, Part, PartChange, PartEvent, compare};
pub use page::page;
pub use parts::{
    BootMode, Device, Disk, DiskHealth, DiskMedium, Fan, Firmware, Gpu, Interface, InterfaceKind, Memory, MemoryErrors,
    MemoryModule, Neighbour, NeighbourCapability, NeighbourIdSubtype, PartHealth, PowerSupply, Processor, System,
};
pub use protocol::{
    Answer, EnrolAnswer, EnrolRequest, EnrolledHost, MAX_MESSAGE_BYTES, MAX_MESSAGE_VALUES, Message, Outcome, Unchanged,
};
pub use recorder::Recording;
pub use report::{AgentProgram, FORMAT, Report, Sections};
pub use section::{Note, Section, Unread};
pub use summary::{Amounts, DiskGroup, Lack, Measure, ModelCount, PartModel, Summary, SummaryDisk};
pub use traced::{PartIdentity, TracedPart, TracedSection, traced, traced_part};
pub use value::{clean, is_junk, is_placeholder};
