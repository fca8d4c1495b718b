//! Circuits, the management network, chassis, and fleets without an anchor.

use super::expect;

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

/// Borders replace missing exits, then spines; where there is neither, nothing is known.
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
