//! Describes a source to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use serde_json::Value as Json;
use underlay_entity::source::{Model, SourceHealth, SourceHostsArrive, SourceLimits, SourcePrune};

use super::node::Source;
use super::rules;
use super::topology::TOPOLOGY;
use crate::common::{TEXT, member, within, without_user, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Key, Kind, KindId, Shape, Unfit, shorten};
use underlay_inventory::{cast, field, searched};

/// The time between two full runs, in seconds: from ten seconds to thirty days.
const INTERVAL: Shape = Shape::Integer { least: 10, most: 30 * 24 * 60 * 60 };
/// The default time between two full runs, in seconds.
const USUAL_INTERVAL: i32 = 300;
/// The address of the outside system.
const URL: Shape = Shape::Text { longest: 2_000 };
const LIMITS: Shape = Shape::Structure("an object with share (0 to 1) and count (at least 0)");

const FIELDS: &[Field] = fields![
    field!(6, Model.r#type, "type", TEXT).required().normalised(not_empty),
    field!(7, Model.url, "url", URL)
        .normalised(|value| without_user(value.as_str().unwrap_or_default()).map(|()| value)),
    field!(8, Model.interval_seconds, "interval", INTERVAL),
    field!(9, Model.prune, "prune", Shape::Choice(words::<SourcePrune>)).set_by_operators(),
    field!(10, Model.limits, "limits", LIMITS).normalised(limits).set_by_operators(),
    field!(11, Model.paused, "paused", Shape::Boolean).set_by_operators(),
    field!(12, Model.health, "health", Shape::Choice(words::<SourceHealth>)).set_by_server(),
    field!(13, Model.reserved, "reserved", Shape::Boolean).set_by_server(),
    field!(14, Model.hosts_arrive, "hostsArrive", Shape::Choice(words::<SourceHostsArrive>)).set_by_operators(),
];

/// The description of sources in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::SOURCE,
    name: "Source",
    singular: "source",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "sourceName" },
    blank: || Arc::new(blank()),
    rules: &[rules::name],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Operators,
    echo: Echo::Values,
    reserves: Some(|row| cast::<Model>(row).reserved),
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "url" => |source| &source.url,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Source {
    type Row = Model;
    const ID: KindId = ids::SOURCE;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

blank!(Model {
    r#type: String::new(),
    url: None,
    interval_seconds: USUAL_INTERVAL,
    prune: SourcePrune::default(),
    limits: SourceLimits::default(),
    paused: false,
    health: SourceHealth::default(),
    reserved: false,
    hosts_arrive: SourceHostsArrive::default(),
});

fn not_empty(value: Json) -> Result<Json, Unfit> {
    match value.as_str().is_some_and(|text| text.trim().is_empty()) {
        true => Err(Unfit::new("", "must not be empty")),
        false => Ok(value),
    }
}

/// Checks that the limits are within their bounds.
fn limits(value: Json) -> Result<Json, Unfit> {
    let value = member(value, "share", |it| within(it, 0.0, 1.0))?;
    member(value, "count", |it| match it.as_i64().is_some_and(|count| (0..=i64::from(i32::MAX)).contains(&count)) {
        true => Ok(it),
        false => Err(Unfit::new("", format!("must be a whole number from 0 to {}, not {}", i32::MAX, shorten(&it)))),
    })
}
