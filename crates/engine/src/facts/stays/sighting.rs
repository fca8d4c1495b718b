//! The parts that a report shows, as the tables have them.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use underlay_entity::facts::{FactsOrigin, Model};
use underlay_facts::{Part, PartIdentity, Report, TracedPart, traced, traced_part};

use super::super::events::kind_of_part;
use crate::store::{PartKey, SeenPart, Sighting};

/// Returns what a report says of the parts of its host. Only agents tell where parts are: what others know was read once,
/// at some earlier time.
pub(in super::super) fn sighting(row: &Model, before: Option<&Report>, after: &Report) -> Option<Sighting> {
    FactsOrigin::of(row.origin).filter(|origin| *origin == FactsOrigin::Agent)?;
    // Another version of the agent may read things differently.
    let before = before.filter(|before| before.agent.version == after.agent.version);
    let mut sighting = Sighting {
        host: row.host_id,
        at: row.received_at,
        seen: Vec::new(),
        shared: BTreeSet::new(),
        complete: BTreeSet::new(),
        seen_before: before.map(shown),
    };
    for section in traced(&after.sections) {
        sighting.complete.extend(section.is_complete.then(|| kind_of_part(section.part)));
        sighting.seen.extend(section.parts.into_iter().map(seen));
        sighting.shared.extend(section.shared.into_iter().map(key));
    }
    Some(sighting)
}

/// Returns the key of the part that an event shows, if it is a part that is recognised elsewhere.
pub(in super::super) fn key_of(part: Part, json: &Json) -> Option<PartKey> {
    traced_part(part, json).map(|part| key(part.identity))
}

fn shown(report: &Report) -> BTreeSet<PartKey> {
    let sections = traced(&report.sections).into_iter();
    let identities = sections.flat_map(|it| it.parts.into_iter().map(|part| part.identity).chain(it.shared));
    identities.map(key).collect()
}

fn seen(part: TracedPart) -> SeenPart {
    let TracedPart { identity, manufacturer, place } = part;
    SeenPart { key: key(identity), manufacturer, place }
}

fn key(identity: PartIdentity) -> PartKey {
    let PartIdentity { part, model, serial } = identity;
    PartKey { kind: kind_of_part(part), model, serial }
}
