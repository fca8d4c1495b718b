//! The neighbours of the interfaces of the hardware, as they say themselves by LLDP: what this program heard while it ran,
//! or what lldpd heard.
//!
//! Guarantee: the section is complete only if every neighbour had the time to say that it is there. Until then nobody is
//! named: who would be the first to be named is not new.

use underlay_facts::{Interface, InterfaceKind, Neighbour};

use super::{interfaces, lldpctl};
use crate::lldp::{Listener, Word};
use crate::reader::Reader;
use crate::root::Failure;

/// The name of the protocol in what could not be read.
const LLDP: &str = "LLDP";
/// The drivers of adapters that keep LLDP to themselves, and the switch that makes them pass it on.
const KEEPERS: [(&str, &str); 2] = [("i40e", "disable-fw-lldp on"), ("ice", "fw-lldp-agent off")];

/// Reads the neighbours.
pub fn read(reader: &mut Reader) -> Vec<Neighbour> {
    let mut interfaces = interfaces::read(reader);
    interfaces.retain(|interface| interface.kind == Some(InterfaceKind::Ethernet));
    let heard = match reader.listener() {
        Some(listener) => by_itself(reader, &listener, &interfaces),
        None => by_lldpd(reader, "nothing listened before this report"),
    };
    let mut found: Vec<Neighbour> = heard.into_iter().filter_map(|neighbour| at(neighbour, &interfaces)).collect();
    let order = |it: &Neighbour| (it.interface.clone(), it.chassis_id.clone(), it.port_id.clone());
    found.sort_by_cached_key(order);
    found.dedup_by(|one, other| order(one) == order(other));
    if reader.is_complete() {
        note_keepers(reader, &interfaces, &found);
    }
    found
}

/// Returns what this program heard, which is at most seconds old. lldpd is asked where it cannot listen itself.
fn by_itself(reader: &mut Reader, listener: &Listener, interfaces: &[Interface]) -> Vec<Neighbour> {
    let mut found = Vec::new();
    for Interface { name, .. } in interfaces {
        let Some(index) = reader.number(&interfaces::path(name, "ifindex")) else { continue };
        match listener.word(index) {
            Word::Heard(heard) => {
                let of_interface = |neighbour| Neighbour { interface: name.clone(), ..neighbour };
                found.extend(heard.into_iter().map(of_interface));
            }
            Word::TooEarly => {
                reader.lacks(&format!("{LLDP} at {name}"), "was not listened to for 65 seconds yet");
            }
            Word::Deaf(reason) => return by_lldpd(reader, &format!("it cannot be listened to: {reason}")),
        }
    }
    found
}

/// Returns what lldpd heard. Notes the reason for which it was asked if it says nothing.
fn by_lldpd(reader: &mut Reader, reason: &str) -> Vec<Neighbour> {
    match ask_lldpd(reader) {
        Ok(found) => found,
        Err(fault) => {
            reader.lacks(LLDP, &format!("{fault}, and {reason}"));
            Vec::new()
        }
    }
}

fn ask_lldpd(reader: &mut Reader) -> Result<Vec<Neighbour>, String> {
    let call = lldpctl::call();
    let output = reader.try_program(&call).map_err(|failure| match failure {
        Failure::Absent => "lldpctl is not installed".to_owned(),
        Failure::Unread(reason) => format!("lldpctl {reason}"),
    })?;
    lldpctl::neighbours(&output).ok_or_else(|| "lldpctl does not write what it should".to_owned())
}

/// Returns a neighbour with the address of the interface, if that is one of the hardware.
fn at(neighbour: Neighbour, interfaces: &[Interface]) -> Option<Neighbour> {
    let interface = interfaces.iter().find(|interface| interface.name == neighbour.interface)?;
    Some(Neighbour { permanent_mac: interface.permanent_mac.clone(), ..neighbour })
}

/// Names the interfaces with a link on which nothing was heard, because the adapter may keep it to itself.
fn note_keepers(reader: &mut Reader, interfaces: &[Interface], found: &[Neighbour]) {
    for Interface { name, driver, carrier, .. } in interfaces {
        let switch = KEEPERS.iter().find(|(keeper, _)| driver.as_deref() == Some(keeper)).map(|(_, switch)| switch);
        let is_silent = *carrier == Some(true) && found.iter().all(|neighbour| neighbour.interface != *name);
        if let Some(switch) = switch.filter(|_| is_silent) {
            let command = format!("ethtool --set-priv-flags {name} {switch}");
            reader.note(name, &format!("heard no LLDP; the adapter keeps it to itself until `{command}`"));
        }
    }
}
