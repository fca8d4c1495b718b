//! A whole life on a machine behind a BMC that speaks Redfish: Ironic 39 boots its agent by virtual media, which is a model
//! here, and everything else is real.

use std::time::Duration;

use underlay_hosts::host::{Host, Image, Order, Power, State};
use underlay_hosts::life::{Duty, PowerAct};
use underlay_hosts::provisioner::{Call, Progress};
use underlay_ironic::provisioner::{DriverInfo, Tempo};

use crate::agent::{Agent, Done};
use crate::order::{End, ask, carry_on, carry_out, host, order, provisioner, work};
use crate::real::{client, node, state, switch, until};
use crate::site::{Bmc, Ironic};

/// The configuration of Ironic that a real machine needs: the agent by virtual media, which the BMC fetches by itself.
const SETTINGS: &str = "[DEFAULT]\nenabled_inspect_interfaces = fake,agent,no-inspect\nenabled_deploy_interfaces = fake,direct\n\
    [deploy]\nramdisk_image_download_source = http\n\
    [agent]\nrequire_tls = false\npost_deploy_get_power_state_retry_interval = 1\npost_deploy_get_power_state_retries = 30\n";

/// A tempo for machines that take seconds for everything.
fn tempo() -> Tempo {
    Tempo { again: Duration::from_secs(2), within: Duration::from_secs(20), ..Tempo::default() }
}

/// Gives a host an order to install the image of the model.
fn order_image(host: &mut Host, agent: &Agent) -> String {
    order(host, Order::Install);
    let url = format!("{}/linux.raw", agent.url);
    let image = Image { url: url.clone(), checksum: format!("sha256:{}", "ab".repeat(32)), format: "RAW".into() };
    host.wanted.as_mut().and_then(|wanted| wanted.profile.as_mut()).expect("a profile").image = Some(image);
    url
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs ironic and sushy-emulator"]
async fn a_whole_life_behind_redfish() {
    let (mut ironic, bmc) = (Ironic::start(SETTINGS).await, Bmc::start().await);
    let agent = Agent::start(&ironic.url, bmc.port).await;
    let url = bmc.url().replace("redfish+http", "redfish-virtualmedia+http");
    let mut machine = host(&url);

    // Without an image of its agent, Ironic refuses the order with a sentence that names the call and what is missing.
    let bare = provisioner(&ironic.url, tempo());
    assert_eq!(work(&bare, &machine, Duty::Register).await, End::Done);
    order_image(&mut machine, &agent);
    let End::Failed(sentence) = carry_on(&bare, &mut machine, Order::Install).await else { panic!("it is refused") };
    for words in ["PUT ", "/states/provision", "Missing are: ['deploy_kernel'"] {
        assert!(sentence.contains(words), "{words}: {sentence}");
    }
    assert_eq!((bmc.resets(), agent.done()), (0, Done::default()), "nothing was touched");

    // Discovered: the agent reports the hardware, and the machine is off afterwards.
    let iso = format!("deploy_iso={}/agent.iso", agent.url);
    let driver_info = DriverInfo::parse([iso.as_str()]).expect("settings");
    let provisioner = provisioner(&ironic.url, tempo()).with_driver_info(driver_info);
    machine.state = State::Available;
    assert_eq!(carry_out(&provisioner, &mut machine, Order::Discover).await, End::Done, "{}", ironic.log());
    let Ok(Progress::Done { facts: Some(facts) }) = ask(&provisioner, &machine, Duty::Inspect, Call::Continue).await
    else {
        panic!("the facts of the inspection")
    };
    assert_eq!(
        (facts.serial.as_deref(), facts.cpu_cores, facts.memory_bytes),
        (Some("CZJ-7"), Some(64), Some(1 << 36))
    );
    until(&provisioner, &machine, Power::Off).await;
    assert_eq!(agent.done(), Done { boots: 1, ..Done::default() });

    // Installed: the agent writes the image, and the machine runs it.
    let image = order_image(&mut machine, &agent);
    assert_eq!(carry_on(&provisioner, &mut machine, Order::Install).await, End::Done, "{}", ironic.log());
    let active = node(&ironic, &machine).await;
    assert_eq!((state(&active).as_str(), active.automated_clean), ("active", Some(false)));
    assert_eq!(agent.done(), Done { boots: 2, written: vec![image.clone()], erased: 0 });
    until(&provisioner, &machine, Power::On).await;

    // The database is lost: the machine in use is adopted as it is, and can be given back.
    let resets = bmc.resets();
    ironic.forget().await;
    assert_eq!(work(&provisioner, &machine, Duty::Adopt).await, End::Done);
    assert_eq!(state(&node(&ironic, &machine).await), "active");
    until(&provisioner, &machine, Power::On).await;
    assert_eq!((bmc.resets(), agent.done().boots), (resets, 2), "it was not touched");
    switch(&provisioner, &machine, PowerAct::ForceOff, Power::Off).await;

    // Wiped: the agent erases the disks once, and only then.
    assert_eq!(agent.done().erased, 0);
    assert_eq!(carry_out(&provisioner, &mut machine, Order::Wipe).await, End::Done, "{}", ironic.log());
    assert_eq!(agent.done(), Done { boots: 3, written: vec![image], erased: 1 });
    let free = node(&ironic, &machine).await;
    assert_eq!((state(&free).as_str(), free.automated_clean), ("available", Some(false)));
    until(&provisioner, &machine, Power::Off).await;
    let resets = bmc.resets();
    assert_eq!(work(&provisioner, &machine, Duty::Delete).await, End::Done);
    assert_eq!(client(&ironic).node(&machine.id.to_string()).await.expect("an answer"), None);
    assert_eq!(bmc.resets(), resets);
}
