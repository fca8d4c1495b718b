//! Traces all lines of the demo.

use serde_json::Value;
use underlay_kinds::topology;
use underlay_topology::line::{Outcome, Through, Tracer};

use crate::harness::world::World;
use crate::lines::formatted::one_sided;
use crate::lines::picture::Picture;

#[test]
fn the_lines_of_the_demo_lead_both_ways() {
    let items: Vec<Value> = underlay_demo::items(&underlay_demo::Options::default()).collect();
    let picture = Picture::of(World::of(items.into()).snapshot);
    let wrong = one_sided(&picture);
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut tracer = Tracer::new(&picture.snapshot, topology());
    let (mut complete, mut longest) = (0, 0);
    for end in picture.ends() {
        let trace = tracer.trace(end, None, Through::Stop).expect("a trace");
        assert!(!trace.split() && !trace.truncated, "{}", picture.name(end));
        for branch in &trace.branches {
            assert!(matches!(branch.outcome, Outcome::Complete | Outcome::Open), "{}", picture.name(end));
            complete += usize::from(branch.outcome == Outcome::Complete);
            longest = longest.max(branch.hops().len());
        }
    }
    assert!(complete > 3_000 && longest > 20, "{complete} complete branches, the longest of {longest} hops");
}
