//! The validation rules of sources.

use super::kind::Source;
use underlay_inventory::{Checked, Problems, Refusal};

/// Checks that a source with a reserved name keeps the name: the fields that its runs wrote are owned under it.
pub fn name(checked: &Checked<'_>, problems: &mut Problems) {
    for (before, source) in checked.written::<Source>() {
        let Some(before) = before.filter(|before| before.reserved && before.name != source.name) else { continue };
        let now = before.name.clone();
        problems.add(source.id, Refusal::Immutable { field: "name".to_owned(), kind: "Source", now });
    }
}
