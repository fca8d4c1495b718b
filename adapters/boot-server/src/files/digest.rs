//! Digests of files, as the API writes them.

use std::fmt;

use sha2::{Digest as _, Sha256, Sha512};

/// The digest that a file must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    Sha256(String),
    Sha512(String),
}

impl Expected {
    /// Reads `sha256:` or `sha512:` with hexadecimal digits after it.
    pub fn parse(text: &str) -> Option<Self> {
        let (algorithm, digits) = text.split_once(':')?;
        let digits = digits.to_ascii_lowercase();
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        match (algorithm.to_ascii_lowercase().as_str(), digits.len()) {
            ("sha256", 64) => Some(Self::Sha256(digits)),
            ("sha512", 128) => Some(Self::Sha512(digits)),
            _ => None,
        }
    }

    /// Returns the state of a file of which nothing was read.
    pub fn begin(self) -> Checking {
        match self {
            Self::Sha256(digits) => Checking::Sha256(Sha256::new(), digits),
            Self::Sha512(digits) => Checking::Sha512(Sha512::new(), digits),
        }
    }
}

/// A digest that is being computed, and the one that is expected.
pub enum Checking {
    Sha256(Sha256, String),
    Sha512(Sha512, String),
}

impl Checking {
    pub fn add(&mut self, part: &[u8]) {
        match self {
            Self::Sha256(state, _) => state.update(part),
            Self::Sha512(state, _) => state.update(part),
        }
    }

    /// Returns the digest if it is another one than that which is expected.
    pub fn wrong(self) -> Option<String> {
        let (found, expected) = match self {
            Self::Sha256(state, expected) => (hexadecimal(&state.finalize()), expected),
            Self::Sha512(state, expected) => (hexadecimal(&state.finalize()), expected),
        };
        (found != expected).then_some(found)
    }
}

impl fmt::Debug for Checking {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Checking")
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_and_compared() {
        let of_abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let check = |text: &str, parts: &[&[u8]]| {
            let mut checking = Expected::parse(text).expect("a digest").begin();
            parts.iter().for_each(|part| checking.add(part));
            checking.wrong()
        };
        assert_eq!(check(&format!("sha256:{of_abc}"), &[b"a", b"bc"]), None);
        assert_eq!(check(&format!("SHA256:{}", of_abc.to_uppercase()), &[b"abc"]), None);
        assert_eq!(check(&format!("sha256:{}", "0".repeat(64)), &[b"abc"]).as_deref(), Some(of_abc));
        assert!(check(&format!("sha512:{}", "0".repeat(128)), &[b"abc"]).is_some());
        for text in [
            "",
            "sha256",
            "sha256:ab",
            "md5:00",
            of_abc,
            &format!("sha512:{of_abc}"),
            &format!("sha256:{}", "g".repeat(64)),
        ] {
            assert_eq!(Expected::parse(text), None, "{text}");
        }
    }
}
