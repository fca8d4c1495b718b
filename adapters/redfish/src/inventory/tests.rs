//! Parts as BMCs describe them, with what is odd about many of them.

use serde_json::json;

use super::*;

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        other => panic!("no object: {other}"),
    }
}

/// Returns the JSON of a part, `None` for an empty slot.
fn shown<T: serde::Serialize>(slot: Slot<T>) -> Value {
    match slot {
        Slot::Filled(part) => serde_json::to_value(part).expect("JSON"),
        Slot::Empty => json!("empty"),
        Slot::Unclear(reason) => json!(reason),
    }
}

#[test]
fn a_system_has_only_names_that_mean_something() {
    for (says, expected) in [
        (json!({"UUID": "", "SerialNumber": "", "BiosVersion": "2.1"}), json!({"firmwareVersion": "2.1"})),
        (json!({"UUID": "$DEVICE_UUID", "SerialNumber": "Default string"}), json!({})),
        (json!({"UUID": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", "Model": null}), json!({})),
        (json!({"LastResetTime": "0000-00-00T00:00:00", "Model": " M 1 "}), json!({"model": "M 1"})),
        (json!({"LastResetTime": "2026-11-01T10:00", "AssetTag": "7"}), json!({})),
    ] {
        let url = Url::parse("https://10.0.0.7/redfish/v1/Systems/1").expect("a URL");
        let system = Resource { call: "GET".into(), url, etag: None, members: members(says.clone()) };
        assert_eq!(serde_json::to_value(of_system(&system)).expect("JSON"), expected, "{says}");
    }
}

#[test]
fn slots_of_processors_and_modules() {
    for (says, expected) in [
        (
            json!({"Model": "Xeon", "TotalCores": 8, "TotalThreads": 16.0, "ProcessorId": {"MicrocodeInfo": "0x1"}}),
            json!({"socket": 1, "model": "Xeon", "cores": 8, "threads": 16, "microcode": "0x1"}),
        ),
        (json!({"Status": {"State": "Absent"}}), json!("empty")),
        (json!({"ProcessorType": "GPU", "TotalCores": 8, "TotalThreads": 8}), json!("empty")),
        (json!({"Model": "Xeon"}), json!("the BMC does not tell its cores and threads")),
        (json!({"TotalCores": -1, "TotalThreads": 1e300}), json!("the BMC does not tell its cores and threads")),
    ] {
        assert_eq!(shown(parts::processor(1, &members(says.clone()))), expected, "{says}");
    }
    for (says, expected) in [
        (
            json!({"DeviceLocator": "A1", "CapacityMiB": 16384, "SerialNumber": "S1", "OperatingSpeedMhz": 3200}),
            json!({"slot": "A1", "sizeBytes": 17_179_869_184_u64, "serial": "S1", "speedMts": 3200}),
        ),
        (json!({"Name": "A2", "CapacityMiB": 0}), json!("empty")),
        (json!({"Name": "A3", "Status": {"State": "absent"}, "CapacityMiB": null}), json!("empty")),
        (json!({"Id": "7", "SerialNumber": "NO DIMM"}), json!({"slot": "7"})),
        (json!({"CapacityMiB": u64::MAX}), json!({"slot": "part"})),
    ] {
        assert_eq!(shown(parts::module(&members(says.clone()))), expected, "{says}");
    }
}

#[test]
fn drives_and_their_health() {
    let base = json!({"name": "D1", "place": "RAID D1"});
    for (says, more) in [
        (json!({"Id": "D1", "MediaType": "SSD", "Protocol": "NVMe"}), json!({"medium": "NVME"})),
        (json!({"Id": "D1", "MediaType": "hdd", "Revision": "A"}), json!({"medium": "HDD", "firmwareVersion": "A"})),
        (json!({"Id": "D1", "FailurePredicted": true}), json!({"health": "FAILING"})),
        (json!({"Id": "D1", "FailurePredicted": false, "Status": {"Health": "OK"}}), json!({"health": "PASSED"})),
        (
            json!({"Id": "D1", "FailurePredicted": false, "Status": {"Health": "Critical"}}),
            json!({"health": "FAILING"}),
        ),
        (json!({"Id": "D1", "Identifiers": [{"DurableName": "5000C500A1"}]}), json!({"wwn": "5000c500a1"})),
        (json!({"Id": "D1", "Identifiers": [7, null], "CapacityBytes": 0}), json!({})),
        (
            json!({"Id": "D1", "PhysicalLocation": {"PartLocation": {"ServiceLabel": "Bay 3"}}}),
            json!({"place": "Bay 3"}),
        ),
    ] {
        let mut expected = base.clone();
        expected.as_object_mut().expect("an object").extend(members(more));
        assert_eq!(shown(parts::disk("RAID", &members(says.clone()))), expected, "{says}");
    }
}

#[test]
fn supplies_fans_interfaces_and_firmware() {
    let supply =
        json!({"MemberId": "0", "PowerCapacityWatts": 800.0, "Status": {"Health": "Warning", "State": "Enabled"}});
    let expected = json!({"place": "0", "capacityWatts": 800, "health": "WARNING"});
    assert_eq!(shown(parts::power_supply(&members(supply))), expected);
    assert_eq!(
        shown(parts::power_supply(&members(json!({"Name": "PSU2", "Status": {"State": "Absent"}})))),
        json!("empty")
    );
    assert_eq!(shown(parts::fan(&members(json!({"FanName": "Fan 1", "Reading": 9000})))), json!({"place": "Fan 1"}));
    let interface = json!({"Id": "1", "MACAddress": "02-00-5E-00-00-01", "LinkStatus": "LinkDown", "SpeedMbps": 10});
    let expected = json!({"name": "1", "permanentMac": "02:00:5e:00:00:01", "kind": "ETHERNET", "carrier": false});
    assert_eq!(shown(parts::interface(&members(interface))), expected);
    let firmware = json!({"Id": "Installed-1", "Name": "BIOS", "Version": "1.0"});
    assert_eq!(shown(parts::firmware(&members(firmware))), json!({"name": "BIOS", "version": "1.0"}));
    let former = json!({"Id": "Previous-1", "Name": "BIOS", "Version": "0.9"});
    assert_eq!(shown(parts::firmware(&members(former))), json!("empty"));
}

#[test]
fn equal_names_get_numbers() {
    let mut names = Names::default();
    let given = ["NIC", "NIC (2)", "NIC", "NIC"].map(|name| names.unique(name.to_owned()));
    assert_eq!(given, ["NIC", "NIC (2)", "NIC (3)", "NIC (4)"]);
}
