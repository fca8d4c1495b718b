//! Machines are found, looked at, switched and booted.

use serde_json::json;
use underlay_hosts::host::Power;
use underlay_hosts::life::PowerAct;
use underlay_hosts::machine::{BootDevice, CallError, Driver as _, Target};

use crate::bmc::{Bmc, SYSTEM, UUID};
use crate::driver;

#[tokio::test]
async fn a_machine_is_switched_and_boots_from_the_network_once() {
    let (bmc, driver) = (Bmc::start().await, driver());
    let target = bmc.target("");
    let identity = driver.identify(&target).await.unwrap();
    assert_eq!((identity.uuid.as_deref(), identity.serial.as_deref()), (Some(UUID), Some("437XR")));
    assert_eq!(driver.power(&target).await.unwrap(), Power::Off);
    driver.set_power(&target, PowerAct::Off).await.unwrap();
    driver.set_power(&target, PowerAct::On).await.unwrap();
    assert_eq!(driver.power(&target).await.unwrap(), Power::On);
    driver.set_power(&target, PowerAct::On).await.unwrap();
    driver.set_power(&target, PowerAct::Cycle).await.unwrap();
    driver.set_power(&target, PowerAct::Off).await.unwrap();
    driver.set_power(&target, PowerAct::Cycle).await.unwrap();
    driver.set_power(&target, PowerAct::ForceOff).await.unwrap();
    let resets = bmc.with(|it| it.resets.clone());
    assert_eq!(
        resets,
        ["On", "ForceRestart", "GracefulShutdown", "On", "ForceOff"],
        "and nothing where it is so already"
    );

    driver.set_boot(&target, BootDevice::Network).await.unwrap();
    driver.set_boot(&target, BootDevice::Local).await.unwrap();
    let over_http = Target { url: target.url.replace("redfish+http", "redfish-uefihttp+http"), ..target.clone() };
    bmc.with(|it| it.wants_version = true);
    driver.set_boot(&over_http, BootDevice::Network).await.unwrap();
    let once = |target: &str| json!({"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": target});
    let mut http = once("UefiHttp");
    http["HttpBootUri"] = json!("http://10.0.0.1/shim.efi");
    assert_eq!(bmc.with(|it| it.boots.clone()), [once("Pxe"), once("Hdd"), http]);
    let media = Target { url: target.url.replace("redfish+http", "redfish-virtualmedia+http"), ..target };
    let refused = driver.set_boot(&media, BootDevice::Network).await.unwrap_err();
    assert!(
        matches!(&refused, CallError::Refused { reason, message } if reason == "BootRefused" && message.contains("use redfish://")),
        "{refused}"
    );
}

