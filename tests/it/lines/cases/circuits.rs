//! Circuits: by cable, by port, to a site, to a network, in series and in parallel.

use super::{Case, check};

#[test]
fn one_circuit() {
    check(&[
        Case {
            what: "cabled on both sides",
            picture: "a:e1 --c1(5m)-- x.A ~x(900m,2ms)~ x.Z --c2(5m)-- b:e1",
            traces: &[
                ("a:e1", &["a:e1 c1 x.A x x.Z c2 b:e1 COMPLETE 910m 2ms"]),
                ("x.A", &["x.A c1 a:e1 COMPLETE 5m", "THROUGH x.A x x.Z c2 b:e1 COMPLETE 905m 2ms"]),
            ],
        },
        Case {
            what: "plugged straight into ports",
            picture: "
                x.A ~x(900m)~ x.Z
                x.A -> a:e1
                x.Z -> b:e1",
            traces: &[
                ("a:e1", &["a:e1 x.A x x.Z b:e1 COMPLETE 900m"]),
                ("x.Z", &["x.Z b:e1 COMPLETE", "THROUGH x.Z x x.A a:e1 COMPLETE 900m"]),
            ],
        },
        Case {
            what: "plugged straight into a panel, cabled on the other side",
            picture: "
                a:e1 --c1-- x.A ~x~ x.Z
                x.Z -> p:r1
                p:r1 = p:f1 --c2-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 x.A x x.Z p:r1 p:f1 c2 b:e1 COMPLETE"])],
        },
        Case {
            what: "to a network: complete there",
            picture: "a:e1 --c(5m)-- x.A ~x(900m)~ x.Z@net",
            traces: &[
                ("a:e1", &["a:e1 c x.A x x.Z net COMPLETE 905m"]),
                ("x.Z", &["x.Z net COMPLETE", "THROUGH x.Z x x.A c a:e1 COMPLETE 905m"]),
            ],
        },
        Case {
            what: "to a bare site: open there",
            picture: "a:e1 --c-- x.A ~x~ x.Z",
            traces: &[
                ("a:e1", &["a:e1 c x.A x x.Z s OPEN"]),
                ("x.Z", &["x.Z s OPEN", "THROUGH x.Z x x.A c a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "to an end that is nowhere",
            picture: "a:e1 --c-- x.A ~x~ x.Z@",
            traces: &[("a:e1", &["a:e1 c x.A x x.Z OPEN"])],
        },
        Case {
            what: "without another end: not crossed, so it does not count",
            picture: "a:e1 --c(5m)-- x.A ~x(900m,2ms)~ .",
            traces: &[("a:e1", &["a:e1 c x.A x OPEN 5m"]), ("x.A", &["x.A c a:e1 COMPLETE 5m", "THROUGH x.A x OPEN"])],
        },
        Case {
            what: "an unknown length and latency",
            picture: "a:e1 --c(5m)-- x.A ~x~ x.Z@net",
            traces: &[("a:e1", &["a:e1 c x.A x x.Z net COMPLETE 5m+"])],
        },
        Case {
            what: "out of use",
            picture: "a:e1 --c-- x.A ~x(PLANNED)~ x.Z --d-- b:e1",
            traces: &[("a:e1", &["a:e1 c x.A x x.Z d b:e1 COMPLETE inactive"])],
        },
        Case {
            what: "without another end and out of use",
            picture: "a:e1 --c-- x.A ~x(FAILED)~ .",
            traces: &[("a:e1", &["a:e1 c x.A x OPEN inactive"])],
        },
    ]);
}

#[test]
fn several_circuits() {
    check(&[
        Case {
            what: "in a row",
            picture: "a:e1 --c1-- x.A ~x(1ms,10m)~ x.Z --c2-- y.A ~y(2ms,20m)~ y.Z --c3-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 x.A x x.Z c2 y.A y y.Z c3 b:e1 COMPLETE 30m+ 3ms"])],
        },
        Case {
            what: "in a row, one without a latency",
            picture: "a:e1 --c1(1m)-- x.A ~x(1ms,10m)~ x.Z --c2(1m)-- y.A ~y(20m)~ y.Z@net",
            traces: &[("a:e1", &["a:e1 c1 x.A x x.Z c2 y.A y y.Z net COMPLETE 32m"])],
        },
        Case {
            what: "a cross-connect at each end, through panels",
            picture: "
                a:e1 --c1-- p:f1 = p:r1 --c2-- x.A ~x~ x.Z --c3-- y.A ~y(4ms)~ y.Z --c4-- q:r1 = q:f1 --c5-- b:e1",
            traces: &[("b:e1", &["b:e1 c5 q:f1 q:r1 c4 y.Z y y.A c3 x.Z x x.A c2 p:r1 p:f1 c1 a:e1 COMPLETE"])],
        },
        Case {
            what: "side by side into one network: one branch again",
            picture: "
                a:e1 --c(1m)-- [x.A,y.A]
                x.A ~x(10m,3ms)~ x.Z@net
                y.A ~y(20m,2ms)~ y.Z@net",
            traces: &[
                ("a:e1", &["a:e1 c [x.A|y.A] [x|y] [x.Z|y.Z] net COMPLETE 21m 3ms"]),
                ("x.Z", &["x.Z net COMPLETE", "THROUGH x.Z x x.A c a:e1 COMPLETE 11m 3ms"]),
            ],
        },
        Case {
            what: "side by side into two networks: two branches",
            picture: "
                a:e1 --c-- [x.A,y.A]
                x.A ~x~ x.Z@net
                y.A ~y~ y.Z@other",
            traces: &[("a:e1", &["a:e1 c x.A x x.Z net COMPLETE", "a:e1 c y.A y y.Z other COMPLETE"])],
        },
        Case {
            what: "side by side and together again, one of them planned",
            picture: "
                a:e1 --c-- [x.A,y.A]
                x.A ~x~ x.Z
                y.A ~y(PLANNED)~ y.Z
                [x.Z,y.Z] --d-- b:e1",
            traces: &[("a:e1", &["a:e1 c [x.A|y.A] [x|y] [x.Z|y.Z] d b:e1 COMPLETE inactive"])],
        },
    ]);
}

#[test]
fn circuits_with_more_positions_at_one_end() {
    check(&[
        Case {
            what: "two lanes at one end, one at the other: the second is open, and the far end need not guess",
            picture: "
                a:e1/2 --c1(1/1>1/1,1/2>1/2)-- x.A ~x~ x.Z
                x.Z --c2(1/1>1/1)-- b:e1",
            traces: &[
                ("a:e1", &["@1 a:e1 c1 x.A x x.Z c2 b:e1 COMPLETE", "@2 a:e1 c1 x.A x x.Z c2 OPEN"]),
                ("b:e1", &["b:e1 c2 x.Z x x.A c1 a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "two lanes at one end to two ports, the second lane alone at the other",
            picture: "
                [a:e1,a:e2] --c1(1/1>1/1,2/1>1/2)-- x.A ~x~ x.Z
                x.Z --c2(1/2>1/1)-- b:e1",
            traces: &[
                ("a:e1", &["a:e1 c1 x.A x x.Z c2 OPEN"]),
                ("a:e2", &["a:e2 c1 x.A x x.Z c2 b:e1 COMPLETE"]),
                ("b:e1", &["b:e1 c2 x.Z x x.A c1 a:e2 COMPLETE"]),
            ],
        },
    ]);
}
