//! The guard: decides how much of the inventory a source may take away within 24 hours. Pure code, and time is an
//! argument.

use std::collections::{BTreeMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use underlay_entity::{source_emptied, source_ledger};
use uuid::Uuid;

/// The time for which removed and emptied objects count.
pub const WINDOW: TimeDelta = TimeDelta::hours(24);
/// The inaccuracy of a share of a whole number that is forgiven.
const INACCURACY: f64 = 1e-9;

/// The limits of a source, for each kind. The larger one counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The part of the source's objects of a kind, from 0 to 1.
    pub share: f64,
    /// The number of objects.
    pub count: u64,
}

/// The number of objects of one kind that the runs of a source removed or emptied within the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The number of objects that were removed.
    pub removed: u64,
    /// The number of removed objects that carried the reference of the source.
    pub removed_own: u64,
    /// The number of objects that were emptied.
    pub emptied: u64,
}

/// Everything that the runs of a source removed or emptied within the window.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    by_kind: BTreeMap<String, Used>,
    /// The objects that were emptied, and are there. Each counts once, whatever else it loses.
    emptied: HashSet<Uuid>,
}

impl Uses {
    /// Adds up what counts at a time: the entries of a ledger, and emptied objects that are still there. A time that is
    /// in the future counts too, because clocks can be set back.
    pub fn of(ledger: &[source_ledger::Model], emptied: &[source_emptied::Model], now: DateTime<Utc>) -> Self {
        let mut uses = Self::default();
        let counts = |at: DateTime<Utc>| at > now - WINDOW;
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        for entry in ledger.iter().filter(|entry| counts(entry.at)) {
            let used = uses.by_kind.entry(entry.kind.clone()).or_default();
            used.removed += count(entry.removed);
            used.removed_own += count(entry.removed_own);
            used.emptied += count(entry.emptied);
        }
        for object in emptied.iter().filter(|object| counts(object.at)) {
            uses.by_kind.entry(object.kind.clone()).or_default().emptied += 1;
            uses.emptied.insert(object.object_id);
        }
        uses
    }

    /// Returns what counts of a kind.
    pub fn of_kind(&self, kind: &str) -> Used {
        self.by_kind.get(kind).copied().unwrap_or_default()
    }

    /// Returns true if an object was emptied, and counts.
    pub fn has_emptied(&self, object: Uuid) -> bool {
        self.emptied.contains(&object)
    }
}

/// The number of objects of one kind that a run would remove or empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of objects that carry the reference of the source now.
    pub own: u64,
    /// The number within the window.
    pub used: Used,
    /// The number of objects that would go, including those that fall with others.
    pub going: u64,
    /// The number of those that carry the reference of the source.
    pub going_own: u64,
    /// The number of objects that carry the reference of the source and that it no longer has: those that would go, and
    /// those that stay for another reason, because they are in use for example.
    pub absent_own: u64,
}

/// Returns the number of objects of a kind that may go within the window, if the source has `own` of them. The share is
/// of what there was before those of the window went, so that a judgement does not change while what it permits is
/// removed.
pub fn allowance(limits: Limits, own: u64, used: Used) -> u64 {
    let before = own.saturating_add(used.removed_own);
    let share = (limits.share * before as f64 + INACCURACY).floor();
    // The share is at most 1, so this is at most `before`.
    limits.count.max(share as u64)
}

