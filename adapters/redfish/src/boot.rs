//! The override that makes a system boot from a device once.

use serde_json::{Map, Value, json};
use underlay_address::Scheme;
use underlay_hosts::host::BootMode;
use underlay_hosts::machine::BootDevice;

use crate::resource::{member, object, text, texts};

/// The reason why a system cannot boot from a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBoot {
    /// The address asks for virtual media, and there is no image to insert.
    NoImage,
    /// The system offers no boot from the network.
    NotOffered,
}

/// The boot that is wanted of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Wish<'a> {
    /// The scheme of the address, which says how to boot from the network.
    pub scheme: Scheme,
    pub device: BootDevice,
    /// The firmware, if it is known.
    pub mode: Option<BootMode>,
    /// The URL that the firmware fetches in a boot over HTTP. Without it, or where the BMC does not take it, DHCP says what
    /// to fetch.
    pub uri: Option<&'a str>,
}

/// Returns the body of the call that sets the device of the next boot.
///
/// # Errors
/// Returns the reason why the system cannot boot from the device.
pub fn change(system: &Map<String, Value>, wish: Wish<'_>) -> Result<Value, NoBoot> {
    let none = Map::new();
    let boot = object(system, "Boot").unwrap_or(&none);
    let allowed = texts(boot, "BootSourceOverrideTarget@Redfish.AllowableValues").filter(|it| !it.is_empty());
    // The target is sent as the BMC writes it. PXE and disks are known to every BMC, also to one that lists nothing.
    let offered = |target: &str| match &allowed {
        Some(allowed) => allowed.iter().find(|it| it.eq_ignore_ascii_case(target)).cloned(),
        None => (target != "UefiHttp").then(|| target.to_owned()),
    };
    let http =
        offered("UefiHttp").filter(|_| wish.scheme == Scheme::RedfishUefiHttp && wish.mode != Some(BootMode::Bios));
    let target = match (wish.device, wish.scheme) {
        (BootDevice::Local, _) => match offered("Hdd") {
            Some(target) => target,
            None => return Ok(json!({"Boot": {"BootSourceOverrideEnabled": "Disabled"}})),
        },
        (BootDevice::Network, Scheme::RedfishVirtualMedia) => return Err(NoBoot::NoImage),
        (BootDevice::Network, _) => http.clone().or_else(|| offered("Pxe")).ok_or(NoBoot::NotOffered)?,
    };
    let mut change = json!({"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": target});
    if let (Some(uri), true) = (wish.uri, http == Some(target) && has(boot, "HttpBootUri")) {
        change["HttpBootUri"] = uri.into();
    }
    if let Some(mode) = other_mode(boot, wish.mode) {
        change["BootSourceOverrideMode"] = mode.into();
    }
    Ok(json!({ "Boot": change }))
}

/// Returns the mode of the override, if the system has one and it is not that of the host. Some BMCs refuse a change to
/// the mode that there is.
fn other_mode(boot: &Map<String, Value>, mode: Option<BootMode>) -> Option<&'static str> {
    let now = text(boot, "BootSourceOverrideMode")?;
    let wanted = match mode? {
        BootMode::Uefi | BootMode::UefiSecure => "UEFI",
        BootMode::Bios => "Legacy",
    };
    (!now.eq_ignore_ascii_case(wanted)).then_some(wanted)
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
            let wish = Wish { scheme, device, mode: None, uri };
            assert_eq!(change(members, wish), expected, "{boot} {wish:?}");
        }
    }

    #[test]
    fn the_mode_of_the_host_is_set_where_it_is_another_one() {
        let http = Scheme::RedfishUefiHttp;
        let targets = json!(["Pxe", "UefiHttp"]);
        for (mode, now, target, expected) in [
            (None, json!("Legacy"), "UefiHttp", None),
            (Some(BootMode::Uefi), json!("UEFI"), "UefiHttp", None),
            (Some(BootMode::UefiSecure), json!("Legacy"), "UefiHttp", Some("UEFI")),
            (Some(BootMode::Bios), json!("UEFI"), "Pxe", Some("Legacy")),
            (Some(BootMode::Bios), json!("legacy"), "Pxe", None),
            (Some(BootMode::Uefi), json!(null), "UefiHttp", None),
        ] {
            let boot =
                json!({"BootSourceOverrideTarget@Redfish.AllowableValues": targets, "BootSourceOverrideMode": now});
            let system = json!({ "Boot": boot });
            let Value::Object(members) = &system else { unreachable!() };
            let wish = Wish { scheme: http, device: BootDevice::Network, mode, uri: None };
            let made = change(members, wish).unwrap();
            assert_eq!(made["Boot"]["BootSourceOverrideTarget"], target, "{mode:?} {now}");
            assert_eq!(made["Boot"].get("BootSourceOverrideMode").and_then(Value::as_str), expected, "{mode:?} {now}");
        }
    }
}
