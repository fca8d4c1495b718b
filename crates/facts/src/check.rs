//! The bounds of a message, which its form does not have. All ways to the server share them.

use chrono::{DateTime, TimeDelta, Utc};
use thiserror::Error;

use crate::protocol::{Message, Unchanged};
use crate::report::{AgentProgram, FORMAT, Report, Sections};

/// The time by which the clock of a machine may be ahead.
const MAX_AHEAD: TimeDelta = TimeDelta::minutes(10);
/// The greatest number of parts in a section.
const MAX_PARTS: usize = 4_096;
/// The greatest length of the version of an agent, in characters.
const MAX_VERSION_CHARACTERS: usize = 100;

/// The reason why a message is not taken, though it can be read. It names the member and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// The form is another one.
    #[error("format is {found}; this server reads {FORMAT}")]
    Format {
        /// The number of the form.
        found: u16,
    },
    /// The version of the program is empty or too long.
    #[error("agent.version must have 1 to {MAX_VERSION_CHARACTERS} characters")]
    Version,
    /// The clock of the machine was never set.
    #[error("observedAt is {at}, which is before 1970: set the clock of the machine")]
    Before1970 {
        /// The time of the report.
        at: DateTime<Utc>,
    },
    /// The clock of the machine is ahead.
    #[error(
        "observedAt is {at}, more than {} minutes after the time of the server, {now}: set the clock of the machine",
        MAX_AHEAD.num_minutes()
    )]
    Ahead {
        /// The time of the report.
        at: DateTime<Utc>,
        /// The time of the server.
        now: DateTime<Utc>,
    },
    /// A section has too many parts.
    #[error("{member} has {count} entries; at most {MAX_PARTS} are allowed")]
    Parts {
        /// The list.
        member: &'static str,
        /// The number of its entries.
        count: usize,
    },
}

impl Message {
    /// Checks that a message is within its bounds.
    ///
    /// # Errors
    /// Returns an error that names the member and what is allowed.
    pub fn check(&self, now: DateTime<Utc>) -> Result<(), Unfit> {
        match self {
            Self::Unchanged(Unchanged { format, agent, observed_at, .. }) => head(*format, agent, *observed_at, now),
            Self::Report(report) => report.check(now),
        }
    }
}

impl Report {
    /// Checks that a report is within its bounds.
    ///
    /// # Errors
    /// Returns an error that names the member and what is allowed.
    pub fn check(&self, now: DateTime<Utc>) -> Result<(), Unfit> {
        head(self.format, &self.agent, self.observed_at, now)?;
        parts(&self.sections)
    }
}

fn head(format: u16, agent: &AgentProgram, at: DateTime<Utc>, now: DateTime<Utc>) -> Result<(), Unfit> {
    if format != FORMAT {
        return Err(Unfit::Format { found: format });
    }
    if agent.version.is_empty() || agent.version.chars().count() > MAX_VERSION_CHARACTERS {
        return Err(Unfit::Version);
    }
    if at < DateTime::UNIX_EPOCH {
        return Err(Unfit::Before1970 { at });
    }
    if at - now > MAX_AHEAD {
        return Err(Unfit::Ahead { at, now });
    }
    Ok(())
}

fn parts(sections: &Sections) -> Result<(), Unfit> {
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
    let mut known = counts.into_iter().filter_map(|(member, count)| Some((member, count?)));
    match known.find(|(_, count)| *count > MAX_PARTS) {
        None => Ok(()),
        Some((member, count)) => Err(Unfit::Parts { member, count }),
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
            let refused = read.check(now).err().map(|unfit| unfit.to_string());
            match says {
                None => assert_eq!(refused, None),
                Some(says) => assert!(refused.as_deref().is_some_and(|it| it.contains(says)), "{refused:?}"),
            }
        }
    }
}
