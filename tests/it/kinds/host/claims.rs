//! Claims: which hosts they get, in which order, what they say when there are too few, and what happens in a race.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use rand::{Rng as _, SeedableRng as _};
use serde_json::{Value, json};
use underlay_engine::write::{Batch, Conflicts, Decision, Origin, WriteAnswer, plan};
use underlay_entity::host::Model;
use underlay_entity::text_map::TextMap;
use underlay_inventory::{Refusal, Snapshot, cast};
use underlay_kinds::host::ROLE;
use underlay_kinds::hosts::{Acquired, Claim, Desk, Selection, Spread, acquire};
use uuid::Uuid;

use super::write_as_server;
use crate::harness::inside::batch;
use crate::harness::world::World;

/// Writes the batch of a decision, as the sequencer does.
fn write(world: &RefCell<World>, decision: &dyn Decision) -> Result<WriteAnswer, Refusal> {
    let mut world = world.borrow_mut();
    let base = Arc::new(world.snapshot.clone());
    let items = decision.items(&base, Utc::now())?;
    let by_server = Batch { origin: Origin::Server, conflicts: Conflicts::Force, ..batch(items) };
    let planned = plan(&base, &by_server, Utc::now())?;
    assert!(planned.accepted, "{:?}", planned.outcomes);
    world.snapshot = planned.next.as_ref().clone();
    let (snapshot, revision) = (planned.next, Some(world.snapshot.revision()));
    Ok(WriteAnswer { revision, snapshot, base, outcomes: planned.outcomes, changes: Arc::default() })
}

/// A world in which claims are made, with what happens right before each is written.
struct Counter<'a, F> {
    world: &'a RefCell<World>,
    /// The time at which all machines answered last.
    seen_at: Option<DateTime<Utc>>,
    before: F,
}

impl<F: AsyncFn()> Desk for Counter<'_, F> {
    fn current(&self) -> Arc<Snapshot> {
        Arc::new(self.world.borrow().snapshot.clone())
    }

    fn seen_at(&self, _: Uuid) -> Option<DateTime<Utc>> {
        self.seen_at
    }

    async fn claim(&self, claim: Arc<dyn Decision>) -> Result<WriteAnswer, Refusal> {
        (self.before)().await;
        write(self.world, claim.as_ref())
    }

    async fn look(&self, looks: Arc<dyn Decision>) -> Result<WriteAnswer, Refusal> {
        write(self.world, looks.as_ref())
    }
}

pub async fn claim(world: &RefCell<World>, claim: Claim) -> Result<Acquired, Refusal> {
    claim_seen(world, claim, None).await
}

/// Claims hosts whose machines all answered last at a time.
async fn claim_seen(world: &RefCell<World>, claim: Claim, seen_at: Option<DateTime<Utc>>) -> Result<Acquired, Refusal> {
    acquire(ROLE, claim, Value::Null, &Counter { world, seen_at, before: async || {} }).await
}

pub fn of_class(world: &RefCell<World>, class: &str, count: usize) -> Claim {
    let class = Some(world.borrow().id("hostClass", class));
    Claim {
        selection: Selection { class, ..Selection::default() },
        count,
        purpose: "build".to_owned(),
        spread: None,
        most: None,
    }
}

/// Returns the names of hosts by their ids.
fn names(world: &RefCell<World>, ids: impl IntoIterator<Item = Uuid>) -> Vec<String> {
    let world = world.borrow();
    ids.into_iter().map(|id| world.snapshot.row_of(id).expect("a host").common().name.to_owned()).collect()
}

fn acquired(world: &RefCell<World>, acquired: &Acquired) -> Vec<String> {
    names(world, acquired.answer.outcomes.iter().filter_map(|outcome| outcome.id))
}

/// Hosts of the class `large`, each AVAILABLE.
fn world(hosts: &[&str]) -> RefCell<World> {
    let mut world = World::of(json!([{"hostClass": {"name": "large"}}, {"hostClass": {"name": "none"}}]));
    for host in hosts {
        let class = json!({"hostClass": "large"});
        world.write(json!([{"host": {"name": host, "class": class, "labels": {"row": "a"}}}]));
        write_as_server(&mut world, json!([{"host": {"name": host, "state": "AVAILABLE"}}]));
    }
    RefCell::new(world)
}

