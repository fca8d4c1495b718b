//! The provisioner with Ironic 39 from PyPI: whole lives on its fake hardware, a machine behind a BMC that speaks Redfish, and
//! databases that are lost and restored.

use std::time::Duration;

use underlay_hosts::host::{Host, Order, Power, State};
use underlay_hosts::life::{Duty, PowerAct};
use underlay_hosts::provisioner::{Call, Progress, Provisioner as _};
use underlay_ironic::client::{Auth, Client, Connection, Node};
use underlay_ironic::provisioner::{IronicProvisioner, Tempo};

use crate::order::{End, ask, carry_out, host, order, provisioner, target, work};
use crate::site::{Bmc, Ironic};

/// The sentences by which Ironic's log says that it switched or deployed a machine.
const TOUCHED_SENTENCES: [&str; 3] = ["Successfully set node", "Start executing deploy steps", "Executing deploy step"];

/// A tempo for a real Ironic.
fn tempo() -> Tempo {
    Tempo { again: Duration::from_millis(500), within: Duration::from_secs(20), ..Tempo::default() }
}

pub fn client(ironic: &Ironic) -> Client {
    Client::new(&Connection::new(&ironic.url, Auth::None)).expect("a client")
}

pub async fn node(ironic: &Ironic, host: &Host) -> Node {
    client(ironic).node(&host.id.to_string()).await.expect("an answer").expect("a node")
}

pub fn state(node: &Node) -> String {
    node.states.provision.as_ref().map(ToString::to_string).unwrap_or_default()
}

/// Waits until the power of a host is seen.
pub async fn until(provisioner: &IronicProvisioner, host: &Host, power: Power) {
    underlay_testing::until(format!("the power is {power:?}"), async || {
        let seen = provisioner.see(host).await.expect("a look").power;
        if seen == Some(power) { Ok(()) } else { Err(format!("{seen:?}")) }
    })
    .await;
}

