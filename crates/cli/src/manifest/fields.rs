//! Translates field names in messages: from the field that the server names to the field of the manifest.
//!
//! The server names items and their fields (`placement.startUnit`). The author of the manifest wrote
//! `spec.placement.startUnit` or, in Milo's form, a different name.

use std::sync::Arc;

use underlay_kit::{Step, written};
use underlay_milo as milo;

/// The form that a manifest is written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Own,
    /// A line of a table with these columns.
    Table(Arc<[String]>),
    /// Milo's form, with its name for the kind.
    Milo(&'static str),
}

/// Returns the manifest's name for a field of its item. `at` is the position of the manifest in its document.
pub(super) fn in_manifest(dialect: &Dialect, member: &str, at: &str, field: &str) -> String {
    let steps = steps(field);
    let found = match dialect {
        Dialect::Own => own(&steps),
        Dialect::Table(columns) => column(columns, field, &steps),
        Dialect::Milo(kind) => milo::field(kind, member, &steps),
    };
    if at.is_empty() { found } else { format!("{at}.{found}") }
}

/// Splits a field path, such as `hardware.disks[0].sizeBytes` or, in GraphQL's form, `hardware.disks.0.sizeBytes`, into
/// steps. The keys of maps can contain dots.
fn steps(field: &str) -> Vec<Step> {
    if let Some((map, key)) = field.split_once('.').filter(|(map, _)| ["labels", "attributes"].contains(map)) {
        return vec![Step::Member(map.to_owned()), Step::Member(key.to_owned())];
    }
    // A message about a missing field can name several fields at once: `host, cluster or provider`.
    if field.contains(' ') {
        return Vec::new();
    }
    let parts = field.split(['.', '[']).map(|part| part.trim_end_matches(']'));
    let step = |part: &str| part.parse().map_or_else(|_| Step::Member(part.to_owned()), Step::Item);
    parts.filter(|part| !part.is_empty()).map(step).collect()
}

fn own(steps: &[Step]) -> String {
    let metadata = steps.first().is_some_and(|first| first.is("name") || first.is("labels"));
    written(if metadata { "metadata" } else { "spec" }, steps)
}

/// Returns the columns that a field comes from, as `column 4 (placement.rack)`. Returns the field itself if no column
/// holds it.
fn column(columns: &[String], field: &str, steps: &[Step]) -> String {
    let names = steps.iter().filter_map(|step| match step {
        Step::Member(name) => Some(name.as_str()),
        Step::Item(_) => None,
    });
    let path = names.collect::<Vec<_>>().join(".");
    let is_in = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    let gives = |column: &String| *column == path || is_in(column, &path) || is_in(&path, column);
    let found: Vec<(usize, &String)> =
        columns.iter().enumerate().filter(|(_, column)| gives(column)).map(|(index, it)| (index + 1, it)).collect();
    match found.as_slice() {
        [] => field.to_owned(),
        [(number, column)] => format!("column {number} ({column})"),
        several => {
            let numbers: Vec<String> = several.iter().map(|(number, _)| number.to_string()).collect();
            format!("columns {} ({path})", numbers.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_fields_are_found_again() {
        for (field, expected) in [
            ("heightU", "spec.heightU"),
            ("name", "metadata.name"),
            ("labels.app.io/x", "metadata.labels[\"app.io/x\"]"),
            ("hardware.disks[0].sizeBytes", "spec.hardware.disks[0].sizeBytes"),
            ("hardware.disks.0.sizeBytes", "spec.hardware.disks[0].sizeBytes"),
            ("aEnds[1].port", "spec.aEnds[1].port"),
            ("device or rack", "spec"),
        ] {
            assert_eq!(in_manifest(&Dialect::Own, "rack", "", field), expected);
        }
        assert_eq!(in_manifest(&Dialect::Own, "rack", "items[2]", "row"), "items[2].spec.row");
    }

    #[test]
    fn columns_are_found_again() {
        let columns = ["name", "site", "placement.rack", "placement.startUnit", "labels.app.io/x", "aEnds.port"];
        let table = Dialect::Table(columns.map(str::to_owned).into());
        for (field, expected) in [
            ("name", "column 1 (name)"),
            ("site", "column 2 (site)"),
            ("site.site", "column 2 (site)"),
            ("placement", "columns 3, 4 (placement)"),
            ("placement.rack", "column 3 (placement.rack)"),
            ("labels.app.io/x", "column 5 (labels.app.io/x)"),
            ("aEnds[1].port", "column 6 (aEnds.port)"),
            ("role", "role"),
            ("device or rack", "device or rack"),
        ] {
            assert_eq!(in_manifest(&table, "device", "", field), expected);
        }
    }

    #[test]
    fn fields_of_milo_are_found_again() {
        for (kind, member, field, expected) in [
            ("Site", "site", "region", "spec.regionRef"),
            ("Site", "site", "name", "metadata.name"),
            ("Site", "site", "labels.env", "metadata.labels.env"),
            ("Node", "device", "placement.rack", "spec.placement.rackRef"),
            ("Node", "device", "placement.startUnit", "spec.placement.startUnit"),
            ("Node", "device", "placement", "spec.placement"),
            ("Node", "device", "cluster", "spec.assignment.clusterRef"),
            ("Node", "device", "labels.underlay/cluster-role", "spec.assignment.role"),
            ("Node", "device", "hardware.disks[1].sizeBytes", "spec.hardware.disks[1].sizeBytes"),
            ("Node", "device", "slot", "spec"),
            ("Rack", "rack", "labels.underlay/rack-name", "spec.name"),
            ("Rack", "powerFeed", "ampsRated", "spec.powerFeeds.ampsRated"),
            ("Rack", "powerFeed", "site", "spec.powerFeeds"),
            ("Port", "port", "name", "spec.name"),
            ("Port", "port", "externalRefs[0].externalId", "metadata.name"),
            ("Port", "port", "device", "spec.deviceRef"),
            ("Port", "port", "speedBps", "spec.speed"),
            ("Cable", "cable", "bEnds[0].port", "spec.endpoints[1]"),
            ("Link", "link", "a.site", "spec.endpoints[0]"),
            ("Link", "link", "cables[2]", "spec.cableRefs[2]"),
            ("Circuit", "circuit", "zEnd.site", "spec.zEnd"),
            ("VirtualMachine", "virtualMachine", "host", "spec.hostRef"),
        ] {
            assert_eq!(in_manifest(&Dialect::Milo(kind), member, "", field), expected, "{kind} {field}");
        }
    }
}
