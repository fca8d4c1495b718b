//! Cables without lanes, and the objects where lines begin and end.

use super::{Case, check};

#[test]
fn ends() {
    check(&[
        Case { what: "nothing is plugged in", picture: "a:e1", traces: &[("a:e1", &["a:e1 OPEN"])] },
        Case { what: "a LAG takes no cable", picture: "a:l1", traces: &[("a:l1", &["a:l1 OPEN"])] },
        Case {
            what: "an end that is joined to something outside",
            picture: "a:e1*",
            traces: &[("a:e1", &["a:e1 >? COMPLETE"])],
        },
        Case {
            what: "an end that is switched off, with nothing plugged in",
            picture: "a:e1!",
            traces: &[("a:e1", &["a:e1 OPEN inactive"])],
        },
        Case {
            what: "one cable",
            picture: "a:e1 --c(3m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE 3m"]), ("b:e1", &["b:e1 c a:e1 COMPLETE 3m"])],
        },
        Case {
            what: "a cable between ports of one device",
            picture: "a:e1 --c-- a:e2",
            traces: &[("a:e1", &["a:e1 c a:e2 COMPLETE"])],
        },
        Case { what: "serial", picture: "a:s1 --c-- b:s1", traces: &[("a:s1", &["a:s1 c b:s1 COMPLETE"])] },
        Case {
            what: "serial through a panel",
            picture: "a:s1 --c1-- p:f1 = p:r1 --c2-- b:s1",
            traces: &[("a:s1", &["a:s1 c1 p:f1 p:r1 c2 b:s1 COMPLETE"])],
        },
    ]);
}

#[test]
fn inactive_parts() {
    check(&[
        Case {
            what: "a planned cable",
            picture: "a:e1 --c(3m,PLANNED)-- b:e1",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE 3m inactive"])],
        },
        Case {
            what: "a cable on its way out, behind a panel",
            picture: "a:e1 --c1-- p:f1 = p:r1 --c2(DECOMMISSIONING)-- b:e1",
            traces: &[("b:e1", &["b:e1 c2 p:r1 p:f1 c1 a:e1 COMPLETE inactive"])],
        },
        Case {
            what: "the far end is switched off",
            picture: "a:e1 --c-- b:e1!",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE inactive"]), ("b:e1", &["b:e1 c a:e1 COMPLETE inactive"])],
        },
        Case {
            what: "a port of a panel is switched off",
            picture: "a:e1 --c1-- p:f1! = p:r1 --c2-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 c2 b:e1 COMPLETE inactive"])],
        },
        Case {
            what: "one of two ends is switched off: only its branch is out of use",
            picture: "a:e1 --c-- [b:e1,b:e2!]",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE", "a:e1 c b:e2 COMPLETE inactive"])],
        },
    ]);
}

#[test]
fn several_ends() {
    check(&[
        Case {
            what: "one to three",
            picture: "a:e1 --c(2m)-- [b:e1,b:e2,b:e3]",
            traces: &[
                ("a:e1", &["a:e1 c b:e1 COMPLETE 2m", "a:e1 c b:e2 COMPLETE 2m", "a:e1 c b:e3 COMPLETE 2m"]),
                ("b:e2", &["b:e2 c a:e1 COMPLETE 2m"]),
            ],
        },
        Case {
            what: "two to two: each reaches each, and none its neighbour",
            picture: "[a:e1,a:e2] --c-- [b:e1,b:e2]",
            traces: &[
                ("a:e1", &["a:e1 c b:e1 COMPLETE", "a:e1 c b:e2 COMPLETE"]),
                ("b:e2", &["b:e2 c a:e1 COMPLETE", "b:e2 c a:e2 COMPLETE"]),
            ],
        },
        Case {
            what: "the ends of one side are of different kinds",
            picture: "
                a:e1 --c-- [b:e1,p:f1,x.A]
                p:f1 = p:r1
                x.A ~x~ x.Z@net",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE", "a:e1 c p:f1 p:r1 OPEN", "a:e1 c x.A x x.Z net COMPLETE"])],
        },
        Case {
            what: "several positions over a cable without lanes: one branch of all, the stack untouched",
            picture: "a:e1/2 --c-- b:e1/2",
            traces: &[("a:e1", &["@1+2 a:e1 c b:e1 COMPLETE"]), ("a:e1/2", &["@2 a:e1 c b:e1 COMPLETE"])],
        },
        Case {
            what: "the one position of an end can be asked for",
            picture: "a:e1 --c-- b:e1",
            traces: &[("a:e1/1", &["a:e1 c b:e1 COMPLETE"])],
        },
    ]);
}

#[test]
fn lengths() {
    check(&[
        Case {
            what: "an unknown part",
            picture: "a:e1 --c1(1.5m)-- p:f1 = p:r1 --c2-- q:r1 = q:f1 --c3(2m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 c2 q:r1 q:f1 c3 b:e1 COMPLETE 3.5m+"])],
        },
        Case {
            what: "an open line is as long as what is there",
            picture: "a:e1 --c1(1m)-- p:f1 = p:r1 --c2(40m)-- q:r1",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 c2 q:r1 UNMAPPED 41m"])],
        },
    ]);
}
