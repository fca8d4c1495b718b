//! The time at which the hardware of a host is due to be read: pure functions.
//!
//! A host has a moment of the day, which follows from its id, so that the readings of many hosts are spread over the day and
//! stay so. It is due when its last report is from before the last of these moments, or when somebody asked since.

use chrono::{DateTime, TimeDelta};
use uuid::Uuid;

use crate::host::Time;

const DAY: i64 = 86_400;

/// The time at which the hardware of a host is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    Now,
    At(Time),
}

/// Returns the time at which a host is due, whose hardware was last reported and asked for at these times.
pub fn due(host: Uuid, reported: Option<Time>, asked: Option<Time>, now: Time) -> Due {
    let moment = last_moment(host, now);
    match reported {
        Some(reported) if reported >= moment && asked.is_none_or(|asked| asked <= reported) => {
            Due::At(moment + TimeDelta::seconds(DAY))
        }
        _ => Due::Now,
    }
}

/// Returns the last moment of a host until a time.
fn last_moment(host: Uuid, now: Time) -> Time {
    // The last bytes of an id are random, whatever its version. The first of them weigh most, so that the hosts of a lease,
    // which share the end of the last one, are spread too.
    let [.., a, b, c, d] = host.into_bytes();
    let of_day = (i64::from(u32::from_be_bytes([a, b, c, d])) * DAY) >> 32;
    let since = (now.timestamp() - of_day).rem_euclid(DAY);
    DateTime::from_timestamp(now.timestamp() - since, 0).unwrap_or(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Time {
        DateTime::from_timestamp(20_000 * DAY + second, 0).unwrap()
    }

    /// Returns a host with its moment at this part of the day, in 65,536ths.
    fn host(part: u128) -> Uuid {
        Uuid::from_u128(part << 16)
    }

    #[test]
    fn a_host_is_due_at_its_moment_of_each_day() {
        let noon = host(0x8000);
        let hour = 3_600;
        for (name, reported, asked, now, expected) in [
            ("never read", None, None, 0, Due::Now),
            ("read since noon", Some(12 * hour), None, 13 * hour, Due::At(at(36 * hour))),
            ("not read since noon", Some(12 * hour - 1), None, 12 * hour, Due::Now),
            ("before noon", Some(-11 * hour), None, 11 * hour, Due::At(at(12 * hour))),
            ("missed yesterday", Some(-13 * hour), None, 11 * hour, Due::Now),
            ("asked since", Some(12 * hour), Some(12 * hour + 1), 13 * hour, Due::Now),
            ("asked before", Some(12 * hour), Some(11 * hour), 13 * hour, Due::At(at(36 * hour))),
            ("by a clock that is ahead", Some(14 * hour), None, 13 * hour, Due::At(at(36 * hour))),
        ] {
            assert_eq!(due(noon, reported.map(at), asked.map(at), at(now)), expected, "{name}");
        }
    }

    #[test]
    fn moments_are_spread_over_the_day() {
        let moments: Vec<i64> =
            (0..24).map(|hour| (last_moment(host(hour * 0x10000 / 24), at(DAY - 1)) - at(0)).num_hours()).collect();
        assert!(moments.is_sorted() && moments[0] == 0 && moments[23] == 22, "{moments:?}");
        // Those of a lease too.
        let moment = |byte: u128| last_moment(Uuid::from_u128(byte << 24 | 7), at(DAY - 1));
        assert_eq!((moment(0x80) - moment(0x40)).num_hours(), 6);
    }
}
