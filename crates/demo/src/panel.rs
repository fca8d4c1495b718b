//! Writes patch panels: MPO trunks at the rear, broken out to LC pairs at the front.

use serde_json::{Value, json};

use super::catalogue::Model;
use super::item::{Items, RackPosition};
use super::plan::RackPlan;
use super::refs::Owner;

/// The wiring of a panel: a number of rear ports with a number of positions each, and a front port for every position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wiring {
    pub(super) rears: usize,
    pub(super) positions: usize,
}

/// Wiring with one MPO of four pairs to each network rack.
pub(super) const RACK: Wiring = Wiring { rears: 2, positions: 4 };
/// Wiring with one MPO of four pairs from each rack of a row.
pub(super) const ROW: Wiring = Wiring { rears: 4, positions: 4 };
/// Wiring with two MPO of four pairs to each network rack.
pub(super) const FLEET_RACK: Wiring = Wiring { rears: 4, positions: 4 };
/// Wiring with two MPO of four pairs from each rack of a row.
pub(super) const FLEET_ROW: Wiring = Wiring { rears: 8, positions: 4 };
/// Wiring with one MPO of twelve pairs to each meet-me room.
pub(super) const WAN: Wiring = Wiring { rears: 2, positions: 12 };
/// Wiring with one MPO of twelve pairs.
pub(super) const SINGLE: Wiring = Wiring { rears: 1, positions: 12 };

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
