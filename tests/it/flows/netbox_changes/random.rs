//! Random changes of a NetBox: renames, moves, swaps, deletions and replacements.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};

use super::Synced;
use super::live::Live;
use super::net::{ADDRESSES, INTERFACES, Net, VRFS, id};
use crate::harness::{Database, Server};

/// The number of rounds of changes and scans, and the number of changes in each.
const CHANGE_ROUNDS: usize = 5;
const CHANGES_PER_ROUND: usize = 6;
/// The most scans after a round. If a rack is replaced, and less than half of what is gone in the scan, the old rack
/// stays at first, because things stand in it. The second scan holds it as renumbered. After an approval, the next one
/// writes what refers to the new rack. If a device in it was replaced too, its old one goes in a scan of its own.
const MAX_SCANS: usize = 4;

/// The lists whose objects are renamed, and those of which some are deleted.
const RENAMED_LISTS: [&str; 11] = [
    "circuits/circuits",
    "circuits/providers",
    "dcim/devices",
    "dcim/interfaces",
    "dcim/locations",
    "dcim/power-feeds",
    "dcim/racks",
    "dcim/regions",
    "dcim/sites",
    "virtualization/clusters",
    "virtualization/virtual-machines",
];

/// Changes a NetBox at random.
struct Changes<'a> {
    net: &'a Net,
    random: StdRng,
    /// The new racks of a round. One that gets another name too, while its location moves, is not recognised: an
    /// operator must move the location and the old rack.
    new_racks: Vec<u64>,
}

