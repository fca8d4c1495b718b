//! The hints that wait to be looked at.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::Instant;

use super::hint::Hint;
use super::item::ExternalId;

/// The number of waiting hints above which a full scan is cheaper.
const MAX_WAITING_HINTS: usize = 1_000;

/// The hints that wait, each thing once.
#[derive(Debug, Default)]
pub struct Waiting {
    things: HashSet<ExternalId>,
    everything: bool,
    since: Option<Instant>,
}

/// The work that the hints ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// To look at these things again.
    Things(Vec<ExternalId>),
    /// To read everything again.
    Everything,
}

impl Waiting {
    /// Adds a hint.
    pub fn add(&mut self, hint: Hint) {
        self.since.get_or_insert_with(Instant::now);
        match hint {
            Hint::Everything => self.everything = true,
            Hint::Changed(thing) => drop(self.things.insert(thing)),
        }
        if self.everything || self.things.len() > MAX_WAITING_HINTS {
            self.everything = true;
            self.things.clear();
        }
    }

    /// Returns the time at which the hints are due: so long after the first of them, because many come together.
    pub fn due_at(&self, coalesce: Duration) -> Option<Instant> {
        self.since.map(|since| since + coalesce)
    }

    /// Takes what waits.
    pub fn take(&mut self) -> Due {
        let Self { things, everything, .. } = std::mem::take(self);
        if everything { Due::Everything } else { Due::Things(things.into_iter().collect()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(number: usize) -> Hint {
        Hint::Changed(ExternalId::new("rack", number.to_string()))
    }

    #[test]
    fn a_thing_waits_once() {
        let mut waiting = Waiting::default();
        assert_eq!(waiting.due_at(Duration::ZERO), None);
        for _ in 0..10 {
            waiting.add(changed(7));
        }
        assert!(waiting.due_at(Duration::ZERO).is_some());
        assert_eq!(waiting.take(), Due::Things(vec![ExternalId::new("rack", "7")]));
        assert_eq!(waiting.due_at(Duration::ZERO), None);
    }

    #[test]
    fn many_things_become_everything() {
        let mut waiting = Waiting::default();
        (0..MAX_WAITING_HINTS).for_each(|number| waiting.add(changed(number)));
        assert!(matches!(waiting.take(), Due::Things(things) if things.len() == MAX_WAITING_HINTS));
        (0..=MAX_WAITING_HINTS).for_each(|number| waiting.add(changed(number)));
        assert_eq!(waiting.take(), Due::Everything);
        waiting.add(Hint::Everything);
        waiting.add(changed(1));
        assert_eq!(waiting.take(), Due::Everything);
    }
}
