//! The part of a report that a server keeps in memory for each host: the models of the parts, the amounts of hardware, the
//! disks, and the interfaces at which neighbours are heard.
//!
//! Guarantees: the texts are cleaned and of bounded length, and so is the number of models. An amount is known only from a
//! section that was read as a whole, and a part that one report lacks still counts until the next one confirms it.

mod amounts;
mod disks;
mod heard;
mod models;

use serde::{Deserialize, Serialize};

use crate::compare::MissingParts;
use crate::report::Sections;

pub use amounts::{Amounts, DiskGroup, Lack, Measure};
pub use disks::SummaryDisk;
pub use models::{ModelCount, PartModel};

/// The part of a report that a server keeps in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Summary {
    /// The amounts of hardware.
    pub amounts: Amounts,
    /// The models of the parts, each once, in order.
    pub models: Vec<ModelCount>,
    /// The disks, in the order of their names. Absent if they are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disks: Option<Vec<SummaryDisk>>,
    /// True if a GPU fell off its bus.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gpu_lost: bool,
    /// The interfaces and the neighbours that are heard at them, without what the cabling and the links are not judged by.
    /// Absent if no neighbour is heard, and no interface lacks its carrier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heard: Option<Box<Sections>>,
}

impl Summary {
    /// Returns the summary of a report. `missing` is what the report lacks, as the comparison with the one before gave.
    #[must_use]
    pub fn of(sections: &Sections, missing: &MissingParts) -> Self {
        Self {
            amounts: Amounts::of(sections, missing),
            models: models::of(sections),
            disks: disks::of(sections, missing),
            gpu_lost: sections.gpus.iter().flat_map(|section| &section.found).any(|gpu| gpu.off_bus),
            heard: heard::of(sections).map(Box::new),
        }
    }
}
