//! Writes the parts of reports that make no revision: observations and acts.

use chrono::{DateTime, Utc};
use underlay_entity::host::{ConditionStatus, Model};
use underlay_entity::observation::ObservedCondition;
use uuid::Uuid;

use super::input::{HostFactsInput, HostHistoryInput, HostHistoryPart, HostObservedInput};
use super::invalid;
use crate::host::Host;
use underlay_engine::store::{ActPlace, MAX_DETAIL_BYTES, Observation, StoredAct};
use underlay_inventory::{Kind, Refusal};

/// The greatest number of acts in a report.
const MAX_ACTS: usize = 100;
/// The greatest number of serial numbers and UUIDs of a machine.
const MAX_IDENTITIES: usize = 8;
/// The greatest number of disks of a machine.
const MAX_DISKS: usize = 256;
/// The maximum length of the word for an act, in characters.
const MAX_WORD_CHARACTERS: usize = 253;
/// The maximum length of a sentence, in characters.
pub const MAX_SENTENCE_CHARACTERS: usize = 2_000;

/// Checks that an observation is not too large.
///
/// # Errors
/// Returns the bound that it exceeds.
pub fn check_observed(observed: &HostObservedInput) -> Result<(), Refusal> {
    let bytes = observed.detail.as_ref().map_or(0, |detail| detail.0.to_string().len());
    match bytes <= MAX_DETAIL_BYTES {
        true => Ok(()),
        false => Err(invalid(
            "observed.detail",
            format!("has {bytes} bytes as JSON; at most {MAX_DETAIL_BYTES} are allowed"),
        )),
    }
}

/// Checks that facts are not too many.
///
/// # Errors
/// Returns the bound that they exceed.
pub fn check_facts(facts: &HostFactsInput) -> Result<(), Refusal> {
    let disks = facts.disks.as_ref().map_or(0, Vec::len);
    for (field, count, most) in
        [("change.facts.identities", facts.identities.len(), MAX_IDENTITIES), ("change.facts.disks", disks, MAX_DISKS)]
    {
        if count > most {
            return Err(invalid(field, format!("has {count} entries; at most {most} are allowed")));
        }
    }
    Ok(())
}

/// Checks that acts are not too many and not too large.
///
/// # Errors
/// Returns the bound that they exceed.
pub fn check_acts(acts: &[HostHistoryInput]) -> Result<(), Refusal> {
    if acts.len() > MAX_ACTS {
        let reason = format!("has {} entries; at most {MAX_ACTS} are allowed", acts.len());
        return Err(invalid("acts", reason));
    }
    acts.iter().enumerate().try_for_each(|(at, act)| {
        check_text(&format!("acts[{at}].act"), &act.act, MAX_WORD_CHARACTERS)?;
        check_text(&format!("acts[{at}].message"), &act.message, MAX_SENTENCE_CHARACTERS)
    })
}

/// Checks that a text says something, is not too long, and can be stored.
///
/// # Errors
/// Returns the rule that it breaks.
pub fn check_text(field: &str, text: &str, most: usize) -> Result<(), Refusal> {
    let characters = text.chars().count();
    match characters {
        0 => Err(invalid(field, "must not be empty")),
        _ if characters > most => {
            Err(invalid(field, format!("has {characters} characters; at most {most} are allowed")))
        }
        _ if text.contains('\0') => Err(invalid(field, "must not contain the character \\u0000")),
        _ => Ok(()),
    }
}

/// Returns an observation of a host as it is stored.
pub fn observation(host: &Model, by: &str, observed: &HostObservedInput) -> Observation {
    Observation {
        object: host.id,
        kind: Host::describe().name.to_owned(),
        seen_at: observed.seen_at,
        by: by.to_owned(),
        power_at: observed.power_at,
        detail: observed.detail.as_ref().map(|detail| detail.0.clone()),
        conditions: bits(host),
    }
}

/// Returns the conditions of a host that are worth a filter, as bits.
fn bits(host: &Model) -> i64 {
    let holds = host.conditions.0.iter().filter(|it| it.status == ConditionStatus::True);
    holds.fold(0, |bits, condition| match condition.r#type.as_str() {
        "Unreachable" => bits | ObservedCondition::Unreachable.bit(),
        "ByHand" | "ObserveOnly" => bits | ObservedCondition::NeedsPerson.bit(),
        _ => bits,
    })
}

/// Returns acts on a host as they are stored. An act cannot be later than now, so that one process with a wrong clock does
/// not disturb the order.
pub fn acts(host: Uuid, by: &str, now: DateTime<Utc>, acts: &[HostHistoryInput]) -> impl Iterator<Item = StoredAct> {
    acts.iter().map(move |act| StoredAct {
        object: host,
        at: act.at.min(now),
        by: by.to_owned(),
        name: act.act.clone(),
        sentence: act.message.clone(),
        place: if act.part == HostHistoryPart::End { ActPlace::End } else { ActPlace::New },
    })
}
