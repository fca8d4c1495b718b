//! Checks the guarantees of `items` on the demo itself and on sizes around the boundaries of pods.

use std::collections::{HashMap, HashSet};
use std::net::Ipv4Addr;

use serde_json::{Value, json};

use super::plan::{Plan, RACK_UNITS, RACKS_PER_POD, RackPlan};
use super::{MAX_RACKS, Options, Size, Stage, items, refs};

/// A fleet with two halls in a data centre, with every feature of a fleet.
const LARGE: Options = Options { size: Size::Fleet { racks: 200 }, seed: 7 };
/// A fleet of several pods.
const MEDIUM: Options = Options { size: Size::Fleet { racks: 40 }, seed: 7 };
/// The largest fleet.
const LARGEST: Options = Options { size: Size::Fleet { racks: MAX_RACKS }, seed: 7 };
/// The demo, and fleets around the edges of pods and halls.
const SIZES: [Size; 6] = [
    Size::Demo,
    Size::Fleet { racks: 0 },
    Size::Fleet { racks: 1 },
    Size::Fleet { racks: RACKS_PER_POD },
    Size::Fleet { racks: 5 * RACKS_PER_POD + 3 },
    LARGE.size,
];

/// The members by which references name objects.
const KINDS: [&str; 13] = [
    "region",
    "site",
    "location",
    "rack",
    "powerFeed",
    "device",
    "port",
    "cable",
    "provider",
    "providerNetwork",
    "circuit",
    "cluster",
    "side",
];

fn demo() -> Vec<(String, Value)> {
    fleet(&Options::default())
}

/// Returns the fields of all items of the demo, then of a fleet, each with the number of its fleet.
fn demo_and_fleet() -> impl Iterator<Item = (usize, Value)> {
    let both = [Options::default(), MEDIUM].into_iter().enumerate();
    both.flat_map(|(number, options)| fleet(&options).into_iter().map(move |(_, fields)| (number, fields)))
}

/// Returns the items of a fleet, each as kind and fields.
fn fleet(options: &Options) -> Vec<(String, Value)> {
    let members = items(options).filter_map(|item| match item {
        Value::Object(item) => Some(item),
        _ => None,
    });
    members.flatten().collect()
}

/// Returns a text that identifies a reference among those of one kind, from its sorted members.
fn key(reference: &Value) -> String {
    let mut members: Vec<String> =
        reference.as_object().into_iter().flatten().map(|(member, name)| format!("{member}={name}")).collect();
    members.sort();
    members.join(" ")
}

/// Returns the keys by which others can refer to an item and to the parts that it creates.
fn keys(kind: &str, fields: &Value) -> Vec<String> {
    let beneath = match kind {
        "location" | "device" | "rack" => &fields["site"],
        "powerFeed" if fields["rack"].is_object() => &fields["rack"],
        "powerFeed" => &fields["site"],
        "port" if fields["rack"].is_object() => &fields["rack"],
        "port" => &fields["device"],
        "providerNetwork" | "circuit" => &fields["provider"],
        "virtualMachine" if fields["cluster"].is_object() => &fields["cluster"],
        "virtualMachine" => &fields["provider"],
        _ => &Value::Null,
    };
    let mut own = if beneath.is_object() { beneath.clone() } else { json!({}) };
    own[kind] = fields["name"].clone();
    if kind == "port" {
        own["family"] = json!(refs::family(fields["type"].as_str().unwrap_or_default()));
    }
    let sides = if kind == "circuit" { vec!["A", "Z"] } else { Vec::new() };
    let terminations = sides.into_iter().map(|side| {
        let mut end = own.clone();
        end["side"] = json!(side);
        key(&end)
    });
    let terminations: Vec<String> = terminations.collect();
    std::iter::once(key(&own)).chain(terminations).collect()
}

/// Collects all references in a value, at any depth.
fn references<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) if members.iter().any(|(name, to)| KINDS.contains(&name.as_str()) && to.is_string()) => {
            found.push(value);
        }
        Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| *name != "labels" && *name != "attributes");
            members.for_each(|(_, member)| references(member, found));
        }
        Value::Array(list) => list.iter().for_each(|member| references(member, found)),
        _ => {}
    }
}

#[test]
fn the_same_options_give_the_same_items() {
    let options = Options::default();
    assert!(items(&options).eq(items(&options)));
    assert!(!items(&options).eq(items(&Options { seed: 2, ..options })));
}

#[test]
fn the_demo_is_one_batch_of_about_400_devices() {
    let demo = demo();
    let devices = demo.iter().filter(|(kind, _)| kind == "device").count();
    assert!((350..=450).contains(&devices), "{devices} devices");
    assert!(demo.len() < 10_000, "{} items", demo.len());
}

