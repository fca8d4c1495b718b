//! `underlay host accept-machine`: forgets what machines said of themselves, after they were exchanged.

use underlay_client::Client;

use super::choose;
use super::order::{Order, OrderAct};
use super::read::{Host, SeenIdentity};
use super::{Exit, Refused};

/// The type of the condition of a host in whose place another machine was found.
const WRONG_MACHINE: &str = "WrongMachine";

/// Accepts the machines of hosts as they are, and prints for each what was known of it and what was found in its place.
pub(super) async fn accept(client: &Client, hosts: &[String]) -> Result<Exit, Refused> {
    let chosen = choose::hosts(client, hosts).await?;
    let lines: Vec<String> = chosen.iter().map(line).collect();
    let ids = chosen.into_iter().map(|host| host.id).collect();
    Order { act: OrderAct::AcceptMachine, hosts: ids, valid_for: None }.give(client).await?;

    for line in lines {
        println!("{line}");
    }
    Ok(Exit::Done)
}

fn line(host: &Host) -> String {
    let found = host.conditions.iter().find(|condition| condition.r#type == WRONG_MACHINE);
    let found = found.and_then(|condition| condition.message.as_deref());
    let known = host.seen_identity.as_ref().map_or_else(|| "nothing".to_owned(), text);
    match found {
        Some(message) => format!("{}: forgot {known}; the last look found: {message}", host.name),
        None => format!("{}: forgot {known}; the next look says what it is", host.name),
    }
}

fn text(seen: &SeenIdentity) -> String {
    let uuid = seen.uuid.as_ref().map(|uuid| format!("the UUID {uuid}"));
    let serial = seen.serial.as_ref().map(|serial| format!("the serial number {serial}"));
    let macs = (!seen.macs.is_empty()).then(|| format!("the MAC addresses {}", seen.macs.join(", ")));
    let parts: Vec<String> = [uuid, serial, macs].into_iter().flatten().collect();
    if parts.is_empty() { "that it tells nothing".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_is_said() {
        let seen = |uuid: Option<&str>, serial: Option<&str>, macs: &[&str]| SeenIdentity {
            uuid: uuid.map(str::to_owned),
            serial: serial.map(str::to_owned),
            macs: macs.iter().map(|mac| (*mac).to_owned()).collect(),
        };
        for (seen, expected) in [
            (seen(Some("u"), Some("s"), &[]), "the UUID u, the serial number s"),
            (seen(None, None, &["a", "b"]), "the MAC addresses a, b"),
            (seen(None, None, &[]), "that it tells nothing"),
        ] {
            assert_eq!(text(&seen), expected);
        }
    }
}
