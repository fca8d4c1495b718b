//! Recognises characters that a terminal does not show or that control a terminal.

/// Returns true if a character is not printed as it is. These are control characters, characters that change the
/// direction of writing, and characters that Unicode lets a terminal ignore. With the last group, two different names
/// can look the same.
pub fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_seen_and_controls_are_not() {
        assert!("aé ñ中\u{0627}\u{05d0}😀\u{301}\u{a0}-".chars().all(|letter| !is_hidden(letter)));
        for hidden in
            "\0\u{1b}\u{7f}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200e}\u{202e}\u{2028}\u{2060}\u{2066}\u{feff}\u{e0041}"
                .chars()
        {
            assert!(is_hidden(hidden), "{hidden:?}");
        }
    }
}
