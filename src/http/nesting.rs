//! What a GraphQL text is made of, before it is parsed: how deep its brackets stand in each other, for each of which the
//! parser calls itself, so that a text of many would end the process; and how many lexical tokens it has, for each of
//! which the parser makes something.

/// How deep brackets may stand in each other: far more than a query of the greatest depth with its arguments needs.
pub const MOST: usize = 128;

/// What a text has of what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// How deep brackets outside of strings and comments stand in each other.
    pub depth: usize,
    /// How many lexical tokens there are: names, numbers, strings and punctuation.
    pub tokens: usize,
}

/// Looks at a text.
pub fn look(text: &str) -> Text {
    let mut seen = Text { depth: 0, tokens: 0 };
    let mut depth = 0_usize;
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let is_ignored = matches!(first, b' ' | b'\t' | b'\r' | b'\n' | b',' | b'#');
        seen.tokens += usize::from(!is_ignored);
        rest = match first {
            b'{' | b'[' | b'(' => {
                depth += 1;
                seen.depth = seen.depth.max(depth);
                after
            }
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                after
            }
            b'#' => past(after, b"\n", false),
            b'"' if after.starts_with(b"\"\"") => past(&after[2..], b"\"\"\"", true),
            b'"' => past(after, b"\"", true),
            first if is_word(*first) => &after[after.iter().take_while(|next| is_word(**next)).count()..],
            _ => after,
        };
    }
    seen
}

/// Whether a byte is part of a name or a number.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What comes after the next `end`, which a backslash before it hides in strings.
fn past<'a>(text: &'a [u8], end: &[u8], escapes: bool) -> &'a [u8] {
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(end) {
            return &text[at + end.len()..];
        }
        at += if escapes && text[at] == b'\\' { 2 } else { 1 };
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_too_deep(text: &str) -> bool {
        look(text).depth > MOST
    }

    #[test]
    fn tokens_are_words_strings_and_punctuation() {
        for (text, tokens) in [
            ("", 0),
            (" ,\n\t# a comment { of words\n", 0),
            ("{ a }", 3),
            ("query Q($n: Int = 12) { a(n: $n, s: \"x y\") @skip(if: true) { b_1 } }", 32),
            ("\"\"\"a block \" of { words\"\"\"", 1),
            ("aaaa bbbb", 2),
            ("{{{{", 4),
        ] {
            assert_eq!(look(text).tokens, tokens, "{text}");
        }
    }

    #[test]
    fn brackets_count_where_they_nest() {
        let deep = "{a:".repeat(MOST);
        assert!(!is_too_deep(&deep));
        assert!(is_too_deep(&format!("{deep}[")));
        assert!(is_too_deep(&format!("{deep}\"}}\"(")), "a bracket in a string closes nothing");
        assert!(is_too_deep(&format!("{deep} # }}\n(")), "nor one in a comment");
        assert!(!is_too_deep(&"{a(b: [1])}".repeat(10_000)), "beside each other they do not nest");
    }

    #[test]
    fn brackets_in_strings_and_comments_do_not_count() {
        let many = "({[".repeat(MOST);
        for text in [
            format!("\"{many}\""),
            format!("\"\\\"{many}\""),
            format!("\"\"\"{many} \" {many}\"\"\""),
            format!("\"\"\"\\\"\"\"{many}\"\"\""),
            format!("# {many}"),
            format!("\"{many}"),
        ] {
            assert!(!is_too_deep(&text), "{text}");
        }
    }
}
