//! The same machine from two sources, by the programs and calls that bring it: it is linked where one serial number leads to
//! one device, suggested where it does not, and never merged.

use serde_json::{Value, json};

use super::controllers::enlist_listed;
use super::{sync_bcm, sync_ironic};
use crate::harness::{Client, Database, Server, scratch, until};

/// Returns the pairs that may be the same machine: the paths, and the identity that both have.
async fn suggested(client: &Client, source: &str) -> Vec<String> {
    let query = "query($name: String!) { source(name: $name) { suggestions { path otherPath by value } } }";
    let found = client.ok(query, json!({ "name": source })).await;
    let pairs = found["source"]["suggestions"].as_array().expect("a list").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let shown = |it: &Value| ["path", "otherPath", "by", "value"].map(|field| text(&it[field])).join(" ");
    pairs.iter().map(shown).collect()
}

/// Returns the number of devices and of hosts, and the machine of each host by its name.
async fn machines(client: &Client) -> Value {
    let query = "{ devices(filter: {role: {eq: SERVER}}) { totalCount }
        hosts(first: 100) { totalCount nodes { name machine { ... on Device { name } } } } }";
    client.ok(query, json!({})).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_of_bcm_and_ironic_is_suggested_and_merged_by_nobody() {
    let folder = scratch::folder("sources-pairs");
    let server = sync_bcm::server().await;
    let (bcm, ironic) = (sync_bcm::simulator(&folder).await, sync_ironic::replay::Replay::start().await);
    let client = server.client();
    // In Ironic, a node has another name and the same serial number, in other letters; one has a number of nobody's; one has
    // text that firmware has without a number; and two have one number in common with one of BCM.
    for (name, number, serial) in [
        ("same", 101, " sn000001 "),
        ("own", 102, "SN-OWN"),
        ("blank", 103, "To Be Filled By O.E.M."),
        ("twin-a", 104, "SN000004"),
        ("twin-b", 105, "SN000004"),
    ] {
        sync_ironic::node(&ironic, name, number, serial);
    }
    for outcome in [
        sync_bcm::sync(&server, &bcm, &folder).await,
        sync_ironic::sync(&server, &ironic, &folder).await,
        // Nothing is joined later either.
        sync_bcm::sync(&server, &bcm, &folder).await,
        sync_ironic::sync(&server, &ironic, &folder).await,
    ] {
        assert_eq!(outcome.code, 0, "{outcome:?}");
    }
    let all = machines(&client).await;
    assert_eq!((&all["devices"]["totalCount"], &all["hosts"]["totalCount"]), (&json!(25), &json!(25)), "{all}");
    let hosts = all["hosts"]["nodes"].as_array().expect("hosts");
    assert!(hosts.iter().all(|host| host["name"] == host["machine"]["name"]), "each has its own machine: {all}");
    let pairs = |other: &str, of: &str, serial: &str| format!("device/ams1/{other} device/ams1/{of} UID {serial}");
    let expected = [
        pairs("same", "gpu-002", "sn000001"),
        pairs("twin-a", "gpu-005", "sn000004"),
        pairs("twin-b", "gpu-005", "sn000004"),
    ];
    assert_eq!(suggested(&client, "ironic").await, expected);
    assert_eq!(suggested(&client, "bcm").await.len(), 3, "and the other way round");
    let listed = server.cli(["source", "suggestions", "ironic"]).await;
    assert!(listed.code == 0 && listed.stdout.contains("device/ams1/gpu-005"), "{listed:?}");
}

/// The UUIDs of systems at a BMC.
fn uuid(number: usize) -> String {
    format!("{number:08x}-7742-3448-3784-823347823834")
}

