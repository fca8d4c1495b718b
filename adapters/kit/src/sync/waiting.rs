//! The hints that wait to be looked at.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::hint::Hint;
use super::item::ExternalId;

/// The number of waiting hints above which a full scan is cheaper.
const MAX_WAITING_HINTS: usize = 1_000;

/// The hints that wait, each thing once.
#[derive(Debug, Default)]
pub struct Waiting {
    things: HashSet<ExternalId>,
    everything: bool,
    /// True once there were too many things: none is looked at until everything is read.
    is_full: bool,
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
            Hint::Changed(_) if self.is_full => {}
            Hint::Changed(thing) => drop(self.things.insert(thing)),
        }
        if self.things.len() > MAX_WAITING_HINTS {
            (self.everything, self.is_full) = (true, true);
            self.things.clear();
        }
    }

    /// Returns the time at which the hints are due: so long after the first of them, because many come together.
    pub fn due_at(&self, coalesce: Duration) -> Option<Instant> {
        self.since.map(|since| since + coalesce)
    }

    /// Takes what waits. If everything is read again, the things still wait, for that scan to look at them first.
    pub fn take(&mut self) -> Due {
        self.since = None;
        match std::mem::take(&mut self.everything) {
            true => Due::Everything,
            false => Due::Things(self.things.drain().collect()),
        }
    }

    /// Notes that a full scan begins, which reads everything that was hinted at until now. It looks at what waits first.
    pub fn begin_scan(&mut self) {
        (self.everything, self.is_full) = (false, false);
        self.since = (!self.things.is_empty()).then(Instant::now);
    }

    /// Returns the time at which a full scan looks at the things that wait.
    pub fn things_due_at(&self, coalesce: Duration) -> Option<Instant> {
        self.due_at(coalesce).filter(|_| !self.things.is_empty())
    }

    /// Takes the things that wait, during a full scan. That everything has to be read again is for the scan after it.
    pub fn take_things(&mut self) -> Vec<ExternalId> {
        self.since = self.since.filter(|_| self.everything);
        self.things.drain().collect()
    }
}

/// Waits until a time, for ever if there is none.
pub async fn due(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
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
        (0..=MAX_WAITING_HINTS + 9).for_each(|number| waiting.add(changed(number)));
        assert_eq!((waiting.take(), waiting.things_due_at(Duration::ZERO)), (Due::Everything, None));
        waiting.begin_scan();
        assert_eq!(waiting.due_at(Duration::ZERO), None, "the scan reads all of them");
        waiting.add(Hint::Everything);
        waiting.add(changed(1));
        assert_eq!(waiting.take(), Due::Everything);
    }

    #[test]
    fn a_scan_looks_at_what_waits_and_leaves_the_next_one_due() {
        let mut waiting = Waiting::default();
        waiting.add(Hint::Everything);
        waiting.add(changed(1));
        assert_eq!(waiting.take(), Due::Everything);
        assert_eq!(waiting.due_at(Duration::ZERO), None);
        waiting.begin_scan();
        assert!(waiting.things_due_at(Duration::ZERO).is_some());
        waiting.add(Hint::Everything);
        assert_eq!(waiting.take_things(), [ExternalId::new("rack", "1")]);
        assert_eq!(waiting.things_due_at(Duration::ZERO), None);
        assert_eq!(waiting.take(), Due::Everything);
        waiting.add(changed(2));
        assert_eq!(waiting.take_things().len(), 1);
        assert_eq!(waiting.due_at(Duration::ZERO), None);
    }
}
