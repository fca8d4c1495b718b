//! The rules of a graph, each as a picture (in the words of `crate::impact::Fleet`) and what is drawn of it.

use serde_json::{Value, json};
use underlay_topology::graph::GraphQuery;

use super::{draw, edges, nodes, question};
use crate::impact::Fleet;

/// The part that is drawn: the object, the kind of nodes and the layers, and the number of hops outside.
type Query = (&'static str, &'static str, usize);

/// A picture, and what must be drawn of it.
struct Case {
    what: &'static str,
    fleet: &'static str,
    query: &'static [(Query, &'static [&'static str], &'static [&'static str])],
}

const CASES: &[Case] = &[
    Case {
        what: "cables between two devices are one edge, of which some may work",
        fleet: "
            leaf l1
            spine s1
            spine s2 status=FAILED
            l1 -- s1
            l1 -- s1
            l1 -- s1 status=PLANNED
            l1 -- s2
            l1:x -- l1:y",
        query: &[(
            ("", "Device physical", 0),
            &["l1", "s1", "s2"],
            &["l1 -- s1 Physical 3 Degraded", "l1 -- s2 Physical 1 Down"],
        )],
    },
    Case {
        what: "lines lead through panels and circuits; networks are nodes",
        fleet: "
            leaf l1
            leaf l2
            patch_panel p1
            patch_panel p2
            trunk t p1 = p2 2
            l1 -- p1:t-1
            p2:t-1 -- l2
            l1:open -- p1:t-2
            provider lumen
            network as1 of lumen
            network as2 of lumen
            circuit c1 of lumen TRANSIT l1:up -> net:as1
            circuit c2 of lumen TRANSIT net:as1 -> net:as2
            circuit c3 of lumen PROVIDER_CIRCUIT l1:wan -> l2:wan status=PLANNED
            circuit c4 of lumen TRANSIT l2:bare -> site:s",
        query: &[
            (
                ("", "Device physical", 0),
                &["l1", "l2", "p1", "p2", "as1", "as2"],
                &["l1 -- l2 Physical 2 Degraded", "l1 -- as1 Physical 1 Up", "as1 -- as2 Physical 1 Up"],
            ),
            (
                ("s", "Device physical", 1),
                &["l1", "l2", "p1", "p2", "(as1)"],
                &["l1 -- l2 Physical 2 Degraded", "l1 -- as1 Physical 1 Up"],
            ),
            (
                ("s", "Device physical", 2),
                &["l1", "l2", "p1", "p2", "(as1)", "(as2)"],
                &["l1 -- l2 Physical 2 Degraded", "l1 -- as1 Physical 1 Up", "as1 -- as2 Physical 1 Up"],
            ),
        ],
    },
    Case {
        what: "power leads from feeds and outlets to inlets",
        fleet: "
            feed f0
            feed fa < f0
            feed dead status=FAILED
            pdu p < fa
            server n1 < p p
            server n2 < p dead",
        query: &[
            (
                ("", "Device power", 0),
                &["n1", "n2", "p", "dead", "f0", "fa"],
                &[
                    "p -> n1 Power 2 Up",
                    "p -> n2 Power 1 Up",
                    "dead -> n2 Power 1 Down",
                    "f0 -> fa Power 1 Up",
                    "fa -> p Power 1 Up",
                ],
            ),
            (
                ("n1", "Device power", 2),
                &["n1", "(p)", "(fa)", "(n2)"],
                &["p -> n1 Power 2 Up", "p -> n2 Power 1 Up", "fa -> p Power 1 Up"],
            ),
        ],
    },
    Case {
        what: "a rack stands for everything in it, also for its power",
        fleet: "
            rack A
            rack B
            feed fa rack=A
            pdu p rack=B < fa
            server n1 rack=A < p
            server n2 rack=A
            server lost
            leaf l rack=B
            chassis c rack=A
            server blade parent=c
            n1 -- l
            n2 -- l
            n1 -- n2
            blade -- l
            lost -- l",
        query: &[
            (
                ("", "Rack physical+power", 0),
                &["A", "B"],
                &["A -- B Physical 3 Up", "A -> B Power 1 Up", "B -> A Power 1 Up"],
            ),
            (("A", "Rack physical", 0), &["A"], &[]),
            (("A", "Rack physical", 1), &["A", "(B)"], &["A -- B Physical 3 Up"]),
            (("s", "Site physical+power", 1), &["s"], &[]),
        ],
    },
    Case {
        what: "links join sites, clusters and devices; those with cables have the state of these",
        fleet: "
            site t
            cluster k
            leaf l1
            leaf l2
            server off status=FAILED
            l1 -- l2 cable=c1
            l1 -- l2 cable=c2 status=PLANNED
            link a site s site t
            link b cluster k device l1
            link c device l1 device l2 c1 c2
            link d device l1 device l2
            link e device l1 device off",
        query: &[
            (
                ("", "Device logical", 0),
                &["l1", "l2", "off", "s", "t", "k"],
                &[
                    "l1 -- l2 Logical 2 Degraded",
                    "l1 -- off Logical 1 Down",
                    "l1 -- k Logical 1 Up",
                    "s -- t Logical 1 Up",
                ],
            ),
            (("", "Site logical", 0), &["s", "t"], &["s -- t Logical 1 Up"]),
            (
                ("s", "Device logical", 0),
                &["l1", "l2", "off"],
                &["l1 -- l2 Logical 2 Degraded", "l1 -- off Logical 1 Down"],
            ),
            (
                ("s", "Device logical", 1),
                &["l1", "l2", "off", "s", "(t)", "(k)"],
                &[
                    "l1 -- l2 Logical 2 Degraded",
                    "l1 -- off Logical 1 Down",
                    "l1 -- k Logical 1 Up",
                    "s -- t Logical 1 Up",
                ],
            ),
        ],
    },
    Case {
        what: "what stands in what: blades in a chassis, racks in places, sites in regions",
        fleet: "
            region eu
            region nl parent=eu
            site x region=nl
            location floor
            rack A location=floor
            rack B
            chassis c rack=A
            server blade parent=c
            server member rack=B",
        query: &[
            (("", "Device containment", 0), &["blade", "c", "member"], &["c -> blade Containment 1"]),
            (
                ("", "Rack containment", 0),
                &["A", "B", "eu", "nl", "s", "x", "floor"],
                &[
                    "eu -> nl Containment 1",
                    "nl -> x Containment 1",
                    "s -> B Containment 1",
                    "s -> floor Containment 1",
                    "floor -> A Containment 1",
                ],
            ),
            (
                ("", "Site containment", 0),
                &["s", "x", "eu", "nl"],
                &["eu -> nl Containment 1", "nl -> x Containment 1"],
            ),
            (
                ("floor", "Rack containment", 1),
                &["A", "floor", "(s)"],
                &["floor -> A Containment 1", "s -> floor Containment 1"],
            ),
        ],
    },
    Case {
        what: "a cluster has the nodes of its members, a device itself",
        fleet: "
            cluster k
            rack A
            rack B
            server n1 cluster=k rack=A
            server n2 cluster=k rack=B
            server n3 rack=B
            n1 -- n2
            n2 -- n3",
        query: &[
            (("k", "Device physical", 0), &["n1", "n2"], &["n1 -- n2 Physical 1 Up"]),
            (("k", "Rack physical", 0), &["A", "B"], &["A -- B Physical 1 Up"]),
            (("n3", "Device physical", 1), &["n3", "(n2)"], &["n3 -- n2 Physical 1 Up"]),
            (("n3", "Rack physical", 1), &[], &[]),
        ],
    },
];

/// Returns the question that a case asks.
fn query(fleet: &Fleet, (within, words, depth): Query) -> GraphQuery {
    let within = (!within.is_empty()).then(|| fleet.find(within));
    GraphQuery { within, depth, ..question(fleet.snapshot(), words) }
}

#[test]
fn pictures_are_drawn_by_the_rules() {
    for case in CASES {
        let fleet = Fleet::of(case.fleet);
        let snapshot = fleet.snapshot();
        for (words, expected_nodes, expected_edges) in case.query {
            let drawing = draw(snapshot, &query(&fleet, *words)).expect("an answer");
            assert_eq!(nodes(snapshot, &drawing), *expected_nodes, "{}: nodes of {words:?}", case.what);
            assert_eq!(edges(snapshot, &drawing), *expected_edges, "{}: edges of {words:?}", case.what);
            assert!(drawing.complete, "{}: {words:?}", case.what);
        }
    }
}

/// Sets a field of a port, which has no word in pictures.
fn set(fleet: &mut Fleet, device: &str, port: &str, field: &str, value: Value) {
    let mut fields = json!({"device": device, "name": port, "type": "ETHERNET"});
    fields[field] = value;
    fleet.world.write(json!([{ "port": fields }]));
}

#[test]
fn a_line_has_the_lower_speed_of_its_ends() {
    let mut fleet = Fleet::of(
        "leaf l1
         spine s1
         l1:1 -- s1:1
         l1:2 -- s1:2
         l1:3 -- s1:3",
    );
    let speed = |fleet: &Fleet| {
        edges(fleet.snapshot(), &draw(fleet.snapshot(), &query(fleet, ("", "Device physical", 0))).unwrap())
    };
    assert_eq!(speed(&fleet), ["l1 -- s1 Physical 3 Up"], "no speed is known");
    for (device, port, bps) in [("l1", "1", 100), ("s1", "1", 25), ("l1", "2", 100), ("s1", "2", 100), ("l1", "3", 7)] {
        set(&mut fleet, device, port, "speedBps", json!(bps));
    }
    assert_eq!(speed(&fleet), ["l1 -- s1 Physical 3 125 Up"], "one end of the third line is not known");
    set(&mut fleet, "s1", "1", "enabled", json!(false));
    assert_eq!(speed(&fleet), ["l1 -- s1 Physical 3 125 Degraded"], "a port is switched off");
}

#[test]
fn outlets_of_a_rack_pass_on_what_feeds_them() {
    let mut fleet = Fleet::of(
        "rack A
         feed fa
         server n1 rack=A < ?",
    );
    fleet.world.write(json!([
        {"port": {"rack": "A", "name": "o1", "type": "POWER_OUTLET", "fedBy": [{"powerFeed": "fa"}]}},
        {"cable": {
            "name": "cord",
            "aEnds": [{"port": {"device": "n1", "port": "in1"}}],
            "bEnds": [{"port": {"rack": "A", "port": "o1"}}],
        }},
    ]));
    for (words, depth, expected) in [
        (("", "Device power", 0), ["n1", "fa"].as_slice(), ["fa -> n1 Power 1 Up"].as_slice()),
        // The rack has the outlet, and the feed stands in no rack.
        (("", "Rack power", 0), &["A"], &[]),
    ] {
        let drawing = draw(fleet.snapshot(), &query(&fleet, words)).expect("an answer");
        assert_eq!(
            (nodes(fleet.snapshot(), &drawing), edges(fleet.snapshot(), &drawing)),
            (strings(depth), strings(expected))
        );
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
