//! Maps the objects of BCM to items. Every function here is pure.
//!
//! A value that BCM leaves empty becomes null. A value that is wrong leaves its field as it is, and is reported with
//! the id of the object and the name of the field in BCM.

mod bmc;
mod category;
mod draft;
mod node;
mod rack;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::{Value, json};
use underlay_kit::sync::{BadThing, Item, Secret};

pub use category::category;
pub use node::{LITE_NODE, node, type_of};
pub use rack::rack;

/// The settings and ids that the mapping of an object needs besides the object.
#[derive(Clone, Debug)]
pub struct Context {
    /// The name of the source.
    pub source: String,
    /// The address of BCM, which ends with a slash.
    pub base: String,
    /// The name of the site.
    pub site: String,
    /// The ids of the categories.
    pub categories: BTreeSet<String>,
    /// The ids of the racks.
    pub racks: BTreeSet<String>,
}

/// An object of BCM after mapping.
#[derive(Debug, Default)]
pub struct Mapped {
    /// The items, in the order of their references.
    pub items: Vec<Item>,
    /// The password of the BMC, if BCM has one.
    pub secret: Option<Secret>,
    /// The values that the items cannot hold, or the reasons why there is none.
    pub bad: Vec<BadThing>,
    /// The number of values that are not kept, by the reason.
    pub left_out: Vec<(&'static str, u64)>,
}

impl Context {
    /// Returns the reference to an object of BCM, with the page of the object in the web interface if it has one.
    fn external_ref(&self, uuid: &str, page: Option<&str>) -> Value {
        let url = page.map(|page| format!("{}base-view/{page}/{uuid}", self.base));
        json!([{ "source": self.source, "externalId": uuid, "url": url }])
    }
}

/// Returns a reference to an object of this source.
fn reference(uuid: &str) -> Value {
    json!({ "externalId": uuid })
}
