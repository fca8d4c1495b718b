//! The words of hosts in sentences, and the facts about a host that several rules read.

use serde::Serialize;
use serde_json::Value as Json;
use underlay_address::IgnoredIdentities;
use underlay_entity::host::{HostState, Model, SeenIdentity};

/// Returns the name of a state, an act or a method, as the API spells it.
pub fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Json::String(word)) => word,
        _ => String::new(),
    }
}

/// Returns true if an order is open for a host.
pub fn is_at_work(host: &Model) -> bool {
    host.generation > host.generation_done
}

/// Returns true if a look found that nothing says which machine the address of a host leads to.
pub fn tells_nothing(host: &Model, ignored: &IgnoredIdentities) -> bool {
    host.seen_identity.as_ref().is_some_and(|seen| !means_something(seen, ignored))
}

/// Returns true if a machine said something of itself by which it can be recognised.
fn means_something(seen: &SeenIdentity, ignored: &IgnoredIdentities) -> bool {
    let names = [seen.uuid.as_deref(), seen.serial.as_deref()].into_iter().flatten();
    names.chain(seen.macs.iter().map(String::as_str)).any(|text| !ignored.has(text))
}

/// Returns true if a step in a state touches the machine. To take back what was prepared touches nothing.
pub fn touches(state: HostState, step: &str) -> bool {
    match step {
        "register" | "look" | "prepare" => false,
        "detach" => !matches!(state, HostState::Discovering | HostState::Installing),
        _ => true,
    }
}

/// Returns true if a host is FAILED after it was acquired.
pub fn failed_taken(host: &Model) -> bool {
    host.state == HostState::Failed && failed_during(host).is_some_and(HostState::is_taken)
}

/// Returns the state in which a host failed.
pub fn failed_during(host: &Model) -> Option<HostState> {
    host.failure.as_ref().map(|failure| failure.during)
}

/// Returns the reasons for the maintenance of a host, each with its author.
pub fn maintenance(host: &Model) -> String {
    let reasons = host.maintenance.0.0.iter().map(|(author, reason)| format!("{author}: {reason}"));
    reasons.collect::<Vec<_>>().join(", ")
}
