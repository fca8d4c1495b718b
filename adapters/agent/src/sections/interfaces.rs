//! The network interfaces of the hardware. Virtual ones, virtual functions and the links to a BMC are none.

use underlay_facts::{Interface, InterfaceKind};

use crate::reader::{NO_FOLDER, Reader, last, pci_address};

const DEVICES: &str = "/sys/class/net";
/// The drivers of the links by USB to a BMC, which have one address on every machine.
const TO_BMC: [&str; 2] = ["cdc_ether", "rndis_host"];
/// The beginning of the addresses of links inside some machines, the same ones on each.
const INSIDE: &str = "fa:";
/// The beginning of the addresses that OpenStack gives to the interfaces of virtual machines.
const OF_OPENSTACK: &str = "fa:16:3e:";

/// Reads the interfaces.
pub fn read(reader: &mut Reader) -> Vec<Interface> {
    let Some(names) = reader.names(DEVICES) else {
        if reader.is_complete() {
            reader.lacks(DEVICES, NO_FOLDER);
        }
        return Vec::new();
    };
    names.iter().filter_map(|name| interface(reader, name)).collect()
}

/// Returns an interface, unless it is none of the hardware.
fn interface(reader: &mut Reader, name: &str) -> Option<Interface> {
    let at = |file: &str| format!("{DEVICES}/{name}/{file}");
    if !reader.has(&at("device")) || reader.has(&at("device/physfn")) {
        return None;
    }
    let driver = reader.link(&at("device/driver")).map(|target| last(&target).to_owned());
    let port = reader.text(&at("phys_port_name"));
    if driver.as_deref().is_some_and(|name| TO_BMC.contains(&name)) || port.as_deref().is_some_and(is_of_function) {
        return None;
    }
    let (permanent_mac, mac) = addresses(reader, name);
    if permanent_mac.as_deref().or(mac.as_deref()).is_some_and(is_inside) {
        return None;
    }
    let carrier = reader.text(&at("carrier")).map(|text| text == "1");
    Some(Interface {
        name: name.to_owned(),
        permanent_mac,
        mac,
        kind: reader.text(&at("type")).and_then(|number| kind(&number)),
        place: place(reader, name, port),
        driver,
        carrier,
        carrier_changes: reader.number(&at("carrier_changes")),
        speed_mbps: if carrier == Some(true) { speed(reader, &at("speed")) } else { None },
        ..Interface::default()
    })
}

/// Returns the path of a file of an interface.
pub fn path(name: &str, file: &str) -> String {
    format!("{DEVICES}/{name}/{file}")
}

fn is_inside(address: &str) -> bool {
    address.starts_with(INSIDE) && !address.starts_with(OF_OPENSTACK)
}

/// Returns whether the name of a port is that of a virtual function or subfunction, such as `pf0vf3`: its interface
/// stands for it in a switch within the card.
fn is_of_function(port: &str) -> bool {
    port.contains("vf") || port.contains("sf")
}

/// Returns the permanent address, and the present one if it is another.
fn addresses(reader: &mut Reader, name: &str) -> (Option<String>, Option<String>) {
    let at = |file: &str| format!("{DEVICES}/{name}/{file}");
    let present = reader.text(&at("address")).map(|text| text.to_lowercase()).filter(|text| is_address(text));
    let asked = reader.permanent_mac(name).map(|text| text.to_lowercase()).filter(|text| is_address(text));
    let is_permanent = reader.text(&at("addr_assign_type")).as_deref() == Some("0");
    let permanent = asked.or_else(|| present.clone().filter(|_| is_permanent));
    let other = present.filter(|address| Some(address) != permanent.as_ref());
    (permanent, other)
}

/// Returns whether a text is an address that is somebody's.
fn is_address(text: &str) -> bool {
    text.contains(':') && text.chars().any(|letter| letter != '0' && letter != ':')
}

/// Returns the kind of link by the kernel's number for it (`linux/if_arp.h`).
fn kind(number: &str) -> Option<InterfaceKind> {
    match number {
        "1" => Some(InterfaceKind::Ethernet),
        "32" => Some(InterfaceKind::Infiniband),
        _ => None,
    }
}

/// Returns the place: the PCI address, or the name of the device for what is not at PCI, and the port. The first port is
/// not named, unless the driver gives it a name, so that the place stays if a further port is found.
fn place(reader: &mut Reader, name: &str, port: Option<String>) -> Option<String> {
    let target = reader.link(&format!("{DEVICES}/{name}"))?;
    let device = || target.rsplit('/').nth(2).filter(|device| *device != "..").map(str::to_owned);
    let device = pci_address(&target).map(str::to_owned).or_else(device)?;
    let path = format!("{DEVICES}/{name}/dev_port");
    let number = || reader.number::<u32>(&path).filter(|number| *number > 0).map(|number| number.to_string());
    Some(match port.or_else(number) {
        Some(port) => format!("{device}/{port}"),
        None => device,
    })
}

/// Returns the speed. Drivers that do not know it give -1.
fn speed(reader: &mut Reader, path: &str) -> Option<u32> {
    let speed = reader.number::<i64>(path)?;
    u32::try_from(speed).ok().filter(|speed| *speed > 0 && *speed < u32::MAX)
}
