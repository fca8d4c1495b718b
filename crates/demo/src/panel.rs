//! Patch panels: MPO trunks in the rear, broken out to LC pairs in the front.

use serde_json::{Value, json};

use super::catalogue::Model;
use super::item::{Items, Place};
use super::plan::RackPlan;
use super::refs::Owner;

/// How a panel is wired: so many rear ports, each with so many positions, and a front port for every position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wiring {
    pub(super) rears: usize,
    pub(super) positions: usize,
}

/// One MPO of four pairs to each network rack.
pub(super) const RACK: Wiring = Wiring { rears: 2, positions: 4 };
/// One MPO of four pairs from each rack of a row.
pub(super) const ROW: Wiring = Wiring { rears: 4, positions: 4 };
/// Two MPO of four pairs to each network rack.
pub(super) const FLEET_RACK: Wiring = Wiring { rears: 4, positions: 4 };
/// Two MPO of four pairs from each rack of a row.
pub(super) const FLEET_ROW: Wiring = Wiring { rears: 8, positions: 4 };
/// One MPO of twelve pairs to each meet-me room.
pub(super) const WAN: Wiring = Wiring { rears: 2, positions: 12 };
/// One MPO of twelve pairs.
pub(super) const SINGLE: Wiring = Wiring { rears: 1, positions: 12 };

/// Puts a panel in a rack. Fronts are numbered through: those of the first rear port, then those of the next.
pub(super) fn write(
    items: &mut Items,
    rack: &RackPlan,
    model: &Model,
    name: &str,
    place: Place,
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

/// A front port of a panel as the end of a cable.
pub(super) fn front(panel: &Owner, number: usize) -> Value {
    panel.end("PATCH_FRONT", &number.to_string())
}

/// A rear port of a panel as the end of a cable.
pub(super) fn rear(panel: &Owner, number: usize) -> Value {
    panel.end("PATCH_REAR", &format!("R{number}"))
}
