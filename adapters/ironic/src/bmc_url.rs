//! The address of the BMC of a node: the settings of Ironic's drivers as the inventory writes an address.

use serde_json::Value;
use underlay_kit::shown;

use crate::client::Node;

/// Returns the address of the BMC of a node, as `bmcUrl` of a host has it; `None` if the node has no BMC with an address.
///
/// # Errors
/// Returns the reason why the settings of the driver name no address.
pub fn bmc_url(node: &Node) -> Result<Option<String>, String> {
    if let Some(address) = text(node, "redfish_address") {
        return redfish(node, &address).map(Some);
    }
    let Some(host) = text(node, "ipmi_address") else { return Ok(None) };
    let host = bracketed(&host);
    match node.driver_info.get("ipmi_port") {
        None | Some(Value::Null) => Ok(Some(format!("ipmi://{host}"))),
        Some(port) => match port.as_u64().or_else(|| port.as_str()?.trim().parse().ok()) {
            Some(port) if (1..=65_535).contains(&port) => Ok(Some(format!("ipmi://{host}:{port}"))),
            _ => Err("driver_info.ipmi_port must be a number from 1 to 65535".to_owned()),
        },
    }
}

/// Returns the address of a BMC that speaks Redfish. Ironic takes https where the address has no scheme.
fn redfish(node: &Node, address: &str) -> Result<String, String> {
    // What is before an @ can be a password, so nothing of such an address is repeated.
    if address.contains('@') {
        return Err("driver_info.redfish_address must not hold a user name".to_owned());
    }
    let (transport, rest) = match address.split_once("://") {
        Some(("https", rest)) => ("", rest),
        Some(("http", rest)) => ("+http", rest),
        None => ("", address),
        Some(_) => return Err(format!("driver_info.redfish_address must be http or https, not {}", shown(address))),
    };
    let (host, base) = rest.split_once('/').unwrap_or((rest, ""));
    let host = bracketed(host);
    let path = match text(node, "redfish_system_id") {
        Some(system) if system.starts_with('/') => system,
        Some(system) => format!("/redfish/v1/Systems/{system}"),
        None if base.is_empty() => String::new(),
        None => format!("/{}", base.trim_end_matches('/')),
    };
    let maker = if node.driver.as_deref() == Some("idrac") { "idrac" } else { "redfish" };
    let scheme = match node.boot_interface.as_deref().unwrap_or_default() {
        boot if boot.ends_with("virtual-media") => format!("{maker}-virtualmedia"),
        "redfish-https" => format!("{maker}-uefihttp"),
        _ if maker == "idrac" => "idrac-redfish".to_owned(),
        _ => "redfish".to_owned(),
    };
    Ok(format!("{scheme}{transport}://{host}{path}"))
}

/// Returns a host as an address has it: Ironic takes IPv6 addresses without brackets.
fn bracketed(host: &str) -> String {
    let is_bare = host.parse::<std::net::Ipv6Addr>().is_ok();
    if is_bare { format!("[{host}]") } else { host.to_owned() }
}

/// Returns a text of the settings of the driver. Ironic also keeps numbers and other values there.
pub fn text(node: &Node, name: &str) -> Option<String> {
    let text = node.driver_info.get(name)?.as_str()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
