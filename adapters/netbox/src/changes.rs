//! The change log of NetBox, which gives hints.
//!
//! The log is asked every few seconds for what came after the last change. A change can get its number before and be
//! committed after another one, so the changes of the last interval are read once more, and those that were seen are
//! passed over. A token without the right to read the log gives no hints.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::OnceCell;
use tokio::time::sleep;
use underlay_kit::sync::{AdapterError, Hint, HintSender};

use crate::client::{Client, Pages};
use crate::object::Object;
use crate::settings::Pace;
use crate::types::{self, Type, named};

/// The list of changes.
const PATH: &str = "core/object-changes";
/// The maximum number of pages of changes that are read at a time. A full scan is cheaper than more looks.
const MAX_PAGES: usize = 10;

/// The number of wrong answers one after the other after which there are no hints any more. A proxy can say for some
/// minutes that NetBox is being upgraded.
const MAX_WRONG_ANSWERS: usize = 60;

/// Types that others name, with no object of their own here. If one changes or is gone, any other object can differ.
const NAMED_BY_OTHERS: &[&str] = &[
    "circuits.circuittype",
    "circuits.provideraccount",
    "dcim.cablebundle",
    "dcim.devicerole",
    "dcim.devicetype",
    "dcim.manufacturer",
    "dcim.platform",
    "dcim.rackgroup",
    "dcim.rackrole",
    "dcim.racktype",
    "dcim.sitegroup",
    "dcim.virtualchassis",
    "extras.customfield",
    "extras.tag",
    "ipam.asn",
    "tenancy.tenant",
    "virtualization.clustergroup",
    "virtualization.clustertype",
];

/// Members of objects on which the items of other objects depend, or with which NetBox changes other objects without a
/// word in the log.
const SHARED: &[(Type, &[&str])] = &[
    (types::LOCATION, &["site"]),
    (types::POWER_PANEL, &["site"]),
    (types::RACK, &["desc_units", "location", "site", "starting_unit", "u_height"]),
    (types::VIRTUAL_MACHINE, &["cluster", "device"]),
];

/// The change log of a NetBox.
#[derive(Debug)]
pub struct Changes {
    client: Arc<Client>,
    pace: Pace,
    /// The position at which the first scan or the first look at the log began.
    begun: OnceCell<u64>,
}

/// Something that a change asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lookup {
    Hint(Hint),
    /// An interface has, or had, an address. The log does not say whether it is one of a device or of a machine.
    Interface(u64),
}

/// A position in the change log.
#[derive(Debug)]
struct Position {
    /// The changes after this one are read next.
    from: u64,
    /// The last change that was read.
    reached: u64,
    /// The changes after `from` that were read already.
    seen: BTreeSet<u64>,
}

impl Position {
    /// Returns the position after a change.
    const fn at(change: u64) -> Self {
        Self { from: change, reached: change, seen: BTreeSet::new() }
    }
}

impl Changes {
    /// Returns the change log of a NetBox.
    pub fn new(client: Arc<Client>, pace: Pace) -> Self {
        Self { client, pace, begun: OnceCell::new() }
    }

    /// Returns the position at which the log begins to matter: the one of the first call.
    ///
    /// # Errors
    /// Returns an error if the log cannot be read.
    pub async fn begin(&self) -> Result<u64, AdapterError> {
        let position = self.last().await?;
        self.begun.get_or_init(|| async { position }).await;
        Ok(position)
    }

