//! MAC addresses in any spelling.

/// The numbers of bytes that an address may have: Ethernet, EUI-64, and IP over InfiniBand.
const LENGTHS: [usize; 3] = [6, 8, 20];

/// Returns a MAC address in lower case with colons, from any spelling: with colons, hyphens, full stops or nothing between
/// its digits, also where a URL has escaped them. Returns nothing for any other text, and for the address of nobody and
/// of everybody.
#[must_use]
pub fn mac(text: &str) -> Option<String> {
    // The longest spelling has an escape of three characters after each byte.
    if text.len() > LENGTHS[2] * 5 {
        return None;
    }
    let text = text.to_ascii_lowercase().replace("%3a", ":").replace("%2d", "-").replace("%2e", ".");
    let text = text.trim();
    let is_separator = |letter: char| ":-.".contains(letter);
    if text.starts_with(is_separator) || text.ends_with(is_separator) {
        return None;
    }
    let digits: Vec<char> = text.chars().filter(|letter| !is_separator(*letter)).collect();
    let is_whole = digits.iter().all(char::is_ascii_hexdigit) && LENGTHS.iter().any(|bytes| digits.len() == bytes * 2);
    let is_of_somebody = ['0', 'f'].iter().all(|same| digits.iter().any(|digit| digit != same));
    if !is_whole || !is_of_somebody {
        return None;
    }
    let pairs: Vec<String> = digits.chunks(2).map(|pair| pair.iter().collect()).collect();
    Some(pairs.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_one_address() {
        let spellings = [
            "52:54:00:77:00:0a",
            "52-54-00-77-00-0A",
            "52540077000a",
            "5254.0077.000a",
            "52%3A54%3a00%3A77%3A00%3A0a",
            " 52:54:00:77:00:0A ",
        ];
        for text in spellings {
            assert_eq!(mac(text).as_deref(), Some("52:54:00:77:00:0a"), "{text}");
        }
        assert_eq!(mac("0002c903000a1b2c").as_deref(), Some("00:02:c9:03:00:0a:1b:2c"));
    }

    #[test]
    fn other_texts_are_none() {
        let long = "5".repeat(10_000);
        for text in [
            "",
            "-",
            "52:54:00:77:00",
            "52:54:00:77:00:0g",
            "ffffffffffff",
            "00:00:00:00:00:00",
            "ä",
            &long,
            ":52540077000a",
        ] {
            assert_eq!(mac(text), None, "{text}");
        }
    }
}
