//! Follows hosts until their orders are done or have failed.
//!
//! Each change of a host is a line on the standard error: its state, the step at which a controller works, and the
//! conditions that keep it from going on. The result is a table on the standard output.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};
use underlay_client::Client;

use super::list::{self, Width};
use super::read::{HOST, Host};
use super::{Refused, choose};
use crate::exit::Exit;
use crate::signals::Signals;
use underlay_kit::{line, printable};

/// The time between two looks at the hosts.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// The time between two looks while the server does not answer.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
struct Nodes {
    nodes: Vec<Option<Host>>,
}

/// The end of the order of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Done,
    /// The order failed, for this reason.
    Failed(String),
    /// The host was deleted.
    Gone,
    /// The host has another order.
    Overtaken,
}

/// A host that is followed.
struct Followed {
    name: String,
    /// The number of the order.
    order: i64,
    /// The last line about the host.
    last: String,
    /// The conditions that were printed.
    conditions: BTreeSet<String>,
    end: Option<End>,
}

/// Follows hosts until the orders that they have now are done or have failed.
pub(super) async fn follow(client: &Client, hosts: Vec<Host>, timeout: Duration) -> Result<Exit, Refused> {
    let ids: Vec<String> = hosts.iter().map(|host| host.id.clone()).collect();
    let mut followed: BTreeMap<String, Followed> =
        hosts.iter().map(|host| (host.id.clone(), Followed::of(host))).collect();
    let query = format!("query($ids: [ID!]!) {{ nodes(ids: $ids) {{ ... on Host {{ {HOST} }} }} }}");
    let (deadline, mut signals, mut is_silent) = (Instant::now() + timeout, Signals::listen(), false);
    let mut latest = hosts;
    loop {
        for host in &latest {
            if let Some(one) = followed.get_mut(&host.id) {
                one.look(host).into_iter().for_each(|text| eprintln!("{}", line(&text)));
            }
        }
        if followed.values().all(|one| one.end.is_some()) {
            return Ok(end(&followed, &latest));
        }
        let pause = if is_silent { RETRY_INTERVAL } else { POLL_INTERVAL };
        tokio::select! {
            () = sleep(pause) => {}
            () = signals.next() => {
                eprintln!("the orders go on; `underlay host list` shows the hosts");
                return Ok(Exit::Failed);
            }
            () = sleep_until(deadline) => {
                let names = followed.values().filter(|one| one.end.is_none()).map(|one| line(&one.name));
                let names = names.collect::<Vec<_>>().join(", ");
                eprintln!("error: not done after {} s: {names}; the orders go on", timeout.as_secs());
                return Ok(Exit::Failed);
            }
        }
        match client.query(&query, json!({ "ids": ids })).await {
            Ok(Nodes { nodes }) => {
                is_silent = false;
                latest = nodes.into_iter().flatten().collect();
                gone(&mut followed, &latest);
            }
            Err(error) if error.is_passing() => {
                if !is_silent {
                    eprintln!("note: {}; the orders go on, and the command tries again", printable(&error.to_string()));
                }
                is_silent = true;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Follows the hosts of an appliance that have an order at work.
pub(crate) async fn follow_of_appliance(client: &Client, appliance: &str, timeout: Duration) -> Result<Exit, Refused> {
    let mut hosts = choose::filtered(client, json!({ "appliance": { "id": { "eq": appliance } } })).await?;
    hosts.retain(Host::is_at_work);
    match hosts.is_empty() {
        true => Ok(Exit::Done),
        false => follow(client, hosts, timeout).await,
    }
}

/// Ends the hosts that are not there any more.
fn gone(followed: &mut BTreeMap<String, Followed>, latest: &[Host]) {
    let there: BTreeSet<&str> = latest.iter().map(|host| host.id.as_str()).collect();
    for (id, one) in followed.iter_mut().filter(|(id, one)| one.end.is_none() && !there.contains(id.as_str())) {
        eprintln!("{}: the host {id} was deleted", line(&one.name));
        one.end = Some(End::Gone);
    }
}

/// Prints the result, and returns the exit code.
fn end(followed: &BTreeMap<String, Followed>, latest: &[Host]) -> Exit {
    let shown = list::print(latest, Width::Narrow);
    let mut exit = shown;
    for one in followed.values() {
        let reason = match &one.end {
            Some(End::Failed(reason)) => reason.as_str(),
            Some(End::Gone) => "the host was deleted",
            Some(End::Overtaken) => "the host got another order meanwhile",
            Some(End::Done) | None => continue,
        };
        eprintln!("error: {}: {}", line(&one.name), printable(reason));
        exit = Exit::Failed;
    }
    exit
}

impl Followed {
    fn of(host: &Host) -> Self {
        Self {
            name: host.name.clone(),
            order: host.generation,
            last: String::new(),
            conditions: BTreeSet::new(),
            end: None,
        }
    }

    /// Takes over what a host is now, and returns the lines to print about it.
    fn look(&mut self, host: &Host) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        let step = host.step.as_ref().filter(|step| step.of == self.order && host.generation_done < self.order);
        let doing = match step {
            Some(step) if step.attempt > 1 => format!("  {} (attempt {})", step.name, step.attempt),
            Some(step) => format!("  {}", step.name),
            None if host.generation_done < self.order => "  waiting for a controller".to_owned(),
            None => String::new(),
        };
        let text = format!("{}  {}{doing}", host.name, host.state);
        if text != self.last {
            lines.push(text.clone());
            self.last = text;
        }
        let now: BTreeSet<String> = host.conditions.iter().filter(|it| it.status == "TRUE").map(sentence).collect();
        let new = now.difference(&self.conditions).map(|sentence| format!("{}  {sentence}", host.name));
        lines.extend(new.collect::<Vec<_>>());
        self.conditions = now;
        self.end = self.ended(host);
        lines
    }

    fn ended(&self, host: &Host) -> Option<End> {
        if host.generation_done < self.order {
            return None;
        }
        if host.generation > self.order {
            return Some(End::Overtaken);
        }
        let Some(last) = host.last_order.as_ref().filter(|last| last.number == self.order) else {
            // A token of a tenant reads no ends of orders.
            let failed = || End::Failed("failed".to_owned());
            return Some(if host.state == "FAILED" { failed() } else { End::Done });
        };
        let (outcome, reason) = (last.outcome.to_lowercase(), last.reason.as_deref().unwrap_or("unknown"));
        let message = last.message.as_deref().unwrap_or("no reason is known");
        Some(match (last.outcome.as_str(), &host.failure) {
            ("DONE", _) => End::Done,
            ("FAILED", Some(it)) if it.message == message => {
                End::Failed(format!("failed during {}: {message} ({reason})", it.during))
            }
            _ => End::Failed(format!("{outcome}: {message} ({reason})")),
        })
    }
}

fn sentence(condition: &super::read::Condition) -> String {
    let message = condition.message.as_ref().or(condition.message_for_tenants.as_ref());
    message.map_or_else(|| condition.r#type.clone(), |message| format!("{}: {message}", condition.r#type))
}

#[cfg(test)]
mod tests {
    use super::super::choose::tests::host;
    use super::*;

    fn step(name: &str, attempt: i32) -> serde_json::Value {
        json!({"attempt": attempt, "name": name, "of": 3, "since": "2026-11-20T00:00:00Z"})
    }

    fn last(outcome: &str, message: Option<&str>) -> serde_json::Value {
        json!({"number": 3, "outcome": outcome, "reason": message.map(|_| "TimedOut"), "message": message})
    }

    #[test]
    fn each_change_is_a_line_and_the_order_ends() {
        let at = |change: serde_json::Value| {
            let mut all = json!({"state": "INSTALLING", "generation": 3, "generationDone": 2});
            all.as_object_mut().expect("members").extend(change.as_object().expect("members").clone());
            host("otter", all)
        };
        let mut one = Followed::of(&at(json!({"state": "ACQUIRED"})));
        let waits = json!([{"type": "NoController", "status": "TRUE", "message": "no controller serves it", "messageForTenants": null}]);
        for (change, expected) in [
            (json!({"state": "ACQUIRED"}), vec!["otter  ACQUIRED  waiting for a controller"]),
            (json!({"state": "ACQUIRED", "conditions": waits}), vec!["otter  NoController: no controller serves it"]),
            (json!({"step": step("prepare", 1)}), vec!["otter  INSTALLING  prepare"]),
            (json!({"step": step("prepare", 1)}), vec![]),
            (json!({"step": step("prepare", 2)}), vec!["otter  INSTALLING  prepare (attempt 2)"]),
            (
                json!({"state": "INSTALLED", "generationDone": 3, "step": step("prepare", 2), "lastOrder": last("DONE", None)}),
                vec!["otter  INSTALLED"],
            ),
            (json!({"state": "FAILED"}), vec![]),
        ] {
            assert_eq!(one.look(&at(change.clone())), expected, "{change}");
        }
        assert_eq!(one.end, Some(End::Done));
        let message = Some("look at the machine");
        let failure = json!({"during": "INSTALLING", "reason": "TimedOut", "message": "look at the machine"});
        for (change, expected) in [
            (json!({}), None),
            (
                json!({"generationDone": 3, "state": "FAILED", "failure": failure, "lastOrder": last("FAILED", message)}),
                Some(End::Failed("failed during INSTALLING: look at the machine (TimedOut)".to_owned())),
            ),
            // A failed order for the power leaves the state, and what failed before.
            (
                json!({"generationDone": 3, "state": "FAILED", "failure": failure, "lastOrder": last("FAILED", Some("no"))}),
                Some(End::Failed("failed: no (TimedOut)".to_owned())),
            ),
            (
                json!({"generationDone": 3, "state": "FAILED", "failure": failure, "lastOrder": last("DONE", None)}),
                Some(End::Done),
            ),
            (
                json!({"generationDone": 3, "state": "ACQUIRED", "lastOrder": last("REFUSED", message)}),
                Some(End::Failed("refused: look at the machine (TimedOut)".to_owned())),
            ),
            // The end of an earlier order says nothing.
            (
                json!({"generationDone": 3, "state": "FAILED", "lastOrder": {"number": 2, "outcome": "DONE"}}),
                Some(End::Failed("failed".to_owned())),
            ),
            // The failure of an earlier order is not one of this order while it is at work.
            (json!({"failure": failure}), None),
            (json!({"generationDone": 3, "generation": 4}), Some(End::Overtaken)),
        ] {
            let mut one = Followed::of(&at(json!({})));
            one.look(&at(change.clone()));
            assert_eq!(one.end, expected, "{change}");
        }
    }
}
