use serde_json::json;
use underlay_hosts::host::{Order, State};
use underlay_hosts::life::{Duty, PowerAct};
use underlay_hosts::machine::CallError;
use underlay_hosts::provisioner::Provisioner as _;

use crate::model::{Fault, Model};
use crate::order::{ADDRESS, End, PASSWORD, at_once, carry_out, host, order, provisioner, target, work};

#[tokio::test]
async fn relays_the_errors_of_ironic_and_starts_anew_on_a_retry() {
    for (verb, order, sentence) in [
        ("manage", Order::Install, "the BMC could not be verified: Unable to connect to the BMC"),
        ("active", Order::Install, "the deployment failed: Image is too large"),
        ("inspect", Order::Discover, "the inspection failed: No ports"),
        ("deleted", Order::Release, "the system could not be removed: Timeout"),
        ("provide", Order::Wipe, "the cleaning failed: A disk is frozen"),
    ] {
        let model = Model::start().await;
        let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
        if matches!(order, Order::Release | Order::Wipe) {
            assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
        }
        let message = sentence.split_once(": ").expect("a sentence").1;
        model.fault(Fault::Fails(verb, message));
        let end = carry_out(&provisioner, &mut host, order).await;
        assert!(matches!(&end, End::Failed(found) if found.contains(sentence)), "{verb}: {end:?}");
        assert!(matches!(&end, End::Failed(found) if found.contains(&host.id.to_string())), "{verb}: {end:?}");
        model.heal();
        assert_eq!(carry_out(&provisioner, &mut host, order).await, End::Done, "{verb}: a retry");
    }
}

#[tokio::test]
async fn a_node_that_is_locked_is_waited_for() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    model.fault(Fault::Locked(9));
    assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    assert_eq!(model.machine(ADDRESS).deploys, 1);
}

#[tokio::test]
async fn a_machine_that_somebody_else_uses_or_keeps_is_left_alone() {
    for (members, sentence) in [
        (json!({"provision_state": "active"}), "has a system that is in use"),
        (json!({"provision_state": "servicing"}), "has a system that is in use"),
        (
            json!({"maintenance": true, "maintenance_reason": "ann: a new fan"}),
            "in maintenance at Ironic (ann: a new fan)",
        ),
        (json!({"extra": {"underlay": {"host": uuid::Uuid::from_u128(8)}}}), "registered for another host"),
    ] {
        let model = Model::start().await;
        let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
        assert_eq!(work(&provisioner, &host, Duty::Register).await, End::Done);
        model.put(&host.id.to_string(), members.clone());
        let before = model.machine(ADDRESS);
        let end = carry_out(&provisioner, &mut host, Order::Install).await;
        assert!(matches!(&end, End::Failed(found) if found.contains(sentence)), "{members}: {end:?}");
        assert_eq!(model.machine(ADDRESS), before, "{members}");
    }
}

#[tokio::test]
async fn two_nodes_for_one_machine_are_refused() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    for (id, system) in [("a", "1"), ("b", "2")] {
        let path = format!("/redfish/v1/Systems/{system}");
        model.put(id, json!({"driver_info": {"redfish_address": ADDRESS, "redfish_system_id": path}}));
    }
    let end = carry_out(&provisioner, &mut host, Order::Install).await;
    assert!(matches!(&end, End::Failed(found) if found.contains("there are 2 nodes for the machine")), "{end:?}");
}

#[tokio::test]
async fn a_change_of_power_says_why_it_failed_and_registers_what_was_forgotten() {
    let model = Model::start().await;
    let (provisioner, mut host) = (provisioner(&model.url, at_once()), host("redfish://10.0.0.7"));
    host.state = State::Available;
    // Nothing is known of it yet: it is registered first.
    provisioner.power(&host, &target(&host), PowerAct::On).await.expect("switched");
    assert_eq!(model.machine(ADDRESS).switches, 1);
    model.fault(Fault::Fails("power", "The chassis is locked"));
    let refused = provisioner.power(&host, &target(&host), PowerAct::Cycle).await.expect_err("it fails");
    let CallError::Refused { reason, message } = &refused else { panic!("{refused}") };
    assert!(reason == "PowerRefused" && message.contains("The chassis is locked"), "{message}");
    // A new password of the BMC comes with the next change.
    let mut other = target(&host);
    other.secret.as_mut().expect("a secret").password = "another-one".into();
    model.heal();
    provisioner.power(&host, &other, PowerAct::Off).await.expect("switched");
    assert_eq!(model.node(&host.id.to_string()).expect("a node")["driver_info"]["redfish_password"], "another-one");
}

#[tokio::test]
async fn an_ironic_that_is_away_changes_nothing_and_no_sentence_has_a_password() {
    let away = provisioner("http://127.0.0.1:1", at_once());
    let mut host = host("redfish://10.0.0.7");
    order(&mut host, Order::Install);
    for result in [
        away.see(&host).await.map(drop),
        away.registered(None).await.map(drop),
        away.power(&host, &target(&host), PowerAct::On).await,
        crate::order::ask(&away, &host, Duty::Prepare, underlay_hosts::provisioner::Call::Begin).await.map(drop),
    ] {
        let error = result.expect_err("nothing answers");
        assert!(matches!(error, CallError::NotMade { .. }), "{error}");
        assert!(error.to_string().contains("/v1") && !error.to_string().contains(PASSWORD), "{error}");
    }
    let model = Model::start().await;
    let provisioner = provisioner(&model.url, at_once());
    for (url, reason) in [("libvirt+tls://10.0.0.7/system", "NoDriver"), ("exec://lab", "NoDriver")] {
        host.bmc_url = Some(url.into());
        let refused =
            crate::order::ask(&provisioner, &host, Duty::Prepare, underlay_hosts::provisioner::Call::Begin).await;
        assert!(
            matches!(&refused, Err(CallError::Refused { reason: found, .. }) if found == reason),
            "{url}: {refused:?}"
        );
    }
}
