//! The rules of orders, by tables: which host gets which order in which state, and what an order changes.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use underlay_engine::write::{Batch, Conflicts, Decision as _, Origin, plan};
use underlay_entity::host::{HostAct, HostBoot, HostState};
use underlay_entity::text_map::TextMap;
use underlay_inventory::Refusal;
use underlay_kinds::host::ROLE;
use underlay_kinds::hosts::{Act, Afterwards, EndOfOrders, MayForce, Order};
use uuid::Uuid;

use super::write_as_server;
use crate::harness::inside::batch;
use crate::harness::world::World;

const NO: MayForce = MayForce::No;
const YES: MayForce = MayForce::Yes;

fn now() -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000)
}

/// Gives an order for hosts of a world, and returns the refusal if there is one.
fn order(world: &mut World, hosts: &[&str], act: Act) -> Result<(), Refusal> {
    let ids = hosts.iter().map(|name| world.id("host", name)).collect();
    order_ids(world, ids, act)
}

fn order_ids(world: &mut World, ids: Vec<Uuid>, act: Act) -> Result<(), Refusal> {
    let order = Order::new(ROLE, ids, act, Value::Null)?;
    let items = order.items(&world.snapshot, now())?;
    let by_server = Batch { origin: Origin::Server, conflicts: Conflicts::Force, ..batch(items) };
    let planned = plan(&world.snapshot, &by_server, now())?;
    assert!(planned.accepted, "{:?}", planned.outcomes);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
    Ok(())
}

/// A host with everything that an order needs, in a state.
fn world_in(state: &str, during: Option<&str>) -> World {
    let image = json!({"url": "https://images.example/a", "checksum": format!("sha256:{}", "0a".repeat(32)),
        "format": "QCOW2"});
    let mut world = World::of(json!([
        {"profile": {"name": "rhel", "purpose": "INSTALL", "method": "DISK_IMAGE", "image": image}},
        {"profile": {"name": "kick", "purpose": "INSTALL", "method": "KICKSTART_RPM", "repository": "https://r.example/"}},
        {"profile": {"name": "wipe", "purpose": "WIPE"}},
        {"cluster": {"name": "k1"}},
        {"host": {"name": "h", "bmcUrl": "simulated://a", "provisioner": "simulated"}},
        {"host": {"name": "other", "bmcUrl": "simulated://b", "provisioner": "simulated"}},
    ]));
    let failure = during.map(|during| json!({"during": during, "reason": "TimedOut", "message": "m"}));
    write_as_server(
        &mut world,
        json!([
            {"host": {"name": "h", "state": state, "failure": failure, "power": "OFF"}},
            {"host": {"name": "other", "state": state, "failure": failure, "power": "OFF"}},
        ]),
    );
    world
}

fn install(world: &World, profile: &str) -> Act {
    let (variables, force) = (TextMap::default(), NO);
    Act::Install { profile: world.id("profile", profile), variables, force, valid_for: None }
}

fn power(act: HostAct) -> Act {
    Act::Power { act, force: NO, valid_for: None }
}

fn boot(boot: HostBoot, force: MayForce) -> Act {
    Act::Boot { boot, force, valid_for: None }
}

fn discover(force: MayForce) -> Act {
    Act::Discover { force, afterwards: Afterwards::Registered, valid_for: None }
}

fn release(wipe: bool, force: MayForce) -> Act {
    Act::Release { wipe, force, valid_for: None }
}

/// Every state, with the state in which a FAILED host failed.
const STATES: [(&str, Option<&str>); 14] = [
    ("REGISTERED", None),
    ("DISCOVERING", None),
    ("AVAILABLE", None),
    ("ACQUIRED", None),
    ("INSTALLING", None),
    ("INSTALLED", None),
    ("RELEASING", None),
    ("WIPING", None),
    ("FAILED", None),
    ("FAILED", Some("DISCOVERING")),
    ("FAILED", Some("INSTALLING")),
    ("FAILED", Some("INSTALLED")),
    ("FAILED", Some("RELEASING")),
    ("FAILED", Some("WIPING")),
];

