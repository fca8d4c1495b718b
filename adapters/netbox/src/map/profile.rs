//! The profiles of cables: how the positions of connectors on side A are joined with those on side B.

/// A profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// One connector on each side. It needs no lanes.
    Single,
    /// The same connectors on both sides, joined one to one.
    Trunk,
    /// One connector, each of whose positions has a connector of its own on the other side.
    Breakout,
    /// Two connectors of four positions on both sides; each sends half of its positions to the other.
    TrunkShuffle2,
    /// Four connectors of four positions on both sides; each sends one of its positions to every other.
    TrunkShuffle4,
    /// Two connectors of four positions, whose positions are shuffled to eight connectors of one.
    BreakoutShuffle,
}

impl Profile {
    /// Returns the profile with a name, such as `breakout-1c4p-4c1p`; `None` if it is not known.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "trunk-2c4p-shuffle" => return Some(Self::TrunkShuffle2),
            "trunk-4c4p-shuffle" => return Some(Self::TrunkShuffle4),
            "breakout-2c4p-8c1p-shuffle" => return Some(Self::BreakoutShuffle),
            _ => {}
        }
        let (form, sides) = name.split_once('-')?;
        let mut sides = sides.split('-').map(side);
        match (form, sides.next()?, sides.next(), sides.next()) {
            ("single", Some((1, _)), None, None) => Some(Self::Single),
            ("trunk", Some(_), None, None) => Some(Self::Trunk),
            ("breakout", Some((1, positions)), Some(Some((connectors, 1))), None) if positions == connectors => {
                Some(Self::Breakout)
            }
            _ => None,
        }
    }

    /// Returns the connector and the position on side B that a position on side A is joined with. Both count from 1.
    pub fn far(self, connector: u64, position: u64) -> Option<(u64, u64)> {
        let (from_connector, from_position) = (connector.checked_sub(1)?, position.checked_sub(1)?);
        Some(match self {
            Self::Single | Self::Trunk => (connector, position),
            Self::Breakout => (position, 1),
            Self::TrunkShuffle4 => (position, connector),
            Self::TrunkShuffle2 => (from_position / 2 + 1, from_connector * 2 + from_position % 2 + 1),
            Self::BreakoutShuffle => (from_position / 2 * 4 + from_connector * 2 + from_position % 2 + 1, 1),
        })
    }
}

/// Returns the connectors and positions of a side, such as `2c4p`.
fn side(text: &str) -> Option<(u64, u64)> {
    let (connectors, positions) = text.strip_suffix('p')?.split_once('c')?;
    Some((connectors.parse().ok()?, positions.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn profiles_are_known_by_their_names() {
        for (name, expected) in [
            ("single-1c16p", Some(Profile::Single)),
            ("trunk-8c4p", Some(Profile::Trunk)),
            ("trunk-4c4p-shuffle", Some(Profile::TrunkShuffle4)),
            ("breakout-1c6p-6c1p", Some(Profile::Breakout)),
            ("breakout-2c4p-8c1p-shuffle", Some(Profile::BreakoutShuffle)),
            ("breakout-2c4p-8c1p", None),
            ("trunk-8c4p-shuffle", None),
            ("ring-1c1p", None),
        ] {
            assert_eq!(Profile::parse(name), expected, "{name}");
        }
    }

    #[test]
    fn shuffles_join_what_netbox_joins() {
        for (profile, near, far) in [
            (Profile::TrunkShuffle2, (1, 2), (1, 2)),
            (Profile::TrunkShuffle2, (1, 3), (2, 1)),
            (Profile::TrunkShuffle2, (2, 1), (1, 3)),
            (Profile::TrunkShuffle2, (2, 4), (2, 4)),
            (Profile::TrunkShuffle4, (2, 3), (3, 2)),
            (Profile::BreakoutShuffle, (1, 2), (2, 1)),
            (Profile::BreakoutShuffle, (1, 3), (5, 1)),
            (Profile::BreakoutShuffle, (2, 1), (3, 1)),
            (Profile::BreakoutShuffle, (2, 4), (8, 1)),
            (Profile::Breakout, (1, 4), (4, 1)),
            (Profile::Trunk, (2, 1), (2, 1)),
        ] {
            assert_eq!(profile.far(near.0, near.1), Some(far), "{profile:?} {near:?}");
        }
    }
}
