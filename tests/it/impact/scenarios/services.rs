//! Objects that were down before, services on machines, and options of the query.

use underlay_topology::impact::{ImpactError, ImpactQuery};

use super::expect;
use crate::impact::{Fleet, ask};

/// Only what was up can go down, and what was down gives no redundancy.
#[test]
fn objects_that_were_down_before() {
    expect(
        "
    feed a
    feed b
    pdu pa < a
    pdu pb status=OFFLINE < b
    server n1 < pa pb
    server n2 status=PLANNED < pa
    server n3 status=STAGED < pa
    cluster k
    server n4 cluster=k < pa
    server n5 cluster=k status=FAILED < pa
    vm v host=n2
    link l device n2 device n3
    ",
        &[
            (
                "a",
                "
                k DOWN Hosting 1 of 1 < n4
                n1 DOWN Power < n1:in1
                n3 DOWN Power < n3:in1
                n4 DOWN Power < n4:in1
                pa DOWN Power < pa:in1
            ",
            ),
            ("b", ""),
            ("pb", ""),
            ("n2", ""),
            (
                "n4",
                "
                k DOWN Hosting 1 of 1 < n4
            ",
            ),
        ],
    );
}

/// Hypervisors and their guests, half a cluster, links of clusters.
#[test]
fn compute() {
    expect(
        "
    cluster k
    cluster m
    server h1 cluster=k
    server h2 cluster=k
    switch sw cluster=k
    server h3 cluster=m
    vm on-h1 host=h1 cluster=k
    vm somewhere cluster=k
    link between cluster k cluster m
    link near device h1 device h3
    ",
        &[
            (
                "h1",
                "
                near DOWN Association < h1
                on-h1 DOWN Hosting < h1
                between DEGRADED Association < k
                k DEGRADED Hosting 1 of 2 < h1
                somewhere DEGRADED Hosting < k
            ",
            ),
            (
                "h1 h2",
                "
                between DOWN Association < k
                k DOWN Hosting 2 of 2 < h1 h2
                near DOWN Association < h1
                on-h1 DOWN Hosting < h1
                somewhere DOWN Hosting < k
            ",
            ),
            (
                "k",
                "
                between DOWN Association < k
                somewhere DOWN Hosting < k
            ",
            ),
            ("sw", ""),
            (
                "h3",
                "
                between DOWN Association < m
                m DOWN Hosting 1 of 1 < h3
                near DOWN Association < h3
            ",
            ),
        ],
    );
}

#[test]
fn requested_anchors_and_the_limit_of_steps() {
    let fleet = Fleet::of(super::pod::POD);
    // Besides its own line to leaf-2 a server had a way over leaf-1 and a spine.
    let lines_of = fleet.lines_of(&fleet.question("leaf-1", "leaf-2"), false);
    for expected in ["n1 DEGRADED Network < leaf-1", "n2 DEGRADED Network < leaf-1"] {
        assert!(lines_of.contains(&expected.to_owned()), "{lines_of:#?}");
    }
    let short = ImpactQuery { max_steps: Some(100), ..fleet.question("s", "") };
    let refused = ask(fleet.snapshot(), &short).expect_err("a hundred steps are not enough");
    assert_eq!(refused, ImpactError::TooComplex { most: 100 });
    let port = ImpactQuery { anchors: Some(vec![fleet.find("n1:in1")]), ..fleet.question("leaf-1", "") };
    assert!(matches!(ask(fleet.snapshot(), &port), Err(ImpactError::Anchor { .. })));
}

/// A host stands on its machine, which may be a guest itself.
#[test]
fn hosts_have_the_state_of_their_machines() {
    expect(
        "
    server h1
    server h2
    vm v host=h1
    host a on device h1
    host b on virtualMachine v
    host c on device h2
    ",
        &[
            (
                "h1",
                "
                a DOWN Hosting < h1
                b DOWN Hosting < v
                v DOWN Hosting < h1
            ",
            ),
            (
                "h2",
                "
                c DOWN Hosting < h2
            ",
            ),
        ],
    );
}
