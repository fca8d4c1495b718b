//! Controllers of sites: each site is divided among its own, none is beside a controller of all hosts, and a host that moves
//! goes from one to the other.

use serde_json::{Value, json};
use underlay_hosts::controller::Scope;

use super::host;
use super::lives::{Running, Scene, simulated, until, until_passed};
use crate::harness::metrics::Exported;
use crate::harness::{self, Client, Process, Server, on_both_databases};

fn site(name: &str) -> Value {
    json!({"site": {"name": name, "type": "DATACENTER"}})
}

fn appliance(name: &str, site: &str) -> Value {
    json!({"appliance": {"name": name, "type": "SIMULATED", "url": format!("simulated://{name}"), "site": {"site": site}}})
}

/// A host of an appliance.
fn of(appliance: &str, name: &str) -> Value {
    let mut host = simulated(name, "");
    host["host"]["appliance"] = json!({ "appliance": appliance });
    host
}

fn within(site: &str) -> Scope {
    Scope { site: Some(site.to_owned()), appliances: None }
}

async fn power(client: &Client, names: &[String], power: &str) {
    let mut ids = Vec::new();
    for name in names {
        ids.push(host(client, name, "id").await["id"].take());
    }
    let order = "mutation($input: SetHostPowerInput!) { setHostPower(input: $input) { hosts { name } } }";
    client.ok(order, json!({"input": {"ids": ids, "power": power}})).await;
}

async fn until_powered(client: &Client, name: &str, power: &str) {
    until(client, name, |host| host["power"] == power && host["generation"] == host["generationDone"]).await;
}

/// Waits until a controller is as it should be.
async fn until_ready(running: &Running, fits: impl Fn(&str) -> bool) -> String {
    harness::until("the controller is as it should be", async || {
        let reasons = running.status.not_ready().join("\n");
        if fits(&reasons) { Ok(reasons) } else { Err(format!("{reasons:?}")) }
    })
    .await
}

async fn take(client: &Client, names: &[String], holder: &str) -> Value {
    let take = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { name epoch } } }";
    client.ok(take, json!({"input": {"names": names, "holder": holder, "seconds": 600}})).await["takeLeases"]["leases"]
        .take()
}

