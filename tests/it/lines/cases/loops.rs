//! Lines that return to where they were.

use super::{Case, check};

#[test]
fn loops() {
    check(&[
        Case {
            what: "a circuit cabled to itself",
            picture: "
                x.A ~x~ x.Z
                x.A --c-- x.Z",
            traces: &[("x.A", &["x.A c x.Z x x.A LOOP", "THROUGH x.A x x.Z c x.A LOOP"])],
        },
        Case {
            what: "a ring of panels, from within",
            picture: "
                p:f1 = p:r1 --c1-- q:r1 = q:f1
                q:f1 --c2-- p:f1",
            traces: &[(
                "p:f1",
                &["p:f1 c2 q:f1 q:r1 c1 p:r1 p:f1 LOOP", "THROUGH p:f1 p:r1 c1 q:r1 q:f1 c2 p:f1 LOOP"],
            )],
        },
        Case {
            what: "a ring that a cable with two ends leads into",
            picture: "
                [a:e1,p:f1] --c1-- q:f1
                q:f1 = q:r1 --c2-- p:r1 = p:f1",
            traces: &[
                ("a:e1", &["a:e1 c1 q:f1 q:r1 c2 p:r1 p:f1 c1 q:f1 LOOP"]),
                (
                    "q:f1",
                    &[
                        "q:f1 c1 a:e1 COMPLETE",
                        "q:f1 c1 p:f1 p:r1 c2 q:r1 q:f1 LOOP",
                        "THROUGH q:f1 q:r1 c2 p:r1 p:f1 c1 q:f1 LOOP",
                    ],
                ),
            ],
        },
        Case {
            what: "back to the origin",
            picture: "
                a:e1 --c1-- [p:r1,p:r2]
                p:r1 = p:f1 --c2-- p:f2 = p:r2",
            traces: &[("a:e1", &["a:e1 c1 [p:r1|p:r2] [p:f1|p:f2] c2 [p:f2|p:f1] [p:r2|p:r1] c1 a:e1 LOOP"])],
        },
        Case {
            what: "back to the neighbour of the origin",
            picture: "
                [a:e1,a:e2] --c1-- [p:r1,p:r2]
                p:r1 = p:f1 --c2-- p:f2 = p:r2",
            traces: &[(
                "a:e1",
                &[
                    "a:e1 c1 [p:r1|p:r2] [p:f1|p:f2] c2 [p:f2|p:f1] [p:r2|p:r1] c1 a:e1 LOOP",
                    "a:e1 c1 [p:r1|p:r2] [p:f1|p:f2] c2 [p:f2|p:f1] [p:r2|p:r1] c1 a:e2 COMPLETE",
                ],
            )],
        },
        Case {
            what: "back on another fibre: the stack is another, so it is no loop",
            picture: "
                a:e1 --c1-- p:r1/2
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                p:f1 --c2-- p:f2",
            traces: &[(
                "a:e1",
                &[
                    "a:e1 c1 p:r1 p:f1 c2 p:f2 p:r1 c1 a:e1 COMPLETE guessed",
                    "a:e1 c1 p:r1 p:f2 c2 p:f1 p:r1 c1 a:e1 COMPLETE guessed",
                ],
            )],
        },
    ]);
}
