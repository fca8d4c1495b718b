//! Cables with lanes: breakouts, shuffles, and positions without a lane.

use super::{Case, check};

#[test]
fn breakouts() {
    check(&[
        Case {
            what: "four lanes to four ports",
            picture: "a:e1/4 --c(1/1>1/1,1/2>2/1,1/3>3/1,1/4>4/1)-- [b:e1,b:e2,d:e1,d:e2]",
            traces: &[
                (
                    "a:e1",
                    &[
                        "@1 a:e1 c b:e1 COMPLETE",
                        "@2 a:e1 c b:e2 COMPLETE",
                        "@3 a:e1 c d:e1 COMPLETE",
                        "@4 a:e1 c d:e2 COMPLETE",
                    ],
                ),
                ("a:e1/3", &["@3 a:e1 c d:e1 COMPLETE"]),
                ("d:e1", &["d:e1 c a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "lanes that cross over",
            picture: "a:e1/2 --c(1/1>1/2,1/2>1/1)-- b:e1/2",
            traces: &[("a:e1", &["@1+2 a:e1 c b:e1 COMPLETE"]), ("a:e1/2", &["@2 a:e1 c b:e1 COMPLETE"])],
        },
        Case {
            what: "one lane is not used",
            picture: "a:e1/2 --c(1/1>1/1)-- b:e1",
            traces: &[("a:e1", &["@1 a:e1 c b:e1 COMPLETE", "@2 a:e1 c OPEN"]), ("a:e1/2", &["@2 a:e1 c OPEN"])],
        },
        Case {
            what: "an end that no lane names",
            picture: "a:e1/2 --c(1/1>1/1)-- [b:e1,b:e2]",
            traces: &[("b:e2", &["b:e2 c OPEN"])],
        },
        Case {
            what: "an end with one position uses lane 1, and lane 2 is another's",
            picture: "[a:e1,a:e2] --c(1/1>1/1,2/1>1/2)-- b:e1/2",
            traces: &[
                ("a:e1", &["a:e1 c b:e1 COMPLETE"]),
                ("b:e1", &["@1 b:e1 c a:e1 COMPLETE", "@2 b:e1 c a:e2 COMPLETE"]),
            ],
        },
        Case {
            what: "a breakout behind panels: the lane comes out of its own fibre",
            picture: "
                a:e1/2 --c(1/1>1/1,1/2>1/2)-- p:r1/2
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                p:f1 --d1-- b:e1
                p:f2 --d2-- b:e2",
            traces: &[
                ("a:e1", &["@1 a:e1 c p:r1 p:f1 d1 b:e1 COMPLETE", "@2 a:e1 c p:r1 p:f2 d2 b:e2 COMPLETE"]),
                ("b:e2", &["b:e2 d2 p:f2 p:r1 c a:e1 COMPLETE"]),
            ],
        },
    ]);
}

#[test]
fn shuffles() {
    check(&[
        Case {
            what: "two trunks of two, each fibre to the other trunk",
            picture: "
                [p:r1/2,p:r2/2] --c(1/1>1/1,1/2>2/1,2/1>1/2,2/2>2/2)-- [q:r1/2,q:r2/2]
                a:e1 --a1-- p:f1 =1:1= p:r1
                a:e2 --a2-- p:f2 =1:2= p:r1
                a:e3 --a3-- p:f3 =1:1= p:r2
                b:e1 --b1-- q:f1 =1:1= q:r1
                b:e2 --b2-- q:f2 =1:2= q:r1
                b:e3 --b3-- q:f3 =1:1= q:r2",
            traces: &[
                ("a:e1", &["a:e1 a1 p:f1 p:r1 c q:r1 q:f1 b1 b:e1 COMPLETE"]),
                ("a:e2", &["a:e2 a2 p:f2 p:r1 c q:r2 q:f3 b3 b:e3 COMPLETE"]),
                ("a:e3", &["a:e3 a3 p:f3 p:r2 c q:r1 q:f2 b2 b:e2 COMPLETE"]),
            ],
        },
        Case {
            what: "an end in the middle of a shuffle, all its positions both ways",
            picture: "
                p:r1/2 --c(1/1>1/2,1/2>1/1)-- q:r1/2
                a:e1 --a1-- p:f1 =1:1= p:r1
                a:e2 --a2-- p:f2 =1:2= p:r1
                b:e1 --b1-- q:f1 =1:1= q:r1
                b:e2 --b2-- q:f2 =1:2= q:r1",
            traces: &[
                (
                    "p:r1",
                    &[
                        "@1 p:r1 c q:r1 q:f2 b2 b:e2 COMPLETE",
                        "@2 p:r1 c q:r1 q:f1 b1 b:e1 COMPLETE",
                        "THROUGH @1 p:r1 p:f1 a1 a:e1 COMPLETE",
                        "THROUGH @2 p:r1 p:f2 a2 a:e2 COMPLETE",
                    ],
                ),
                ("q:r1/2", &["@2 q:r1 c p:r1 p:f1 a1 a:e1 COMPLETE", "THROUGH @2 q:r1 q:f2 b2 b:e2 COMPLETE"]),
            ],
        },
        Case {
            what: "a lane to a fibre without a front",
            picture: "
                a:e1/2 --c(1/1>1/1,1/2>1/2)-- p:r1/2
                p:f1 =1:1= p:r1",
            traces: &[("a:e1", &["@1 a:e1 c p:r1 p:f1 OPEN", "@2 a:e1 c p:r1 UNMAPPED"])],
        },
        Case {
            what: "lanes out of an empty stack: all of them, guessed",
            picture: "
                a:e1 --c1-- p:f1/2
                p:f1 =1:1= p:r1/2
                p:f1 =2:2= p:r1
                b:e1 --c2-- q:f1 = q:r1/2 --c3(1/1>1/1,1/2>2/1)-- [d:e1,d:e2]",
            traces: &[
                ("b:e1", &["b:e1 c2 q:f1 q:r1 c3 d:e1 COMPLETE"]),
                ("d:e2", &["d:e2 c3 q:r1 UNMAPPED"]),
                ("a:e1", &["a:e1 c1 p:f1 p:r1 OPEN guessed", "a:e1 c1 p:f1 p:r1 OPEN guessed"]),
            ],
        },
        Case {
            what: "a port with lanes and an empty stack in the middle of a line",
            picture: "
                a:e1 --c1-- x.A ~x~ x.Z
                x.Z --c2(1/1>1/1,1/2>2/1)-- [b:e1,b:e2]",
            traces: &[
                ("a:e1", &["a:e1 c1 x.A x x.Z c2 b:e1 COMPLETE guessed", "a:e1 c1 x.A x x.Z c2 b:e2 COMPLETE guessed"]),
                ("b:e2", &["b:e2 c2 x.Z x x.A c1 a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "lanes across a circuit",
            picture: "
                a:e1/2 --c1(1/1>1/1,1/2>1/2)-- x.A ~x~ x.Z
                x.Z --c2(1/1>1/1,1/2>2/1)-- [b:e1,b:e2]",
            traces: &[
                ("a:e1", &["@1 a:e1 c1 x.A x x.Z c2 b:e1 COMPLETE", "@2 a:e1 c1 x.A x x.Z c2 b:e2 COMPLETE"]),
                ("b:e2", &["b:e2 c2 x.Z x x.A c1 a:e1 COMPLETE"]),
                (
                    "x.Z",
                    &["@1 x.Z c2 b:e1 COMPLETE", "@2 x.Z c2 b:e2 COMPLETE", "THROUGH @1+2 x.Z x x.A c1 a:e1 COMPLETE"],
                ),
            ],
        },
    ]);
}
