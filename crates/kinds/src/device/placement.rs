//! The placement of a device in a rack: the rack, the lowest unit, the height in units and the face.
//!
//! Units have steps of one half, so ranges are compared in half units. A full-depth device takes both faces. Without a
//! start unit, the device is in the rack but takes no unit, like a vertical PDU. Guarantee: after a write, no two
//! devices take the same unit of the same face.

use std::collections::BTreeSet;

use async_graphql::{InputObject, Object};
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use underlay_entity::device::{Face, Model};
use uuid::Uuid;

use super::kind::Device;
use crate::common::words;
use crate::grammar::required;
use crate::rack::{Rack, RackRef};
use underlay_entity::targets::Targets;
use underlay_inventory::{
    Audience, Checked, Field, Form, Held, Problems, Reference, Roles, Setter, Shape, Unfit, cast, cast_mut, shorten,
    shorten_text,
};

/// The place of a device in a rack.
#[derive(Clone, Debug)]
pub struct Placement(pub Held<Device>);

/// The place of a device in a rack.
#[Object]
impl Placement {
    /// The rack that the device stands in.
    async fn rack(&self) -> async_graphql::Result<Rack> {
        required(self.0.follow(Device::RACK).map(Rack), "placement.rack")
    }

    /// The lowest unit that the device takes, in steps of 0.5. U1 is at the bottom. Null if the device is in the rack
    /// but takes no unit.
    async fn start_unit(&self) -> Option<f64> {
        self.0.row.start_unit
    }

    /// The number of units that the device takes, in steps of 0.5.
    async fn unit_height(&self) -> Option<f64> {
        self.0.row.unit_height
    }

    /// The face of the rack that the device is mounted on.
    async fn face(&self) -> Face {
        self.0.row.face.unwrap_or_default()
    }

    /// True if the device takes its units on both faces.
    async fn full_depth(&self) -> bool {
        self.0.row.full_depth
    }
}

/// The place of a device in a rack.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlacementInput {
    /// The rack, at the site of the device.
    pub rack: RackRef,
    /// The lowest unit that the device takes, in steps of 0.5. U1 is at the bottom. If absent, the device is in the
    /// rack but takes no unit.
    pub start_unit: Option<f64>,
    /// The number of units that the device takes, in steps of 0.5. Required with a start unit.
    pub unit_height: Option<f64>,
    /// The face of the rack that the device is mounted on. Defaults to FRONT.
    pub face: Option<Face>,
    /// True if the device takes its units on both faces. Defaults to false.
    pub full_depth: Option<bool>,
}

/// The field `placement`: one object in the API, five columns in the row.
pub const FIELD: Field = Field {
    number: 12,
    name: "placement",
    shape: Shape::Structure("an object with rack, startUnit, unitHeight, face and fullDepth"),
    required: false,
    immutable: false,
    reduced: true,
    setter: Setter::Everyone,
    assigned_by: Roles::NONE,
    assigned_entries: &[],
    reported: false,
    audience: Audience::Everyone,
    redact: None,
    reference: Some(Reference {
        targets: &["Rack"],
        form: Form::Member("rack"),
        contained: false,
        within: true,
        ends: false,
        places: false,
        places_target: false,
        apart: None,
        each: |row, visit| cast::<Model>(row).rack_id.each(visit),
    }),
    normalise: Some(normalise),
    get: |row| shown(cast(row)),
    write: |row, text| serde_json::to_writer(text, &shown(cast(row))),
    set: |row, value| {
        let device = cast_mut::<Model>(row);
        (device.rack_id, device.start_unit, device.unit_height, device.face, device.full_depth) = read(value)?;
        Ok(())
    },
    is: |row, value| Ok(columns(cast(row)) == read(value)?),
    same: |left, right| columns(cast(left)) == columns(cast(right)),
};

