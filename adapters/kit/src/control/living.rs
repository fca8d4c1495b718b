//! Finds out if another process lives, by its leases: a lease that somebody holds is renewed again and again. That it is
//! there says nothing, because a copy of a database has leases too.

use std::collections::HashMap;

use super::leases::LeaseSeen;

/// The renewals that show that a process lives. The first one alone can have been on its way when the database was copied.
const MIN_RENEWALS: u32 = 2;

/// The leases of others, as they were seen again and again for a time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Living {
    leases: HashMap<(String, u64), Renewals>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Renewals {
    until: i64,
    count: u32,
}

impl Living {
    /// Notes the leases that are in force now. One that has ended since the last look, or that was taken anew, is not the
    /// lease of before.
    pub fn see(&mut self, seen: Vec<LeaseSeen>) {
        let mut before = std::mem::take(&mut self.leases);
        for LeaseSeen { name, epoch, until } in seen {
            let key = (name, epoch);
            let renewals = match before.remove(&key) {
                Some(old) => Renewals { until, count: old.count + u32::from(until > old.until) },
                None => Renewals { until, count: 0 },
            };
            self.leases.insert(key, renewals);
        }
    }

    /// Returns true if a lease was renewed twice and is still in force.
    pub fn is_anybody_there(&self) -> bool {
        self.leases.values().any(|it| it.count >= MIN_RENEWALS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(name: &str, epoch: u64, until: i64) -> LeaseSeen {
        LeaseSeen { name: name.to_owned(), epoch, until }
    }

    #[test]
    fn only_a_lease_that_is_renewed_twice_shows_that_somebody_lives() {
        // Each look has the leases that it saw, as (name, epoch, end).
        type Looks<'a> = &'a [&'a [(&'a str, u64, i64)]];
        let table: [(&str, Looks<'_>, bool); 7] = [
            ("nothing", &[&[], &[]], false),
            ("leases that nobody renews", &[&[("a", 1, 60), ("b", 1, 61)], &[("a", 1, 60)], &[("a", 1, 60)]], false),
            ("one renewal", &[&[("a", 1, 60)], &[("a", 1, 75)], &[("a", 1, 75)]], false),
            ("two renewals", &[&[("a", 1, 60)], &[("a", 1, 75)], &[("a", 1, 90)]], true),
            ("one of each of two", &[&[("a", 1, 60), ("b", 1, 60)], &[("a", 1, 75), ("b", 1, 75)]], false),
            ("it was taken anew", &[&[("a", 1, 60)], &[("a", 2, 75)], &[("a", 3, 90)]], false),
            ("it has ended", &[&[("a", 1, 60)], &[("a", 1, 75)], &[("a", 1, 90)], &[]], false),
        ];
        for (name, looks, expected) in table {
            let mut living = Living::default();
            for look in looks {
                living.see(look.iter().map(|(name, epoch, until)| seen(name, *epoch, *until)).collect());
            }
            assert_eq!(living.is_anybody_there(), expected, "{name}");
        }
    }
}
