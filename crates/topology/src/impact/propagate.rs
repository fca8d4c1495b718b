//! Finds the objects that go down when others fail: the physical rules, applied with a work list.
//!
//! Two states are kept side by side. *Before* is the least fixpoint of the rules over the objects that are down by
//! their status. Only the part of it that the query touches is computed. That part includes every object that the rules
//! read, so it is exact. *After* adds the given failures. Only an object that was up can go down, and each goes down
//! once, with the reasons of that moment. Its reasons went down before it, so following them ends at the given objects.

use std::collections::HashMap;

use super::error::ImpactError;
use super::marks::{DOWN, Mark, OF_A_FAILURE};
use super::physical_state::{Dependent, Moment, PhysicalState};
use crate::role::Rule;
use crate::steps::Steps;
use underlay_inventory::ObjectRef;

/// An object that went down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Down {
    pub object: ObjectRef,
    /// The rule by which the object went down; `None` if it was given.
    pub rule: Option<Rule>,
    /// The causes, as a range of indices into [`Propagation::reasons`].
    pub because: (u32, u32),
}

/// Propagates failures and keeps their results.
#[derive(Debug)]
pub(super) struct Propagation<'a> {
    pub physical_state: PhysicalState<'a>,
    /// The objects that went down, in the order in which they did.
    pub down: Vec<Down>,
    /// The causes of all objects in `down`, one after the other.
    pub reasons: Vec<ObjectRef>,
    /// Objects that are up, but depend on an object that went down.
    pub touched: Vec<ObjectRef>,
    /// Pools, guests and associations served by an object that changed. The service rules check them later.
    pub waiting: Vec<ObjectRef>,
    settled: usize,
}

impl<'a> Propagation<'a> {
    /// Returns a state in which nothing has failed yet.
    pub fn new(physical_state: PhysicalState<'a>) -> Self {
        let (down, reasons, touched, waiting) = Default::default();
        Self { physical_state, down, reasons, touched, waiting, settled: 0 }
    }

    /// Clears the failures, but keeps the explored *before* state.
    pub fn reset(&mut self) {
        let down = self.down.drain(..).map(|down| down.object);
        let changed = down.chain(self.touched.drain(..)).chain(self.waiting.drain(..));
        changed.for_each(|object| self.physical_state.marks.clear(object, OF_A_FAILURE));
        self.reasons.clear();
        self.settled = 0;
    }

    /// Starts the next one of many failures. If it takes over the results of earlier failures, `touched` are the
    /// objects that these left up although they depend on an object that went down. `waiting` are the objects served by
    /// an object that is gone.
    pub fn go_on(&mut self, touched: Vec<ObjectRef>, waiting: Vec<ObjectRef>) {
        self.down.clear();
        self.reasons.clear();
        self.settled = 0;
        (self.touched, self.waiting) = (touched, waiting);
    }

    /// Checks the objects in `touched` again: earlier failures that each leave an object up may together take it down.
    pub fn look_again(&mut self, steps: &mut Steps) -> Result<(), ImpactError> {
        for at in 0..self.touched.len() {
            steps.take()?;
            self.judge(self.touched[at]);
        }
        Ok(())
    }

    /// Lets an object fail. An object that was down before is not changed.
    pub fn give(&mut self, object: ObjectRef, steps: &mut Steps) -> Result<(), ImpactError> {
        self.explore(object, steps)?;
        if !self.physical_state.marks.has(object, DOWN) {
            self.physical_state.marks.set(object, Mark::WENT_DOWN);
            self.down.push(Down { object, rule: None, because: (0, 0) });
        }
        Ok(())
    }

