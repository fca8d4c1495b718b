//! The commands for hosts and appliances: tables, names that other commands take, and what they refuse.

use serde_json::{Value, json};

use crate::harness::{Database, Outcome, Server};

/// A server with two devices that are hosts, a host without a machine, and an appliance.
async fn with_hosts() -> Server {
    let server = Server::start(Database::Sqlite).await;
    let device = |name: &str, unit: i64| {
        json!({"device": {"name": name, "site": {"site": "ams1"}, "role": "SERVER",
            "placement": {"rack": {"site": "ams1", "rack": "A1"}, "startUnit": unit, "unitHeight": 1}}})
    };
    let host = |name: &str, more: Value| {
        let mut fields = json!({ "name": name });
        fields.as_object_mut().expect("fields").extend(more.as_object().expect("members").clone());
        json!({ "host": fields })
    };
    let machine = |name: &str| json!({"device": {"site": "ams1", "device": name}});
    server
        .client()
        .apply_all(vec![
            json!({"site": {"name": "ams1", "type": "DATACENTER"}}),
            json!({"rack": {"name": "A1", "site": {"site": "ams1"}, "heightU": 40}}),
            device("srv-1", 1),
            device("srv-2", 2),
            json!({"hostClass": {"name": "large"}}),
            json!({"credential": {"name": "bmc", "type": "BASIC", "username": "root"}}),
            json!({"appliance": {"name": "lab", "type": "SIMULATED", "url": "simulated://lab", "site": {"site": "ams1"},
                "credential": {"credential": "bmc"}}}),
            host("brave-otter", json!({"machine": machine("srv-1"), "class": {"hostClass": "large"}, "appliance": {"appliance": "lab"}})),
            host("calm-heron", json!({"machine": machine("srv-2"), "maintenance": {"ann": "a new fan"}, "labels": {"env": "lab"}})),
            host("lone-wolf", json!({"title": "nowhere"})),
        ])
        .await;
    server
}

fn rows(outcome: &Outcome) -> Vec<Vec<String>> {
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    outcome.stdout.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hosts_and_appliances_are_listed() {
    let server = with_hosts().await;
    let table = rows(&server.cli(["host", "list"]).await);
    assert_eq!(table[0], ["NAME", "STATE", "POWER", "CLASS", "MACHINE", "RACK", "CLUSTER", "AGE"]);
    assert_eq!(table.len(), 4);
    assert_eq!(table[1][..7], ["brave-otter", "REGISTERED", "UNKNOWN", "large", "srv-1", "A1", "-"]);
    assert_eq!(table[3][..7], ["lone-wolf", "REGISTERED", "UNKNOWN", "-", "-", "-", "-"]);
    let wide = rows(&server.cli(["host", "list", "-o", "wide", "--label", "env=lab"]).await);
    assert_eq!(wide.len(), 2, "{wide:?}");
    assert_eq!((wide[1][5].as_str(), wide[1][8..10].join(" ").as_str()), ("ams1/A1", "maintenance: ann"));

    for (arguments, expected) in [
        (&["--class", "large"][..], "host/brave-otter\n"),
        (&["--appliance", "lab"], "host/brave-otter\n"),
        (&["--within", "rack/ams1/A1"], "host/brave-otter\nhost/calm-heron\n"),
        (&["--within", "site/ams1", "--label", "env=lab"], "host/calm-heron\n"),
        (&["--state", "registered,AVAILABLE", "--limit", "1"], "host/brave-otter\n"),
        (&["--state", "failed"], ""),
        (&["--cluster", "k8s"], ""),
    ] {
        let outcome = server.cli([&["host", "list", "-o", "name"], arguments].concat()).await;
        assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected), "{arguments:?}: {outcome:?}");
    }
    let json: Value = serde_json::from_str(&server.cli(["host", "list", "-o", "json"]).await.stdout).expect("JSON");
    assert_eq!(json[0]["machine"]["name"], "srv-1");
    let none = server.cli(["host", "list", "--state", "wiping"]).await;
    assert_eq!((none.code, none.stderr.as_str()), (0, "there are no such hosts\n"), "{none:?}");

    let table = rows(&server.cli(["appliance", "list"]).await);
    assert_eq!(table[0], ["NAME", "TYPE", "URL", "CREDENTIAL", "SECRETS", "SITE", "RACK", "HOSTS", "AGE"]);
    assert_eq!(table[1][..8], ["lab", "SIMULATED", "simulated://lab", "bmc", "UNREADABLE", "ams1", "-", "1"]);
    let names = server.cli(["appliance", "list", "-o", "name"]).await;
    assert_eq!(names.stdout, "appliance/lab\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_arguments_are_refused_before_anything_is_ordered() {
    let server = with_hosts().await;
    let before = server.client().ok("{ revision }", json!({})).await;
    for (arguments, code, message) in [
        (&["host", "adopt", "nobody"][..], 1, "there is no host \"nobody\" (NOT_FOUND)"),
        (&["host", "adopt", "brave-otter", "h-nobody"], 1, "NOT_FOUND"),
        (&["host", "adopt"], 2, "required"),
        (&["host", "adopt", "brave-otter", "--as", "failed"], 2, "invalid value"),
        (&["host", "install", "brave-otter"], 2, "--profile"),
        (&["host", "install", "brave-otter", "--profile", "nothing"], 1, "there is no profile/nothing"),
        (&["host", "install", "brave-otter", "--profile", "x", "--set", "a"], 2, "NAME=VALUE"),
        (&["host", "power", "sideways", "brave-otter"], 2, "invalid value"),
        (&["host", "acquire"], 2, "required"),
        (&["host", "acquire", "--class", "large", "--most", "1"], 2, "--spread"),
        (&["host", "release", "brave-otter", "--timeout", "1h"], 2, "--wait"),
        (&["host", "release", "brave-otter", "--wait", "--timeout", "soon"], 2, "30m"),
        (&["appliance", "enlist", "nothing"], 1, "there is no appliance/nothing"),
        (&["appliance", "register", "x", "--type", "redfish", "--ask-password"], 2, "--username"),
    ] {
        let outcome = server.cli(arguments).await;
        assert!(outcome.code == code && outcome.stderr.contains(message), "{arguments:?}: {outcome:?}");
    }
    assert_eq!(server.client().ok("{ revision }", json!({})).await, before);
}
