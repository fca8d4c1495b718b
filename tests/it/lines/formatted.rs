//! Formats a trace in the compact form of the cases, and checks a table of cases.
//!
//! A branch is a line: its steps, then its outcome and its properties.
//!
//! ```text
//! a:e1 c1 [p:f1|p:f2] c2 b:e1 COMPLETE 7m 2ms
//! ```
//!
//! `THROUGH` in front: from a middle, the other way. `@2`: the positions of the origin. `>?`: the end is outside the
//! inventory. `7m+`: 7 metres are known, some are not. Behind: `inactive`, `guessed`. A last line may say `truncated`.

use std::collections::BTreeSet;

use underlay_inventory::ObjectRef;
use underlay_kinds::topology;
use underlay_topology::line::{Branch, Direction, Outcome, Through, Trace, Tracer};

use super::picture::Picture;

/// A picture, and the expected branches from some of its ends.
pub struct Case {
    pub what: &'static str,
    pub picture: &'static str,
    pub traces: &'static [ExpectedTrace],
}

/// The end where a trace begins (`a:e1`, `a:e1/2` for a position, `^u:o1` through devices), and the branches in order.
pub type ExpectedTrace = (&'static str, &'static [&'static str]);

/// Checks that every case has the expected branches.
#[track_caller]
pub fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let picture = Picture::draw(case.picture);
        for (from, expected) in case.traces {
            let lines = format_trace(&picture, &trace(&picture, from));
            if lines != *expected {
                wrong.push(format!("{}: from {from}\nwanted {expected:#?}\ngot    {lines:#?}", case.what));
            }
        }
        wrong.extend(one_sided(&picture).into_iter().map(|what| format!("{}: {what}", case.what)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Returns the trace from an end, in the notation of [`ExpectedTrace`].
#[track_caller]
pub fn trace(picture: &Picture, from: &str) -> Trace {
    let through = if from.starts_with('^') { Through::Sources } else { Through::Stop };
    let (name, position) = match from.trim_start_matches('^').split_once('/') {
        Some((name, position)) => (name, Some(position.parse().unwrap())),
        None => (from.trim_start_matches('^'), None),
    };
    Tracer::new(&picture.snapshot, topology()).trace(picture.object(name), position, through).expect("a trace")
}

/// The branches of a trace, a line each.
pub fn format_trace(picture: &Picture, trace: &Trace) -> Vec<String> {
    let mut lines: Vec<String> = trace.branches.iter().map(|branch| format_branch(picture, branch)).collect();
    lines.extend(trace.truncated.then(|| "truncated".to_owned()));
    lines
}

fn format_branch(picture: &Picture, branch: &Branch) -> String {
    let mut words = Vec::new();
    if branch.direction == Direction::Inward {
        words.push("THROUGH".to_owned());
    }
    if !branch.positions.is_empty() {
        let positions: Vec<_> = branch.positions.iter().map(u32::to_string).collect();
        words.push(format!("@{}", positions.join("+")));
    }
    for step in branch.steps() {
        let names: Vec<_> = step.iter().map(|object| picture.name(*object)).collect();
        words.push(if names.len() == 1 { names[0].to_owned() } else { format!("[{}]", names.join("|")) });
    }
    match branch.end {
        Some(end) => assert_eq!(Some(end), branch.hops().last().copied(), "a line ends at its last hop"),
        None => words.push(">?".to_owned()),
    }
    words.push(
        match branch.outcome {
            Outcome::Complete => "COMPLETE",
            Outcome::Open => "OPEN",
            Outcome::Loop => "LOOP",
            Outcome::Unmapped => "UNMAPPED",
        }
        .to_owned(),
    );
    match branch.measure.length_m() {
        Some(length) if length != 0.0 => words.push(format!("{length}m")),
        Some(_) => {}
        None if branch.measure.known_length_m != 0.0 => words.push(format!("{}m+", branch.measure.known_length_m)),
        None => {}
    }
    words.extend(branch.measure.latency_ms().map(|latency| format!("{latency}ms")));
    words.extend((!branch.active).then(|| "inactive".to_owned()));
    words.extend(branch.guessed.then(|| "guessed".to_owned()));
    words.join(" ")
}

/// Branches that are complete and not guessed from one end, and are not there from the other.
pub fn one_sided(picture: &Picture) -> Vec<String> {
    let mut tracer = Tracer::new(&picture.snapshot, topology());
    let mut wrong = Vec::new();
    for from in picture.ends() {
        let there = tracer.trace(from, None, Through::Stop).expect("a trace");
        let far = tracer.far_ends(from).expect("far ends");
        let short: Vec<_> = there.branches.iter().map(|it| (it.end, it.outcome, it.active, it.guessed)).collect();
        if far.ends.iter().map(|it| (it.end, it.outcome, it.active, it.guessed)).collect::<Vec<_>>() != short
            || far.truncated != there.truncated
        {
            wrong.push(format!("the far ends of {} are not those of its trace", picture.name(from)));
        }
        let middle = there.branches.iter().any(|branch| branch.direction == Direction::Inward);
        for branch in there.branches.iter().filter(|it| it.outcome == Outcome::Complete && !it.guessed && !middle) {
            let Some(end) = branch.end.filter(|end| topology().end(end.kind).is_some()) else { continue };
            let back = tracer.trace(end, None, Through::Stop).expect("a trace back");
            if !back.branches.iter().any(|other| mirrors(branch, other)) {
                let (from, end) = (picture.name(from), picture.name(end));
                wrong.push(format!("{from} leads to {end}, but not back:\n{:#?}", format_trace(picture, &back)));
            }
        }
    }
    wrong
}

/// Returns true if a branch is the reverse of another one. Strands that leave the origin at several positions and merge
/// at the end are one branch from the origin. From the end, they arrive at several positions and are a branch for each.
/// The same applies to strands where a position has to be guessed.
fn mirrors(branch: &Branch, other: &Branch) -> bool {
    let hops = |branch: &Branch| branch.hops().iter().copied().collect::<BTreeSet<ObjectRef>>();
    let known = |branch: &Branch| {
        let measure = branch.measure;
        let latencies = (measure.latency_ms(), measure.known_latency_ms(), measure.unknown_latencies);
        (branch.active, measure.length_m(), measure.known_length_m, latencies, branch.spans)
    };
    let (there, back) = (hops(branch), hops(other));
    let same = there == back && known(branch) == known(other);
    let several = |branch: &Branch| branch.guessed || branch.positions.len() > 1;
    let part = (several(branch) && back.is_subset(&there)) || (several(other) && there.is_subset(&back));
    other.end == branch.hops().first().copied() && (same || part)
}
