//! Counts what became of the things that a scan read.
//!
//! Guarantee: the number of types, places and reasons is bounded. Those beyond the bound are counted together.

use std::collections::BTreeMap;

/// The maximum number of types, and of places and reasons of a type.
const MAX_NAMES: usize = 200;
/// The name under which everything beyond the bound is counted.
pub const OTHER: &str = "other";

/// The number of things of each type of the source that were read, and what became of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    types: BTreeMap<String, Counts>,
}

/// The counts of a type of the source, such as `dcim.device`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of things that were read.
    pub read: u64,
    /// The number of things that became items.
    pub mapped: u64,
    /// The number of things, or of their fields, that have no home of their own, by where they are kept instead, such
    /// as `attributes`.
    pub put_aside: BTreeMap<String, u64>,
    /// The number of things that are not kept, by the reason.
    pub left_out: BTreeMap<String, u64>,
}

impl Report {
    /// Counts things of a type that were read.
    pub fn read(&mut self, of: &str, count: u64) {
        self.of(of).read += count;
    }

    /// Counts things of a type that became items.
    pub fn mapped(&mut self, of: &str, count: u64) {
        self.of(of).mapped += count;
    }

    /// Counts things of a type that are kept elsewhere.
    pub fn put_aside(&mut self, of: &str, place: &str, count: u64) {
        *entry(&mut self.of(of).put_aside, place) += count;
    }

    /// Counts things of a type that are not kept.
    pub fn left_out(&mut self, of: &str, reason: &str, count: u64) {
        *entry(&mut self.of(of).left_out, reason) += count;
    }

    /// Returns the counts by type, in the order of the names.
    pub fn types(&self) -> impl Iterator<Item = (&str, &Counts)> {
        self.types.iter().map(|(name, counts)| (name.as_str(), counts))
    }

    /// Returns how many things were read, put aside and left out in all.
    pub fn totals(&self) -> (u64, u64, u64) {
        self.types.values().fold((0, 0, 0), |(read, aside, out), it| {
            (read + it.read, aside + it.put_aside.values().sum::<u64>(), out + it.left_out.values().sum::<u64>())
        })
    }

    fn of(&mut self, name: &str) -> &mut Counts {
        entry(&mut self.types, name)
    }
}

fn entry<'a, T: Default>(map: &'a mut BTreeMap<String, T>, name: &str) -> &'a mut T {
    let name = if map.contains_key(name) || map.len() < MAX_NAMES { name } else { OTHER };
    map.entry(name.to_owned()).or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted_by_type_place_and_reason() {
        let mut report = Report::default();
        report.read("ipam.vlan", 3);
        report.left_out("ipam.vlan", "no kind", 3);
        report.read("dcim.device", 2);
        report.mapped("dcim.device", 2);
        report.put_aside("dcim.device", "attributes", 1);
        let (device, counts) = report.types().next().expect("a type");
        assert_eq!((device, counts.mapped, counts.put_aside["attributes"]), ("dcim.device", 2, 1));
        assert_eq!(report.totals(), (5, 1, 3));
    }

    #[test]
    fn names_are_bounded() {
        let mut report = Report::default();
        for number in 0..1_000 {
            report.left_out("dcim.device", &number.to_string(), 1);
        }
        let (_, counts) = report.types().next().expect("a type");
        assert_eq!((counts.left_out.len(), counts.left_out[OTHER]), (MAX_NAMES + 1, 1_000 - MAX_NAMES as u64));
    }
}
