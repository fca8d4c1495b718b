//! The grammar of labels, which is that of Kubernetes.

/// Returns true if a text can be the value of a label, or the name in its key: 1 to 63 letters, digits, `-`, `_` and
/// `.`, with a letter or digit at both ends.
pub fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_edge = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let is_inner = bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte));
    bytes.len() <= 63 && is_inner && is_edge(bytes.first()) && is_edge(bytes.last())
}
