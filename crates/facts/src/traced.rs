//! The parts that are recognised in whichever machine they are: those with a serial number that is not junk.
//!
//! Guarantees: two parts of one report that have the same kind, model and serial number are not told apart, so neither is
//! such a part. The texts are cleaned and of bounded length, whatever a report says.

use std::collections::HashMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::compare::Part;
use crate::parts::{Disk, Gpu, MemoryModule};
use crate::report::Sections;
use crate::section::Section;
use crate::value::{clean, is_junk};

/// The greatest length of a text, in characters. No maker needs more, and an index of a database has a bound.
const MAX_CHARACTERS: usize = 200;

/// The signs by which a part is recognised in whichever machine it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PartIdentity {
    /// The kind of part.
    pub part: Part,
    /// The model, or the maker's part number. Empty if it is not known.
    pub model: String,
    /// The serial number.
    pub serial: String,
}

/// A part with the signs by which it is recognised, and its place in a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedPart {
    /// The signs by which it is recognised.
    pub identity: PartIdentity,
    /// The maker.
    pub manufacturer: Option<String>,
    /// The place in the machine: a slot, or the place of a disk. What has no place is named by its name.
    pub place: String,
}

/// The recognisable parts of one section of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedSection {
    /// The kind of the parts.
    pub part: Part,
    /// True if everything was read. What is absent from an incomplete section may still be there.
    pub is_complete: bool,
    /// The parts, in the order of the report.
    pub parts: Vec<TracedPart>,
    /// The identities that several parts of the section share.
    pub shared: Vec<PartIdentity>,
}

/// A kind of part that has a serial number.
trait Traced: DeserializeOwned {
    const PART: Part;

    /// Returns the texts about the part, as they were reported.
    fn texts(&self) -> Texts<'_>;
}

/// The texts about a part.
struct Texts<'a> {
    manufacturer: Option<&'a String>,
    model: Option<&'a String>,
    serial: Option<&'a String>,
    place: &'a str,
}

impl Traced for MemoryModule {
    const PART: Part = Part::Memory;

    fn texts(&self) -> Texts<'_> {
        let Self { manufacturer, part_number, serial, slot, .. } = self;
        Texts { manufacturer: manufacturer.as_ref(), model: part_number.as_ref(), serial: serial.as_ref(), place: slot }
    }
}

impl Traced for Disk {
    const PART: Part = Part::Disk;

    fn texts(&self) -> Texts<'_> {
        let Self { manufacturer, model, serial, place, name, .. } = self;
        Texts {
            manufacturer: manufacturer.as_ref(),
            model: model.as_ref(),
            serial: serial.as_ref(),
            place: place.as_ref().unwrap_or(name),
        }
    }
}

impl Traced for Gpu {
    const PART: Part = Part::Gpu;

    fn texts(&self) -> Texts<'_> {
        let Self { model, serial, place, .. } = self;
        Texts { manufacturer: None, model: model.as_ref(), serial: serial.as_ref(), place }
    }
}

/// Returns the recognisable parts of a report, by sections. A section that was not reported is left out.
#[must_use]
pub fn traced(sections: &Sections) -> Vec<TracedSection> {
    let Sections { memory, disks, gpus, .. } = sections;
    let found = [
        memory.as_ref().map(|section| of_section(section, &section.found.modules)),
        disks.as_ref().map(|section| of_section(section, &section.found)),
        gpus.as_ref().map(|section| of_section(section, &section.found)),
    ];
    found.into_iter().flatten().collect()
}

/// Returns the recognisable part that an event shows as JSON, if it is one.
#[must_use]
pub fn traced_part(part: Part, json: &Value) -> Option<TracedPart> {
    match part {
        Part::Memory => read::<MemoryModule>(json),
        Part::Disk => read::<Disk>(json),
        Part::Gpu => read::<Gpu>(json),
        Part::System
        | Part::Processor
        | Part::Interface
        | Part::Firmware
        | Part::Device
        | Part::Neighbour
        | Part::PowerSupply
        | Part::Fan => None,
    }
}