/// Returns true if the limits permit what a run would do to the objects of one kind. Of several objects, a source that
/// has none any more takes none away, also if some would stay: its list is more likely wrong than empty.
pub fn fits(limits: Limits, tally: Tally) -> bool {
    if tally.going == 0 {
        return true;
    }
    let used = tally.used.removed + tally.used.emptied;
    let had_several = tally.own + tally.used.removed_own >= 2;
    let none_is_left = tally.going_own > 0 && tally.going_own.max(tally.absent_own) >= tally.own;
    used + tally.going <= allowance(limits, tally.own, tally.used) && !(had_several && none_is_left)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};
    use uuid::Uuid;

    use super::*;

    const LIMITS: Limits = Limits { share: 0.1, count: 10 };

    fn tally(own: u64, removed: u64, going: u64) -> Tally {
        let used = Used { removed, removed_own: removed, emptied: 0 };
        Tally { own, used, going, going_own: going, absent_own: going }
    }

    #[test]
    fn the_larger_limit_counts() {
        for (own, expected) in [(0, 10), (50, 10), (100, 10), (109, 10), (110, 11), (1_000, 100)] {
            assert_eq!(allowance(LIMITS, own, Used::default()), expected, "{own}");
        }
        let allowed = |share, own| allowance(Limits { share, count: 0 }, own, Used::default());
        assert_eq!(allowed(0.7, 10), 7, "0.7 × 10 is a little less than 7");
        assert_eq!(allowed(0.0, 1_000), 0);
    }

    #[test]
    fn what_is_permitted_stays_permitted_while_it_is_removed() {
        // It is removed in parts, and each part is judged on what is left by then.
        for (own, going, part) in [(3_000, 300, 250), (3_000, 300, 1), (110, 11, 3), (20, 10, 7)] {
            for removed in (0..going).step_by(part) {
                let left = tally(own - removed, removed, going - removed);
                assert!(fits(LIMITS, left), "{going} of {own}, after {removed}");
                assert!(!fits(LIMITS, Tally { going: left.going + 1, ..left }), "{going} of {own}, after {removed}");
            }
        }
    }

    #[test]
    fn a_kind_of_several_never_loses_all() {
        assert!(fits(LIMITS, tally(1, 0, 1)), "a kind of one may");
        assert!(!fits(LIMITS, tally(3, 0, 3)));
        assert!(fits(LIMITS, tally(3, 0, 2)));
        assert!(!fits(LIMITS, tally(1, 2, 1)), "it had three within the window");
        let some_stay = Tally { absent_own: 3, ..tally(3, 0, 1) };
        assert!(!fits(LIMITS, some_stay), "two of three stay for another reason");
        assert!(fits(LIMITS, Tally { absent_own: 2, ..some_stay }), "the source still has one");
        let cascade = Tally { own: 0, going: 5, ..Tally::default() };
        assert!(fits(LIMITS, cascade), "objects of others that fall along are none of the kind's own");
        assert!(!fits(LIMITS, Tally { going: 11, ..cascade }));
    }

    #[test]
    fn a_tenth_each_minute_is_stopped_and_goes_on_a_day_later() {
        let mut own = 1_000;
        let mut ledger: Vec<source_ledger::Model> = Vec::new();
        let start = DateTime::UNIX_EPOCH;
        let mut removed_at = Vec::new();
        for minute in 0..(26 * 60) {
            let now = start + TimeDelta::minutes(minute);
            let used = Uses::of(&ledger, &[], now).of_kind("Device");
            let going = own / 10;
            if fits(LIMITS, Tally { own, used, going, going_own: going, absent_own: going }) {
                own -= going;
                removed_at.push((minute, going));
                ledger.push(entry(now, going));
            }
        }
        assert_eq!(removed_at[..2], [(0, 100), (24 * 60, 90)]);
    }

    fn entry(at: DateTime<Utc>, removed: u64) -> source_ledger::Model {
        let removed = i64::try_from(removed).expect("a small number");
        let (id, source_id, kind) = (Uuid::new_v4(), Uuid::nil(), "Device".to_owned());
        source_ledger::Model { id, source_id, kind, at, removed, removed_own: removed, emptied: 0 }
    }

    /// A plain model: the times at which single objects went.
    #[derive(Default)]
    struct Plain {
        own: u64,
        gone: Vec<DateTime<Utc>>,
    }

    impl Plain {
        fn may(&self, limits: Limits, now: DateTime<Utc>, going: u64) -> bool {
            let lately = self.gone.iter().filter(|at| **at > now - WINDOW).count() as u64;
            // The share is of what there would be if nothing had gone lately.
            let all = self.own + lately;
            let by_share = (0..=all).rev().find(|n| *n as f64 <= limits.share * all as f64 + INACCURACY);
            let most = by_share.unwrap_or_default().max(limits.count);
            let takes_all = going == self.own && self.own + lately >= 2;
            going == 0 || (lately + going <= most && !takes_all)
        }
    }

    #[test]
    fn the_guard_is_a_plain_model_of_it() {
        let mut refused = 0;
        for seed in 0..300 {
            let mut random = StdRng::seed_from_u64(seed);
            let limits =
                Limits { share: f64::from(random.random_range(0..=20)) / 20.0, count: random.random_range(0..15) };
            let mut plain = Plain { own: random.random_range(0..200), gone: Vec::new() };
            let mut ledger = Vec::new();
            let mut now = DateTime::UNIX_EPOCH + TimeDelta::days(400);
            for _ in 0..60 {
                // Clocks also jump back.
                now += TimeDelta::minutes(random.random_range(-300..900));
                plain.own += random.random_range(0..10);
                let going = random.random_range(0..=plain.own.min(30));
                let used = Uses::of(&ledger, &[], now).of_kind("Device");
                let judged = fits(limits, Tally { own: plain.own, used, going, going_own: going, absent_own: going });
                assert_eq!(judged, plain.may(limits, now, going), "seed {seed}: {limits:?} {} {going}", plain.own);
                refused += u64::from(!judged);
                if judged {
                    plain.own -= going;
                    plain.gone.extend((0..going).map(|_| now));
                    ledger.push(entry(now, going));
                }
            }
        }
        assert!(refused > 1_000, "{refused}: the histories are not all harmless");
    }
}
