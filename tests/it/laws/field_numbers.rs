//! The numbers of fields are stored data: the database stores by them which manager owns which field.

use std::collections::BTreeMap;

use underlay_inventory::HIGHEST_NUMBER;

/// One line for each field that ever existed: `Kind number field`, followed by the word `removed` if the field no
/// longer exists, or by `reserved` if it does not exist yet. Lines are only added, or marked as removed. A reserved
/// field loses the word when it comes.
const PINNED: &str = include_str!("field_numbers.txt");

#[test]
fn fields_keep_the_numbers_that_are_stored() {
    let mut pinned: BTreeMap<(&str, u8), (&str, bool)> = BTreeMap::new();
    for line in PINNED.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let (kind, number, field, is_absent) = match *words.as_slice() {
            [kind, number, field] => (kind, number, field, false),
            [kind, number, field, "removed" | "reserved"] => (kind, number, field, true),
            _ => panic!("field_numbers.txt has a line of another form: {line:?}"),
        };
        let number = number.parse().expect("the second word is a number");
        let twice = pinned.insert((kind, number), (field, is_absent));
        assert_eq!(twice, None, "{kind} {number} is in field_numbers.txt twice");
    }
    let registry = underlay_kinds::registry();
    let mut found = BTreeMap::new();
    for kind in registry.kinds() {
        for field in kind.fields {
            assert!(field.number <= HIGHEST_NUMBER, "{}.{}", kind.name, field.name);
            found.insert((kind.name, field.number), field.name);
        }
    }
    for (key, field) in &found {
        assert_eq!(
            pinned.get(key),
            Some(&(*field, false)),
            "{} {}: add `{} {} {field}` to field_numbers.txt; a number that another field had cannot be used again",
            key.0,
            field,
            key.0,
            key.1
        );
    }
    for ((kind, number), (field, is_absent)) in pinned {
        assert!(is_absent || found.contains_key(&(kind, number)), "{kind}.{field} is gone: mark its line as removed");
    }
}
