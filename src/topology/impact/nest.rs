//! The order in which the failures of many objects are looked at: each object right after all that it contains.
//!
//! What contains an object takes it down with it, and so does all that the object does alone. Looked at from the inside
//! outwards, the failure of a container has only to be worked out as far as it does more than those inside.

use super::error::ImpactError;
use super::marks::ByPlace;
use super::picture::Picture;
use crate::inventory::Place;
use crate::topology::steps::Steps;

/// Among the contained ones: none.
const NONE: u32 = u32::MAX;

/// An object in its place of the order. Places count from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nested {
    pub object: Place,
    /// Where what it contains begins; its own place where it contains nothing.
    pub first: u32,
    /// How many others it is in.
    pub depth: usize,
}

/// These objects, none after another.
pub(super) fn apart(objects: &[Place]) -> Vec<Nested> {
    let alone = |(at, object): (usize, &Place)| Nested { object: *object, first: at as u32 + 1, depth: 0 };
    objects.iter().enumerate().map(alone).collect()
}

/// These objects, each right after those that it contains. An object of several containers, none of which is in the
/// other, is with one of them.
pub(super) async fn inside_out(
    picture: &Picture<'_>,
    objects: &[Place],
    steps: &mut Steps,
) -> Result<Vec<Nested>, ImpactError> {
    let mut number = ByPlace::<u32>::of(picture.snapshot);
    for (at, object) in objects.iter().enumerate() {
        *number.get_mut(*object) = at as u32 + 1;
    }
    // Each container with each object in it, by their numbers from 0.
    let mut inside: Vec<(u32, u32)> = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        steps.take().await?;
        picture.each_container(*object, &mut |container| {
            inside.extend(number.get(container).checked_sub(1).map(|container| (container, at as u32)));
        });
    }
    inside.sort_unstable();
    inside.dedup();
    let (outside_in, parent) = sort(objects.len(), &inside);
    Ok(place(objects, &outside_in, &parent))
}

/// All numbers, each after its containers, and for each the container that is in all others; nothing for what is in
/// itself.
fn sort(count: usize, inside: &[(u32, u32)]) -> (Vec<u32>, Vec<u32>) {
    let mut containers_left = vec![0_u32; count];
    inside.iter().for_each(|(_, inner)| containers_left[*inner as usize] += 1);
    let mut sorted: Vec<u32> = (0..count as u32).filter(|at| containers_left[*at as usize] == 0).collect();
    let mut parent = vec![NONE; count];
    let mut next = 0;
    while let Some(container) = sorted.get(next).copied() {
        next += 1;
        let from = inside.partition_point(|(of, _)| *of < container);
        for (_, inner) in inside[from..].iter().take_while(|(of, _)| *of == container) {
            let left = &mut containers_left[*inner as usize];
            *left -= 1;
            // Whatever is in more is sorted later, so the last container is the innermost one.
            if *left == 0 {
                parent[*inner as usize] = container;
                sorted.push(*inner);
            }
        }
    }
    sorted.extend((0..count as u32).filter(|at| containers_left[*at as usize] > 0));
    (sorted, parent)
}

/// Gives every object a place right after those inside of it.
fn place(objects: &[Place], outside_in: &[u32], parent: &[u32]) -> Vec<Nested> {
    let parent_of = |at: u32| Some(parent[at as usize] as usize).filter(|parent| *parent != NONE as usize);
    let mut size = vec![1_u32; objects.len()];
    for at in outside_in.iter().rev() {
        if let Some(parent) = parent_of(*at) {
            size[parent] += size[*at as usize];
        }
    }
    let mut depth = vec![0_usize; objects.len()];
    // The next free place inside of each object.
    let mut free = vec![0_u32; objects.len()];
    let mut free_outside = 1;
    let mut placed = objects.iter().map(|object| Nested { object: *object, first: 0, depth: 0 }).collect::<Vec<_>>();
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
        placed[last as usize - 1] = Nested { object: objects[at], first, depth: depth[at] };
    }
    placed
}
