//! The lanes of cables. A lane names its ends by their positions in `aEnds` and `bEnds`, from 1. Guarantee: a lane
//! stays with its ends when these lists change, or the write is rejected.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value as Json;
use underlay_entity::cable::{CableEnd, Lane, Model};
use uuid::Uuid;

use super::kind::Cable;
use super::names::name;
use crate::common::{at_least_one, entries, member};
use crate::port::Port;
use underlay_entity::row::Row;
use underlay_inventory::{Checked, Loss, ObjectRef, Problems, Refusal, Rewrite, Snapshot, Unfit, cast};

/// Checks that the members of each lane are at least 1.
pub fn normal(value: Json) -> Result<Json, Unfit> {
    const MEMBERS: [&str; 4] = ["aEnd", "aPosition", "bEnd", "bPosition"];
    entries(value, |lane| MEMBERS.iter().try_fold(lane, |lane, name| member(lane, name, at_least_one)))
}

/// Returns the indexes, from 0, of the ends on the other side that lanes join to an end.
pub fn joined(lanes: &[Lane], is_a: bool, own: usize) -> BTreeSet<usize> {
    let index = |end: i32| usize::try_from(end - 1).ok();
    let sides = lanes.iter().map(|lane| if is_a { (lane.a_end, lane.b_end) } else { (lane.b_end, lane.a_end) });
    sides.filter(|(here, _)| index(*here) == Some(own)).filter_map(|(_, there)| index(there)).collect()
}

/// Returns the highest position of an end that a lane of a cable leads to.
pub fn highest_position(snapshot: &Snapshot, cable: ObjectRef, end: Uuid) -> Option<i32> {
    let cable: &Model = snapshot.row(cable)?.as_any().downcast_ref()?;
    let is_end = |ends: &[CableEnd], at: i32| {
        let end_at = usize::try_from(at - 1).ok().and_then(|at| ends.get(at));
        end_at.is_some_and(|there| there.id() == end)
    };
    let a = |lane: &Lane| is_end(&cable.a_ends.0, lane.a_end).then_some(lane.a_position);
    let b = |lane: &Lane| is_end(&cable.b_ends.0, lane.b_end).then_some(lane.b_position);
    cable.lanes.0.iter().filter_map(|lane| a(lane).max(b(lane))).max()
}

/// Checks that lanes join positions that the ends have, and that each position is in at most one lane.
pub fn lanes(checked: &Checked<'_>, problems: &mut Problems) {
    for (_, cable) in checked.written::<Cable>() {
        let mut taken: [BTreeMap<(i32, i32), usize>; 2] = Default::default();
        for (at, lane) in cable.lanes.0.iter().enumerate() {
            let sides = [
                ("a", &cable.a_ends.0, lane.a_end, lane.a_position),
                ("b", &cable.b_ends.0, lane.b_end, lane.b_position),
            ];
            for ((side, ends, end, position), taken) in sides.into_iter().zip(&mut taken) {
                let count = ends.len();
                let Some(at_end) = usize::try_from(end).ok().and_then(|end| ends.get(end.wrapping_sub(1))) else {
                    let reason = format!("must be from 1 to {count}, a place in {side}Ends");
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}End"), reason);
                    continue;
                };
                if let Some(most) = positions(checked.after, *at_end).filter(|most| position > *most) {
                    let reason = format!("must be at most {most}, the positions of {}", name(checked.after, *at_end));
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}Position"), reason);
                }
                if let Some(other) = taken.insert((end, position), at) {
                    let reason = format!("is taken by lanes[{other}]");
                    problems.invalid(cable.id, &format!("lanes[{at}].{side}Position"), reason);
                }
            }
        }
    }
}

/// Returns the number of positions of an end. A circuit has no limit, so the result is `None`.
fn positions(snapshot: &Snapshot, end: CableEnd) -> Option<i32> {
    match end {
        CableEnd::Port(port) => snapshot.get::<Port>(port).map(|port| port.positions),
        CableEnd::PowerFeed(_) => Some(1),
        CableEnd::CircuitTermination(_) => None,
    }
}

/// Returns the two ends that a lane joins.
fn ends_of<'a>(cable: &'a Model, lane: &Lane) -> Option<[&'a CableEnd; 2]> {
    let end = |ends: &'a [CableEnd], at: i32| ends.get(usize::try_from(at - 1).ok()?);
    Some([end(&cable.a_ends.0, lane.a_end)?, end(&cable.b_ends.0, lane.b_end)?])
}

