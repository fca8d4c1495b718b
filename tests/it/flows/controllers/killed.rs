//! A controller, as a program, that is killed while machines are switched by Redfish: another one takes over, and no
//! machine is switched more often than it was ordered.

use serde_json::{Value, json};

use super::host;
use super::lives::command;
use super::redfish::{controller_command, enlisted, switch};
use crate::flows::secrets::{keep_keys, token};
use crate::harness::sushy::{Emulator, PASSWORD, USER};
use crate::harness::{Client, Database, Process, Server, scratch, until};

/// The divisor of the controllers' times. The lease of a killed controller lasts for a minute, and a step that it wrote,
/// and whose act nobody knows to be made, is repeated only after the deadline of the step, which is five minutes. Calls
/// have a sixth of 20 s then, which the emulator keeps on a slow machine too.
const DIVISOR: &str = "6";
/// The machines in use that get an order to be switched off and on.
const CYCLED_MACHINES: [usize; 3] = [0, 1, 2];
/// The machines in use that get no order.
const LEFT_ALONE: [usize; 2] = [3, 4];
/// The machines that are off and get an order to be switched on.
const SWITCHED_ON: [usize; 3] = [5, 6, 7];

fn name(number: usize) -> String {
    format!("lab-fake-{number}")
}

/// Waits until the orders of these hosts are done or have failed.
async fn until_done(client: &Client, numbers: &[usize]) -> Vec<Value> {
    const FIELDS: &str =
        "power generation generationDone lastOrder { outcome reason message } step { name since attempt }
        conditions { type status message } observed { seenAt powerAt detail } history { nodes { at by act message } }";
    let mut done = Vec::new();
    for number in numbers {
        let is_done = until(format!("the order of {number} is done"), async || {
            let now = host(client, &name(*number), FIELDS).await;
            if now["generation"] == now["generationDone"] { Ok(now) } else { Err(format!("{now:#}")) }
        });
        done.push(is_done.await);
    }
    done
}

/// Two controllers that share the hosts.
async fn two_controllers(server: &Server, client: &Client) -> [Process; 2] {
    let folders = ["first", "second"].map(|name| server.folder().join(name));
    for folder in &folders {
        std::fs::create_dir(folder).expect("create a folder");
    }
    let both = [
        controller_command(server, &folders[0]).await.env("UNDERLAY_TEST_TIMES", DIVISOR).start(),
        controller_command(server, &folders[1]).await.env("UNDERLAY_TEST_TIMES", DIVISOR).start(),
    ];
    let leases = "{ leases(prefix: \"hosts/\") { leases { name holder } } }";
    until("the two controllers share the leases", async || {
        let held = client.ok(leases, json!({})).await;
        let held = held["leases"]["leases"].as_array().expect("leases").clone();
        let mut holders: Vec<&Value> = held.iter().map(|lease| &lease["holder"]).collect();
        holders.sort_by_key(|holder| holder.to_string());
        let counts: Vec<usize> = holders.chunk_by(|one, other| one == other).map(<[_]>::len).collect();
        let are_shared = counts.len() == 2 && counts.iter().all(|count| *count > 20);
        if are_shared { Ok(()) } else { Err(format!("{counts:?}")) }
    })
    .await;
    both
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs sushy-emulator"]
async fn a_killed_controller_switches_no_machine_twice() {
    let emulator = Emulator::start_slow(8).await;
    let keys = scratch::folder("killed");
    keep_keys(&keys.path().join("keys"), &[1]);
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEY_FILE", keys.path().join("keys"));
    let server = server.env("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8").await;
    let client = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let reader = server.client().bearing(&token(&server, &["--role", "reconciler"]).await);
    let url = format!("redfish+http://127.0.0.1:{}", emulator.port);
    let credential = json!({"credential": {"name": "bmc", "type": "BASIC", "username": USER}});
    let appliance = json!({"appliance": {"name": "lab", "type": "REDFISH", "url": url,
        "credential": {"credential": "bmc"}, "namePattern": "fake-?", "prefix": "lab-"}});
    client.apply_all(vec![credential, appliance]).await;
    let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
    let secret = json!({"credential": {"credential": "bmc"}, "field": "password", "value": PASSWORD});
    client.ok(set, json!({"input": {"secrets": [secret]}})).await;
    let [mut first, mut second] = two_controllers(&server, &reader).await;

    assert_eq!(enlisted(&client, "lab", false).await["enlisted"], 8);
    let in_use: Vec<usize> = CYCLED_MACHINES.iter().chain(&LEFT_ALONE).copied().collect();
    let mut ids = Vec::new();
    for number in &in_use {
        switch(&client, &name(*number), "ON").await;
        ids.push(host(&client, &name(*number), "id").await["id"].take());
    }
    until_done(&client, &in_use).await;
    command(&client, "adoptHosts", &ids, json!({"as": "INSTALLED"})).await;
    let before = emulator.resets();
    assert_eq!(before, [1, 1, 1, 1, 1, 0, 0, 0], "each was switched on once");

    for number in CYCLED_MACHINES {
        switch(&client, &name(number), "CYCLE").await;
    }
    for number in SWITCHED_ON {
        switch(&client, &name(number), "ON").await;
    }
    until("the first machine is switched", async || emulator.resets() != before).await;
    first.kill();

    let cycled = until_done(&client, &CYCLED_MACHINES).await;
    let switched = until_done(&client, &SWITCHED_ON).await;
    let after = emulator.resets();
    for (number, host) in CYCLED_MACHINES.iter().zip(&cycled) {
        let times = after[*number] - before[*number];
        let may_be = match host["lastOrder"]["reason"].as_str() {
            None => times == 1,
            Some("Unanswered") => times <= 1,
            Some(_) => false,
        };
        assert!(may_be, "{number} was switched {times} times: {host}");
    }
    for number in LEFT_ALONE {
        assert_eq!(after[number], before[number], "{number} had no order");
    }
    for (number, host) in SWITCHED_ON.iter().zip(&switched) {
        assert_eq!((&host["power"], after[*number]), (&json!("ON"), 1), "{number}: {host}");
    }
    second.signal(libc::SIGTERM);
    assert!(second.end().await.success(), "the other one ends well");
}