    /// Gives hints until the receiver is gone.
    ///
    /// # Errors
    /// Returns an error if the token has no right to read the log, or if answers break the contract again and again.
    pub async fn follow(&self, hints: &HintSender) -> Result<(), AdapterError> {
        let begun = loop {
            match self.begin().await {
                Err(error) if error.is_passing() => sleep(self.pace.hints).await,
                other => break other.map(|position| self.begun.get().copied().unwrap_or(position))?,
            }
        };
        let (mut position, mut wrong) = (Position::at(begun), 0);
        loop {
            sleep(self.pace.hints).await;
            match self.news(&position, hints).await {
                Ok(next) => (position, wrong) = (next, 0),
                Err(error) if error.is_passing() => {}
                Err(AdapterError::WrongAnswer { .. }) if wrong < MAX_WRONG_ANSWERS => wrong += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends hints for the changes after a position. Returns the next position.
    async fn news(&self, position: &Position, hints: &HintSender) -> Result<Position, AdapterError> {
        let last = self.last().await?;
        if last < position.reached {
            // NetBox was restored from a backup, so its log is another one.
            hints.send(Hint::Everything).await?;
            return Ok(Position::at(last));
        }
        let mut next = Position::at(position.reached);
        if last == position.from {
            return Ok(next);
        }
        let mut pages = Pages::after(&self.client, PATH, &[], position.from);
        for _ in 0..MAX_PAGES {
            let Some(page) = pages.next().await? else { return Ok(next) };
            for change in page.objects() {
                let change = change?;
                let id = change.id()?;
                if id > next.from {
                    next.seen.insert(id);
                    next.reached = next.reached.max(id);
                }
                if !position.seen.contains(&id) {
                    self.send(&change, hints).await?;
                }
            }
        }
        hints.send(Hint::Everything).await?;
        Ok(Position::at(last))
    }

    async fn send(&self, change: &Object, hints: &HintSender) -> Result<(), AdapterError> {
        for lookups in lookups(change)? {
            match lookups {
                Lookup::Hint(hint) => hints.send(hint).await?,
                Lookup::Interface(id) => {
                    for of in [types::INTERFACE, types::VM_INTERFACE] {
                        if self.client.object(of.path, id).await?.is_some() {
                            hints.send(Hint::Changed(of.external(id))).await?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the number of the last change, 0 if there is none.
    async fn last(&self) -> Result<u64, AdapterError> {
        let call = self.client.call(&format!("{PATH}/"), &[("ordering", "-id"), ("limit", "1")]);
        let body = self.client.get(&call).await?;
        let answer = Object::read(&body, &call.text, String::new())?;
        answer.list("results")?.first().map_or(Ok(0), |change| change.id())
    }
}

/// Returns what a change asks for.
fn lookups(change: &Object) -> Result<Vec<Lookup>, AdapterError> {
    let name = change.required_text("changed_object_type")?;
    let id = change.whole_number("changed_object_id")?.and_then(|id| u64::try_from(id).ok());
    let id = id.ok_or_else(|| change.wrong("changed_object_id", "an id", &Value::Null))?;
    let is_new = change.choice("action")? == Some("create");
    let sides = ["prechange_data", "postchange_data"];
    // The data of a change holds the ids of what an object refers to.
    let ids = |member: &str| -> BTreeSet<u64> {
        sides.iter().filter_map(|side| change.value(side)?.get(member)?.as_u64()).collect()
    };
    let changed = |of: Type, id: u64| Lookup::Hint(Hint::Changed(of.external(id)));
    if let Some(of) = named(name) {
        let shared = SHARED.iter().find(|(it, _)| *it == of).map(|(_, members)| *members).unwrap_or_default();
        let before = |member: &&str| change.value(sides[0]).and_then(|data| data.get(*member));
        let after = |member: &&str| change.value(sides[1]).and_then(|data| data.get(*member));
        let is_shared = !is_new && shared.iter().any(|member| before(member) != after(member));
        let everything = is_shared.then_some(Lookup::Hint(Hint::Everything));
        return Ok(std::iter::once(changed(of, id)).chain(everything).collect());
    }
    Ok(match name {
        "ipam.ipaddress" | "dcim.macaddress" => ids("assigned_object_id").into_iter().map(Lookup::Interface).collect(),
        "dcim.devicebay" => ids("installed_device").into_iter().map(|id| changed(types::DEVICE, id)).collect(),
        "dcim.cabletermination" => ids("cable").into_iter().map(|id| changed(types::CABLE, id)).collect(),
        "dcim.portmapping" => ids("front_port").into_iter().map(|id| changed(types::FRONT_PORT, id)).collect(),
        name if NAMED_BY_OTHERS.contains(&name) && !is_new => vec![Lookup::Hint(Hint::Everything)],
        _ => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use underlay_kit::sync::ExternalId;

    use super::*;

    fn of(kind: &str, action: &str, before: &str, after: &str) -> Vec<Lookup> {
        let text = format!(
            r#"{{"id": 1, "action": {{"value": "{action}", "label": "x"}}, "changed_object_type": "{kind}",
                "changed_object_id": 7, "prechange_data": {before}, "postchange_data": {after}}}"#
        );
        let change = Object::read(&text, &Arc::from("GET /"), String::new()).expect("a change");
        lookups(&change).expect("a change")
    }

    #[test]
    fn a_change_asks_for_what_depends_on_it() {
        let changed = |kind, id: &str| Lookup::Hint(Hint::Changed(ExternalId::new(kind, id)));
        let everything = Lookup::Hint(Hint::Everything);
        for (kind, action, before, after, expected) in [
            ("dcim.device", "update", "{}", "{}", vec![changed("device", "dcim.device:7")]),
            ("dcim.cable", "delete", "{}", "null", vec![changed("cable", "dcim.cable:7")]),
            ("ipam.vlan", "update", "{}", "{}", vec![]),
            ("dcim.devicetype", "update", "{}", "{}", vec![everything.clone()]),
            ("extras.tag", "create", "null", "{}", vec![]),
            (
                "ipam.ipaddress",
                "update",
                r#"{"assigned_object_id": 3}"#,
                r#"{"assigned_object_id": 4}"#,
                vec![Lookup::Interface(3), Lookup::Interface(4)],
            ),
            (
                "dcim.devicebay",
                "update",
                r#"{"installed_device": 3}"#,
                r#"{"installed_device": null}"#,
                vec![changed("device", "dcim.device:3")],
            ),
            (
                "dcim.rack",
                "update",
                r#"{"starting_unit": 1}"#,
                r#"{"starting_unit": 2}"#,
                vec![changed("rack", "dcim.rack:7"), everything.clone()],
            ),
            (
                "dcim.rack",
                "update",
                r#"{"site": 1, "location": null}"#,
                r#"{"site": 2, "location": null}"#,
                vec![changed("rack", "dcim.rack:7"), everything],
            ),
            ("dcim.rack", "update", r#"{"name": "a"}"#, r#"{"name": "b"}"#, vec![changed("rack", "dcim.rack:7")]),
        ] {
            assert_eq!(of(kind, action, before, after), expected, "{kind} {action}");
        }
    }
}
