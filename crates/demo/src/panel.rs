//! Writes patch panels: MPO trunks at the rear, broken out to LC pairs at the front.

use serde_json::{Value, json};

use super::catalogue::Model;
use super::item::{Items, RackPosition};
use super::plan::RackPlan;
use super::refs::Owner;
use super::wiring::Wiring;

/// Adds a panel to a rack. Front ports are numbered throughout: first those of the first rear port, then those of the
/// next.
pub(super) fn write(
    items: &mut Items,
    rack: &RackPlan,
    model: &Model,
    name: &str,
    place: RackPosition,
    wiring: Wiring,
) -> Owner {
    let panel = items.device(rack, model, &rack.device_name(name), place, json!({}));
    let connector = if wiring.positions > 4 { "mpo-24" } else { "mpo-12" };
    for number in 1..=wiring.rears {
        let rear = json!({"connector": connector, "positions": wiring.positions});
        let rear = items.port(&panel, "PATCH_REAR", &format!("R{number}"), rear);
        for position in 1..=wiring.positions {
            let through = json!([{"position": 1, "rear": rear, "rearPosition": position}]);
            let name = ((number - 1) * wiring.positions + position).to_string();
            items.port(&panel, "PATCH_FRONT", &name, json!({"connector": "lc-duplex", "passThrough": through}));
        }
    }
    panel
}

/// Returns a front port of a panel as the end of a cable.
pub(super) fn front(panel: &Owner, number: usize) -> Value {
    panel.end("PATCH_FRONT", &number.to_string())
}

/// Returns a rear port of a panel as the end of a cable.
pub(super) fn rear(panel: &Owner, number: usize) -> Value {
    panel.end("PATCH_REAR", &format!("R{number}"))
}