#[test]
fn a_fleet_of_200_racks_is_as_large_as_the_help_says_and_made_by_pods() {
    let mut fleet = items(&LARGE);
    let mut counts: HashMap<String, usize> = HashMap::new();
    let (mut parts, mut of_this_part) = (0, 0);
    while let Some(item) = fleet.next() {
        let kind = item.as_object().and_then(|item| item.keys().next()).cloned();
        *counts.entry(kind.unwrap_or_default()).or_default() += 1;
        let (made, all) = fleet.progress();
        assert!(made <= all, "{made} of {all}");
        of_this_part = if made == parts { of_this_part + 1 } else { 1 };
        parts = made;
        assert!(of_this_part < 8_000, "more than a pod is in memory");
    }
    for (kind, about) in [("device", 4_000), ("port", 100_000), ("cable", 40_000)] {
        let count = counts[kind];
        assert!((about * 9 / 10..=about * 11 / 10).contains(&count), "{count} of kind {kind}, not about {about}");
    }
}

#[test]
fn names_are_unique_and_references_lead_to_earlier_items() {
    for size in SIZES {
        let mut known = HashSet::new();
        for (kind, fields) in fleet(&Options { size, seed: 7 }) {
            let mut found = Vec::new();
            fields.as_object().into_iter().flatten().for_each(|(_, field)| references(field, &mut found));
            for reference in found {
                assert!(known.contains(&key(reference)), "{kind} {}: no {reference} before it", fields["name"]);
            }
            for key in keys(&kind, &fields) {
                assert!(known.insert(key), "{kind} {} twice", fields["name"]);
            }
        }
    }
}

#[test]
fn serial_numbers_and_the_like_are_unique() {
    for field in ["assetTag", "mac"] {
        let mut seen = HashSet::new();
        for (_, fields) in fleet(&MEDIUM) {
            assert!(
                fields[field].is_null() || seen.insert(fields[field].to_string()),
                "{field} {} twice",
                fields[field]
            );
        }
    }
}

#[test]
fn the_simulated_appliance_of_the_demo_lists_servers_that_are_there() {
    let demo = demo();
    let of = |kind: &str| demo.iter().filter(|(it, _)| it == kind).map(|(_, fields)| fields).collect::<Vec<_>>();
    let [appliance] = of("appliance")[..] else { panic!("one appliance") };
    let url = appliance["url"].as_str().expect("an address");
    let machines: usize =
        url.split_once("machines=").and_then(|(_, rest)| rest.split('&').next()?.parse().ok()).expect("a number");
    let serials: HashSet<&str> = of("device").iter().filter_map(|device| device["serial"].as_str()).collect();
    assert!(machines >= 8, "{url}");
    for number in 1..=machines {
        assert!(serials.contains(format!("SIM-GPU-LAB-{number}").as_str()), "no server for machine {number}");
    }
    assert_eq!(serials.iter().filter(|serial| serial.starts_with("SIM-")).count(), machines);
    let (_, sizes) = demo_and_fleet().partition::<Vec<_>, _>(|(number, _)| *number == 0);
    assert!(
        !sizes.iter().any(|(_, fields)| fields["serial"].as_str().is_some_and(|it| it.starts_with("SIM-"))),
        "a fleet"
    );
}

#[test]
fn no_end_has_two_cables() {
    let mut taken = HashSet::new();
    for (_, fields) in fleet(&LARGE) {
        let plugged = &fields["zEnd"]["port"];
        let mut ends: Vec<&Value> = Vec::new();
        references(&fields["aEnds"], &mut ends);
        references(&fields["bEnds"], &mut ends);
        ends.extend(plugged.is_object().then_some(plugged));
        for end in ends {
            assert!(taken.insert(key(end)), "{end} twice");
        }
    }
}

#[test]
fn devices_share_no_unit_of_a_face() {
    let mut taken: HashMap<String, Vec<(f64, f64)>> = HashMap::new();
    for (number, fields) in demo_and_fleet() {
        let placement = &fields["placement"];
        let (Some(start), Some(height)) = (placement["startUnit"].as_f64(), placement["unitHeight"].as_f64()) else {
            continue;
        };
        let end = start + height;
        assert!(start >= 1.0 && end <= f64::from(RACK_UNITS) + 1.0, "{} is outside its rack", fields["name"]);
        for face in ["FRONT", "REAR"] {
            if placement["fullDepth"] == true || placement["face"].as_str().unwrap_or("FRONT") == face {
                let face = taken.entry(format!("{number} {} {face}", placement["rack"])).or_default();
                let free = face.iter().all(|(from, to)| end <= *from || start >= *to);
                assert!(free, "{} overlaps", fields["name"]);
                face.push((start, end));
            }
        }
    }
}