/// Has a controller list the machines of an appliance: their names, UUIDs and serial numbers.
async fn enlist(client: &Client, appliance: &str, machines: &[(&str, Option<String>, Option<&str>)]) -> Value {
    let machine = |(name, uid, serial): &(&str, Option<String>, Option<&str>)| {
        json!({"name": name, "url": format!("redfish://10.1.0.7/redfish/v1/Systems/{name}"), "uid": uid,
            "serial": serial, "power": "OFF"})
    };
    let machines = machines.iter().map(machine).collect();
    enlist_listed(client, appliance, json!({ "machines": Value::Array(machines) }), "enlisted message").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_machine_of_netbox_and_redfish_is_linked_if_one_serial_number_leads_to_one_device() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let device = |name: &str, id: &str, serial: &str| json!({"device": {"name": name, "site": {"site": "s"}, "role": "SERVER", "externalId": id, "serial": serial}});
    let mut by_uuid = device("by-uuid", "dcim.device:6", "CZJ-6");
    by_uuid["device"]["attributes"] = json!({"uuid": uuid(6)});
    client.apply_all(vec![json!({"site": {"name": "s", "type": "EDGE"}})]).await;
    client.apply_all(vec![json!({"appliance": {"name": "bmc", "type": "REDFISH", "url": "redfish://10.1.0.7"}})]).await;
    client.apply_all(vec![json!({"source": {"name": "nb", "type": "netbox"}})]).await;
    let items = vec![
        device("one", "dcim.device:1", "CZJ-1"),
        device("two-a", "dcim.device:2", "CZJ-2"),
        device("two-b", "dcim.device:3", "czj-2"),
        device("blank", "dcim.device:4", "To Be Filled By O.E.M."),
        device("chassis", "dcim.device:5", "CZJ-5"),
        by_uuid,
        device("taken", "dcim.device:7", "CZJ-7"),
    ];
    client.apply_input(json!({"source": "nb", "items": items})).await;
    let taken = json!({"host": {"name": "h7", "uid": "CZJ-7", "bmcUrl": "redfish://10.9.0.7"}});
    client.apply_all(vec![taken]).await;

    let listed = [
        ("a", Some(uuid(1)), Some(" czj-1 ")),
        ("b", Some(uuid(2)), Some("CZJ-2")),
        ("c", Some(uuid(3)), Some("To Be Filled By O.E.M.")),
        // Two nodes of one chassis.
        ("d", Some(uuid(4)), Some("CZJ-5")),
        ("e", Some(uuid(5)), Some("CZJ-5")),
        ("f", Some(uuid(6)), Some("CZJ-9")),
        ("g", Some(uuid(7)), Some("CZJ-7")),
        ("h", Some(uuid(8)), Some("CZJ-OF-NOBODY")),
        ("i", None, None),
    ];
    let done = enlist(&client, "bmc", &listed).await;
    // The one that has the number of another host is that host already.
    assert_eq!(done, json!({"enlisted": 8, "message": null}));
    let query = "query($name: String!) { host(name: $name) { uid machine { ... on Device { name } }
        machineSuggestions { name } } }";
    for (name, uid, machine, suggestions) in [
        ("a", Some(uuid(1)), Some("one"), &[][..]),
        ("b", Some(uuid(2)), None, &["two-a", "two-b"]),
        ("c", Some(uuid(3)), None, &[]),
        ("d", Some(uuid(4)), None, &[]),
        ("e", Some(uuid(5)), None, &[]),
        ("f", Some(uuid(6)), Some("by-uuid"), &[]),
        ("h", Some(uuid(8)), None, &[]),
        ("i", None, None, &[]),
    ] {
        let host = client.ok(query, json!({ "name": name })).await["host"].take();
        let suggestions: Vec<Value> = suggestions.iter().map(|name| json!({ "name": name })).collect();
        let machine = machine.map(|name| json!({ "name": name }));
        let expected = json!({"uid": uid, "machine": machine, "machineSuggestions": suggestions});
        assert_eq!(host, expected, "{name}");
    }
    assert_eq!(client.ok(query, json!({"name": "g"})).await["host"], Value::Null);
    let pair = |device: &str| format!("device/s/{device} host/b UID czj-2");
    assert_eq!(suggested(&client, "nb").await, [pair("two-a"), pair("two-b")]);
    // Listed again, nothing is new, and nothing is merged.
    assert_eq!(enlist(&client, "bmc", &listed).await["enlisted"], 0);
    let all = machines(&client).await;
    assert_eq!((&all["devices"]["totalCount"], &all["hosts"]["totalCount"]), (&json!(7), &json!(9)), "{all}");

    // A machine that says no more than the serial number of a host is that host, also at another address.
    let by_serial = ("by-serial", Some("czj-of-nobody".to_owned()), None);
    assert_eq!(enlist(&client, "bmc", &[by_serial]).await, json!({"enlisted": 0, "message": null}));

    // A device that comes after its host is linked by the serial number of the host, and two with one number are suggested.
    let late = vec![device("late", "dcim.device:8", " czj-of-nobody "), device("e-1", "dcim.device:9", "CZJ-5")];
    client.apply_input(json!({"source": "nb", "items": late})).await;
    let linked = until("the host is linked", async || {
        let host = client.ok(query, json!({"name": "h"})).await["host"].take();
        if host["machine"].is_null() { Err(host.to_string()) } else { Ok(host) }
    });
    let linked = linked.await;
    assert_eq!(linked, json!({"uid": uuid(8), "machine": {"name": "late"}, "machineSuggestions": []}));
    assert_eq!(
        client.ok(query, json!({"name": "b"})).await["host"]["machine"],
        Value::Null,
        "it is not linked meanwhile"
    );
    for name in ["d", "e"] {
        assert_eq!(client.ok(query, json!({ "name": name })).await["host"]["machine"], Value::Null, "{name}");
    }
}
