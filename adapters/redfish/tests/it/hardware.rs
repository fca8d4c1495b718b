//! The hardware of a machine is read, whatever its BMC does, and nothing is changed.

use std::time::Duration;

use serde_json::{Value, json};
use underlay_hosts::machine::CallError;
use underlay_redfish::{Bounds, Pace, Redfish};

use crate::bmc::{Bmc, SYSTEM, UUID, pace};
use crate::{driver, driver_at};

fn link(to: &str) -> Value {
    json!({ "@odata.id": to })
}

fn members(of: &[&str]) -> Value {
    json!({ "Members": of.iter().map(|it| link(it)).collect::<Vec<_>>() })
}

/// Adds members to the system of the BMC.
fn system_with(bmc: &Bmc, more: Value) {
    bmc.with(|it| {
        let system = it.systems[0].1.as_object_mut().expect("a system");
        system.extend(more.as_object().expect("members").clone());
    });
}

/// A BMC that tells of everything, with newer resources for fans and an older one for power.
async fn whole() -> Bmc {
    let bmc = Bmc::start().await;
    system_with(
        &bmc,
        json!({
            "Manufacturer": "Contoso", "BiosVersion": "2.19", "Processors": link("/cpus"), "Memory": link("/dimms"),
            "Storage": link("/storages"), "EthernetInterfaces": link("/nics"),
            "Links": {"Chassis": [link("/chassis/1")]},
        }),
    );
    for (path, content) in [
        ("/cpus", members(&["/cpus/1"])),
        ("/cpus/1", json!({"Model": "Xeon", "TotalCores": 8, "TotalThreads": 16})),
        ("/dimms", json!({"Members": [link("/dimms/1")], "Members@odata.nextLink": "/dimms-2"})),
        ("/dimms-2", members(&["/dimms/2"])),
        ("/dimms/1", json!({"DeviceLocator": "A1", "CapacityMiB": 16_384, "SerialNumber": "M1"})),
        ("/dimms/2", json!({"DeviceLocator": "A2", "Status": {"State": "Absent"}})),
        ("/storages", members(&["/storages/RAID"])),
        ("/storages/RAID", json!({"Id": "RAID", "Drives": [link("/drives/1")], "Controllers": {}})),
        ("/drives/1", json!({"Id": "D1", "SerialNumber": "S1", "MediaType": "SSD"})),
        ("/nics", members(&["/nics/1"])),
        ("/nics/1", json!({"Id": "NIC.1", "MACAddress": "02:00:5E:00:00:01", "LinkStatus": "LinkUp"})),
        (
            "/chassis/1",
            json!({"Power": link("/power"), "ThermalSubsystem": link("/thermal"), "PowerSubsystem": link("/none")}),
        ),
        (
            "/power",
            json!({"PowerSupplies": [{"Name": "PSU1", "SerialNumber": "P1"}, {"Name": "PSU2", "Status": {"State": "Absent"}}]}),
        ),
        ("/thermal", json!({"Fans": link("/fans")})),
        ("/fans", members(&["/fans/1"])),
        ("/fans/1", json!({"Name": "Fan 1", "Status": {"Health": "OK", "State": "Enabled"}})),
        ("/update", json!({"FirmwareInventory": link("/firmware")})),
        ("/firmware", members(&["/firmware/1"])),
        ("/firmware/1", json!({"Id": "BMC", "Name": "BMC", "Version": "7.0"})),
    ] {
        bmc.add(path, content);
    }
    bmc
}

async fn report(driver: &Redfish, bmc: &Bmc, bounds: Bounds) -> Value {
    let report = driver.hardware(&bmc.target(SYSTEM), bounds).await.expect("a report");
    serde_json::to_value(report).expect("JSON")
}

/// The things that a section lacks.
fn unread(report: &Value, section: &str) -> Vec<(String, String)> {
    let list = report[section]["unread"].as_array();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    list.into_iter().flatten().map(|it| (text(&it["what"]), text(&it["reason"]))).collect()
}

const SECTIONS: [&str; 8] =
    ["system", "processors", "memory", "disks", "interfaces", "powerSupplies", "fans", "firmware"];

#[tokio::test]
async fn a_bmc_that_tells_of_everything() {
    let (bmc, driver) = (whole().await, driver());
    let report = report(&driver, &bmc, Bounds::default()).await;
    for section in SECTIONS {
        assert_eq!(report[section]["complete"], true, "{section}: {report}");
    }
    assert_eq!(report["system"]["found"]["uuid"], UUID);
    assert_eq!(report["processors"]["found"][0]["cores"], 8);
    assert_eq!(
        report["memory"]["found"],
        json!({"modules": [{"slot": "A1", "sizeBytes": 17_179_869_184_u64, "serial": "M1"}], "slots": 2})
    );
    assert_eq!(report["disks"]["found"][0]["place"], "RAID D1");
    assert_eq!(report["interfaces"]["found"][0]["permanentMac"], "02:00:5e:00:00:01");
    assert_eq!(report["powerSupplies"]["found"], json!([{"place": "PSU1", "serial": "P1"}]));
    assert_eq!(report["fans"]["found"], json!([{"place": "Fan 1", "health": "OK"}]));
    assert_eq!(report["firmware"]["found"], json!([{"name": "BMC", "version": "7.0"}]));
    let changes = bmc.with(|it| it.changes.clone());
    assert_eq!(changes, ["POST /redfish/v1/SessionService/Sessions"], "nothing but reads");
}

