//! A typical pod with two of everything, and the effect of losing one.

use super::expect;

/// Two borders with transit, two spines, two pairs of leaves, servers on both leaves of a pair, A and B power in two
/// racks, a cluster on all servers.
pub const POD: &str = "
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
