//! Logical connections, if a query includes them: associations that no object realises, and lines that end in a group
//! without a machine. Both can lead to groups as well as to machines. A group with such a connection connects the
//! machines in it.

use super::cost::Cost;
use super::error::PathError;
use super::graph::{FoundEdge, Key, PathGraph, Via};
use crate::line::{Branch, Direction, Measure, Outcome, Through};
use crate::role::{Association, Group, Part, Plane};
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// Adds the logical edges of a machine or a group.
pub(super) fn edges(
    graph: &mut PathGraph<'_>,
    object: ObjectRef,
    found: &mut Vec<FoundEdge>,
    steps: &mut Steps,
) -> Result<(), PathError> {
    match graph.roles.of(object.kind).part {
        Part::Machine(_) => {
            let outgoing = graph.snapshot.outgoing(object);
            let groups: Vec<ObjectRef> = graph.roles.groups.iter().filter_map(|by| outgoing.first_by(*by)).collect();
            for group in groups {
                if has_logical_connections(graph, group, steps)? {
                    found.push(member(object, group, group));
                }
            }
        }
        Part::Group(group) | Part::Pool(group) => {
            if !has_logical_connections(graph, object, steps)? {
                return Ok(());
            }
            for machine in graph.referring(object, group.members) {
                steps.take()?;
                found.push(member(machine, object, machine));
            }
            loose_lines(graph, object, &group, found, steps)?;
        }
        _ => return Ok(()),
    }
    associations(graph, object, |to, by, cost| {
        found.push(FoundEdge { to, key: Key::new(object, to, Some(by)), via: Via::Association(by), cost });
    });
    Ok(())
}

fn member(machine: ObjectRef, group: ObjectRef, to: ObjectRef) -> FoundEdge {
    let cost = Cost { hops: 0, ..Cost::HOP.logical() };
    FoundEdge { to, key: Key::new(machine, group, None), via: Via::Member, cost }
}

/// Calls `visit` with each object that an association without carriers connects to an object.
fn associations(graph: &PathGraph<'_>, object: ObjectRef, mut visit: impl FnMut(ObjectRef, ObjectRef, Cost)) {
    if graph.question.plane != Plane::Data {
        return;
    }
    for [here, there] in &graph.roles.associations {
        for by in graph.referring(object, *here) {
            let Part::Association(role) = &graph.roles.of(by.kind).part else { continue };
            let outgoing = graph.snapshot.outgoing(by);
            let realised = outgoing.first_by(role.carriers).is_some();
            if let Some(other) = outgoing.first_by(*there).filter(|_| !realised && !graph.is_avoided(by)) {
                visit(other, by, cost(graph, by, role));
            }
        }
    }
}

fn cost(graph: &PathGraph<'_>, association: ObjectRef, role: &Association) -> Cost {
    graph.weigh(&measure(graph, association, role)).logical()
}

/// Returns the measure of an association: its length is never known.
pub(super) fn measure(graph: &PathGraph<'_>, association: ObjectRef, role: &Association) -> Measure {
    Measure::of_latency(graph.snapshot.row(association).and_then(|row| (role.latency_ms)(row.as_ref())))
}

/// Returns true if a group has a logical connection to a node that a path can pass or end at.
fn has_logical_connections(graph: &mut PathGraph<'_>, object: ObjectRef, steps: &mut Steps) -> Result<bool, PathError> {
    if let Some(known) = graph.joined.get(&object) {
        return Ok(*known);
    }
    let Some(group) = graph.roles.of(object.kind).group() else { return Ok(false) };
    let mut connected = Vec::new();
    associations(graph, object, |to, _, _| connected.push(to));
    let mut lines = Vec::new();
    loose_lines(graph, object, group, &mut lines, steps)?;
    connected.extend(lines.into_iter().map(|line| line.to));
    let any = connected.into_iter().any(|to| graph.find(to).is_some());
    graph.joined.insert(object, any);
    Ok(any)
}

/// Adds the lines to a group over ends that stand in it and have no cable.
fn loose_lines(
    graph: &mut PathGraph<'_>,
    object: ObjectRef,
    group: &Group,
    found: &mut Vec<FoundEdge>,
    steps: &mut Steps,
) -> Result<(), PathError> {
    let ends: Vec<ObjectRef> = group.ends.into_iter().flat_map(|by| graph.referring(object, by)).collect();
    for end in ends {
        steps.take()?;
        let Ok(trace) = graph.tracer.trace(end, None, Through::Stop) else { continue };
        let ends_there = |branch: &Branch| {
            branch.direction == Direction::Outward
                && branch.outcome == Outcome::Open
                && branch.end == Some(object)
                && branch.spans == 0
        };
        if trace.branches.iter().any(ends_there) {
            graph.lines_of_stander(object, end, found);
        }
    }
    Ok(())
}
