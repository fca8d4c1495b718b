//! Cables without and with lanes, and what ends a line.

use super::{Case, check};

#[test]
fn cables_without_lanes() {
    check(&[
        Case { what: "nothing plugged in", picture: "a:e1", traces: &[("a:e1", &["a:e1 OPEN"])] },
        Case {
            what: "one cable",
            picture: "a:e1 --c(3m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c b:e1 COMPLETE 3m"]), ("b:e1", &["b:e1 c a:e1 COMPLETE 3m"])],
        },
        Case {
            what: "a front joined to a rear and back",
            picture: "a:e1 --c1(1m)-- p:f1 = p:r1 --c2(50m)-- q:r1 = q:f1 --c3(2m)-- b:e1",
            traces: &[("a:e1", &["a:e1 c1 p:f1 p:r1 c2 q:r1 q:f1 c3 b:e1 COMPLETE 53m"])],
        },
    ]);
}
