//! The serial numbers and UUIDs by which machines identify themselves, in one notation each, and the texts that identify
//! none.

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

/// Returns the digits of a UUID or a MAC address; nothing if the text is neither.
pub fn hex(text: &str) -> String {
    let text = text.trim().trim_start_matches("urn:uuid:").trim_matches(['{', '}']);
    let is_fitting = text.chars().all(|it| it.is_ascii_hexdigit() || matches!(it, '-' | ':' | '.'));
    let digits = text.chars().filter(char::is_ascii_hexdigit).map(|it| it.to_ascii_lowercase());
    if is_fitting { digits.collect() } else { String::new() }
}

/// Returns the digits of a UUID with the bytes of its first three groups in the other order. SMBIOS has them in
/// little-endian order, and some BMCs do not turn them.
pub fn swapped(digits: &str) -> String {
    in_order(digits, [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15])
}

/// Returns the digits of a UUID with all of its bytes in the other order, in which IPMI sends them.
pub fn reversed(uuid: &str) -> String {
    in_order(&hex(uuid), [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
}

/// Returns a UUID in a notation that is the same for every spelling of it and both orders of its first groups; `None` if the
/// text is no UUID, or one that means nothing.
pub fn uuid_key(text: &str) -> Option<String> {
    let digits = hex(text);
    let other = swapped(&digits);
    (digits.len() == 32 && !is_junk(&digits) && !is_junk(&other)).then(|| digits.min(other))
}

fn in_order(digits: &str, order: [usize; 16]) -> String {
    order.iter().filter_map(|at| digits.get(at * 2..at * 2 + 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_one_notation() {
        let key = uuid_key("38947555-7742-3448-3784-823347823834");
        assert!(key.is_some());
        for text in [
            "38947555774234483784823347823834",
            "{38947555-7742-3448-3784-823347823834}",
            "urn:uuid:38947555-7742-3448-3784-823347823834",
            " 38947555-7742-3448-3784-823347823834 ",
            "55759438-4277-4834-3784-823347823834",
        ] {
            assert_eq!(uuid_key(text), key, "{text}");
        }
        assert_ne!(uuid_key("38947555-7742-3448-3784-823347823835"), key);
        for text in ["CN123", "", "00000000-0000-0000-0000-000000000000", "03000200-0400-0500-0006-000700080009"] {
            assert_eq!(uuid_key(text), None, "{text}");
        }
        assert_eq!(reversed("00112233-4455-6677-8899-aabbccddeeff"), "ffeeddccbbaa99887766554433221100");
    }

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