#[test]
fn each_fibre_of_a_panel_has_one_front() {
    let mut taken = HashSet::new();
    for (number, fields) in demo_and_fleet() {
        for through in fields["passThrough"].as_array().into_iter().flatten() {
            assert!(
                taken.insert((number, key(&through["rear"]), through["rearPosition"].to_string())),
                "{through} twice"
            );
        }
    }
}

/// Returns all racks of a plan.
fn racks(plan: &Plan) -> impl Iterator<Item = &RackPlan> {
    let of_pods = plan.sites.iter().flat_map(|site| &site.pods).flat_map(|pod| pod.network.iter().chain(&pod.compute));
    of_pods.chain(plan.sites.iter().flat_map(|site| &site.meet_me)).chain(&plan.edge)
}

#[test]
fn racks_of_the_largest_fleet_share_no_name_and_no_address() {
    let plan = Plan::new(LARGEST.size);
    let (mut names, mut ranges) = (HashSet::new(), Vec::new());
    for rack in racks(&plan) {
        assert!(names.insert((rack.site, &rack.name)), "{} {} twice", rack.site, rack.name);
        let transfers = rack.fit_out.transfer_networks - 1;
        ranges.extend([
            (rack.host_address(0), rack.host_address(255)),
            (rack.management_address(0), rack.management_address(255)),
            (rack.loopback(0), rack.loopback(7)),
            (rack.transfer_addresses(0)[0], rack.transfer_addresses(transfers)[1]),
        ]);
    }
    assert!(names.len() > MAX_RACKS * 5 / 4, "a pod has two racks besides its eight: {}", names.len());
    ranges.sort_unstable();
    let is_shared = |address: Ipv4Addr| address.octets()[0] == 100 && (64..128).contains(&address.octets()[1]);
    for (first, last) in &ranges {
        assert!(first <= last, "{first} to {last}");
        assert!([first, last].iter().all(|it| it.is_private() || is_shared(**it)), "{first} to {last}");
    }
    for pair in ranges.windows(2) {
        assert!(pair[0].1 < pair[1].0, "{pair:?} overlap");
    }
}

/// The largest fleet is generated in pods. A pod refers to itself, the pod before it, and the first pods of its hall
/// and of its site. The first and the last pods and those around the boundary of a hall therefore represent all pods.
#[test]
fn a_sample_of_the_largest_fleet_keeps_the_rules() {
    let mut fleet = items(&LARGEST);
    let (last, hall) =
        (fleet.plan.sites[1].pods.len() - 1, fleet.plan.sites[1].pods.iter().rposition(|it| it.index == 0));
    let hall = hall.expect("a hall has a first pod");
    // Some pods are generated only because others refer to them; they are not checked.
    let (looked_at, only_known) = ([0, hall, last], [hall - 1, last - 1]);
    let (mut known, mut unique, mut taken) = (HashSet::new(), HashSet::new(), HashSet::new());
    for (at, stage) in fleet.stages.clone().into_iter().enumerate() {
        let is_looked_at = match stage {
            Stage::Pod(1, pod) if only_known.contains(&pod) => false,
            Stage::Pod(1, pod) if looked_at.contains(&pod) => true,
            Stage::World | Stage::MeetMe(1) => true,
            _ => continue,
        };
        fleet.made = at;
        let made = fleet.make(stage);
        assert!(made.len() < 15_000, "{stage:?} has {} items in memory", made.len());
        for (kind, fields) in made.iter().filter_map(Value::as_object).flatten() {
            let mut found = Vec::new();
            fields.as_object().into_iter().flatten().for_each(|(_, field)| references(field, &mut found));
            for reference in found.iter().filter(|_| is_looked_at) {
                assert!(known.contains(&key(reference)), "{kind} {}: no {reference} before it", fields["name"]);
            }
            for field in ["aEnds", "bEnds"] {
                let mut ends = Vec::new();
                references(&fields[field], &mut ends);
                ends.iter().for_each(|end| assert!(taken.insert(key(end)), "{end} twice"));
            }
            for field in ["assetTag", "mac"].into_iter().filter(|field| fields[field].is_string()) {
                assert!(unique.insert((field, fields[field].to_string())), "{field} {} twice", fields[field]);
            }
            for key in keys(kind, fields) {
                assert!(known.insert(key), "{kind} {} twice", fields["name"]);
            }
        }
    }
    assert!(known.len() > 30_000, "only {} things were looked at", known.len());
}
