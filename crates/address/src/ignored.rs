//! Identities that mean nothing at one site: vendors ship boards with one UUID, and people clone firmware with its serial
//! number. Their operator declares them.

use std::collections::HashSet;

use thiserror::Error;

use super::identity::{hex, is_junk, uuid_key};

/// The maximum number of identities that are declared.
const MAX_IDENTITIES: usize = 256;
/// The maximum length of one in characters.
const MAX_IDENTITY_CHARACTERS: usize = 253;

/// UUIDs, serial numbers and MAC addresses that identify no machine, besides those that [`is_junk`] knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoredIdentities {
    texts: Vec<String>,
    keys: HashSet<String>,
}

/// The reason why a list of identities is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum IgnoredError {
    #[error("has {0} entries; at most {MAX_IDENTITIES} are allowed")]
    TooMany(usize),
    #[error("an entry has more than {MAX_IDENTITY_CHARACTERS} characters")]
    TooLong,
}

impl IgnoredIdentities {
    /// Returns these identities. Empty texts are left out.
    ///
    /// # Errors
    /// Returns an error if there are too many, or if one is too long.
    pub fn new(texts: impl IntoIterator<Item = String>) -> Result<Self, IgnoredError> {
        let texts: Vec<String> = texts.into_iter().map(|text| text.trim().to_owned()).collect();
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        if texts.len() > MAX_IDENTITIES {
            return Err(IgnoredError::TooMany(texts.len()));
        }
        if texts.iter().any(|text| text.chars().count() > MAX_IDENTITY_CHARACTERS) {
            return Err(IgnoredError::TooLong);
        }
        Ok(texts.into_iter().collect())
    }

    /// Returns true if a text means nothing as an identity: it is declared, in this or another spelling, or [`is_junk`].
    pub fn has(&self, text: &str) -> bool {
        is_junk(text) || !self.keys.is_empty() && self.keys.contains(&key(text))
    }

    /// Returns an identity, unless it means nothing.
    pub fn meaning<'a>(&self, text: Option<&'a str>) -> Option<&'a str> {
        text.filter(|text| !self.has(text))
    }

    /// Returns the identities as they were declared.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }
}

impl FromIterator<String> for IgnoredIdentities {
    /// Takes identities that were checked already, as a server sends them.
    fn from_iter<T: IntoIterator<Item = String>>(texts: T) -> Self {
        let texts: Vec<String> = texts.into_iter().collect();
        let keys = texts.iter().map(|text| key(text)).collect();
        Self { texts, keys }
    }
}

/// Returns an identity in a notation that all of its spellings have in common.
fn key(text: &str) -> String {
    const MAC_DIGITS: usize = 12;
    let digits = hex(text);
    let mac = Some(digits).filter(|digits| digits.len() == MAC_DIGITS);
    uuid_key(text).or(mac).unwrap_or_else(|| text.trim().to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Result<IgnoredIdentities, IgnoredError> {
        IgnoredIdentities::new(texts.iter().map(|text| (*text).to_owned()))
    }

    #[test]
    fn a_declared_identity_means_nothing_in_any_spelling() {
        let ignored =
            of(&["38947555-7742-3448-3784-823347823834", " Default String ", "00:50:56:00:00:01", ""]).unwrap();
        for text in [
            "38947555-7742-3448-3784-823347823834",
            "{38947555774234483784823347823834}",
            "55759438-4277-4834-3784-823347823834",
            "DEFAULT STRING",
            "00-50-56-00-00-01",
            "0050.5600.0001",
            "To Be Filled By O.E.M.",
        ] {
            assert!(ignored.has(text), "{text}");
        }
        for text in ["38947555-7742-3448-3784-823347823835", "CZJ1", "00:50:56:00:00:02"] {
            assert!(!ignored.has(text), "{text}");
        }
        assert_eq!(ignored.texts().len(), 3);
        assert!(!IgnoredIdentities::default().has("CZJ1"));
    }

    #[test]
    fn a_list_is_bounded() {
        assert_eq!(of(&["x"; 257]), Err(IgnoredError::TooMany(257)));
        assert_eq!(of(&[&"x".repeat(254)]), Err(IgnoredError::TooLong));
        assert!(of(&["x"; 256]).is_ok());
    }
}