#[test]
fn each_order_is_for_hosts_in_some_states() {
    // A letter for each state: `x` is ordered, `.` is refused.
    let install_rhel = |world: &World| install(world, "rhel");
    type Ordered<'a> = &'a dyn Fn(&World) -> Act;
    let table: [(&str, Ordered<'_>, &str); 9] = [
        ("adopt", &|_| Act::Adopt { state: HostState::Installed, force: NO }, "x............."),
        ("discover", &|_| discover(NO), "x.x.....xx...."),
        ("install", &install_rhel, "...x......x..."),
        ("release", &|_| release(false, NO), "...x.x....xxxx"),
        ("wipe", &|_| release(true, NO), "...x.x....xxxx"),
        ("power on", &|_| power(HostAct::PowerOn), "x.xx.x..xxxxxx"),
        ("power off", &|_| power(HostAct::PowerOff), "x.xx.x..xxxxxx"),
        ("delete", &|_| Act::Delete { if_version: None }, "xxx.....xx...."),
        ("boot", &|_| boot(HostBoot::Local, NO), "x.xx.x..xxxxxx"),
    ];
    for (what, act, expected) in table {
        let may = STATES.map(|(state, during)| {
            let mut world = world_in(state, during);
            let act = act(&world);
            match order(&mut world, &["h"], act) {
                Ok(()) => 'x',
                Err(refusal) => {
                    let sentence = refusal.to_string();
                    assert!(sentence.starts_with(&format!("host h is {state}: ")), "{what}: {sentence}");
                    assert_eq!((refusal.code().as_str(), refusal.field()), ("INCOMPATIBLE", Some("ids[0]")), "{what}");
                    '.'
                }
            }
        });
        assert_eq!(may.iter().collect::<String>(), expected, "{what}");
    }
}

#[test]
fn an_order_sets_what_is_wanted_once() {
    let mut world = world_in("ACQUIRED", None);
    let variables = TextMap([("a".to_owned(), "b".to_owned())].into());
    let profile = world.id("profile", "rhel");
    let valid_for = Some(TimeDelta::seconds(60));
    order(&mut world, &["h", "other"], Act::Install { profile, variables, force: NO, valid_for }).expect("ordered");
    for host in ["h", "other"] {
        let wanted = world.field("host", host, "wanted");
        assert_eq!(wanted["act"], "INSTALL");
        assert_eq!(wanted["profile"], json!(profile));
        assert_eq!(wanted["variables"], json!({"a": "b"}));
        let until = wanted["until"].as_str().and_then(|until| until.parse::<DateTime<Utc>>().ok());
        assert_eq!(until, Some(now() + TimeDelta::seconds(60)));
        assert_eq!(world.field("host", host, "generation"), 1);
        assert_eq!(world.field("host", host, "state"), "ACQUIRED", "a controller moves it on");
    }
    let refusal = order(&mut world, &["h"], power(HostAct::PowerOn)).expect_err("at work");
    assert_eq!(refusal.to_string(), "host h has an order at work (INSTALL): wait until it ends");
    assert_eq!(refusal.code().as_str(), "IN_USE");
    assert_eq!(world.field("host", "h", "generation"), 1);
}

#[test]
fn each_order_has_an_id_of_its_own() {
    let mut world = world_in("FAILED", Some("DISCOVERING"));
    let id = |world: &World, host: &str| world.field("host", host, "wanted")["id"].clone();
    let failed = |name: &str| json!({"host": {"name": name, "wanted": {"act": "DISCOVER"}, "generation": 3, "generationDone": 3}});
    write_as_server(&mut world, json!([failed("h"), failed("other")]));
    let before = [id(&world, "h"), id(&world, "other")];
    assert!(before.iter().all(|id| id.is_string()) && before[0] != before[1], "{before:?}");
    // A retry is another order, though it wants the same.
    order(&mut world, &["h", "other"], Act::Retry).expect("ordered");
    let after = [id(&world, "h"), id(&world, "other")];
    assert!(after.iter().all(|id| id.is_string() && !before.contains(id)) && after[0] != after[1], "{after:?}");
    // The outcome of an order does not change it.
    write_as_server(&mut world, json!([{"host": {"name": "h", "state": "AVAILABLE", "generationDone": 4}}]));
    assert_eq!(id(&world, "h"), after[0]);
    // A number that comes again is that of another order.
    write_as_server(&mut world, json!([{"host": {"name": "h", "wanted": null, "generation": 3, "generationDone": 3}}]));
    write_as_server(&mut world, json!([{"host": {"name": "h", "wanted": {"act": "DISCOVER"}, "generation": 4}}]));
    assert!(id(&world, "h").is_string() && id(&world, "h") != after[0]);
}

#[test]
fn some_hosts_get_no_order() {
    let discover = || discover(NO);
    let on = || power(HostAct::PowerOn);
    let table: [(&str, Value, Act, &str, &str); 10] = [
        (
            "maintenance",
            json!({"maintenance": {"ann": "a fan"}}),
            discover(),
            "INCOMPATIBLE",
            "is in maintenance (ann: a fan): end it",
        ),
        (
            "maintenance",
            json!({"maintenance": {"ann": "a fan"}}),
            on(),
            "INCOMPATIBLE",
            "is in maintenance (ann: a fan): end it",
        ),
        ("deleting", json!({"deleting": true}), discover(), "INCOMPATIBLE", "is about to be deleted"),
        ("at work", json!({"generation": 1}), discover(), "IN_USE", "has an order at work: wait"),
        ("running", json!({"power": "ON"}), discover(), "IN_USE", "the machine is running; this would reboot it"),
        (
            "no provisioner",
            json!({"provisioner": null}),
            discover(),
            "INCOMPATIBLE",
            "it can be powered only: set its `provisioner` to one of those that exist (simulated, direct, ironic)",
        ),
        (
            "no way",
            json!({"provisioner": null, "bmcUrl": null}),
            on(),
            "INCOMPATIBLE",
            "set its `bmcUrl`, `appliance` or `provisioner`",
        ),
        (
            "an adoption at work",
            json!({"generation": 1}),
            Act::Adopt { state: HostState::Available, force: NO },
            "IN_USE",
            "has an order at work",
        ),
        (
            "adopted as free, and it runs",
            json!({"power": "ON"}),
            Act::Adopt { state: HostState::Available, force: NO },
            "IN_USE",
            "runs, so it may be in use",
        ),
        ("no order", json!({}), Act::Cancel, "INCOMPATIBLE", "has no order that could be cancelled"),
    ];
    for (what, fields, act, code, says) in table {
        let mut world = world_in("REGISTERED", None);
        let mut item = fields;
        item["name"] = json!("h");
        write_as_server(&mut world, json!([{ "host": item }]));
        if matches!(act, Act::Cancel) {
            order(&mut world, &["other"], on()).expect("an order that could be cancelled");
        }
        let before = world.snapshot.revision();
        let refusal = order(&mut world, &["other", "h"], act).expect_err(what);
        let sentence = refusal.to_string();
        assert!(sentence.starts_with("host h ") && sentence.contains(says), "{what}: {sentence}");
        assert_eq!((refusal.code().as_str(), refusal.field()), (code, Some("ids[1]")), "{what}");
        assert_eq!(world.snapshot.revision(), before, "{what}: nothing is written for the other one either");
    }
}

#[test]
fn a_machine_that_may_be_in_use_is_not_switched_off_with_others() {
    let table = [
        ("INSTALLED", None, "ON", true),
        ("INSTALLED", None, "OFF", true),
        ("REGISTERED", None, "ON", true),
        ("REGISTERED", None, "UNKNOWN", true),
        ("REGISTERED", None, "OFF", false),
        ("AVAILABLE", None, "ON", true),
        ("AVAILABLE", None, "UNKNOWN", true),
        ("AVAILABLE", None, "OFF", false),
        ("ACQUIRED", None, "ON", true),
        ("ACQUIRED", None, "OFF", false),
        ("FAILED", Some("RELEASING"), "ON", true),
        ("FAILED", Some("DISCOVERING"), "ON", true),
        ("FAILED", Some("DISCOVERING"), "OFF", false),
    ];
    for (state, during, power, is_careful) in table {
        for act in [HostAct::PowerOff, HostAct::PowerCycle] {
            for (hosts, force, refused) in
                [(&["h"][..], NO, false), (&["h", "other"], NO, is_careful), (&["h", "other"], YES, false)]
            {
                let mut world = world_in(state, during);
                write_as_server(&mut world, json!([{"host": {"name": "h", "power": power}}]));
                let outcome = order(&mut world, hosts, Act::Power { act, force, valid_for: None });
                assert_eq!(outcome.is_err(), refused, "{state} {power} {act:?} {hosts:?}: {outcome:?}");
            }
        }
        let mut world = world_in(state, during);
        order(&mut world, &["h", "other"], self::power(HostAct::PowerOn)).expect("on");
    }
}

#[test]
fn a_running_machine_is_discovered_only_with_force() {
    for (state, during, is_careful) in
        [("REGISTERED", None, true), ("AVAILABLE", None, true), ("FAILED", Some("DISCOVERING"), false)]
    {
        let mut world = world_in(state, during);
        write_as_server(&mut world, json!([{"host": {"name": "h", "power": "ON"}}]));
        let outcome = order(&mut world, &["h"], discover(NO));
        assert_eq!(outcome.is_err(), is_careful, "{state}: {outcome:?}");
        if is_careful {
            order(&mut world, &["h", "other"], discover(YES)).expect_err("one of several");
            order(&mut world, &["h"], discover(YES)).expect("with force");
            assert_eq!(world.field("host", "h", "wanted")["coversRunning"], true);
        }
    }
}

/// A provisioner that cannot install or wipe yet says so before anything is begun.
#[test]
fn what_boots_from_here_is_discovered_only() {
    for (state, wipes) in [("ACQUIRED", false), ("ACQUIRED", true), ("INSTALLED", true)] {
        let mut world = world_in("AVAILABLE", None);
        write_as_server(&mut world, json!([{"host": {"name": "h", "provisioner": "direct"}}]));
        write_as_server(&mut world, json!([{"host": {"name": "h", "state": state}}]));
        let act = if wipes { release(true, NO) } else { install(&world, "rhel") };
        let refusal = order(&mut world, &["h"], act).expect_err(state);
        assert!(refusal.to_string().contains("can only be discovered and powered"), "{state}: {refusal}");
        order(&mut world, &["h"], release(false, NO)).expect("it can be given back");
    }
    let mut world = world_in("AVAILABLE", None);
    write_as_server(&mut world, json!([{"host": {"name": "h", "provisioner": "direct"}}]));
    order(&mut world, &["h"], discover(NO)).expect("it can be discovered");
}

/// What a person says of a machine that runs is said of one machine. A release that only switches off is for several, too.
#[test]
fn force_covers_running_machines_of_one_host() {
    let covers = |act: &dyn Fn(&World) -> Act, hosts: &[&str]| {
        let mut world = world_in("ACQUIRED", None);
        let act = act(&world);
        order(&mut world, hosts, act).expect("ordered");
        world.field("host", "h", "wanted").get("coversRunning") == Some(&json!(true))
    };
    let installs = |world: &World, force| {
        let (profile, variables) = (world.id("profile", "rhel"), TextMap::default());
        Act::Install { profile, variables, force, valid_for: None }
    };
    type Ordered<'a> = &'a dyn Fn(&World) -> Act;
    let table: [(&str, Ordered<'_>, bool, bool); 5] = [
        ("install", &|world| installs(world, YES), true, false),
        ("install without force", &|world| installs(world, NO), false, false),
        ("release", &|_| release(false, YES), true, true),
        ("release without force", &|_| release(false, NO), false, false),
        ("wipe", &|_| release(true, YES), true, false),
    ];
    for (what, act, alone, together) in table {
        assert_eq!((covers(act, &["h"]), covers(act, &["h", "other"])), (alone, together), "{what}");
    }
}

#[test]
fn an_order_that_is_not_begun_ends() {
    let minutes = |order: Act, state: &str| {
        let mut world = world_in(state, None);
        super::orders::order(&mut world, &["h"], order).expect("ordered");
        let until =
            world.field("host", "h", "wanted")["until"].as_str().and_then(|it| it.parse::<DateTime<Utc>>().ok());
        until.map(|until| (until - now()).num_minutes())
    };
    let day = Some(TimeDelta::days(1));
    for (what, order, state, expected) in [
        ("discover", discover(NO), "AVAILABLE", 60),
        ("release", release(true, NO), "INSTALLED", 60),
        ("power", power(HostAct::PowerCycle), "INSTALLED", 10),
        ("power, for a day", Act::Power { act: HostAct::PowerOn, force: NO, valid_for: day }, "INSTALLED", 1_440),
    ] {
        assert_eq!(minutes(order, state), Some(expected), "{what}");
    }
}

/// A host at a step of its order, which was given in the state ACQUIRED.
fn world_at(state: &str, step: Option<&str>) -> World {
    let mut world = world_in(state, None);
    let step = step.map(|name| json!({"attempt": 1, "name": name, "of": 3, "since": "2026-01-01T00:00:00Z"}));
    let wanted = json!({"act": "INSTALL", "profile": "rhel", "givenIn": "ACQUIRED"});
    write_as_server(
        &mut world,
        json!([{"host": {"name": "h", "wanted": wanted, "generation": 3, "generationDone": 2, "step": step}}]),
    );
    world
}

/// Every place in an order, with what becomes of it if it is cancelled, and if controllers could only observe: `ends` at
/// once, `stops` when a controller has taken back what it prepared or has followed the step to its end, or is `refused`.
#[test]
fn an_order_ends_unless_it_touched_the_machine() {
    let table = [
        ("ACQUIRED", None, "ends", "ends"),
        ("ACQUIRED", Some("register"), "ends", "ends"),
        ("ACQUIRED", Some("look"), "ends", "ends"),
        ("ACQUIRED", Some("power-cycle"), "refused", "stops"),
        ("INSTALLING", None, "stops", "stops"),
        ("INSTALLING", Some("prepare"), "stops", "stops"),
        ("INSTALLING", Some("look"), "stops", "stops"),
        ("INSTALLING", Some("detach"), "stops", "stops"),
        ("INSTALLING", Some("boot-network"), "refused", "stops"),
        ("INSTALLING", Some("install"), "refused", "stops"),
        ("RELEASING", Some("detach"), "refused", "stops"),
        ("WIPING", Some("wipe"), "refused", "stops"),
    ];
    for (state, step, cancelled, observed) in table {
        let what = format!("{state} {step:?}");
        let became = |world: &World, outcome: &str| {
            let last = world.field("host", "h", "lastOrder");
            let is_open = world.field("host", "h", "generationDone") == json!(2);
            let stop = world.field("host", "h", "wanted").get("stop").cloned();
            assert_eq!(world.field("host", "h", "state"), state, "{what}");
            match (last["outcome"].as_str(), is_open, stop) {
                (Some(ended), false, None) if ended == outcome => "ends",
                (None, true, Some(stop)) if stop == outcome => "stops",
                (None, true, None) => "refused",
                other => panic!("{what}: {other:?}"),
            }
        };
        let mut world = world_at(state, step);
        let refused = order(&mut world, &["h"], Act::Cancel).err();
        assert_eq!(became(&world, "CANCELLED"), cancelled, "{what}");
        let says = refused.map(|refusal| refusal.to_string());
        assert_eq!(says.is_some_and(|it| it.contains("touched the machine already")), cancelled == "refused", "{what}");

        let mut world = world_at(state, step);
        assert_eq!(end_all(&mut world), 1, "{what}");
        assert_eq!(became(&world, "EXPIRED"), observed, "{what}");
        assert_eq!(end_all(&mut world), 0, "{what}: it is ended once");
    }
}

/// Ends all orders, and returns the number of those that were ended.
fn end_all(world: &mut World) -> usize {
    let items = EndOfOrders::new(ROLE).items(&world.snapshot, now()).expect("a decision");
    let count = items.len();
    let by_server = Batch { origin: Origin::Server, conflicts: Conflicts::Force, ..batch(items) };
    let planned = plan(&world.snapshot, &by_server, now()).expect("a batch within bounds");
    assert!(planned.accepted, "{:?}", planned.outcomes);
    world.snapshot = Arc::unwrap_or_clone(planned.next);
    count
}

/// What was installed counts until a release has switched it off. What an admin overrides is not known.
#[test]
fn a_host_was_installed_until_it_is_released() {
    let mut world = world_in("ACQUIRED", None);
    let step = |name: &str| json!({"attempt": 1, "name": name, "of": 3, "since": "2026-01-01T00:00:00Z"});
    for (fields, expected) in [
        (json!({"state": "INSTALLING", "step": step("install")}), false),
        (json!({"state": "INSTALLED", "step": null}), true),
        (json!({"state": "RELEASING", "step": step("power-off")}), true),
        (
            json!({"state": "FAILED", "step": null, "failure": {"during": "RELEASING", "reason": "StillOn", "message": "m"}}),
            true,
        ),
        (json!({"state": "RELEASING", "step": step("force-off")}), true),
        (json!({"state": "RELEASING", "step": step("detach")}), false),
        (json!({"state": "FAILED", "step": null}), false),
        (json!({"state": "INSTALLED", "failure": null}), true),
    ] {
        let mut host = fields.clone();
        host["name"] = json!("h");
        write_as_server(&mut world, json!([{ "host": host }]));
        assert_eq!(world.field("host", "h", "wasInstalled"), expected, "{fields}");
    }
    let failed = Act::Override { state: HostState::Failed, reason: "r".to_owned(), actor: "ann".to_owned() };
    order(&mut world, &["h"], failed).expect("an admin decides");
    assert_eq!(world.field("host", "h", "wasInstalled"), false);
}

#[test]
fn a_profile_must_fit_the_host() {
    let mut world = world_in("ACQUIRED", None);
    let kick = install(&world, "kick");
    let refusal = order(&mut world, &["h"], kick).expect_err("no method");
    let says = "host h cannot be installed: its provisioner simulated has no method KICKSTART_RPM; take a profile with DISK_IMAGE";
    assert_eq!(refusal.to_string(), says);
    let wipe = install(&world, "wipe");
    let refusal = order(&mut world, &["h"], wipe).expect_err("another purpose");
    assert_eq!((refusal.code().as_str(), refusal.field()), ("INVALID", Some("profile")));
    let (variables, force) = (TextMap::default(), NO);
    let gone = Act::Install { profile: Uuid::from_u128(7), variables, force, valid_for: None };
    let refusal = order(&mut world, &["h"], gone).expect_err("no profile");
    assert_eq!((refusal.code().as_str(), refusal.field()), ("NOT_FOUND", Some("profile")));
}

#[test]
fn a_host_of_a_cluster_is_released_through_it() {
    let mut world = world_in("INSTALLED", None);
    write_as_server(&mut world, json!([{"host": {"name": "h", "cluster": "k1"}}]));
    let refusal = order(&mut world, &["h"], release(false, NO)).expect_err("of a cluster");
    assert_eq!(refusal.to_string(), "host h belongs to a cluster: it is released only through the cluster");
    order(&mut world, &["other"], release(false, NO)).expect("of none");
    // Its provisioner goes while it is free.
    for fields in
        [json!({"cluster": null, "state": "AVAILABLE"}), json!({"provisioner": null}), json!({"state": "INSTALLED"})]
    {
        let mut host = json!({"name": "h"});
        host.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        write_as_server(&mut world, json!([{ "host": host }]));
    }
    order(&mut world, &["h"], release(true, NO)).expect_err("nothing can wipe it");
    order(&mut world, &["h"], release(false, YES)).expect("it can be switched off");
}

#[test]
fn a_retry_orders_again_what_failed() {
    // The last order, the state in which the host failed, and what is ordered then.
    let rhel = json!("rhel");
    let table = [
        (json!({"act": "INSTALL", "profile": rhel, "until": "2026-01-01T00:00:00Z"}), "INSTALLING", Ok("INSTALL")),
        (json!({"act": "WIPE", "force": true}), "RELEASING", Ok("WIPE")),
        (json!({"act": "POWER_ON"}), "DISCOVERING", Ok("DISCOVER")),
        (json!({"act": "POWER_ON"}), "RELEASING", Ok("RELEASE")),
        (json!({"act": "POWER_ON"}), "WIPING", Ok("WIPE")),
        (json!({"act": "POWER_ON"}), "INSTALLING", Err("give the order again, with installHosts")),
        (json!({"act": "INSTALL"}), "INSTALLING", Err("give the order again, with installHosts")),
        (Value::Null, "INSTALLED", Err("give the order again, with discoverHosts, installHosts or releaseHosts")),
    ];
    for (wanted, during, expected) in table {
        let mut world = world_in("FAILED", Some(during));
        write_as_server(
            &mut world,
            json!([{"host": {"name": "h", "wanted": wanted, "generation": 3, "generationDone": 3}}]),
        );
        let outcome = order(&mut world, &["h"], Act::Retry);
        match expected {
            Ok(act) => {
                outcome.expect(act);
                let now = world.field("host", "h", "wanted");
                assert_eq!((now["act"].as_str(), now["givenIn"].as_str()), (Some(act), Some("FAILED")), "{wanted}");
                assert_ne!(now["until"], wanted["until"], "{wanted}: it is valid from now on");
                let force = wanted.get("force").cloned();
                assert_eq!(now.get("force").cloned(), force, "{wanted}");
                assert_eq!(world.field("host", "h", "generation"), 4);
            }
            Err(says) => assert!(outcome.expect_err("refused").to_string().contains(says), "{wanted} {during}"),
        }
    }
    let refusal = order(&mut world_in("INSTALLED", None), &["h"], Act::Retry).expect_err("nothing failed");
    assert_eq!(refusal.to_string(), "host h is INSTALLED: only a FAILED host is retried");
}

#[test]
fn an_override_holds_whatever_the_host_was_and_is_seen_until_the_next_order() {
    let set = |state| Act::Override { state, reason: "it is idle".to_owned(), actor: "ann".to_owned() };
    for (state, during) in STATES {
        let mut world = world_in(state, during);
        let busy = json!({"name": "h", "generation": 5, "maintenance": {"bob": "a fan"}, "acquiredFor": "build",
            "step": {"attempt": 1, "name": "boot", "of": 5, "since": "2026-01-01T00:00:00Z"}});
        write_as_server(&mut world, json!([{ "host": busy }]));
        order(&mut world, &["h"], set(HostState::Available)).expect("an admin decides");
        for (field, value) in [
            ("state", json!("AVAILABLE")),
            ("generationDone", json!(5)),
            ("step", Value::Null),
            ("failure", Value::Null),
            ("acquiredFor", Value::Null),
        ] {
            assert_eq!(world.field("host", "h", field), value, "{state}: {field}");
        }
        assert_eq!(world.field("host", "h", "conditions")[0]["message"], "ann: it is idle");
    }
    let mut world = world_in("INSTALLING", None);
    order(&mut world, &["h"], set(HostState::Failed)).expect("an admin decides");
    assert_eq!(world.field("host", "h", "failure")["during"], "INSTALLING");
    order(&mut world, &["h"], release(false, NO)).expect("it is freed by an order");
    assert_eq!(world.field("host", "h", "conditions"), json!([]));
}

#[test]
fn the_hosts_of_an_order_are_some_each_once() {
    let mut world = world_in("REGISTERED", None);
    let (h, other) = (world.id("host", "h"), world.id("host", "other"));
    let many: Vec<Uuid> = (1..=1_001).map(Uuid::from_u128).collect();
    for (ids, code, field, says) in [
        (vec![], "INVALID", "ids", "must have 1 to 1000 entries, not 0"),
        (many, "INVALID", "ids", "must have 1 to 1000 entries, not 1001"),
        (vec![h, other, h], "INVALID", "ids[2]", "is in the list already"),
        (vec![h, Uuid::from_u128(7)], "NOT_FOUND", "ids[1]", "does not exist"),
        (vec![h, world.id("profile", "rhel")], "NOT_FOUND", "ids[1]", "does not exist"),
    ] {
        let refusal = order_ids(&mut world, ids, power(HostAct::PowerOn)).expect_err(says);
        assert_eq!((refusal.code().as_str(), refusal.field()), (code, Some(field)));
        assert!(refusal.to_string().contains(says), "{refusal}");
    }
}

#[test]
fn what_may_be_in_use_boots_from_the_network_alone_and_with_force() {
    let network = |force| boot(HostBoot::Network, force);
    for (state, during) in [("INSTALLED", None), ("FAILED", Some("INSTALLING"))] {
        let mut world = world_in(state, during);
        for (hosts, force) in [(&["h", "other"][..], NO), (&["h", "other"], YES), (&["h"], NO)] {
            let refusal = order(&mut world, hosts, network(force)).expect_err("it may be in use");
            assert!(refusal.to_string().contains("needs force, and an order for it alone"), "{refusal}");
        }
        order(&mut world, &["h"], network(YES)).expect("with force, alone");
        assert_eq!(world.field("host", "h", "boot"), "NETWORK");
        assert_eq!(world.field("host", "h", "wanted")["act"], "BOOT_NETWORK");
        order(&mut world, &["other"], boot(HostBoot::Local, NO)).expect("ordered");
        assert_eq!(world.field("host", "other", "wanted")["act"], "BOOT_LOCAL");
    }
    let mut world = world_in("AVAILABLE", None);
    order(&mut world, &["h", "other"], network(NO)).expect("nobody uses them");
}

#[test]
fn what_may_boot_from_the_network_is_neither_released_nor_overridden() {
    let mut world = world_in("FAILED", Some("INSTALLING"));
    let failure = json!({"during": "INSTALLING", "reason": "R", "message": "m", "armed": true});
    write_as_server(&mut world, json!([{"host": {"name": "h", "failure": failure}}]));
    let overridden =
        || Act::Override { state: HostState::Available, reason: "it is free".into(), actor: "admin".into() };
    for act in [release(false, YES), release(true, YES), overridden()] {
        let refusal = order(&mut world, &["h"], act).expect_err("armed");
        assert!(refusal.to_string().contains("have it boot LOCAL first"), "{refusal}");
    }
    order(&mut world, &["other"], overridden()).expect("the other one is not armed");
    order(&mut world, &["h"], boot(HostBoot::Local, NO)).expect("the way out");
}

#[test]
fn what_carries_others_or_says_nothing_is_not_one_of_several() {
    let mut world = world_in("AVAILABLE", None);
    world.write(json!([
        {"site": {"name": "s1", "type": "DATACENTER"}},
        {"cluster": {"name": "k2"}},
        {"device": {"name": "d1", "role": "SERVER", "site": {"site": "s1"}}},
        {"virtualMachine": {"name": "vm1", "cluster": {"cluster": "k2"}, "host": {"device": "d1"}}},
        {"host": {"name": "h", "machine": {"device": {"device": "d1"}}}},
    ]));
    for act in [HostAct::PowerOff, HostAct::PowerCycle] {
        let forced = || Act::Power { act, force: YES, valid_for: None };
        let refusal = order(&mut world, &["h", "other"], forced()).expect_err("it carries a virtual machine");
        assert!(refusal.to_string().contains("carries virtual machines"), "{refusal}");
    }
    let alone = Act::Power { act: HostAct::PowerCycle, force: NO, valid_for: None };
    order(&mut world, &["h"], alone).expect("for it alone");

    let mut world = world_in("AVAILABLE", None);
    let silent = json!({"at": "2026-01-01T00:00:00Z"});
    write_as_server(&mut world, json!([{"host": {"name": "h", "seenIdentity": silent}}]));
    for act in [power(HostAct::PowerOn), power(HostAct::PowerOff), discover(YES), boot(HostBoot::Local, NO)] {
        let refusal = order(&mut world, &["h", "other"], act).expect_err("it tells nothing");
        assert!(refusal.to_string().contains("tells nothing of itself"), "{refusal}");
    }
    order(&mut world, &["h"], power(HostAct::PowerOn)).expect("for it alone");
    assert_eq!(world.field("host", "h", "wanted")["alone"], true);
    assert_eq!(world.field("host", "other", "wanted"), Value::Null);
}

#[test]
fn a_machine_that_was_exchanged_is_looked_at_anew() {
    let mut world = world_in("AVAILABLE", None);
    let seen = json!({"uuid": "38947555-7742-3448-3784-823347823834", "serial": "S1", "at": "2026-01-01T00:00:00Z"});
    write_as_server(&mut world, json!([{"host": {"name": "h", "seenIdentity": seen}}]));
    // It survives what people change, and orders.
    for change in [
        json!({"bmcUrl": "simulated://c"}),
        json!({"uid": "38947555-7742-3448-3784-823347823834"}),
        json!({"provisioner": null}),
        json!({"provisioner": "simulated"}),
    ] {
        let mut fields = change;
        fields["name"] = json!("h");
        world.write(json!([{ "host": fields }]));
        assert_eq!(world.field("host", "h", "seenIdentity")["serial"], "S1", "{fields}");
    }
    let overridden = Act::Override { state: HostState::Registered, reason: "r".into(), actor: "admin".into() };
    order(&mut world, &["h"], overridden).expect("overridden");
    assert_eq!(world.field("host", "h", "seenIdentity")["serial"], "S1");
    order(&mut world, &["h", "other"], Act::AcceptMachine).expect("accepted");
    assert_eq!(world.field("host", "h", "seenIdentity"), Value::Null);

    write_as_server(&mut world, json!([{"host": {"name": "h", "seenIdentity": seen}}]));
    world.write(json!([
        {"site": {"name": "s1", "type": "DATACENTER"}},
        {"device": {"name": "d1", "role": "SERVER", "site": {"site": "s1"}}},
        {"device": {"name": "d2", "role": "SERVER", "site": {"site": "s1"}}},
        {"host": {"name": "h", "machine": {"device": {"device": "d1"}}}},
    ]));
    assert_eq!(world.field("host", "h", "seenIdentity")["serial"], "S1", "its device became known");
    world.write(json!([{"host": {"name": "h", "machine": {"device": {"device": "d2"}}}}]));
    assert_eq!(world.field("host", "h", "seenIdentity"), Value::Null, "it is another device now");
}

/// After a machine was exchanged, nothing that was known of the old one counts: neither what was installed on it, nor what a
/// person said of it when it ran.
#[test]
fn an_exchanged_machine_is_another_one() {
    let replace = |force| Act::ReplaceMachine { serial: "S2".to_owned(), force };
    // A letter for each state: `x` is replaced, `f` only with force, `.` never.
    let expected = "x.xf.f..xxffff";
    let seen = json!({"uuid": null, "serial": "S1", "macs": [], "at": "2026-01-01T00:00:00Z"});
    let last = json!({"act": "WIPE", "force": true, "coversRunning": true});
    for ((state, during), letter) in STATES.into_iter().zip(expected.chars()) {
        let mut world = world_in(state, during);
        world.write(json!([{"host": {"name": "h", "uid": "38947555-7742-3448-3784-823347823834", "serial": "S1",
            "bootMac": "02:00:5e:00:00:01", "bootIp": "10.0.0.8"}}]));
        let known = json!({"name": "h", "seenIdentity": seen, "hardware": {"cpuCores": 8, "disks": []},
            "wanted": last, "generation": 3, "generationDone": 3});
        write_as_server(&mut world, json!([{ "host": known }]));

        let without = order(&mut world, &["h"], replace(NO));
        assert_eq!(without.is_ok(), letter == 'x', "{state} {during:?}: {without:?}");
        if without.is_err() {
            let forced = order(&mut world, &["h"], replace(YES));
            assert_eq!(forced.is_ok(), letter == 'f', "{state} {during:?}: {forced:?}");
        }
        if letter == '.' {
            assert_eq!(world.field("host", "h", "serial"), "S1", "{state}");
            continue;
        }
        let now = |field: &str| world.field("host", "h", field);
        for field in ["uid", "bootMac", "seenIdentity", "hardware"] {
            assert_eq!(now(field), Value::Null, "{state} {during:?}: {field}");
        }
        let state_now = if state == "INSTALLED" { "ACQUIRED" } else { state };
        assert_eq!((now("state"), now("serial"), now("bootIp")), (json!(state_now), json!("S2"), json!("10.0.0.8")));
        assert_eq!(now("wasInstalled"), json!(false), "{state} {during:?}");
        let wanted = now("wanted");
        let may = |member: &str| wanted.get(member).and_then(Value::as_bool).unwrap_or(false);
        assert!(wanted["act"] == "WIPE" && !may("force") && !may("coversRunning"), "{state} {during:?}: {wanted}");
    }

    let mut world = world_in("AVAILABLE", None);
    order(&mut world, &["h"], discover(NO)).expect("ordered");
    let refusal = order(&mut world, &["h"], replace(YES)).expect_err("an order is at work");
    assert!(refusal.to_string().contains("has an order at work"), "{refusal}");
    let mut world = world_in("FAILED", Some("INSTALLING"));
    let failure = json!({"during": "INSTALLING", "reason": "TimedOut", "message": "m", "armed": true});
    write_as_server(&mut world, json!([{"host": {"name": "h", "failure": failure}}]));
    let refusal = order(&mut world, &["h"], replace(YES)).expect_err("it may boot from the network");
    assert!(refusal.to_string().contains("may boot from the network"), "{refusal}");
}
