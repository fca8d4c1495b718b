//! What goes down: the physical rules as a work-list.
//!
//! Two states are kept side by side. *Before* is the least fixpoint of the rules over what is down by its status; of it
//! only that part is worked out which the question touches, closed under what the rules look at, so that it is exact.
//! *After* adds what is given. Only what was up can fall, and each object falls once, with the reasons of that moment:
//! they fell before it, so that following them ends at what is given.

use std::collections::HashMap;

use super::error::ImpactError;
use super::marks::{DOWN, Mark, OF_A_FAILURE};
use super::picture::{Dependent, Moment, Picture};
use super::role::Rule;
use crate::inventory::Place;
use crate::topology::steps::Steps;

/// An object that went down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fallen {
    pub place: Place,
    /// By which rule; `None`: it was given.
    pub rule: Option<Rule>,
    /// What led here, as a range of the reasons.
    pub because: (u32, u32),
}

/// What goes down when something fails.
#[derive(Debug)]
pub(super) struct Fall<'a> {
    pub picture: Picture<'a>,
    /// In the order in which they fell.
    pub fallen: Vec<Fallen>,
    /// What led to each.
    pub reasons: Vec<Place>,
    /// What stands, but depends on something that fell.
    pub touched: Vec<Place>,
    /// What is served by something that fell.
    pub waiting: Vec<Place>,
    settled: usize,
}

impl<'a> Fall<'a> {
    /// Nothing failed yet.
    pub fn new(picture: Picture<'a>) -> Self {
        let (fallen, reasons, touched, waiting) = Default::default();
        Self { picture, fallen, reasons, touched, waiting, settled: 0 }
    }

    /// Forgets what failed, but not what was explored.
    pub fn reset(&mut self) {
        let fallen = self.fallen.drain(..).map(|fallen| fallen.place);
        let changed = fallen.chain(self.touched.drain(..)).chain(self.waiting.drain(..));
        changed.for_each(|place| self.picture.marks.clear(place, OF_A_FAILURE));
        self.reasons.clear();
        self.settled = 0;
    }

    /// Goes on to another one of many failures. Where it takes over what earlier ones did, they left these objects
    /// standing that depend on something that fell, and these that are served by something that is gone.
    pub fn go_on(&mut self, touched: Vec<Place>, waiting: Vec<Place>) {
        self.fallen.clear();
        self.reasons.clear();
        self.settled = 0;
        (self.touched, self.waiting) = (touched, waiting);
    }

    /// Looks again at what stands, but depends on something that fell: what earlier failures did one by one may be
    /// too much together.
    pub async fn look_again(&mut self, steps: &mut Steps) -> Result<(), ImpactError> {
        for at in 0..self.touched.len() {
            steps.take().await?;
            self.judge(self.touched[at]);
        }
        Ok(())
    }

    /// Lets an object fail. What was down before stays as it was.
    pub async fn give(&mut self, place: Place, steps: &mut Steps) -> Result<(), ImpactError> {
        self.explore(place, steps).await?;
        if !self.picture.marks.has(place, DOWN) {
            self.picture.marks.set(place, Mark::FALLEN);
            self.fallen.push(Fallen { place, rule: None, because: (0, 0) });
        }
        Ok(())
    }

    /// Applies the rules until nothing falls any more.
    pub async fn settle(&mut self, steps: &mut Steps) -> Result<(), ImpactError> {
        let mut dependents = Vec::new();
        while let Some(fallen) = self.fallen.get(self.settled).copied() {
            self.settled += 1;
            dependents.clear();
            self.picture.each_dependent(fallen.place, &mut |dependent| dependents.push(dependent));
            for dependent in dependents.drain(..) {
                steps.take().await?;
                match dependent {
                    Dependent::Falls(place) if self.picture.marks.has(place, DOWN) => {}
                    Dependent::Falls(place) => {
                        self.explore(place, steps).await?;
                        self.judge(place);
                    }
                    Dependent::Serves(place) => self.wait(place),
                }
            }
        }
        Ok(())
    }

    /// Remembers what is served by something that changed.
    pub fn wait(&mut self, place: Place) {
        if self.picture.marks.set(place, Mark::WAITING) {
            self.waiting.push(place);
        }
    }

    /// Lets an object fall that stands, if by a rule it does now. It was explored.
    fn judge(&mut self, place: Place) {
        if self.picture.marks.has(place, DOWN) {
            return;
        }
        let from = self.reasons.len() as u32;
        let mut reasons = std::mem::take(&mut self.reasons);
        let rule = self.picture.reason(place, Moment::After, &mut reasons);
        self.reasons = reasons;
        if rule.is_some() {
            self.picture.marks.set(place, Mark::FALLEN);
            self.fallen.push(Fallen { place, rule, because: (from, self.reasons.len() as u32) });
        } else if self.picture.marks.set(place, Mark::TOUCHED) {
            self.touched.push(place);
        }
    }

    /// Works out whether an object was down before, and all that it depends on.
    #[inline]
    pub async fn explore(&mut self, place: Place, steps: &mut Steps) -> Result<(), ImpactError> {
        match self.picture.marks.set(place, Mark::SEEN) {
            // Most were seen, and the future of looking is large.
            true => Box::pin(self.look_from(place, steps)).await,
            false => Ok(()),
        }
    }

    async fn look_from(&mut self, place: Place, steps: &mut Steps) -> Result<(), ImpactError> {
        let (mut fresh, mut pending, mut needed) = (Vec::new(), vec![place], Vec::new());
        let mut all_up = true;
        while let Some(at) = pending.pop() {
            steps.take().await?;
            fresh.push(at);
            all_up &= self.picture.runs(at);
            self.picture.each_needed(at, &mut |place| needed.push(place));
            for place in needed.drain(..) {
                all_up &= !self.picture.marks.has(place, Mark::BEFORE);
                if self.picture.marks.set(place, Mark::SEEN) {
                    pending.push(place);
                }
            }
        }
        // Nothing is down by a rule that looks at nothing which is down.
        if all_up {
            return Ok(());
        }
        let mut down = Vec::new();
        for at in fresh.iter().rev() {
            if !self.picture.runs(*at) || self.picture.reason(*at, Moment::Before, &mut Vec::new()).is_some() {
                self.picture.marks.set(*at, Mark::BEFORE);
                down.push(*at);
            }
        }
        if down.is_empty() || fresh.len() == 1 { Ok(()) } else { self.settle_before(&fresh, down, steps).await }
    }

    /// Applies the rules to what is new, where some of it was down before.
    async fn settle_before(
        &mut self,
        fresh: &[Place],
        mut down: Vec<Place>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let mut dependents: HashMap<Place, Vec<Place>> = HashMap::new();
        for place in fresh {
            steps.take().await?;
            self.picture.each_needed(*place, &mut |needed| dependents.entry(needed).or_default().push(*place));
        }
        while let Some(place) = down.pop() {
            for dependent in dependents.get(&place).into_iter().flatten() {
                steps.take().await?;
                if !self.picture.marks.has(*dependent, Mark::BEFORE)
                    && self.picture.reason(*dependent, Moment::Before, &mut Vec::new()).is_some()
                {
                    self.picture.marks.set(*dependent, Mark::BEFORE);
                    down.push(*dependent);
                }
            }
        }
        Ok(())
    }
}
