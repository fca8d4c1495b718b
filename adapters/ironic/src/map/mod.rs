//! Maps the objects of Ironic to items. Every function here is pure.
//!
//! A value that only an inspection can find is written when it is there, and left as it is when it is not: inspections over
//! Redfish or by fake hardware find less, and that does not mean that something is gone. Values that operators set at a
//! node become null when they are removed there.

mod bmc;
mod draft;
pub mod hardware;
mod host;
mod node;
mod port;
mod switch;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};
use underlay_kit::sync::{BadThing, Item, Secret};

use crate::client::{Inventory, Port};
use crate::place::Rule;

pub use self::node::{class, has_our_mark, is_ours, node, rack, unreadable};
pub use self::port::{link, port, portgroup};
pub use self::switch::Switches;

/// The kinds of the items.
pub const DEVICE: &str = "device";
pub const HOST: &str = "host";
pub const PORT: &str = "port";
pub const CREDENTIAL: &str = "credential";
const CABLE: &str = "cable";
const CLASS: &str = "hostClass";
const RACK: &str = "rack";

/// The details of a node that are not members of it.
#[derive(Clone, Copy, Debug)]
pub struct NodeDetails<'a> {
    /// The ports of the node, the oldest first.
    pub ports: &'a [Port],
    /// True if a port of the node may be missing, because it could not be read.
    pub ports_are_incomplete: bool,
    /// The inventory, if an inspection stored one.
    pub inventory: Option<&'a Inventory>,
}

/// The settings that the mapping needs besides the objects.
#[derive(Clone, Debug)]
pub struct Context {
    /// The name of the source.
    pub source: String,
    /// The address of Ironic, which ends with a slash.
    pub base: String,
    /// The name of the site.
    pub site: String,
    /// The rules for places.
    pub places: Vec<Rule>,
    /// The number of units of racks.
    pub rack_units: u32,
}

/// An object of Ironic after mapping.
#[derive(Debug, Default)]
pub struct Mapped {
    /// The items, in the order of their references.
    pub items: Vec<Item>,
    /// The password of the BMC, if Ironic shows it.
    pub secret: Option<Secret>,
    /// The values that the items cannot express, or the reasons why there is none.
    pub bad: Vec<BadThing>,
    /// The number of values that are not kept, by the reason.
    pub left_out: Vec<(&'static str, u64)>,
}

impl Context {
    /// Returns the reference to an object of Ironic, with its address in the API if it has one.
    fn external_ref(&self, id: &str, list: Option<&str>) -> Value {
        let url = list.map(|list| format!("{}v1/{list}/{id}", self.base));
        json!([{ "source": self.source, "externalId": id, "url": url }])
    }
}

/// Returns a reference to an object of this source.
fn reference(id: &str) -> Value {
    json!({ "externalId": id })
}

/// Returns a MAC address in its usual notation, `None` if the text is none.
fn mac(text: &str) -> Option<String> {
    let digits: String = text.trim().chars().filter(|letter| !matches!(letter, ':' | '-' | '.')).collect();
    let fits = digits.len() == 12 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let pair = |at: usize| digits[at..at + 2].to_ascii_lowercase();
    fits.then(|| (0..12).step_by(2).map(pair).collect::<Vec<_>>().join(":"))
}
