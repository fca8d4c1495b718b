//! Finds systems at a BMC: by the path of the address, else by UUID or serial number, else by MAC address, else the only one.

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use reqwest::Url;
use underlay_address::hex;
use underlay_hosts::machine::{Same, Target};
use underlay_kit::printable;

use crate::bmc::Bmc;
use crate::failure::RedfishError;
use crate::resource::{Resource, member, text};
use crate::system::compare;
use crate::system_address::SystemAddress;

/// The maximum number of members of a collection.
const MAX_MEMBERS: usize = 1_000;
/// The maximum number of pages of a collection.
const MAX_PAGES: usize = 100;
/// The number of calls to a BMC at once. Most BMCs are slow.
const AT_ONCE: usize = 8;

/// Reads the systems that an address names: one, or all of the BMC.
///
/// # Errors
/// Returns an error if they cannot be read, or there are none.
pub async fn all(bmc: &Bmc, address: &SystemAddress) -> Result<Vec<Resource>, RedfishError> {
    let first = match &address.system {
        Some(url) => bmc.read(url.clone()).await?,
        None => {
            let root = bmc.root().await?;
            let url = root.link("Systems")?.ok_or_else(|| RedfishError::NoSystem {
                call: root.call.to_string(),
                reason: "the BMC has no list of systems; it can be one of a chassis or a switch: check bmcUrl"
                    .to_owned(),
            })?;
            bmc.read(url).await?
        }
    };
    if first.list()?.is_none() {
        return Ok(vec![first]);
    }
    let call = first.call.to_string();
    let urls = members(bmc, first).await?;
    if urls.is_empty() {
        let reason = "the BMC lists no system: look at its web page, and restart the BMC if it shows none".to_owned();
        return Err(RedfishError::NoSystem { call, reason });
    }
    stream::iter(urls).map(|url| bmc.read(url)).buffered(AT_ONCE).try_collect().await
}

/// Finds the system of a target.
///
/// # Errors
/// Returns an error if there is none, if several could be it, or if it is another machine.
pub async fn find(bmc: &Bmc, address: &SystemAddress, target: &Target) -> Result<Resource, RedfishError> {
    let systems = all(bmc, address).await?;
    let uid = target.uid.as_deref().map(str::trim).filter(|uid| !uid.is_empty());
    match choose(&systems, uid) {
        Choice::One(at) => systems.into_iter().nth(at).ok_or_else(|| none(address, target, &[])),
        Choice::Other(call, found) => {
            Err(RedfishError::WrongMachine { call, found, expected: uid.unwrap_or_default().to_owned() })
        }
        // All of them are other machines, so not even a MAC address makes one of them this one.
        Choice::Open(open) if open.is_empty() => Err(others(address, target, &systems)),
        Choice::Open(open) => {
            let Some(mac) = target.boot_mac.as_deref() else { return Err(none(address, target, &systems)) };
            for at in open {
                if let Some(system) = systems.get(at)
                    && macs(bmc, system).await?.contains(&hex(mac))
                {
                    return Ok(system.clone());
                }
            }
            Err(none(address, target, &systems))
        }
    }
}

/// The choice of a system among those of a BMC.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    /// The system at this index.
    One(usize),
    /// Any of the systems at these indices could be it.
    Open(Vec<usize>),
    /// The only one is certainly another machine: the call that read it, and what identifies it.
    Other(String, String),
}

fn choose(systems: &[Resource], uid: Option<&str>) -> Choice {
    let same = |system: &Resource| uid.map_or(Same::Unknown, |uid| compare(system, uid));
    let sames: Vec<Same> = systems.iter().map(same).collect();
    let of = |wanted: &Same| -> Vec<usize> {
        sames.iter().enumerate().filter(|(_, same)| *same == wanted).map(|(at, _)| at).collect()
    };
    let (yes, open) = (of(&Same::Yes), of(&Same::Unknown));
    match (yes.as_slice(), open.as_slice(), systems, sames.as_slice()) {
        ([one], ..) => Choice::One(*one),
        ([], [one], [_], _) => Choice::One(*one),
        ([], [], [only], [Same::No(found)]) => Choice::Other(only.call.to_string(), found.clone()),
        ([], ..) => Choice::Open(open),
        _ => Choice::Open(yes),
    }
}

fn none(address: &SystemAddress, target: &Target, systems: &[Resource]) -> RedfishError {
    let by = match (&target.uid, &target.boot_mac) {
        (None, None) => "the host has neither uid nor bootMac",
        _ => "none of them has the uid or bootMac of the host",
    };
    let reason = format!("{}, and {by}: give the path of one in bmcUrl, or correct uid", listed(systems));
    RedfishError::NoSystem { call: format!("GET {}", address.root), reason }
}

/// Returns the failure of a host whose `uid` differs from what every system says of itself.
fn others(address: &SystemAddress, target: &Target, systems: &[Resource]) -> RedfishError {
    let uid = printable(target.uid.as_deref().unwrap_or_default());
    let reason = format!(
        "{}, and each has another UUID or serial number than the uid {uid} of the host: correct bmcUrl or uid",
        listed(systems)
    );
    RedfishError::NoSystem { call: format!("GET {}", address.root), reason }
}

