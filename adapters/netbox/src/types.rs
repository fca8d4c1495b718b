//! The types of objects in NetBox: their names, their lists, and the kinds of which they become.

use underlay_kit::sync::ExternalId;

/// A type of NetBox whose objects become items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The name by which NetBox refers to it, such as `dcim.site`.
    pub name: &'static str,
    /// The path of its list in the API and in the user interface.
    pub path: &'static str,
    /// The kind by its name in items.
    pub kind: &'static str,
}

impl Type {
    /// Returns the id of an object of this type in this source.
    pub fn external(&self, id: u64) -> ExternalId {
        ExternalId::new(self.kind, format!("{}:{id}", self.name))
    }
}

macro_rules! types {
    ($($constant:ident: $name:literal, $path:literal, $kind:literal;)*) => {
        $(pub const $constant: Type = Type { name: $name, path: $path, kind: $kind };)*

        /// All types whose objects become items.
        pub const TYPES: &[Type] = &[$($constant),*];
    };
}

types! {
    REGION: "dcim.region", "dcim/regions", "region";
    SITE: "dcim.site", "dcim/sites", "site";
    LOCATION: "dcim.location", "dcim/locations", "location";
    RACK: "dcim.rack", "dcim/racks", "rack";
    PROVIDER: "circuits.provider", "circuits/providers", "provider";
    PROVIDER_NETWORK: "circuits.providernetwork", "circuits/provider-networks", "providerNetwork";
    POWER_PANEL: "dcim.powerpanel", "dcim/power-panels", "powerFeed";
    POWER_FEED: "dcim.powerfeed", "dcim/power-feeds", "powerFeed";
    CLUSTER: "virtualization.cluster", "virtualization/clusters", "cluster";
    DEVICE: "dcim.device", "dcim/devices", "device";
    REAR_PORT: "dcim.rearport", "dcim/rear-ports", "port";
    FRONT_PORT: "dcim.frontport", "dcim/front-ports", "port";
    POWER_PORT: "dcim.powerport", "dcim/power-ports", "port";
    POWER_OUTLET: "dcim.poweroutlet", "dcim/power-outlets", "port";
    CONSOLE_PORT: "dcim.consoleport", "dcim/console-ports", "port";
    CONSOLE_SERVER_PORT: "dcim.consoleserverport", "dcim/console-server-ports", "port";
    INTERFACE: "dcim.interface", "dcim/interfaces", "port";
    CIRCUIT: "circuits.circuit", "circuits/circuits", "circuit";
    CIRCUIT_TERMINATION: "circuits.circuittermination", "circuits/circuit-terminations", "circuitTermination";
    CABLE: "dcim.cable", "dcim/cables", "cable";
    VIRTUAL_MACHINE: "virtualization.virtualmachine", "virtualization/virtual-machines", "virtualMachine";
    VM_INTERFACE: "virtualization.vminterface", "virtualization/interfaces", "port";
}

/// Returns the type with a name, such as `dcim.site`.
pub fn named(name: &str) -> Option<Type> {
    TYPES.iter().find(|it| it.name == name).copied()
}

/// Returns the type and the id that an external id names, such as `dcim.site:7`.
pub fn parse(id: &ExternalId) -> Option<(Type, u64)> {
    let (name, number) = id.id.rsplit_once(':')?;
    let of = named(name).filter(|of| of.kind == id.kind)?;
    Some((of, number.parse().ok()?))
}

