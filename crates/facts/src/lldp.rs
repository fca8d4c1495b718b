//! Reads a frame of LLDP (IEEE 802.1AB), for the agent that hears it and for the server that gets one from a recorder.
//!
//! Guarantee: no bytes make it fail otherwise than with a fault. The texts that it returns have no control characters.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::parts::{Neighbour, NeighbourCapability, NeighbourIdSubtype};
use crate::value;

/// The types of what a frame has: a type, a length and a value.
const END: u8 = 0;
const CHASSIS_ID: u8 = 1;
const PORT_ID: u8 = 2;
const TTL: u8 = 3;
const PORT_DESCRIPTION: u8 = 4;
const SYSTEM_NAME: u8 = 5;
const SYSTEM_DESCRIPTION: u8 = 6;
const CAPABILITIES: u8 = 7;
const MANAGEMENT_ADDRESS: u8 = 8;

/// The numbers of the families of addresses (IANA).
const IPV4: u8 = 1;
const IPV6: u8 = 2;
/// The greatest number of management addresses that are kept.
const MOST_ADDRESSES: usize = 16;

/// The meanings of ids of chassis, by their numbers from 1.
const OF_CHASSIS: [NeighbourIdSubtype; 7] = [
    NeighbourIdSubtype::ChassisComponent,
    NeighbourIdSubtype::InterfaceAlias,
    NeighbourIdSubtype::PortComponent,
    NeighbourIdSubtype::MacAddress,
    NeighbourIdSubtype::NetworkAddress,
    NeighbourIdSubtype::InterfaceName,
    NeighbourIdSubtype::Local,
];
/// The meanings of ids of ports, by their numbers from 1.
const OF_PORTS: [NeighbourIdSubtype; 7] = [
    NeighbourIdSubtype::InterfaceAlias,
    NeighbourIdSubtype::PortComponent,
    NeighbourIdSubtype::MacAddress,
    NeighbourIdSubtype::NetworkAddress,
    NeighbourIdSubtype::InterfaceName,
    NeighbourIdSubtype::AgentCircuitId,
    NeighbourIdSubtype::Local,
];
/// The capabilities, by the numbers of their bits from 0.
const OF_BITS: [NeighbourCapability; 11] = [
    NeighbourCapability::Other,
    NeighbourCapability::Repeater,
    NeighbourCapability::Bridge,
    NeighbourCapability::WlanAccessPoint,
    NeighbourCapability::Router,
    NeighbourCapability::Telephone,
    NeighbourCapability::DocsisCableDevice,
    NeighbourCapability::StationOnly,
    NeighbourCapability::CVlan,
    NeighbourCapability::SVlan,
    NeighbourCapability::TwoPortMacRelay,
];

/// The content of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertisement {
    /// The neighbour that sent it, without the interface that heard it.
    pub neighbour: Neighbour,
    /// The time for which it counts, in seconds. The neighbour goes away if it is 0.
    pub ttl: u16,
}

/// The reason why a frame is ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A value would be longer than the frame.
    #[error("a value of type {kind} is cut off")]
    CutOff {
        /// The type.
        kind: u8,
    },
    /// The three values that each frame begins with are not all there, in their order.
    #[error("there is type {found:?} in place of type {expected}")]
    Missing {
        /// The type that belongs there.
        expected: u8,
        /// The type that is there.
        found: Option<u8>,
    },
    /// A value that must have a certain length has another one.
    #[error("a value of type {kind} has {length} bytes")]
    Length {
        /// The type.
        kind: u8,
        /// The length.
        length: usize,
    },
    /// A value comes again that each frame has once.
    #[error("there are two values of type {kind}")]
    Again {
        /// The type.
        kind: u8,
    },
}

/// Returns the content of a frame, which follows the header of Ethernet.
pub fn read(frame: &[u8]) -> Result<Advertisement, Fault> {
    let mut values = Values { rest: frame };
    let (chassis_id_subtype, chassis_id) = id(values.take(CHASSIS_ID)?, CHASSIS_ID, &OF_CHASSIS)?;
    let (port_id_subtype, port_id) = id(values.take(PORT_ID)?, PORT_ID, &OF_PORTS)?;
    let ttl = match values.take(TTL)? {
        [high, low, ..] => u16::from_be_bytes([*high, *low]),
        value => return Err(Fault::Length { kind: TTL, length: value.len() }),
    };
    let mut neighbour = Neighbour { chassis_id, chassis_id_subtype, port_id, port_id_subtype, ..Neighbour::default() };
    while let Some((kind, value)) = values.next()? {
        match kind {
            END => break,
            CHASSIS_ID | PORT_ID | TTL => return Err(Fault::Again { kind }),
            PORT_DESCRIPTION => say(&mut neighbour.port_description, value),
            SYSTEM_NAME => say(&mut neighbour.system_name, value),
            SYSTEM_DESCRIPTION => say(&mut neighbour.system_description, value),
            CAPABILITIES => neighbour.capabilities = capabilities(value),
            MANAGEMENT_ADDRESS => neighbour.management_addresses.extend(management_address(value)),
            _ => {}
        }
    }
    neighbour.management_addresses.sort_unstable();
    neighbour.management_addresses.dedup();
    neighbour.management_addresses.truncate(MOST_ADDRESSES);
    Ok(Advertisement { neighbour, ttl })
}