#[tokio::test]
async fn those_that_wait_the_longest_come_first() {
    let world = world(&["a", "b", "c", "d"]);
    // The report of the power counts as the last one.
    write_as_server(&mut world.borrow_mut(), json!([{"host": {"name": "a", "power": "OFF"}}]));
    let first = claim(&world, of_class(&world, "large", 2)).await.expect("acquired");
    assert_eq!(acquired(&world, &first), ["b", "c"]);
    for (host, state, purpose) in [("b", "ACQUIRED", json!("build")), ("d", "AVAILABLE", Value::Null)] {
        let world = world.borrow();
        let fields = ["state", "acquiredFor"].map(|field| world.field("host", host, field));
        assert_eq!(fields, [json!(state), purpose], "{host}");
        assert_eq!(world.field("host", host, "generation"), 0, "a claim is no order");
    }
    let second = claim(&world, of_class(&world, "large", 2)).await.expect("acquired");
    assert_eq!(acquired(&world, &second), ["d", "a"]);
}

#[tokio::test]
async fn too_few_are_none_and_the_sentence_says_why() {
    let world = world(&["a", "b", "c", "d", "e", "f", "g"]);
    let rhel = json!([
        {"host": {"name": "c", "state": "ACQUIRED", "acquiredFor": "ci"}},
        {"host": {"name": "d", "state": "ACQUIRED", "acquiredFor": "build"}},
        {"host": {"name": "e", "state": "ACQUIRED", "acquiredFor": "ci"}},
        {"host": {"name": "f", "maintenance": {"ann": "a fan"}}},
        {"host": {"name": "g", "generation": 1}},
    ]);
    write_as_server(&mut world.borrow_mut(), rhel);
    let refusal = claim(&world, of_class(&world, "large", 4)).await.expect_err("too few");
    let says = "2 of 4: three more are acquired (build, ci), one is in maintenance (ann), one has an order at work; \
                ask for fewer, or free some of them";
    assert_eq!((refusal.to_string().as_str(), refusal.field()), (says, Some("count")));
    assert_eq!(world.borrow().field("host", "a", "state"), "AVAILABLE", "all or none");
    let refusal = claim(&world, of_class(&world, "none", 1)).await.expect_err("no host");
    assert_eq!(refusal.to_string(), "0 of 1: no host fits the claim; claim fewer hosts, or widen the choice");
    claim(&world, of_class(&world, "large", 2)).await.expect("there are two");
}

/// What the inventory knows of a machine from elsewhere says that it is not free, whatever the state of its host is.
#[tokio::test]
async fn a_machine_that_is_bound_is_not_claimed() {
    const UUID: &str = "38947555-7742-3448-3784-823347823834";
    let device = json!({"device": "d1"});
    let vm = json!({"virtualMachine": {"name": "vm1", "cluster": {"cluster": "k1"}, "host": device}});
    let hypervisor = |url: &str| json!({"appliance": {"name": "kvm", "type": "LIBVIRT", "url": format!("libvirt+tls://{url}/system")}});
    let site = json!({"site": "s1"});
    let recorded = |serial: &str| json!({"device": {"name": "d1", "site": site, "serial": serial}});
    let seen = |serial: &str| json!({"seenIdentity": {"serial": serial, "at": "2026-01-01T00:00:00Z"}});
    let by_uuid = json!({"device": {"name": "d1", "site": site, "serial": "CHASSIS", "attributes": {"uuid": UUID}}});
    let seen_by_uuid = json!({"seenIdentity": {"uuid": UUID, "serial": "NODE", "at": "2026-01-01T00:00:00Z"}});
    let says_another = "has a device with another serial number or UUID than was seen";
    let table = [
        ("nothing", json!(null), json!({}), None),
        ("a virtual machine", vm, json!({}), Some("carries virtual machines or an appliance")),
        ("a hypervisor", hypervisor("10.0.0.7"), json!({}), Some("carries virtual machines or an appliance")),
        ("another hypervisor", hypervisor("10.0.0.8"), json!({}), None),
        ("the serial number that was seen", recorded("a-1"), seen("A-1"), None),
        ("another serial number", recorded("A-1"), seen("A-2"), Some(says_another)),
        ("a serial number that means nothing", recorded("None"), seen("A-2"), None),
        ("the UUID decides", by_uuid, seen_by_uuid, None),
    ];
    for (what, item, mut fields, says) in table {
        let world = world(&["a"]);
        world.borrow_mut().write(json!([
            {"site": {"name": "s1", "type": "DATACENTER"}},
            {"cluster": {"name": "k1"}},
            {"device": {"name": "d1", "role": "SERVER", "site": {"site": "s1"}}},
            {"port": {"name": "eth0", "device": {"device": "d1"}, "type": "ETHERNET", "addresses": ["10.0.0.7/24"]}},
            {"host": {"name": "a", "machine": {"device": {"device": "d1"}}}},
        ]));
        if !item.is_null() {
            world.borrow_mut().write(json!([item]));
        }
        fields["name"] = json!("a");
        write_as_server(&mut world.borrow_mut(), json!([{ "host": fields }]));
        let found = claim(&world, of_class(&world, "large", 1)).await.map(drop).map_err(|it| it.to_string());
        match says {
            None => assert_eq!(found, Ok(()), "{what}"),
            Some(says) => assert!(found.as_ref().is_err_and(|it| it.contains(says)), "{what}: {found:?}"),
        }
    }
}

