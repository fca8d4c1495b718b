//! Manifests that mend cables by what is heard.
//!
//! Guarantees: a cable is only made between two ports without one, and only moved at the end that differs, if it is a plain
//! cable between two ports. Everything else is a comment that says why it is left. A port gets at most one cable.

use std::collections::HashSet;

use serde_json::{Value, json};
use underlay_kit::line;

use super::answer::{Cable, Checked, DIFFERS, End, NOT_RECORDED, Port};
use crate::kinds::KnownKinds;
use crate::manifest::{Kinds as _, manifest, yaml};

/// The types of ports that nothing is plugged into.
const LOGICAL: [&str; 2] = ["LAG", "VIRTUAL"];

/// Returns manifests of what can be mended, and comments about the rest.
pub(super) fn manifests(listed: &[Checked]) -> String {
    let known = KnownKinds::new();
    let mut taken = HashSet::new();
    let (mut text, mut is_first) = (String::new(), true);
    for checked in listed.iter().filter(|it| it.is_mismatch()) {
        let about = line(&format!("{} {}", checked.host, checked.interface));
        match (mended(checked, &mut taken), known.kind("Cable")) {
            (Ok(item), Some(form)) => {
                let separator = if is_first { "" } else { "---\n" };
                text += &format!("{separator}# {about}\n{}", yaml(&manifest(&form, &item, &known)));
                is_first = false;
            }
            (Ok(_), None) => {}
            (Err(reason), _) => text += &format!("# {about} is left: {}\n", line(&reason)),
        }
    }
    text
}

/// Returns the item of a cable that makes an interface agree, or the reason why it is left.
fn mended(checked: &Checked, taken: &mut HashSet<String>) -> Result<Value, String> {
    let own = checked.port.as_ref().ok_or("the device has no such port")?;
    if ![DIFFERS, NOT_RECORDED].contains(&checked.verdict.as_str()) {
        return Err("the neighbour is not in the inventory".to_owned());
    }
    let heard = only_heard(checked)?;
    free(heard)?;
    let item = if checked.verdict == NOT_RECORDED {
        free(own)?;
        json!({ "aEnds": [end(own)], "bEnds": [end(heard)] })
    } else {
        let (cable, side) = direct(own, &checked.recorded)?;
        json!({ "name": cable.name, side: [end(heard)] })
    };
    // Two hosts that hear each other need one cable.
    if taken.contains(&own.id) || taken.contains(&heard.id) {
        return Err(format!("{} or {} is in a manifest above", own.shown(), heard.shown()));
    }
    taken.extend([own.id.clone(), heard.id.clone()]);
    Ok(item)
}

/// Returns the only port that is heard.
fn only_heard(checked: &Checked) -> Result<&Port, String> {
    let mut ports: Vec<&Port> = checked.heard.iter().filter_map(|heard| heard.port.as_ref()).collect();
    ports.dedup_by(|one, other| one.id == other.id);
    match ports.as_slice() {
        [only] => Ok(only),
        [] => Err("the neighbour leads to no single port".to_owned()),
        _ => Err("several ports of the inventory are heard".to_owned()),
    }
}

