//! The text index of a kind: the names of its objects and every other text that a search covers.
//!
//! Texts are folded to lower case, so that one lookup finds all spellings. Each text is stored once, with the slots of
//! all objects that have it. Ten thousand ports with one name cost little more than one port.

use smol_str::SmolStr;

use super::kind::Description;
use underlay_entity::row::Row;
use underlay_persistent::Index;
use underlay_persistent::Slots;

/// A callback that receives a text.
pub type See<'a> = &'a mut dyn FnMut(&str);

/// A text that a search covers besides the name.
#[derive(Clone, Copy, Debug)]
pub struct Searched {
    /// The field that contains the text.
    pub field: &'static str,
    /// Calls back with each text of a row in this field.
    pub each: fn(&dyn Row, See<'_>),
}

/// The text index of one kind.
#[derive(Clone, Debug, Default)]
pub struct Texts(Index<SmolStr, Slots>);

impl Texts {
    /// Creates an index of folded texts.
    pub(super) fn of(texts: Index<SmolStr, Slots>) -> Self {
        Self(texts)
    }

    /// Returns the slots of the objects with a folded text.
    pub fn get(&self, folded: &str) -> Option<&Slots> {
        self.0.get(folded)
    }

    /// Returns all texts from a folded text on, in order, with the slots of their objects.
    pub fn from<'a>(&'a self, folded: &str) -> impl Iterator<Item = (&'a str, &'a Slots)> + use<'a> {
        self.0
            .range::<str>((std::ops::Bound::Included(folded), std::ops::Bound::Unbounded))
            .map(|(text, slots)| (text.as_str(), slots))
    }

    /// Updates the index for a row that replaces another; `None` stands for no row.
    pub(super) fn replace(&mut self, kind: &Description, slot: u32, before: Option<&dyn Row>, after: Option<&dyn Row>) {
        let (before, after) = (before.map(|row| texts_of(kind, row)), after.map(|row| texts_of(kind, row)));
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        if before == after {
            return;
        }
        for text in before.iter().filter(|text| !after.contains(text)) {
            Slots::take_from(&mut self.0, text, slot);
        }
        for text in after.into_iter().filter(|text| !before.contains(text)) {
            Slots::add_to(&mut self.0, text, slot);
        }
    }
}

/// Folds a text to lower case, as the index stores it.
pub fn fold(text: &str) -> SmolStr {
    match text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        true => SmolStr::from(text.to_lowercase()),
        false => SmolStr::from(text),
    }
}

/// Returns the folded texts of a row, each once.
pub(super) fn texts_of(kind: &Description, row: &dyn Row) -> Vec<SmolStr> {
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

/// Describes the texts that a search covers in a row: `searched!(Model { "serial" => |row| &row.serial, … })`. Each
/// expression must give an iterable of texts.
#[macro_export]
macro_rules! searched {
    ($model:ident { $($field:literal => |$row:ident| $texts:expr),* $(,)? }) => {
        &[$(
            $crate::Searched {
                field: $field,
                each: |row, see| {
                    let $row: &$model = $crate::cast(row);
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
    fn texts_are_folded() {
        assert_eq!(fold("Ethernet1"), "ethernet1");
        assert_eq!(fold("MÜNCHEN-1"), "münchen-1");
        assert_eq!(fold("leaf-1"), "leaf-1");
    }
}
