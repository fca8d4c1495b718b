//! Front and rear ports: one to one, trunks, nested trunks, splits, positions without a connection.

use super::{Case, check};

#[test]
fn one_to_one() {
    check(&[
        Case {
            what: "two panels",
            picture: "a:e1 --c1(1m)-- p:f1 = p:r1 --c2(50m)-- q:r1 = q:f1 --c3(2m)-- b:e1",
            traces: &[
                ("a:e1", &["a:e1 c1 p:f1 p:r1 c2 q:r1 q:f1 c3 b:e1 COMPLETE 53m"]),
                ("p:r1", &["p:r1 c2 q:r1 q:f1 c3 b:e1 COMPLETE 52m", "THROUGH p:r1 p:f1 c1 a:e1 COMPLETE 1m"]),
                ("q:f1", &["q:f1 c3 b:e1 COMPLETE 2m", "THROUGH q:f1 q:r1 c2 p:r1 p:f1 c1 a:e1 COMPLETE 51m"]),
            ],
        },
        Case {
            what: "the panel is open behind",
            picture: "a:e1 --c-- p:f1 = p:r1",
            traces: &[
                ("a:e1", &["a:e1 c p:f1 p:r1 OPEN"]),
                ("p:r1", &["p:r1 OPEN", "THROUGH p:r1 p:f1 c a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "the panel is joined to something outside behind",
            picture: "a:e1 --c-- p:f1 = p:r1*",
            traces: &[("a:e1", &["a:e1 c p:f1 p:r1 >? COMPLETE"])],
        },
        Case {
            what: "a front without a rear",
            picture: "a:e1 --c-- p:f1",
            traces: &[
                ("a:e1", &["a:e1 c p:f1 UNMAPPED"]),
                ("p:f1", &["p:f1 c a:e1 COMPLETE", "THROUGH p:f1 UNMAPPED"]),
            ],
        },
        Case {
            what: "a patch port alone",
            picture: "p:r1",
            traces: &[("p:r1", &["p:r1 OPEN", "THROUGH p:r1 UNMAPPED"])],
        },
        Case {
            what: "front to front, as in a patch field",
            picture: "a:e1 --c1-- p:r1 = p:f1 --c2-- p:f2 = p:r2 --c3-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:r1 p:f1 c2 p:f2 p:r2 c3 b:e1 COMPLETE"])],
        },
    ]);
}