#[tokio::test]
async fn what_a_bmc_does_not_give_is_named_and_never_gone() {
    for (path, content, section, what, reason) in [
        ("/dimms", json!({"Members": null}), "memory", "Memory", "the BMC does not list its members"),
        ("/dimms", json!({"Members": "none"}), "memory", "Members", "the BMC has something else than a list there"),
        ("/dimms", json!({"Members": [{}, 7]}), "memory", "Members", "2 members are no links"),
        ("/dimms", members(&["/gone"]), "memory", "Memory, member 1", "the BMC refuses with HTTP 404"),
        (
            "/cpus/1",
            json!({"Model": "Xeon"}),
            "processors",
            "Processors, member 1",
            "the BMC does not tell its cores and threads",
        ),
        ("/chassis/1", json!({"Power": link("/gone")}), "powerSupplies", "Power", "the BMC refuses with HTTP 404"),
        ("/power", json!({}), "powerSupplies", "PowerSupplies", "the BMC does not list them"),
        (
            "/update",
            json!({"FirmwareInventory": link("/gone")}),
            "firmware",
            "FirmwareInventory",
            "the BMC refuses with HTTP 404",
        ),
    ] {
        let (bmc, driver) = (whole().await, driver());
        bmc.with(|it| it.systems.iter_mut().filter(|(own, _)| own == path).for_each(|(_, old)| *old = content.clone()));
        let report = report(&driver, &bmc, Bounds::default()).await;
        let named = (what.to_owned(), reason.to_owned());
        assert!(unread(&report, section).contains(&named), "{path} {content}: {}", report[section]);
        assert_eq!(report[section]["complete"], false, "{path} {content}");
        let others = SECTIONS.into_iter().filter(|it| *it != section && *it != "fans");
        for other in others {
            assert_eq!(report[other]["complete"], true, "{path}: {other}: {}", report[other]);
        }
    }
}

#[tokio::test]
async fn sections_that_a_bmc_does_not_have_are_not_reported() {
    let (bmc, driver) = (Bmc::start().await, driver());
    bmc.add("/update", json!({}));
    let report = report(&driver, &bmc, Bounds::default()).await;
    let told: Vec<&str> = SECTIONS.into_iter().filter(|section| !report[*section].is_null()).collect();
    assert_eq!(told, ["system"]);
}

#[tokio::test]
async fn a_bmc_that_hangs_is_asked_nothing_more() {
    let (bmc, driver) = (whole().await, driver_at(Pace { read: Duration::from_secs(2), repeats: 0, ..pace() }));
    bmc.with(|it| it.hangs_at = Some("/drives/1".to_owned()));
    let report = report(&driver, &bmc, Bounds::default()).await;
    let told = |what: &str, reason: &str| vec![(what.to_owned(), reason.to_owned())];
    assert_eq!(unread(&report, "disks"), told("Drives, member 1", "the BMC did not answer"));
    assert_eq!(report["memory"]["complete"], true, "what was read before stays");
    assert_eq!(unread(&report, "interfaces"), told("EthernetInterfaces", "the BMC did not answer before"));
    assert_eq!(unread(&report, "powerSupplies"), told("Chassis, member 1", "the BMC did not answer before"));
    assert_eq!(unread(&report, "firmware"), told("UpdateService", "the BMC did not answer before"));
}

#[tokio::test]
async fn the_reads_and_their_time_are_bounded() {
    let (bmc, driver) = (whole().await, driver());
    let few = Bounds { reads: 2, ..Bounds::default() };
    let before = bmc.with(|it| it.reads);
    let report = report(&driver, &bmc, few).await;
    assert_eq!(report["processors"]["complete"], true);
    let over = vec![("Memory".to_owned(), "the BMC has more to read than is read".to_owned())];
    assert_eq!(unread(&report, "memory"), over);
    // The root for a session, the system, and what the bound allows.
    assert_eq!(bmc.with(|it| it.reads) - before, 4);
    let none = Bounds { time: Duration::ZERO, ..Bounds::default() };
    let report = self::report(&driver, &bmc, none).await;
    assert_eq!(unread(&report, "processors"), [("Processors".to_owned(), "the time for reading was over".to_owned())]);
}

#[tokio::test]
async fn another_machine_is_not_read() {
    let (bmc, driver) = (whole().await, driver());
    let target = underlay_hosts::machine::Target {
        uid: Some("58947555-7742-3448-3784-823347823834".to_owned()),
        ..bmc.target("")
    };
    let refused = driver.hardware(&target, Bounds::default()).await.expect_err("another machine");
    assert!(matches!(&refused, CallError::Refused { reason, .. } if reason == "WrongMachine"), "{refused}");
}
