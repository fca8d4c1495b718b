//! Paths, rule by rule: a fleet in a few words, the query, and the expected answer.
//!
//! A query is `from > to` with options. An answer has a line for each path: its nodes, then its properties.

use underlay_topology::path::{Mode, PathError, PathQuery, Plane, Weight, paths};

use super::view;
use crate::impact::{Fleet, name};

/// A question, and which of its modes.
#[track_caller]
pub fn question(fleet: &Fleet, text: &str) -> (PathQuery, Mode) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [from, ">", to, options @ ..] = words.as_slice() else { panic!("what is {text}?") };
    let mut question = PathQuery::new(fleet.find(from), fleet.find(to));
    let mut mode = Mode::Shortest(1);
    for option in options {
        match option.split_once('=').unwrap_or((option, "")) {
            ("disjoint", _) => mode = Mode::Disjoint(100),
            ("limit", most) => mode = Mode::Shortest(most.parse().expect("a number")),
            ("avoid", what) => question.avoid.extend(what.split(',').map(|what| fleet.find(what))),
            ("weight", "length") => question.weight = Weight::Length,
            ("weight", "latency") => question.weight = Weight::Latency,
            ("management", _) => question.plane = Plane::Management,
            ("planned", _) => question.include_planned = true,
            ("logical", _) => question.include_logical = true,
            ("steps", most) => question.max_steps = Some(most.parse().expect("a number")),
            _ => panic!("what is {option}?"),
        }
    }
    (question, mode)
}

fn ask(fleet: &Fleet, text: &str) -> Result<Vec<String>, PathError> {
    let (question, mode) = question(fleet, text);
    let snapshot = fleet.snapshot();
    let found = paths(view(snapshot), &question, mode)?;
    let lines = found.iter().map(|path| {
        let mut words: Vec<String> = path.nodes.iter().map(|node| name(snapshot, *node)).collect();
        words.push(match path.measure.length_m() {
            Some(length) => format!("{length}m"),
            None => format!("{}m+", path.measure.known_length_m),
        });
        words.extend(path.measure.latency_ms().map(|latency| format!("{latency}ms")));
        words.extend((!path.is_active()).then(|| "inactive".to_owned()));
        words.extend(path.is_logical().then(|| "logical".to_owned()));
        words.join(" ")
    });
    Ok(lines.collect())
}