#[test]
fn trunks() {
    check(&[
        Case {
            what: "twelve fibres in one trunk: the third comes out at the third",
            picture: "
                p:r1/12 --trunk(30m)-- q:r1/12
                a:e1 --a1-- p:f1 =1:1= p:r1
                a:e3 --a3-- p:f3 =1:3= p:r1
                b:e1 --b1-- q:f1 =1:1= q:r1
                b:e3 --b3-- q:f3 =1:3= q:r1",
            traces: &[
                ("a:e1", &["a:e1 a1 p:f1 p:r1 trunk q:r1 q:f1 b1 b:e1 COMPLETE 30m+"]),
                ("a:e3", &["a:e3 a3 p:f3 p:r1 trunk q:r1 q:f3 b3 b:e3 COMPLETE 30m+"]),
                ("q:r1/3", &["@3 q:r1 trunk p:r1 p:f3 a3 a:e3 COMPLETE 30m+", "THROUGH @3 q:r1 q:f3 b3 b:e3 COMPLETE"]),
                ("q:r1/7", &["@7 q:r1 trunk p:r1 UNMAPPED 30m", "THROUGH @7 q:r1 UNMAPPED"]),
            ],
        },
        Case {
            what: "the fibre comes out where no front is",
            picture: "
                p:r1/2 --trunk-- q:r1/2
                a:e1 --a1-- p:f1 =1:2= p:r1
                q:f1 =1:1= q:r1",
            traces: &[("a:e1", &["a:e1 a1 p:f1 p:r1 trunk q:r1 UNMAPPED"])],
        },
        Case {
            what: "a trunk in a trunk: two stacks of positions",
            picture: "
                a:e1 --a1-- p:f1 =1:2= p:r1/2
                p:r1 --t1-- q:f1/2
                q:f1 =1:3= q:r1/4
                q:f1 =2:4= q:r1
                q:r1 --t2-- r:r1/4
                r:f1/2 =1:3= r:r1
                r:f1 =2:4= r:r1
                r:f1 --t3-- t:r1/2
                t:f1 =1:1= t:r1
                t:f2 =1:2= t:r1
                t:f1 --b1-- b:e1
                t:f2 --b2-- b:e2",
            traces: &[
                ("a:e1", &["a:e1 a1 p:f1 p:r1 t1 q:f1 q:r1 t2 r:r1 r:f1 t3 t:r1 t:f2 b2 b:e2 COMPLETE"]),
                ("b:e1", &["b:e1 b1 t:f1 t:r1 t3 r:f1 r:r1 t2 q:r1 q:f1 t1 p:r1 UNMAPPED"]),
                ("b:e2", &["b:e2 b2 t:f2 t:r1 t3 r:f1 r:r1 t2 q:r1 q:f1 t1 p:r1 p:f1 a1 a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "trunks within trunks: the inner stack is kept while the outer is used",
            picture: "
                a:e1 --a1-- p:f1 =1:2= p:r1/2
                p:r1 --t1-- q:f1
                q:f1 =1:3= q:r1/4
                q:r1 --t2-- r:r1/4
                r:f1 =1:3= r:r1
                r:f1 --t3-- t:r1/2
                t:f1 =1:1= t:r1
                t:f2 =1:2= t:r1
                t:f2 --b2-- b:e2",
            traces: &[
                ("a:e1", &["a:e1 a1 p:f1 p:r1 t1 q:f1 q:r1 t2 r:r1 r:f1 t3 t:r1 t:f2 b2 b:e2 COMPLETE"]),
                (
                    "r:r1/3",
                    &[
                        "@3 r:r1 t2 q:r1 q:f1 t1 p:r1 p:f1 a1 a:e1 COMPLETE guessed",
                        "THROUGH @3 r:r1 r:f1 t3 t:r1 t:f1 OPEN guessed",
                        "THROUGH @3 r:r1 r:f1 t3 t:r1 t:f2 b2 b:e2 COMPLETE guessed",
                    ],
                ),
            ],
        },
        Case {
            what: "a front with several positions to several rears",
            picture: "
                a:e1/2 --c(1/1>1/1,1/2>1/2)-- p:f1/2
                p:f1 =1:1= p:r1
                p:f1 =2:1= p:r2
                p:r1 --d1-- b:e1
                p:r2 --d2-- b:e2",
            traces: &[
                ("a:e1", &["@1 a:e1 c p:f1 p:r1 d1 b:e1 COMPLETE", "@2 a:e1 c p:f1 p:r2 d2 b:e2 COMPLETE"]),
                ("b:e2", &["b:e2 d2 p:r2 p:f1 c a:e1 COMPLETE"]),
            ],
        },
    ]);
}

#[test]
fn splits() {
    check(&[
        Case {
            what: "into a rear with several positions: a branch for each front",
            picture: "
                a:e1 --c-- p:r1/3
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                p:f1 --d1-- b:e1
                p:f2 --d2-- b:e2",
            traces: &[
                ("a:e1", &["a:e1 c p:r1 p:f1 d1 b:e1 COMPLETE guessed", "a:e1 c p:r1 p:f2 d2 b:e2 COMPLETE guessed"]),
                ("b:e1", &["b:e1 d1 p:f1 p:r1 c a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "fronts are listed in the order of the positions, not of their creation",
            picture: "
                a:e1 --c-- p:r1/3
                p:f1 =1:3= p:r1
                p:f2 =1:1= p:r1
                p:f3 =1:2= p:r1",
            traces: &[(
                "a:e1",
                &["a:e1 c p:r1 p:f2 OPEN guessed", "a:e1 c p:r1 p:f3 OPEN guessed", "a:e1 c p:r1 p:f1 OPEN guessed"],
            )],
        },
        Case {
            what: "a split with one front is guessed too: the other fibre may be meant",
            picture: "
                a:e1 --c-- p:r1/2
                p:f1 =1:2= p:r1
                p:f1 --d1-- b:e1",
            traces: &[("a:e1", &["a:e1 c p:r1 p:f1 d1 b:e1 COMPLETE guessed"])],
        },
        Case {
            what: "a split where nothing is joined",
            picture: "a:e1 --c-- p:r1/2",
            traces: &[("a:e1", &["a:e1 c p:r1 UNMAPPED"])],
        },
        Case {
            what: "a split after a split",
            picture: "
                a:e1 --c-- p:r1/2
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                p:f1 --d1-- q:r1/2
                q:f1 =1:1= q:r1
                q:f2 =1:2= q:r1",
            traces: &[(
                "a:e1",
                &[
                    "a:e1 c p:r1 p:f1 d1 q:r1 q:f1 OPEN guessed",
                    "a:e1 c p:r1 p:f1 d1 q:r1 q:f2 OPEN guessed",
                    "a:e1 c p:r1 p:f2 OPEN guessed",
                ],
            )],
        },
    ]);
}
