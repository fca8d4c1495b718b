//! Machines that are enlisted again, at other addresses: their hosts follow, but for those that others decided about.

use serde_json::{Value, json};

use super::{host, write_as_server};
use crate::harness::{Client, Server, on_both_databases};

/// Orders to enlist an appliance, and lists its machines as a controller does: `input` has the machines, and `selection` is read
/// of the enlistment.
pub async fn enlist_listed(client: &Client, appliance: &str, mut input: Value, selection: &str) -> Value {
    let query = "query($name: String!) { appliance(name: $name) { id } }";
    let id = client.ok(query, json!({ "name": appliance })).await["appliance"]["id"].take();
    let order = "mutation($input: EnlistApplianceInput!) { enlistAppliance(input: $input) { appliance { enlistment { number } } } }";
    let mut ordered = client.ok(order, json!({"input": {"appliance": id}})).await;
    let digits = id.as_str().map(|id| &id[id.len() - 2..]).expect("an id");
    let lease = format!("hosts/{:02}", u8::from_str_radix(digits, 16).expect("digits") % 64);
    let take = "mutation($input: TakeLeasesInput!) { takeLeases(input: $input) { leases { epoch } } }";
    let mut taken = client.ok(take, json!({"input": {"names": [lease], "holder": "one", "seconds": 600}})).await;
    (input["holder"], input["lease"], input["appliance"]) = (json!("one"), json!(lease), id);
    input["epoch"] = taken["takeLeases"]["leases"][0]["epoch"].take();
    input["number"] = ordered["enlistAppliance"]["appliance"]["enlistment"]["number"].take();
    let enlist = format!(
        "mutation($input: EnlistHostsInput!) {{ enlistHosts(input: $input) {{ enlistment {{ {selection} }} }} }}"
    );
    client.ok(&enlist, json!({ "input": input })).await["enlistHosts"]["enlistment"].take()
}

/// Lists machines of the appliance `bmc` as a controller does: their names and addresses. Returns the outcome of each, and the
/// numbers of hosts that were created and changed.
async fn enlist(client: &Client, machines: &[Value]) -> (Vec<[String; 3]>, Value) {
    enlist_part(client, machines, false).await
}

/// The same for a call after which more machines may come.
async fn enlist_part(client: &Client, machines: &[Value], more: bool) -> (Vec<[String; 3]>, Value) {
    let input = json!({"machines": machines, "more": more});
    let selection = "enlisted changed machines { name host outcome reason }";
    let done = enlist_listed(client, "bmc", input, selection).await;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let machines = done["machines"].as_array().expect("machines").iter();
    let machines = machines.map(|it| [text(&it["host"]), text(&it["outcome"]), text(&it["reason"])]);
    (machines.collect(), json!([done["enlisted"], done["changed"]]))
}

/// The machines with these names at a BMC, each with a UUID of its own.
fn at(names: &[&str], bmc: &str) -> Vec<Value> {
    let machine = |name: &&str| {
        let number = name.bytes().last().unwrap_or_default();
        says(name, bmc, &format!("{number:08x}-7742-3448-3784-823347823834"), None)
    };
    names.iter().map(machine).collect()
}

/// A machine at a BMC, with what it says of itself.
fn says(name: &str, bmc: &str, uid: &str, serial: Option<&str>) -> Value {
    json!({"name": name, "url": format!("{bmc}/redfish/v1/Systems/{name}"), "uid": uid, "serial": serial, "power": "OFF"})
}

fn outcome(host: &str, outcome: &str, reason: &str) -> [String; 3] {
    [host, outcome, reason].map(str::to_owned)
}