#[track_caller]
fn expect(fleet: &str, table: &[(&str, &[&str])]) {
    let fleet = Fleet::of(fleet);
    let mut wrong = Vec::new();
    for (query, expected) in table {
        match ask(&fleet, query) {
            Ok(found) if found == *expected => {}
            found => wrong.push(format!("== {query}\n{found:#?}")),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Two servers on two leaves each, two spines.
const POD: &str = "
    spine s1
    spine s2
    leaf l1
    leaf l2
    leaf l3
    server a
    server b
    server c
    a -- l1 lengthM=2
    a -- l2 lengthM=2
    b -- l3 lengthM=2
    c -- l1 lengthM=2
    c -- l2 lengthM=2
    l1 -- s1 lengthM=10 cable=up-1
    l1 -- s2 lengthM=20
    l2 -- s1 lengthM=30
    l2 -- s2 lengthM=10
    l3 -- s1 lengthM=10
    l3 -- s2 lengthM=10
";

#[test]
fn the_shortest_paths_come_first() {
    expect(
        POD,
        &[
            ("a > c limit=2", &["a l1 c 4m", "a l2 c 4m"]),
            (
                "a > b weight=length limit=4",
                &["a l1 s1 l3 b 24m", "a l2 s2 l3 b 24m", "a l1 s2 l3 b 34m", "a l2 s1 l3 b 44m"],
            ),
            ("b > a weight=length", &["b l3 s1 l1 a 24m"]),
            ("a > b disjoint", &["a l1 s1 l3 b 24m"]),
            ("a > c disjoint", &["a l1 c 4m", "a l2 c 4m"]),
            ("l1 > l3 disjoint weight=length", &["l1 s1 l3 20m", "l1 s2 l3 30m"]),
        ],
    );
}

#[test]
fn servers_are_not_passed_unless_they_forward() {
    expect(
        "
        server a
        server b
        server c
        router r forwards=false
        a -- b
        b -- c
        a -- r
        r -- c
        server f forwards=true
        server d
        c -- f
        f -- d
        ",
        &[("a > c", &[]), ("a > b", &["a b 0m+"]), ("c > d", &["c f d 0m+"])],
    );
}

#[test]
fn avoided_objects_take_down_their_dependents() {
    expect(
        "
        rack A
        rack B
        pdu p rack=A
        leaf l1 rack=A < p
        leaf l2 rack=B
        server a
        server b
        a -- l1 cable=c1
        a -- l2 cable=c2
        b -- l1
        b -- l2
        ",
        &[
            ("a > b avoid=l1", &["a l2 b 0m+"]),
            ("a > b avoid=A", &["a l2 b 0m+"]),
            ("a > b avoid=p", &["a l2 b 0m+"]),
            ("a > b avoid=c2", &["a l1 b 0m+"]),
            ("a > b avoid=a:e1", &["a l2 b 0m+"]),
            ("a > b avoid=c1,B", &[]),
            ("a > b avoid=s", &[]),
            ("a > b avoid=a", &[]),
        ],
    );
}

#[test]
fn unknown_measures_come_last() {
    expect(
        "
        router a
        router b
        router m
        router n
        provider p
        a -- b cable=direct
        a -- m lengthM=1000
        m -- b lengthM=1000
        circuit fast of p PROVIDER_CIRCUIT a -> b latencyMs=9
        circuit slow of p PROVIDER_CIRCUIT a -> n
        circuit rest of p PROVIDER_CIRCUIT n -> b latencyMs=1
        ",
        &[
            ("a > b weight=length", &["a m b 2000m"]),
            ("a > b weight=length limit=9", &["a m b 2000m", "a b 0m+", "a b 0m+ 9ms", "a n b 0m+"]),
            ("a > b weight=latency limit=9", &["a b 0m+", "a m b 2000m", "a b 0m+ 9ms", "a n b 0m+"]),
        ],
    );
}

#[test]
fn what_is_known_of_a_line_counts() {
    expect(
        "
        router a
        router b
        router m
        router n
        provider p
        a:slow -- slow/A lengthM=10
        slow/Z -- b:slow
        circuit slow of p PROVIDER_CIRCUIT cabled -> cabled distanceM=900 latencyMs=9
        a:patch -- patch/A
        patch/Z -- fast/A lengthM=20
        fast/Z -- b:fast lengthM=30
        circuit patch of p CROSS_CONNECT cabled -> cabled distanceM=100
        circuit fast of p PROVIDER_CIRCUIT cabled -> cabled distanceM=950 latencyMs=4
        a:near -- near/A lengthM=5
        near/Z -- far/A
        far/Z -- b:far
        circuit near of p PROVIDER_CIRCUIT cabled -> cabled latencyMs=1
        circuit far of p PROVIDER_CIRCUIT cabled -> cabled distanceM=70
        a -- m lengthM=500000
        m -- b lengthM=500000
        a -- n lengthM=1200000
        n -- b
        ",
        &[
            (
                "a > b weight=latency limit=9",
                &["a b 1100m+ 4.0005ms", "a m b 1000000m", "a n b 1200000m+", "a b 910m+ 9ms", "a b 75m+"],
            ),
            (
                "a > b weight=length limit=9",
                &["a m b 1000000m", "a b 75m+", "a b 910m+ 9ms", "a b 1100m+ 4.0005ms", "a n b 1200000m+"],
            ),
        ],
    );
}

#[test]
fn planes_are_separate() {
    expect(
        "
        server a
        server b
        leaf l
        switch oob plane=MANAGEMENT
        switch oob2 plane=MANAGEMENT
        a -- l
        b -- l
        a:bmc -- oob
        b:bmc -- oob2
        oob -- oob2
        ",
        &[
            ("a > b", &["a l b 0m+"]),
            ("a > b avoid=l", &[]),
            ("a > b management", &["a oob oob2 b 0m+"]),
            ("l > oob management", &[]),
            ("a > oob2 management", &["a oob oob2 0m+"]),
        ],
    );
}

#[test]
fn parts_of_one_parent_are_connected_if_they_forward() {
    expect(
        "
        chassis box
        leaf card-1 parent=box slot=one
        leaf card-2 parent=box slot=two
        server blade parent=box slot=three
        switch stack
        switch member parent=stack slot=one
        server a
        server b
        server c
        a -- card-1
        b -- card-2
        c -- member
        stack -- card-2
        ",
        &[
            ("a > b", &["a card-1 card-2 b 0m+"]),
            ("a > blade", &[]),
            ("a > c", &["a card-1 card-2 stack member c 0m+"]),
            ("card-1 > card-2 disjoint", &["card-1 card-2 0m"]),
        ],
    );
}

#[test]
fn networks_of_providers_forward() {
    expect(
        "
        provider p
        network mpls of p
        border_router x
        border_router y
        border_router z
        circuit cx of p TRANSIT x -> net:mpls distanceM=7 latencyMs=2
        circuit cy of p TRANSIT y -> net:mpls distanceM=8 latencyMs=3
        circuit cz of p TRANSIT z -> net:mpls status=PLANNED
        ",
        &[
            ("x > y", &["x mpls y 15m 5ms"]),
            ("x > mpls", &["x mpls 7m 2ms"]),
            ("x > p", &["x mpls 7m 2ms"]),
            ("cx > y", &["mpls y 8m 3ms"]),
            ("x > z", &[]),
            ("x > z planned", &["x mpls z 7m+ inactive"]),
            ("x > y avoid=p", &[]),
            ("x > y avoid=cy", &[]),
        ],
    );
}

#[test]
fn logical_connections_come_last_and_are_marked() {
    expect(
        "
        site t
        router a
        router b
        router c site=t
        provider p
        circuit bare of p PROVIDER_CIRCUIT a -> site:t
        link ab device a device b
        link st site s site t
        ",
        &[
            ("a > b", &[]),
            ("a > c", &[]),
            ("a > b logical", &["a b 0m+ logical"]),
            ("a > c logical", &["a t c 0m+ logical"]),
            ("s > t logical limit=2", &["a t 0m+ logical", "s t 0m+ logical"]),
            ("s > t", &[]),
            ("b > c logical avoid=st", &["b a t c 0m+ logical"]),
        ],
    );
}

#[test]
fn ends_stand_for_their_devices() {
    expect(
        "
        site t
        cluster k
        cluster k2
        leaf l
        server a cluster=k
        server b cluster=k
        server c site=t cluster=k2
        vm v host=c
        vm w cluster=k
        provider p
        circuit x of p CROSS_CONNECT l:up -> c:up
        a -- l
        b -- l
        ",
        &[
            ("k > k2", &["a l c 0m+"]),
            ("w > v limit=9", &["a l c 0m+", "b l c 0m+"]),
            ("k > l disjoint", &["a l 0m+", "b l 0m+"]),
            ("s > t", &["l c 0m+"]),
            ("a > c:up", &["a l c 0m+"]),
            ("a > x", &["a l 0m+"]),
            ("a > p", &["a l 0m+"]),
        ],
    );
}

#[test]
fn inactive_objects_are_not_used() {
    expect(
        "
        leaf l status=FAILED
        leaf m
        server a
        server b
        a -- l lengthM=1
        b -- l lengthM=1
        a -- m lengthM=1
        b -- m lengthM=1 status=PLANNED
        ",
        &[("a > b", &[]), ("a > b planned limit=3", &["a l b 2m inactive", "a m b 2m inactive"])],
    );
}

#[test]
fn panels_and_breakouts_lie_between_machines() {
    expect(
        "
        patch_panel p
        patch_panel q
        trunk t p = q 2
        router a
        router b
        leaf l
        server x
        server y
        a -- p:t-1
        b -- q:t-1
        cable split l:q1 -- x:e y:e
        ",
        &[
            ("a > b", &["a b 0m+"]),
            ("a > b avoid=q", &[]),
            ("a > b avoid=t", &[]),
            ("l > x", &["l x 0m+"]),
            ("x > y", &["x l y 0m+"]),
        ],
    );
}

#[test]
fn invalid_ends_are_rejected() {
    let fleet = Fleet::of(&format!("{POD} rack A\n cluster k\n switch oob plane=MANAGEMENT\n vm v host=a"));
    for (query, says) in [
        (
            "A > b",
            "must be one of Site, Device, Port, Provider, ProviderNetwork, Circuit, CircuitTermination, Cluster, VirtualMachine, Host; no path begins or ends at a Rack",
        ),
        ("a > a", "both have device/s/a"),
        ("a > v", "both have device/s/a"),
        ("a > a:e1", "both have device/s/a"),
        ("a > k", "must have a node in the DATA network; cluster/k has none"),
        ("a > oob", "must have a node in the DATA network; device/s/oob has none"),
        ("a > b steps=10", "more than 10 steps"),
        ("a > b avoid=s1 steps=10", "more than"),
    ] {
        let refused = ask(&fleet, query).expect_err(query).to_string();
        assert!(refused.contains(says), "{query}: {refused}");
    }
}