#[tokio::test]
async fn a_host_is_claimable_in_one_state_only() {
    let table = [
        ("nothing", json!({}), true),
        ("another state", json!({"state": "REGISTERED"}), false),
        ("maintenance", json!({"maintenance": {"ann": "x"}}), false),
        ("a failure", json!({"failure": {"during": "WIPING", "reason": "R", "message": "m"}}), false),
        ("an order at work", json!({"generation": 1}), false),
        ("an order that is done", json!({"generation": 1, "generationDone": 1}), true),
        ("about to be deleted", json!({"deleting": true}), false),
        ("seen running", json!({"power": "ON"}), false),
        ("seen off", json!({"power": "OFF"}), true),
    ];
    for (what, mut fields, may) in table {
        let world = world(&["a"]);
        fields["name"] = json!("a");
        write_as_server(&mut world.borrow_mut(), json!([{ "host": fields }]));
        assert_eq!(claim(&world, of_class(&world, "large", 1)).await.is_ok(), may, "{what}");
    }
    for (status, may) in [("ACTIVE", true), ("STAGED", true), ("OFFLINE", false), ("FAILED", false), ("RETIRED", false)]
    {
        let world = world(&["a"]);
        world.borrow_mut().write(json!([
            {"site": {"name": "s", "type": "DATACENTER"}},
            {"device": {"site": "s", "name": "n", "role": "SERVER", "status": status}},
            {"host": {"name": "a", "machine": {"device": {"device": "n"}}}},
        ]));
        assert_eq!(claim(&world, of_class(&world, "large", 1)).await.is_ok(), may, "{status}");
    }
}

#[tokio::test]
async fn a_selection_names_class_labels_ids_and_place() {
    let world = world(&["a", "b", "c"]);
    world.borrow_mut().write(json!([
        {"site": {"name": "s", "type": "DATACENTER"}},
        {"device": {"site": "s", "name": "n", "role": "SERVER"}},
        {"host": {"name": "b", "machine": {"device": {"device": "n"}}, "labels": {"row": "b"}}},
    ]));
    let (class, site) = (world.borrow().id("hostClass", "large"), world.borrow().id("site", "s"));
    let [a, b] = ["a", "b"].map(|name| world.borrow().id("host", name));
    let labels = |row: &str| TextMap([("row".to_owned(), row.to_owned())].into());
    let all = Selection { class: Some(class), ..Selection::default() };
    let table = [
        (Selection { labels: labels("b"), ..Selection::default() }, Some("b")),
        (Selection { labels: labels("z"), ..all.clone() }, None),
        (Selection { within: Some(site), ..all.clone() }, Some("b")),
        (Selection { ids: vec![b, a], ..Selection::default() }, Some("a")),
        (Selection { ids: vec![a], within: Some(site), ..Selection::default() }, None),
    ];
    for (selection, expected) in table {
        let world = RefCell::new(world.borrow().clone());
        let one = Claim { selection: selection.clone(), ..of_class(&world, "large", 1) };
        let found = claim(&world, one).await.ok().map(|found| acquired(&world, &found).remove(0));
        assert_eq!(found.as_deref(), expected, "{selection:?}");
    }
    let missing = Uuid::from_u128(7);
    let invalid = [
        ("class", "INVALID", Claim { selection: Selection::default(), ..of_class(&world, "large", 1) }),
        ("count", "INVALID", of_class(&world, "large", 0)),
        ("count", "INVALID", of_class(&world, "large", 1_001)),
        ("for", "INVALID", Claim { purpose: " ".to_owned(), ..of_class(&world, "large", 1) }),
        ("most", "INVALID", Claim { most: Some(1), ..of_class(&world, "large", 1) }),
        ("most", "INVALID", Claim { most: Some(0), spread: Some(Spread::Enclosure), ..of_class(&world, "large", 1) }),
        (
            "ids[1]",
            "INVALID",
            Claim { selection: Selection { ids: vec![a, a], ..all.clone() }, ..of_class(&world, "large", 1) },
        ),
        (
            "ids[0]",
            "NOT_FOUND",
            Claim { selection: Selection { ids: vec![class], ..all.clone() }, ..of_class(&world, "large", 1) },
        ),
        (
            "class",
            "NOT_FOUND",
            Claim { selection: Selection { class: Some(missing), ..all.clone() }, ..of_class(&world, "large", 1) },
        ),
        (
            "within",
            "NOT_FOUND",
            Claim { selection: Selection { within: Some(missing), ..all }, ..of_class(&world, "large", 1) },
        ),
    ];
    for (field, code, wrong) in invalid {
        let refusal = claim(&world, wrong.clone()).await.expect_err(field);
        assert_eq!((refusal.field(), refusal.code().as_str()), (Some(field), code), "{wrong:?}");
    }
}