on_both_databases! {
    async fn hosts_follow_the_addresses_of_their_appliance(mut server: Server) {
        let client = server.client();
        let credential = |name: &str| json!({"credential": {"name": name, "type": "BASIC", "username": "root"}});
        let appliance = |more: Value| {
            let mut fields = json!({"name": "bmc", "type": "REDFISH", "prefix": "r-"});
            fields.as_object_mut().expect("fields").extend(more.as_object().expect("fields").clone());
            json!({ "appliance": fields })
        };
        let first = json!({"url": "redfish://10.1.0.7", "credential": {"credential": "first"}});
        client.apply_all(vec![credential("first"), credential("own"), credential("second"), appliance(first)]).await;
        let names = ["a", "b", "c", "d", "e"];
        let (machines, counts) = enlist(&client, &at(&names, "redfish://10.1.0.7")).await;
        let created: Vec<_> = names.iter().map(|name| outcome(&format!("r-{name}"), "CREATED", "")).collect();
        assert_eq!((machines, counts), (created, json!([5, 0])));

        // People chose the address of one, the credential of another and the appliance of a third; a fourth has an order.
        client.apply_all(vec![
            json!({"host": {"name": "r-b", "bmcUrl": "redfish://10.1.0.8"}}),
            json!({"host": {"name": "r-d", "appliance": null}}),
            json!({"host": {"name": "r-e", "bmcCredential": {"credential": "own"}}}),
        ]).await;
        write_as_server(&mut server, vec![json!({"host": {"name": "r-c", "wanted": {"act": "POWER_ON"}, "generation": 1}})]).await;
        let client = server.client();
        let other = "redfish-virtualmedia://10.1.0.7";
        let (machines, counts) = enlist(&client, &at(&["a", "b", "c", "d", "e", "f"], other)).await;
        let by = client.ok("{ viewer { actor } }", json!({})).await["viewer"]["actor"].take();
        let set_by = format!("{} set the address of the host, so it stays", by.as_str().expect("a name"));
        let expected = [
            outcome("r-a", "ADDRESS_CHANGED", ""),
            outcome("r-b", "KEPT", &set_by),
            outcome("r-c", "KEPT", "the host has an open order: enlist again when it has ended"),
            outcome("r-d", "KEPT", "the host is not of this appliance, so its address stays"),
            outcome("r-e", "ADDRESS_CHANGED", ""),
            outcome("r-f", "CREATED", ""),
        ];
        assert_eq!((machines, counts), (expected.to_vec(), json!([1, 2])));
        // The other end of the connection is the same, so each keeps its credential.
        for (name, credential) in [("r-a", "first"), ("r-e", "own")] {
            let found = host(&client, name, "bmcUrl bmcCredential { name } managers { field type }").await;
            let url = format!("{other}/redfish/v1/Systems/{}", &name[2..]);
            assert_eq!((&found["bmcUrl"], &found["bmcCredential"]["name"]), (&json!(url), &json!(credential)), "{name}");
            let managers = found["managers"].as_array().expect("managers").iter();
            let of_address = managers.filter(|it| it["field"] == "bmcUrl").map(|it| it["type"].as_str());
            assert_eq!(of_address.collect::<Vec<_>>(), [Some("CONTROLLER")], "no person chose it");
        }

        // At another end it would be sent to somebody else, so the host gets that of the appliance.
        let second = json!({"url": "redfish://10.1.0.9", "credential": {"credential": "second"}});
        client.apply_all(vec![appliance(second)]).await;
        let (machines, counts) = enlist(&client, &at(&["a", "e"], "redfish://10.1.0.9")).await;
        let changed = [outcome("r-a", "ADDRESS_CHANGED", ""), outcome("r-e", "ADDRESS_CHANGED", "")];
        assert_eq!((machines, counts), (changed.to_vec(), json!([0, 2])));
        for name in ["r-a", "r-e"] {
            assert_eq!(host(&client, name, "bmcCredential { name }").await["bmcCredential"]["name"], "second", "{name}");
        }
        // A way that protects nothing is another one too.
        client.apply_all(vec![json!({"host": {"name": "r-a", "bmcCredential": {"credential": "own"}}})]).await;
        enlist(&client, &at(&["a"], "redfish+http://10.1.0.9")).await;
        assert_eq!(host(&client, "r-a", "bmcCredential { name }").await["bmcCredential"]["name"], "second");

        let (machines, counts) = enlist(&client, &at(&["a"], "redfish+http://10.1.0.9")).await;
        assert_eq!((machines, counts), (vec![outcome("r-a", "UNCHANGED", "")], json!([0, 0])));
        // An address that another host has is refused, and told.
        client.apply_all(vec![json!({"host": {"name": "x", "bmcUrl": "redfish://10.1.0.5/redfish/v1/Systems/a/"}})]).await;
        let (machines, _) = enlist(&client, &at(&["a"], "redfish://10.1.0.5")).await;
        assert!(machines[0][1] == "REFUSED" && machines[0][2].contains("host/x"), "{machines:?}");
    }

    async fn machines_that_may_be_others_move_no_host(mut server: Server) {
        const ONE: &str = "11111111-7742-3448-3784-823347823834";
        const OTHER: &str = "22222222-7742-3448-3784-823347823834";
        let client = server.client();
        client.apply_all(vec![json!({"appliance": {"name": "bmc", "type": "REDFISH", "url": "redfish://10.1.0.7"}})]).await;
        let old = "redfish://10.1.0.7";
        let first = [
            says("chassis", old, "CH7", None),
            says("twin", old, ONE, Some("S1")),
            says("seen", old, "S9", None),
            says("moved", old, OTHER, None),
        ];
        assert_eq!(enlist(&client, &first).await.1, json!([4, 0]));
        let seen = json!({"uuid": "33333333-7742-3448-3784-823347823834", "at": "2026-11-28T00:00:00Z"});
        write_as_server(&mut server, vec![json!({"host": {"name": "seen", "seenIdentity": seen}})]).await;
        let client = server.client();
        let addresses = async || {
            let found = client.ok("{ hosts { nodes { name bmcUrl } } }", json!({})).await["hosts"]["nodes"].take();
            let mut found: Vec<String> = found.as_array().expect("hosts").iter().map(Value::to_string).collect();
            found.retain(|host| ["chassis", "twin", "seen", "moved"].iter().any(|name| host.contains(&format!("\"{name}\""))));
            found.sort();
            found
        };
        let before = addresses().await;

        let new = "redfish-virtualmedia://10.1.0.7";
        let several = "several machines that are listed may be the machine of the host, so its address stays";
        let kept = |host: &str, reason: &str| outcome(host, "KEPT", reason);
        // A new node of a chassis has its serial number, and boards of one vendor have one UUID. Each is listed beside the host
        // where it was, or both are elsewhere.
        let (machines, counts) = enlist(&client, &[first[0].clone(), says("node-2", old, "ch7 ", None)]).await;
        assert_eq!((machines, counts), (vec![outcome("chassis", "UNCHANGED", ""), kept("chassis", several)], json!([0, 0])));
        for (name, machine) in [("chassis", "CH7"), ("twin", ONE)] {
            let both = [says("a", new, machine, None), says("b", new, machine, None)];
            assert_eq!(enlist(&client, &both).await, (vec![kept(name, several), kept(name, several)], json!([0, 0])));
        }
        let contradicts = "the machine says another UUID or serial number than is known of the machine of the host";
        for machine in [says("twin", new, ONE, Some("S2")), says("moved", old, ONE, Some("S2"))] {
            let (machines, counts) = enlist(&client, &[machine]).await;
            assert!(machines[0][1] == "KEPT" && machines[0][2].starts_with(contradicts) && counts == json!([0, 0]), "{machines:?}");
        }
        // Nobody sees in a part of the list if another machine says the same.
        let (machines, _) = enlist_part(&client, &[says("moved", new, OTHER, None)], true).await;
        assert!(machines[0][1] == "KEPT" && machines[0][2].contains("more than 1,000 machines"), "{machines:?}");
        // What was seen of a machine counts: this one has its serial number and another UUID.
        let (machines, counts) = enlist(&client, &[says("new", new, ONE.replace('1', "4").as_str(), Some("S9"))]).await;
        assert_eq!((machines, counts), (vec![outcome("new", "CREATED", "")], json!([1, 0])));
        assert_eq!(addresses().await, before, "no host was moved");

        // What a person trusted of one end is not trusted of another.
        client.apply_all(vec![json!({"host": {"name": "moved", "bmcInsecure": true}})]).await;
        enlist(&client, &[says("moved", "redfish://10.1.0.8", OTHER, None)]).await;
        let found = host(&client, "moved", "bmcUrl bmcInsecure").await;
        assert_eq!(found, json!({"bmcUrl": "redfish://10.1.0.8/redfish/v1/Systems/moved", "bmcInsecure": false}));
    }
}
