//! A domain by its XML (libvirt's `formatdomain`): its names, and the XML with which it boots from another device once.
//!
//! The XML is parsed for positions and changed as text, so that everything that is not changed stays as libvirt wrote it.

use std::collections::BTreeMap;
use std::ops::Range;

use roxmltree::{Document, Node, ParsingOptions};
use thiserror::Error;
use uuid::Uuid;

use crate::machine::{BootDevice, Identity};

/// The namespace of the element in the metadata of a domain that says what it boots from the next time, and only then.
pub const NAMESPACE: &str = "urn:underlay:boot";
/// The maximum number of nodes of the XML of a domain.
const MAX_XML_NODES: u32 = 100_000;

/// A domain, as its definition has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The name, which is unique at a hypervisor.
    pub name: String,
    pub uuid: Uuid,
    /// The serial number that the firmware shows to the guest, if the definition has one.
    pub serial: Option<String>,
    /// The MAC address that it boots from: that of the interface that is first in the boot order, else that of the
    /// first interface, which is the only one that QEMU boots from if the order names just the network.
    pub boot_mac: Option<String>,
    /// The device that it boots from the next time, and only then.
    pub once: Option<BootDevice>,
}

/// The reason why a text is not the XML of a domain.
#[derive(Debug, Error)]
pub enum DomainError {
    /// It is not XML, or not all of it.
    #[error("the XML of the domain cannot be read: {0}")]
    Xml(#[from] roxmltree::Error),
    /// Something that every domain has is missing.
    #[error("the XML of the domain has no {0}")]
    Lacks(&'static str),
}

/// The reason why a domain cannot boot from a device once.
#[derive(Debug, Error)]
pub enum NoBoot {
    /// The definition cannot be read.
    #[error(transparent)]
    Domain(#[from] DomainError),
    /// There is no such device.
    #[error("the domain has no {0} to boot from")]
    NoDevice(&'static str),
    /// There is no interface with the MAC address of the host.
    #[error("the domain has no interface with the MAC address {0} of bootMac: correct bootMac, or clear it")]
    NoMac(String),
    /// The hypervisor boots a kernel, whatever the order of devices is.
    #[error(
        "the definition of the domain names a kernel, which boots whatever the order of devices is: remove it there"
    )]
    Kernel,
}

impl Domain {
    /// Reads the XML of a domain.
    ///
    /// # Errors
    /// Returns an error if the text is not XML, or lacks the name or the UUID.
    pub fn parse(xml: &str) -> Result<Self, DomainError> {
        let document = document(xml)?;
        let root = domain_of(&document)?;
        let name = text_of(root, "name").ok_or(DomainError::Lacks("name"))?;
        let uuid = text_of(root, "uuid").and_then(|uuid| Uuid::parse_str(uuid).ok());
        let once = marker(root).and_then(|marker| match marker.attribute("once") {
            Some("network") => Some(BootDevice::Network),
            Some("local") => Some(BootDevice::Local),
            _ => None,
        });
        Ok(Self {
            name: name.to_owned(),
            uuid: uuid.ok_or(DomainError::Lacks("uuid"))?,
            serial: serial_of(root),
            boot_mac: first(&interfaces(root)).and_then(mac_of).map(str::to_ascii_lowercase),
            once,
        })
    }

    /// Returns the names by which the domain identifies itself.
    pub fn identity(&self) -> Identity {
        Identity { serial: self.serial.clone(), uuid: Some(self.uuid.to_string()), aliases: Vec::new() }
    }
}

/// Returns the element of the metadata that says what a domain boots from the next time.
pub const fn marker_of(device: BootDevice) -> &'static str {
    match device {
        BootDevice::Network => "<boot once=\"network\"/>",
        BootDevice::Local => "<boot once=\"local\"/>",
    }
}

/// Returns the XML of a domain with an order in which it boots from a device first. `mac` is that of the interface that a
/// boot from the network uses. A boot from the network falls back to the disk that is first otherwise. The element of the
/// metadata that asks for the boot is left out.
///
/// # Errors
/// Returns the reason why the domain cannot boot from the device.
pub fn booting_from(xml: &str, device: BootDevice, mac: Option<&str>) -> Result<String, NoBoot> {
    let document = document(xml)?;
    let root = domain_of(&document)?;
    let os = child(root, "os");
    if os.is_some_and(|os| child(os, "kernel").is_some()) {
        return Err(NoBoot::Kernel);
    }
    let disk = first(&disks(root));
    let order = match device {
        BootDevice::Local => vec![disk.ok_or(NoBoot::NoDevice("disk"))?],
        BootDevice::Network => {
            let interface = interface_of(root, mac)?;
            std::iter::once(interface).chain(disk).collect()
        }
    };
    let old_order = os.into_iter().chain(devices(root)).flat_map(|owner| children(owner, "boot"));
    let mut edits: Vec<(Range<usize>, String)> =
        old_order.chain(marker(root)).map(|node| (node.range(), String::new())).collect();
    for (index, node) in order.into_iter().enumerate() {
        // The elements of a device can have any order, and each device that is chosen here has some.
        let start = node.first_child().map_or(node.range().end, |child| child.range().start);
        edits.push((start..start, format!("<boot order=\"{}\"/>", index + 1)));
    }
    Ok(edited(xml, edits))
}

/// Returns the interface that a boot from the network uses.
fn interface_of<'a, 'input>(root: Node<'a, 'input>, mac: Option<&str>) -> Result<Node<'a, 'input>, NoBoot> {
    let all = interfaces(root);
    let Some(mac) = mac else { return first(&all).ok_or(NoBoot::NoDevice("network interface")) };
    let wanted = digits(mac);
    let found = all.into_iter().find(|interface| mac_of(*interface).is_some_and(|own| digits(own) == wanted));
    found.ok_or_else(|| NoBoot::NoMac(mac.to_owned()))
}

/// Returns a text with some ranges replaced. The ranges do not overlap.
fn edited(text: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut made, mut at) = (String::with_capacity(text.len() + 64), 0);
    for (range, new) in edits {
        made.push_str(text.get(at..range.start).unwrap_or_default());
        made.push_str(&new);
        at = range.end;
    }
    made.push_str(text.get(at..).unwrap_or_default());
    made
}

