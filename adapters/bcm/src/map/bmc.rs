//! The BMC of a node: its address, and the credential by which it is opened.
//!
//! BCM has the address of a BMC and the name of the interface, which says what the BMC speaks. It does not have the
//! path of the system within a Redfish service, so the address is that of the service.

use std::net::IpAddr;

use super::Context;
use super::draft::Draft;
use crate::object::{Fault, Part};
use underlay_kit::shown;
use underlay_kit::sync::Secret;

/// The kind that a user of a BMC becomes.
pub const CREDENTIAL: &str = "credential";
/// The type of the interfaces that are BMCs.
const INTERFACE: &str = "NetworkBmcInterface";
/// The beginnings of the names of these interfaces, each with the scheme of the address. Of several interfaces of a
/// node, the first one in this order counts.
const SCHEMES: [(&str, &str); 4] =
    [("rf", "redfish-virtualmedia"), ("drac", "idrac-virtualmedia"), ("ilo", "ilo5-virtualmedia"), ("ipmi", "ipmi")];

/// The BMC of a node. What is wrong with one part leaves the other one alone.
#[derive(Debug)]
pub struct Bmc<'a> {
    /// The address, `None` if the node has no BMC.
    pub url: Result<Option<String>, Fault>,
    /// The user name, `None` if BCM has none.
    pub user: Result<Option<&'a str>, Fault>,
    /// The password, `None` if BCM has none.
    pub password: Result<Option<&'a str>, Fault>,
}

/// Reads the BMC of a node.
pub fn read<'a>(part: &Part<'a>) -> Bmc<'a> {
    Bmc { url: url(part), user: setting(part, "userName"), password: setting(part, "password") }
}

fn setting<'a>(part: &Part<'a>, name: &str) -> Result<Option<&'a str>, Fault> {
    match part.object("bmcSettings")? {
        Some(settings) => settings.text(name),
        None => Ok(None),
    }
}

fn url(part: &Part<'_>) -> Result<Option<String>, Fault> {
    let mut found: Option<(usize, IpAddr)> = None;
    let mut unknown = None;
    for interface in part.objects("interfaces")? {
        if interface.text("childType")? != Some(INTERFACE) {
            continue;
        }
        let name = interface.text("name")?.unwrap_or_default();
        let Some(index) = SCHEMES.iter().position(|(prefix, _)| is_numbered(name, prefix)) else {
            unknown.get_or_insert_with(|| {
                format!("{} must be rf, drac, ilo or ipmi with a number, not {}", interface.at("name"), shown(name))
            });
            continue;
        };
        if let Some(address) = interface.address("ip")?
            && found.is_none_or(|(other, _)| index < other)
        {
            found = Some((index, address));
        }
    }
    match (found, unknown) {
        (Some((index, address)), _) => Ok(Some(written(SCHEMES[index].1, address))),
        (None, Some(unknown)) => Err(unknown),
        (None, None) => Ok(None),
    }
}

fn is_numbered(name: &str, prefix: &str) -> bool {
    let number = name.strip_prefix(prefix).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())
}

fn written(scheme: &str, address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => format!("{scheme}://{address}"),
        IpAddr::V6(address) => format!("{scheme}://[{address}]"),
    }
}

/// Returns the credential of the BMC of a node. It has no list of allowed hosts: a credential that a source wrote is
/// for the objects of that source alone, and with a list no item could be written when the address of a BMC changes,
/// because neither the host nor the credential can be first.
pub fn credential(cx: &Context, uuid: &str, hostname: &str, user: &str) -> Draft {
    let mut draft = Draft::new(CREDENTIAL, uuid);
    draft.set("name", format!("bmc-{hostname}"));
    draft.set("type", "BASIC");
    draft.set("username", user);
    draft.set("externalRefs", cx.external_ref(uuid, None));
    draft
}

/// Returns the password of the BMC of a node, as a secret of its credential.
pub fn secret(uuid: &str, password: &str) -> Secret {
    Secret { credential: uuid.to_owned(), field: "password", value: password.to_owned() }
}
