//! The hardware of a machine: processors, memory and disks.

use serde_json::{Value, json};
use underlay_hosts::host::{CpuArchitecture, Disk, DiskType};

use crate::client::{self, Fields, Inventory, Node};

/// Returns the instruction set, `None` if nobody knows it.
pub fn architecture(node: &Node, inventory: Option<&Inventory>) -> Option<CpuArchitecture> {
    let found = inventory.and_then(|inventory| inventory.architecture.clone());
    let property = || node.properties.get("cpu_arch").and_then(Value::as_str).map(str::to_owned);
    let name = found.or_else(property)?.trim().to_ascii_lowercase();
    Some(match name.as_str() {
        "" => return None,
        "x86_64" | "amd64" => CpuArchitecture::Amd64,
        "aarch64" | "arm64" => CpuArchitecture::Arm64,
        _ => CpuArchitecture::Other,
    })
}

/// Returns the hardware if all of it is known. A write replaces it whole, so what an inspection did not look for would be
/// lost otherwise.
pub fn hardware(node: &Node, inventory: Option<&Inventory>) -> Option<Value> {
    let inventory = inventory?;
    let properties = Fields::new("properties".to_owned(), &node.properties);
    let property = |name: &str| properties.count(name).ok().flatten();
    let cores =
        inventory.cpu_count.or_else(|| property("cpus")).filter(|count| (1..=i32::MAX as u64).contains(count))?;
    let memory = inventory.memory_bytes.or_else(|| property("memory_mb")?.checked_mul(1 << 20));
    let memory = memory.filter(|bytes| (1..=i64::MAX as u64).contains(bytes))?;
    let disks = disks(inventory)?;
    Some(json!({
        "cpuCores": cores,
        "cpuArchitecture": architecture(node, Some(inventory)),
        "memoryBytes": memory,
        "disks": disks,
    }))
}

/// Returns the disks that an inspection found; `None` if it did not look for them.
pub fn disks(inventory: &Inventory) -> Option<Vec<Disk>> {
    Some(inventory.disks.as_ref()?.iter().filter_map(disk).collect())
}

/// Returns a disk, `None` if it has no name or no size, as empty drives for virtual media have none.
fn disk(disk: &client::Disk) -> Option<Disk> {
    let name = disk.name.as_deref()?;
    let name = name.strip_prefix("/dev/").unwrap_or(name);
    let size_bytes = disk.size.filter(|size| (1..=i64::MAX as u64).contains(size))?;
    let r#type = match disk.rotational {
        _ if name.to_ascii_lowercase().contains("nvme") => DiskType::Nvme,
        Some(true) => DiskType::Hdd,
        _ => DiskType::Ssd,
    };
    Some(Disk { name: name.to_owned(), size_bytes, r#type })
}

/// Returns the disk that a system is installed on, as the hints of the node say: null without hints.
///
/// # Errors
/// Returns the reason why the hints cannot be expressed.
pub fn root_device(node: &Node) -> Result<Value, &'static str> {
    const OTHER: &str = "root device hints that the inventory cannot say";
    let hints = match node.properties.get("root_device") {
        None | Some(Value::Null) => return Ok(Value::Null),
        Some(Value::Object(hints)) if hints.is_empty() => return Ok(Value::Null),
        Some(Value::Object(hints)) => hints,
        Some(_) => return Err(OTHER),
    };
    let mut found = serde_json::Map::new();
    for (name, value) in hints {
        // A value can begin with an operator, such as `s== 0x5000` or `>= 100`.
        let plain = value.as_str().map(|text| text.strip_prefix("s== ").unwrap_or(text).trim());
        let (field, value) = match (name.as_str(), plain, value) {
            ("wwn" | "serial" | "name", Some(text), _) if !text.is_empty() && !text.contains(['<', '>', ' ']) => {
                (name.as_str(), Value::from(text))
            }
            ("rotational", _, Value::Bool(_)) => ("rotational", value.clone()),
            ("rotational", Some("true" | "True"), _) => ("rotational", true.into()),
            ("rotational", Some("false" | "False"), _) => ("rotational", false.into()),
            ("size", Some(text), _) => match text.strip_prefix(">=").and_then(|gib| gib.trim().parse::<u32>().ok()) {
                Some(gib) if gib > 0 => ("minSizeBytes", (u64::from(gib) << 30).into()),
                _ => return Err(OTHER),
            },
            _ => return Err(OTHER),
        };
        found.insert(field.to_owned(), value);
    }
    Ok(Value::Object(found))
}