fn shown(device: &Model) -> Json {
    let Some(rack) = device.rack_id else { return Json::Null };
    let mut placement = json!({ "rack": rack, "face": device.face.unwrap_or_default() });
    if let Some(start) = device.start_unit {
        placement["startUnit"] = json!(start);
    }
    if let Some(height) = device.unit_height {
        placement["unitHeight"] = json!(height);
    }
    if device.full_depth {
        placement["fullDepth"] = json!(true);
    }
    placement
}

/// The columns of a placement: rack, lowest unit, height in units, face, and true if the device takes both faces.
type Columns = (Option<Uuid>, Option<f64>, Option<f64>, Option<Face>, bool);

fn columns(device: &Model) -> Columns {
    (device.rack_id, device.start_unit, device.unit_height, device.face, device.full_depth)
}

fn read(value: &Json) -> Result<Columns, serde_json::Error> {
    let member = |name: &str| value.get(name).unwrap_or(&Json::Null);
    let rack = Option::<Uuid>::deserialize(member("rack"))?;
    let face = Option::<Face>::deserialize(member("face"))?;
    let full_depth = Option::<bool>::deserialize(member("fullDepth"))?.unwrap_or_default();
    let (start, height) = (member("startUnit"), member("unitHeight"));
    let face = rack.map(|_| face.unwrap_or_default());
    Ok((rack, Option::deserialize(start)?, Option::deserialize(height)?, face, full_depth))
}

fn normalise(value: Json) -> Result<Json, Unfit> {
    let known = ["rack", "startUnit", "unitHeight", "face", "fullDepth"];
    let members = value.as_object();
    if let Some(unknown) = members.and_then(|all| all.keys().find(|name| !known.contains(&name.as_str()))) {
        return Err(Unfit::new(shorten_text(unknown), format!("is unknown; allowed are {}", known.join(", "))));
    }
    let member = |name: &str| value.get(name).filter(|value| !value.is_null());
    for (name, least) in [("startUnit", 1.0), ("unitHeight", 0.5)] {
        let Some(units) = member(name) else { continue };
        let fits = units.as_f64().is_some_and(|units| (least..=100.5).contains(&units) && (units * 2.0).fract() == 0.0);
        if !fits {
            return Err(Unfit::new(
                name,
                format!("must be a number of at least {least} in steps of 0.5, not {}", shorten(units)),
            ));
        }
    }
    if member("startUnit").is_some() != member("unitHeight").is_some() {
        let (missing, there) = match member("startUnit") {
            Some(_) => ("unitHeight", "startUnit"),
            None => ("startUnit", "unitHeight"),
        };
        return Err(Unfit::new(missing, format!("is required with {there}")));
    }
    if let Some(face) = member("face")
        && !face.as_str().is_some_and(|face| words::<Face>().contains(&face))
    {
        return Err(Unfit::new(
            "face",
            format!("must be one of {}, not {}", words::<Face>().join(", "), shorten(face)),
        ));
    }
    Ok(value)
}

/// The half units that a device takes: from the first to the one after the last, counted from 0 at the bottom of U1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    from: i32,
    to: i32,
}

impl Range {
    fn of(device: &Model) -> Option<Self> {
        let from = ((device.start_unit? - 1.0) * 2.0) as i32;
        Some(Self { from, to: from + (device.unit_height? * 2.0) as i32 })
    }

    fn meets(self, other: Self) -> bool {
        self.from < other.to && other.from < self.to
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let unit = |half: i32| f64::from(half) / 2.0 + 1.0;
        // The last unit that the range touches. For whole units this is its number; for halves, the start of the last
        // half.
        let last = if self.to % 2 == 0 { self.to - 2 } else { self.to - 1 }.max(self.from);
        match last == self.from {
            true => write!(f, "U{}", unit(self.from)),
            false => write!(f, "U{}-U{}", unit(self.from), unit(last)),
        }
    }
}

/// Returns the number of units that a rack needs to hold a device at its placement.
pub fn highest_unit(device: &Model) -> Option<i32> {
    Range::of(device).map(|range| (range.to + 1) / 2)
}