/// The fate of the objects of a type that has no kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Other objects say what they say.
    PutAside(&'static str),
    /// They are not kept.
    LeftOut(&'static str),
    /// Other objects say what some of them say, as far as the scan read such objects.
    Partly {
        /// The place of those that are kept.
        place: &'static str,
        /// The reason for which the others are not.
        reason: &'static str,
    },
}

/// The types of which a scan finds out how many objects are kept.
pub const MAC_ADDRESS: &str = "dcim.macaddress";
pub const MODULE: &str = "dcim.module";

/// The fate of the objects of which nothing is kept.
pub const NO_KIND: Fate = Fate::LeftOut("no kind");
const TEMPLATE: Fate = Fate::LeftOut("a template: what is made of it is read");
const TEXTS: Fate = Fate::PutAside("their names: fields, labels and attributes of other objects");

/// The parts of the API whose lists are an inventory.
pub const APPS: [&str; 7] = ["circuits", "dcim", "ipam", "tenancy", "virtualization", "vpn", "wireless"];
/// Paths of the API that are read otherwise, or are no lists.
const OTHERS: [&str; 3] = ["dcim/connected-device", "dcim/device-types", "ipam/ip-addresses"];

/// Returns true if it is known what becomes of the objects of a list.
pub fn is_known(path: &str) -> bool {
    let is_counted = COUNTED.iter().any(|(_, counted, _)| *counted == path);
    is_counted || TYPES.iter().any(|of| of.path == path) || OTHERS.contains(&path)
}

/// The types that have no kind: name, list, and what becomes of their objects. They are only counted.
pub const COUNTED: &[(&str, &str, Fate)] = &[
    ("circuits.circuitgroup", "circuits/circuit-groups", NO_KIND),
    ("circuits.circuitgroupassignment", "circuits/circuit-group-assignments", NO_KIND),
    ("circuits.circuittype", "circuits/circuit-types", TEXTS),
    ("circuits.provideraccount", "circuits/provider-accounts", TEXTS),
    ("circuits.virtualcircuit", "circuits/virtual-circuits", NO_KIND),
    ("circuits.virtualcircuittermination", "circuits/virtual-circuit-terminations", NO_KIND),
    ("circuits.virtualcircuittype", "circuits/virtual-circuit-types", NO_KIND),
    ("dcim.cablebundle", "dcim/cable-bundles", TEXTS),
    ("dcim.cabletermination", "dcim/cable-terminations", Fate::PutAside("ends of cables")),
    ("dcim.consoleporttemplate", "dcim/console-port-templates", TEMPLATE),
    ("dcim.consoleserverporttemplate", "dcim/console-server-port-templates", TEMPLATE),
    ("dcim.devicebay", "dcim/device-bays", Fate::PutAside("slots of the devices in them")),
    ("dcim.devicebaytemplate", "dcim/device-bay-templates", TEMPLATE),
    ("dcim.devicerole", "dcim/device-roles", TEXTS),
    ("dcim.frontporttemplate", "dcim/front-port-templates", TEMPLATE),
    ("dcim.interfacetemplate", "dcim/interface-templates", TEMPLATE),
    ("dcim.inventoryitem", "dcim/inventory-items", NO_KIND),
    ("dcim.inventoryitemrole", "dcim/inventory-item-roles", NO_KIND),
    ("dcim.inventoryitemtemplate", "dcim/inventory-item-templates", TEMPLATE),
    (
        MAC_ADDRESS,
        "dcim/mac-addresses",
        Fate::Partly {
            place: "the primary one of an interface: MAC address of its port",
            reason: "it is not the primary one of an interface",
        },
    ),
    ("dcim.manufacturer", "dcim/manufacturers", TEXTS),
    (
        MODULE,
        "dcim/modules",
        Fate::Partly { place: "its bay: attributes of the ports on it", reason: "no port is on it" },
    ),
    ("dcim.modulebay", "dcim/module-bays", NO_KIND),
    ("dcim.modulebaytemplate", "dcim/module-bay-templates", TEMPLATE),
    ("dcim.moduletype", "dcim/module-types", NO_KIND),
    ("dcim.moduletypeprofile", "dcim/module-type-profiles", NO_KIND),
    ("dcim.platform", "dcim/platforms", TEXTS),
    ("dcim.poweroutlettemplate", "dcim/power-outlet-templates", TEMPLATE),
    ("dcim.powerporttemplate", "dcim/power-port-templates", TEMPLATE),
    ("dcim.rackgroup", "dcim/rack-groups", TEXTS),
    ("dcim.rackreservation", "dcim/rack-reservations", NO_KIND),
    ("dcim.rackrole", "dcim/rack-roles", TEXTS),
    ("dcim.racktype", "dcim/rack-types", TEXTS),
    ("dcim.rearporttemplate", "dcim/rear-port-templates", TEMPLATE),
    ("dcim.sitegroup", "dcim/site-groups", TEXTS),
    ("dcim.virtualchassis", "dcim/virtual-chassis", Fate::PutAside("parents of their members")),
    ("dcim.virtualdevicecontext", "dcim/virtual-device-contexts", NO_KIND),
    ("extras.configcontext", "extras/config-contexts", NO_KIND),
    ("extras.configtemplate", "extras/config-templates", NO_KIND),
    ("extras.customfield", "extras/custom-fields", TEXTS),
    ("extras.customfieldchoiceset", "extras/custom-field-choice-sets", NO_KIND),
    ("extras.imageattachment", "extras/image-attachments", NO_KIND),
    ("extras.journalentry", "extras/journal-entries", NO_KIND),
    ("extras.tag", "extras/tags", Fate::PutAside("labels")),
    ("extras.taggeditem", "extras/tagged-objects", TEXTS),
    ("ipam.aggregate", "ipam/aggregates", NO_KIND),
    ("ipam.asn", "ipam/asns", TEXTS),
    ("ipam.asnrange", "ipam/asn-ranges", NO_KIND),
    ("ipam.fhrpgroup", "ipam/fhrp-groups", NO_KIND),
    ("ipam.fhrpgroupassignment", "ipam/fhrp-group-assignments", NO_KIND),
    ("ipam.iprange", "ipam/ip-ranges", NO_KIND),
    ("ipam.prefix", "ipam/prefixes", NO_KIND),
    ("ipam.rir", "ipam/rirs", NO_KIND),
    ("ipam.role", "ipam/roles", NO_KIND),
    ("ipam.routetarget", "ipam/route-targets", NO_KIND),
    ("ipam.service", "ipam/services", NO_KIND),
    ("ipam.servicetemplate", "ipam/service-templates", TEMPLATE),
    ("ipam.vlan", "ipam/vlans", NO_KIND),
    ("ipam.vlangroup", "ipam/vlan-groups", NO_KIND),
    ("ipam.vlantranslationpolicy", "ipam/vlan-translation-policies", NO_KIND),
    ("ipam.vlantranslationrule", "ipam/vlan-translation-rules", NO_KIND),
    ("ipam.vrf", "ipam/vrfs", NO_KIND),
    ("tenancy.contact", "tenancy/contacts", NO_KIND),
    ("tenancy.contactassignment", "tenancy/contact-assignments", NO_KIND),
    ("tenancy.contactgroup", "tenancy/contact-groups", NO_KIND),
    ("tenancy.contactrole", "tenancy/contact-roles", NO_KIND),
    ("tenancy.tenant", "tenancy/tenants", TEXTS),
    ("tenancy.tenantgroup", "tenancy/tenant-groups", NO_KIND),
    ("virtualization.clustergroup", "virtualization/cluster-groups", TEXTS),
    ("virtualization.clustertype", "virtualization/cluster-types", TEXTS),
    ("virtualization.virtualdisk", "virtualization/virtual-disks", NO_KIND),
    ("virtualization.virtualmachinetype", "virtualization/virtual-machine-types", NO_KIND),
    ("vpn.ikepolicy", "vpn/ike-policies", NO_KIND),
    ("vpn.ikeproposal", "vpn/ike-proposals", NO_KIND),
    ("vpn.ipsecpolicy", "vpn/ipsec-policies", NO_KIND),
    ("vpn.ipsecprofile", "vpn/ipsec-profiles", NO_KIND),
    ("vpn.ipsecproposal", "vpn/ipsec-proposals", NO_KIND),
    ("vpn.l2vpn", "vpn/l2vpns", NO_KIND),
    ("vpn.l2vpntermination", "vpn/l2vpn-terminations", NO_KIND),
    ("vpn.tunnel", "vpn/tunnels", NO_KIND),
    ("vpn.tunnelgroup", "vpn/tunnel-groups", NO_KIND),
    ("vpn.tunneltermination", "vpn/tunnel-terminations", NO_KIND),
    ("wireless.wirelesslan", "wireless/wireless-lans", NO_KIND),
    ("wireless.wirelesslangroup", "wireless/wireless-lan-groups", NO_KIND),
    ("wireless.wirelesslink", "wireless/wireless-links", NO_KIND),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_id_names_its_type() {
        let id = INTERFACE.external(17);
        assert_eq!((id.kind.as_str(), id.id.as_str()), ("port", "dcim.interface:17"));
        assert_eq!(parse(&id), Some((INTERFACE, 17)));
        for (kind, id) in [("rack", "dcim.interface:17"), ("port", "dcim.interface"), ("port", "ipam.vlan:3")] {
            assert_eq!(parse(&ExternalId::new(kind, id)), None, "{id}");
        }
    }
}
