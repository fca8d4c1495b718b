//! The changes of an appliance that follow from others: the credential goes with the address, and a lost object leaves
//! no reference.

use std::sync::Arc;

use underlay_entity::appliance::Model;
use underlay_entity::row::Row;
use uuid::Uuid;

use crate::credential::User;
use underlay_inventory::{Loss, Refusal, Rewrite, cast};

/// Clears the credential when a write changes the address and its writer must not keep it. Otherwise whoever may change the
/// address could have the secrets sent to a host of their own.
pub fn on_write(write: &Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal> {
    let Some(before) = write.before.map(cast::<Model>) else { return Ok(None) };
    let after = cast::<Model>(write.after);
    let loses = after.credential_id.is_some() && User::from(after).loses_credential(&before.into(), write);
    Ok(loses.then(|| Arc::new(Model { credential_id: None, ..after.clone() }) as Arc<dyn Row>))
}

/// Keeps an appliance without the objects that are deleted.
pub fn on_loss(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss {
    let mut appliance = cast::<Model>(row).clone();
    for id in [&mut appliance.credential_id, &mut appliance.site_id, &mut appliance.rack_id] {
        *id = id.filter(|id| !lost(*id));
    }
    Loss::SetNull(Arc::new(appliance))
}
