//! The values of the configuration. Each function deserializes one type of value, and its error says what is allowed.
//!
//! Files hold numbers and booleans as such. Variables and flags hold every value as text, so numbers and booleans are
//! accepted as text too.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::{Deserializer, Error, Unexpected, Visitor};
use underlay_address::{Exceptions, IgnoredIdentities, Network};

use underlay_engine::access::Role;
use underlay_engine::store::{DatabaseUrl, Retention, RetentionError};

/// The longest time that can be configured in seconds.
const MAX_SECONDS: u64 = 600;

/// Deserializes text. Any other type of value is an error.
pub(super) fn text<'de, D: Deserializer<'de>>(value: D) -> Result<String, D::Error> {
    struct Text;

    impl Visitor<'_> for Text {
        type Value = String;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("text in quotation marks")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
            Ok(text.to_owned())
        }
    }

    value.deserialize_any(Text)
}

/// Deserializes text for a key that has no default.
pub(super) fn optional_text<'de, D: Deserializer<'de>>(value: D) -> Result<Option<String>, D::Error> {
    text(value).map(Some)
}

/// Deserializes the path of a file.
pub(super) fn file<'de, D: Deserializer<'de>>(value: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(Some(PathBuf::from(text(value)?)))
}

/// Deserializes the path of a directory.
pub(super) fn directory<'de, D: Deserializer<'de>>(value: D) -> Result<Option<PathBuf>, D::Error> {
    let text = text(value)?;
    if text.is_empty() {
        return Err(invalid(&text, "the path of a directory"));
    }
    Ok(Some(PathBuf::from(text)))
}

/// Deserializes an address to listen on.
pub(super) fn address<'de, D: Deserializer<'de>>(value: D) -> Result<SocketAddr, D::Error> {
    let text = text(value)?;
    text.parse().map_err(|_| invalid(&text, "an address and a port, such as 127.0.0.1:8080"))
}

/// Deserializes the URL of a database.
pub(super) fn database<'de, D: Deserializer<'de>>(value: D) -> Result<Option<DatabaseUrl>, D::Error> {
    text(value)?.parse().map(Some).map_err(D::Error::custom)
}

/// Deserializes the URL of a database that several processes can use.
pub(super) fn shared_database<'de, D: Deserializer<'de>>(value: D) -> Result<Option<DatabaseUrl>, D::Error> {
    let text = text(value)?;
    match text.parse::<DatabaseUrl>() {
        Ok(url) if url.is_shared() => Ok(Some(url)),
        _ => Err(invalid(&text, "the URL of a PostgreSQL database")),
    }
}

/// Deserializes the time for which changes are kept.
pub(super) fn retention<'de, D: Deserializer<'de>>(value: D) -> Result<Retention, D::Error> {
    let text = text(value)?;
    text.parse().map_err(|error: RetentionError| invalid(&text, &error.allowed()))
}

/// Deserializes a short time, such as `30s`.
pub(super) fn seconds<'de, D: Deserializer<'de>>(value: D) -> Result<Duration, D::Error> {
    struct Seconds;

    impl Visitor<'_> for Seconds {
        type Value = Duration;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "seconds, from 1s to {MAX_SECONDS}s")
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Duration, E> {
            let number = text.strip_suffix('s').and_then(|number| number.trim().parse().ok());
            match number.filter(|number| (1..=MAX_SECONDS).contains(number)) {
                Some(number) => Ok(Duration::from_secs(number)),
                None => Err(E::invalid_value(Unexpected::Str(text), &self)),
            }
        }
    }

    value.deserialize_any(Seconds)
}

/// Deserializes a number from 1 to `MAX_COUNT`.
pub(super) fn count<'de, const MAX_COUNT: usize, D: Deserializer<'de>>(value: D) -> Result<usize, D::Error> {
    struct Count<const MAX_COUNT: usize>;

    impl<const MAX_COUNT: usize> Count<MAX_COUNT> {
        fn check<E: Error>(self, number: Option<usize>, found: Unexpected<'_>) -> Result<usize, E> {
            let fits = number.filter(|number| (1..=MAX_COUNT).contains(number));
            fits.ok_or_else(|| E::invalid_value(found, &self))
        }
    }

    impl<const MAX_COUNT: usize> Visitor<'_> for Count<MAX_COUNT> {
        type Value = usize;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(out, "a whole number from 1 to {MAX_COUNT}")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
            self.check(number.try_into().ok(), Unexpected::Unsigned(number))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<usize, E> {
            self.check(number.try_into().ok(), Unexpected::Signed(number))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<usize, E> {
            self.check(text.parse().ok(), Unexpected::Str(text))
        }
    }

    value.deserialize_any(Count::<MAX_COUNT>)
}

/// Deserializes a boolean.
pub(super) fn flag<'de, D: Deserializer<'de>>(value: D) -> Result<bool, D::Error> {
    struct Flag;

    impl Visitor<'_> for Flag {
        type Value = bool;

        fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
            out.write_str("true or false")
        }

        fn visit_bool<E: Error>(self, flag: bool) -> Result<bool, E> {
            Ok(flag)
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<bool, E> {
            text.parse().map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
        }
    }

    value.deserialize_any(Flag)
}

/// Deserializes the name of a role.
pub(super) fn role<'de, D: Deserializer<'de>>(value: D) -> Result<Role, D::Error> {
    text(value)?.parse().map_err(D::Error::custom)
}

/// Deserializes origins of web pages, which are separated by commas or spaces.
pub(super) fn origins<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<String>, D::Error> {
    let text = text(value)?;
    let is_origin = |word: &str| {
        word.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '*', '?', '#', '@'])
        })
    };
    let read = |word: &str| match is_origin(word) {
        true => Ok(word.to_ascii_lowercase()),
        false => Err(invalid(word, "an origin, such as https://example.org, or a list of them with spaces between")),
    };
    text.split([',', ' ']).filter(|word| !word.is_empty()).map(read).collect()
}

/// Deserializes networks whose addresses are allowed although they are reserved, which are separated by commas or
/// spaces.
pub(super) fn exceptions<'de, D: Deserializer<'de>>(value: D) -> Result<Exceptions, D::Error> {
    networks(value).map(Exceptions::new)
}

/// Deserializes identities, which are separated by commas.
pub(super) fn identities<'de, D: Deserializer<'de>>(value: D) -> Result<IgnoredIdentities, D::Error> {
    let text = text(value)?;
    IgnoredIdentities::new(text.split(',').map(str::to_owned)).map_err(D::Error::custom)
}

/// Deserializes networks, which are separated by commas or spaces.
pub(super) fn networks<'de, D: Deserializer<'de>>(value: D) -> Result<Vec<Network>, D::Error> {
    let text = text(value)?;
    let read = |word: &str| {
        word.parse::<Network>().map_err(|_| {
            invalid(word, "an IP address or a network, such as 127.0.0.0/8, or a list of them with spaces between")
        })
    };
    let networks = text.split([',', ' ']).filter(|word| !word.is_empty()).map(read);
    networks.collect()
}

fn invalid<E: Error>(text: &str, allowed: &str) -> E {
    E::invalid_value(Unexpected::Str(text), &allowed)
}
