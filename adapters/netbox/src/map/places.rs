//! Regions, sites, locations and racks.

use serde_json::{Value, json};
use underlay_kit::sync::AdapterError;

use crate::context::Context;
use crate::draft::Draft;
use crate::object::Object;
use crate::types::{LOCATION, RACK, REGION, SITE};
use crate::words::List;

/// Maps a region. Its name is the slug, because names of regions are not unique.
pub fn region(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, REGION, object)?;
    draft.set("name", object.required_text("slug")?);
    draft.set("displayName", object.required_text("name")?);
    draft.refer("parent", object.reference("parent")?.map(|id| (REGION, id)));
    Ok(draft)
}

/// Maps a site. Its name is the slug.
pub fn site(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, SITE, object)?;
    draft.set("name", object.required_text("slug")?);
    draft.set("displayName", object.required_text("name")?);
    draft.refer("region", object.reference("region")?.map(|id| (REGION, id)));
    let group = object.part("group")?.map(|group| group.required_text("slug")).transpose()?;
    draft.label("group", group);
    draft.word(cx, "type", List::SiteType, group);
    draft.word(cx, "status", List::SiteStatus, object.choice("status")?);
    draft.set("address", object.text("physical_address")?);
    coordinates(object, &mut draft)?;
    draft.set("timeZone", object.text("time_zone")?);
    draft.tenant(cx, object)?;
    draft.keep(object, &["facility", "shipping_address"]);
    let asns = object.list("asns")?.into_iter().map(|asn| asn.number("asn").map(Value::from));
    draft.attribute("asns", asns.collect::<Result<Vec<_>, _>>()?);
    Ok(draft)
}

/// Maps a location.
pub fn location(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, LOCATION, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("site", Some((SITE, object.required_reference("site")?)));
    draft.refer("parent", object.reference("parent")?.map(|id| (LOCATION, id)));
    draft.attribute("status", object.choice("status")?);
    draft.keep(object, &["slug", "facility"]);
    draft.tenant(cx, object)?;
    Ok(draft)
}

/// Maps a rack.
pub fn rack(cx: &Context, object: &Object) -> Result<Draft, AdapterError> {
    let mut draft = Draft::new(cx, RACK, object)?;
    draft.set("name", object.required_text("name")?);
    draft.refer("site", Some((SITE, object.required_reference("site")?)));
    draft.refer("location", object.reference("location")?.map(|id| (LOCATION, id)));
    draft.set("heightU", object.whole_number("u_height")?);
    draft.set("serial", object.text("serial")?);
    draft.set("assetTag", object.text("asset_tag")?);
    draft.word(cx, "status", List::RackStatus, object.choice("status")?);
    draft.label("role", object.part("role")?.map(|role| role.required_text("slug")).transpose()?);
    draft.tenant(cx, object)?;
    if object.number("starting_unit")?.is_some_and(|unit| (unit - 1.0).abs() > f64::EPSILON) {
        draft.keep(object, &["starting_unit"]);
    }
    if object.flag("desc_units")? == Some(true) {
        draft.keep(object, &["desc_units"]);
    }
    draft.keep(
        object,
        &[
            "airflow",
            "facility_id",
            "form_factor",
            "group",
            "max_weight",
            "mounting_depth",
            "outer_depth",
            "outer_height",
            "outer_unit",
            "outer_width",
            "rack_type",
            "weight",
            "weight_unit",
            "width",
        ],
    );
    Ok(draft)
}

/// Sets the coordinates. One alone says no place, and is put aside.
fn coordinates(object: &Object, draft: &mut Draft) -> Result<(), AdapterError> {
    let (latitude, longitude) = (object.number("latitude")?, object.number("longitude")?);
    let both = latitude.zip(longitude);
    draft.set("coordinates", both.map(|(latitude, longitude)| json!({"latitude": latitude, "longitude": longitude})));
    if both.is_none() {
        for (member, value, other) in [("latitude", latitude, "longitude"), ("longitude", longitude, "latitude")] {
            if let Some(value) = value {
                draft.attribute(member, value);
                draft.fault(member, &format!("is given without a {other}, so the site has no coordinates"));
            }
        }
    }
    Ok(())
}
