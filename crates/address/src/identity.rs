//! The serial numbers and UUIDs by which machines identify themselves, and the texts that identify none.

/// Texts that firmware has where nobody entered a serial number or UUID, without their punctuation and in lower case.
const JUNK: [&str; 23] = [
    "none",
    "null",
    "nil",
    "na",
    "notavailable",
    "notapplicable",
    "notspecified",
    "notprovided",
    "notset",
    "default",
    "defaultstring",
    "unknown",
    "invalid",
    "empty",
    "oem",
    "serial",
    "serialnumber",
    "chassisserialnumber",
    "sernum",
    "0123456789",
    "123456789",
    "1234567890",
    // The UUID of many boards whose maker set none.
    "03000200040005000006000700080009",
];

/// Parts of such texts, which makers go on with in different ways.
const JUNK_PARTS: [&str; 2] = ["tobefilled", "systemserial"];

/// Returns true if a text means nothing as a serial number or UUID: it is empty, one character repeated, or one of the
/// texts that firmware has where nobody entered any.
pub fn is_junk(text: &str) -> bool {
    let plain: String = text.chars().filter(|each| each.is_alphanumeric()).collect::<String>().to_lowercase();
    let mut characters = plain.chars();
    let first = characters.next();
    characters.all(|each| Some(each) == first)
        || JUNK.contains(&plain.as_str())
        || JUNK_PARTS.iter().any(|part| plain.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_mean_nothing_are_junk() {
        for text in [
            "",
            " ",
            "0",
            "0000000",
            "00000000-0000-0000-0000-000000000000",
            "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "To Be Filled",
            "To Be Filled By O.E.M.",
            "to be filled by o.e.m",
            "To Be Filled By The Maker",
            "None",
            "N/A",
            "Not Specified",
            "Default string",
            "System Serial Number",
            "xxxxxxxx",
            "........",
            "1234567890",
            "03000200-0400-0500-0006-000700080009",
        ] {
            assert!(is_junk(text), "{text}");
        }
        for text in ["CZJ1234567", "7", "A1", "4c4c4544-0042-3510-8056-b2c04f513432", "NONE-17"] {
            assert_eq!(is_junk(text), text.len() == 1, "{text}");
        }
    }
}