/// The values of a frame that are still to be read.
struct Values<'a> {
    rest: &'a [u8],
}

impl<'a> Values<'a> {
    /// Returns the next type and value. A frame may end without saying so.
    fn next(&mut self) -> Result<Option<(u8, &'a [u8])>, Fault> {
        let [high, low, rest @ ..] = self.rest else { return Ok(None) };
        // Seven bits of type, and nine of length.
        let (kind, length) = (high >> 1, usize::from(high & 1) << 8 | usize::from(*low));
        let (value, rest) = rest.split_at_checked(length).ok_or(Fault::CutOff { kind })?;
        self.rest = rest;
        Ok(Some((kind, value)))
    }

    /// Returns the next value, which must have a certain type.
    fn take(&mut self, expected: u8) -> Result<&'a [u8], Fault> {
        match self.next()? {
            Some((kind, value)) if kind == expected => Ok(value),
            found => Err(Fault::Missing { expected, found: found.map(|(kind, _)| kind) }),
        }
    }
}

/// Returns the meaning of an id, and the id as a text.
fn id(value: &[u8], kind: u8, meanings: &[NeighbourIdSubtype]) -> Result<(Option<NeighbourIdSubtype>, String), Fault> {
    let [number, id @ ..] = value else { return Err(Fault::Length { kind, length: value.len() }) };
    if id.is_empty() {
        return Err(Fault::Length { kind, length: value.len() });
    }
    let meaning = usize::from(*number).checked_sub(1).and_then(|index| meanings.get(index)).copied();
    let text = match (meaning, id) {
        (Some(NeighbourIdSubtype::MacAddress), _) => hexadecimal(id),
        (Some(NeighbourIdSubtype::NetworkAddress), [family, address @ ..]) => {
            ip_address(*family, address).unwrap_or_else(|| hexadecimal(id))
        }
        _ => named(id),
    };
    Ok((meaning, text))
}

/// Returns an id as the text that it is, or its bytes if it is none.
fn named(id: &[u8]) -> String {
    // Some end with a zero.
    let id = id.strip_suffix(&[0]).unwrap_or(id);
    let is_text = std::str::from_utf8(id).is_ok_and(|text| !text.chars().any(char::is_control));
    let text = value::clean(id);
    if is_text && !text.is_empty() { text } else { hexadecimal(id) }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":")
}

fn ip_address(family: u8, address: &[u8]) -> Option<String> {
    match family {
        IPV4 => <[u8; 4]>::try_from(address).ok().map(|bytes| Ipv4Addr::from(bytes).to_string()),
        IPV6 => <[u8; 16]>::try_from(address).ok().map(|bytes| Ipv6Addr::from(bytes).to_string()),
        _ => None,
    }
}

/// Keeps a text, unless there is one already.
fn say(member: &mut Option<String>, value: &[u8]) {
    let text = Some(value::clean(value)).filter(|text| !text.is_empty());
    *member = member.take().or(text);
}

/// Returns the capabilities that are enabled. Those that the neighbour could have come before them.
fn capabilities(value: &[u8]) -> Vec<NeighbourCapability> {
    let [_, _, high, low, ..] = value else { return Vec::new() };
    let enabled = u16::from_be_bytes([*high, *low]);
    let named = OF_BITS.into_iter().enumerate();
    named.filter(|(bit, _)| enabled >> bit & 1 == 1).map(|(_, capability)| capability).collect()
}

/// Returns an address by which the neighbour is managed, if it is an IP address.
fn management_address(value: &[u8]) -> Option<String> {
    let [length, rest @ ..] = value else { return None };
    let [family, address @ ..] = rest.get(..usize::from(*length))? else { return None };
    ip_address(*family, address)
}

#[cfg(test)]
mod tests;
