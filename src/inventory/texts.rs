//! What the objects of a kind are called: an index of their names and of every other text that a search sees.
//!
//! Texts are folded to lower case, so that one look finds all ways to write them; each stands in the index once, with
//! the slots of all objects that have it. Ten thousand ports of one name cost little more than one.

use std::sync::Arc;

use imbl::{OrdMap, OrdSet};
use smol_str::SmolStr;

use super::kind::Description;
use crate::store::Row;

/// A set of up to this many slots is kept as one slice.
const FEW: usize = 32;

/// A text that a search sees besides the name.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// The field that it stands in.
    pub field: &'static str,
    /// Calls back with each text of a row in this field.
    pub each: fn(&dyn Row, &mut dyn FnMut(&str)),
}

/// The slots of the objects that have a text, in order.
#[derive(Clone, Debug)]
pub enum Slots {
    One(u32),
    Few(Arc<[u32]>),
    Many(OrdSet<u32>),
}

impl Slots {
    /// All slots, in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + Send + '_ {
        let (slice, many) = match self {
            Self::One(slot) => (std::slice::from_ref(slot), None),
            Self::Few(slots) => (&slots[..], None),
            Self::Many(slots) => (&[][..], Some(slots)),
        };
        slice.iter().copied().chain(many.into_iter().flatten().copied())
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::Few(slots) => slots.len(),
            Self::Many(slots) => slots.len(),
        }
    }

    fn insert(&mut self, slot: u32) {
        match self {
            Self::One(there) if *there == slot => {}
            Self::One(there) => *self = Self::Few(Arc::new([slot.min(*there), slot.max(*there)])),
            Self::Few(slots) => {
                let Err(at) = slots.binary_search(&slot) else { return };
                let wider = [&slots[..at], &[slot], &slots[at..]].concat();
                *self =
                    if wider.len() <= FEW { Self::Few(wider.into()) } else { Self::Many(wider.into_iter().collect()) };
            }
            Self::Many(slots) => {
                slots.insert(slot);
            }
        }
    }

    /// The set without a slot; `None` when it was the last.
    fn without(&self, slot: u32) -> Option<Self> {
        let left: Vec<u32> = match self {
            Self::Many(slots) if slots.len() > FEW / 2 => return Some(Self::Many(slots.without(&slot))),
            slots => slots.iter().filter(|there| *there != slot).collect(),
        };
        match left.as_slice() {
            [] => None,
            [slot] => Some(Self::One(*slot)),
            _ => Some(Self::Few(left.into())),
        }
    }
}

/// The index of texts of one kind.
#[derive(Clone, Debug, Default)]
pub struct Texts(OrdMap<SmolStr, Slots>);

impl Texts {
    /// The slots of the objects that have a folded text.
    pub fn get(&self, folded: &str) -> Option<&Slots> {
        self.0.get(folded)
    }

    /// All texts from a folded one on, in order, with the slots of the objects that have them.
    pub fn from<'a>(&'a self, folded: &str) -> impl Iterator<Item = (&'a str, &'a Slots)> + use<'a> {
        self.0
            .range::<_, str>((std::ops::Bound::Included(folded), std::ops::Bound::Unbounded))
            .map(|(text, slots)| (text.as_str(), slots))
    }

    /// How many different texts there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Mends the index for a row that takes the place of another.
    pub(super) fn replace(&mut self, kind: &Description, slot: u32, before: Option<&dyn Row>, after: Option<&dyn Row>) {
        let (before, after) = (before.map(|row| texts_of(kind, row)), after.map(|row| texts_of(kind, row)));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if before == after {
            return;
        }
        for text in before.iter().filter(|text| !after.contains(text)) {
            match self.0.get(text).and_then(|slots| slots.without(slot)) {
                Some(slots) => self.0.insert(text.clone(), slots),
                None => self.0.remove(text),
            };
        }
        for text in after.into_iter().filter(|text| !before.contains(text)) {
            match self.0.get_mut(&text) {
                Some(slots) => slots.insert(slot),
                None => drop(self.0.insert(text, Slots::One(slot))),
            }
        }
    }
}

/// A text as it stands in the index.
pub fn fold(text: &str) -> SmolStr {
    match text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        true => SmolStr::from(text.to_lowercase()),
        false => SmolStr::from(text),
    }
}

/// The texts of a row, each once.
fn texts_of(kind: &Description, row: &dyn Row) -> Vec<SmolStr> {
    let mut texts = Vec::with_capacity(1 + kind.searched.len());
    texts.push(fold(row.common().name));
    for searched in kind.searched {
        (searched.each)(row, &mut |text| {
            let text = fold(text);
            if !texts.contains(&text) {
                texts.push(text);
            }
        });
    }
    texts
}

/// Describes what a search sees in a row: `searched!(Model { "serial" => |row| &row.serial, … })`; each gives
/// something that iterates over texts.
#[macro_export]
macro_rules! searched {
    ($model:ident { $($field:literal => |$row:ident| $texts:expr),* $(,)? }) => {
        &[$(
            $crate::inventory::Searched {
                field: $field,
                each: |row, see| {
                    let $row: &$model = $crate::inventory::cast(row);
                    IntoIterator::into_iter($texts).for_each(|text| see(text.as_ref()));
                },
            }
        ),*]
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_slots_grows_and_shrinks_through_all_its_forms() {
        let mut slots = Slots::One(500);
        for slot in (0..1000).rev() {
            slots.insert(slot);
            slots.insert(slot);
        }
        assert!(matches!(slots, Slots::Many(_)));
        assert_eq!(slots.iter().collect::<Vec<_>>(), (0..1000).collect::<Vec<_>>());
        for slot in 0..999 {
            slots = slots.without(slot).expect("not the last");
            assert_eq!(slots.count(), 999 - slot as usize);
        }
        assert!(matches!(slots, Slots::One(999)));
        assert!(slots.without(999).is_none());
    }

    #[test]
    fn texts_are_folded() {
        assert_eq!(fold("Ethernet1"), "ethernet1");
        assert_eq!(fold("MÜNCHEN-1"), "münchen-1");
        assert_eq!(fold("leaf-1"), "leaf-1");
    }
}
