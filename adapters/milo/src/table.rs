//! Maps Milo's kinds and fields to ours, in one table that is read in both directions.
//!
//! [`super::import`] reads by the table and [`super::writer`] writes by it, so each fact about a field is stated once.
//! A member that is not in the table does not exist in Milo.

/// A kind of Milo, and the corresponding kind of ours.
pub(super) struct MiloKind {
    pub(super) name: &'static str,
    /// The member of our items, such as `device`.
    pub(super) ours: &'static str,
    pub(super) naming: Naming,
    /// The fields of ours that the kind determines.
    pub(super) fixed: &'static [(&'static str, &'static str)],
    /// The members of `spec`.
    pub(super) spec: &'static [Member],
}

/// The meaning of `metadata.name` in our items.
#[derive(PartialEq)]
pub(super) enum Naming {
    /// The name of the object.
    Name,
    /// An external reference of source [`SOURCE`]. The name of the object is in `spec` and need not be unique.
    ExternalRef,
}

/// The source of the external references that Milo's object names become.
pub(super) const SOURCE: &str = "milo";
/// The label that holds the cluster role of a Node.
pub(super) const CLUSTER_ROLE: &str = "underlay/cluster-role";
/// The label that holds the `spec.name` of a Rack.
pub(super) const RACK_NAME: &str = "underlay/rack-name";

/// A member of an object in a Milo manifest.
pub(super) struct Member {
    pub(super) milo: &'static str,
    pub(super) required: bool,
    pub(super) to: To,
}

