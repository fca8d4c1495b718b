//! The neighbours of the interfaces of the hardware, as they say themselves by LLDP: what lldpd heard where it runs, and
//! otherwise what this program heard itself.
//!
//! Guarantee: the section is complete only if every neighbour had the time to say that it is there.

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
    let heard = by_lldpd(reader).unwrap_or_else(|reason| by_itself(reader, &interfaces, &reason));

    let mut found: Vec<Neighbour> = heard.into_iter().filter_map(|neighbour| at(neighbour, &interfaces)).collect();
    let order = |it: &Neighbour| (it.interface.clone(), it.chassis_id.clone(), it.port_id.clone());
    found.sort_by_cached_key(order);
    found.dedup_by(|one, other| order(one) == order(other));
    if reader.is_complete() {
        note_keepers(reader, &interfaces, &found);
    }
    found
}

/// Returns what lldpd heard, or the reason why it says nothing.
fn by_lldpd(reader: &mut Reader) -> Result<Vec<Neighbour>, String> {
    let call = lldpctl::call();
    let output = reader.try_program(&call).map_err(|failure| match failure {
        Failure::Absent => "lldpctl is not installed".to_owned(),
        Failure::Unread(reason) => format!("lldpctl {reason}"),
    })?;
    lldpctl::neighbours(&output).ok_or_else(|| "lldpctl does not write what it should".to_owned())
}

/// Returns what this program heard. Notes that it is not all if some neighbours may not have spoken.
fn by_itself(reader: &mut Reader, interfaces: &[Interface], reason: &str) -> Vec<Neighbour> {
    let Some(listener) = reader.listener() else {
        reader.lacks(LLDP, &format!("{reason}, and nothing listened before this report"));
        return Vec::new();
    };
    let mut found = Vec::new();
    for interface in interfaces {
        let Some(heard) = heard_at(reader, &listener, &interface.name) else { break };
        found.extend(heard);
    }
    found
}

/// Returns what was heard at an interface, or none if nothing can be heard at any.
fn heard_at(reader: &mut Reader, listener: &Listener, name: &str) -> Option<Vec<Neighbour>> {
    let index = reader.number(&interfaces::path(name, "ifindex"))?;
    let heard = match listener.word(index) {
        Word::All(heard) => heard,
        Word::Some(heard) => {
            if reader.is_complete() {
                reader.lacks(LLDP, "was not listened to for 65 seconds yet");
            }
            heard
        }
        Word::Deaf(reason) => {
            reader.lacks(LLDP, &format!("cannot be listened to: {reason}"));
            return None;
        }
    };
    let of_interface = |neighbour| Neighbour { interface: name.to_owned(), ..neighbour };
    Some(heard.into_iter().map(of_interface).collect())
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
