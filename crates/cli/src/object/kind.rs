//! Parses kinds as people type them: `rack`, `racks`, `Rack`, `power-feeds`.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::sync::LazyLock;

use serde_json::Value;
use thiserror::Error;
use underlay_client::Listing;

use underlay_inventory::{Description, Registry};
use underlay_kit::{choices, shown};

static KINDS: LazyLock<Registry> = LazyLock::new(underlay_kinds::registry);

/// Returns the registry of the kinds that this program knows.
pub(crate) fn kinds() -> &'static Registry {
    &KINDS
}

/// Returns the root field of the API that lists the objects of a kind, such as `racks`.
pub(crate) fn plural(kind: &Description) -> String {
    kind.plural()
}

/// Returns the list of the objects of a kind, to be read page by page. A filter in the API's form selects some; null
/// selects all. Without a limit all of these are read.
pub(crate) fn listing(kind: &Description, filter: Value, selection: String, limit: Option<NonZeroUsize>) -> Listing {
    Listing { kind: kind.name.to_owned(), list: plural(kind), filter, order: None, selection, limit }
}

/// A kind that the user named.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindName(pub(crate) &'static Description);

/// The error for a word that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no kind {word}; {choices}")]
pub(crate) struct UnknownKind {
    word: String,
    choices: String,
}

impl FromStr for KindName {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Self, UnknownKind> {
        let wanted = plain(word);
        let is_meant = |kind: &&'static Description| wanted == plain(kind.name) || wanted == plain(&plural(kind));
        if let Some(kind) = kinds().kinds().find(is_meant) {
            return Ok(Self(kind));
        }
        let names: Vec<&str> = kinds().kinds().map(|kind| kind.singular).collect();
        Err(UnknownKind { word: shown(word), choices: choices(word, &names) })
    }
}

impl fmt::Display for KindName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.singular)
    }
}

/// Returns a name in lower case without separators: `PowerFeed`, `power-feed` and `POWER_FEED` are equal.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '-' | '_')).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_in_any_form() {
        for (word, expected) in [
            ("rack", "Rack"),
            ("racks", "Rack"),
            ("RACK", "Rack"),
            ("powerFeeds", "PowerFeed"),
            ("power-feed", "PowerFeed"),
            ("virtual_machines", "VirtualMachine"),
        ] {
            assert_eq!(word.parse::<KindName>().map(|kind| kind.0.name), Ok(expected), "{word}");
        }
    }

    #[test]
    fn errors_list_the_known_kinds() {
        let message = |word: &str| word.parse::<KindName>().map_err(|error| error.to_string()).expect_err("no kind");
        let list = "region, site, location, rack, powerFeed, device, port, cable, link, provider, providerNetwork, \
                    circuit, circuitTermination, cluster, virtualMachine, source, hostClass, credential, profile, \
                    appliance, host";
        assert_eq!(message("devise"), format!("there is no kind \"devise\"; did you mean device? Allowed: {list}"));
        assert_eq!(message("pod"), format!("there is no kind \"pod\"; allowed: {list}"));
        assert_eq!(message(""), format!("there is no kind \"\"; allowed: {list}"));
    }
}
