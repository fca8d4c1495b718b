//! Texts of the hardware: cleaned, and without what makers leave in place of a value.

use underlay_facts::is_placeholder;
pub use underlay_facts::{clean, is_junk};

/// The UUID that boards have before their maker gives them one.
const UUID_OF_NOBODY: &str = "03000200-0400-0500-0006-000700080009";

/// Returns a cleaned text if it is a version.
pub fn version(bytes: &[u8]) -> Option<String> {
    Some(clean(bytes)).filter(|text| !is_placeholder(text))
}

/// Returns a cleaned text if it is a value.
pub fn real(bytes: &[u8]) -> Option<String> {
    Some(clean(bytes)).filter(|text| !is_junk(text))
}

/// Returns a UUID in lower case if it is one, and that of somebody.
pub fn uuid(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let groups: Vec<usize> = lower.split('-').map(str::len).collect();
    let is_hexadecimal = lower.chars().all(|letter| letter == '-' || letter.is_ascii_hexdigit());
    (groups == [8, 4, 4, 4, 12] && is_hexadecimal && !is_junk(&lower) && lower != UUID_OF_NOBODY).then_some(lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makers_leave_in_place_of_a_value_is_none() {
        for (text, expected) in [("Default string", None), ("\0\0", None), ("  S4EVNX0R \0", Some("S4EVNX0R"))] {
            assert_eq!(real(text.as_bytes()).as_deref(), expected);
        }
    }

    #[test]
    fn versions_may_be_short() {
        for (text, expected) in [("0x1", Some("0x1")), ("11", Some("11")), ("Not Specified", None), (" ", None)] {
            assert_eq!(version(text.as_bytes()).as_deref(), expected);
        }
    }

    #[test]
    fn uuids_of_nobody_are_none() {
        for junk in [
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "00000000-0000-0000-0000-000000000000",
            "03000200-0400-0500-0006-000700080009",
            "Not Settable",
            "4c4c4544-0042",
        ] {
            assert_eq!(uuid(junk), None, "{junk}");
        }
        let own = "4C4C4544-0042-4B10-8057-B7C04F503533";
        assert_eq!(uuid(own).as_deref(), Some("4c4c4544-0042-4b10-8057-b7c04f503533"));
    }
}