fn listed(systems: &[Resource]) -> String {
    let names: Vec<&str> = systems.iter().take(8).map(|system| system.url.path()).collect();
    format!("the BMC has {} systems ({})", systems.len(), printable(&names.join(", ")))
}

/// Returns the URLs of the members of a collection, page by page.
async fn members(bmc: &Bmc, first: Resource) -> Result<Vec<Url>, RedfishError> {
    let (mut page, mut urls) = (first, Vec::new());
    for _ in 0..MAX_PAGES {
        urls.extend(page.list()?.unwrap_or_default());
        if urls.len() > MAX_MEMBERS {
            return Err(page.wrong("Members", &format!("at most {MAX_MEMBERS} members")));
        }
        let Some(next) = text(&page.members, "Members@odata.nextLink") else { return Ok(urls) };
        let next = page.resolve(next, "Members@odata.nextLink")?;
        page = bmc.read(next).await?;
    }
    Err(page.wrong("Members@odata.nextLink", &format!("at most {MAX_PAGES} pages")))
}

/// Returns the MAC addresses of a system, as digits. One whose interfaces cannot be read has none.
///
/// # Errors
/// Returns an error if the BMC does not answer.
pub async fn macs(bmc: &Bmc, system: &Resource) -> Result<Vec<String>, RedfishError> {
    let Some(url) = system.link("EthernetInterfaces")? else { return Ok(Vec::new()) };
    let read = async {
        let urls = members(bmc, bmc.read(url).await?).await?;
        stream::iter(urls).map(|url| bmc.read(url)).buffered(AT_ONCE).try_collect::<Vec<_>>().await
    };
    match read.await {
        Ok(interfaces) => Ok(interfaces.iter().flat_map(macs_of).collect()),
        // BMCs link to lists that they do not have.
        Err(RedfishError::Rejected { .. } | RedfishError::WrongAnswer { .. }) => Ok(Vec::new()),
        Err(failure) => Err(failure),
    }
}

fn macs_of(interface: &Resource) -> Vec<String> {
    let names = ["MACAddress", "PermanentMACAddress"];
    let found = names.into_iter().filter_map(|name| member(&interface.members, name)?.as_str());
    found.map(hex).filter(|digits| digits.len() == 12).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_system_is_chosen_by_its_names_or_because_it_is_the_only_one() {
        let (a, b) = ("38947555-7742-3448-3784-823347823834", "48947555-7742-3448-3784-823347823834");
        let other = |found: String| Choice::Other("GET".to_owned(), found);
        for (systems, uid, expected) in [
            (json!([{}]), None, Choice::One(0)),
            (json!([{}]), Some(a), Choice::One(0)),
            (json!([{"UUID": a}]), Some(a), Choice::One(0)),
            (json!([{"UUID": b}]), Some(a), other(format!("the UUID {b}"))),
            (json!([{"UUID": b}]), None, Choice::One(0)),
            (json!([{"SerialNumber": "S-X", "UUID": a}]), Some("S-Y"), other("the serial number S-X".to_owned())),
            (
                json!([{"SerialNumber": "Default string"}, {"SerialNumber": "S-X"}]),
                Some("Default string"),
                Choice::Open(vec![0, 1]),
            ),
            (json!([{"SerialNumber": "Default string"}]), Some("S-Y"), Choice::One(0)),
            (json!([{"UUID": a}]), Some("S-Y"), Choice::One(0)),
            (json!([{"SerialNumber": "S-X"}, {"SerialNumber": "S-Z"}]), Some("S-Y"), Choice::Open(vec![])),
            (json!([{"SerialNumber": "S-X"}, {}]), Some("S-Y"), Choice::Open(vec![1])),
            (json!([{"UUID": a}, {"UUID": b}]), Some(b), Choice::One(1)),
            (json!([{"UUID": a}, {"UUID": b}]), None, Choice::Open(vec![0, 1])),
            (json!([{"UUID": b}, {}, {}]), Some(a), Choice::Open(vec![1, 2])),
            (json!([{"UUID": b}, {}]), Some(a), Choice::Open(vec![1])),
            (json!([{"SerialNumber": "S-X"}, {"SKU": "S-Y"}]), Some("s-y"), Choice::One(1)),
            (json!([{"SerialNumber": "S-X"}, {"SerialNumber": "S-X"}]), Some("S-X"), Choice::Open(vec![0, 1])),
        ] {
            let list = systems.as_array().unwrap().iter().map(|value| {
                let Value::Object(members) = value.clone() else { unreachable!() };
                let url = Url::parse("https://10.0.0.7/redfish/v1/Systems/1").unwrap();
                Resource { call: "GET".into(), url, etag: None, members }
            });
            assert_eq!(choose(&list.collect::<Vec<_>>(), uid), expected, "{systems} {uid:?}");
        }
    }
}