/// The target of a member in our items.
pub(super) enum To {
    /// One of our fields.
    Field(&'static str, Form),
    /// An object whose members are one level higher in our items.
    Level(&'static [Member]),
    /// One of our labels: it holds one of the words, or any label value.
    Label(&'static str, &'static [&'static str]),
    /// Exactly two values, each of which is one of our fields.
    Two([&'static str; 2], Form),
    /// The device or rack that a port is on.
    Owner,
}

/// The form of a value on both sides.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    /// A whole number from 1 to this maximum.
    Count(i64),
    /// A number whose absolute value is at most this.
    Degrees(f64),
    /// A quantity of Kubernetes, which is a number in our items.
    Quantity,
    /// A quantity that is a whole number in our items.
    WholeQuantity,
    /// A word, in Milo's spelling and in ours.
    Word(Words),
    /// `{name}`: a reference to a known kind. The member is the one that holds the name in our reference.
    Name(&'static str),
    /// `[{name}]`: a list of such references.
    Names(&'static str),
    /// `{kind, name}`: a reference to one of Milo's kinds, each with the member of our reference.
    Asset(Words),
    /// `{name}` of the Port at one end of a cable.
    CableEnd,
    /// The only address of a network device.
    ManagementAddress,
    Object(&'static [Member]),
    Objects(&'static [Member]),
}

/// Pairs of words in Milo's spelling and in ours.
pub(super) type Words = &'static [(&'static str, &'static str)];

use Form::{Asset, Count, Degrees, Name, Names, Object, Objects, Quantity, Text, WholeQuantity, Word};

const INT32: i64 = i32::MAX as i64;

const fn required(milo: &'static str, to: To) -> Member {
    Member { milo, required: true, to }
}

const fn optional(milo: &'static str, to: To) -> Member {
    Member { milo, required: false, to }
}

const fn field(ours: &'static str, form: Form) -> To {
    To::Field(ours, form)
}

/// The kinds of Milo, in the order in which its documentation lists them.
pub(super) const KINDS: &[MiloKind] = &[
    kind("Region", "region", REGION),
    kind("Site", "site", SITE),
    kind("Cluster", "cluster", CLUSTER),
    MiloKind { fixed: &[("role", "SERVER")], ..kind("Node", "device", NODE) },
    kind("NetworkDevice", "device", NETWORK_DEVICE),
    kind("Link", "link", LINK),
    kind("Provider", "provider", PROVIDER),
    kind("Rack", "rack", RACK),
    MiloKind { naming: Naming::ExternalRef, ..kind("Port", "port", PORT) },
    kind("Cable", "cable", CABLE),
    kind("Circuit", "circuit", CIRCUIT),
    kind("VirtualMachine", "virtualMachine", VIRTUAL_MACHINE),
];

const fn kind(name: &'static str, ours: &'static str, spec: &'static [Member]) -> MiloKind {
    MiloKind { name, ours, naming: Naming::Name, fixed: &[], spec }
}

const REGION: &[Member] = &[
    required("displayName", field("displayName", Text)),
    optional("coordinates", field("coordinates", Object(COORDINATES))),
];

const COORDINATES: &[Member] = &[
    required("latitude", field("latitude", Degrees(90.0))),
    required("longitude", field("longitude", Degrees(180.0))),
];

const SITE: &[Member] = &[
    required("displayName", field("displayName", Text)),
    required("regionRef", field("region", Name("region"))),
    required("type", field("type", Word(SITE_TYPES))),
    optional("address", field("address", Text)),
    optional("providerRef", field("provider", Name("provider"))),
];

const SITE_TYPES: Words = &[
    ("Datacenter", "DATACENTER"),
    ("AvailabilityZone", "AVAILABILITY_ZONE"),
    ("Edge", "EDGE"),
    ("Virtual", "VIRTUAL"),
];

const CLUSTER: &[Member] = &[
    required("displayName", field("displayName", Text)),
    required("controlPlaneSiteRef", field("controlPlaneSite", Name("site"))),
    required("role", field("role", Word(CLUSTER_ROLES))),
    required("provider", field("platform", Text)),
    optional("endpoint", field("endpoint", Text)),
];

const CLUSTER_ROLES: Words =
    &[("Compute", "COMPUTE"), ("Management", "MANAGEMENT"), ("Edge", "EDGE"), ("Gateway", "GATEWAY")];

const NODE: &[Member] = &[
    required("siteRef", field("site", Name("site"))),
    required("hardware", field("hardware", Object(HARDWARE))),
    optional("addresses", field("addresses", Objects(ADDRESS))),
    optional("assignment", To::Level(ASSIGNMENT)),
    optional("placement", field("placement", Object(PLACEMENT))),
];

const HARDWARE: &[Member] = &[
    required("cpuCores", field("cpuCores", Count(INT32))),
    required("cpuArchitecture", field("cpuArchitecture", Word(&[("amd64", "AMD64"), ("arm64", "ARM64")]))),
    required("memoryBytes", field("memoryBytes", Count(i64::MAX))),
    optional("disks", field("disks", Objects(DISK))),
];

const DISK: &[Member] = &[
    required("name", field("name", Text)),
    required("sizeBytes", field("sizeBytes", Count(i64::MAX))),
    required("type", field("type", Word(&[("SSD", "SSD"), ("HDD", "HDD"), ("NVMe", "NVME")]))),
];

const ADDRESS: &[Member] =
    &[required("type", field("type", Word(ADDRESS_TYPES))), required("address", field("address", Text))];

const ADDRESS_TYPES: Words = &[("Internal", "INTERNAL"), ("External", "EXTERNAL"), ("Hostname", "HOSTNAME")];

const ASSIGNMENT: &[Member] = &[
    required("clusterRef", field("cluster", Name("cluster"))),
    required("role", To::Label(CLUSTER_ROLE, &["ControlPlane", "Worker"])),
];

const PLACEMENT: &[Member] = &[
    required("rackRef", field("rack", Name("rack"))),
    required("startUnit", field("startUnit", Count(INT32))),
    required("unitHeight", field("unitHeight", Count(INT32))),
    optional("face", field("face", Word(&[("Front", "FRONT"), ("Rear", "REAR")]))),
];

const NETWORK_DEVICE: &[Member] = &[
    required("clusterRef", field("cluster", Name("cluster"))),
    required("siteRef", field("site", Name("site"))),
    required("role", field("role", Word(DEVICE_ROLES))),
    optional("managementAddress", field("addresses", Form::ManagementAddress)),
    optional("placement", field("placement", Object(PLACEMENT))),
];

pub(super) const DEVICE_ROLES: Words =
    &[("BorderRouter", "BORDER_ROUTER"), ("Spine", "SPINE"), ("Leaf", "LEAF"), ("Firewall", "FIREWALL")];

const LINK: &[Member] = &[
    required("endpoints", To::Two(["a", "b"], Asset(LINK_ENDS))),
    required("type", field("type", Word(LINK_TYPES))),
    optional("capacityMbps", field("capacityMbps", Count(i64::MAX))),
    optional("latencyMs", field("latencyMs", Quantity)),
    optional("cableRefs", field("cables", Names("cable"))),
];

const LINK_ENDS: Words = &[("Site", "site"), ("Cluster", "cluster"), ("NetworkDevice", "device")];

const LINK_TYPES: Words = &[("Physical", "PHYSICAL"), ("Logical", "LOGICAL"), ("Internet", "INTERNET")];

const PROVIDER: &[Member] = &[
    required("displayName", field("displayName", Text)),
    required("type", field("type", Word(PROVIDER_TYPES))),
    optional("contract", field("contract", Object(CONTRACT))),
    optional("serviceIdentifiers", field("serviceIdentifiers", Objects(SERVICE_IDENTIFIER))),
];

const PROVIDER_TYPES: Words = &[
    ("Hosting", "HOSTING"),
    ("Colocation", "COLOCATION"),
    ("Transit", "TRANSIT"),
    ("InternetExchange", "INTERNET_EXCHANGE"),
    ("DarkFiber", "DARK_FIBER"),
    ("Cloud", "CLOUD"),
];

const CONTRACT: &[Member] = &[
    optional("contractID", field("contractId", Text)),
    optional("accountID", field("accountId", Text)),
    optional("portalURL", field("portalUrl", Text)),
    optional("notes", field("notes", Text)),
];

const SERVICE_IDENTIFIER: &[Member] =
    &[required("name", field("name", Text)), required("identifier", field("identifier", Text))];

const RACK: &[Member] = &[
    required("siteRef", field("site", Name("site"))),
    optional("cage", field("cage", Text)),
    optional("row", field("row", Text)),
    optional("name", To::Label(RACK_NAME, &[])),
    required("heightU", field("heightU", Count(INT32))),
    optional(POWER_FEEDS, field(POWER_FEEDS, Objects(POWER_FEED))),
];

/// The member of a Rack in Milo that holds its power feeds. In our items each feed is an object, so whole feeds are
/// moved out of the rack on import and into it on export.
pub(super) const POWER_FEEDS: &str = "powerFeeds";

pub(super) const POWER_FEED: &[Member] = &[
    required("name", field("name", Text)),
    optional("phase", field("phase", Word(&[("SinglePhase", "SINGLE_PHASE"), ("ThreePhase", "THREE_PHASE")]))),
    optional("voltage", field("voltage", Count(INT32))),
    optional("ampsRated", field("ampsRated", Count(INT32))),
];

const PORT: &[Member] = &[
    required("deviceRef", To::Owner),
    required("type", field("type", Word(PORT_TYPES))),
    required("name", field("name", Text)),
    optional("speed", field("speedBps", WholeQuantity)),
];

/// The types of a port. On a rack, `Power` is an outlet.
const PORT_TYPES: Words = &[
    ("Power", POWER_INLET),
    ("Serial", "SERIAL"),
    ("Ethernet", "ETHERNET"),
    ("Optical", "OPTICAL"),
    ("PatchPanel", "PATCH_FRONT"),
];

pub(super) const POWER_INLET: &str = "POWER_INLET";
pub(super) const POWER_OUTLET: &str = "POWER_OUTLET";

/// The objects that a port can be on.
pub(super) const OWNERS: Words = &[("Node", "device"), ("NetworkDevice", "device"), ("Rack", "rack")];

const CABLE: &[Member] = &[
    required("endpoints", To::Two(["aEnds", "bEnds"], Form::CableEnd)),
    required("media", field("media", Word(CABLE_MEDIA))),
    optional("lengthM", field("lengthM", Quantity)),
    optional("label", field("label", Text)),
];

const CABLE_MEDIA: Words =
    &[("Copper", "COPPER"), ("FiberSMF", "FIBER_SMF"), ("FiberMMF", "FIBER_MMF"), ("Power", "POWER"), ("DAC", "DAC")];

const CIRCUIT: &[Member] = &[
    required("providerRef", field("provider", Name("provider"))),
    required("type", field("type", Word(CIRCUIT_TYPES))),
    optional("circuitID", field("circuitId", Text)),
    optional("bandwidthMbps", field("bandwidthMbps", Count(i64::MAX))),
    required("aEnd", field("aEnd", Asset(CIRCUIT_ENDS))),
    required("zEnd", field("zEnd", Asset(CIRCUIT_ENDS))),
    optional("serviceRef", field("serviceRef", Object(OBJECT_REFERENCE))),
];

const CIRCUIT_TYPES: Words = &[
    ("CrossConnect", "CROSS_CONNECT"),
    ("ProviderCircuit", "PROVIDER_CIRCUIT"),
    ("Transit", "TRANSIT"),
    ("Peering", "PEERING"),
];

const CIRCUIT_ENDS: Words = &[("Site", "site"), ("Port", "port")];

const OBJECT_REFERENCE: &[Member] = &[
    required("apiGroup", field("apiGroup", Text)),
    required("kind", field("kind", Text)),
    required("name", field("name", Text)),
    optional("namespace", field("namespace", Text)),
];

const VIRTUAL_MACHINE: &[Member] = &[
    required("hostRef", field("host", Name("device"))),
    optional("providerRef", field("provider", Name("provider"))),
    optional("projectRef", field("projectRef", Object(OBJECT_REFERENCE))),
    required("allocation", field("allocation", Object(ALLOCATION))),
];

const ALLOCATION: &[Member] = &[
    required("vcpus", field("vcpus", Count(INT32))),
    required("memoryBytes", field("memoryBytes", Count(i64::MAX))),
    optional("disks", field("disks", Objects(DISK))),
];
