use serde_json::json;
use underlay_hosts::host::{Order, Power, State};
use underlay_hosts::life::{Duty, PowerAct};
use underlay_hosts::provisioner::{Call, Progress, Provisioner as _};

use crate::model::{Machine, Model};
use crate::order::{ADDRESS, End, PASSWORD, ask, at_once, carry_out, host, provisioner, target, work};

#[tokio::test]
async fn a_host_lives_from_its_registration_to_its_end() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    let id = host.id.to_string();
    let seen = provisioner.see(&host).await.expect("a look");
    assert_eq!((seen.power, seen.is_known), (Some(Power::Unknown), false));

    // Registered, and neither provided nor touched.
    assert_eq!(work(&provisioner, &host, Duty::Register).await, End::Done);
    let node = model.node(&id).expect("a node");
    assert_eq!((&node["provision_state"], &node["automated_clean"]), (&json!("manageable"), &json!(false)));
    assert_eq!(node["extra"]["underlay"], json!({"host": host.id, "name": "calm-otter"}));
    assert_eq!(node["driver_info"]["redfish_password"], PASSWORD);
    assert_eq!(model.machine(ADDRESS), Machine::default());
    let seen = provisioner.see(&host).await.expect("a look");
    assert_eq!((seen.power, seen.is_known), (Some(Power::Off), true));

    assert_eq!(carry_out(&provisioner, &mut host, Order::Discover).await, End::Done);
    let Ok(Progress::Done { facts: Some(facts) }) = ask(&provisioner, &host, Duty::Inspect, Call::Continue).await
    else {
        panic!("the facts of the inspection")
    };
    assert_eq!((facts.cpu_cores, facts.memory_bytes), (Some(64), Some(1 << 30)));

    assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    let node = model.node(&id).expect("a node");
    assert_eq!(node["provision_state"], "active");
    assert_eq!(node["instance_info"]["image_source"], "http://127.0.0.1:9/linux.qcow2");
    assert_eq!(model.machine(ADDRESS), Machine { is_on: true, deploys: 1, ..Machine::default() });

    for (act, power) in [
        (PowerAct::Cycle, Power::On),
        (PowerAct::Off, Power::Off),
        (PowerAct::On, Power::On),
        (PowerAct::ForceOff, Power::Off),
    ] {
        provisioner.power(&host, &target(&host), act).await.expect("switched");
        assert_eq!(provisioner.see(&host).await.expect("a look").power, Some(power), "{act:?}");
    }
    // A release leaves the disks as they are, and one with a wipe cleans them once.
    assert_eq!(carry_out(&provisioner, &mut host, Order::Release).await, End::Done);
    let machine = model.machine(ADDRESS);
    assert_eq!((machine.undeploys, machine.cleans, machine.is_on), (1, 0, false));
    assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    assert_eq!(carry_out(&provisioner, &mut host, Order::Wipe).await, End::Done);
    let machine = model.machine(ADDRESS);
    assert_eq!((machine.deploys, machine.undeploys, machine.cleans), (2, 2, 1));
    let node = model.node(&id).expect("a node");
    assert_eq!((&node["provision_state"], &node["automated_clean"]), (&json!("available"), &json!(false)));

    assert_eq!(work(&provisioner, &host, Duty::Delete).await, End::Done);
    assert_eq!(model.node(&id), None);
    assert_eq!(work(&provisioner, &host, Duty::Delete).await, End::Done, "again");
}

#[tokio::test]
async fn a_node_that_somebody_made_is_used_and_stays() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    let theirs = json!({"provision_state": "available", "name": "rack1-n7", "extra": {"rack": "r1"},
        "driver_info": {"redfish_address": ADDRESS, "redfish_system_id": "/redfish/v1/Systems/1", "redfish_password": "old"}});
    model.put("theirs", theirs);
    let page = provisioner.registered(None).await.expect("a list");
    let found = &page.machines[0];
    assert_eq!((found.name.as_str(), found.host, page.next.as_deref()), ("rack1-n7", None, None));
    assert_eq!(found.address.as_deref(), Some("redfish://10.0.0.7/redfish/v1/Systems/1"));

    assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    let node = model.node("theirs").expect("their node");
    assert_eq!((&node["provision_state"], &node["extra"]["rack"]), (&json!("active"), &json!("r1")));
    assert_eq!(node["driver_info"]["redfish_password"], "old", "their settings stay");
    assert_eq!(provisioner.registered(None).await.expect("a list").machines[0].host, Some(host.id));
    assert_eq!(model.node(&host.id.to_string()), None, "there is one node for a machine");

    // Their node cleans by itself, and must not by our release.
    model.put("theirs", json!({"automated_clean": null}));
    assert_eq!(carry_out(&provisioner, &mut host, Order::Release).await, End::Done);
    assert_eq!(model.machine(ADDRESS).cleans, 0);
    assert_eq!(work(&provisioner, &host, Duty::Delete).await, End::Done);
    let node = model.node("theirs").expect("their node stays");
    assert_eq!(node["extra"], json!({"rack": "r1"}));
}

#[tokio::test]
async fn another_provisioner_gets_a_host_that_is_free() {
    let (first, second) = (Model::start().await, Model::start().await);
    let mut host = host("redfish://10.0.0.7");
    let old = provisioner(&first.url, at_once());
    assert_eq!(carry_out(&old, &mut host, Order::Install).await, End::Done);
    assert_eq!(carry_out(&old, &mut host, Order::Release).await, End::Done);
    let new = provisioner(&second.url, at_once());
    assert!(!new.see(&host).await.expect("a look").is_known);
    assert_eq!(carry_out(&new, &mut host, Order::Install).await, End::Done);
    // The machine that is left at the first one names its host, so that it is reported as a stray.
    assert_eq!(old.registered(None).await.expect("a list").machines[0].host, Some(host.id));
    assert_eq!(first.machine(ADDRESS).deploys, 1);
    assert_eq!(second.machine(ADDRESS).deploys, 1);
}

#[tokio::test]
async fn a_machine_in_use_is_adopted_without_being_touched() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    model.switch(ADDRESS, true);
    host.state = State::Installed;
    assert!(!provisioner.see(&host).await.expect("a look").is_known);
    assert_eq!(work(&provisioner, &host, Duty::Adopt).await, End::Done);
    let seen = provisioner.see(&host).await.expect("a look");
    assert_eq!((seen.is_known, seen.power), (true, Some(Power::On)));
    assert_eq!(model.machine(ADDRESS), Machine { is_on: true, ..Machine::default() });
    // It can be released like any other.
    assert_eq!(carry_out(&provisioner, &mut host, Order::Release).await, End::Done);
    assert_eq!(model.machine(ADDRESS).undeploys, 1);
}