#[tokio::test]
async fn a_claim_chooses_again_when_others_were_faster() {
    for (times, is_acquired) in [(0, true), (1, true), (2, true), (3, false)] {
        let world = world(&["a", "b", "c", "d", "e"]);
        let (left, tries) = (Cell::new(times), Cell::new(0));
        let before = async || {
            tries.set(tries.get() + 1);
            if left.get() > 0 {
                left.set(left.get() - 1);
                claim(&world, of_class(&world, "large", 1)).await.expect("somebody else is faster");
            }
        };
        let desk = Counter { world: &world, seen_at: None, before };
        let found = acquire(ROLE, of_class(&world, "large", 1), Value::Null, &desk).await;
        assert_eq!(tries.get(), (times + 1).min(3), "{times}");
        match is_acquired {
            true => assert_eq!(acquired(&world, &found.expect("acquired")), [["a", "b", "c"][times]]),
            false => assert_eq!(found.expect_err("three times").code().as_str(), "UNAVAILABLE"),
        }
    }
    // A write of another process meanwhile counts also for a refusal.
    let world = world(&["a"]);
    write_as_server(&mut world.borrow_mut(), json!([{"host": {"name": "a", "maintenance": {"ann": "x"}}}]));
    let before = async || {
        write_as_server(&mut world.borrow_mut(), json!([{"host": {"name": "a", "maintenance": {}}}]));
    };
    let desk = Counter { world: &world, seen_at: None, before };
    let found = acquire(ROLE, of_class(&world, "large", 1), Value::Null, &desk).await;
    assert_eq!(acquired(&world, &found.expect("acquired")), ["a"]);
}

/// Returns the time of the claim that last asked for a look at a host.
fn asked(world: &RefCell<World>, name: &str) -> Option<DateTime<Utc>> {
    let id = world.borrow().id("host", name);
    let world = world.borrow();
    let row = world.snapshot.row_of(id).expect("a host");
    cast::<Model>(row.as_ref()).look_asked.as_ref().map(|asked| asked.at)
}

#[tokio::test]
async fn a_look_is_asked_for_where_the_last_one_is_old() {
    let now = Utc::now();
    let (old, fresh) = (Some(now - TimeDelta::seconds(61)), Some(now));
    let table = [
        ("runs, seen now", "ON", fresh, false),
        ("runs, seen a while ago", "ON", old, true),
        ("runs, never seen", "ON", None, false),
        ("is off, seen now", "OFF", fresh, false),
        ("is off, seen a while ago", "OFF", old, true),
        ("is off, never seen", "OFF", None, false),
    ];
    for (what, power, seen_at, is_asked) in table {
        let world = world(&["a"]);
        write_as_server(&mut world.borrow_mut(), json!([{"host": {"name": "a", "power": power}}]));
        let found = claim_seen(&world, of_class(&world, "large", 1), seen_at).await;
        let says = found.map(drop).map_err(|it| it.to_string());
        assert_eq!(asked(&world, "a").is_some(), is_asked, "{what}");
        assert_eq!(says.is_ok(), power == "OFF", "{what}");
        let tells =
            says.is_err_and(|it| it.contains("one was last seen more than a minute ago: controllers look at it"));
        assert_eq!(tells, is_asked && power == "ON", "{what}");
    }
}

