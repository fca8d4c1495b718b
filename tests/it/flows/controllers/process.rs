//! The controller as a program: beside a server and in its process.

use serde_json::{Value, json};

use super::host;
use crate::harness::{Client, Database, Process, Server, until};

/// Waits until a query says something.
async fn until_says(client: &Client, query: &str, fits: impl Fn(&Value) -> bool) -> Value {
    until(format!("{query} says it"), async || {
        let answer = client.ok(query, json!({})).await;
        if fits(&answer) { Ok(answer) } else { Err(format!("{answer:#}")) }
    })
    .await
}

/// An appliance with simulated machines, which is to be enlisted.
async fn enlist(client: &Client, machines: u32, discover: bool) {
    let url = format!("simulated://rack?machines={machines}");
    client.apply_all(vec![json!({"appliance": {"name": "a", "type": "SIMULATED", "url": url, "prefix": "r-"}})]).await;
    let id = client.ok("{ appliance(name: \"a\") { id } }", json!({})).await["appliance"]["id"].take();
    let order = "mutation($input: EnlistApplianceInput!) { enlistAppliance(input: $input) { appliance { name } } }";
    client.ok(order, json!({"input": {"appliance": id, "discover": discover, "adopt": discover}})).await;
}

const ENLISTMENT: &str = "{ appliance(name: \"a\") { enlistment { number doneAt found enlisted message } } }";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_runs_a_controller_that_enlists_and_discovers() {
    // With authentication, so that the controller needs the token of its own.
    let mut server = Server::start(Database::Sqlite).asking().arg("--with").arg("hosts").await;
    let made = server.cli(["token", "create"]).env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    let client = server.client().bearing(made.stdout.trim());
    enlist(&client, 3, true).await;
    let done = until_says(&client, ENLISTMENT, |it| !it["appliance"]["enlistment"]["doneAt"].is_null()).await;
    let enlistment = &done["appliance"]["enlistment"];
    assert_eq!(
        (&enlistment["found"], &enlistment["enlisted"], &enlistment["message"]),
        (&json!(3), &json!(3), &Value::Null)
    );
    let states = "{ hosts { nodes { name state appliance { name } managers { type } } } }";
    let all = |it: &Value| {
        let hosts = it["hosts"]["nodes"].as_array().expect("hosts").clone();
        hosts.len() == 3 && hosts.iter().all(|host| host["state"] == "AVAILABLE" && host["appliance"]["name"] == "a")
    };
    until_says(&client, states, all).await;
    assert_eq!(host(&client, "r-rack-1", "uid").await["uid"].as_str().map(str::len), Some(36));
    // A machine that is a host already stays as it is.
    enlist(&client, 4, false).await;
    let done = until_says(&client, ENLISTMENT, |it| {
        it["appliance"]["enlistment"]["number"] == 2 && !it["appliance"]["enlistment"]["doneAt"].is_null()
    });
    let done = done.await;
    assert_eq!(
        (&done["appliance"]["enlistment"]["found"], &done["appliance"]["enlistment"]["enlisted"]),
        (&json!(4), &json!(1))
    );
    assert_eq!(host(&client, "r-rack-4", "state").await["state"], "REGISTERED");
    server.stop().await;
}

