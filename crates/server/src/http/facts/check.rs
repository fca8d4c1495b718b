//! The bounds of a message, which its form does not have.

use chrono::{DateTime, TimeDelta, Utc};
use underlay_facts::{AgentProgram, FORMAT, Message, Report, Sections};

use super::unfit;
use crate::http::refusal::Refused;

/// The time by which the clock of a machine may be ahead.
const MAX_AHEAD: TimeDelta = TimeDelta::minutes(10);
/// The greatest number of parts in a section.
const MAX_PARTS: usize = 4_096;
/// The greatest length of the version of an agent, in characters.
const MAX_VERSION_CHARACTERS: usize = 100;

/// Checks a message.
///
/// # Errors
/// Returns a refusal that names the member and what is allowed.
pub fn message(message: &Message, now: DateTime<Utc>) -> Result<(), Refused> {
    match message {
        Message::Unchanged(it) => head(it.format, &it.agent, it.observed_at, now),
        Message::Report(it) => report(it, now),
    }
}

/// Checks a report.
///
/// # Errors
/// Returns a refusal that names the member and what is allowed.
pub fn report(report: &Report, now: DateTime<Utc>) -> Result<(), Refused> {
    head(report.format, &report.agent, report.observed_at, now)?;
    parts(&report.sections)
}

fn head(format: u16, agent: &AgentProgram, observed_at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), Refused> {
    if format != FORMAT {
        return Err(unfit(format!("format is {format}; this server reads {FORMAT}")));
    }
    if agent.version.is_empty() || agent.version.chars().count() > MAX_VERSION_CHARACTERS {
        return Err(unfit(format!("agent.version must have 1 to {MAX_VERSION_CHARACTERS} characters")));
    }
    if observed_at < DateTime::UNIX_EPOCH {
        return Err(unfit(format!("observedAt is {observed_at}, which is before 1970: set the clock of the machine")));
    }
    if observed_at - now > MAX_AHEAD {
        let minutes = MAX_AHEAD.num_minutes();
        return Err(unfit(format!(
            "observedAt is {observed_at}, more than {minutes} minutes after the time of the server, {now}: set the clock \
             of the machine"
        )));
    }
    Ok(())
}

fn parts(sections: &Sections) -> Result<(), Refused> {
    let counts = [
        ("memory.found.modules", sections.memory.as_ref().map(|it| it.found.modules.len())),
        ("processors.found", sections.processors.as_ref().map(|it| it.found.len())),
        ("disks.found", sections.disks.as_ref().map(|it| it.found.len())),
        ("interfaces.found", sections.interfaces.as_ref().map(|it| it.found.len())),
        ("devices.found", sections.devices.as_ref().map(|it| it.found.len())),
        ("gpus.found", sections.gpus.as_ref().map(|it| it.found.len())),
        ("neighbours.found", sections.neighbours.as_ref().map(|it| it.found.len())),
        ("powerSupplies.found", sections.power_supplies.as_ref().map(|it| it.found.len())),
        ("fans.found", sections.fans.as_ref().map(|it| it.found.len())),
        ("firmware.found", sections.firmware.as_ref().map(|it| it.found.len())),
    ];
    match counts.into_iter().find(|(_, count)| count.is_some_and(|count| count > MAX_PARTS)) {
        None => Ok(()),
        Some((member, count)) => {
            let count = count.unwrap_or_default();
            Err(unfit(format!("{member} has {count} entries; at most {MAX_PARTS} are allowed")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_message_beyond_a_bound_is_refused_and_the_member_is_named() {
        let now = DateTime::from_timestamp(1_800_000_000, 0).expect("a time");
        let at = |minutes| (now + TimeDelta::minutes(minutes)).to_rfc3339();
        let section = |part, count| json!({"complete": true, "found": vec![part; count]});
        let neighbour = json!({"interface": "e", "chassisId": "C", "portId": "1"});
        for (format, version, ahead, (name, part, count), says) in [
            (1, "0.1.0", 9, ("interfaces", json!({"name": "e"}), 4_096), None),
            (2, "0.1.0", 0, ("gpus", json!({}), 0), Some("format is 2; this server reads 1")),
            (1, "", 0, ("gpus", json!({}), 0), Some("agent.version must have 1 to 100 characters")),
            (1, "0.1.0", 11, ("gpus", json!({}), 0), Some("set the clock of the machine")),
            (
                1,
                "0.1.0",
                0,
                ("interfaces", json!({"name": "e"}), 4_097),
                Some("interfaces.found has 4097 entries; at most 4096 are allowed"),
            ),
            (1, "0.1.0", 0, ("devices", json!({"place": "1"}), 4_097), Some("devices.found has 4097 entries")),
            (1, "0.1.0", 0, ("gpus", json!({"place": "1"}), 4_097), Some("gpus.found has 4097 entries")),
            (1, "0.1.0", 0, ("neighbours", neighbour, 4_097), Some("neighbours.found has 4097 entries")),
            (1, "0.1.0", 0, ("fans", json!({"place": "1"}), 4_097), Some("fans.found has 4097 entries")),
            (
                1,
                "0.1.0",
                0,
                ("powerSupplies", json!({"place": "1"}), 4_097),
                Some("powerSupplies.found has 4097 entries"),
            ),
            (1, "0.1.0", 0, ("firmware", json!({"name": "1"}), 4_097), Some("firmware.found has 4097 entries")),
        ] {
            let text = json!({
                "format": format,
                "agent": {"version": version},
                "observedAt": at(ahead),
                name: section(part, count),
            });
            let read = Message::read(text.to_string().as_bytes()).expect("a message");
            let refused = message(&read, now).err().map(|refused| refused.message);
            match says {
                None => assert_eq!(refused, None),
                Some(says) => assert!(refused.as_deref().is_some_and(|it| it.contains(says)), "{refused:?}"),
            }
        }
    }
}