#[tokio::test]
async fn a_look_is_asked_for_once_a_minute_and_every_claim_says_so() {
    let world = world(&["a", "b", "c"]);
    let power = |name: &str| json!({"host": {"name": name, "power": "ON"}});
    write_as_server(&mut world.borrow_mut(), json!([power("a"), power("b")]));
    let old = Some(Utc::now() - TimeDelta::minutes(5));
    let mut revisions = Vec::new();
    for _ in 0..2 {
        let found = claim_seen(&world, of_class(&world, "large", 2), old).await.map(drop);
        let message = found.expect_err("two of them run").to_string();
        let expected = "1 of 2: two more run, so somebody may use them; ask for fewer, or free some of them. Of those that run, \
                        two were last seen more than a minute ago: controllers look at them now, so claim again in a moment";
        assert_eq!(message, expected);
        revisions.push(world.borrow().snapshot.revision());
    }
    assert_eq!(revisions[0], revisions[1], "the second claim writes nothing");
    assert!(asked(&world, "c").is_none(), "a host that can be acquired is not looked at for others");
}

/// A host in the plain model.
#[derive(Clone, Debug)]
struct Plain {
    name: String,
    class: &'static str,
    is_free: bool,
    /// The number of the step that last reported something of the host.
    reported: usize,
}

#[tokio::test]
async fn claims_equal_those_of_a_plain_model() {
    let mut made = 0;
    for seed in 0..24 {
        let mut random = StdRng::seed_from_u64(seed);
        let world = RefCell::new(World::of(json!([{"hostClass": {"name": "x"}}, {"hostClass": {"name": "y"}}])));
        let mut model: Vec<Plain> = Vec::new();
        for step in 0..90 {
            match random.random_range(0..4) {
                0 if model.len() < 12 => {
                    let (name, class) =
                        (format!("h{}", model.len()), *["x", "y"].choose(&mut random).expect("a class"));
                    world.borrow_mut().write(json!([{"host": {"name": name, "class": {"hostClass": class}}}]));
                    model.push(Plain { name, class, is_free: false, reported: step });
                }
                1 if !model.is_empty() => {
                    let host = random.random_range(0..model.len());
                    let state = *["AVAILABLE", "AVAILABLE", "AVAILABLE", "ACQUIRED", "FAILED"]
                        .choose(&mut random)
                        .expect("a state");
                    let before = world.borrow().snapshot.revision();
                    write_as_server(
                        &mut world.borrow_mut(),
                        json!([{"host": {"name": model[host].name, "state": state}}]),
                    );
                    model[host].is_free = state == "AVAILABLE";
                    if world.borrow().snapshot.revision() > before {
                        model[host].reported = step;
                    }
                }
                _ => {
                    let (class, count) = (*["x", "y"].choose(&mut random).expect("a class"), random.random_range(1..4));
                    let mut free: Vec<usize> =
                        (0..model.len()).filter(|at| model[*at].is_free && model[*at].class == class).collect();
                    free.sort_by_key(|at| model[*at].reported);
                    let found = claim(&world, of_class(&world, class, count)).await;
                    match free.get(..count) {
                        None => assert_eq!(found.expect_err("too few").field(), Some("count"), "{seed} {step}"),
                        Some(chosen) => {
                            let expected: Vec<&str> = chosen.iter().map(|at| model[*at].name.as_str()).collect();
                            assert_eq!(acquired(&world, &found.expect("acquired")), expected, "{seed} {step}");
                            for at in chosen {
                                (model[*at].is_free, model[*at].reported) = (false, step);
                            }
                            made += 1;
                        }
                    }
                }
            }
            let world = world.borrow();
            let free = model.iter().filter(|host| host.is_free).map(|host| host.name.clone()).collect::<BTreeSet<_>>();
            let rows = world.snapshot.table(ROLE.kind).rows(0).map(|(_, row)| cast::<Model>(row.as_ref()));
            let available = rows.filter(|host| host.state == underlay_entity::host::HostState::Available);
            assert_eq!(available.map(|host| host.name.clone()).collect::<BTreeSet<_>>(), free, "{seed} {step}");
        }
    }
    assert!(made > 60, "{made}: too tame");
}
