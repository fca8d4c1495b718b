//! Cables, their ends, and the lanes that their profiles make.

use std::collections::HashMap;

use serde_json::{Value, json};
use underlay_kit::shown;
use underlay_kit::sync::AdapterError;

use super::profile::Profile;
use crate::context::Context;
use crate::draft::{Draft, reference};
use crate::object::{Object, Part};
use crate::types::{CABLE, CIRCUIT_TERMINATION, FRONT_PORT, POWER_FEED, REAR_PORT, Type, named};
use crate::words::List;

/// The greatest number of positions of a port.
const MAX_POSITIONS: u64 = 1_024;

/// The cables with a profile that joins connectors, and what ends at them.
#[derive(Clone, Debug, Default)]
pub struct Profiles {
    ends: HashMap<u64, Vec<End>>,
    /// The number of positions that a cable gives to a port.
    positions: HashMap<(&'static str, u64), u32>,
    /// The number of positions that a front or rear port at such a cable has itself.
    own: HashMap<(&'static str, u64), u32>,
}

/// An end of a cable with a profile.
#[derive(Clone, Debug)]
struct End {
    of: &'static str,
    id: u64,
    connector: u64,
    positions: Vec<u64>,
}

impl Profiles {
    /// Notes that a cable has a profile.
    pub fn expect(&mut self, cable: u64) {
        self.ends.entry(cable).or_default();
    }

    /// Returns true if a cable is known to have a profile.
    pub fn knows(&self, cable: u64) -> bool {
        self.ends.contains_key(&cable)
    }

    /// Returns true if no cable has a profile.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds an end, if its cable has a profile.
    ///
    /// # Errors
    /// Returns an error if it breaks the contract of the API.
    pub fn learn(&mut self, object: &Object) -> Result<(), AdapterError> {
        let wrong =
            |name: &str, expected: &str| object.wrong(name, expected, object.value(name).unwrap_or(&Value::Null));
        let number = |name: &str| object.value(name).and_then(Value::as_u64).ok_or_else(|| wrong(name, "a number"));
        let cable = number("cable")?;
        let Some(ends) = self.ends.get_mut(&cable) else { return Ok(()) };
        let (Some(_), Some(of)) = (object.value("connector"), named(object.required_text("termination_type")?)) else {
            return Ok(());
        };
        let (connector, id) = (number("connector")?, number("termination_id")?);
        let list = object.value("positions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let fits = |position: &Value| position.as_u64().filter(|it| (1..=MAX_POSITIONS).contains(it));
        let positions: Option<Vec<u64>> = list.iter().map(fits).collect();
        let positions = positions.ok_or_else(|| wrong("positions", "a list of positions from 1 to 1024"))?;
        let most = positions.iter().copied().max().unwrap_or(1);
        self.positions.insert((of.name, id), u32::try_from(most).unwrap_or(1));
        ends.push(End { of: of.name, id, connector, positions });
        Ok(())
    }

    /// Notes how many positions a front or rear port has, if it is at a cable with a profile.
    pub fn learn_port(&mut self, of: Type, id: u64, positions: u32) {
        if self.positions.contains_key(&(of.name, id)) {
            self.own.insert((of.name, id), positions);
        }
    }

    /// Returns the number of positions that its cable gives to a port.
    pub fn positions(&self, of: Type, id: u64) -> u32 {
        self.positions.get(&(of.name, id)).copied().unwrap_or(1)
    }

    /// Returns the number of positions of an end.
    fn most(&self, end: &End) -> u64 {
        let is_panel = [FRONT_PORT.name, REAR_PORT.name].contains(&end.of);
        let own = self.own.get(&(end.of, end.id)).filter(|_| is_panel);
        own.map_or(MAX_POSITIONS, |own| u64::from(*own))
    }
}

/// Maps a cable. Its name is its number, because labels are not unique.
pub fn cable(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, CABLE, object)?;
    let id = object.id()?;
    draft.set("name", format!("#{id}"));
    draft.set("label", object.text("label")?);
    let kind = object.choice("type")?;
    draft.word(cx, "media", List::CableMedia, kind);
    draft.attribute("type", kind);
    draft.word(cx, "status", List::CableStatus, object.choice("status")?);
    draft.set("lengthM", metres(object, "length", "length_unit")?);
    draft.set("color", object.text("color")?);
    draft.tenant(cx, object)?;
    draft.keep(object, &["bundle", "profile"]);
    let (a, b) = (object.list("a_terminations")?, object.list("b_terminations")?);
    for (side, field, ends) in [("A", "aEnds", &a), ("B", "bEnds", &b)] {
        // NetBox keeps the rest of a cable whose end was deleted with its device.
        if ends.is_empty() {
            draft.gone(format!("the cable has no end on side {side}, and needs one on each side"));
        }
        let mut list = Vec::new();
        for end in ends {
            match end_reference(end)? {
                Ok(end) => list.push(end),
                Err(of) => draft.impossible(format!("an end of the cable is a {}, which takes no cable", shown(of))),
            }
        }
        draft.set(field, list);
    }
    let lanes = lanes(cx, object, &mut draft, &a, &b)?;
    draft.set("lanes", lanes);
    Ok(draft)
}

/// Returns the end of a cable as the API takes it, or the name of a type that is none.
fn end_reference<'a>(end: &Part<'a>) -> Result<Result<Value, &'a str>, AdapterError> {
    let (name, id) = (end.required_text("object_type")?, end.number("object_id")?);
    let Some(of) = named(name) else { return Ok(Err(name)) };
    let member = match of {
        POWER_FEED => "powerFeed",
        CIRCUIT_TERMINATION => "circuitTermination",
        of if of.kind == "port" => "port",
        _ => return Ok(Err(name)),
    };
    Ok(Ok(json!({ member: reference(of, id) })))
}

