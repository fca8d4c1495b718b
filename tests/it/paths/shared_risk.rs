//! The objects that two paths share: an expected answer for each rule.

use underlay_topology::path::{Risk, diversity};

use super::cases::question;
use super::view;
use crate::impact::{Fleet, name};

/// Formats an answer for two paths: true if they are disjoint, the paths, and what breaks both; an object that also
/// takes down an end is in brackets.
#[track_caller]
fn shares(fleet: &str, table: &[(&str, bool, &[&str], &str)]) {
    let fleet = Fleet::of(fleet);
    let snapshot = fleet.snapshot();
    for (query, disjoint, expected, risks) in table {
        let (question, _) = question(&fleet, query);
        let found = diversity(view(snapshot), &question).expect("an answer");
        let nodes =
            found.paths.iter().map(|path| path.nodes.iter().map(|node| name(snapshot, *node)).collect::<Vec<_>>());
        let lines: Vec<String> = nodes.map(|nodes| nodes.join(" ")).collect();
        let risk_texts: Vec<String> = found
            .risks
            .iter()
            .map(|risk| {
                let what = match &risk.what {
                    Risk::Object(object) => name(snapshot, *object),
                    Risk::Group(name) => format!("group:{name}"),
                };
                if risk.takes_end { format!("({what})") } else { what }
            })
            .collect();
        assert_eq!(
            (found.disjoint, lines, risk_texts.join(" ")),
            (*disjoint, expected.iter().map(|it| (*it).to_owned()).collect(), (*risks).to_owned()),
            "{query}"
        );
    }
}

#[test]
fn two_paths_share_the_objects_that_break_both() {
    shares(
        "
        location hall
        rack A location=hall
        rack B location=hall
        rack C
        feed fa
        pdu p1 rack=A < fa
        pdu p2 rack=B < fa
        leaf l1 rack=A < p1
        leaf l2 rack=B < p2
        server a rack=C
        server b rack=C
        a -- l1
        a -- l2
        b -- l1
        b -- l2
        ",
        &[("a > b", true, &["a l1 b", "a l2 b"], "hall fa (C) (s)")],
    );
}

#[test]
fn two_circuits_share_a_provider_and_a_conduit() {
    shares(
        "
        provider p
        provider q
        router a
        router b
        circuit c1 of p PROVIDER_CIRCUIT a -> b riskGroups=[\"duct\"]
        circuit c2 of p PROVIDER_CIRCUIT a -> b riskGroups=[\"duct\",\"other\"]
        router c
        router d
        circuit d1 of p PROVIDER_CIRCUIT c -> d
        circuit d2 of q PROVIDER_CIRCUIT c -> d
        ",
        &[("a > b", true, &["a b", "a b"], "p group:duct (s)"), ("c > d", true, &["c d", "c d"], "(s)")],
    );
}

#[test]
fn without_disjoint_paths_the_least_is_shared() {
    shares(
        "
        router a
        router b
        router m1
        router m2
        router n
        router o1
        router o2
        a -- m1
        a -- m2
        m1 -- n
        m2 -- n
        n -- o1
        n -- o2
        o1 -- b
        o2 -- b
        router end
        b -- end cable=last
        router lone
        ",
        &[
            ("a > b", false, &["a m1 n o1 b", "a m2 n o2 b"], "n (s)"),
            ("b > end", false, &["b end"], "last (s)"),
            ("a > lone", false, &[], ""),
        ],
    );
}