fn document(xml: &str) -> Result<Document<'_>, DomainError> {
    let options = ParsingOptions { nodes_limit: MAX_XML_NODES, ..ParsingOptions::default() };
    Ok(Document::parse_with_options(xml, options)?)
}

fn domain_of<'a, 'input>(document: &'a Document<'input>) -> Result<Node<'a, 'input>, DomainError> {
    let root = document.root_element();
    if root.has_tag_name("domain") { Ok(root) } else { Err(DomainError::Lacks("element domain")) }
}

fn children<'a, 'input>(of: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    of.children().filter(move |node| node.has_tag_name(name))
}

fn child<'a, 'input>(of: Node<'a, 'input>, name: &'static str) -> Option<Node<'a, 'input>> {
    children(of, name).next()
}

fn text_of<'a>(of: Node<'a, '_>, name: &'static str) -> Option<&'a str> {
    child(of, name)?.text().map(str::trim).filter(|text| !text.is_empty())
}

fn devices<'a, 'input>(root: Node<'a, 'input>) -> impl Iterator<Item = Node<'a, 'input>> {
    children(root, "devices").flat_map(|devices| devices.children()).filter(Node::is_element)
}

fn interfaces<'a, 'input>(root: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
    devices(root).filter(|device| device.has_tag_name("interface")).collect()
}

/// Returns the disks, without drives for CDs and floppies. A disk is what names no other device.
fn disks<'a, 'input>(root: Node<'a, 'input>) -> Vec<Node<'a, 'input>> {
    let is_disk = |device: &Node<'_, '_>| {
        device.has_tag_name("disk") && matches!(device.attribute("device"), None | Some("disk" | "lun"))
    };
    devices(root).filter(is_disk).collect()
}

/// Returns the device that is first in the boot order, else the first device.
fn first<'a, 'input>(devices: &[Node<'a, 'input>]) -> Option<Node<'a, 'input>> {
    let position =
        |device: &Node<'_, '_>| child(*device, "boot").and_then(|boot| boot.attribute("order")?.parse().ok());
    devices.iter().min_by_key(|device| position(device).unwrap_or(u32::MAX)).copied()
}

fn mac_of<'a>(interface: Node<'a, '_>) -> Option<&'a str> {
    child(interface, "mac")?.attribute("address")
}

fn marker<'a, 'input>(root: Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    child(root, "metadata")?.children().find(|node| node.has_tag_name((NAMESPACE, "boot")))
}

fn serial_of(root: Node<'_, '_>) -> Option<String> {
    let systems = children(root, "sysinfo").flat_map(|sysinfo| children(sysinfo, "system"));
    let mut entries = systems.flat_map(|system| children(system, "entry"));
    let serial = entries.find(|entry| entry.attribute("name") == Some("serial"))?.text()?.trim();
    (!serial.is_empty()).then(|| serial.to_owned())
}

/// Returns the digits of a MAC address, in lower case.
fn digits(mac: &str) -> String {
    mac.chars().filter(char::is_ascii_hexdigit).map(|it| it.to_ascii_lowercase()).collect()
}

/// Returns the XML of each domain of an output, by the UUID of the domain.
///
/// # Errors
/// Returns an error if a part of the output is not the XML of a domain.
pub fn all(output: &str) -> Result<BTreeMap<Uuid, Domain>, DomainError> {
    const END: &str = "</domain>";
    let (mut found, mut rest) = (BTreeMap::new(), output.trim());
    while !rest.is_empty() {
        let end = rest.find(END).map_or(rest.len(), |at| at + END.len());
        let (xml, more) = rest.split_at(end);
        let domain = Domain::parse(xml)?;
        found.insert(domain.uuid, domain);
        rest = more.trim_start();
    }
    Ok(found)
}
