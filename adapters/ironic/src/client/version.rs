//! The microversions of Ironic's API: each request names the one in which it is answered.

use std::fmt;

/// A microversion, such as 1.81.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Microversion {
    major: u32,
    minor: u32,
}

impl Microversion {
    /// The oldest microversion that has what is read here: with it came the inventories of nodes.
    pub const OLDEST: Self = Self { major: 1, minor: 81 };
    /// The newest microversion whose answers are known here. Ironic 39 offers it.
    pub const NEWEST: Self = Self { major: 1, minor: 115 };

    /// Reads a microversion, such as `1.81`.
    pub fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.trim().split_once('.')?;
        Some(Self { major: major.parse().ok()?, minor: minor.parse().ok()? })
    }

    /// Returns the microversion to use with a server that offers those from `oldest` to `newest`; `None` if there is none
    /// that both know.
    pub fn agree(oldest: Self, newest: Self) -> Option<Self> {
        let agreed = newest.min(Self::NEWEST);
        (agreed >= Self::OLDEST && oldest <= agreed).then_some(agreed)
    }
}

impl fmt::Display for Microversion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}", self.major, self.minor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_agree_on_the_newest_that_both_know() {
        for (oldest, newest, expected) in [
            ("1.1", "1.115", Some("1.115")),
            ("1.1", "1.200", Some("1.115")),
            ("1.1", "1.81", Some("1.81")),
            ("1.1", "1.80", None),
            ("1.120", "1.130", None),
            ("2.1", "2.5", None),
        ] {
            let parse = |text| Microversion::parse(text).expect("a version");
            let agreed = Microversion::agree(parse(oldest), parse(newest)).map(|version| version.to_string());
            assert_eq!(agreed.as_deref(), expected, "{oldest} to {newest}");
        }
        assert!(["", "1", "1.", "latest", "1.81.2", "-1.2"].iter().all(|text| Microversion::parse(text).is_none()));
    }
}
