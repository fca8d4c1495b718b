//! What a question finds: who is affected, how, by which rule, and what led there.

use super::fall::{Fall, Fallen};
use super::marks::{AFFECTED, GONE_SINCE, Mark};
use super::role::Rule;
use crate::inventory::Place;

/// How an object is affected. The first is the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// It does not work any more.
    Down,
    /// It works, but reaches nobody.
    Isolated,
    /// It works, but has lost a redundancy.
    Degraded,
}

impl Effect {
    pub(super) fn mark(self) -> Mark {
        match self {
            Self::Down => Mark::FALLEN,
            Self::Isolated => Mark::ISOLATED,
            Self::Degraded => Mark::DEGRADED,
        }
    }

    /// The marks of this effect and of the stronger ones.
    fn or_stronger(self) -> Mark {
        match self {
            Self::Down => Mark::FALLEN,
            Self::Isolated => GONE_SINCE,
            Self::Degraded => AFFECTED,
        }
    }
}

/// How many of how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// How many are lost.
    pub lost: u32,
    /// How many there were before.
    pub of: u32,
}

/// An object that is affected, by the strongest of its effects.
#[derive(Clone, Copy, Debug)]
pub struct Affected {
    /// The object.
    pub place: Place,
    /// How it is affected.
    pub effect: Effect,
    /// By which rule.
    pub rule: Rule,
    /// Of what consists of many: how many of how many are lost.
    pub share: Option<Share>,
    because: (u32, u32),
}

/// What a failure does.
#[derive(Debug, Default)]
pub struct Impact {
    affected: Vec<Affected>,
    reasons: Vec<Place>,
    /// The machines in connected parts that the failure touches and that have no anchor, so that nothing can be said of
    /// what they reach.
    pub unanchored: Vec<Place>,
}

impl Impact {
    /// Everything that is affected besides what is given, each object once. What led to an object comes before it.
    pub fn affected(&self) -> &[Affected] {
        &self.affected
    }

    /// The neighbours that led to an effect: given objects, or affected ones that come before it.
    pub fn because(&self, affected: &Affected) -> &[Place] {
        &self.reasons[affected.because.0 as usize..affected.because.1 as usize]
    }

    /// About how many bytes of memory the answer takes.
    pub fn bytes(&self) -> usize {
        let places = self.reasons.capacity() + self.unanchored.capacity();
        self.affected.capacity() * size_of::<Affected>() + places * size_of::<Place>()
    }

    /// The part of the answer that is seen by somebody for whom only some objects are there, at other places.
    pub fn reduced(&self, seen: impl Fn(Place) -> Option<Place>) -> Self {
        let mut reduced = Self::default();
        for affected in &self.affected {
            let Some(place) = seen(affected.place) else { continue };
            let from = reduced.reasons.len() as u32;
            reduced.reasons.extend(self.because(affected).iter().filter_map(|place| seen(*place)));
            // How many of how many would tell of those that are not seen.
            let because = (from, reduced.reasons.len() as u32);
            reduced.affected.push(Affected { place, share: None, because, ..*affected });
        }
        reduced.unanchored = self.unanchored.iter().filter_map(|place| seen(*place)).collect();
        reduced
    }

    /// What went down by the physical rules.
    pub(super) fn of(fall: &mut Fall<'_>) -> Self {
        let affected = fall.fallen.iter().filter_map(|fallen| {
            let Fallen { place, rule, because } = *fallen;
            Some(Affected { place, effect: Effect::Down, rule: rule?, share: None, because })
        });
        Self { affected: affected.collect(), reasons: std::mem::take(&mut fall.reasons), unanchored: Vec::new() }
    }

    /// Adds an effect on an object that has none yet that is as strong.
    pub(super) fn add(&mut self, fall: &mut Fall<'_>, found: Found) {
        let Found { place, effect, rule, share, because } = found;
        if fall.picture.marks.has(place, effect.or_stronger().or(Mark::BEFORE)) {
            return;
        }
        fall.picture.marks.set(place, effect.mark());
        let from = self.reasons.len() as u32;
        self.reasons.extend(because);
        self.affected.push(Affected { place, effect, rule, share, because: (from, self.reasons.len() as u32) });
    }
}

/// An effect that a rule finds.
#[derive(Debug)]
pub(super) struct Found {
    pub place: Place,
    pub effect: Effect,
    pub rule: Rule,
    pub share: Option<Share>,
    pub because: Vec<Place>,
}

impl Found {
    /// An effect on something that does not consist of many.
    pub fn new(place: Place, effect: Effect, rule: Rule, because: Vec<Place>) -> Self {
        Self { place, effect, rule, share: None, because }
    }
}
