//! Finds the parts of a report among those that were known before: by their identities, then by their places, then by
//! their names.
//!
//! Guarantees: a sign that two parts of a report share, as bad firmware has it, is not relied on, and the next one
//! counts. Parts that have only such signs are told apart by their number alone. The time that it takes grows with the
//! number of parts, not with its square.

use std::collections::HashMap;

/// The number of identities that a part may have, the best one first.
const IDENTITIES: usize = 3;
/// The signs by which parts are found, the best one first.
const LEVELS: [Level; IDENTITIES + 2] =
    [Level::Identity(0), Level::Identity(1), Level::Identity(2), Level::Place, Level::Name];

/// A sign of a part, of one value or several.
pub(super) type Key = Vec<String>;

/// The signs by which a part is recognised.
#[derive(Debug, Default)]
pub(super) struct Signs {
    /// The signs that the part takes along wherever it goes. Parts that differ in one of them are different parts.
    pub identities: [Option<Key>; IDENTITIES],
    /// The place in the machine.
    pub place: Option<Key>,
    /// The name that the kernel gives it.
    pub name: Option<Key>,
}

/// The known part that a part of a report is, or whose place it has. It is named by its index among the known ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    /// It is this one.
    Same(usize),
    /// It is another one, in the place of this one.
    Replaced(usize),
    /// It is one of several that cannot be told apart. Nothing can be said of its changes.
    Alike(usize),
}

impl Match {
    /// Returns the index of the known part.
    pub fn index(self) -> usize {
        match self {
            Self::Same(index) | Self::Replaced(index) | Self::Alike(index) => index,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Identity(usize),
    Place,
    Name,
}

/// The part that has a sign.
#[derive(Clone, Copy)]
enum Holder {
    One(usize),
    Several,
}

/// The signs of one level, with the parts that have them.
struct Table<'a> {
    level: Level,
    known: HashMap<&'a Key, Holder>,
    shown: HashMap<&'a Key, Holder>,
}

/// Finds the parts of a report among the known ones: those that are absent, oldest first, and after them those of the
/// report before.
pub(super) fn find(absent: &[Signs], before: &[Signs], shown: &[Signs]) -> Vec<Option<Match>> {
    let known: Vec<&Signs> = absent.iter().chain(before).collect();
    let tables = LEVELS.map(|level| Table {
        level,
        known: holders(&known, level, absent.len()),
        shown: holders(&shown.iter().collect::<Vec<_>>(), level, 0),
    });
    let mut search =
        Search { shown, matches: vec![None; shown.len()], is_free: vec![true; known.len()], known, tables: &tables };

    tables.iter().for_each(|table| search.find_by(table));
    LEVELS.into_iter().for_each(|level| search.pair_alike(level));
    search.matches
}

/// Returns the parts by their signs of one level. An identity is that of one part, wherever that is. Of the parts that
/// had a place or a name one after the other, the last one counts; only those of one report share it.
fn holders<'a>(parts: &[&'a Signs], level: Level, first_of_report: usize) -> HashMap<&'a Key, Holder> {
    let mut holders = HashMap::new();
    for (index, signs) in parts.iter().enumerate() {
        let Some(key) = signs.key(level) else { continue };
        let is_shared = match holders.get(key) {
            None => false,
            Some(Holder::One(other)) => matches!(level, Level::Identity(_)) || *other >= first_of_report,
            Some(Holder::Several) => true,
        };
        holders.insert(key, if is_shared { Holder::Several } else { Holder::One(index) });
    }
    holders
}

impl Signs {
    fn key(&self, level: Level) -> Option<&Key> {
        match level {
            Level::Identity(number) => self.identities[number].as_ref(),
            Level::Place => self.place.as_ref(),
            Level::Name => self.name.as_ref(),
        }
    }

    /// Returns true if one of some signs is known of both parts, and differs.
    fn differs(&self, other: &Self, levels: &[Level]) -> bool {
        levels.iter().any(|level| self.key(*level).zip(other.key(*level)).is_some_and(|(one, other)| one != other))
    }
}

impl Table<'_> {
    /// Returns the known part that shares a sign of a part with it, if no other one has this sign.
    fn partner(&self, shown: &Signs) -> Option<usize> {
        let key = shown.key(self.level)?;
        match (self.known.get(key)?, self.shown.get(key)?) {
            (Holder::One(index), Holder::One(_)) => Some(*index),
            _ => None,
        }
    }

    /// Returns true if a part has a sign that no other one shares.
    fn tells_apart(&self, part: &Signs) -> bool {
        let is_shared = |holders: &HashMap<&Key, Holder>, key| matches!(holders.get(key), Some(Holder::Several));
        part.key(self.level).is_some_and(|key| !is_shared(&self.known, key) && !is_shared(&self.shown, key))
    }
}

/// The matches that were found up to now.
struct Search<'a> {
    known: Vec<&'a Signs>,
    shown: &'a [Signs],
    tables: &'a [Table<'a>],
    matches: Vec<Option<Match>>,
    is_free: Vec<bool>,
}

impl Search<'_> {
    /// Finds parts by their signs of one level.
    fn find_by(&mut self, table: &Table<'_>) {
        for (index, shown) in self.shown.iter().enumerate() {
            let is_open = self.matches[index].is_none();
            let partner = table.partner(shown).filter(|known| is_open && self.is_free[*known]);
            let found = partner.and_then(|known| judged(table.level, known, self.known[known], shown));
            self.note(index, found);
        }
    }

    /// Pairs parts that share a sign, and that no sign tells apart.
    fn pair_alike(&mut self, level: Level) {
        let mut open: HashMap<&Key, Vec<usize>> = HashMap::new();
        for (index, known) in self.known.iter().enumerate() {
            if let Some(key) = known.key(level).filter(|_| self.is_free[index] && self.is_unclear(known)) {
                open.entry(key).or_default().push(index);
            }
        }
        for (index, shown) in self.shown.iter().enumerate() {
            let key = shown.key(level).filter(|_| self.matches[index].is_none() && self.is_unclear(shown));
            // From the end, where those of the report before are.
            let found = key.and_then(|key| open.get_mut(key)?.pop()).map(Match::Alike);
            self.note(index, found);
        }
    }

    fn is_unclear(&self, part: &Signs) -> bool {
        !self.tables.iter().any(|table| table.tells_apart(part))
    }

    fn note(&mut self, shown: usize, found: Option<Match>) {
        if let Some(matched) = found {
            self.matches[shown] = found;
            self.is_free[matched.index()] = false;
        }
    }
}

/// Returns what two parts are to each other that share a sign of a level. A better sign may tell them apart.
fn judged(level: Level, index: usize, known: &Signs, shown: &Signs) -> Option<Match> {
    match level {
        Level::Identity(number) => (!known.differs(shown, &LEVELS[..number])).then_some(Match::Same(index)),
        Level::Place if known.differs(shown, &LEVELS[..IDENTITIES]) => Some(Match::Replaced(index)),
        Level::Place => Some(Match::Same(index)),
        Level::Name => (!known.differs(shown, &LEVELS[..=IDENTITIES])).then_some(Match::Same(index)),
    }
}
