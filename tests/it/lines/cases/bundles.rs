//! Trunks that are plugged into their own panel: the stack of positions grows with every round, and connections beside
//! them are still found.

use super::{Case, check};
use crate::lines::formatted::{format_trace, trace};
use crate::lines::picture::Picture;

#[test]
fn a_trunk_plugged_into_its_own_front() {
    check(&[
        Case {
            what: "a port beside the front that the trunk leads from",
            picture: "
                p:f1 =1:1= p:r1/2
                p:f2 =1:2= p:r1
                p:r1 --self-- p:f1
                z:e1 --c-- [p:f2,b:e1]",
            traces: &[
                ("z:e1", &["z:e1 c p:f2 p:r1 self p:f1 p:r1 LOOP", "z:e1 c b:e1 COMPLETE"]),
                ("b:e1", &["b:e1 c z:e1 COMPLETE"]),
                ("p:f2", &["p:f2 c z:e1 COMPLETE", "THROUGH p:f2 p:r1 self p:f1 p:r1 LOOP"]),
            ],
        },
        Case {
            what: "the ends of the cable the other way round",
            picture: "
                p:f1 =1:1= p:r1/2
                p:f2 =1:2= p:r1
                p:r1 --self-- p:f1
                z:e1 --c-- [b:e1,p:f2]",
            traces: &[("z:e1", &["z:e1 c b:e1 COMPLETE", "z:e1 c p:f2 p:r1 self p:f1 p:r1 LOOP"])],
        },
        Case {
            what: "two trunks, each plugged into a front of the other",
            picture: "
                p:f1 =1:1= p:r1/2
                p:f2 =1:1= p:r2/2
                p:f3 =1:2= p:r1
                p:r1 --x1-- p:f2
                p:r2 --x2-- p:f1
                z:e1 --c-- [p:f3,b:e1]",
            traces: &[("z:e1", &["z:e1 c p:f3 p:r1 x1 p:f2 p:r2 x2 p:f1 p:r1 LOOP", "z:e1 c b:e1 COMPLETE"])],
        },
        Case {
            what: "every round leaves another port behind, which is reported once",
            picture: "
                [a:e1,q:r1,b:e1] --c1-- p:f1
                p:f1 =1:1= p:r1/2
                p:r1 --c2-- q:f1
                q:f1 = q:r1",
            traces: &[
                ("a:e1", &["a:e1 c1 p:f1 p:r1 c2 q:f1 q:r1 c1 p:f1 LOOP"]),
                (
                    "q:f1",
                    &[
                        "q:f1 c2 p:r1 p:f1 c1 a:e1 COMPLETE guessed",
                        "q:f1 c2 p:r1 p:f1 c1 q:r1 q:f1 LOOP guessed",
                        "q:f1 c2 p:r1 p:f1 c1 b:e1 COMPLETE guessed",
                        "THROUGH q:f1 q:r1 c1 p:f1 p:r1 c2 q:f1 LOOP",
                    ],
                ),
            ],
        },
        Case {
            what: "a trunk that is popped on the way round is no loop until the same is met",
            picture: "
                a:e1 --c1-- p:f1 =1:2= p:r1/2
                p:r1 --t-- q:r1/2
                q:f1 =1:1= q:r1
                q:f2 =1:2= q:r1
                p:f2 =1:1= p:r1
                q:f2 --back-- p:f2
                q:f1 --c2-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 t q:r1 q:f2 back p:f2 p:r1 t q:r1 q:f1 c2 b:e1 COMPLETE"])],
        },
    ]);
}

#[test]
fn a_strand_that_is_too_long_truncates_no_other() {
    let mut text = String::from("z:e1 --c-- [p0:f1,b:e1]\n");
    for panel in 0..600 {
        let next = panel + 1;
        text += &format!("p{panel}:f1 = p{panel}:r1 --t{panel}-- p{next}:f1\n");
    }
    let picture = Picture::draw(&text);
    let long = trace(&picture, "z:e1");
    assert_eq!(format_trace(&picture, &long), ["z:e1 c b:e1 COMPLETE", "truncated"]);
    assert!(!long.complete());
    let short = trace(&picture, "p400:f1");
    assert_eq!(
        (short.branches.len(), short.truncated),
        (1, true),
        "it is too long one way, and complete the other way"
    );
}