/// Returns the lanes of a cable with a profile. A cable without lanes joins every end with every other.
fn lanes(
    cx: &Context,
    object: &Object,
    draft: &mut Draft,
    a: &[Part<'_>],
    b: &[Part<'_>],
) -> Result<Vec<Value>, AdapterError> {
    let Some(name) = object.choice("profile")? else { return Ok(Vec::new()) };
    let Some(profile) = Profile::parse(name) else {
        draft.impossible(format!("this version does not know how the profile {} joins its ends", shown(name)));
        return Ok(Vec::new());
    };
    if profile == Profile::Single {
        return Ok(Vec::new());
    }
    let ends = cx.profiles.ends.get(&object.id()?).map(Vec::as_slice).unwrap_or_default();
    let index_of = |of: &End, side: &[Part<'_>]| -> Option<usize> {
        side.iter().position(|it| it.text("object_type") == Ok(Some(of.of)) && it.number("object_id") == Ok(of.id))
    };
    let mut lanes = Vec::new();
    for end in ends {
        let Some(a_end) = index_of(end, a) else { continue };
        for position in end.positions.iter().filter(|position| **position <= cx.profiles.most(end)) {
            let Some((connector, there)) = profile.far(end.connector, *position) else { continue };
            let is_far = |other: &&End| other.connector == connector && other.positions.contains(&there);
            let far = ends.iter().filter(is_far).find_map(|other| Some((other, index_of(other, b)?)));
            let Some((_, b_end)) = far.filter(|(other, _)| there <= cx.profiles.most(other)) else { continue };
            lanes.push(json!({
                "aEnd": a_end + 1, "aPosition": position, "bEnd": b_end + 1, "bPosition": there,
            }));
        }
    }
    if lanes.is_empty() {
        draft.impossible("the profile of the cable joins none of its ends");
    }
    Ok(lanes)
}

/// Returns a length in metres.
///
/// # Errors
/// Returns an error if it is no number, or its unit is none.
pub fn metres(object: &Object, length: &str, unit: &str) -> Result<Option<f64>, AdapterError> {
    let (Some(length), Some(name)) = (object.number(length)?, object.choice(unit)?) else { return Ok(None) };
    let factor = match name {
        "km" => 1_000.0,
        "m" => 1.0,
        "cm" => 0.01,
        "mi" => 1_609.344,
        "ft" => 0.304_8,
        "in" => 0.025_4,
        _ => return Err(object.wrong(unit, "km, m, cm, mi, ft or in", object.value(unit).unwrap_or(&Value::Null))),
    };
    // Tenths of millimetres, so that no digit is made up by the conversion.
    Ok(Some((length * factor * 10_000.0).round() / 10_000.0))
}

/// Returns true if a cable has a profile that makes lanes.
///
/// # Errors
/// Returns an error if the cable breaks the contract of the API.
pub fn has_lanes(cable: &Object) -> Result<bool, AdapterError> {
    let profile = cable.choice("profile")?.map(Profile::parse);
    Ok(profile.is_some_and(|profile| profile != Some(Profile::Single)))
}

/// Returns the ports at which a cable ends.
///
/// # Errors
/// Returns an error if the cable breaks the contract of the API.
pub fn joined(cable: &Object) -> Result<Vec<(Type, u64)>, AdapterError> {
    let mut ports = Vec::new();
    for side in ["a_terminations", "b_terminations"] {
        for end in cable.list(side)? {
            let of = named(end.required_text("object_type")?).filter(|of| of.kind == "port");
            ports.extend(of.map(|of| Ok((of, end.number("object_id")?))).transpose()?);
        }
    }
    Ok(ports)
}
