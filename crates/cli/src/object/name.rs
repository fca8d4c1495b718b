//! Parses the name of an object as the user typed it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

use underlay_inventory::Description;
use underlay_kit::line;

use super::kind::{KindName, UnknownKind};

/// The maximum number of parts of a name. Objects have far fewer parents; the rest is room for slashes in names.
const MAX_NAME_PARTS: usize = 12;

/// An object as the user named it.
#[derive(Clone, Debug)]
pub(crate) enum ObjectName {
    /// An object of any kind, by its id.
    Id(Uuid),
    /// An object by its kind and the parts after the kind: names of parents and the name, or an id.
    Named {
        kind: &'static Description,
        /// The parts after the kind: at least one, none of them empty.
        parts: Vec<String>,
    },
    /// An object of any kind, by its whole path without the kind, as tables print it: `ams1/A14`.
    Path {
        /// The text that was typed.
        text: String,
        /// The reason why the text does not begin with a kind.
        no_kind: UnknownKind,
    },
    /// A text with several readings.
    OneOf {
        /// The text that was typed.
        text: String,
        /// The names that the text can mean, at least two.
        readings: Vec<ObjectName>,
    },
}

/// The reason why a text names no object.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum BadName {
    /// The text is only a kind or only a name.
    #[error("write KIND/NAME, with as many parents as are needed (rack/ams1/A14), or an id")]
    Incomplete,
    /// The text has two slashes in a row, or a slash at the end.
    #[error("an empty part between slashes names nothing; write KIND/NAME, as in rack/ams1/A14")]
    EmptyPart,
    /// The text has more parts than any real name.
    #[error("it has more than {MAX_NAME_PARTS} parts; write KIND/NAME, as in rack/ams1/A14")]
    TooLong,
    /// The text has more readings than the parser tries.
    #[error("it has more than {most} colons; write port/DEVICE/PORT")]
    TooManyColons {
        /// The maximum number of colons that are tried.
        most: usize,
    },
}

impl ObjectName {
    /// Returns an object of a kind from the text after the kind: `ams1/A14`, or an id.
    pub(crate) fn of_kind(kind: &'static Description, rest: &str) -> Result<Self, BadName> {
        let parts: Vec<String> = rest.split('/').map(str::to_owned).collect();
        match parts.iter().any(String::is_empty) {
            true => Err(BadName::EmptyPart),
            false if parts.len() > MAX_NAME_PARTS => Err(BadName::TooLong),
            false => Ok(Self::Named { kind, parts }),
        }
    }
}

impl FromStr for ObjectName {
    type Err = BadName;

    fn from_str(text: &str) -> Result<Self, BadName> {
        if let Some(id) = id(text) {
            return Ok(Self::Id(id));
        }
        let Some((kind, rest)) = text.split_once('/') else { return Err(BadName::Incomplete) };
        match kind.parse() {
            Ok(KindName(kind)) => Self::of_kind(kind, rest),
            Err(_) if text.split('/').any(str::is_empty) => Err(BadName::EmptyPart),
            Err(no_kind) => Ok(Self::Path { text: text.to_owned(), no_kind }),
        }
    }
}

/// Returns the id if the text is a UUID in the form that the server writes. Other spellings of a UUID could as well be
/// names.
pub(super) fn id(text: &str) -> Option<Uuid> {
    (text.len() == 36).then(|| Uuid::try_parse(text).ok()).flatten()
}

impl fmt::Display for ObjectName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(out, "{id}"),
            Self::Named { kind, parts } => write!(out, "{}/{}", kind.singular, line(&parts.join("/"))),
            Self::Path { text, .. } | Self::OneOf { text, .. } => write!(out, "{}", line(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        let id = "0197a0c4-5d1e-7000-8000-000000000001";
        for (text, expected) in [
            ("rack/ams1/A14", "rack/ams1/A14"),
            ("Ports/leaf-3/Ethernet1/2", "port/leaf-3/Ethernet1/2"),
            (id, id),
            ("rack/0197a0c4-5d1e-7000-8000-000000000001", "rack/0197a0c4-5d1e-7000-8000-000000000001"),
            ("ams1/A14", "ams1/A14"),
        ] {
            assert_eq!(text.parse::<ObjectName>().map(|name| name.to_string()), Ok(expected.to_owned()));
        }
    }

    #[test]
    fn invalid_names_are_rejected() {
        for (text, expected) in [
            ("rack", "write KIND/NAME"),
            ("", "write KIND/NAME"),
            ("rak//ams1", "an empty part"),
            ("rack/", "an empty part"),
            ("rack//A14", "an empty part"),
            ("rack/1/2/3/4/5/6/7/8/9/10/11/12/13", "more than 12 parts"),
        ] {
            let message = text.parse::<ObjectName>().map(|_| ()).map_err(|error| error.to_string());
            assert!(message.as_ref().is_err_and(|message| message.contains(expected)), "{text}: {message:?}");
        }
    }
}
