//! Checks of the fields that devices and virtual machines share: addresses, hardware and disks.

use serde_json::Value as Json;

use super::common::{at_least_one, entries, member, named_list};
use underlay_inventory::{Shape, Unfit, shorten_text};

/// A list of addresses, each with its type.
pub const ADDRESSES: Shape = Shape::Structure("a list of objects with type and address");
/// The hardware of a device: processor, memory and disks.
pub const HARDWARE: Shape = Shape::Structure("an object with cpuCores, cpuArchitecture, memoryBytes and disks");
/// The resources of a virtual machine: processors, memory and disks.
pub const ALLOCATION: Shape = Shape::Structure("an object with vcpus, memoryBytes and disks");

/// Checks addresses: each has 1 to 253 characters without spaces, and none appears twice.
pub fn addresses(value: Json) -> Result<Json, Unfit> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, entry) in list.iter().enumerate() {
        let address = entry.get("address").and_then(Json::as_str).unwrap_or_default();
        if address.is_empty() || address.chars().count() > 253 || address.contains(char::is_whitespace) {
            let reason = format!("must be 1 to 253 characters without spaces, not {:?}", shorten_text(address));
            return Err(Unfit::new(format!("[{at}].address"), reason));
        }
        if list[..at].contains(entry) {
            return Err(Unfit::new(format!("[{at}]"), format!("is {address}, which is in the list already")));
        }
    }
    Ok(value)
}

/// Checks hardware or an allocation: counts are at least 1, and the names of disks are unique.
pub fn machine(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "cpuCores", at_least_one)?;
    let value = member(value, "vcpus", at_least_one)?;
    let value = member(value, "memoryBytes", at_least_one)?;
    member(value, "disks", |disks| entries(named_list(disks)?, |disk| member(disk, "sizeBytes", at_least_one)))
}
