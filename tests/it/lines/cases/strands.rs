//! Strands that run side by side and come together again.

use super::{Case, check};

#[test]
fn strands_come_together() {
    check(&[
        Case {
            what: "two strands through one panel",
            picture: "
                a:e1 --c(1m)-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2
                [p:r1,p:r2] --d(2m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c [p:f1|p:f2] [p:r1|p:r2] d b:e1 COMPLETE 3m"])],
        },
        Case {
            what: "two trunks side by side: the longest counts",
            picture: "
                a:e1 --c(1m)-- [p:f1,p:f2]
                p:f1 = p:r1 --t1(30m)-- q:r1 = q:f1
                p:f2 = p:r2 --t2(40m)-- q:r2 = q:f2
                [q:f1,q:f2] --d(1m)-- b:e1",
            traces: &[(
                "a:e1",
                &["a:e1 c [p:f1|p:f2] [p:r1|p:r2] [t1|t2] [q:r1|q:r2] [q:f1|q:f2] d b:e1 COMPLETE 42m"],
            )],
        },
        Case {
            what: "one of two strands is of unknown length",
            picture: "
                a:e1 --c(1m)-- [p:f1,p:f2]
                p:f1 = p:r1 --t1(30m)-- q:r1 = q:f1
                p:f2 = p:r2 --t2-- q:r2 = q:f2
                [q:f1,q:f2] --d(1m)-- b:e1",
            traces: &[(
                "b:e1",
                &["b:e1 d [q:f1|q:f2] [q:r1|q:r2] [t1|t2] [p:r1|p:r2] [p:f1|p:f2] c a:e1 COMPLETE 32m+"],
            )],
        },
        Case {
            what: "strands with a different number of hops",
            picture: "
                a:e1 --c(1m)-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2 --t2(40m)-- q:r2 = q:f2
                [p:r1,q:f2] --d(1m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c [p:f1|p:f2] [p:r1|p:r2] t2 q:r2 q:f2 d b:e1 COMPLETE 42m"])],
        },
        Case {
            what: "together, apart and together",
            picture: "
                a:e1 --c1-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2
                [p:r1,p:r2] --c2-- [q:r1,q:r2]
                q:r1 = q:f1
                q:r2 = q:f2
                [q:f1,q:f2] --c3-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 [p:f1|p:f2] [p:r1|p:r2] c2 [q:r1|q:r2] [q:f1|q:f2] c3 b:e1 COMPLETE"])],
        },
        Case {
            what: "apart to two ends: what both strands lead to is in both branches",
            picture: "
                a:e1 --c1-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2
                [p:r1,p:r2] --c2-- [b:e1,b:e2]",
            traces: &[(
                "a:e1",
                &[
                    "a:e1 c1 [p:f1|p:f2] [p:r1|p:r2] c2 b:e1 COMPLETE",
                    "a:e1 c1 [p:f1|p:f2] [p:r1|p:r2] c2 b:e2 COMPLETE",
                ],
            )],
        },
        Case {
            what: "one strand of two leads nowhere",
            picture: "
                a:e1 --c1-- [p:f1,p:f2]
                p:f1 = p:r1 --c2-- b:e1
                p:f2",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 c2 b:e1 COMPLETE", "a:e1 c1 p:f2 UNMAPPED"])],
        },
        Case {
            what: "the fibres of one trunk come out with their own positions, and are one branch again",
            picture: "
                a:e1 --c1-- [p:f1,p:f2]
                p:f1 =1:1= p:r1/2
                p:f2 =1:2= p:r1
                p:r1 --t-- q:r1/2
                q:f1 =1:1= q:r1
                q:f2 =1:2= q:r1
                [q:f1,q:f2] --c2-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 [p:f1|p:f2] p:r1 t q:r1 [q:f1|q:f2] c2 b:e1 COMPLETE"])],
        },
        Case {
            what: "all lanes of a breakout into one end: one branch of all positions",
            picture: "
                a:e1/2 --c1(1/1>1/1,1/2>2/1)-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2
                [p:r1,p:r2] --c2-- b:e1",
            traces: &[
                ("a:e1", &["@1+2 a:e1 c1 [p:f1|p:f2] [p:r1|p:r2] c2 b:e1 COMPLETE"]),
                ("b:e1", &["b:e1 c2 p:r1 p:f1 c1 a:e1 COMPLETE", "b:e1 c2 p:r2 p:f2 c1 a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "a guessed strand makes the branch a guess",
            picture: "
                a:e1 --c1-- p:r1/2
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                [p:f1,p:f2] --c2-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:r1 [p:f1|p:f2] c2 b:e1 COMPLETE guessed"])],
        },
    ]);
}
