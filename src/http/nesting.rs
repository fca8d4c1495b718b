//! How deep the brackets of a GraphQL text stand in each other. The parser calls itself for each of them, so that a
//! text of many would end the process; it is looked at before it is parsed.

/// How deep brackets may stand in each other: far more than a query of the greatest depth with its arguments needs.
pub const MOST: usize = 128;

/// Whether brackets outside of strings and comments stand in each other deeper than [`MOST`].
pub fn is_too_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'{' | b'[' | b'(' => {
                depth += 1;
                if depth > MOST {
                    return true;
                }
                after
            }
            b'}' | b']' | b')' => {
                depth = depth.saturating_sub(1);
                after
            }
            b'#' => past(after, b"\n", false),
            b'"' if after.starts_with(b"\"\"") => past(&after[2..], b"\"\"\"", true),
            b'"' => past(after, b"\"", true),
            _ => after,
        };
    }
    false
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
