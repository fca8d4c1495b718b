//! The validation rules of hosts.

use super::node::Host;
use crate::kinds::address::refuse_reserved;
use underlay_inventory::{Checked, Problems};

/// Checks that the address of a BMC that was written has no reserved host.
pub fn bmc_url(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, host) in checked.written::<Host>() {
        let before = before.and_then(|before| before.bmc_url.as_deref());
        refuse_reserved(checked, (host.id, "bmcUrl"), (before, host.bmc_url.as_deref()), problems);
    }
}