impl Changes<'_> {
    fn any(&mut self, path: &str, fits: impl Fn(&Value) -> bool) -> Option<Value> {
        let list: Vec<Value> = self.net.list(path).into_iter().filter(fits).collect();
        list.choose(&mut self.random).cloned()
    }

    fn two(&mut self, path: &str, fits: impl Fn(&Value) -> bool) -> Option<[Value; 2]> {
        let list: Vec<Value> = self.net.list(path).into_iter().filter(fits).collect();
        let mut chosen = list.choose_multiple(&mut self.random, 2);
        Some([chosen.next()?.clone(), chosen.next()?.clone()])
    }

    /// Makes one change, if there is something to change. Returns what it was.
    fn one(&mut self) -> Option<String> {
        let net = self.net;
        match self.random.random_range(0..24) {
            0..4 => {
                let path = *RENAMED_LISTS.choose(&mut self.random)?;
                let new_racks = self.new_racks.clone();
                let fits = |object: &Value| path != "dcim/racks" || !new_racks.contains(&id(object));
                let (object, name) = (id(&self.any(path, fits)?), format!("name-{}", net.fresh()));
                net.rename(path, object, &name);
                Some(format!("{path} {object} is renamed to {name}"))
            }
            4..7 => self.move_something(),
            7 | 8 => self.swap_devices(),
            9 => {
                let [one, other] = self.two("dcim/interfaces", |_| true)?.map(|port| (id(&port["device"]), id(&port)));
                let same = one.0 == other.0;
                same.then(|| net.swap("dcim/interfaces", [one.1, other.1], &["name", "display"]));
                Some(format!("interfaces {} and {} swap their names: {same}", one.1, other.1))
            }
            10 => {
                let circuit = id(&self.any("circuits/circuits", |_| true)?);
                let ends = net.list("circuits/circuit-terminations");
                let ends: Vec<u64> = ends.iter().filter(|end| id(&end["circuit"]) == circuit).map(id).collect();
                let [one, other] = ends.try_into().ok()?;
                net.swap("circuits/circuit-terminations", [one, other], &["term_side"]);
                Some(format!("ends {one} and {other} of a circuit swap their sides"))
            }
            11 => {
                let path = *["circuits/circuits", "circuits/provider-networks"].choose(&mut self.random)?;
                let object = id(&self.any(path, |_| true)?);
                let provider = id(&self.any("circuits/providers", |_| true)?);
                net.change(path, object, json!({"provider": net.nested("circuits/providers", provider)}));
                Some(format!("{path} {object} goes to provider {provider}"))
            }
            12 | 13 => {
                let between = |cable: &Value| {
                    let of = |side: &str| cable[side][0]["object_type"] == "dcim.interface";
                    of("a_terminations") && of("b_terminations")
                };
                let [one, other] = self.two("dcim/cables", between)?.map(|cable| id(&cable));
                net.swap("dcim/cables", [one, other], &["b_terminations"]);
                Some(format!("cables {one} and {other} swap an end"))
            }
            14 => {
                let machine = id(&self.any("virtualization/virtual-machines", |_| true)?);
                let cluster = id(&self.any("virtualization/clusters", |_| true)?);
                net.rename("virtualization/virtual-machines", machine, &format!("machine-{}", net.fresh()));
                let nested = net.nested("virtualization/clusters", cluster);
                net.change("virtualization/virtual-machines", machine, json!({ "cluster": nested }));
                Some(format!("machine {machine} goes to cluster {cluster}"))
            }
            15 => {
                let device = id(&self.any("dcim/devices", |_| true)?);
                let tag = id(&self.any("extras/tags", |_| true)?);
                net.change("dcim/devices", device, json!({"tags": [net.nested("extras/tags", tag)]}));
                Some(format!("device {device} has the tag {tag}"))
            }
            16 | 17 => self.delete_something(),
            18 => {
                let address = id(&self.any(ADDRESSES, |_| true)?);
                let text =
                    format!("198.51.{}.{}/24", self.random.random_range(0..200), self.random.random_range(1..200));
                net.edit_address(address, &text);
                Some(format!("address {address} becomes {text}"))
            }
            19 => {
                let interface = self.any(INTERFACES, |port| port["type"]["value"] != "lag")?;
                let (port, address) = (id(&interface), net.fresh());
                net.assign(address, &format!("203.0.113.{}/24", self.random.random_range(1..200)), port);
                net.set_primary(id(&interface["device"]), address);
                Some(format!("interface {port} has the address {address}, which is the primary one"))
            }
            20 => {
                let (name, site) = (format!("name-{}", net.fresh()), id(&self.any("dcim/sites", |_| true)?));
                net.rename(VRFS, 5, &name);
                let port = id(&self.any(INTERFACES, |_| true)?);
                net.change(INTERFACES, port, json!({"vrf": net.nested(VRFS, 5)}));
                net.change("dcim/sites", site, json!({"latitude": 52.25, "longitude": null}));
                Some(format!(
                    "the VRF is renamed to {name}, interface {port} has it, and site {site} has one coordinate"
                ))
            }
            21 => {
                let bridge = self.any(INTERFACES, |port| !port["device"].is_null())?;
                let device = id(&bridge["device"]);
                let port = id(&self.any(INTERFACES, |port| id(&port["device"]) == device && id(port) != id(&bridge))?);
                net.change(INTERFACES, port, json!({"bridge": net.nested(INTERFACES, id(&bridge))}));
                net.rename(INTERFACES, id(&bridge), &format!("br-{}", net.fresh()));
                Some(format!("interface {port} is at the bridge {}, which is renamed", id(&bridge)))
            }
            _ => self.replace_something(),
        }
    }

    fn move_something(&mut self) -> Option<String> {
        let net = self.net;
        let site = id(&self.any("dcim/sites", |_| true)?);
        match self.random.random_range(0..4) {
            0 => {
                let rack = id(&self.any("dcim/racks", |_| true)?);
                net.rename("dcim/racks", rack, &format!("rack {rack} {}", net.fresh()));
                net.move_rack(rack, site);
                Some(format!("rack {rack} moves to site {site}"))
            }
            1 => {
                let location = id(&self.any("dcim/locations", |_| true)?);
                net.move_location(location, site);
                Some(format!("location {location} moves to site {site}"))
            }
            _ => {
                let device = id(&self.any("dcim/devices", |device| device["parent_device"].is_null())?);
                let rack = id(&self.any("dcim/racks", |_| true)?);
                net.move_device(device, rack, Value::Null);
                Some(format!("device {device} moves to rack {rack}"))
            }
        }
    }

    fn swap_devices(&mut self) -> Option<String> {
        let net = self.net;
        let of = |device: &Value| (id(&device["device_type"]), id(&device["site"]), device["parent_device"].is_null());
        let first = self.any("dcim/devices", |_| true)?;
        let second = self.any("dcim/devices", |device| of(device) == of(&first) && id(device) != id(&first))?;
        let devices = [id(&first), id(&second)];
        let members: &[&str] = match (first["parent_device"].is_null(), self.random.random_bool(0.5)) {
            (_, true) => &["name", "display"],
            (true, false) => &["rack", "location", "position", "face"],
            (false, false) => &["parent_device", "rack", "location"],
        };
        net.swap("dcim/devices", devices, members);
        Some(format!("devices {devices:?} swap {members:?}"))
    }

    fn delete_something(&mut self) -> Option<String> {
        let net = self.net;
        let (what, object) = match self.random.random_range(0..5) {
            0 => {
                let device = id(&self.any("dcim/devices", |device| device["virtual_chassis"].is_null())?);
                net.delete_device(device);
                ("device", device)
            }
            1 => {
                let cable = id(&self.any("dcim/cables", |_| true)?);
                net.delete("dcim/cables", cable);
                ("cable", cable)
            }
            2 => {
                let used = ["dcim/devices", "dcim/power-feeds"].map(|path| net.list(path)).concat();
                let rack = id(&self.any("dcim/racks", |rack| used.iter().all(|it| id(&it["rack"]) != id(rack)))?);
                net.delete("dcim/racks", rack);
                ("rack", rack)
            }
            3 => {
                let circuit = id(&self.any("circuits/circuits", |_| true)?);
                net.delete_circuit(circuit);
                ("circuit", circuit)
            }
            _ => {
                let machine = id(&self.any("virtualization/virtual-machines", |_| true)?);
                net.delete_machine(machine);
                ("machine", machine)
            }
        };
        Some(format!("{what} {object} is deleted"))
    }

    fn replace_something(&mut self) -> Option<String> {
        let net = self.net;
        let (what, old, new) = match self.random.random_range(0..3) {
            0 => {
                let fits = |device: &Value| device["virtual_chassis"].is_null() && device["parent_device"].is_null();
                let device = id(&self.any("dcim/devices", fits)?);
                ("device", device, net.replace_device(device))
            }
            1 => {
                let rack = id(&self.any("dcim/racks", |_| true)?);
                let new = net.replace_rack(rack);
                self.new_racks.push(new);
                ("rack", rack, new)
            }
            _ => {
                let cable = self.any("dcim/cables", |_| true)?;
                ("cable", id(&cable), net.replace_cable(&cable, json!({})))
            }
        };
        Some(format!("{what} {old} is replaced by {new}"))
    }
}