/// Returns the half units that a device takes in its rack, counted from 0 at the bottom of U1. None if it takes none.
pub fn half_units(device: &Model) -> Option<std::ops::Range<usize>> {
    let Range { from, to } = Range::of(device)?;
    Some(usize::try_from(from).ok()?..usize::try_from(to).ok()?)
}

/// Checks that devices stand in racks of their own site, fit within the rack and do not overlap.
pub fn check(checked: &Checked<'_>, problems: &mut Problems) {
    let mut racks = BTreeSet::new();
    for (before, device) in checked.written::<Device>() {
        let Some(rack) = device.rack_id.and_then(|id| checked.after.get::<Rack>(id)) else { continue };
        if rack.site_id != device.site_id {
            let message = "placement.rack must be a rack of the site of the device";
            problems.incompatible(device.id, "placement.rack", message);
        }
        if before.is_some_and(|before| (FIELD.same)(before, device)) {
            continue;
        }
        if let Some(range) = Range::of(device) {
            racks.insert(rack.id);
            if highest_unit(device).is_some_and(|highest| highest > rack.height_u) {
                let message =
                    format!("placement {range} does not fit within rack {} (height {}U)", rack.name, rack.height_u);
                problems.overlap(device.id, "placement", message);
            }
        }
    }
    let moved = |before: Option<&Model>, device: &Model| before.is_none_or(|before| !(FIELD.same)(before, device));
    let written = checked.written::<Device>().filter(|(before, device)| moved(*before, device));
    let written: BTreeSet<_> = written.map(|(_, device)| device.id).collect();
    for rack in racks {
        check_rack(checked, rack, &written, problems);
    }
}

fn check_rack(checked: &Checked<'_>, rack: uuid::Uuid, written: &BTreeSet<uuid::Uuid>, problems: &mut Problems) {
    let name = checked.after.get::<Rack>(rack).map(|rack| rack.name.as_str()).unwrap_or_default();
    let placed = checked.after.referrers::<Device>(rack, Device::RACK);
    let mut placed: Vec<_> = placed.filter_map(|device| Some((Range::of(device)?, device))).collect();
    placed.sort_by_key(|(range, device)| (*range, device.id));
    for (at, (range, device)) in placed.iter().enumerate() {
        // The devices are sorted by their start: after the first device that begins above this one, no other overlaps
        // it.
        for (other_range, other) in placed[at + 1..].iter().take_while(|(other, _)| other.from < range.to) {
            let faces = device.full_depth || other.full_depth || device.face == other.face;
            if !faces || !range.meets(*other_range) {
                continue;
            }
            // The written device gets the problem. If both are written, it is the later one, as if a person had written
            // them in order.
            let ((own, reported), (their, holder)) = match written.contains(&other.id) {
                true => ((other_range, other), (range, device)),
                false => ((range, device), (other_range, other)),
            };
            let face = words_of(reported.face.unwrap_or_default());
            let message = format!("{own} ({face}) overlaps {} at {their} in rack {name}", holder.name);
            problems.overlap(reported.id, "placement", message);
        }
    }
}

fn words_of(face: Face) -> &'static str {
    match face {
        Face::Front => "FRONT",
        Face::Rear => "REAR",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_named_by_their_units() {
        let name = |start: f64, height: f64| {
            let from = ((start - 1.0) * 2.0) as i32;
            Range { from, to: from + (height * 2.0) as i32 }.to_string()
        };
        let table = [
            (1.0, 1.0, "U1"),
            (10.0, 2.0, "U10-U11"),
            (41.0, 4.0, "U41-U44"),
            (10.0, 0.5, "U10"),
            (10.5, 0.5, "U10.5"),
            (10.0, 1.5, "U10-U11"),
        ];
        for (start, height, words) in table {
            assert_eq!(name(start, height), words);
        }
    }
}