    /// Applies the rules until no further object goes down.
    pub fn settle(&mut self, steps: &mut Steps) -> Result<(), ImpactError> {
        let mut dependents = Vec::new();
        while let Some(down) = self.down.get(self.settled).copied() {
            self.settled += 1;
            dependents.clear();
            self.physical_state.each_dependent(down.object, &mut |dependent| dependents.push(dependent));
            for dependent in dependents.drain(..) {
                steps.take()?;
                match dependent {
                    Dependent::GoesDown(object) if self.physical_state.marks.has(object, DOWN) => {}
                    Dependent::GoesDown(object) => {
                        self.explore(object, steps)?;
                        self.judge(object);
                    }
                    Dependent::Serves(object) => self.wait(object),
                }
            }
        }
        Ok(())
    }

    /// Remembers an object that is served by an object that changed.
    pub fn wait(&mut self, object: ObjectRef) {
        if self.physical_state.marks.set(object, Mark::WAITING) {
            self.waiting.push(object);
        }
    }

    /// Takes an explored object down if it is up and a rule now says that it is down.
    fn judge(&mut self, object: ObjectRef) {
        if self.physical_state.marks.has(object, DOWN) {
            return;
        }
        let from = self.reasons.len() as u32;
        let mut reasons = std::mem::take(&mut self.reasons);
        let rule = self.physical_state.reason(object, Moment::After, &mut reasons);
        self.reasons = reasons;
        if rule.is_some() {
            self.physical_state.marks.set(object, Mark::WENT_DOWN);
            self.down.push(Down { object, rule, because: (from, self.reasons.len() as u32) });
        } else if self.physical_state.marks.set(object, Mark::TOUCHED) {
            self.touched.push(object);
        }
    }

    /// Computes whether an object, and every object that it depends on, was down before.
    #[inline]
    pub fn explore(&mut self, object: ObjectRef, steps: &mut Steps) -> Result<(), ImpactError> {
        match self.physical_state.marks.set(object, Mark::SEEN) {
            true => self.look_from(object, steps),
            false => Ok(()),
        }
    }

    fn look_from(&mut self, object: ObjectRef, steps: &mut Steps) -> Result<(), ImpactError> {
        let (mut fresh, mut pending, mut needed) = (Vec::new(), vec![object], Vec::new());
        let mut all_up = true;
        while let Some(at) = pending.pop() {
            steps.take()?;
            fresh.push(at);
            all_up &= self.physical_state.runs(at);
            self.physical_state.each_needed(at, &mut |object| needed.push(object));
            for object in needed.drain(..) {
                all_up &= !self.physical_state.marks.has(object, Mark::BEFORE);
                if self.physical_state.marks.set(object, Mark::SEEN) {
                    pending.push(object);
                }
            }
        }
        // A rule cannot take an object down if every object that it reads is up.
        if all_up {
            return Ok(());
        }
        let mut down = Vec::new();
        for at in fresh.iter().rev() {
            if !self.physical_state.runs(*at)
                || self.physical_state.reason(*at, Moment::Before, &mut Vec::new()).is_some()
            {
                self.physical_state.marks.set(*at, Mark::BEFORE);
                down.push(*at);
            }
        }
        if down.is_empty() || fresh.len() == 1 { Ok(()) } else { self.settle_before(&fresh, down, steps) }
    }

    /// Applies the rules to newly explored objects of which some were down before.
    fn settle_before(
        &mut self,
        fresh: &[ObjectRef],
        mut down: Vec<ObjectRef>,
        steps: &mut Steps,
    ) -> Result<(), ImpactError> {
        let mut dependents: HashMap<ObjectRef, Vec<ObjectRef>> = HashMap::new();
        for object in fresh {
            steps.take()?;
            self.physical_state.each_needed(*object, &mut |needed| dependents.entry(needed).or_default().push(*object));
        }
        while let Some(object) = down.pop() {
            for dependent in dependents.get(&object).into_iter().flatten() {
                steps.take()?;
                if !self.physical_state.marks.has(*dependent, Mark::BEFORE)
                    && self.physical_state.reason(*dependent, Moment::Before, &mut Vec::new()).is_some()
                {
                    self.physical_state.marks.set(*dependent, Mark::BEFORE);
                    down.push(*dependent);
                }
            }
        }
        Ok(())
    }
}
