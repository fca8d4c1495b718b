//! What a network engineer expects.

use super::Fleet;

/// A pod: two borders with transit, two spines, two pairs of leaves, servers on both leaves of a pair, A and B power in
/// racks A and B, a cluster on all servers, a guest on each.
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

/// What fails, and what that does; ports and cables are left out.
#[track_caller]
fn expect(fleet: &str, table: &[(&str, &[&str])]) {
    let fleet = Fleet::of(fleet);
    let mut wrong = Vec::new();
    for (of, expected) in table {
        let found = fleet.fails(of);
        if found != *expected {
            wrong.push(format!("{of} fails: {found:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn in_a_pod() {
    expect(
        POD,
        &[
            ("n1:in1", &[]),
            ("pdu-a1", &[]),
            ("row-a", &[]),
            ("leaf-1", &[]),
            ("leaf-1 leaf-2", &[]),
            ("spine-1", &[]),
            ("spine-1 spine-2", &[]),
            ("border-1", &[]),
            ("transit-1", &[]),
            ("transit-1 transit-2", &[]),
            ("lumen", &[]),
            ("rack-a", &[]),
            ("hall", &[]),
            ("n1", &[]),
            ("n1 n2", &[]),
            ("n1 n2 n3 n4", &[]),
        ],
    );
}