on_both_databases! {
    async fn the_hosts_of_each_site_are_served_by_its_own_controllers(server: Server) {
        let (scene, client) = (Scene::new(), server.client());
        let mut items = vec![site("a"), site("b"), appliance("ap-a", "a"), appliance("ap-b", "b"), simulated("nowhere", "")];
        let names: Vec<String> = (0..6).flat_map(|at| [format!("a{at}"), format!("b{at}")]).collect();
        items.extend(names.iter().map(|name| of(&format!("ap-{}", &name[..1]), name)));
        client.apply_all(items).await;
        let running = [("a", 1), ("b", 2), ("b", 3)].map(|(site, number)| scene.start_in(server.url(), number, within(site)));
        power(&client, &names, "ON").await;
        for name in &names {
            until_powered(&client, name, "ON").await;
        }
        let found = host(&client, "a0", "site { name }").await;
        assert_eq!(found["site"]["name"], "a");
        // No controller looks at a host of no site, also when it changes.
        until_passed(&client, &running.each_ref(), &["nowhere"], 2).await;
        assert_eq!(host(&client, "nowhere", "power site { name }").await, json!({"power": "UNKNOWN", "site": null}));
    }

    async fn a_host_that_moves_is_served_at_its_new_site(server: Server) {
        let (scene, client) = (Scene::new(), server.client());
        client.apply_all(vec![site("a"), site("b"), appliance("ap", "a"), of("ap", "m")]).await;
        let names = ["m".to_owned()];
        let first = scene.start_in(server.url(), 1, within("a"));
        power(&client, &names, "ON").await;
        until_powered(&client, "m", "ON").await;
        client.apply_all(vec![json!({"appliance": {"name": "ap", "site": {"site": "b"}}})]).await;
        let counts = scene.counts("m");
        power(&client, &names, "CYCLE").await;
        until_passed(&client, &[&first], &names, 2).await;
        assert_eq!(scene.counts("m"), counts, "the first one must not act any more");
        let second = scene.start_in(server.url(), 2, within("b"));
        until(&client, "m", |host| host["generation"] == host["generationDone"]).await;
        assert_eq!(scene.counts("m").power_cuts, counts.power_cuts + 1);
        for running in [first, second] {
            running.stop().await;
        }
    }

    async fn a_controller_of_all_hosts_takes_over_when_those_of_sites_have_ended(server: Server) {
        let (scene, client) = (Scene::new(), server.client());
        client.apply_all(vec![site("a"), appliance("ap", "a"), of("ap", "m"), simulated("nowhere", "")]).await;
        let of_site = scene.start_in(server.url(), 1, within("a"));
        until_ready(&of_site, str::is_empty).await;
        until(&client, "m", |host| host["power"] == "OFF").await;
        let of_all = scene.start(server.url(), 2);
        let reasons = until_ready(&of_all, |it| it.contains("holds the lease hosts/")).await;
        assert!(reasons.contains("give every controller `--within`, or none"), "{reasons}");
        assert_eq!(host(&client, "nowhere", "power").await["power"], "UNKNOWN");
        of_site.stop().await;
        until(&client, "nowhere", |host| host["power"] == "OFF").await;
        until_ready(&of_all, str::is_empty).await;
        power(&client, &["m".to_owned()], "ON").await;
        until_powered(&client, "m", "ON").await;
    }

    async fn a_report_under_a_lease_of_another_site_is_refused(server: Server) {
        let client = server.client();
        client.apply_all(vec![site("a"), site("b"), appliance("ap", "a"), of("ap", "m"), simulated("nowhere", "")]).await;
        let mut sites = Vec::new();
        for name in ["a", "b"] {
            let id = client.ok("query($n: String!) { site(name: $n) { id } }", json!({ "n": name })).await["site"]["id"].take();
            sites.push(id.as_str().expect("an id").to_owned());
        }
        let report = "mutation($input: ReportHostsInput!) { reportHosts(input: $input) { results { error { code field message } } } }";
        let fields = "id observedVersion generation generationDone state power observed { by } history { nodes { act } }";
        for (name, site, other) in [("m", 0, 1), ("nowhere", 1, 0)] {
            let before = host(&client, name, fields).await;
            let id = before["id"].as_str().expect("an id").to_owned();
            let number = u8::from_str_radix(&id[id.len() - 2..], 16).expect("a byte") % 64;
            let lease = |site: usize| format!("hosts/{}/{number:02}", sites[site]);
            let taken = take(&client, &[lease(site), lease(other)], "one").await;
            let epoch = |lease: &str| taken.as_array().expect("leases").iter().find(|it| it["name"] == lease).expect("it")["epoch"].clone();
            let change = json!({"basedOn": before["observedVersion"], "generation": before["generation"], "state": before["state"],
                "power": "ON", "generationDone": before["generationDone"], "conditions": []});
            let seen = json!({"seenAt": "2026-11-01T00:00:00Z"});
            let acts = json!([{"at": "2026-11-01T00:00:00Z", "act": "look", "message": "it was seen"}]);
            let wrong = lease(other);
            for parts in [json!({"change": change}), json!({"observed": seen}), json!({"acts": acts}), json!({"cleared": true})] {
                let mut whole = json!({"host": id, "lease": wrong, "epoch": epoch(&wrong)});
                whole.as_object_mut().expect("a report").extend(parts.as_object().expect("parts").clone());
                let answer = client.ok(report, json!({"input": {"holder": "one", "reports": [whole]}})).await;
                let error = &answer["reportHosts"]["results"][0]["error"];
                assert_eq!((&error["code"], &error["field"]), (&json!("INVALID"), &json!("lease")), "{parts}: {answer}");
            }
            assert_eq!(host(&client, name, fields).await, before, "the host is untouched");
            if name == "m" {
                let right = lease(site);
                let whole = json!({"host": id, "lease": right, "epoch": epoch(&right), "change": change, "observed": seen});
                let answer = client.ok(report, json!({"input": {"holder": "one", "reports": [whole]}})).await;
                assert_eq!(answer["reportHosts"]["results"][0]["error"], Value::Null, "{answer}");
                assert_eq!(host(&client, name, "power observed { by }").await, json!({"power": "ON", "observed": {"by": "one"}}));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_says_once_why_it_has_no_leases() {
    let server = Server::start(crate::harness::Database::Sqlite).await;
    server.client().apply_all(vec![site("a")]).await;
    let start = |name: &str, more: &[&str]| -> Process {
        let state = server.folder().join(format!("{name}.json")).into_os_string();
        let arguments = ["run", "hosts", "--state"].map(std::ffi::OsString::from).into_iter().chain([state]);
        server.cli(arguments.chain(more.iter().map(std::ffi::OsString::from))).start()
    };
    let mut of_site = start("a", &["--within", "a"]);
    let held = "{ leases(prefix: \"hosts/\") { leases { name } } }";
    harness::until("the last lease is held", async || {
        server.client().ok(held, json!({})).await.to_string().contains("/63")
    })
    .await;
    let mut of_all = start("all", &[]);
    harness::until("the other one says why it has no leases", async || of_all.stderr().contains("or none")).await;
    let refused = [("operation", "mutation"), ("code", "IN_USE")];
    let refusals = async || Exported::of(&server).await.sum("underlay_requests_total", &refused);
    let before = refusals().await;
    harness::until("it is refused leases twice more", async || refusals().await >= before + 2.0).await;
    assert_eq!(of_all.stderr().matches("or none").count(), 1, "{}", of_all.stderr());
    of_all.kill();
    of_site.kill();
}
