//! Power panels and the feeds that they supply.

use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::{Draft, reference};
use crate::object::Object;
use crate::types::{POWER_FEED, POWER_PANEL, RACK, SITE};
use crate::words::List;

/// Maps a power panel to a feed that supplies others.
pub fn panel(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, POWER_PANEL, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("site", Some((SITE, object.required_reference("site")?)));
    draft.set("rack", Value::Null);
    draft.set("upstream", Value::Null);
    draft.keep(object, &["location"]);
    Ok(draft)
}

/// Maps a power feed. Its panel must have been read before.
pub fn feed(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, POWER_FEED, object)?;
    draft.set("name", object.required_text("name")?);
    let panel = object.required_reference("power_panel")?;
    let site = cx.panels.get(&panel);
    match site {
        Some(site) => draft.refer("site", Some((SITE, *site))),
        None => draft.impossible("power_panel was made while NetBox was read; the next scan has it"),
    }
    // NetBox moves a rack to another site without its feeds.
    let rack = object.reference("rack")?;
    let is_apart = rack.and_then(|rack| cx.racks.get(&rack)).zip(site).is_some_and(|(rack, site)| rack != site);
    if is_apart {
        draft.fault("rack", "is at another site than the panel, so the feed has none");
    }
    draft.refer("rack", rack.filter(|_| !is_apart).map(|id| (RACK, id)));
    draft.set("upstream", json!({ "powerFeed": reference(POWER_PANEL, panel) }));
    let phase = match object.choice("phase")? {
        None => None,
        Some("single-phase") => Some("SINGLE_PHASE"),
        Some("three-phase") => Some("THREE_PHASE"),
        Some(_) => {
            let found = object.value("phase").unwrap_or(&Value::Null);
            return Err(object.wrong("phase", "single-phase or three-phase", found));
        }
    };
    draft.set("phase", phase);
    for (field, member) in [("voltage", "voltage"), ("ampsRated", "amperage")] {
        let value = object.whole_number(member)?;
        draft.set(field, value.filter(|value| *value >= 1));
        if let Some(value) = value.filter(|value| *value < 1) {
            draft.attribute(member, value);
            draft.fault(member, &format!("is {value}, and must be at least 1, so the feed has none"));
        }
    }
    draft.word(cx, "status", List::PowerFeedStatus, object.choice("status")?);
    draft.tenant(cx, object)?;
    draft.keep(object, &["type", "supply", "max_utilization"]);
    if object.flag("mark_connected")? == Some(true) {
        draft.keep(object, &["mark_connected"]);
    }
    Ok(draft)
}
