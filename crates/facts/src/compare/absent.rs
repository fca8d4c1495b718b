//! The parts that were there before, and that the last report does not show.

use serde::{Deserialize, Serialize};

use crate::parts::{Device, Disk, Fan, Firmware, Gpu, Interface, MemoryModule, Neighbour, PowerSupply, Processor};

/// The greatest number of parts that a list remembers. Only a machine that makes up parts has more; it forgets the oldest.
const MOST_REMEMBERED: usize = 1000;

/// The parts that were there before, and that the last report does not show. A server keeps it beside the report, for the
/// next comparison.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MissingParts {
    /// The processors.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) processors: AbsentParts<Processor>,
    /// The memory modules.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) modules: AbsentParts<MemoryModule>,
    /// The disks.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) disks: AbsentParts<Disk>,
    /// The interfaces.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) interfaces: AbsentParts<Interface>,
    /// The devices.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) devices: AbsentParts<Device>,
    /// The GPUs.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) gpus: AbsentParts<Gpu>,
    /// The neighbours.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) neighbours: AbsentParts<Neighbour>,
    /// The power supplies.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) supplies: AbsentParts<PowerSupply>,
    /// The fans.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) fans: AbsentParts<Fan>,
    /// The firmware.
    #[serde(skip_serializing_if = "AbsentParts::is_empty")]
    pub(crate) firmware: AbsentParts<Firmware>,
}

impl MissingParts {
    /// Returns true if there is nothing to remember, so that a report that was sent again says nothing new. What an
    /// incomplete section does not show is remembered too.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The parts of a section that are not shown. Both lists begin with the part that was shown the longest time ago.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct AbsentParts<T> {
    /// The parts that one complete section lacked: the next one confirms it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacked: Vec<T>,
    /// The parts that only incomplete sections did not show.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<T>,
    /// The knowledge of the parts besides the last section.
    #[serde(skip_serializing_if = "Knowledge::is_of_section")]
    pub knowledge: Knowledge,
}

/// The knowledge of the parts of a section besides what the last report says of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Knowledge {
    /// All is known if the last section is complete.
    #[default]
    OfSection,
    /// The last section is incomplete, but an earlier one was complete. Parts that nobody knew yet are new.
    OfAll,
}

impl Knowledge {
    fn is_of_section(&self) -> bool {
        *self == Self::OfSection
    }
}

impl<T> Default for AbsentParts<T> {
    fn default() -> Self {
        Self { lacked: Vec::new(), unseen: Vec::new(), knowledge: Knowledge::default() }
    }
}

impl<T> AbsentParts<T> {
    fn is_empty(&self) -> bool {
        self.lacked.is_empty() && self.unseen.is_empty() && self.knowledge.is_of_section()
    }

    /// Forgets the oldest parts of lists that are too long.
    pub fn bounded(mut self) -> Self {
        for list in [&mut self.lacked, &mut self.unseen] {
            list.drain(..list.len().saturating_sub(MOST_REMEMBERED));
        }
        self
    }
}
