//! Tests that follow changes in a NetBox. After a scan or two, the inventory is that of a first scan of the
//! changed NetBox into an empty server, and what NetBox still has is the same object as before.

mod live;
mod net;
mod random;
mod replaced;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::{Value, json};
use uuid::Uuid;

use self::net::{BLADES, CHASSIS, HALL, HALL_RACK, MEMBERS, Net, ROW, id};
use super::sync_netbox::replay::TOKEN;
use crate::harness::inside::Inside;
use crate::harness::{Database, Outcome, Server, on_both_databases, scratch};

/// The objects of NetBox by their kind and external id: the fields, in which a reference is the external id, and what
/// the source holds of them.
type Kept = BTreeMap<String, Value>;

/// A server that is kept in step with a NetBox.
struct Synced {
    server: Server,
    folder: tempfile::TempDir,
}

impl Synced {
    /// Begins with a first scan. The limits are high, so that only what looks renumbered is held.
    async fn start(server: Server, net: &Net) -> Self {
        let this = Self { server, folder: scratch::folder("netbox-changes") };
        let first = this.scan(net).await;
        assert_eq!(first.code, 0, "{first:?}");
        raise_limits(&this.server).await;
        this
    }

    async fn scan(&self, net: &Net) -> Outcome {
        let state = self.folder.path().join("state").display().to_string();
        let arguments = ["sync", "netbox", "--url", net.replay.url.as_str(), "--once", "--state", state.as_str()];
        self.server.cli(arguments).env("NETBOX_TOKEN", TOKEN).await
    }

    /// Scans until the inventory is that of a clean scan. An operator approves what is held: what looks renumbered is
    /// the same object. Returns the number of scans.
    async fn follow(&self, net: &Net, most: usize) -> usize {
        let expected = clean(net).await;
        let (mut found, mut outcomes) = (Kept::new(), Vec::new());
        for scan in 1..=most {
            let outcome = self.scan(net).await;
            if outcome.stderr.contains("an operator must decide") {
                outcomes.push(approve(&self.server).await);
            }
            outcomes.push(outcome);
            outcomes.push(self.server.cli(["describe", "source/netbox"]).await);
            found = self.kept().await.0;
            if found == expected {
                return scan;
            }
        }
        let differs = differences(&expected, &found);
        let outcomes: Vec<_> = outcomes.iter().map(|it| format!("{}{}", it.stdout, it.stderr)).collect();
        panic!(
            "after {most} scans {} objects differ:\n{}\n{}",
            differs.len(),
            differs[..differs.len().min(12)].join("\n"),
            outcomes.join("\n")
        );
    }

    /// Returns the objects of NetBox in the inventory, and their ids.
    async fn kept(&self) -> (Kept, BTreeMap<String, Uuid>) {
        kept(&self.server).await
    }
}

/// Lets so much go that only what looks renumbered is held.
async fn raise_limits(server: &Server) {
    let limits = json!({"source": {"name": "netbox", "limits": {"share": 1.0, "count": 100_000}}});
    server.client().apply_all(vec![limits]).await;
}

/// Decides about what is held: what looks renumbered is the same object.
async fn approve(server: &Server) -> Outcome {
    let approved = server.cli(["source", "approve", "netbox", "--adopt"]).await;
    match approved.stderr.contains("renumbered") {
        true => server.cli(["source", "approve", "netbox"]).await,
        false => approved,
    }
}

/// Describes how the objects differ.
fn differences(expected: &Kept, found: &Kept) -> Vec<String> {
    let all: BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    all.into_iter().filter_map(|key| difference(key, expected.get(key), found.get(key))).collect()
}

/// Describes how an object differs, `None` if it does not.
fn difference(key: &str, expected: Option<&Value>, found: Option<&Value>) -> Option<String> {
    match (expected, found) {
        (Some(expected), Some(found)) => {
            let names = expected.as_object()?.keys().filter(|name| expected[*name] != found[*name]);
            let differ = names.map(|name| format!("\n  {name}: {}, and should be {}", found[name], expected[name]));
            Some(differ.collect::<String>()).filter(|text| !text.is_empty()).map(|text| format!("{key}{text}"))
        }
        (Some(_), None) => Some(format!("{key} is missing")),
        (None, _) => found.map(|found| format!("{key} should be gone: {found}")),
    }
}

/// Returns what a first scan makes of a NetBox in an empty server.
async fn clean(net: &Net) -> Kept {
    let server = Server::start(Database::Sqlite).await;
    let synced = Synced { server, folder: scratch::folder("netbox-clean") };
    let outcome = synced.scan(net).await;
    assert_eq!(outcome.code, 0, "{outcome:?}");
    synced.kept().await.0
}

