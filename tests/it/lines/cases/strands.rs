//! Parallel strands that merge again.

use super::{Case, check};

#[test]
fn strands_merge() {
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

#[test]
fn strands_that_arrive_at_one_end_are_one_branch() {
    check(&[
        Case {
            what: "all lanes of a cable between two ports",
            picture: "a:e1/4 --c(1/1>1/1,1/2>1/2,1/3>1/3,1/4>1/4)-- b:e1/4",
            traces: &[
                ("a:e1", &["@1+2+3+4 a:e1 c b:e1 COMPLETE"]),
                ("a:e1/3", &["@3 a:e1 c b:e1 COMPLETE"]),
                ("b:e1", &["@1+2+3+4 b:e1 c a:e1 COMPLETE"]),
            ],
        },
        Case {
            what: "a cable without lanes on a port with several positions",
            picture: "a:e1/2 --c-- b:e1",
            traces: &[("a:e1", &["@1+2 a:e1 c b:e1 COMPLETE"]), ("b:e1", &["b:e1 c a:e1 COMPLETE"])],
        },
        Case {
            what: "through panels of their own, with a different number of hops",
            picture: "
                a:e1/2 --c(1m,1/1>1/1,1/2>2/1)-- [p:f1,p:f2]
                p:f1 = p:r1
                p:f2 = p:r2 --t(40m)-- q:r2 = q:f2
                [p:r1,q:f2] --d(1m,1/1>1/1,2/1>1/2)-- b:e1/2",
            traces: &[("a:e1", &["@1+2 a:e1 c [p:f1|p:f2] [p:r1|p:r2] t q:r2 q:f2 d b:e1 COMPLETE 42m"])],
        },
        Case {
            what: "some to one port, some to another",
            picture: "a:e1/4 --c(1/1>1/1,1/2>1/2,1/3>2/1,1/4>2/2)-- [b:e1/2,b:e2/2]",
            traces: &[("a:e1", &["@1+2 a:e1 c b:e1 COMPLETE", "@3+4 a:e1 c b:e2 COMPLETE"])],
        },
        Case {
            what: "a trunk of which half is dark: every dark strand is reported",
            picture: "
                a:e1/4 --c(1/1>1/1,1/2>1/2,1/3>1/3,1/4>1/4)-- p:r1/4
                p:f1 =1:1= p:r1
                p:f2 =1:2= p:r1
                p:f3 =1:3= p:r1
                [p:f1,p:f2] --d(1/1>1/1,2/1>1/2)-- b:e1/2",
            traces: &[(
                "a:e1",
                &[
                    "@1+2 a:e1 c p:r1 [p:f1|p:f2] d b:e1 COMPLETE",
                    "@3 a:e1 c p:r1 p:f3 OPEN",
                    "@4 a:e1 c p:r1 UNMAPPED",
                ],
            )],
        },
        Case {
            what: "dark strands of a trunk from its own end",
            picture: "
                p:r1/4 --t-- q:r1/4
                q:f1 =1:1= q:r1
                q:f2 =1:2= q:r1
                [q:f1,q:f2] --d-- b:e1
                p:f4 =1:4= p:r1",
            traces: &[(
                "p:r1",
                &[
                    "@1+2 p:r1 t q:r1 [q:f1|q:f2] d b:e1 COMPLETE",
                    "@3 p:r1 t q:r1 UNMAPPED",
                    "@4 p:r1 t q:r1 UNMAPPED",
                    "THROUGH @1 p:r1 UNMAPPED",
                    "THROUGH @2 p:r1 UNMAPPED",
                    "THROUGH @3 p:r1 UNMAPPED",
                    "THROUGH @4 p:r1 p:f4 OPEN",
                ],
            )],
        },
    ]);
}
