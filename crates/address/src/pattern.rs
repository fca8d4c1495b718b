//! Patterns of names, with `*` for any text and `?` for one character.

/// Returns true if a name fits a pattern as a whole. The time is at most the product of both lengths.
pub fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut index) = (0, 0);
    // The last star, and the index up to which it stands for text.
    let mut star: Option<(usize, usize)> = None;
    while index < name.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, index));
                at += 1;
            }
            Some(it) if *it == '?' || *it == name[index] => {
                at += 1;
                index += 1;
            }
            _ => match star {
                Some((star_at, covered)) => {
                    star = Some((star_at, covered + 1));
                    (at, index) = (star_at + 1, covered + 1);
                }
                None => return false,
            },
        }
    }
    pattern[at..].iter().all(|it| *it == '*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_name_fits_as_a_whole() {
        for (pattern, name, expected) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("*", "anything", true),
            ("node-*", "node-17", true),
            ("node-*", "a-node-17", false),
            ("node-?", "node-1", true),
            ("node-?", "node-17", false),
            ("*-17", "node-17", true),
            ("n*e*7", "node-17", true),
            ("n*e*7", "node-18", false),
            ("a*b*c", "aXbXbXc", true),
            ("**", "x", true),
            ("?", "ä", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
        assert!(!fits(&"*a".repeat(50), &"a".repeat(49)), "it ends soon");
    }
}