/// Returns the random changes of a NetBox, by a seed that is shown.
fn changes(net: &Net) -> Changes<'_> {
    let seed =
        std::env::var("UNDERLAY_TEST_SEED").map_or_else(|_| rand::random(), |seed| seed.parse().expect("a number"));
    eprintln!("UNDERLAY_TEST_SEED={seed}");
    Changes { net, random: StdRng::seed_from_u64(seed), new_racks: Vec::new() }
}

impl Changes<'_> {
    fn some(&mut self, round: usize) {
        self.new_racks.clear();
        for _ in 0..CHANGES_PER_ROUND {
            if let Some(what) = self.one() {
                eprintln!("round {round}: {what}");
            }
        }
    }
}

#[tokio::test]
async fn whatever_is_changed_there_the_end_is_that_of_a_clean_scan() {
    let net = Net::small().await;
    let synced = Synced::start(Server::start(Database::Sqlite).await, &net).await;
    let mut changes = changes(&net);
    for round in 0..CHANGE_ROUNDS {
        changes.some(round);
        let scans = synced.follow(&net, MAX_SCANS).await;
        eprintln!("round {round}: {scans} scans");
    }
}

#[tokio::test]
async fn whatever_is_changed_there_arrives_while_a_synchronizer_goes_on() {
    let net = Net::small().await;
    let live = Live::start(Server::start(Database::Sqlite).await, &net).await;
    let mut changes = changes(&net);
    for round in 0..CHANGE_ROUNDS {
        changes.some(round);
        live.decided(&net).await;
    }
    live.stop().await;
}