async fn kept(server: &Server) -> (Kept, BTreeMap<String, Uuid>) {
    let snapshot = Inside::open(&server.database_url()).await.loaded().await;
    let mut names: HashMap<Uuid, String> = HashMap::new();
    let kinds = || snapshot.registry().kinds().filter(|kind| kind.name != "Source");
    for kind in kinds() {
        for (_, row) in snapshot.table(kind.id).rows(0) {
            let common = row.common();
            let own = common.external_refs.0.iter().find(|it| it.source == "netbox").map(|it| it.external_id.as_str());
            names.insert(common.id, format!("{} {}", kind.name, own.unwrap_or("that NetBox does not have")));
        }
    }
    let mut kept = Kept::new();
    for kind in kinds() {
        for (_, row) in snapshot.table(kind.id).rows(0) {
            let common = row.common();
            let fields = kind.fields.iter().map(|field| (field.name.to_owned(), (field.get)(row.as_ref())));
            let mut object: Value = fields.collect();
            named(&mut object, &names);
            let mut holders: BTreeMap<String, (i64, BTreeSet<String>)> = BTreeMap::new();
            for holding in common.managers.0.iter() {
                let name = snapshot.manager(holding.manager).expect("a manager").to_string();
                let (fields, keys) = holders.entry(name).or_default();
                *fields |= holding.fields;
                keys.extend(holding.keys.iter().cloned());
            }
            object["holders"] = json!(holders);
            kept.insert(names[&common.id].clone(), object);
        }
    }
    (kept, names.into_iter().map(|(id, name)| (name, id)).collect())
}

/// Replaces ids by the external ids of their objects.
fn named(value: &mut Value, names: &HashMap<Uuid, String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = Uuid::parse_str(text).ok().and_then(|id| names.get(&id)) {
                *text = name.clone();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| named(value, names)),
        Value::Object(members) => members.values_mut().for_each(|value| named(value, names)),
        _ => {}
    }
}