/// The reports of simulated machines must fit what the demo says of them, or no host has a class.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_machines_of_the_demo_are_of_its_classes() {
    let mut server = Server::start(Database::Sqlite).arg("--with").arg("hosts").await;
    assert_eq!(server.cli(["demo"]).await.code, 0);
    let client = server.client();
    let at_once = json!({"appliance": {"name": "gpu-lab", "url": "simulated://gpu-lab?machines=12"}});
    client.apply_all(vec![at_once]).await;
    let enlist = ["appliance", "enlist", "gpu-lab", "--discover", "--adopt", "--provisioner", "simulated", "--wait"];
    let enlisted = server.cli(enlist).await;
    assert_eq!(enlisted.code, 0, "{enlisted:?}");

    let query = "{ hosts { nodes { name state class { name } machine { ... on Device { role } } hardware { disks { type } } } } }";
    let hosts = client.ok(query, json!({})).await;
    let hosts = hosts["hosts"]["nodes"].as_array().expect("hosts").clone();
    assert_eq!(hosts.len(), 12);
    for host in hosts {
        assert_eq!((&host["state"], &host["class"]["name"]), (&json!("AVAILABLE"), &json!("gpu-large")), "{host}");
        assert_eq!(host["machine"]["role"], "SERVER", "{host}");
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_that_may_not_work_says_so_and_ends() {
    let server = Server::start(Database::Sqlite).asking().await;
    let state = server.folder().join("hosts.json").into_os_string();
    let run = |more: &[&str]| {
        let arguments = ["run", "hosts", "--state"].map(std::ffi::OsString::from).into_iter().chain([state.clone()]);
        server.cli(arguments.chain(more.iter().map(Into::into)))
    };
    for (roles, message) in [
        ("viewer", "may not take leases: its token needs the role reconciler"),
        ("reconciler", "may not read the passwords of machines: its token needs the role secrets-reader"),
    ] {
        let made =
            server.cli(["token", "create", "--role", roles]).env("UNDERLAY_RUN_DIR", server.folder().join("run"));
        let ended = run(&[]).env("UNDERLAY_TOKEN", made.await.stdout.trim()).await;
        assert!(ended.code == 1 && ended.stderr.contains(message), "{roles}: {ended:?}");
    }
    let refused = run(&[]).env("UNDERLAY_TOKEN", "no token").await;
    assert!(refused.code == 1 && refused.stderr.contains("UNAUTHENTICATED"), "{refused:?}");
    let unreadable = run(&["--token-file", "/nowhere/token"]).await;
    assert!(
        unreadable.code == 1 && unreadable.stderr.contains("the token in /nowhere/token cannot be used"),
        "{unreadable:?}"
    );
    let ironic = ["--ironic-url", "http://127.0.0.1:1", "--ironic-auth", "http-basic", "--ironic-username", "u"];
    let unreadable = run(&[&ironic[..], &["--ironic-password-file", "/nowhere/password"]].concat()).await;
    assert!(unreadable.code == 1 && unreadable.stderr.contains("/nowhere/password cannot be read"), "{unreadable:?}");
}

/// Returns the address at which a process answers health checks.
async fn health(process: &Process) -> String {
    until("the process says where its health checks are", async || {
        let printed = process.stderr();
        let (_, rest) = printed.split_once("health checks and metrics at ")?;
        rest.split_once('\n').map(|(url, _)| url.to_owned())
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_is_a_program_with_health_checks() {
    let server = Server::start(Database::Sqlite).await;
    let state = server.folder().join("controller").join("hosts.json");
    let start = || {
        let arguments = ["run", "hosts", "--listen", "127.0.0.1:0", "--state"].map(Into::into);
        server.cli(arguments.into_iter().chain([state.clone().into_os_string()])).start()
    };
    let mut process = start();
    let probe = Client::new(&health(&process).await);
    until("the controller is ready", async || {
        let answer = probe.get("/readyz").await;
        if answer.status == 200 { Ok(()) } else { Err(answer.text()) }
    })
    .await;
    assert_eq!(probe.get("/healthz").await.status, 200);
    let all = "underlay_control_leases{controller=\"hosts\"} 64";
    until("the controller has all leases", async || {
        let metrics = probe.get("/metrics").await.text();
        if metrics.contains(all) { Ok(()) } else { Err(metrics) }
    })
    .await;
    let held = "{ leases(prefix: \"hosts/\") { leases { name until } now } }";
    let count = |it: &Value| {
        let leases = it["leases"]["leases"].as_array().expect("leases").clone();
        leases.iter().filter(|lease| lease["until"].as_str() > it["leases"]["now"].as_str()).count()
    };
    assert_eq!(count(&server.client().ok(held, json!({})).await), 65, "and the one by which others know of it");
    // Asked to end, it gives its leases back; killed, it cannot, and the next one waits for them.
    let ends = async || {
        let found = server.client().ok(held, json!({})).await;
        let leases = found["leases"]["leases"].as_array().expect("leases").clone();
        leases.iter().map(|lease| lease["until"].as_str().expect("a time").to_owned()).collect::<Vec<String>>()
    };
    let first_end = ends().await.into_iter().min().expect("a lease");
    process.signal(libc::SIGTERM);
    assert!(process.end().await.success(), "it ends well");
    // It waits for the answer for two seconds only, so the server can be behind. What is not given back ends later.
    until("the leases are given back", async || {
        let now = ends().await;
        if now.iter().all(|end| *end < first_end) { Ok(()) } else { Err(format!("{now:?}; before: {first_end}")) }
    })
    .await;
    assert_eq!(count(&server.client().ok(held, json!({})).await), 0);
    assert!(state.exists(), "the state file is kept");
    let mut process = start();
    let url = health(&process).await;
    process.kill();
    assert_ne!(url, "");
    // A server that does not answer keeps it from being ready, with the reason.
    let mut alone = server
        .cli(
            ["run", "hosts", "--listen", "127.0.0.1:0", "--state"]
                .map(std::ffi::OsString::from)
                .into_iter()
                .chain([server.folder().join("other.json").into_os_string()]),
        )
        .server("http://127.0.0.1:1")
        .start();
    let probe = Client::new(&health(&alone).await);
    let not_ready = probe.get("/readyz").await;
    assert_eq!(not_ready.status, 503, "{}", not_ready.text());
    alone.kill();
}
