//! The sentence that says why there are too few hosts for a claim.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use underlay_entity::host::{HostState, Model};
use uuid::Uuid;

use super::MAX_HOSTS;
use super::bond::Bond;
use super::claimable::Unclaimable;
use super::facts::word;

/// The number of purposes or people that a sentence names for one reason.
const MAX_NAMES_PER_REASON: usize = 3;
/// The names of small numbers.
const NUMBER_WORDS: [&str; 13] =
    ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// Hosts that cannot be acquired for one reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Reason {
    count: usize,
    /// The purposes that the hosts are acquired for, or the people who keep them in maintenance.
    names: BTreeSet<String>,
}

/// The hosts that a claim found, and why there are not more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortage {
    /// The number of hosts that are wanted.
    pub wanted: usize,
    /// The number of hosts that can be acquired.
    pub found: usize,
    /// Hosts that are free but for their machines, which were last seen running: at most 1,000.
    pub running: Vec<Uuid>,
    /// The number of running machines that controllers look at now, because they were last seen a while ago.
    pub looked_at: usize,
    reasons: BTreeMap<Unclaimable, Reason>,
}

impl Shortage {
    /// Returns the shortage of a claim for some hosts, of which none were found yet.
    pub fn of(wanted: usize) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Adds a host that cannot be acquired.
    pub fn add(&mut self, host: &Model, why: Unclaimable) {
        let reason = self.reasons.entry(why).or_default();
        reason.count += 1;
        if why == Unclaimable::Runs && self.running.len() < MAX_HOSTS {
            self.running.push(host.id);
        }
        match why {
            Unclaimable::State(state) if state.is_taken() => reason.names.extend(host.acquired_for.clone()),
            Unclaimable::Maintenance => reason.names.extend(host.maintenance.0.0.keys().cloned()),
            _ => {}
        }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: ", self.found, self.wanted)?;
        if self.reasons.is_empty() {
            let there = if self.found == 0 { "no host fits" } else { "no other host fits" };
            return write!(f, "{there} the claim; claim fewer hosts, or widen the choice");
        }
        for (at, (why, reason)) in self.reasons.iter().enumerate() {
            let (before, more) =
                (if at == 0 { "" } else { ", " }, if at == 0 && self.found > 0 { " more" } else { "" });
            write!(f, "{before}{}{more} {}", number(reason.count), predicate(*why, reason.count))?;
            if !reason.names.is_empty() {
                let named: Vec<&str> = reason.names.iter().take(MAX_NAMES_PER_REASON).map(String::as_str).collect();
                let rest = if reason.names.len() > MAX_NAMES_PER_REASON { ", …" } else { "" };
                write!(f, " ({}{rest})", named.join(", "))?;
            }
        }
        f.write_str("; ask for fewer, or free some of them")?;
        match self.looked_at {
            0 => Ok(()),
            count => {
                let (was, it) = if count == 1 { ("was", "it") } else { ("were", "them") };
                write!(
                    f,
                    ". Of those that run, {} {was} last seen more than a minute ago: controllers look at {it} now, so \
                     claim again in a moment",
                    number(count)
                )
            }
        }
    }
}

fn number(count: usize) -> String {
    NUMBER_WORDS.get(count).map_or_else(|| count.to_string(), |name| (*name).to_owned())
}

/// Returns the rest of a sentence about hosts that cannot be acquired.
fn predicate(why: Unclaimable, count: usize) -> String {
    let (is, has) = if count == 1 { ("is", "has") } else { ("are", "have") };
    match why {
        Unclaimable::State(state) => match state {
            HostState::Registered => format!("{is} only registered"),
            HostState::Discovering => format!("{is} being discovered"),
            HostState::Available => format!("{is} available"),
            HostState::Acquired => format!("{is} acquired"),
            HostState::Installing => format!("{is} being installed"),
            HostState::Installed => format!("{is} installed"),
            HostState::Releasing => format!("{is} being released"),
            HostState::Wiping => format!("{is} being wiped"),
            HostState::Failed => format!("{has} failed"),
        },
        Unclaimable::Maintenance => format!("{is} in maintenance"),
        Unclaimable::Failure => format!("{has} a failure"),
        Unclaimable::AtWork => format!("{has} an order at work"),
        Unclaimable::Deleting => format!("{is} about to be deleted"),
        Unclaimable::Runs if count == 1 => "runs, so somebody may use it".to_owned(),
        Unclaimable::Runs => "run, so somebody may use them".to_owned(),
        Unclaimable::Bound(Bond::Carries) if count == 1 => "carries virtual machines or an appliance".to_owned(),
        Unclaimable::Bound(Bond::Carries) => "carry virtual machines or an appliance".to_owned(),
        Unclaimable::Bound(Bond::SeenAsAnother) => {
            format!("{has} a device with another serial number or UUID than was seen")
        }
        Unclaimable::TellsNothing if count == 1 => {
            "tells nothing of itself, and is acquired by its name alone".to_owned()
        }
        Unclaimable::TellsNothing => "tell nothing of themselves, and are acquired by their names alone".to_owned(),
        Unclaimable::Shared => format!("{is} the machine of another host too"),
        Unclaimable::Machine(status) => format!("{has} a machine that is {}", word(status)),
    }
}
