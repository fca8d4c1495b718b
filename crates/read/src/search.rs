//! Finds objects by a part of their names or of other searched texts.
//!
//! The results are ranked: equal texts first, then texts that begin with the search text, then texts that contain it.
//! Within a rank the order is by kind, by text in natural order, and by id. The first two ranks are found in the index
//! of texts. The third is a scan over the different texts, not over the objects. The scan stops when enough is found,
//! and yields after each time slice.

use std::collections::HashSet;

use memchr::memmem::Finder;
use smol_str::SmolStr;

use underlay_engine::runtime::TimeSlice;
use underlay_entity::row::Row;
use underlay_inventory::{Description, ObjectRef, Slots, Snapshot, compare_names, fold};

/// The maximum number of candidates of one rank and kind that are sorted. Of more, the first ones in the index are
/// taken.
const MAX_SORTED_CANDIDATES: usize = 4_096;
/// The minimum number of digits that are taken for a part of a MAC address. Fewer digits too often mean something else.
const MIN_MAC_DIGITS: usize = 6;

/// The quality of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The text is equal, except for upper and lower case.
    Exact,
    /// The text begins with the search text.
    Prefix,
    /// The text contains the search text.
    Contains,
}

/// An object that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The object.
    pub object: ObjectRef,
    /// The field by which it was found.
    pub field: &'static str,
    /// The text of the field.
    pub text: String,
    /// The quality of the match.
    pub rank: Rank,
}

/// Returns the best `most` objects of some kinds that have a text in their names or in another searched field, down to
/// a rank.
pub async fn search(
    snapshot: &Snapshot,
    text: &str,
    kinds: &[&'static Description],
    worst: Rank,
    most: usize,
) -> Vec<Hit> {
    let forms = forms(text);
    let mut found = Hits { snapshot, most, seen: HashSet::new(), hits: Vec::new() };
    // One for all kinds: otherwise each kind could take a time slice before the search yields.
    let mut slice = TimeSlice::begin();
    for rank in [Rank::Exact, Rank::Prefix, Rank::Contains].into_iter().filter(|rank| *rank <= worst) {
        for kind in kinds {
            if found.is_full() {
                return found.hits;
            }
            let texts = match rank {
                Rank::Exact => exact(snapshot, kind, &forms),
                Rank::Prefix => prefixed(snapshot, kind, &forms),
                // Some of these objects may have been found by another of their texts already.
                Rank::Contains => {
                    containing(snapshot, kind, &forms, found.missing() + found.seen.len(), &mut slice).await
                }
            };
            found.add(kind, rank, texts);
        }
    }
    found.hits
}

/// Texts of one kind with the objects that have them.
type Candidates<'a> = Vec<(&'a str, &'a Slots)>;

fn exact<'a>(snapshot: &'a Snapshot, kind: &Description, forms: &'a [SmolStr]) -> Candidates<'a> {
    let texts = snapshot.table(kind.id).texts();
    forms.iter().filter_map(|form| Some((form.as_str(), texts.get(form)?))).collect()
}

fn prefixed<'a>(snapshot: &'a Snapshot, kind: &Description, forms: &[SmolStr]) -> Candidates<'a> {
    let texts = snapshot.table(kind.id).texts();
    let mut found = Candidates::new();
    for form in forms {
        let begins = texts.from(form).take_while(|(text, _)| text.starts_with(form.as_str()));
        found.extend(begins.take(MAX_SORTED_CANDIDATES));
    }
    found
}

async fn containing<'a>(
    snapshot: &'a Snapshot,
    kind: &Description,
    forms: &[SmolStr],
    enough: usize,
    slice: &mut TimeSlice,
) -> Candidates<'a> {
    let finders: Vec<_> = forms.iter().map(|form| Finder::new(form.as_bytes())).collect();
    let mut found = Candidates::new();
    let mut count = 0;
    for (text, slots) in snapshot.table(kind.id).texts().from("") {
        // Texts that begin with the search text were found before, and do not count again.
        let later = |finder: &Finder<'_>| finder.find(text.as_bytes()).is_some_and(|at| at > 0);
        if finders.iter().any(later) {
            count += slots.count();
            found.push((text, slots));
        }
        if count >= enough {
            break;
        }
        slice.step().await;
    }
    found
}

/// The results so far, best first.
struct Hits<'a> {
    snapshot: &'a Snapshot,
    most: usize,
    seen: HashSet<ObjectRef>,
    hits: Vec<Hit>,
}

impl Hits<'_> {
    fn is_full(&self) -> bool {
        self.missing() == 0
    }

    fn missing(&self) -> usize {
        self.most - self.hits.len()
    }

    /// Adds the candidates of one rank and kind, in order, until there are enough.
    fn add(&mut self, kind: &'static Description, rank: Rank, mut texts: Candidates<'_>) {
        texts.sort_by(|left, right| compare_names(left.0, right.0));
        for (text, slots) in texts {
            let objects = slots.iter().map(|slot| ObjectRef { kind: kind.id, slot }).take(MAX_SORTED_CANDIDATES);
            let mut objects: Vec<_> = objects.filter(|object| !self.seen.contains(object)).collect();
            objects.sort_by_cached_key(|object| self.snapshot.row(*object).map(|row| row.common().id));
            for object in objects.into_iter().take(self.missing()) {
                let Some(row) = self.snapshot.row(object) else { continue };
                let Some((field, text)) = source(kind, row.as_ref(), text) else { continue };
                self.seen.insert(object);
                self.hits.push(Hit { object, field, text, rank });
            }
            if self.is_full() {
                return;
            }
        }
    }
}

/// Returns the field that contains a folded text, and the text as it is written there.
fn source(kind: &'static Description, row: &dyn Row, folded: &str) -> Option<(&'static str, String)> {
    let name = row.common().name;
    if fold(name) == folded {
        return Some(("name", name.to_owned()));
    }
    kind.searched.iter().find_map(|searched| {
        let mut found = None;
        (searched.each)(row, &mut |text| {
            if found.is_none() && fold(text) == folded {
                found = Some(text.to_owned());
            }
        });
        Some((searched.field, found?))
    })
}

/// Returns the forms in which the index may contain the search text: folded, and for a MAC address or a part of one,
/// with colons.
fn forms(text: &str) -> Vec<SmolStr> {
    let folded = fold(text.trim());
    let digits: String = folded.chars().filter(|letter| !".:-".contains(*letter)).collect();
    let is_hex = digits.len() <= 12 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let grouped = digits.len() < folded.len() && digits.len() >= MIN_MAC_DIGITS || digits.len() == 12;
    let mut forms = vec![folded];
    if is_hex && grouped {
        let pairs: Vec<&str> = (0..digits.len()).step_by(2).map(|at| &digits[at..(at + 2).min(digits.len())]).collect();
        let mac = SmolStr::from(pairs.join(":"));
        if !forms.contains(&mac) {
            forms.push(mac);
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mac_address_is_found_however_it_is_written() {
        for (text, mac) in [
            ("AABB.CCDD.EEFF", "aa:bb:cc:dd:ee:ff"),
            ("aa-bb-cc-dd-ee-ff", "aa:bb:cc:dd:ee:ff"),
            ("aabbccddeeff", "aa:bb:cc:dd:ee:ff"),
            ("aabb.ccd", "aa:bb:cc:d"),
        ] {
            assert_eq!(forms(text), [fold(text), SmolStr::from(mac)], "{text}");
        }
        for other in ["leaf-1", "10.0.0.1", "aa-b", "cafe", "aa:bb:cc:dd:ee:ff", "é"] {
            assert_eq!(forms(other).len(), 1, "{other}");
        }
    }
}
