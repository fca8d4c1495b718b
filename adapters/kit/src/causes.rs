//! The causes of an error, in one line.

use std::error::Error;

/// The maximum number of causes. A chain is short; the bound is for a library that links it to itself.
const MAX_CAUSES: usize = 8;

/// Returns the causes of an error, each once, without the error itself. Libraries for HTTP say what happened in the
/// causes, and only that a request failed in the error. The text is empty if there are none.
pub fn causes(error: &dyn Error) -> String {
    let mut reasons = String::new();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()).take(MAX_CAUSES) {
        let text = cause.to_string();
        if !reasons.contains(&text) {
            if !reasons.is_empty() {
                reasons.push_str(": ");
            }
            reasons.push_str(&text);
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use thiserror::Error;

    use super::*;

    #[derive(Debug, Error)]
    #[error("{0}")]
    struct Layer(&'static str, #[source] Option<Box<Layer>>);

    fn chain(texts: &[&'static str]) -> Layer {
        let layer = |inner: Option<Box<Layer>>, text: &&'static str| Some(Box::new(Layer(text, inner)));
        Layer("outer", texts.iter().rev().fold(None, layer))
    }

    #[test]
    fn each_cause_is_printed_once() {
        assert_eq!(causes(&chain(&[])), "");
        assert_eq!(causes(&chain(&["connect", "refused", "refused"])), "connect: refused");
        assert_eq!(causes(&chain(&["1", "2", "3", "4", "5", "6", "7", "8", "9"])), "1: 2: 3: 4: 5: 6: 7: 8");
    }
}