/// Checks that a new cable can end at a port.
fn free(port: &Port) -> Result<(), String> {
    let shown = port.shown();
    if let Some(cable) = &port.cable {
        return Err(format!("{shown} has the cable {}", cable.name));
    }
    let refused = [
        (LOGICAL.contains(&port.r#type.as_str()), "is a logical port"),
        (port.parent.is_some(), "is a part of another port"),
        (port.circuit_termination.is_some(), "has a circuit"),
        (port.mark_connected, "is connected outside the inventory"),
        (port.device.is_none(), "is of no device"),
    ];
    match refused.into_iter().find(|(is_refused, _)| *is_refused) {
        Some((_, reason)) => Err(format!("{shown} {reason}")),
        None => Ok(()),
    }
}

/// Returns the cable of a line that is nothing but this cable between two ports, and its side that is not at the port.
fn direct<'a>(own: &'a Port, recorded: &[Port]) -> Result<(&'a Cable, &'static str), String> {
    let ([far], Some(cable)) = (recorded, &own.cable) else {
        return Err(format!("the line of {} is no single cable", own.shown()));
    };
    let is = |ends: &[End], port: &Port| matches!(ends, [only] if only.id.as_ref() == Some(&port.id));
    let sides = [(&cable.a_ends, &cable.b_ends, "bEnds"), (&cable.b_ends, &cable.a_ends, "aEnds")];
    let found = sides.into_iter().find(|(near, other, _)| is(near, own) && is(other, far));
    match found.filter(|_| cable.lanes.is_empty()) {
        Some((_, _, side)) => Ok((cable, side)),
        None => Err(format!("the line of {} is no single cable between two ports", own.shown())),
    }
}

/// Returns the reference to a port, as an end of a cable.
fn end(port: &Port) -> Value {
    let mut reference = json!({ "family": port.family, "port": port.name });
    if let Some(device) = &port.device {
        reference["site"] = device.site.name.clone().into();
        reference["device"] = device.name.clone().into();
    }
    json!({ "port": reference })
}

#[cfg(test)]
mod tests {
    use super::super::answer;
    use super::*;

    fn port(device: &str, more: Value) -> Value {
        let mut port = json!({"id": device, "name": "e1", "type": "ETHERNET", "family": "DATA", "markConnected": false,
            "device": {"name": device, "site": {"name": "s"}}, "parent": null, "circuitTermination": null, "cable": null});
        port.as_object_mut().expect("fields").extend(more.as_object().expect("members").clone());
        port
    }

    fn plugged(device: &str, ends: [&str; 2]) -> Value {
        let cable = json!({"name": "c", "lanes": [], "aEnds": [{"id": ends[0]}], "bEnds": [{"id": ends[1]}]});
        port(device, json!({ "cable": cable }))
    }

    fn checked(verdict: &str, own: &Value, recorded: Value, heard: &Value) -> Vec<Checked> {
        let neighbour = json!({"chassisId": "x", "systemName": "y", "portId": "1", "portDescription": null});
        let heard = json!([{"neighbour": neighbour, "port": heard, "device": null}]);
        let cabling =
            json!({"interface": "eth0", "verdict": verdict, "port": own, "recorded": recorded, "heard": heard});
        answer::interfaces(json!({"name": "a", "cabling": [cabling]})).expect("interfaces")
    }

    #[test]
    fn what_is_safe_is_mended_and_the_rest_is_said() {
        let (srv, leaf) = (port("srv", json!({})), port("leaf", json!({})));
        let there = plugged("srv", ["srv", "spine"]);
        let spine = json!([plugged("spine", ["srv", "spine"])]);
        for (verdict, own, recorded, heard, expected) in [
            (NOT_RECORDED, &srv, json!([]), &leaf, "aEnds:"),
            (DIFFERS, &there, spine.clone(), &leaf, "name: c\nspec:\n  bEnds:"),
            (DIFFERS, &plugged("srv", ["spine", "srv"]), spine.clone(), &leaf, "name: c\nspec:\n  aEnds:"),
            (
                DIFFERS,
                &there,
                spine.clone(),
                &plugged("leaf", ["leaf", "b"]),
                "# a eth0 is left: leaf/e1 has the cable c\n",
            ),
            (
                DIFFERS,
                &plugged("srv", ["srv", "panel"]),
                spine.clone(),
                &leaf,
                "is left: the line of srv/e1 is no single",
            ),
            (DIFFERS, &there, spine, &Value::Null, "is left: the neighbour leads to no single port"),
            (NOT_RECORDED, &there, json!([]), &leaf, "is left: srv/e1 has the cable c"),
            (
                NOT_RECORDED,
                &srv,
                json!([]),
                &port("leaf", json!({"type": "LAG"})),
                "is left: leaf/e1 is a logical port",
            ),
            ("UNKNOWN_NEIGHBOUR", &srv, json!([]), &Value::Null, "is left: the neighbour is not in the inventory"),
            ("AGREES", &srv, json!([]), &leaf, ""),
        ] {
            let text = manifests(&checked(verdict, own, recorded, heard));
            assert!(text.contains(expected) && text.is_empty() == expected.is_empty(), "{expected}: {text}");
        }
        let twice = [checked(NOT_RECORDED, &srv, json!([]), &leaf), checked(NOT_RECORDED, &leaf, json!([]), &srv)];
        let text = manifests(&twice.into_iter().flatten().collect::<Vec<_>>());
        assert!(text.contains("is in a manifest above") && text.matches("kind: Cable").count() == 1, "{text}");
    }

    #[test]
    fn the_request_is_valid() {
        let selection = answer::selection();
        let document = format!("query($filter: HostFilter) {{ hosts(filter: $filter) {{ nodes {{ {selection} }} }} }}");
        underlay_testing::graphql::assert_valid(document);
    }
}