/// A change of a NetBox.
type Change = (&'static str, fn(&Net));

/// Renames, moves, swaps and deletions, each with the objects as they are then. After each, one scan does here what was
/// done there, and no object that NetBox still has becomes another one.
const CHANGES: [Change; 19] = [
    ("a device is renamed", |net| net.rename("dcim/devices", CHASSIS, "tower")),
    ("a site is renamed", |net| net.rename("dcim/sites", 24, "elsewhere")),
    ("two devices swap their names", |net| net.swap("dcim/devices", MEMBERS, &["name", "display"])),
    ("two devices swap their places", |net| net.swap("dcim/devices", MEMBERS, &["position"])),
    ("two blades swap their bays", |net| net.swap("dcim/devices", BLADES, &["parent_device"])),
    ("two interfaces swap their names", |net| net.swap("dcim/interfaces", [9_001, 9_101], &["name", "display"])),
    ("the other member becomes the master", |net| {
        let chassis = json!({"id": 50, "name": "stack", "display": "stack", "master": {"id": MEMBERS[1]}});
        MEMBERS.iter().for_each(|member| net.change("dcim/devices", *member, json!({"virtual_chassis": chassis})));
    }),
    ("a device gets a tag", |net| {
        net.change("dcim/devices", MEMBERS[0], json!({"tags": [net.nested("extras/tags", 11)]}));
    }),
    ("the tag is deleted", |net| {
        net.change("dcim/devices", MEMBERS[0], json!({"tags": []}));
        net.delete("extras/tags", 11);
    }),
    ("a rack becomes lower, and what stood above its top stands below", |net| {
        for (at, member) in MEMBERS.into_iter().enumerate() {
            net.change("dcim/devices", member, json!({"position": 10.0 + at as f64}));
        }
        net.change("dcim/racks", HALL_RACK, json!({"u_height": 12}));
    }),
    ("a chassis moves to a rack at another site, with its blades", |net| {
        net.move_device(CHASSIS, HALL_RACK + 1, json!(5.0));
    }),
    ("a rack moves to another site, with all that is in it", |net| net.move_rack(HALL_RACK + 1, 24)),
    ("a location moves to another site, with all that is in it", |net| net.move_location(HALL, 24)),
    ("a rack leaves its location for another site", |net| net.move_rack(HALL_RACK, 2)),
    ("a circuit and a network change their provider", |net| {
        let circuit = id(&net.list("circuits/circuits")[0]);
        net.change("circuits/circuits", circuit, json!({"provider": net.nested("circuits/providers", 1)}));
        let network = id(&net.list("circuits/provider-networks")[0]);
        net.change("circuits/provider-networks", network, json!({"provider": net.nested("circuits/providers", 2)}));
    }),
    ("the ends of a circuit swap their sides", |net| {
        let circuit = id(&net.list("circuits/circuits")[0]);
        let ends = net.list("circuits/circuit-terminations");
        let ends: Vec<u64> = ends.iter().filter(|end| id(&end["circuit"]) == circuit).map(id).collect();
        net.swap("circuits/circuit-terminations", [ends[0], ends[1]], &["term_side"]);
    }),
    ("two cables swap their ends", |net| {
        let cables = net.list("dcim/cables");
        let between = |cable: &&Value| {
            let of = |side: &str| cable[side][0]["object_type"] == "dcim.interface";
            of("a_terminations") && of("b_terminations")
        };
        let cables: Vec<u64> = cables.iter().filter(between).map(id).take(2).collect();
        net.swap("dcim/cables", [cables[0], cables[1]], &["b_terminations"]);
    }),
    ("a cable is deleted", |net| net.delete("dcim/cables", id(&net.list("dcim/cables")[0]))),
    ("a device and its rack are deleted", |net| {
        BLADES.iter().chain([&CHASSIS]).for_each(|device| net.delete_device(*device));
        net.delete("dcim/racks", HALL_RACK + 1);
    }),
];

on_both_databases! {
    async fn what_is_renamed_moved_swapped_and_deleted_there_is_so_here(server: Server) {
        let net = Net::small().await;
        let synced = Synced::start(server, &net).await;
        for (what, change) in CHANGES {
            eprintln!("{what}");
            let before = synced.kept().await.1;
            change(&net);
            assert_eq!(synced.follow(&net, 1).await, 1);
            let after = synced.kept().await.1;
            let others: Vec<_> = after.iter().filter(|(name, id)| before.get(*name).is_some_and(|was| was != *id)).collect();
            assert!(others.is_empty(), "{what}: made anew {others:?}");
        }
    }
}

#[tokio::test]
async fn a_device_and_a_cable_that_are_replaced_there_are_replaced_here() {
    let net = Net::small().await;
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let cabled = net.list("dcim/cables");
    let cable = cabled.iter().find(|cable| cable["a_terminations"][0]["object_type"] == "dcim.interface");
    net.replace_cable(cable.expect("a cable"), json!({"label": "new"}));
    assert_eq!(synced.follow(&net, 1).await, 1);
    let routers = net.list("dcim/devices");
    let router = routers.iter().find(|device| device["role"]["slug"] == "router" && id(device) < CHASSIS);
    let new = net.replace_device(id(router.expect("a router")));
    synced.follow(&net, 2).await;
    assert!(synced.kept().await.0.contains_key(&format!("Device dcim.device:{new}")));
}

#[tokio::test]
async fn a_device_with_a_lag_that_is_replaced_there_is_replaced_here() {
    let net = Net::small().await;
    for (at, member) in MEMBERS.into_iter().enumerate() {
        net.change("dcim/devices", member, json!({"virtual_chassis": null}));
        // The LAG is one of the first device, and stays with its members there.
        let others = [9_001, 9_101].map(|first| first + at as u64).into_iter().filter(|_| at > 0);
        others.for_each(|port| net.change("dcim/interfaces", port, json!({"lag": null})));
    }
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let new = net.replace_device(MEMBERS[0]);
    synced.follow(&net, 2).await;
    assert!(synced.kept().await.0.contains_key(&format!("Device dcim.device:{new}")));
}

#[tokio::test]
async fn a_rack_that_is_replaced_there_is_the_same_rack_if_an_operator_says_so() {
    let net = Net::small().await;
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let before = synced.kept().await.1;
    let new = net.replace_rack(HALL_RACK);
    synced.follow(&net, 2).await;
    let after = synced.kept().await.1;
    assert_eq!(after[&format!("Rack dcim.rack:{new}")], before[&format!("Rack dcim.rack:{HALL_RACK}")]);
}

/// The old rack stays because of the devices in it, and its location cannot leave the site of the old rack. The new rack
/// is refused until the location has moved. An operator ends this by saying that both racks are the same.
#[tokio::test]
async fn a_rack_that_is_replaced_while_its_location_moves_is_the_same_rack_if_an_operator_says_so() {
    let net = Net::small().await;
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let before = synced.kept().await.1;
    let new = net.replace_rack(HALL_RACK);
    net.move_location(HALL, 24);
    synced.follow(&net, 2).await;
    let after = synced.kept().await.1;
    assert_eq!(after[&format!("Rack dcim.rack:{new}")], before[&format!("Rack dcim.rack:{HALL_RACK}")]);
}

/// A site that is gone does not take along what has moved away from it.
#[tokio::test]
async fn what_moves_away_from_a_site_that_is_deleted_stays() {
    let net = Net::small().await;
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let before = synced.kept().await.1;
    net.move_location(HALL, 24);
    for rack in net.list("dcim/racks").iter().filter(|rack| id(&rack["site"]) == 2).map(id) {
        net.rename("dcim/racks", rack, &format!("rack {rack}"));
        net.move_rack(rack, 24);
    }
    for device in net.list("dcim/devices").iter().filter(|device| id(&device["site"]) == 2) {
        net.change("dcim/devices", id(device), json!({"site": net.nested("dcim/sites", 24)}));
    }
    for end in net.list("circuits/circuit-terminations") {
        if end["termination_type"] == "dcim.site" && end["termination_id"] == 2 {
            let to = json!({"termination_id": 24, "termination": net.nested("dcim/sites", 24)});
            net.change("circuits/circuit-terminations", id(&end), to);
        }
    }
    net.delete("dcim/sites", 2);
    synced.follow(&net, 2).await;
    let after = synced.kept().await.1;
    for (name, id) in before.iter().filter(|(name, _)| *name != "Site dcim.site:2") {
        assert_eq!(after.get(name), Some(id), "{name}");
    }
    assert!(after.contains_key(&format!("Location dcim.location:{ROW}")));
}
