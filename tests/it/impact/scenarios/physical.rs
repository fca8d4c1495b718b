//! Power, lines and bundles.

use super::expect;

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

/// A device in a bay goes down with its chassis; a member of a stack that has a place of its own does not.
#[test]
fn stacks() {
    expect(
        "
    rack A
    rack B
    server first rack=A
    server second rack=B parent=first
    server vc
    server third rack=B parent=vc
    chassis enclosure rack=A
    server blade parent=enclosure
    ",
        &[
            ("first", ""),
            ("vc", ""),
            (
                "enclosure",
                "
                blade DOWN Containment < enclosure
            ",
            ),
            (
                "B",
                "
                second DOWN Containment < B
                third DOWN Containment < B
            ",
            ),
        ],
    );
}
