//! The names of ends in messages.

use underlay_entity::cable::CableEnd;

use crate::port::Port;
use underlay_inventory::Snapshot;

/// Returns the name of an end in messages: its path, and the type of a port.
pub(super) fn name(snapshot: &Snapshot, end: CableEnd) -> String {
    let path = snapshot.find(end.id()).map_or_else(|| end.id().to_string(), |object_ref| snapshot.path(object_ref));
    let port = match end {
        CableEnd::Port(port) => snapshot.get::<Port>(port),
        _ => None,
    };
    match port.and_then(|port| serde_json::to_value(port.r#type).ok()) {
        Some(kind) => format!("{path} ({})", kind.as_str().unwrap_or_default()),
        None => path,
    }
}
