//! Finds the objects that go down by the physical rules alone, for many failures in one snapshot.

use std::collections::BTreeSet;

use super::error::ImpactError;
use super::marks::Marks;
use super::physical_state::PhysicalState;
use super::propagate::Propagation;
use crate::role::Roles;
use crate::steps::Steps;
use underlay_inventory::{ObjectRef, Snapshot};

/// Evaluates failures in one snapshot. Objects explored for one failure stay explored for the next.
pub(crate) struct Failures<'a> {
    propagation: Propagation<'a>,
}

impl<'a> Failures<'a> {
    /// Returns an evaluator that has explored nothing yet.
    pub fn new(snapshot: &'a Snapshot, roles: &'a Roles) -> Self {
        Self { propagation: Propagation::new(PhysicalState { snapshot, roles, marks: Marks::of(snapshot) }) }
    }

    /// Returns the objects that go down when the given objects fail together: the given ones that were up, and all that
    /// go down with them.
    ///
    /// # Errors
    /// Returns an error if no step is left.
    pub fn of(&mut self, objects: &[ObjectRef], steps: &mut Steps) -> Result<Vec<ObjectRef>, ImpactError> {
        for object in objects {
            steps.take()?;
            self.propagation.give(*object, steps)?;
        }
        self.propagation.settle(steps)?;
        let down = self.propagation.down.iter().map(|down| down.object).collect();
        self.propagation.reset();
        Ok(down)
    }

    /// Returns all objects whose failure can take down one of the given objects, including the given ones.
    ///
    /// # Errors
    /// Returns an error if no step is left.
    pub fn behind(&self, objects: &[ObjectRef], steps: &mut Steps) -> Result<Vec<ObjectRef>, ImpactError> {
        let mut found = BTreeSet::new();
        let mut pending = objects.to_vec();
        while let Some(object) = pending.pop() {
            steps.take()?;
            if found.insert(object) {
                self.propagation.physical_state.each_needed(object, &mut |needed| pending.push(needed));
            }
        }
        Ok(found.into_iter().collect())
    }
}
