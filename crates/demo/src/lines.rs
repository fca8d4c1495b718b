//! Lists the lines to the outside: the circuits, their providers, and where they end.
//!
//! Three lines connect the two data centres, and a fourth is planned. Two share only the colocation providers: their
//! routers, meet-me rooms and ducts are separate. The third looks as independent, but crosses the same bridge as the
//! first.

use super::outside::{CIRROLANE, FARPOINT, GREYLAG, HERONPATH, NORTHLOCK, OSPREY, QUILLNET};

/// A line that a provider sells.
pub(super) struct Line {
    pub(super) name: &'static str,
    pub(super) provider: &'static str,
    /// The provider's name for the line.
    pub(super) circuit_id: &'static str,
    pub(super) kind: &'static str,
    pub(super) mbps: u32,
    /// The length in metres and the latency in milliseconds, if they have a meaning.
    pub(super) reach: Option<(u32, f64)>,
    pub(super) risk_groups: &'static [&'static str],
    /// The date of installation; absent if the line is planned.
    pub(super) installed_on: Option<&'static str>,
    pub(super) near: Landing,
    pub(super) far: Far,
}

/// The end of a line in a data centre; site, router and room are counted from 0.
#[derive(Clone, Copy)]
pub(super) struct Landing {
    pub(super) site: usize,
    pub(super) router: usize,
    pub(super) room: usize,
}

/// The other end of a line.
pub(super) enum Far {
    Site(Landing),
    /// A network of the provider.
    Network(&'static str),
    /// A port of the first router of the edge site, without a cable.
    EdgePort,
    /// The second router of the edge site, through the panels of the site.
    EdgePanel,
}

const fn at(site: usize, router: usize, room: usize) -> Landing {
    Landing { site: site - 1, router: router - 1, room: room - 1 }
}

pub(super) const LINES: [Line; 13] = [
    Line {
        name: "df-ams1-ams2-north",
        provider: GREYLAG,
        circuit_id: "GLF/AMS/0041",
        kind: "PROVIDER_CIRCUIT",
        mbps: 100_000,
        reach: Some((18_400, 0.092)),
        risk_groups: &["duct-ring-north", "bridge-east"],
        installed_on: Some("2021-07-14"),
        near: at(1, 1, 1),
        far: Far::Site(at(2, 1, 1)),
    },
    Line {
        name: "df-ams1-ams2-south",
        provider: HERONPATH,
        circuit_id: "HP-DF-2207",
        kind: "PROVIDER_CIRCUIT",
        mbps: 100_000,
        reach: Some((27_900, 0.14)),
        risk_groups: &["duct-ring-south", "tunnel-west"],
        installed_on: Some("2022-03-02"),
        near: at(1, 2, 2),
        far: Far::Site(at(2, 2, 2)),
    },
    Line {
        name: "wave-ams1-ams2",
        provider: QUILLNET,
        circuit_id: "QN-WDM-118",
        kind: "PROVIDER_CIRCUIT",
        mbps: 100_000,
        reach: Some((21_300, 0.17)),
        risk_groups: &["bridge-east"],
        installed_on: Some("2023-10-19"),
        near: at(1, 1, 2),
        far: Far::Site(at(2, 2, 1)),
    },
    Line {
        name: "df-ams1-ams2-lake",
        provider: HERONPATH,
        circuit_id: "HP-DF-3015",
        kind: "PROVIDER_CIRCUIT",
        mbps: 100_000,
        reach: Some((24_600, 0.123)),
        risk_groups: &["duct-lake"],
        installed_on: None,
        near: at(1, 2, 1),
        far: Far::Site(at(2, 1, 2)),
    },
    Line {
        installed_on: Some("2020-11-05"),
        ..transit("transit-farpoint-ams1", FARPOINT, "FP-IP-70021", at(1, 1, 1), "farpoint-ip")
    },
    Line {
        installed_on: Some("2022-01-27"),
        ..transit("transit-osprey-ams1", OSPREY, "OC.2201.IPT", at(1, 2, 2), "osprey-ip")
    },
    Line {
        installed_on: Some("2021-09-30"),
        ..transit("transit-quillnet-ams2", QUILLNET, "QN-IP-4402", at(2, 1, 1), "quillnet-ip")
    },
    Line {
        installed_on: Some("2021-12-08"),
        ..transit("transit-farpoint-ams2", FARPOINT, "FP-IP-70388", at(2, 2, 2), "farpoint-ip")
    },
    Line { kind: "PEERING", ..transit("ix-northlock-ams1", NORTHLOCK, "NLX-217-1", at(1, 2, 1), "northlock-lan") },
    Line { kind: "PEERING", ..transit("ix-northlock-ams2", NORTHLOCK, "NLX-217-2", at(2, 1, 2), "northlock-lan") },
    Line {
        kind: "PROVIDER_CIRCUIT",
        ..transit("cloud-cirrolane-ams1", CIRROLANE, "CL-IX-90c1", at(1, 2, 1), "cirrolane-west")
    },
    Line {
        name: "epl-ams1-rtm1",
        provider: QUILLNET,
        circuit_id: "QN-EPL-903",
        kind: "PROVIDER_CIRCUIT",
        mbps: 10_000,
        reach: Some((71_000, 0.55)),
        risk_groups: &["duct-a4", "duct-ring-south"],
        installed_on: Some("2023-05-22"),
        near: at(1, 1, 2),
        far: Far::EdgePort,
    },
    Line {
        name: "epl-ams2-rtm1",
        provider: OSPREY,
        circuit_id: "OC.2305.EPL",
        kind: "PROVIDER_CIRCUIT",
        mbps: 10_000,
        reach: Some((83_000, 0.71)),
        risk_groups: &["duct-a44"],
        installed_on: Some("2023-06-13"),
        near: at(2, 2, 1),
        far: Far::EdgePanel,
    },
];

const fn transit(
    name: &'static str,
    provider: &'static str,
    circuit_id: &'static str,
    near: Landing,
    network: &'static str,
) -> Line {
    Line {
        name,
        provider,
        circuit_id,
        kind: "TRANSIT",
        mbps: 100_000,
        reach: None,
        risk_groups: &[],
        installed_on: Some("2022-06-01"),
        near,
        far: Far::Network(network),
    }
}
