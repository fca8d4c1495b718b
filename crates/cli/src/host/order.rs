//! The orders for hosts, as mutations of the API.

use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use underlay_client::{Client, ClientError};

use super::read::{HOST, Host};

/// An order for hosts.
pub(super) struct Order {
    pub(super) act: OrderAct,
    /// The ids of the hosts.
    pub(super) hosts: Vec<String>,
    /// The seconds within which it must begin; `None` for the usual time.
    pub(super) valid_for: Option<Value>,
}

/// The act that is ordered.
pub(super) enum OrderAct {
    Adopt {
        state: HostStateArg,
        force: bool,
    },
    Discover {
        adopt: bool,
        force: bool,
    },
    Install {
        profile: String,
        variables: Map<String, Value>,
        force: bool,
    },
    Release {
        wipe: bool,
        force: bool,
    },
    Power {
        power: Power,
        force: bool,
    },
    Boot {
        boot: Boot,
        force: bool,
    },
    Retry,
    Cancel,
    AcceptMachine,
    AcknowledgeHardware,
    ReadHardware,
    /// For one host alone.
    Override {
        state: HostStateArg,
        reason: String,
    },
}

/// A state of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum HostStateArg {
    /// Nothing is done with the host, which may be in use.
    Registered,
    /// The hardware is being found out.
    Discovering,
    /// The host is free.
    Available,
    /// The host belongs to somebody, and nothing is installed.
    Acquired,
    /// A system is being installed.
    Installing,
    /// The host runs a system.
    Installed,
    /// The host is being switched off and detached.
    Releasing,
    /// The disks are being erased.
    Wiping,
    /// The host waits for a person.
    Failed,
}

/// A change of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Power {
    /// Switch on.
    On,
    /// Ask the machine to shut down.
    Off,
    /// Switch off and on.
    Cycle,
}

/// A device to boot from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Boot {
    /// A disk of the host.
    Local,
    /// The network, from which a boot server answers.
    Network,
}

/// Returns the word of the API for a value.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_uppercase()).unwrap_or_default()
}

impl HostStateArg {
    /// Returns the word of the API for the state.
    pub(super) fn word(self) -> String {
        word(&self)
    }
}

#[derive(Deserialize)]
struct OrderData {
    order: OrderPayload,
}

#[derive(Deserialize)]
struct OrderPayload {
    hosts: Vec<Host>,
}

impl Order {
    /// Gives the order, for all of the hosts or for none. Returns the hosts after it.
    pub(super) async fn give(self, client: &Client) -> Result<Vec<Host>, ClientError> {
        let (mutation, input) = self.request();
        let text = mutation_text(mutation);
        let OrderData { order } = client.mutate(&text, |id| json!({ "input": input, "requestId": id })).await?;
        Ok(order.hosts)
    }

    /// Returns the mutation and its input.
    fn request(self) -> (&'static str, Value) {
        let ids = self.hosts;
        let (mutation, mut input) = match self.act {
            OrderAct::Adopt { state, force } => {
                ("adoptHosts", json!({ "ids": ids, "as": word(&state), "force": force }))
            }
            OrderAct::Discover { adopt, force } => {
                ("discoverHosts", json!({ "ids": ids, "adopt": adopt, "force": force }))
            }
            OrderAct::Install { profile, variables, force } => {
                let profile = json!({ "id": profile });
                let input = json!({ "ids": ids, "profile": profile, "variables": variables, "force": force });
                ("installHosts", input)
            }
            OrderAct::Release { wipe, force } => ("releaseHosts", json!({ "ids": ids, "wipe": wipe, "force": force })),
            OrderAct::Power { power, force } => {
                ("setHostPower", json!({ "ids": ids, "power": word(&power), "force": force }))
            }
            OrderAct::Boot { boot, force } => {
                ("setHostBoot", json!({ "ids": ids, "boot": word(&boot), "force": force }))
            }
            OrderAct::Retry => ("retryHosts", json!({ "ids": ids })),
            OrderAct::Cancel => ("cancelHosts", json!({ "ids": ids })),
            OrderAct::AcceptMachine => ("acceptMachines", json!({ "ids": ids })),
            OrderAct::AcknowledgeHardware => ("acknowledgeHardware", json!({ "ids": ids })),
            OrderAct::ReadHardware => ("readHardware", json!({ "ids": ids })),
            OrderAct::Override { state, reason } => {
                ("overrideHost", json!({ "id": ids.first(), "state": word(&state), "reason": reason }))
            }
        };
        if let Some(seconds) = self.valid_for {
            input["validFor"] = seconds;
        }
        (mutation, input)
    }
}

/// Returns the text of a mutation. The type of its input is named after it.
fn mutation_text(mutation: &str) -> String {
    let (first, rest) = mutation.split_at(1);
    let input = format!("{}{rest}Input", first.to_uppercase());
    format!(
        "mutation($input: {input}!, $requestId: String) {{ \
         order: {mutation}(input: $input, requestId: $requestId) {{ hosts {{ {HOST} }} }} }}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_mutations_of_the_api() {
        let request = |act| Order { act, hosts: vec!["1".to_owned()], valid_for: None }.request();
        for (act, mutation, input) in [
            (
                OrderAct::Adopt { state: HostStateArg::Installed, force: false },
                "adoptHosts",
                json!({"ids": ["1"], "as": "INSTALLED", "force": false}),
            ),
            (
                OrderAct::Discover { adopt: false, force: true },
                "discoverHosts",
                json!({"ids": ["1"], "adopt": false, "force": true}),
            ),
            (
                OrderAct::Install { profile: "p".to_owned(), variables: Map::new(), force: false },
                "installHosts",
                json!({"ids": ["1"], "profile": {"id": "p"}, "variables": {}, "force": false}),
            ),
            (
                OrderAct::Release { wipe: true, force: false },
                "releaseHosts",
                json!({"ids": ["1"], "wipe": true, "force": false}),
            ),
            (
                OrderAct::Power { power: Power::Cycle, force: false },
                "setHostPower",
                json!({"ids": ["1"], "power": "CYCLE", "force": false}),
            ),
            (
                OrderAct::Boot { boot: Boot::Network, force: false },
                "setHostBoot",
                json!({"ids": ["1"], "boot": "NETWORK", "force": false}),
            ),
            (OrderAct::Retry, "retryHosts", json!({"ids": ["1"]})),
            (OrderAct::Cancel, "cancelHosts", json!({"ids": ["1"]})),
            (OrderAct::ReadHardware, "readHardware", json!({"ids": ["1"]})),
            (
                OrderAct::Override { state: HostStateArg::Available, reason: "r".to_owned() },
                "overrideHost",
                json!({"id": "1", "state": "AVAILABLE", "reason": "r"}),
            ),
        ] {
            assert_eq!(request(act), (mutation, input));
            let text = mutation_text(mutation);
            underlay_testing::graphql::assert_valid(text);
        }
        let order = Order { act: OrderAct::Retry, hosts: vec![], valid_for: Some(json!(90)) };
        assert_eq!(order.request().1, json!({"ids": [], "validFor": 90}));
        assert!(mutation_text("setHostPower").contains("$input: SetHostPowerInput!"));
    }
}
