//! The neighbours that were heard, each until its word is out of date.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use underlay_facts::Neighbour;
use underlay_facts::lldp::Advertisement;

/// The greatest number of neighbours that are kept. Only somebody who makes them up has more; the one goes whose time is
/// over first.
const MOST: usize = 1024;

/// The neighbours that were heard.
#[derive(Debug, Default)]
pub struct Heard(BTreeMap<Key, (Neighbour, Instant)>);

/// The number of the interface, the id of the chassis, and that of the port.
type Key = (u32, String, String);

impl Heard {
    /// Notes what an interface heard.
    pub fn note(&mut self, interface: u32, heard: Advertisement, now: Instant) {
        let Advertisement { neighbour, ttl } = heard;
        let key = (interface, neighbour.chassis_id.clone(), neighbour.port_id.clone());
        if ttl == 0 {
            self.0.remove(&key);
            return;
        }
        self.0.insert(key, (neighbour, now + Duration::from_secs(ttl.into())));
        if self.0.len() > MOST
            && let Some(first) = self.0.iter().min_by_key(|(_, (_, until))| *until).map(|(key, _)| key.clone())
        {
            self.0.remove(&first);
        }
    }

    /// Returns the neighbours of an interface that still count, in order.
    pub fn at(&mut self, interface: u32, now: Instant) -> Vec<Neighbour> {
        self.0.retain(|_, (_, until)| *until > now);
        let there = self.0.iter().filter(|((index, ..), _)| *index == interface);
        there.map(|(_, (neighbour, _))| neighbour.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(chassis: &str, ttl: u16) -> Advertisement {
        let neighbour = Neighbour { chassis_id: chassis.to_owned(), port_id: "1".to_owned(), ..Neighbour::default() };
        Advertisement { neighbour, ttl }
    }

    #[test]
    fn a_neighbour_counts_for_its_time_and_goes_when_it_says_so() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut all = Heard::default();
        let names = |all: &mut Heard, interface, seconds| {
            all.at(interface, at(seconds)).into_iter().map(|it| it.chassis_id).collect::<Vec<_>>()
        };
        all.note(2, heard("b", 120), at(0));
        all.note(2, heard("a", 40), at(0));
        all.note(3, heard("c", 120), at(0));
        assert_eq!(names(&mut all, 2, 39), ["a", "b"]);
        assert_eq!(names(&mut all, 3, 39), ["c"]);
        assert_eq!(names(&mut all, 4, 39), [""; 0]);
        assert_eq!(names(&mut all, 2, 40), ["b"]);
        all.note(2, heard("b", 120), at(100));
        assert_eq!(names(&mut all, 2, 219), ["b"]);
        all.note(2, heard("b", 0), at(219));
        assert_eq!(names(&mut all, 2, 219), [""; 0]);
    }

    #[test]
    fn neighbours_that_somebody_makes_up_are_not_kept_without_end() {
        let mut all = Heard::default();
        let now = Instant::now();
        for number in 0..2 * MOST {
            all.note(1, heard(&number.to_string(), 100 + (number % 1000) as u16), now);
        }
        assert_eq!(all.at(1, now).len(), MOST);
    }
}