/// Keeps the lanes of a cable when a write changes the ends and does not give lanes: each lane gets the new positions
/// of its ends. The write is rejected if it removes an end of a lane, because it is not known which other end should
/// take the lane.
pub fn on_write(write: &Rewrite<'_>) -> Result<Option<Arc<dyn Row>>, Refusal> {
    let Some(before) = write.before.map(cast::<Model>) else { return Ok(None) };
    let after = cast::<Model>(write.after);
    let same_ends = before.a_ends == after.a_ends && before.b_ends == after.b_ends;
    if same_ends || before.lanes.0.is_empty() || (write.gives)("lanes") {
        return Ok(None);
    }
    let mut next = after.clone();
    let lanes = before.lanes.0.iter().enumerate();
    next.lanes.0 = lanes.map(|(at, lane)| carry(write.snapshot, before, after, at, lane)).collect::<Result<_, _>>()?;
    Ok(Some(Arc::new(next)))
}

/// Returns a lane with the new positions of its ends. The sides may have been swapped.
fn carry(snapshot: &Snapshot, before: &Model, after: &Model, at: usize, lane: &Lane) -> Result<Lane, Refusal> {
    let refuse = |what: String| Refusal::Invalid { field: "lanes".to_owned(), reason: what };
    // A lane of a valid cable always has both ends.
    let Some(ends) = ends_of(before, lane) else { return Ok(*lane) };
    let index = |ends: &[CableEnd], end: &CableEnd| ends.iter().position(|it| it == end).map(|at| at as i32 + 1);
    let [a, b] = ends.map(|end| (index(&after.a_ends.0, end), index(&after.b_ends.0, end)));
    match (a, b) {
        ((Some(a_end), _), (_, Some(b_end))) => Ok(Lane { a_end, b_end, ..*lane }),
        ((_, Some(b_end)), (Some(a_end), _)) => {
            Ok(Lane { a_end, a_position: lane.b_position, b_end, b_position: lane.a_position })
        }
        ((None, None), _) | (_, (None, None)) => {
            let lost = if a == (None, None) { ends[0] } else { ends[1] };
            let lost = path(snapshot, *lost);
            let what =
                format!("lanes[{at}] is of {lost}, which the cable would no longer end at: give lanes with the ends");
            Err(refuse(what))
        }
        _ => {
            let [one, other] = ends.map(|end| path(snapshot, *end));
            let what = format!(
                "lanes[{at}] joins {one} with {other}, which would be on one side of the cable: give lanes with the ends"
            );
            Err(refuse(what))
        }
    }
}

fn path(snapshot: &Snapshot, end: CableEnd) -> String {
    snapshot.find(end.id()).map_or_else(|| end.id().to_string(), |object| snapshot.path(object))
}

/// Decides what happens to a cable when ends are deleted. A cable without an end on a side is deleted too; otherwise it
/// stays with the remaining ends. A cable that would lose its last lane blocks the delete: without lanes every A end
/// reaches every B end, which these ends never did.
pub fn on_loss(row: &dyn Row, lost: &dyn Fn(Uuid) -> bool) -> Loss {
    let mut cable = cast::<Model>(row).clone();
    let kept = |ends: &[CableEnd]| -> Vec<usize> {
        ends.iter().enumerate().filter(|(_, end)| !lost(end.id())).map(|(at, _)| at).collect()
    };
    let (a_kept, b_kept) = (kept(&cable.a_ends.0), kept(&cable.b_ends.0));
    if a_kept.is_empty() || b_kept.is_empty() {
        return Loss::Cascade;
    }
    let index = |kept: &[usize], end: i32| kept.iter().position(|at| *at as i32 + 1 == end).map(|at| at as i32 + 1);
    let had_lanes = !cable.lanes.0.is_empty();
    let lanes = cable.lanes.0.iter().filter_map(|lane| {
        Some(Lane { a_end: index(&a_kept, lane.a_end)?, b_end: index(&b_kept, lane.b_end)?, ..*lane })
    });
    cable.lanes.0 = lanes.collect();
    if had_lanes && cable.lanes.0.is_empty() {
        return Loss::Restrict;
    }
    cable.a_ends.0 = a_kept.iter().map(|at| cable.a_ends.0[*at]).collect();
    cable.b_ends.0 = b_kept.iter().map(|at| cable.b_ends.0[*at]).collect();
    Loss::SetNull(Arc::new(cable))
}
