//! Providers, their networks, circuits and the ends of circuits.

use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::Draft;
use crate::map::cables::metres;
use crate::object::Object;
use crate::types::{CIRCUIT, CIRCUIT_TERMINATION, LOCATION, PROVIDER, PROVIDER_NETWORK, SITE};
use crate::words::List;

/// Maps a provider. Its name is the slug.
pub fn provider(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, PROVIDER, object)?;
    let slug = object.required_text("slug")?;
    draft.set("name", slug);
    draft.set("displayName", object.required_text("name")?);
    draft.word(cx, "type", List::ProviderType, Some(slug));
    draft.keep(object, &["accounts"]);
    let asns = object.list("asns")?.into_iter().map(|asn| asn.number("asn").map(Value::from));
    draft.attribute("asns", asns.collect::<Result<Vec<_>, _>>()?);
    Ok(draft)
}

/// Maps a network of a provider.
pub fn network(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, PROVIDER_NETWORK, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("provider", Some((PROVIDER, object.required_reference("provider")?)));
    draft.keep(object, &["service_id"]);
    Ok(draft)
}

/// Maps a circuit. Its ends are objects of their own.
pub fn circuit(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, CIRCUIT, object)?;
    let number = object.required_text("cid")?;
    draft.set("name", number);
    draft.set("circuitId", number);
    draft.refer("provider", Some((PROVIDER, object.required_reference("provider")?)));
    let kind = object.part("type")?.map(|kind| kind.required_text("slug")).transpose()?;
    draft.label("type", kind);
    draft.word(cx, "type", List::CircuitType, kind);
    draft.word(cx, "status", List::CircuitStatus, object.choice("status")?);
    // NetBox counts in Kbit/s.
    let rate = object.whole_number("commit_rate")?;
    draft.set("bandwidthMbps", rate.map(|rate| rate / 1_000).filter(|rate| *rate >= 1));
    if let Some(rate) = rate.filter(|rate| rate % 1_000 != 0 || *rate < 1_000) {
        draft.attribute("commit_rate", rate);
        if rate < 1_000 {
            draft.fault(
                "commit_rate",
                &format!("is {rate} kbit/s, and a bandwidth is at least 1 Mbit/s, so there is none"),
            );
        }
    }
    draft.set("distanceM", metres(object, "distance", "distance_unit")?);
    draft.set("installedOn", object.text("install_date")?);
    draft.tenant(cx, object)?;
    draft.keep(object, &["provider_account", "termination_date"]);
    Ok(draft)
}

/// Maps an end of a circuit. Its name is always the side.
pub fn termination(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, CIRCUIT_TERMINATION, object)?;
    draft.refer("circuit", Some((CIRCUIT, object.required_reference("circuit")?)));
    match object.choice("term_side")? {
        Some(side @ ("A" | "Z")) => {
            draft.set("name", side);
            draft.set("side", side);
        }
        _ => return Err(object.wrong("term_side", "A or Z", object.value("term_side").unwrap_or(&Value::Null))),
    }
    let (site, network) = place(cx, object, &mut draft)?;
    draft.refer("site", site.map(|id| (SITE, id)));
    draft.refer("providerNetwork", network.map(|id| (PROVIDER_NETWORK, id)));
    draft.keep(object, &["port_speed", "upstream_speed", "xconnect_id", "pp_info"]);
    if object.flag("mark_connected")? == Some(true) {
        draft.keep(object, &["mark_connected"]);
    }
    Ok(draft)
}

/// Returns the site or the provider network of an end. Since 4.2 an end can be at a region or a location too.
fn place(cx: &Context, object: &Object, draft: &mut Draft) -> Result<(Option<u64>, Option<u64>), AdapterError> {
    let Some(of) = object.text("termination_type")? else {
        return Ok((object.reference("site")?, object.reference("provider_network")?));
    };
    let id = object.whole_number("termination_id")?.and_then(|id| u64::try_from(id).ok());
    let id = id.ok_or_else(|| object.wrong("termination_id", "an id", &json!(null)))?;
    if of == SITE.name {
        return Ok((Some(id), None));
    }
    if of == PROVIDER_NETWORK.name {
        return Ok((None, Some(id)));
    }
    draft.keep(object, &["termination_type", "termination"]);
    Ok((cx.locations.get(&id).copied().filter(|_| of == LOCATION.name), None))
}
