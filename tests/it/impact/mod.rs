//! Impact: the objects that go down, are isolated or lose redundancy. Fleets are drawn in a few words (`fleet`), built
//! through the write path, and queried in process.
//!
//! `scenarios` has the expectations of a network engineer. `random` compares with `naive`, which reads only the fields
//! of the rows and applies the rules to everything until nothing changes.

mod drawn;
mod fleet;
mod memo;
mod naive;
mod random;
mod scenarios;

use std::collections::{BTreeMap, BTreeSet};

use underlay_inventory::{ObjectRef, Snapshot};
use underlay_topology::impact::{Effect, Impact, ImpactError, ImpactQuery, impact};

pub use fleet::Fleet;

/// Computes the impact of a failure.
pub fn ask(snapshot: &Snapshot, question: &ImpactQuery) -> Result<Impact, ImpactError> {
    impact(snapshot, underlay_kinds::topology(), question)
}

/// Returns the name of an object in these tests: its name, for a port with the name of its device.
pub fn name(snapshot: &Snapshot, object: ObjectRef) -> String {
    let path = snapshot.path(object);
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["port", .., owner, port] => format!("{owner}:{port}"),
        ["circuitTermination", .., circuit, side] => format!("{circuit}/{side}"),
        [.., name] => (*name).to_owned(),
        [] => unreachable!("a path has parts"),
    }
}

/// Follows the reasons of everything that is affected: they must end at the given objects, without cycles.
#[track_caller]
pub fn assert_explained(snapshot: &Snapshot, question: &ImpactQuery, found: &Impact) {
    let failed: BTreeSet<ObjectRef> = question.of.iter().copied().collect();
    let mut explained: BTreeMap<ObjectRef, Effect> = BTreeMap::new();
    for affected in found.affected() {
        let what = name(snapshot, affected.object);
        assert!(!failed.contains(&affected.object), "{what} was given");
        let because = found.because(affected);
        assert!(!because.is_empty(), "{what} is affected for no reason");
        for reason in because {
            let known = failed.contains(reason) || explained.contains_key(reason);
            assert!(known, "{what} is affected because of {}, which is not explained before", name(snapshot, *reason));
        }
        assert!(explained.insert(affected.object, affected.effect).is_none(), "{what} is there twice");
    }
}
