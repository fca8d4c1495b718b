//! Clusters, virtual machines and their interfaces.

use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use super::{devices, ports};
use crate::context::Context;
use crate::draft::Draft;
use crate::object::Object;
use crate::types::{CLUSTER, DEVICE, VIRTUAL_MACHINE, VM_INTERFACE};
use crate::words::List;

/// The number of bytes in a megabyte of memory, as NetBox counts by default.
const MEGABYTE: i64 = 1_000_000;

/// Maps a cluster. Its site or other scope is put aside, because it can change, and the site of a control plane cannot.
pub fn cluster(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, CLUSTER, object)?;
    draft.set("name", object.required_text("name")?);
    let kind = object.part("type")?.map(|kind| kind.required_text("slug")).transpose()?;
    draft.label("type", kind);
    draft.word(cx, "type", List::ClusterType, kind);
    draft.label("group", object.part("group")?.map(|group| group.required_text("slug")).transpose()?);
    draft.attribute("status", object.choice("status")?);
    draft.tenant(cx, object)?;
    draft.keep(object, &["scope_type", "scope", "site"]);
    Ok(draft)
}

/// Returns true if a virtual machine has a home: a host or a cluster.
///
/// # Errors
/// Returns an error if the machine breaks the contract of the API.
pub fn has_home(object: &Object) -> Result<bool, AdapterError> {
    Ok(object.reference("device")?.is_some() || object.reference("cluster")?.is_some())
}

/// Maps a virtual machine.
pub fn machine(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, VIRTUAL_MACHINE, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("host", object.reference("device")?.map(|id| (DEVICE, id)));
    draft.refer("cluster", object.reference("cluster")?.map(|id| (CLUSTER, id)));
    if !has_home(object)? {
        draft.impossible("the virtual machine has only a site, and needs a cluster or a device that hosts it");
    }
    let vcpus = vcpus(object, &mut draft)?;
    let memory = object.whole_number("memory")?.map(|memory| memory.saturating_mul(MEGABYTE));
    let memory = memory.filter(|bytes| *bytes >= 1);
    draft.set(
        "allocation",
        match (vcpus, memory) {
            (None, None) => Value::Null,
            _ => json!({ "vcpus": vcpus, "memoryBytes": memory, "disks": [] }),
        },
    );
    draft.set("addresses", devices::addresses(object)?);
    draft.word(cx, "status", List::VirtualMachineStatus, object.choice("status")?);
    draft.tenant(cx, object)?;
    draft.label("role", object.part("role")?.map(|role| role.required_text("slug")).transpose()?);
    draft.label("platform", object.part("platform")?.map(|platform| platform.required_text("slug")).transpose()?);
    draft.keep(object, &["disk", "local_context_data", "serial", "site", "start_on_boot", "virtual_machine_type"]);
    Ok(draft)
}

/// Returns the number of virtual processors, which NetBox also has in parts.
fn vcpus(object: &Object, draft: &mut Draft) -> Result<Option<i64>, AdapterError> {
    let Some(number) = object.number("vcpus")? else { return Ok(None) };
    if number.fract() == 0.0 && (1.0..=f64::from(i32::MAX)).contains(&number) {
        // It is whole and within the bounds.
        return Ok(Some(number as i64));
    }
    draft.attribute("vcpus", number);
    draft.fault("vcpus", &format!("is {number}, and must be a whole number of at least 1, so there is none"));
    Ok(None)
}

/// Maps an interface of a virtual machine to a port.
pub fn interface(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, VM_INTERFACE, object)?;
    draft.set("name", object.required_text("name")?);
    let machine = object.required_reference("virtual_machine")?;
    draft.refer("virtualMachine", Some((VIRTUAL_MACHINE, machine)));
    if cx.homeless.contains(&machine) {
        draft.impossible("the virtual machine of the interface cannot be written");
    }
    draft.set("type", "VIRTUAL");
    draft.set("enabled", object.flag("enabled")?.unwrap_or(true));
    draft.refer("parent", object.reference("parent")?.map(|id| (VM_INTERFACE, id)));
    ports::common(cx, VM_INTERFACE, object, &mut draft)?;
    Ok(draft)
}
