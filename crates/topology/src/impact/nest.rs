//! The order in which the failures of many objects are evaluated: each object right after all objects that it contains.
//!
//! A container takes down all objects in it, and so has all effects of their failures. In this order, the failure of a
//! container has to be evaluated only as far as it has further effects.

use super::error::ImpactError;
use super::marks::PerObject;
use super::physical_state::PhysicalState;
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// Marks an object without a container.
const NO_CONTAINER: u32 = u32::MAX;

/// An object and its position in the order. Positions count from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nested {
    pub object: ObjectRef,
    /// The position of the first object that it contains; its own position if it contains none.
    pub first: u32,
    /// The number of objects around it.
    pub depth: usize,
}

/// Returns these objects as if none contained another.
pub(super) fn apart(objects: &[ObjectRef]) -> Vec<Nested> {
    let alone = |(at, object): (usize, &ObjectRef)| Nested { object: *object, first: at as u32 + 1, depth: 0 };
    objects.iter().enumerate().map(alone).collect()
}

/// Returns these objects, each right after those that it contains. An object in several containers, none of which is
/// inside the other, comes before one of them.
pub(super) fn inside_out(
    physical_state: &PhysicalState<'_>,
    objects: &[ObjectRef],
    steps: &mut Steps,
) -> Result<Vec<Nested>, ImpactError> {
    let mut number = PerObject::<u32>::of(physical_state.snapshot);
    for (at, object) in objects.iter().enumerate() {
        *number.get_mut(*object) = at as u32 + 1;
    }
    // Pairs of a container and an object in it, by their numbers from 0.
    let mut inside: Vec<(u32, u32)> = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        steps.take()?;
        physical_state.each_container(*object, &mut |container| {
            inside.extend(number.get(container).checked_sub(1).map(|container| (container, at as u32)));
        });
    }
    inside.sort_unstable();
    inside.dedup();
    let (outside_in, parent) = sort(objects.len(), &inside);
    Ok(arranged(objects, &outside_in, &parent))
}

/// Returns all numbers, each after its containers, and for each the innermost container. An object inside itself has
/// none.
fn sort(count: usize, inside: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut containers_left = vec![0_u32; count];
    inside.iter().for_each(|(_, inner)| containers_left[*inner as usize] += 1);
    let mut sorted: Vec<u32> = (0..count as u32).filter(|at| containers_left[*at as usize] == 0).collect();
    let mut parent = vec![NO_CONTAINER; count];
    let mut next = 0;
    while let Some(container) = sorted.get(next).copied() {
        next += 1;
        let from = inside.partition_point(|(of, _)| *of < container);
        for (_, inner) in inside[from..].iter().take_while(|(of, _)| *of == container) {
            let left = &mut containers_left[*inner as usize];
            *left -= 1;
            // Inner containers are sorted later, so the last container is the innermost one.
            if *left == 0 {
                parent[*inner as usize] = container;
                sorted.push(*inner);
            }
        }
    }
    sorted.extend((0..count as u32).filter(|at| containers_left[*at as usize] > 0));
    (sorted, parent)
}

/// Assigns every object a position right after the objects inside it.
fn arranged(objects: &[ObjectRef], outside_in: &[u32], parent: &[u32]) -> Vec<Nested> {
    let parent_of = |at: u32| Some(parent[at as usize] as usize).filter(|parent| *parent != NO_CONTAINER as usize);
    let mut size = vec![1_u32; objects.len()];
    for at in outside_in.iter().rev() {
        if let Some(parent) = parent_of(*at) {
            size[parent] += size[*at as usize];
        }
    }
    let mut depth = vec![0_usize; objects.len()];
    // The next free position inside each object.
    let mut free = vec![0_u32; objects.len()];
    let mut free_outside = 1;
    let mut nested = objects.iter().map(|object| Nested { object: *object, first: 0, depth: 0 }).collect::<Vec<_>>();
    for at in outside_in.iter().map(|at| *at as usize) {
        let free_there = match parent_of(at as u32) {
            Some(parent) => {
                depth[at] = depth[parent] + 1;
                &mut free[parent]
            }
            None => &mut free_outside,
        };
        let first = *free_there;
        *free_there += size[at];
        free[at] = first;
        let last = first + size[at] - 1;
        nested[last as usize - 1] = Nested { object: objects[at], first, depth: depth[at] };
    }
    nested
}
