//! The validation rules of appliances.

use underlay_address::{Address, Scheme};
use underlay_entity::appliance::{ApplianceType, Model};

use super::kind::Appliance;
use crate::address::refuse_reserved;
use crate::grammar::enum_name;
use crate::rack::Rack;
use underlay_inventory::{Checked, Problems};

/// Checks that an appliance has an address with a scheme of its type and without a reserved host.
pub fn url(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, appliance) in checked.written::<Appliance>() {
        let url = appliance.url.as_deref();
        let Some(address) = url.and_then(|url| Address::parse(url).ok()) else {
            if appliance.r#type != ApplianceType::Manual {
                let reason = format!("is required for the type {}", enum_name(appliance.r#type));
                problems.invalid(appliance.id, "url", reason);
            }
            continue;
        };
        match fits(appliance, address.scheme) {
            true => {
                let before = before.and_then(|before| before.url.as_deref());
                refuse_reserved(checked, (appliance.id, "url"), (before, url), problems);
            }
            false => {
                let (scheme, ty) = (address.scheme.name(), enum_name(appliance.r#type));
                problems.invalid(
                    appliance.id,
                    "url",
                    format!("has the scheme {scheme}, which does not fit the type {ty}"),
                );
            }
        }
    }
}

fn fits(appliance: &Model, scheme: Scheme) -> bool {
    match appliance.r#type {
        ApplianceType::Redfish => scheme.is_redfish(),
        ApplianceType::Libvirt => scheme == Scheme::Libvirt,
        ApplianceType::Ipmi => scheme == Scheme::Ipmi,
        ApplianceType::Simulated => scheme == Scheme::Simulated,
        ApplianceType::Exec => scheme == Scheme::Exec,
        ApplianceType::Manual => false,
    }
}

/// Checks that the rack of an appliance is at its site.
pub fn place(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, appliance) in checked.written::<Appliance>() {
        let rack = appliance.rack_id.and_then(|id| checked.after.get::<Rack>(id));
        if rack.is_some_and(|rack| appliance.site_id.is_some_and(|site| site != rack.site_id)) {
            problems.incompatible(appliance.id, "rack", "rack must be a rack of the site of the appliance");
        }
    }
}
