//! Describes a host class to the inventory: its fields, key and references.

use std::sync::Arc;

use serde_json::Value as Json;
use underlay_entity::host_class::Model;

use super::node::HostClass;
use super::topology::TOPOLOGY;
use crate::bounds::{MapBounds, text_map};
use crate::common::{TEXT, at_least_one, entries, member};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Key, Kind, KindId, Shape, Unfit, shorten};
use underlay_inventory::{field, searched};

const MATCH: Shape = Shape::Structure("an object with cpuCores, memoryBytes, disks and labels");
/// The maximum number of conditions on disks. They are judged for every set of them.
const MAX_DISK_CONDITIONS: usize = 8;
/// The bounds of the labels in the conditions.
const LABELS: MapBounds = MapBounds { entries: 64, key_characters: 317, value_characters: 63 };

const FIELDS: &[Field] =
    fields![field!(6, Model.title, "title", TEXT), field!(7, Model.criteria, "match", MATCH).normalised(criteria),];

/// The description of host classes in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::HOST_CLASS,
    name: "HostClass",
    singular: "hostClass",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "hostClass" },
    blank: || Arc::new(blank()),
    rules: &[],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "title" => |class| &class.title,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for HostClass {
    type Row = Model;
    const ID: KindId = ids::HOST_CLASS;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

blank!(Model { title: None, criteria: None });

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
