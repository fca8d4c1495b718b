//! The change of a circuit termination that follows from another one: the name is always the side.

use std::sync::Arc;

use underlay_entity::circuit_termination::Model;
use underlay_entity::row::Row;

use crate::grammar::enum_name;
use underlay_inventory::{Refusal, Rewrite, cast};

/// Gives a termination the name of its new side, unless the write gives a name.
pub fn name_of_side(write: &Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal> {
    let (before, after) = (write.before.map(cast::<Model>), cast::<Model>(write.after));
    let is_same = before.is_none_or(|before| before.side == after.side);
    Ok((!is_same && !(write.gives)("name")).then(|| {
        let next = Model { name: enum_name(after.side).to_owned(), ..after.clone() };
        Arc::new(next) as Arc<dyn Row>
    }))
}