/// Switches a machine as a controller does: what was certainly not done is done again.
pub async fn switch(provisioner: &IronicProvisioner, host: &Host, act: PowerAct, power: Power) {
    underlay_testing::until(format!("{act:?} is accepted"), async || {
        let answer = provisioner.power(host, &target(host), act).await;
        let passes = matches!(answer, Ok(_) | Err(underlay_hosts::machine::CallError::NotMade { .. }));
        assert!(passes, "{act:?}: {answer:?}");
        answer.map(drop)
    })
    .await;
    until(provisioner, host, power).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic"]
async fn a_whole_life_on_fake_hardware() {
    let ironic = Ironic::start("").await;
    let (provisioner, mut host) = (provisioner(&ironic.url, tempo()), host("simulated://h"));
    assert_eq!(work(&provisioner, &host, Duty::Register).await, End::Done);
    assert_eq!(state(&node(&ironic, &host).await), "manageable");
    for (act, power) in [(PowerAct::On, Power::On), (PowerAct::Off, Power::Off)] {
        switch(&provisioner, &host, act, power).await;
    }
    assert_eq!(carry_out(&provisioner, &mut host, Order::Discover).await, End::Done);
    assert_eq!(carry_out(&provisioner, &mut host, Order::Install).await, End::Done);
    let active = node(&ironic, &host).await;
    assert_eq!((state(&active).as_str(), active.automated_clean), ("active", Some(false)));
    // The same order again starts nothing: it has been worked for.
    let again = ask(&provisioner, &host, Duty::Install, Call::Begin).await;
    assert!(matches!(again, Ok(Progress::Done { .. })), "{again:?}");
    for (act, power) in [(PowerAct::Cycle, Power::On), (PowerAct::Off, Power::Off), (PowerAct::On, Power::On)] {
        switch(&provisioner, &host, act, power).await;
    }
    assert_eq!(carry_out(&provisioner, &mut host, Order::Release).await, End::Done);
    assert_eq!(state(&node(&ironic, &host).await), "available");
    // With variables, which become a configuration drive.
    order(&mut host, Order::Install);
    host.wanted.as_mut().expect("an order").variables = [("role".to_owned(), "gpu".to_owned())].into();
    host.state = State::Installing;
    for duty in [Duty::Prepare, Duty::Install] {
        assert_eq!(work(&provisioner, &host, duty).await, End::Done, "{duty:?}");
    }
    let cleaned = || ironic.log().matches("Executing automated cleaning on node").count();
    assert_eq!(cleaned(), 0, "nothing was cleaned without an order");
    assert_eq!(carry_out(&provisioner, &mut host, Order::Wipe).await, End::Done);
    assert_eq!(cleaned(), 1, "it was cleaned once");
    let free = node(&ironic, &host).await;
    assert_eq!((state(&free).as_str(), free.automated_clean), ("available", Some(false)));
    let page = provisioner.registered(None).await.expect("a list");
    assert_eq!(page.machines.iter().map(|it| it.host).collect::<Vec<_>>(), [Some(host.id)]);
    assert_eq!(work(&provisioner, &host, Duty::Delete).await, End::Done);
    assert!(provisioner.registered(None).await.expect("a list").machines.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic"]
async fn a_database_that_is_lost_in_any_state_touches_no_machine_in_use() {
    // Each work takes long enough to lose the database in its middle.
    let delays = "[fake]\ndeploy_delay = 6\ninspect_delay = 12\nvendor_delay = 12";
    let mut ironic = Ironic::start(&format!("[DEFAULT]\nenabled_vendor_interfaces = fake,no-vendor\n{delays}")).await;
    let provisioner = provisioner(&ironic.url, tempo());
    let mut machine = host("simulated://h");

    // Free: registered again, and no more.
    assert_eq!(work(&provisioner, &machine, Duty::Register).await, End::Done);
    ironic.forget().await;
    assert!(!provisioner.see(&machine).await.expect("a look").is_known);
    assert_eq!(work(&provisioner, &machine, Duty::Register).await, End::Done);
    assert_eq!(state(&node(&ironic, &machine).await), "manageable");

    // Prepared: the installation does not begin by itself.
    order(&mut machine, Order::Install);
    assert_eq!(work(&provisioner, &machine, Duty::Prepare).await, End::Done);
    ironic.forget().await;
    assert_eq!(work(&provisioner, &machine, Duty::Install).await, End::Unknown);

    // In the middle of an inspection, an installation, a wipe: nothing is known of it any more, and nothing begins.
    for (act, duty, middle) in [
        (Order::Discover, Duty::Inspect, "inspecting"),
        (Order::Install, Duty::Install, "deploying"),
        (Order::Wipe, Duty::Deinstall, "cleaning"),
    ] {
        order(&mut machine, act);
        assert_eq!(work(&provisioner, &machine, Duty::Register).await, End::Done, "{act:?}");
        assert_eq!(work(&provisioner, &machine, Duty::Prepare).await, End::Done, "{act:?}");
        let begun = ask(&provisioner, &machine, duty, Call::Begin).await;
        assert!(matches!(begun, Ok(Progress::Wait { .. })), "{act:?}: {begun:?}");
        assert_eq!(state(&node(&ironic, &machine).await), middle);
        ironic.forget().await;
        for call in [Call::Continue, Call::Begin] {
            assert_eq!(ask(&provisioner, &machine, duty, call).await, Ok(Progress::Unknown), "{act:?}, {call:?}");
        }
        assert!(client(&ironic).node(&machine.id.to_string()).await.expect("an answer").is_none());
    }

    // In use: adopted as it is.
    machine.state = State::Installed;
    assert_eq!(work(&provisioner, &machine, Duty::Adopt).await, End::Done);
    ironic.forget().await;
    assert!(!provisioner.see(&machine).await.expect("a look").is_known);
    assert_eq!(work(&provisioner, &machine, Duty::Adopt).await, End::Done);
    assert!(provisioner.see(&machine).await.expect("a look").is_known);
    assert_eq!(state(&node(&ironic, &machine).await), "active");
    let log = ironic.log();
    assert!(TOUCHED_SENTENCES.iter().all(|sentence| !log.contains(sentence)), "{log}");

    // On its way back, and gone: there is nothing to let go of, or to forget.
    ironic.forget().await;
    for duty in [Duty::Detach, Duty::Delete] {
        assert_eq!(work(&provisioner, &machine, duty).await, End::Done, "{duty:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic"]
async fn a_machine_behind_redfish_stays_on_whatever_ironic_forgets() {
    let (mut ironic, bmc) = (Ironic::start("").await, Bmc::start().await);
    let (provisioner, mut machine) = (provisioner(&ironic.url, tempo()), host(&bmc.url()));
    assert_eq!(work(&provisioner, &machine, Duty::Register).await, End::Done);
    until(&provisioner, &machine, Power::Off).await;
    assert_eq!(bmc.resets(), 0, "a machine that is registered is not touched");
    let rested = underlay_testing::until("the node rests", async || {
        let state = state(&node(&ironic, &machine).await);
        if ["manageable", "available"].contains(&state.as_str()) { Ok(state) } else { Err(state) }
    })
    .await;
    let backup = ironic.backup().await;
    for (act, power) in [(PowerAct::On, Power::On), (PowerAct::ForceOff, Power::Off), (PowerAct::On, Power::On)] {
        switch(&provisioner, &machine, act, power).await;
    }
    let resets = bmc.resets();
    assert!(resets >= 3, "it was switched {resets} times");

    machine.state = State::Installed;
    ironic.forget().await;
    assert_eq!(work(&provisioner, &machine, Duty::Adopt).await, End::Done);
    until(&provisioner, &machine, Power::On).await;
    assert_eq!(state(&node(&ironic, &machine).await), "active");
    assert_eq!(bmc.resets(), resets, "a machine in use is adopted without being touched");

    // An old database says that the machine is off. Ironic must believe the machine, and not switch it.
    ironic.restore(&backup).await;
    until(&provisioner, &machine, Power::On).await;
    assert_eq!(bmc.resets(), resets, "a stale database switches nothing");
    let node_there = node(&ironic, &machine).await;
    assert_eq!(state(&node_there), rested, "the old database is there");
    assert!(!provisioner.see(&machine).await.expect("a look").is_known, "it is not active there: {node_there:?}");
    assert_eq!(work(&provisioner, &machine, Duty::Adopt).await, End::Done);
    assert_eq!(bmc.resets(), resets);

    // A machine that cannot be reached says so, in the words of Ironic.
    let mut away = host("redfish+http://127.0.0.1:1/redfish/v1/Systems/1");
    away.boot_mac = None;
    let end = work(&provisioner, &away, Duty::Register).await;
    assert!(matches!(&end, End::Failed(sentence) if sentence.contains("the BMC could not be verified")), "{end:?}");
    assert_eq!(work(&provisioner, &machine, Duty::Delete).await, End::Done);
    assert_eq!(bmc.resets(), resets, "a host that is forgotten is left as it is");
}
