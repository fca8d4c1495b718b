//! The version of a BCM.

use std::fmt;

use serde_json::Value;
use underlay_kit::sync::AdapterError;
use underlay_kit::{shown, what};

use super::answer::wrong;

/// The oldest version that can be read.
const OLDEST: Version = Version { major: 10, minor: 25, patch: 3 };

/// A version of BCM, such as 10.25.03 or 11.0. A patch that is missing counts as 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{:02}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// Reads the answer to the question for the version.
    ///
    /// # Errors
    /// Returns an error if it is no answer of a BCM, or BCM is too old.
    pub fn read(call: &str, body: &str) -> Result<Self, AdapterError> {
        let error = |path: &str, expected: String| {
            let call = call.to_owned();
            AdapterError::WrongAnswer { call, path: path.to_owned(), expected }
        };
        let Ok(Value::Object(answer)) = serde_json::from_str(body) else {
            return Err(wrong(call, "an object with cm_version: check that the URL is that of BCM".to_owned()));
        };
        let text = answer.get("cm_version").unwrap_or(&Value::Null);
        let Some(text) = text.as_str() else {
            return Err(error("cm_version", format!("a text such as 11.0, not {}", what(text))));
        };
        let version = Self::parse(text);
        let version =
            version.ok_or_else(|| error("cm_version", format!("a version such as 11.0, not {}", shown(text))))?;
        if version < OLDEST {
            let expected = format!("version {OLDEST} or later; upgrade BCM first, not {}", shown(text));
            return Err(error("cm_version", expected));
        }
        Ok(version)
    }

    /// Reads a version, `None` if it does not begin with two numbers.
    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('.').map(|part| part.parse::<u32>().ok());
        let (major, minor) = (parts.next()??, parts.next()??);
        Some(Self { major, minor, patch: parts.next().flatten().unwrap_or_default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_are_refused() {
        for text in ["10.25.03", "10.25.3", "10.26", "11.0", "11.0-rc1.0", "11.0.2-beta"] {
            let read = Version::read("GET /version", &format!("{{\"cm_version\":\"{text}\"}}"));
            let expected = !text.contains("rc");
            assert_eq!(read.is_ok(), expected, "{text}: {read:?}");
        }
        for (body, expected) in [
            (r#"{"cm_version":"10.25"}"#, "version 10.25.03 or later; upgrade BCM first, not \"10.25\""),
            (r#"{"cm_version":"9.2.1"}"#, "version 10.25.03 or later"),
            (r#"{"cm_version":"11"}"#, "a version such as 11.0, not \"11\""),
            (r#"{"cm_version":11.0}"#, "wrong answer at cm_version: expected a text such as 11.0, not the number 11.0"),
            ("{}", "expected a text such as 11.0, not null"),
            ("<html>", "check that the URL is that of BCM"),
        ] {
            let refused = Version::read("GET /version", body).expect_err("refused").to_string();
            assert!(refused.contains(expected), "{body}: {refused}");
        }
    }
}
