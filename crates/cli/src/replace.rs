//! `underlay replace`: notes that a machine was exchanged, and that another one is in its place.

use clap::Args;
use clap_complete::ArgValueCompleter;
use serde::Deserialize;
use serde_json::json;
use underlay_client::{Client, ClientError};
use underlay_kit::line;

use super::complete;
use super::exit::Exit;
use super::object::{ObjectName, find};
use super::server;
use super::target::ServerAccess;

const REPLACE: &str = "mutation($input: ReplaceDeviceInput!, $requestId: String) { \
     replaceDevice(input: $input, requestId: $requestId) { device { name serial } host { name state } hadAgent } }";

#[derive(Debug, Args)]
pub struct Arguments {
    /// The device: device/gent-1/gpu-7, or an id.
    #[arg(value_name = "DEVICE", add = ArgValueCompleter::new(complete::objects))]
    device: ObjectName,
    /// The serial number of the machine that is there now.
    #[arg(long)]
    serial: String,
    /// Also replace the machine of a host that belongs to somebody. If the host is INSTALLED, it is ACQUIRED afterwards.
    #[arg(long)]
    force: bool,
    /// Show what would be written, without writing anything.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ReplaceData {
    replace_device: Replaced,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Replaced {
    device: Device,
    host: Option<Host>,
    had_agent: bool,
}

#[derive(Deserialize)]
struct Device {
    name: String,
    serial: Option<String>,
}

#[derive(Deserialize)]
struct Host {
    name: String,
    state: String,
}

pub(super) fn run(arguments: Arguments, server: ServerAccess) -> Exit {
    server::talk(server, async |client| {
        let device = match find(&client, &arguments.device).await {
            Ok(device) => device.id,
            Err(error) => return error.explain(),
        };
        match replace(&client, &device, &arguments).await {
            Ok(replaced) => {
                lines(&replaced, arguments.dry_run).iter().for_each(|text| println!("{}", line(text)));
                Exit::Done
            }
            Err(error) => server::explain(&error),
        }
    })
}

async fn replace(client: &Client, device: &str, arguments: &Arguments) -> Result<Replaced, ClientError> {
    let Arguments { device: _, serial, force, dry_run } = arguments;
    let input = json!({ "device": device, "serial": serial, "force": force, "dryRun": dry_run });
    let ReplaceData { replace_device } =
        client.mutate(REPLACE, |id| json!({ "input": input, "requestId": id })).await?;
    Ok(replace_device)
}

/// Returns what is said of an exchange.
fn lines(replaced: &Replaced, is_dry_run: bool) -> Vec<String> {
    let Replaced { device, host, had_agent } = replaced;
    let dry = if is_dry_run { " (dry run)" } else { "" };
    let mut lines =
        vec![format!("{} has the serial number {}{dry}", device.name, device.serial.as_deref().unwrap_or("-"))];
    if let Some(host) = host {
        lines.push(format!("host {} is {}, and forgot the machine that it was{dry}", host.name, host.state));
    }
    if let (Some(host), true) = (host, had_agent) {
        let name = &host.name;
        lines.push(format!("the token of its agent is revoked{dry}: make another with `underlay agent token {name}`"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_said() {
        let device = || Device { name: "n1".to_owned(), serial: Some("S2".to_owned()) };
        let host = || Some(Host { name: "h1".to_owned(), state: "ACQUIRED".to_owned() });
        let of = |host, had_agent, is_dry_run| lines(&Replaced { device: device(), host, had_agent }, is_dry_run);
        assert_eq!(of(None, false, false), ["n1 has the serial number S2"]);
        let dry = [
            "n1 has the serial number S2 (dry run)",
            "host h1 is ACQUIRED, and forgot the machine that it was (dry run)",
        ];
        assert_eq!(of(host(), false, true), dry);
        let last = of(host(), true, false).pop();
        let says = "the token of its agent is revoked: make another with `underlay agent token h1`";
        assert_eq!(last.as_deref(), Some(says));
    }
}
