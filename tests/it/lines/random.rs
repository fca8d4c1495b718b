//! Hundreds of small random networks: the trace from every port equals the result of the naive model.

use std::collections::BTreeSet;

use underlay_topology::line::{Direction, Outcome};

use super::formatted::{format_trace, one_sided, trace};
use super::naive::{Fate, Net, Strand};
use super::picture::Picture;

/// The number of networks in a picture.
const NETS: u64 = 40;

/// The compared properties of the strands from one port: where and how they end.
type Ends = BTreeSet<(bool, String, Fate)>;

fn fate(outcome: Outcome) -> Fate {
    match outcome {
        Outcome::Complete => Fate::Complete,
        Outcome::Open => Fate::Open,
        Outcome::Loop => Fate::Loop,
        Outcome::Unmapped => Fate::Unmapped,
    }
}

/// Returns a branch of a trace in the form of a strand.
struct FoundBranch {
    end: (bool, String, Fate),
    guessed: bool,
    from: BTreeSet<u32>,
    at: BTreeSet<u32>,
}

/// Counts the traces without loops and those with.
fn check(seeds: std::ops::Range<u64>) -> [usize; 2] {
    let nets: Vec<Net> = seeds.map(Net::random).collect();
    let mut text = String::new();
    nets.iter().for_each(|net| net.draw(&mut text));
    let picture = Picture::draw(&text);
    let mut counts = [0; 2];
    for net in &nets {
        for (at, port) in net.ports.iter().enumerate() {
            let Some(tried) = net.strands(at) else { continue };
            counts[usize::from(compare(&picture, &port.name, &tried))] += 1;
        }
    }
    let wrong = one_sided(&picture);
    assert!(wrong.iter().all(|what| what.contains("but not back")), "{}", wrong.join("\n"));
    counts
}

/// Compares a trace with the strands that were tried. Returns true if the trace has a loop.
fn compare(picture: &Picture, port: &str, tried: &BTreeSet<Strand>) -> bool {
    let loops = tried.iter().any(|strand| strand.fate == Fate::Loop);
    let trace = trace(picture, port);
    let found: Vec<FoundBranch> = trace
        .branches
        .iter()
        .map(|branch| FoundBranch {
            end: (
                branch.direction == Direction::Inward,
                picture.name(branch.end.expect("nothing is outside")).to_owned(),
                fate(branch.outcome),
            ),
            guessed: branch.guessed,
            from: branch.positions.iter().copied().collect(),
            at: branch.end_positions.iter().copied().collect(),
        })
        .collect();
    let formatted = || format!("from {port}: {:#?}\ntried: {tried:#?}", format_trace(picture, &trace));
    assert!(!trace.truncated, "{}", formatted());
    let is_loop = |fate: Fate| fate == Fate::Loop;
    let found_loops = found.iter().any(|it| is_loop(it.end.2));
    // A strand that goes round may reach hops of another strand, and be reported as a part of it.
    assert!(!found_loops || loops, "{}", formatted());
    let ends =
        |all: &mut dyn Iterator<Item = (bool, String, Fate)>| -> Ends { all.filter(|it| !is_loop(it.2)).collect() };
    let of = |strand: &Strand| (strand.inward, strand.end.clone(), strand.fate);
    let wanted = ends(&mut tried.iter().map(of));
    assert_eq!(ends(&mut found.iter().map(|it| it.end.clone())), wanted, "{}", formatted());
    for end in wanted {
        let strands = || tried.iter().filter(|strand| of(strand) == end);
        let branches = || found.iter().filter(|it| it.end == end);
        let sure = branches().any(|it| !it.guessed);
        assert!(!sure || strands().any(|strand| !strand.guessed), "{end:?} is guessed; {}", formatted());
        assert!(sure || strands().any(|strand| strand.guessed), "{end:?} is not guessed; {}", formatted());
        let positions = |of: fn(&Strand) -> Option<u32>| strands().filter_map(of).collect::<BTreeSet<u32>>();
        let [from, at] = [|it: &FoundBranch| it.from.clone(), |it: &FoundBranch| it.at.clone()]
            .map(|of| branches().flat_map(of).collect::<BTreeSet<u32>>());
        let [wanted_from, wanted_at] = [positions(|it| it.from), positions(|it| it.at)];
        let fit = match loops {
            true => wanted_from.is_subset(&from) && wanted_at.is_subset(&at),
            false => (from, at) == (wanted_from, wanted_at),
        };
        assert!(fit, "the positions to {end:?}; {}", formatted());
    }
    found_loops
}

#[test]
fn traces_equal_the_naive_model() {
    let mut counts = [0; 2];
    for part in 0..25 {
        let more = check(part * NETS..(part + 1) * NETS);
        counts = [counts[0] + more[0], counts[1] + more[1]];
    }
    assert!(counts.iter().all(|count| *count > 500), "some traces go round, and some do not: {counts:?}");
}
