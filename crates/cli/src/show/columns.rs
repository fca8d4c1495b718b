//! The columns of tables: for each kind the fields that users need most, and those that a wide table adds.
//!
//! A kind that is not listed shows its own fields, in the order of its description. So a new kind needs no change here.

use underlay_inventory::Description;
use underlay_kinds::common::COMMON;

/// The number of columns of a narrow table of a kind that is not listed.
const UNLISTED_COLUMNS: usize = 5;
/// The columns that a wide table of any kind has at its end.
const LAST_WIDE_COLUMNS: [&str; 3] = ["labels", "updatedAt", "id"];
/// The set of columns that a table shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// The columns that users need most.
    Narrow,
    /// More columns than fit a small window.
    Wide,
}

/// The columns of a kind, besides the name and the parents in the key. They are GraphQL fields; a path such as
/// `placement.rack` names a field of a structure. A reference shows its target, and a list shows its length.
struct Listed {
    kind: &'static str,
    narrow: &'static [&'static str],
    /// The additional columns of a wide table.
    wide: &'static [&'static str],
}

const LISTED: [Listed; 21] = [
    Listed {
        kind: "Appliance",
        narrow: &["type", "url", "credential", "site", "rack"],
        wide: &["namePattern", "prefix", "interval"],
    },
    Listed {
        kind: "Cable",
        narrow: &["aEnds", "bEnds", "media", "status"],
        wide: &["label", "lengthM", "color", "riskGroups"],
    },
    Listed {
        kind: "Circuit",
        narrow: &["circuitId", "type", "bandwidthMbps", "status", "aEnd", "zEnd"],
        wide: &["distanceM", "latencyMs", "installedOn", "riskGroups"],
    },
    Listed { kind: "CircuitTermination", narrow: &["site", "providerNetwork", "port", "cable"], wide: &["peers"] },
    Listed {
        kind: "Cluster",
        narrow: &["displayName", "type", "role", "platform", "devices", "virtualMachines"],
        wide: &["controlPlaneSite", "endpoint"],
    },
    Listed { kind: "Credential", narrow: &["type", "username", "appliances", "hosts"], wide: &["allowedHosts"] },
    Listed {
        kind: "Device",
        narrow: &["role", "placement.rack", "placement.startUnit", "model", "status"],
        wide: &["manufacturer", "serial", "assetTag", "platform", "cluster", "parent"],
    },
    Listed {
        kind: "Host",
        narrow: &["state", "power", "class", "machine", "cluster", "createdAt"],
        wide: &["shortId", "step.name", "appliance", "bmcUrl", "uid", "serial", "bootMac", "provisioner", "generation"],
    },
    Listed {
        kind: "HostClass",
        narrow: &["title", "total", "available", "acquired", "failed"],
        wide: &["match.cpuCores", "match.memoryBytes"],
    },
    Listed { kind: "Link", narrow: &["type", "a", "b", "capacityMbps"], wide: &["latencyMs", "cables"] },
    Listed { kind: "Location", narrow: &["type", "racks", "devices"], wide: &["children"] },
    Listed {
        kind: "Port",
        narrow: &["type", "speedBps", "cable", "peers"],
        wide: &["enabled", "mac", "mtu", "addresses", "lag", "connector"],
    },
    Listed {
        kind: "PowerFeed",
        narrow: &["phase", "voltage", "ampsRated", "status", "cable"],
        wide: &["upstream", "peers", "riskGroups"],
    },
    Listed {
        kind: "Profile",
        narrow: &["purpose", "method", "repository", "image.url"],
        wide: &["kernel", "initrd", "arguments", "debug"],
    },
    Listed {
        kind: "Provider",
        narrow: &["displayName", "type", "sites", "circuits"],
        wide: &["networks", "contract.contractId"],
    },
    Listed { kind: "ProviderNetwork", narrow: &["circuitTerminations"], wide: &[] },
    Listed {
        kind: "Rack",
        narrow: &["location", "row", "heightU", "status", "devices"],
        wide: &["cage", "serial", "assetTag"],
    },
    Listed { kind: "Region", narrow: &["displayName", "parent", "sites"], wide: &["coordinates"] },
    Listed {
        kind: "Site",
        narrow: &["displayName", "type", "status", "region", "provider", "racks", "devices"],
        wide: &["address", "timeZone"],
    },
    Listed {
        kind: "Source",
        narrow: &["type", "health", "heldCount", "lastSuccessAt", "lastRun.state", "lastRun.seen", "lastRun.updated"],
        wide: &["url", "interval", "prune", "paused", "lastRun.created", "lastRun.retired", "lastRun.deleted"],
    },
    Listed {
        kind: "VirtualMachine",
        narrow: &["host", "allocation.vcpus", "allocation.memoryBytes", "status"],
        wide: &["cluster", "provider", "addresses.address"],
    },
];

/// Returns the columns of a table of a kind, as paths of GraphQL fields.
pub(super) fn paths(kind: &Description, width: Width) -> Vec<&'static str> {
    let (narrow, wide) = match LISTED.iter().find(|listed| listed.kind == kind.name) {
        Some(listed) => (listed.narrow.to_vec(), listed.wide.to_vec()),
        None => unlisted(kind),
    };
    match width {
        Width::Narrow => narrow,
        Width::Wide => narrow.into_iter().chain(wide).chain(LAST_WIDE_COLUMNS).collect(),
    }
}

/// Returns the columns of a narrow table of a kind that is not listed, and those that a wide table adds.
fn unlisted(kind: &Description) -> (Vec<&'static str>, Vec<&'static str>) {
    let is_common = |name: &str| COMMON.iter().any(|field| field.name == name);
    let names = kind.fields.iter().map(|field| field.name);
    let mut narrow: Vec<_> = names.filter(|name| !is_common(name) && !kind.key.parents.contains(name)).collect();
    let wide = narrow.split_off(narrow.len().min(UNLISTED_COLUMNS));
    (narrow, wide)
}

#[cfg(test)]
mod tests {
    use super::super::shape::Column;
    use super::*;
    use crate::object::kinds;

    #[test]
    fn every_column_of_every_kind_is_in_the_schema() {
        for kind in kinds().kinds() {
            assert!(!paths(kind, Width::Narrow).is_empty(), "{} has no columns", kind.name);
            for path in paths(kind, Width::Wide) {
                assert!(Column::of(kind, path).is_some(), "{}: {path}", kind.name);
            }
        }
        assert!(Column::of(kinds().named("rack").expect("a kind"), "colour").is_none());
    }

    #[test]
    fn every_listed_kind_exists() {
        for Listed { kind, .. } in &LISTED {
            assert!(kinds().named(kind).is_some_and(|known| known.name == *kind), "{kind}");
        }
    }

    #[test]
    fn a_kind_that_is_not_listed_shows_its_own_fields() {
        let rack = kinds().named("rack").expect("a kind");
        let (narrow, wide) = unlisted(rack);
        assert_eq!(narrow, ["location", "cage", "row", "heightU", "serial"]);
        assert_eq!(wide, ["assetTag", "status", "position"]);
        assert!(narrow.iter().chain(&wide).all(|path| Column::of(rack, path).is_some()));
    }
}
