//! Lines, and whether they were up before and are after: looked at when it is first asked. Most lines lead to where a
//! question has been already, and what is on them need not be looked at.

use std::sync::Arc;

use super::super::error::ImpactError;
use super::super::fall::Fall;
use super::super::marks::Mark;
use super::super::picture::Moment;
use super::graph::About;
use crate::inventory::Place;
use crate::topology::line::Branch;
use crate::topology::steps::Steps;

/// A line whatever is down: where it ends, over what.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub to: Place,
    /// Its two ends, the lesser first.
    pub key: (Place, Place),
    /// Whether all on it is plugged in, in use and switched on.
    active: bool,
    hops: Arc<[Place]>,
}

impl Line {
    /// A line that was followed from one of its ends.
    pub fn of(branch: &Branch, ends: (Place, Place), to: Place) -> Self {
        Self::over(branch.hops(), branch.active, ends, to)
    }

    /// A line over these.
    pub fn over(hops: &[Place], active: bool, ends: (Place, Place), to: Place) -> Self {
        Self { to, key: (ends.0.min(ends.1), ends.0.max(ends.1)), active, hops: hops.into() }
    }

    /// The same line, to another place.
    pub fn to(self, to: Place) -> Self {
        Self { to, ..self }
    }

    /// What is on it.
    pub fn hops(&self) -> &[Place] {
        &self.hops
    }

    /// Whether it was up before.
    pub async fn was_up(&self, fall: &mut Fall<'_>, steps: &mut Steps) -> Result<bool, ImpactError> {
        Ok(self.active && stood(&self.hops, fall, steps).await?)
    }
}

/// Whether none of these was down before.
async fn stood(hops: &[Place], fall: &mut Fall<'_>, steps: &mut Steps) -> Result<bool, ImpactError> {
    for hop in hops {
        steps.take().await?;
        fall.explore(*hop, steps).await?;
        if fall.picture.marks.has(*hop, Mark::BEFORE) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What is known of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Condition {
    /// Nothing yet.
    Unknown,
    /// It was not up before.
    WasDown,
    /// It was up before, and is not any more.
    Broke,
    /// It was up before. Of one failure it is known that it is up after, too.
    Up,
}

/// The number of a line among those that a graph knows.
pub(super) type LineAt = u32;

/// What is on the lines of a graph, and what is known of them.
#[derive(Debug)]
pub(super) struct Conditions {
    about: About,
    hops: Vec<Place>,
    /// Where the hops of each line end, and what is known of it.
    known: Vec<(u32, Condition)>,
}

impl Conditions {
    /// No line yet.
    pub fn new(about: About) -> Self {
        Self { about, hops: Vec::new(), known: Vec::new() }
    }

    /// Adds a line of which nothing is known but what it says itself.
    pub fn add(&mut self, line: &Line) -> LineAt {
        self.hops.extend_from_slice(&line.hops);
        let condition = if line.active { Condition::Unknown } else { Condition::WasDown };
        self.known.push((self.hops.len() as u32, condition));
        self.known.len() as LineAt - 1
    }

    /// What is on a line.
    pub fn hops(&self, line: LineAt) -> &[Place] {
        let at = line as usize;
        let from = at.checked_sub(1).map_or(0, |before| self.known[before].0);
        &self.hops[from as usize..self.known[at].0 as usize]
    }

    /// Looks at a line of which nothing is known yet.
    pub async fn look(&mut self, line: LineAt, fall: &mut Fall<'_>, steps: &mut Steps) -> Result<(), ImpactError> {
        self.known[line as usize].1 = match stood(self.hops(line), fall, steps).await? {
            false => Condition::WasDown,
            true if self.about == About::OneFailure && self.has_fallen(line, fall) => Condition::Broke,
            true => Condition::Up,
        };
        Ok(())
    }

    /// Whether nothing is known of a line yet.
    #[inline]
    pub fn is_unknown(&self, line: LineAt) -> bool {
        self.known[line as usize].1 == Condition::Unknown
    }

    /// Whether a line is known to be up at a moment. It is as good as what is on it.
    pub fn is_up(&self, line: LineAt, fall: &Fall<'_>, at: Moment) -> bool {
        match (self.known[line as usize].1, at) {
            (Condition::Unknown | Condition::WasDown, _) | (Condition::Broke, Moment::After) => false,
            (Condition::Broke | Condition::Up, Moment::Before) => true,
            (Condition::Up, Moment::After) => self.about == About::OneFailure || !self.has_fallen(line, fall),
        }
    }

    fn has_fallen(&self, line: LineAt, fall: &Fall<'_>) -> bool {
        self.hops(line).iter().any(|hop| fall.picture.fell(*hop))
    }
}