fn of_section<S, T: Traced>(section: &Section<S>, parts: &[T]) -> TracedSection {
    let mut parts: Vec<TracedPart> = parts.iter().filter_map(recognised).collect();
    let mut counts: HashMap<PartIdentity, usize> = HashMap::new();
    parts.iter().for_each(|part| *counts.entry(part.identity.clone()).or_default() += 1);
    parts.retain(|part| counts.get(&part.identity) == Some(&1));
    let shared = counts.into_iter().filter(|(_, count)| *count > 1).map(|(identity, _)| identity).collect();
    TracedSection { part: T::PART, is_complete: section.complete, parts, shared }
}

fn read<T: Traced>(json: &Value) -> Option<TracedPart> {
    recognised(&T::deserialize(json).ok()?)
}

fn recognised<T: Traced>(part: &T) -> Option<TracedPart> {
    let Texts { manufacturer, model, serial, place } = part.texts();
    let real = |text: &String| Some(clean(text.as_bytes())).filter(|text| !is_junk(text));
    let fits = |text: &String| text.chars().count() <= MAX_CHARACTERS;
    let serial = serial.and_then(real).filter(fits)?;
    let model = model.and_then(real).unwrap_or_default();
    let place = clean(place.as_bytes()).chars().take(MAX_CHARACTERS).collect();
    let manufacturer = manufacturer.and_then(real).filter(fits);
    fits(&model).then_some(TracedPart { identity: PartIdentity { part: T::PART, model, serial }, manufacturer, place })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(disks: Value) -> TracedSection {
        let sections: Sections =
            serde_json::from_value(json!({"disks": {"complete": true, "found": disks}})).expect("sections");
        traced(&sections).remove(0)
    }

    #[test]
    fn parts_without_a_real_serial_number_are_not_recognised() {
        for serial in [json!(null), json!("None"), json!(" "), json!("0000"), json!("x1".repeat(101))] {
            let disk = json!({"name": "sda", "model": "M", "serial": serial});
            assert_eq!(of(json!([disk])).parts, [], "{serial}");
            assert_eq!(traced_part(Part::Disk, &disk), None);
        }
        let found = of(json!([{"name": "sda", "model": " M\u{0} 1", "serial": "S\n1 "}])).parts.remove(0);
        assert_eq!((found.identity.model.as_str(), found.identity.serial.as_str()), ("M 1", "S 1"));
        assert_eq!((found.place.as_str(), found.manufacturer), ("sda", None));
        let unknown = of(json!([{"name": "sda", "model": "N/A", "serial": "S1", "place": "p"}])).parts.remove(0);
        assert_eq!((unknown.identity.model.as_str(), unknown.place.as_str()), ("", "p"));
    }

    #[test]
    fn parts_that_share_everything_are_not_told_apart() {
        let disk = |name: &str, model: &str| json!({"name": name, "model": model, "serial": "S1"});
        let section = of(json!([disk("sda", "M1"), disk("sdb", "M1"), disk("sdc", "N1")]));
        let models: Vec<&str> = section.parts.iter().map(|part| part.identity.model.as_str()).collect();
        assert_eq!(models, ["N1"]);
        assert_eq!(section.shared.len(), 1);
        assert_eq!(section.shared[0].model, "M1");
    }

    #[test]
    fn modules_and_gpus_are_parts_too() {
        let module = json!({"slot": "A1", "manufacturer": "Maker", "partNumber": "N1", "serial": "S1"});
        let part = traced_part(Part::Memory, &module).expect("a part");
        assert_eq!((part.place.as_str(), part.identity.model.as_str()), ("A1", "N1"));
        let sections = json!({"memory": {"complete": false, "found": {"modules": [module]}}});
        let sections: Sections = serde_json::from_value(sections).expect("sections");
        let section = traced(&sections).remove(0);
        assert_eq!((section.parts, section.is_complete), (vec![part], false));

        let gpu = json!({"place": "0000:17:00.0", "model": "H100", "serial": "S2"});
        let part = traced_part(Part::Gpu, &gpu).expect("a part");
        let sections = json!({"gpus": {"complete": true, "found": [gpu]}});
        let sections: Sections = serde_json::from_value(sections).expect("sections");
        assert_eq!(traced(&sections).remove(0).parts, [part]);
    }
}
