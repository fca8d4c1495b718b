//! What a network engineer expects. Ports and cables are left out, except where a question begins with `*`.

use underlay::topology::impact::{ImpactError, Question};

use super::{Fleet, ask};

/// What fails, and what that does.
#[track_caller]
fn expect(fleet: &str, table: &[(&str, &str)]) {
    let fleet = Fleet::of(fleet);
    let mut wrong = Vec::new();
    for (of, expected) in table {
        let found = match of.strip_prefix('*') {
            Some(of) => fleet.fails_in_full(of),
            None => fleet.fails(of),
        };
        let expected: Vec<&str> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if found != expected {
            wrong.push(format!("== {of}\n{}", found.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n== ", wrong.join("\n"));
}

/// Two borders with transit, two spines, two pairs of leaves, servers on both leaves of a pair, A and B power in two
/// racks, a cluster on all servers.
const POD: &str = "
    location hall
    rack rack-a location=hall
    rack rack-b location=hall
    feed utility-a
    feed utility-b
    feed row-a < utility-a
    feed row-b < utility-b
    pdu pdu-a1 rack=rack-a < row-a
    pdu pdu-b1 rack=rack-a < row-b
    pdu pdu-a2 rack=rack-b < row-a
    pdu pdu-b2 rack=rack-b < row-b
    provider lumen
    provider cogent
    network internet-1 of lumen
    network internet-2 of cogent
    border_router border-1 rack=rack-a < pdu-a1 pdu-b1
    border_router border-2 rack=rack-b < pdu-a2 pdu-b2
    circuit transit-1 of lumen TRANSIT border-1 -> net:internet-1
    circuit transit-2 of cogent TRANSIT border-2 -> net:internet-2
    spine spine-1 rack=rack-a < pdu-a1 pdu-b1
    spine spine-2 rack=rack-b < pdu-a2 pdu-b2
    spine-1 -- border-1
    spine-1 -- border-2
    spine-2 -- border-1
    spine-2 -- border-2
    leaf leaf-1 rack=rack-a < pdu-a1 pdu-b1
    leaf leaf-2 rack=rack-a < pdu-a1 pdu-b1
    leaf leaf-3 rack=rack-b < pdu-a2 pdu-b2
    leaf leaf-4 rack=rack-b < pdu-a2 pdu-b2
    leaf-1 -- spine-1
    leaf-1 -- spine-2
    leaf-2 -- spine-1
    leaf-2 -- spine-2
    leaf-3 -- spine-1
    leaf-3 -- spine-2
    leaf-4 -- spine-1
    leaf-4 -- spine-2
    cluster k1
    server n1 rack=rack-a cluster=k1 < pdu-a1 pdu-b1
    server n2 rack=rack-a cluster=k1 < pdu-a1 pdu-b1
    server n3 rack=rack-b cluster=k1 < pdu-a2 pdu-b2
    server n4 rack=rack-b cluster=k1 < pdu-a2 pdu-b2
    n1 -- leaf-1
    n1 -- leaf-2
    n2 -- leaf-1
    n2 -- leaf-2
    n3 -- leaf-3
    n3 -- leaf-4
    n4 -- leaf-3
    n4 -- leaf-4
    vm v1 host=n1
    vm v3 host=n3
";

/// A pod with A and B power, pairs of leaves, two spines, two borders with transit of two providers.
#[test]
fn in_a_pod() {
    expect(
        POD,
        &[
            (
                "n1:in1",
                "
                n1 DEGRADED Power < n1:in1
                v1 DEGRADED Hosting < n1
            ",
            ),
            (
                "pdu-a1",
                "
                border-1 DEGRADED Power < border-1:in1
                leaf-1 DEGRADED Power < leaf-1:in1
                leaf-2 DEGRADED Power < leaf-2:in1
                n1 DEGRADED Power < n1:in1
                n2 DEGRADED Power < n2:in1
                spine-1 DEGRADED Power < spine-1:in1
                v1 DEGRADED Hosting < n1
            ",
            ),
            (
                "row-a",
                "
                pdu-a1 DOWN Power < pdu-a1:in1
                pdu-a2 DOWN Power < pdu-a2:in1
                row-a.2 DOWN Power < row-a
                border-1 DEGRADED Power < border-1:in1
                border-2 DEGRADED Power < border-2:in1
                leaf-1 DEGRADED Power < leaf-1:in1
                leaf-2 DEGRADED Power < leaf-2:in1
                leaf-3 DEGRADED Power < leaf-3:in1
                leaf-4 DEGRADED Power < leaf-4:in1
                n1 DEGRADED Power < n1:in1
                n2 DEGRADED Power < n2:in1
                n3 DEGRADED Power < n3:in1
                n4 DEGRADED Power < n4:in1
                spine-1 DEGRADED Power < spine-1:in1
                spine-2 DEGRADED Power < spine-2:in1
                v1 DEGRADED Hosting < n1
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "utility-a utility-b",
                "
                border-1 DOWN Power < border-1:in1 border-1:in2
                border-2 DOWN Power < border-2:in1 border-2:in2
                k1 DOWN Hosting 4 of 4 < n1 n2 n3 n4
                leaf-1 DOWN Power < leaf-1:in1 leaf-1:in2
                leaf-2 DOWN Power < leaf-2:in1 leaf-2:in2
                leaf-3 DOWN Power < leaf-3:in1 leaf-3:in2
                leaf-4 DOWN Power < leaf-4:in1 leaf-4:in2
                n1 DOWN Power < n1:in1 n1:in2
                n2 DOWN Power < n2:in1 n2:in2
                n3 DOWN Power < n3:in1 n3:in2
                n4 DOWN Power < n4:in1 n4:in2
                pdu-a1 DOWN Power < pdu-a1:in1
                pdu-a2 DOWN Power < pdu-a2:in1
                pdu-b1 DOWN Power < pdu-b1:in1
                pdu-b2 DOWN Power < pdu-b2:in1
                row-a DOWN Power < utility-a
                row-a.2 DOWN Power < row-a
                row-b DOWN Power < utility-b
                row-b.2 DOWN Power < row-b
                spine-1 DOWN Power < spine-1:in1 spine-1:in2
                spine-2 DOWN Power < spine-2:in1 spine-2:in2
                v1 DOWN Hosting < n1
                v3 DOWN Hosting < n3
            ",
            ),
            (
                "leaf-1",
                "
                n1 DEGRADED Network < leaf-1
                n2 DEGRADED Network < leaf-1
                v1 DEGRADED Hosting < n1
            ",
            ),
            (
                "leaf-1 leaf-2",
                "
                n1 ISOLATED Network < leaf-1 leaf-2
                n2 ISOLATED Network < leaf-1 leaf-2
                v1 ISOLATED Hosting < n1
                k1 DEGRADED Hosting 2 of 4 < n1 n2
            ",
            ),
            (
                "spine-1",
                "
                leaf-1 DEGRADED Network < spine-1
                leaf-2 DEGRADED Network < spine-1
                leaf-3 DEGRADED Network < spine-1
                leaf-4 DEGRADED Network < spine-1
                n1 DEGRADED Network < spine-1
                n2 DEGRADED Network < spine-1
                n3 DEGRADED Network < spine-1
                n4 DEGRADED Network < spine-1
                v1 DEGRADED Hosting < n1
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "spine-1 spine-2",
                "
                k1 ISOLATED Hosting 4 of 4 < n1 n2 n3 n4
                leaf-1 ISOLATED Network < spine-1 spine-2
                leaf-2 ISOLATED Network < spine-1 spine-2
                leaf-3 ISOLATED Network < spine-1 spine-2
                leaf-4 ISOLATED Network < spine-1 spine-2
                n1 ISOLATED Network < leaf-1 leaf-2
                n2 ISOLATED Network < leaf-1 leaf-2
                n3 ISOLATED Network < leaf-3 leaf-4
                n4 ISOLATED Network < leaf-3 leaf-4
                v1 ISOLATED Hosting < n1
                v3 ISOLATED Hosting < n3
                border-1 DEGRADED Network < spine-1 spine-2
                border-2 DEGRADED Network < spine-1 spine-2
            ",
            ),
            (
                "border-1",
                "
                border-2 DEGRADED Network < border-1
                leaf-1 DEGRADED Network < border-1
                leaf-2 DEGRADED Network < border-1
                leaf-3 DEGRADED Network < border-1
                leaf-4 DEGRADED Network < border-1
                n1 DEGRADED Network < border-1
                n2 DEGRADED Network < border-1
                n3 DEGRADED Network < border-1
                n4 DEGRADED Network < border-1
                spine-1 DEGRADED Network < border-1
                spine-2 DEGRADED Network < border-1
                v1 DEGRADED Hosting < n1
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "transit-1",
                "
                border-1 DEGRADED Network < transit-1
                border-2 DEGRADED Network < transit-1
                leaf-1 DEGRADED Network < transit-1
                leaf-2 DEGRADED Network < transit-1
                leaf-3 DEGRADED Network < transit-1
                leaf-4 DEGRADED Network < transit-1
                n1 DEGRADED Network < transit-1
                n2 DEGRADED Network < transit-1
                n3 DEGRADED Network < transit-1
                n4 DEGRADED Network < transit-1
                spine-1 DEGRADED Network < transit-1
                spine-2 DEGRADED Network < transit-1
                v1 DEGRADED Hosting < n1
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "transit-1 transit-2",
                "
                border-1 ISOLATED Network < transit-1
                border-2 ISOLATED Network < transit-2
                k1 ISOLATED Hosting 4 of 4 < n1 n2 n3 n4
                leaf-1 ISOLATED Network < spine-1 spine-2
                leaf-2 ISOLATED Network < spine-1 spine-2
                leaf-3 ISOLATED Network < spine-1 spine-2
                leaf-4 ISOLATED Network < spine-1 spine-2
                n1 ISOLATED Network < leaf-1 leaf-2
                n2 ISOLATED Network < leaf-1 leaf-2
                n3 ISOLATED Network < leaf-3 leaf-4
                n4 ISOLATED Network < leaf-3 leaf-4
                spine-1 ISOLATED Network < border-1 border-2
                spine-2 ISOLATED Network < border-1 border-2
                v1 ISOLATED Hosting < n1
                v3 ISOLATED Hosting < n3
            ",
            ),
            (
                "lumen",
                "
                internet-1 DOWN Containment < lumen
                transit-1 DOWN Containment < lumen
                border-1 DEGRADED Network < internet-1
                border-2 DEGRADED Network < internet-1
                leaf-1 DEGRADED Network < internet-1
                leaf-2 DEGRADED Network < internet-1
                leaf-3 DEGRADED Network < internet-1
                leaf-4 DEGRADED Network < internet-1
                n1 DEGRADED Network < internet-1
                n2 DEGRADED Network < internet-1
                n3 DEGRADED Network < internet-1
                n4 DEGRADED Network < internet-1
                spine-1 DEGRADED Network < internet-1
                spine-2 DEGRADED Network < internet-1
                v1 DEGRADED Hosting < n1
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "rack-a",
                "
                border-1 DOWN Containment < rack-a
                leaf-1 DOWN Containment < rack-a
                leaf-2 DOWN Containment < rack-a
                n1 DOWN Containment < rack-a
                n2 DOWN Containment < rack-a
                pdu-a1 DOWN Containment < rack-a
                pdu-b1 DOWN Containment < rack-a
                spine-1 DOWN Containment < rack-a
                v1 DOWN Hosting < n1
                border-2 DEGRADED Network < spine-1
                k1 DEGRADED Hosting 2 of 4 < n1 n2
                leaf-3 DEGRADED Network < spine-1
                leaf-4 DEGRADED Network < spine-1
                n3 DEGRADED Network < border-1 leaf-1 leaf-2 spine-1
                n4 DEGRADED Network < border-1 leaf-1 leaf-2 spine-1
                spine-2 DEGRADED Network < border-1 leaf-1 leaf-2
                v3 DEGRADED Hosting < n3
            ",
            ),
            (
                "hall",
                "
                border-1 DOWN Containment < rack-a
                border-2 DOWN Containment < rack-b
                k1 DOWN Hosting 4 of 4 < n1 n2 n3 n4
                leaf-1 DOWN Containment < rack-a
                leaf-2 DOWN Containment < rack-a
                leaf-3 DOWN Containment < rack-b
                leaf-4 DOWN Containment < rack-b
                n1 DOWN Containment < rack-a
                n2 DOWN Containment < rack-a
                n3 DOWN Containment < rack-b
                n4 DOWN Containment < rack-b
                pdu-a1 DOWN Containment < rack-a
                pdu-a2 DOWN Containment < rack-b
                pdu-b1 DOWN Containment < rack-a
                pdu-b2 DOWN Containment < rack-b
                rack-a DOWN Containment < hall
                rack-b DOWN Containment < hall
                spine-1 DOWN Containment < rack-a
                spine-2 DOWN Containment < rack-b
                v1 DOWN Hosting < n1
                v3 DOWN Hosting < n3
            ",
            ),
            (
                "s",
                "
                border-1 DOWN Containment < rack-a
                border-2 DOWN Containment < rack-b
                hall DOWN Containment < s
                k1 DOWN Hosting 4 of 4 < n1 n2 n3 n4
                leaf-1 DOWN Containment < rack-a
                leaf-2 DOWN Containment < rack-a
                leaf-3 DOWN Containment < rack-b
                leaf-4 DOWN Containment < rack-b
                n1 DOWN Containment < rack-a
                n2 DOWN Containment < rack-a
                n3 DOWN Containment < rack-b
                n4 DOWN Containment < rack-b
                pdu-a1 DOWN Containment < rack-a
                pdu-a2 DOWN Containment < rack-b
                pdu-b1 DOWN Containment < rack-a
                pdu-b2 DOWN Containment < rack-b
                rack-a DOWN Containment < s
                rack-b DOWN Containment < s
                row-a DOWN Containment < s
                row-a.2 DOWN Containment < s
                row-b DOWN Containment < s
                row-b.2 DOWN Containment < s
                spine-1 DOWN Containment < rack-a
                spine-2 DOWN Containment < rack-b
                transit-1 DOWN Line < s
                transit-2 DOWN Line < s
                utility-a DOWN Containment < s
                utility-b DOWN Containment < s
                v1 DOWN Hosting < n1
                v3 DOWN Hosting < n3
            ",
            ),
            (
                "n1",
                "
                v1 DOWN Hosting < n1
                k1 DEGRADED Hosting 1 of 4 < n1
            ",
            ),
            (
                "n1 n2",
                "
                v1 DOWN Hosting < n1
                k1 DEGRADED Hosting 2 of 4 < n1 n2
            ",
            ),
            (
                "n1 n2 n3 n4",
                "
                k1 DOWN Hosting 4 of 4 < n1 n2 n3 n4
                v1 DOWN Hosting < n1
                v3 DOWN Hosting < n3
            ",
            ),
        ],
    );
}

/// A UPS goes on without input, an ATS with one; a device that is corded twice to one feed has no second; one
/// whose cords are not known has all of its inlets.
#[test]
fn power() {
    expect(
        "
    feed a
    feed b
    ups ups < a
    feed protected < ups:out
    pdu p < protected
    pdu ats < a b
    pdu single < b
    server one < p
    server twice < single single
    server both < p single
    server greedy inlets=2 < p single
    server behind < ats
    server unknown < ? ?
    server half < single ?
    ",
        &[
            (
                "a",
                "
                a.2 DOWN Power < a
                ats DEGRADED Power < ats:in1
                ups DEGRADED Power < ups:in1
            ",
            ),
            (
                "b",
                "
                b.2 DOWN Power < b
                greedy DOWN Power < greedy:in2
                half DOWN Power < half:in1
                single DOWN Power < single:in1
                twice DOWN Power < twice:in1 twice:in2
                ats DEGRADED Power < ats:in2
                both DEGRADED Power < both:in2
            ",
            ),
            (
                "ups",
                "
                greedy DOWN Power < greedy:in1
                one DOWN Power < one:in1
                p DOWN Power < p:in1
                protected DOWN Power < ups:out
                both DEGRADED Power < both:in1
            ",
            ),
            (
                "ats:in1",
                "
                ats DEGRADED Power < ats:in1
            ",
            ),
            (
                "cord-one-1",
                "
                one DOWN Power < one:in1
            ",
            ),
            (
                "single",
                "
                greedy DOWN Power < greedy:in2
                half DOWN Power < half:in1
                twice DOWN Power < twice:in1 twice:in2
                both DEGRADED Power < both:in2
            ",
            ),
            (
                "unknown:in1",
                "
                unknown DEGRADED Power < unknown:in1
            ",
            ),
            (
                "unknown:in1 unknown:in2",
                "
                unknown DOWN Power < unknown:in1 unknown:in2
            ",
            ),
            (
                "half:in1",
                "
                half DOWN Power < half:in1
            ",
            ),
        ],
    );
}

/// Panels, trunks, breakouts and bundles.
#[test]
fn lines() {
    expect(
        "
    patch_panel pp1
    patch_panel pp2
    spine s1
    leaf l1
    leaf l2
    server n1
    server n2
    server n3
    trunk t pp1 = pp2 2
    l1 -- pp1:t-1
    pp2:t-1 -- s1
    l2 -- s1
    n1 -- l1
    n1 -- l2
    cable breakout l1:b -- n2 n3
    lag n1:bond of n1:m1 n1:m2
    n1:m1 -- l1 name=m1
    n1:m2 -- l2 name=m2
    link logical device l1 device s1 t
    link up device n1 device n2
    ",
        &[
            (
                "t",
                "
                logical DOWN Association < t
                l1 ISOLATED Network < t
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n2
                n1 DEGRADED Network < t
            ",
            ),
            (
                "pp1",
                "
                logical DOWN Association < t
                l1 ISOLATED Network < cable-1
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n2
                n1 DEGRADED Network < cable-1 t
            ",
            ),
            (
                "pp1:t-1",
                "
                l1 ISOLATED Network < cable-1
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n2
                n1 DEGRADED Network < cable-1 pp1:t-1
            ",
            ),
            (
                "breakout",
                "
                n2 ISOLATED Network < breakout
                n3 ISOLATED Network < breakout
                up ISOLATED Association < n2
            ",
            ),
            (
                "n2",
                "
                up DOWN Association < n2
            ",
            ),
            (
                "l1",
                "
                logical DOWN Association < l1
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n2
                n1 DEGRADED Network < l1
            ",
            ),
            (
                "l1 l2",
                "
                logical DOWN Association < l1
                n1 ISOLATED Network < l1 l2
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n1 n2
            ",
            ),
            (
                "s1",
                "
                logical DOWN Association < s1
                l1 ISOLATED Network < s1
                l2 ISOLATED Network < s1
                n1 ISOLATED Network < l1 l2
                n2 ISOLATED Network < l1
                n3 ISOLATED Network < l1
                up ISOLATED Association < n1 n2
            ",
            ),
        ],
    );
}

/// A LAG loses members with their lines; an engineer sees the LAG too.
#[test]
fn bundles() {
    expect(
        "
    leaf l1
    leaf l2
    server n1
    lag n1:bond of n1:m1 n1:m2
    n1:m1 -- l1 name=m1
    n1:m2 -- l2 name=m2
    ",
        &[
            (
                "*m1",
                "
                n1:bond DEGRADED Group < m1
                3 unanchored
            ",
            ),
            (
                "*l1",
                "
                l1:e1 DOWN Containment < l1
                m1 DOWN Line < l1:e1
                n1:bond DEGRADED Group < l1
                3 unanchored
            ",
            ),
            (
                "*l1 l2",
                "
                l1:e1 DOWN Containment < l1
                l2:e1 DOWN Containment < l2
                m1 DOWN Line < l1:e1
                m2 DOWN Line < l2:e1
                n1:bond DOWN Group < l1 l2
                3 unanchored
            ",
            ),
            (
                "*n1:m1 n1:m2",
                "
                m1 DOWN Line < n1:m1
                m2 DOWN Line < n1:m2
                n1:bond DOWN Group < n1:m1 n1:m2
                3 unanchored
            ",
            ),
        ],
    );
}

/// With and without a diverse second; a site goes down with the circuits that end there, and cuts off another.
#[test]
fn circuits() {
    expect(
        "
    site far
    site edge
    provider lumen
    provider zayo
    network net of lumen
    border_router b1
    border_router b2 site=far
    router e1 site=edge
    server n2 site=far
    server n3 site=edge
    n2 -- b2
    n3 -- e1
    circuit transit of lumen TRANSIT b1 -> net:net
    circuit way-1 of lumen PROVIDER_CIRCUIT b1 -> b2
    circuit way-2 of zayo PROVIDER_CIRCUIT b1 -> b2
    circuit only of zayo PROVIDER_CIRCUIT b1 -> e1
    circuit out of zayo TRANSIT e1 -> nowhere status=FAILED
    vm hosted provider=zayo
    ",
        &[
            ("way-1", ""),
            (
                "way-1 way-2",
                "
                b2 ISOLATED Network < way-1 way-2
                n2 ISOLATED Network < b2
            ",
            ),
            (
                "only",
                "
                e1 ISOLATED Network < only
                n3 ISOLATED Network < e1
            ",
            ),
            (
                "zayo",
                "
                hosted DOWN Hosting < zayo
                only DOWN Containment < zayo
                way-2 DOWN Containment < zayo
                e1 ISOLATED Network < only
                n3 ISOLATED Network < e1
            ",
            ),
            (
                "lumen",
                "
                net DOWN Containment < lumen
                transit DOWN Containment < lumen
                way-1 DOWN Containment < lumen
                b1 ISOLATED Network < net way-1
                b2 ISOLATED Network < b1 way-1
                e1 ISOLATED Network < b1
                n2 ISOLATED Network < b2
                n3 ISOLATED Network < e1
            ",
            ),
            (
                "s",
                "
                b1 DOWN Containment < s
                only DOWN Line < s
                transit DOWN Line < s
                way-1 DOWN Line < s
                way-2 DOWN Line < s
                b2 ISOLATED Network < b1
                e1 ISOLATED Network < b1
                n2 ISOLATED Network < b2
                n3 ISOLATED Network < e1
            ",
            ),
            (
                "edge",
                "
                e1 DOWN Containment < edge
                n3 DOWN Containment < edge
                only DOWN Line < edge
            ",
            ),
            (
                "net",
                "
                transit DOWN Containment < net
                b1 ISOLATED Network < net
                b2 ISOLATED Network < b1
                e1 ISOLATED Network < b1
                n2 ISOLATED Network < b2
                n3 ISOLATED Network < e1
            ",
            ),
            ("way-1/A", ""),
        ],
    );
}

/// The management network goes dark; nobody who uses the data network does.
#[test]
fn out_of_band() {
    expect(
        "
    provider x
    network net of x
    border_router b
    circuit q of x TRANSIT b -> net:net
    server n1
    n1 -- b
    switch oob plane=MANAGEMENT
    n1:bmc -- oob
    console_server con
    con -- b
    ",
        &[
            ("oob", ""),
            ("con", ""),
            (
                "b",
                "
                n1 ISOLATED Network < b
            ",
            ),
        ],
    );
}

/// Line cards are joined by their chassis, and go with it.
#[test]
fn a_chassis() {
    expect(
        "
    provider x
    network net of x
    chassis c
    router card-1 parent=c
    router card-2 parent=c
    server blade parent=c
    circuit q of x TRANSIT card-1 -> net:net
    server n1
    server n2
    n1 -- card-2
    n2 -- card-1
    blade -- card-2
    ",
        &[
            (
                "c",
                "
                blade DOWN Containment < c
                card-1 DOWN Containment < c
                card-2 DOWN Containment < c
                n1 ISOLATED Network < card-2
                n2 ISOLATED Network < card-1
            ",
            ),
            (
                "card-1",
                "
                blade ISOLATED Network < card-2
                card-2 ISOLATED Network < card-1
                n1 ISOLATED Network < card-2
                n2 ISOLATED Network < card-1
            ",
            ),
            (
                "card-2",
                "
                blade ISOLATED Network < card-2
                n1 ISOLATED Network < card-2
            ",
            ),
        ],
    );
}

/// Borders stand in for ways out, then spines; where there is neither, nothing can be said.
#[test]
fn without_any_exit() {
    expect(
        "
    border_router b
    leaf l1
    l1 -- b
    server n1
    n1 -- l1
    spine s1
    leaf l2
    l2 -- s1
    server n2
    n2 -- l2
    leaf l3
    leaf l4
    l3 -- l4
    server n3
    n3 -- l3
    ",
        &[
            (
                "l1",
                "
                n1 ISOLATED Network < l1
            ",
            ),
            (
                "b",
                "
                l1 ISOLATED Network < b
                n1 ISOLATED Network < l1
            ",
            ),
            (
                "l2",
                "
                n2 ISOLATED Network < l2
            ",
            ),
            (
                "s1",
                "
                l2 ISOLATED Network < s1
                n2 ISOLATED Network < l2
            ",
            ),
            (
                "l4",
                "
                3 unanchored
            ",
            ),
            (
                "l3",
                "
                3 unanchored
            ",
            ),
        ],
    );
}

/// Only what was up can go down, and what was down gives no redundancy.
#[test]
fn what_was_down_before() {
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
fn anchors_that_are_given_and_steps_that_run_out() {
    let fleet = Fleet::of(POD);
    // Besides its own line to leaf-2 a server had a way over leaf-1 and a spine.
    let told = fleet.told(&fleet.question("leaf-1", "leaf-2"), false);
    for expected in ["n1 DEGRADED Network < leaf-1", "n2 DEGRADED Network < leaf-1"] {
        assert!(told.contains(&expected.to_owned()), "{told:#?}");
    }
    let short = Question { most_steps: Some(100), ..fleet.question("s", "") };
    let refused = ask(fleet.value(), &short).expect_err("a hundred steps are not enough");
    assert_eq!(refused, ImpactError::TooComplex { most: 100 });
    let port = Question { anchors: Some(vec![fleet.place("n1:in1")]), ..fleet.question("leaf-1", "") };
    assert!(matches!(ask(fleet.value(), &port), Err(ImpactError::Anchor { .. })));
}