#[tokio::test]
async fn a_machine_is_found_by_its_path_or_names_and_never_mistaken() {
    let (bmc, driver) = (Bmc::start().await, driver());
    let (two, other) = ("48947555-7742-3448-3784-823347823834", "58947555-7742-3448-3784-823347823834");
    let with_uid = |path: &str, uid: &str| Target { uid: Some(uid.to_owned()), ..bmc.target(path) };
    driver.power(&with_uid("", UUID)).await.unwrap();
    let refused = driver.set_power(&with_uid("", other), PowerAct::On).await.unwrap_err();
    assert!(matches!(&refused, CallError::Refused { reason, .. } if reason == "WrongMachine"), "{refused}");
    let refused = driver.set_power(&with_uid(SYSTEM, other), PowerAct::On).await.unwrap_err();
    assert!(matches!(&refused, CallError::Refused { reason, .. } if reason == "WrongMachine"), "{refused}");

    // A serial number that differs counts like a UUID, whatever the path and the MAC address say.
    for path in ["", SYSTEM] {
        let target = Target { boot_mac: Some("52:54:00:aa:bb:cc".to_owned()), ..with_uid(path, "CZJ-1") };
        for refused in [
            driver.set_power(&target, PowerAct::On).await.unwrap_err(),
            driver.set_boot(&target, BootDevice::Network).await.unwrap_err(),
            driver.power(&target).await.unwrap_err(),
        ] {
            let CallError::Refused { reason, message } = &refused else { panic!("{refused}") };
            assert_eq!(reason, "WrongMachine", "{message}");
            for words in ["the serial number 437XR", "the uid CZJ-1", "correct bmcUrl or uid"] {
                assert!(message.contains(words), "{words}: {message}");
            }
        }
    }

    bmc.add(
        "/redfish/v1/Systems/2",
        json!({"UUID": two, "SerialNumber": "S-B", "EthernetInterfaces": {"@odata.id": "/macs"}}),
    );
    bmc.add("/macs", json!({"Members": [{"@odata.id": "/macs/1"}]}));
    bmc.add("/macs/1", json!({"MACAddress": "52-54-00-AA-BB-CC"}));
    for (uid, expected) in [(two, two), ("s-b", two), (UUID, UUID), ("437xr", UUID)] {
        let found = driver.identify(&with_uid("", uid)).await.unwrap();
        assert_eq!(found.uuid.as_deref(), Some(expected), "{uid}");
    }
    let by_mac = Target { boot_mac: Some("52:54:00:aa:bb:cc".to_owned()), ..bmc.target("") };
    assert_eq!(driver.identify(&by_mac).await.unwrap().uuid.as_deref(), Some(two));
    let refused = driver.power(&bmc.target("")).await.unwrap_err().to_string();
    assert!(refused.contains("the host has neither uid nor bootMac: give the path of one in bmcUrl"), "{refused}");
    let refused = driver.power(&bmc.target("/redfish/v1/Systems/9")).await.unwrap_err();
    assert!(
        matches!(&refused, CallError::Refused { message, .. } if message.contains("check the path in bmcUrl")),
        "{refused}"
    );
    let refused =
        driver.set_power(&Target { uid: Some("CZJ-1".to_owned()), ..by_mac }, PowerAct::On).await.unwrap_err();
    let CallError::Refused { reason, message } = &refused else { panic!("{refused}") };
    assert!(reason == "NoSystem" && message.contains("than the uid CZJ-1 of the host"), "{message}");
    assert!(bmc.with(|it| it.resets.is_empty() && it.boots.is_empty()));
}

#[tokio::test]
async fn the_machines_of_an_appliance_are_listed_with_their_addresses() {
    let (bmc, driver) = (Bmc::start().await, driver());
    bmc.add("/redfish/v1/Systems/node-2", json!({"Name": "System", "Id": "node-2"}));
    bmc.add("/redfish/v1/Systems/node-3", json!({"Name": "db-1", "Id": "3"}));
    let found = driver.enumerate(&bmc.target("")).await.unwrap();
    let start = format!("redfish+http://127.0.0.1:{}", bmc.port);
    let names: Vec<(&str, &str)> = found.iter().map(|it| (it.name.as_str(), it.url.as_str())).collect();
    let url = |id: &str| format!("{start}/redfish/v1/Systems/{id}");
    assert_eq!(names, [("1", &*url("1")), ("node-2", &*url("node-2")), ("db-1", &*url("node-3"))]);
    assert_eq!(found[0].identity.uuid.as_deref(), Some(UUID));
    // An address that was listed is one of a machine.
    assert_eq!(driver.power(&Target { url: found[2].url.clone(), ..bmc.target("") }).await.unwrap(), Power::Off);
    let one = driver.enumerate(&bmc.target(SYSTEM)).await.unwrap();
    assert_eq!((one.len(), one[0].name.as_str()), (1, "System"));
    // More than a thousand are refused.
    for id in 0..1_000 {
        bmc.add(&format!("/redfish/v1/Systems/n{id}"), json!({}));
    }
    let refused = driver.enumerate(&bmc.target("")).await.unwrap_err().to_string();
    assert!(refused.contains("at most 1000 members"), "{refused}");
}
