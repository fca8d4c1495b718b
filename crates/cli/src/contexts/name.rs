//! The name of a context.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The name of a context: 1 to 63 letters, digits, `-`, `_` and `.`, beginning with a letter or a digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ContextName(String);

impl FromStr for ContextName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let first = text.starts_with(|first: char| first.is_ascii_alphanumeric());
        let all = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
        match first && all && text.len() <= 63 {
            true => Ok(Self(text.to_owned())),
            false => Err(
                "the name of a context must be 1 to 63 letters, digits, - _ and ., beginning with a letter or a digit"
                    .to_owned(),
            ),
        }
    }
}

impl TryFrom<String> for ContextName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ContextName> for String {
    fn from(name: ContextName) -> Self {
        name.0
    }
}

impl fmt::Display for ContextName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        for good in ["prod", "eu-west.1", "1_a"] {
            assert!(good.parse::<ContextName>().is_ok(), "{good}");
        }
        for bad in ["", "-a", ".", "a b", "a/b", "é", "a\"", &"a".repeat(64)] {
            assert!(bad.parse::<ContextName>().is_err(), "{bad}");
        }
    }
}
