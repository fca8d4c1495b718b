//! Lives of simulated hosts whose server is restored from a backup: orders come again, and so do their numbers.

use serde_json::{Value, json};

use super::lives::{Scene, order, resume, simulated, switch_on, until, until_passed, until_state};
use super::write_as_server;
use crate::harness::{Cli, Database, Server, on_both_databases};

/// Starts a server on a port that it keeps over restarts, so that controllers find it again.
async fn server_with_port() -> Server {
    let mut server = Server::start(Database::Sqlite).await;
    server.keep_port();
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restored_server_lets_controllers_only_observe() {
    let mut server = server_with_port().await;
    let scene = Scene::new();
    server.client().apply_all(vec![simulated("m1", ""), simulated("m2", "")]).await;
    let controller = scene.start(server.url(), 1);
    until(&server.client(), "m2", |host| host["power"] == "OFF").await;
    let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
    write_as_server(&mut server, vec![order("m1", "INSTALL", 1, acquired)]).await;
    let backup = scene.folder.path().join("backup");
    let backup = backup.to_str().expect("a path");
    // The order is open in the backup, and done afterwards.
    let made = Cli::new(["backup", backup, "--database", &server.database_url()]).await;
    assert_eq!(made.code, 0, "{made:?}");
    until_state(&server.client(), "m1", "INSTALLED").await;
    let counts = scene.counts("m1");
    assert_eq!(counts.installs, 1);
    server.stop().await;
    let restored = Cli::new(["restore", backup, "--force", "--database", &server.database_url()]).await;
    assert_eq!(restored.code, 0, "{restored:?}");
    server.restart().await;
    let client = server.client();
    let hosts_status = "{ hostsStatus { observeOnly { reason by } hasTakenHosts } }";
    let hosts_status = client.ok(hosts_status, json!({})).await["hostsStatus"].take();
    assert_eq!(
        (&hosts_status["observeOnly"]["by"], &hosts_status["hasTakenHosts"]),
        (&json!("underlay restore"), &json!(true))
    );
    let waits = |host: &Value| host["conditions"].to_string().contains("ObserveOnly") && host["power"] == "ON";
    until(&client, "m1", waits).await;
    until_passed(&client, &[&controller], &["m1"], 2).await;
    assert_eq!(scene.counts("m1"), counts, "the machine is in use");
    // An admin sees what contradicts, corrects it, and lets controllers act.
    write_as_server(&mut server, vec![json!({"host": {"name": "m1", "state": "INSTALLED", "generationDone": 1}})])
        .await;
    let client = server.client();
    assert_eq!(resume(&client).await, json!([]), "what was seen fits again");
    until(&client, "m1", |host| host["conditions"] == json!([])).await;
    until_passed(&client, &[&controller], &["m1"], 2).await;
    assert_eq!(scene.counts("m1"), counts, "the machine is in use");
    write_as_server(&mut server, vec![order("m1", "RELEASE", 2, json!({}))]).await;
    until_state(&server.client(), "m1", "AVAILABLE").await;
}

on_both_databases! {
    async fn an_order_with_the_number_of_another_one_is_carried_out(mut server: Server) {
        let scene = Scene::new();
        server.client().apply_all(vec![simulated("m1", "")]).await;
        // A controller that acts gets to know the server before hosts are taken.
        let controller = scene.start(server.url(), 1);
        until(&server.client(), "m1", |host| host["power"] == "OFF").await;
        controller.stop().await;
        let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
        write_as_server(&mut server, vec![order("m1", "INSTALL", 1, acquired.clone())]).await;
        let controller = scene.start(server.url(), 1);
        until_state(&server.client(), "m1", "INSTALLED").await;
        let first = scene.provisioner.installed("m1").expect("a system").order;
        controller.stop().await;
        // The inventory goes back to before the order, as after a restore. What is outside does not.
        let back = json!({"host": {"name": "m1", "state": "ACQUIRED", "wanted": null, "generation": 0, "generationDone": 0}});
        write_as_server(&mut server, vec![back]).await;
        // Somebody says that its machine is to be rebooted, which runs what the first order installed.
        let mut second = order("m1", "INSTALL", 1, acquired);
        second["host"]["wanted"]["coversRunning"] = json!(true);
        write_as_server(&mut server, vec![second]).await;
        let _controller = scene.start(server.url(), 1);
        until_state(&server.client(), "m1", "INSTALLED").await;
        let second = scene.provisioner.installed("m1").expect("a system").order;
        assert_eq!((first.number, second.number, scene.counts("m1").installs), (1, 1, 2), "it was taken as done");
        assert!(first.id.is_some() && second.id.is_some() && first.id != second.id, "{first:?} {second:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_of_before_a_restore_is_never_taken_for_another_one() {
    let mut server = server_with_port().await;
    let scene = Scene::new();
    let names = ["again", "open", "used"];
    server.client().apply_all(names.map(|name| simulated(name, "")).to_vec()).await;
    let controller = scene.start(server.url(), 1);
    for name in names {
        until(&server.client(), name, |host| host["power"] == "OFF").await;
    }
    controller.stop().await;
    switch_on(&scene.world, "used").await;
    let acquired = json!({"state": "ACQUIRED", "acquiredFor": "tests"});
    let mut again = json!({"host": {"name": "again"}});
    again["host"].as_object_mut().expect("fields").extend(acquired.as_object().expect("fields").clone());
    let used = json!({"host": {"name": "used", "state": "INSTALLED"}});
    write_as_server(&mut server, vec![again, order("open", "INSTALL", 1, acquired), used]).await;
    let backup = scene.folder.path().join("backup");
    let backup = backup.to_str().expect("a path");
    let made = Cli::new(["backup", backup, "--database", &server.database_url()]).await;
    assert_eq!(made.code, 0, "{made:?}");
    // After the backup one order is given and both are done.
    write_as_server(&mut server, vec![order("again", "INSTALL", 1, json!({}))]).await;
    let controller = scene.start(server.url(), 1);
    for name in ["again", "open"] {
        until_state(&server.client(), name, "INSTALLED").await;
    }
    let first = scene.provisioner.installed("again").expect("a system").order;
    let counts = names.map(|name| scene.counts(name));
    controller.stop().await;
    server.stop().await;
    let restored = Cli::new(["restore", backup, "--force", "--database", &server.database_url()]).await;
    assert_eq!(restored.code, 0, "{restored:?}");
    server.restart().await;
    let client = server.client();
    let controller = scene.start(server.url(), 1);
    until(&client, "again", |host| host["power"] == "ON" && host["state"] == "ACQUIRED").await;
    until(&client, "open", |host| host["power"] == "ON" && host["state"] == "ACQUIRED").await;
    until_passed(&client, &[&controller], &names, 2).await;
    assert_eq!(names.map(|name| scene.counts(name)), counts, "controllers only observe");
    // An admin lets controllers act, and looks at nothing. The order that is open was done, and its machine is in use.
    assert!(resume(&client).await.to_string().contains("its order to INSTALL ends without an act"));
    let ended = until(&client, "open", |host| host["generation"] == host["generationDone"]).await;
    assert_eq!((&ended["state"], &ended["lastOrder"]["outcome"]), (&json!("ACQUIRED"), &json!("EXPIRED")), "{ended:#}");
    until_passed(&client, &[&controller], &names, 2).await;
    assert_eq!(names.map(|name| scene.counts(name)), counts, "all of them are in use");
    // Another order gets the number of the one that was lost. Its machine runs, so it is refused until somebody says so.
    write_as_server(&mut server, vec![order("again", "INSTALL", 1, json!({}))]).await;
    let refused = until(&server.client(), "again", |host| host["lastOrder"]["outcome"] == "REFUSED").await;
    assert_eq!((&refused["lastOrder"]["reason"], scene.counts("again")), (&json!("MachineRuns"), counts[0]));
    let mut covered = order("again", "INSTALL", 2, json!({}));
    covered["host"]["wanted"]["coversRunning"] = json!(true);
    write_as_server(&mut server, vec![covered]).await;
    until_state(&server.client(), "again", "INSTALLED").await;
    let second = scene.provisioner.installed("again").expect("a system").order;
    assert_eq!((first.number, second.number, scene.counts("again").installs), (1, 2, 2), "it was taken as done");
    assert!(first.id.is_some() && second.id.is_some() && first.id != second.id, "{first:?} {second:?}");
    assert_eq!([scene.counts("open"), scene.counts("used")], [counts[1], counts[2]], "they are in use");
}
