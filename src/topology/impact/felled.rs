//! What falls with something by the physical rules alone, asked again and again of one snapshot.

use std::collections::BTreeSet;

use super::error::ImpactError;
use super::fall::Fall;
use super::marks::Marks;
use super::picture::Picture;
use super::role::Roles;
use crate::inventory::{Place, Snapshot};
use crate::topology::steps::Steps;

/// The failures of one snapshot. What was explored for one question is kept for the next.
pub(in crate::topology) struct Failures<'a> {
    fall: Fall<'a>,
}

impl<'a> Failures<'a> {
    /// Nothing was looked at yet.
    pub fn new(snapshot: &'a Snapshot, roles: &'a Roles) -> Self {
        Self { fall: Fall::new(Picture { snapshot, roles, marks: Marks::of(snapshot) }) }
    }

    /// What goes down when these fail together: these, as far as they were up, and all that falls with them.
    ///
    /// # Errors
    /// When no step is left.
    pub async fn of(&mut self, places: &[Place], steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
        for place in places {
            steps.take().await?;
            self.fall.give(*place, steps).await?;
        }
        self.fall.settle(steps).await?;
        let fallen = self.fall.fallen.iter().map(|fallen| fallen.place).collect();
        self.fall.reset();
        Ok(fallen)
    }

    /// All whose failure can matter to one of these, themselves included.
    ///
    /// # Errors
    /// When no step is left.
    pub async fn behind(&self, places: &[Place], steps: &mut Steps) -> Result<Vec<Place>, ImpactError> {
        let mut found = BTreeSet::new();
        let mut pending = places.to_vec();
        while let Some(place) = pending.pop() {
            steps.take().await?;
            if found.insert(place) {
                self.fall.picture.each_needed(place, &mut |needed| pending.push(needed));
            }
        }
        Ok(found.into_iter().collect())
    }
}
