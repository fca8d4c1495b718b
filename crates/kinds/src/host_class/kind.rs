//! Declares a host class.

use serde_json::Value as Json;
use underlay_entity::host::{self, HostState};
use underlay_entity::host_class::{HostMatch, Model};
use underlay_inventory::{Shape, Unfit, shorten};
use underlay_kind_derive::{kind, resolvers};

use super::topology::TOPOLOGY;
use crate::bounds::{MapBounds, text_map};
use crate::common::{at_least_one, entries, member};
use crate::host::{Host, HostListFilter, is_claimable};

const MATCH: Shape = Shape::Structure("an object with cpuCores, memoryBytes, disks and labels");

/// The maximum number of conditions on disks. They are judged for every set of them.
const MAX_DISK_CONDITIONS: usize = 8;

/// The bounds of the labels in the conditions.
const LABELS: MapBounds = MapBounds { entries: 64, key_characters: 317, value_characters: 63 };

/// A host class: hosts that are alike enough to stand in for each other.
#[kind(
    id = HOST_CLASS,
    row = Model,
    plural = host_classes,
    reference(host_class = "The name of the host class."),
    searched(title),
)]
pub struct HostClass {
    /// A readable name for people. It need not be unique.
    #[field(6, filter, order("the title"))]
    title: Option<String>,

    /// The conditions under which a host that is discovered gets the class. Null: no host gets it by itself.
    #[input = "The conditions under which a host that is discovered gets the class. Without them no host gets it by \
        itself. A write replaces the whole object."]
    #[field(7, column = criteria, shape = MATCH, borrowed, normalised(criteria))]
    r#match: Option<HostMatch>,

    /// The hosts of the class.
    #[list(Host::CLASS, filter)]
    hosts: Vec<Host>,
}

#[resolvers]
impl HostClass {
    /// The number of hosts of the class.
    async fn total(&self) -> usize {
        self.count(|_| true)
    }

    /// The number of hosts of the class that can be acquired: they are AVAILABLE and in no maintenance, their machine
    /// is ACTIVE or STAGED, and nothing failed.
    async fn available(&self) -> usize {
        self.0.referrers::<Host>(Host::CLASS).filter(is_claimable).count()
    }

    /// The number of hosts of the class that belong to somebody: from ACQUIRED until they are AVAILABLE again.
    async fn acquired(&self) -> usize {
        self.count(|host| host.state.is_taken())
    }

    /// The number of hosts of the class that are FAILED.
    async fn failed(&self) -> usize {
        self.count(|host| host.state == HostState::Failed)
    }
}

/// Checks that the conditions are within their bounds.
fn criteria(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "cpuCores", at_least_one)?;
    let value = member(value, "memoryBytes", at_least_one)?;
    let value = member(value, "labels", |labels| text_map(labels, LABELS))?;
    member(value, "disks", |disks| {
        let count = disks.as_array().map_or(0, Vec::len);
        if count > MAX_DISK_CONDITIONS {
            return Err(Unfit::new("", format!("has {count} entries; at most {MAX_DISK_CONDITIONS} are allowed")));
        }
        entries(disks, |disk| {
            let disk =
                member(disk, "count", |count| match count.as_i64().is_some_and(|it| (1..=1_000).contains(&it)) {
                    true => Ok(count),
                    false => {
                        Err(Unfit::new("", format!("must be a whole number from 1 to 1000, not {}", shorten(&count))))
                    }
                })?;
            member(disk, "sizeBytes", at_least_one)
        })
    })
}

impl HostClass {
    /// Counts the hosts of the class that fit.
    fn count(&self, fits: fn(&host::Model) -> bool) -> usize {
        self.0.referrers::<Host>(Host::CLASS).filter(|host| fits(&host.row)).count()
    }
}
