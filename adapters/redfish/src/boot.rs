//! The override that makes a system boot from a device once.

use serde_json::{Map, Value, json};
use underlay_address::Scheme;
use underlay_hosts::machine::BootDevice;

use crate::resource::{member, object, texts};

/// The reason why a system cannot boot from a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBoot {
    /// The address asks for virtual media, and there is no image to insert.
    NoImage,
    /// The system offers no boot from the network.
    NotOffered,
}

/// Returns the body of the call that sets the device of the next boot. `uri` is what the firmware fetches in a boot over
/// HTTP; without it, or where the BMC does not take it, DHCP says what to fetch.
///
/// # Errors
/// Returns the reason why the system cannot boot from the device.
pub fn change(
    system: &Map<String, Value>,
    scheme: Scheme,
    device: BootDevice,
    uri: Option<&str>,
) -> Result<Value, NoBoot> {
    let none = Map::new();
    let boot = object(system, "Boot").unwrap_or(&none);
    let allowed = texts(boot, "BootSourceOverrideTarget@Redfish.AllowableValues").filter(|it| !it.is_empty());
    // The target is sent as the BMC writes it. PXE and disks are known to every BMC, also to one that lists nothing.
    let offered = |target: &str| match &allowed {
        Some(allowed) => allowed.iter().find(|it| it.eq_ignore_ascii_case(target)).cloned(),
        None => (target != "UefiHttp").then(|| target.to_owned()),
    };
    let once = |target: String| json!({"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": target});
    let boot = match (device, scheme) {
        (BootDevice::Local, _) => match offered("Hdd") {
            Some(target) => once(target),
            None => json!({"BootSourceOverrideEnabled": "Disabled"}),
        },
        (BootDevice::Network, Scheme::RedfishVirtualMedia) => return Err(NoBoot::NoImage),
        (BootDevice::Network, Scheme::RedfishUefiHttp) => match (offered("UefiHttp"), uri) {
            (Some(target), Some(uri)) if has(boot, "HttpBootUri") => {
                let mut change = once(target);
                change["HttpBootUri"] = uri.into();
                change
            }
            (Some(target), _) => once(target),
            (None, _) => once(offered("Pxe").ok_or(NoBoot::NotOffered)?),
        },
        (BootDevice::Network, _) => once(offered("Pxe").ok_or(NoBoot::NotOffered)?),
    };
    Ok(json!({ "Boot": boot }))
}

/// Returns true if an object has a member, though it is null.
fn has(object: &Map<String, Value>, name: &str) -> bool {
    member(object, name).is_some() || object.keys().any(|found| found.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_boots_once_from_what_it_offers() {
        let targets = |list: &str| {
            let list: Vec<&str> = list.split_whitespace().collect();
            json!({"BootSourceOverrideTarget@Redfish.AllowableValues": list, "HttpBootUri": null})
        };
        let uri = Some("http://10.0.0.1/shim.efi");
        let (redfish, media, http) = (Scheme::Redfish, Scheme::RedfishVirtualMedia, Scheme::RedfishUefiHttp);
        let (net, disk) = (BootDevice::Network, BootDevice::Local);
        let once = |target: &str| json!({"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": target});
        let with_uri = {
            let mut change = once("UefiHttp");
            change["HttpBootUri"] = json!("http://10.0.0.1/shim.efi");
            change
        };
        let old = json!({"BootSourceOverrideTarget@Redfish.AllowableValues": ["UefiHttp"]});
        for (boot, scheme, device, uri, expected) in [
            (targets("Pxe Hdd UefiHttp"), redfish, net, uri, Ok(once("Pxe"))),
            (targets("PXE"), redfish, net, None, Ok(once("PXE"))),
            (targets("Pxe Hdd UefiHttp"), http, net, uri, Ok(with_uri)),
            (targets("Pxe Hdd UefiHttp"), http, net, None, Ok(once("UefiHttp"))),
            (old, http, net, uri, Ok(once("UefiHttp"))),
            (targets("Pxe Hdd"), http, net, uri, Ok(once("Pxe"))),
            (targets("Cd Hdd"), http, net, uri, Err(NoBoot::NotOffered)),
            (targets("Cd Hdd"), redfish, net, None, Err(NoBoot::NotOffered)),
            (targets("Pxe Cd"), media, net, uri, Err(NoBoot::NoImage)),
            (targets("Pxe Hdd"), media, disk, None, Ok(once("Hdd"))),
            (targets("Pxe"), redfish, disk, None, Ok(json!({"BootSourceOverrideEnabled": "Disabled"}))),
            (json!({}), http, net, uri, Ok(once("Pxe"))),
            (json!(null), redfish, net, None, Ok(once("Pxe"))),
        ] {
            let system = json!({ "Boot": boot });
            let Value::Object(members) = &system else { unreachable!() };
            let expected = expected.map(|boot| json!({ "Boot": boot }));
            assert_eq!(change(members, scheme, device, uri), expected, "{boot} {scheme:?} {device:?} {uri:?}");
        }
    }
}
