//! Checks of the values of racks.

use serde_json::Value as Json;

use crate::common::{member, within};
use underlay_inventory::{Unfit, shorten};

/// The longest distance on a plan, in metres.
const MAX_DISTANCE_METRES: f64 = 10_000.0;

/// Checks that a position is within its bounds.
pub fn position(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "x", |it| within(it, -MAX_DISTANCE_METRES, MAX_DISTANCE_METRES))?;
    let value = member(value, "y", |it| within(it, -MAX_DISTANCE_METRES, MAX_DISTANCE_METRES))?;
    member(value, "turn", turn)
}

fn turn(value: Json) -> Result<Json, Unfit> {
    match value.as_f64().is_some_and(|degrees| (0.0..360.0).contains(&degrees)) {
        true => Ok(value),
        false => Err(Unfit::new("", format!("must be from 0 to less than 360, not {}", shorten(&value)))),
    }
}
