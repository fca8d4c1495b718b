//! Lines that exceed the limits of a trace: the trace ends, and reports it.

use std::fmt::Write;

use underlay_inventory::{KindId, ObjectRef};
use underlay_kinds::topology;
use underlay_topology::line::{LineError, MAX_BRANCHES, MAX_HOPS, Outcome, Through, Tracer};

use crate::lines::formatted::{format_trace, trace};
use crate::lines::picture::Picture;

#[test]
fn a_line_that_gains_a_position_in_each_round_is_a_loop() {
    // Each round goes in by one fibre of a trunk and comes back with one more position on the stack.
    let picture = Picture::draw(
        "
        [a:e1,q:r1] --c1-- p:f1
        p:f1 =1:1= p:r1/2
        p:r1 --c2-- q:f1
        q:f1 = q:r1",
    );
    let trace = trace(&picture, "a:e1");
    assert!(!trace.truncated && !trace.complete());
    assert_eq!(format_trace(&picture, &trace), ["a:e1 c1 p:f1 p:r1 c2 q:f1 q:r1 c1 p:f1 LOOP"]);
    let mut tracer = Tracer::new(&picture.snapshot, topology());
    let far = tracer.far_ends(picture.object("a:e1")).expect("far ends");
    assert!(far.ends.iter().all(|far| far.outcome == Outcome::Loop) && !far.truncated);
    // The tracer is as good as new.
    let other = tracer.trace(picture.object("q:f1"), None, Through::Stop).expect("a trace");
    assert_eq!(other, crate::lines::formatted::trace(&picture, "q:f1"));
}

#[test]
fn the_number_of_branches_is_limited() {
    let ends: Vec<_> = (0..MAX_BRANCHES + 1).map(|at| format!("b:e{at}")).collect();
    let picture = Picture::draw(&format!("a:e1 --c-- [{}]", ends.join(",")));
    let most = trace(&picture, "a:e1");
    assert_eq!((most.branches.len(), most.truncated, most.complete()), (MAX_BRANCHES, true, false));
    let picture = Picture::draw(&format!("a:e1 --c-- [{}]", ends[1..].join(",")));
    let just = trace(&picture, "a:e1");
    assert_eq!((just.branches.len(), just.truncated, just.complete()), (MAX_BRANCHES, false, true));
}

#[test]
fn the_number_of_hops_is_limited() {
    // Each panel has a hundred fibres; the hops of all branches count.
    let mut text = String::new();
    for panel in 0..30 {
        for fibre in 1..=200 {
            writeln!(text, "p{panel}:f{fibre} =1:{fibre}= p{panel}:r1/200").unwrap();
        }
    }
    for panel in 0..29 {
        let (from, to) = (panel, panel + 1);
        let fronts = |panel: i32| (1..=200).map(|at| format!("p{panel}:f{at}")).collect::<Vec<_>>().join(",");
        if panel % 2 == 0 {
            writeln!(text, "p{from}:r1 --t{panel}-- p{to}:r1").unwrap();
        } else {
            let lanes: Vec<_> = (1..=200).map(|at| format!("{at}/1>{at}/1")).collect();
            writeln!(text, "[{}] --t{panel}({})-- [{}]", fronts(from), lanes.join(","), fronts(to)).unwrap();
        }
    }
    let picture = Picture::draw(&text);
    let trace = trace(&picture, "p0:r1");
    let hops: usize = trace.branches.iter().map(|branch| branch.hops().len()).sum();
    assert!(trace.truncated && hops <= MAX_HOPS && hops > MAX_HOPS * 9 / 10, "{hops}");
    assert!(trace.branches.iter().all(|branch| branch.outcome == Outcome::Open));
}

#[test]
fn a_trace_of_many_interwoven_strands_ends() {
    // All ends of each cable reach all of the next, so that there are 60 to the power of 20 ways.
    let mut text = String::new();
    let ports = |panel: i32, side: &str| (0..60).map(|at| format!("p{panel}:{side}{at}")).collect::<Vec<_>>().join(",");
    writeln!(text, "a:e1 --c-- [{}]", ports(0, "f")).unwrap();
    for panel in 0..20 {
        (0..60).for_each(|at| writeln!(text, "p{panel}:f{at} = p{panel}:r{at}").unwrap());
        match panel {
            19 => writeln!(text, "[{}] --c{panel}-- b:e1", ports(panel, "r")).unwrap(),
            _ => writeln!(text, "[{}] --c{panel}-- [{}]", ports(panel, "r"), ports(panel + 1, "f")).unwrap(),
        }
    }
    let picture = Picture::draw(&text);
    assert!(trace(&picture, "a:e1").truncated);
}

#[test]
fn positions_out_of_range() {
    let picture = Picture::draw(
        "
        a:e1 --c(1/1>1/2000000000)-- x.A ~x~ x.Z --d(1/2000000000>1/1)-- b:e1",
    );
    assert_eq!(format_trace(&picture, &trace(&picture, "a:e1")), ["a:e1 c x.A x x.Z d b:e1 COMPLETE"]);
    assert_eq!(format_trace(&picture, &trace(&picture, "x.A")), ["truncated"]);
    let one = trace(&picture, "x.A/2000000000");
    let far = ["@2000000000 x.A c a:e1 COMPLETE", "THROUGH @2000000000 x.A x x.Z d b:e1 COMPLETE"];
    assert_eq!(format_trace(&picture, &one), far);
}

#[test]
fn invalid_starts_of_a_trace() {
    let picture = Picture::draw(
        "
        a:e1/4 --c-- b:e1
        a:e2 --d(1/1>1/3)-- x.A ~x~ x.Z@net",
    );
    let mut tracer = Tracer::new(&picture.snapshot, topology());
    let mut error = |name: &str, position| tracer.trace(picture.object(name), position, Through::Stop).unwrap_err();
    for (name, position, most) in [("a:e1", 0, 4), ("a:e1", 5, 4), ("b:e1", 2, 1), ("x.A", 4, 3), ("x.Z", 2, 1)] {
        assert_eq!(error(name, Some(position)), LineError::Position { most }, "{name}");
    }
    let allowed = "PowerFeed, Port, CircuitTermination".to_owned();
    for (name, kind) in [("c", "Cable"), ("x", "Circuit"), ("s", "Site"), ("/a", "Device"), ("net", "ProviderNetwork")]
    {
        assert_eq!(error(name, None), LineError::NoEnd { kind, allowed: allowed.clone() }, "{name}");
    }
    let nowhere = ObjectRef { kind: KindId(6), slot: 1_000_000 };
    assert_eq!(tracer.trace(nowhere, None, Through::Stop), Err(LineError::Missing));
}
