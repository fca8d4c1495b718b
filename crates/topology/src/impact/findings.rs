//! The results of an impact query: the affected objects, the effect, the rule and the causes of each.

use super::marks::{AFFECTED, GONE_SINCE, Mark};
use super::propagate::{Down, Propagation};
use crate::role::Rule;
use underlay_inventory::ObjectRef;

/// The effect of a failure on an object, strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The object does not work any more.
    Down,
    /// The object works, but cannot reach any anchor.
    Isolated,
    /// The object works, but has lost redundancy.
    Degraded,
}

impl Effect {
    pub(super) fn mark(self) -> Mark {
        match self {
            Self::Down => Mark::WENT_DOWN,
            Self::Isolated => Mark::ISOLATED,
            Self::Degraded => Mark::DEGRADED,
        }
    }

    /// Returns the marks of this effect and of the stronger ones.
    fn or_stronger(self) -> Mark {
        match self {
            Self::Down => Mark::WENT_DOWN,
            Self::Isolated => GONE_SINCE,
            Self::Degraded => AFFECTED,
        }
    }
}

/// The lost members of an object that consists of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The number of members that are gone.
    pub lost: u32,
    /// The number of members that were up before.
    pub of: u32,
}

/// An affected object with the strongest of its effects.
#[derive(Clone, Copy, Debug)]
pub struct Affected {
    /// The object that is affected.
    pub object: ObjectRef,
    /// The strongest effect on the object.
    pub effect: Effect,
    /// The rule by which the object is affected.
    pub rule: Rule,
    /// The lost members, for an object that consists of many.
    pub share: Option<Share>,
    because: (u32, u32),
}

/// The effects of a failure on all objects.
#[derive(Debug, Default)]
pub struct Impact {
    affected: Vec<Affected>,
    reasons: Vec<ObjectRef>,
    /// The machines in connected parts that the failure touches and that have no anchor. For these machines the query
    /// cannot say what they still reach.
    pub unanchored: Vec<ObjectRef>,
}

impl Impact {
    /// Returns every affected object once, except the given ones. The causes of an object come before it.
    pub fn affected(&self) -> &[Affected] {
        &self.affected
    }

    /// Returns the direct causes of an effect: given objects, or affected objects that come before this one.
    pub fn because(&self, affected: &Affected) -> &[ObjectRef] {
        &self.reasons[affected.because.0 as usize..affected.because.1 as usize]
    }

    /// Returns the approximate memory size of the answer in bytes.
    pub fn bytes(&self) -> usize {
        let objects = self.reasons.capacity() + self.unanchored.capacity();
        self.affected.capacity() * size_of::<Affected>() + objects * size_of::<ObjectRef>()
    }

    /// Returns the part of the answer that a caller with a restricted visibility sees. `seen` maps an object to its
    /// object in the caller's snapshot, or to `None` if the caller cannot see it.
    pub fn reduced(&self, seen: impl Fn(ObjectRef) -> Option<ObjectRef>) -> Self {
        let mut reduced = Self::default();
        for affected in &self.affected {
            let Some(object) = seen(affected.object) else { continue };
            let from = reduced.reasons.len() as u32;
            reduced.reasons.extend(self.because(affected).iter().filter_map(|object| seen(*object)));
            // The counts would reveal objects that the caller cannot see.
            let because = (from, reduced.reasons.len() as u32);
            reduced.affected.push(Affected { object, share: None, because, ..*affected });
        }
        reduced.unanchored = self.unanchored.iter().filter_map(|object| seen(*object)).collect();
        reduced
    }

    /// Takes over the objects that went down by the physical rules.
    pub(super) fn of(propagation: &mut Propagation<'_>) -> Self {
        let affected = propagation.down.iter().filter_map(|down| {
            let Down { object, rule, because } = *down;
            Some(Affected { object, effect: Effect::Down, rule: rule?, share: None, because })
        });
        Self { affected: affected.collect(), reasons: std::mem::take(&mut propagation.reasons), unanchored: Vec::new() }
    }

    /// Adds an effect, unless the object was down before or has an effect that is at least as strong.
    pub(super) fn add(&mut self, propagation: &mut Propagation<'_>, found: Finding) {
        let Finding { object, effect, rule, share, because } = found;
        if propagation.physical_state.marks.has(object, effect.or_stronger().or(Mark::BEFORE)) {
            return;
        }
        propagation.physical_state.marks.set(object, effect.mark());
        let from = self.reasons.len() as u32;
        self.reasons.extend(because);
        self.affected.push(Affected { object, effect, rule, share, because: (from, self.reasons.len() as u32) });
    }
}

/// An effect found by a rule.
#[derive(Debug)]
pub(super) struct Finding {
    pub object: ObjectRef,
    pub effect: Effect,
    pub rule: Rule,
    pub share: Option<Share>,
    pub because: Vec<ObjectRef>,
}

impl Finding {
    /// Returns an effect on an object that does not consist of many.
    pub fn new(object: ObjectRef, effect: Effect, rule: Rule, because: Vec<ObjectRef>) -> Self {
        Self { object, effect, rule, share: None, because }
    }
}
