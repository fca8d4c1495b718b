//! Power: outlets and feeds end a line, or lead to their sources.

use super::{Case, check};

#[test]
fn power_ends_at_devices() {
    check(&[
        Case {
            what: "an inlet, an outlet",
            picture: "a:i1 --c-- u:o1 ^ u:i1",
            traces: &[
                ("a:i1", &["a:i1 c u:o1 COMPLETE"]),
                ("u:o1", &["u:o1 c a:i1 COMPLETE"]),
                ("u:i1", &["u:i1 OPEN"]),
            ],
        },
        Case {
            what: "an inlet, a feed",
            picture: "u:i1 --c(3m)-- feed:A ^ feed:M",
            traces: &[
                ("u:i1", &["u:i1 c feed:A COMPLETE 3m"]),
                ("feed:A", &["feed:A c u:i1 COMPLETE 3m"]),
                ("feed:M", &["feed:M OPEN"]),
            ],
        },
        Case {
            what: "a feed that is off",
            picture: "u:i1 --c-- feed:A!",
            traces: &[("u:i1", &["u:i1 c feed:A COMPLETE inactive"])],
        },
    ]);
}

#[test]
fn power_through_devices() {
    check(&[
        Case {
            what: "from a server to the utility",
            picture: "
                a:i1 --c1(1m)-- u:o1 ^ u:i1 --c2(4m)-- feed:A ^ feed:M",
            traces: &[
                ("^a:i1", &["a:i1 c1 u:o1 u:i1 c2 feed:A feed:M COMPLETE 5m"]),
                ("^u:o1", &["u:o1 c1 a:i1 COMPLETE 1m", "THROUGH u:o1 u:i1 c2 feed:A feed:M COMPLETE 4m"]),
                ("^feed:A", &["feed:A c2 u:i1 COMPLETE 4m", "THROUGH feed:A feed:M COMPLETE"]),
                ("^feed:M", &["feed:M OPEN"]),
            ],
        },
        Case {
            what: "an outlet that nothing feeds",
            picture: "a:i1 --c-- u:o1",
            traces: &[("^a:i1", &["a:i1 c u:o1 COMPLETE"]), ("^u:o1", &["u:o1 c a:i1 COMPLETE"])],
        },
        Case {
            what: "a transfer switch: fed by two, a branch each, nothing guessed",
            picture: "
                a:i1 --c1-- t:o1
                t:o1 ^ t:i1 --c2-- feed:A
                t:o1 ^ t:i2 --c3-- feed:B",
            traces: &[("^a:i1", &["a:i1 c1 t:o1 t:i1 c2 feed:A COMPLETE", "a:i1 c1 t:o1 t:i2 c3 feed:B COMPLETE"])],
        },
        Case {
            what: "two ways up to one source: one branch again",
            picture: "
                a:i1 --c1-- t:o1
                t:o1 ^ t:i1 --c2-- feed:A ^ feed:M
                t:o1 ^ t:i2 --c3-- feed:B ^ feed:M",
            traces: &[("^a:i1", &["a:i1 c1 t:o1 [t:i1|t:i2] [c2|c3] [feed:A|feed:B] feed:M COMPLETE"])],
        },
        Case {
            what: "a feed behind an outlet of an uninterruptible supply",
            picture: "a:i1 --c1-- feed:A ^ ups:o1 ^ ups:i1 --c2-- feed:M",
            traces: &[("^a:i1", &["a:i1 c1 feed:A ups:o1 ups:i1 c2 feed:M COMPLETE"])],
        },
        Case {
            what: "the inlet above has no cable",
            picture: "a:i1 --c1-- u:o1 ^ u:i1",
            traces: &[("^a:i1", &["a:i1 c1 u:o1 u:i1 OPEN"])],
        },
        Case {
            what: "the inlet above is supplied from outside the inventory",
            picture: "a:i1 --c1-- u:o1 ^ u:i1*",
            traces: &[("^a:i1", &["a:i1 c1 u:o1 u:i1 >? COMPLETE"])],
        },
        Case {
            what: "data is not touched by it",
            picture: "a:e1 --c-- b:e1",
            traces: &[("^a:e1", &["a:e1 c b:e1 COMPLETE"])],
        },
    ]);
}
