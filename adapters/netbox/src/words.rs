//! The word lists: which word of Underlay stands for a role, status or type of NetBox.
//!
//! The lists come with this crate (`words.toml`). A configuration of the same form replaces single words and defaults.
//! Guarantee: a list yields only words that its field allows.

use std::collections::BTreeMap;
use std::fmt;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;
use thiserror::Error;
use underlay_kit::shown;

/// The lists that come with this crate.
const BUILT_IN: &str = include_str!("../words.toml");

/// The words of a lifecycle status.
const STATUS: &[&str] = &["PLANNED", "STAGED", "ACTIVE", "OFFLINE", "FAILED", "DECOMMISSIONING", "RETIRED"];

/// A list of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    CableMedia,
    CableStatus,
    CircuitStatus,
    CircuitType,
    ClusterType,
    DeviceRole,
    DeviceStatus,
    InterfaceType,
    PowerFeedStatus,
    ProviderType,
    RackStatus,
    SiteStatus,
    SiteType,
    VirtualMachineStatus,
}

impl List {
    /// All lists.
    const ALL: [Self; 14] = [
        Self::CableMedia,
        Self::CableStatus,
        Self::CircuitStatus,
        Self::CircuitType,
        Self::ClusterType,
        Self::DeviceRole,
        Self::DeviceStatus,
        Self::InterfaceType,
        Self::PowerFeedStatus,
        Self::ProviderType,
        Self::RackStatus,
        Self::SiteStatus,
        Self::SiteType,
        Self::VirtualMachineStatus,
    ];

    /// Returns the name of the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CableMedia => "cable-media",
            Self::CableStatus => "cable-status",
            Self::CircuitStatus => "circuit-status",
            Self::CircuitType => "circuit-type",
            Self::ClusterType => "cluster-type",
            Self::DeviceRole => "device-role",
            Self::DeviceStatus => "device-status",
            Self::InterfaceType => "interface-type",
            Self::PowerFeedStatus => "power-feed-status",
            Self::ProviderType => "provider-type",
            Self::RackStatus => "rack-status",
            Self::SiteStatus => "site-status",
            Self::SiteType => "site-type",
            Self::VirtualMachineStatus => "virtual-machine-status",
        }
    }

    /// Returns the words that the field allows.
    const fn allowed(self) -> &'static [&'static str] {
        match self {
            Self::CableMedia => &["COPPER", "FIBER_SMF", "FIBER_MMF", "DAC", "AOC", "POWER"],
            Self::CableStatus => &["PLANNED", "CONNECTED", "DECOMMISSIONING"],
            Self::CircuitType => &["CROSS_CONNECT", "PROVIDER_CIRCUIT", "TRANSIT", "PEERING"],
            Self::ClusterType => &["KUBERNETES", "HYPERVISOR"],
            Self::DeviceRole => &[
                "SERVER",
                "SPINE",
                "LEAF",
                "BORDER_ROUTER",
                "ROUTER",
                "SWITCH",
                "FIREWALL",
                "LOAD_BALANCER",
                "CONSOLE_SERVER",
                "PDU",
                "UPS",
                "PATCH_PANEL",
                "CHASSIS",
                "STORAGE",
                "OTHER",
            ],
            Self::InterfaceType => &["ETHERNET", "OPTICAL", "WIRELESS", "LAG", "VIRTUAL"],
            Self::ProviderType => {
                &["HOSTING", "COLOCATION", "TRANSIT", "INTERNET_EXCHANGE", "DARK_FIBER", "CLOUD", "OTHER"]
            }
            Self::SiteType => &["DATACENTER", "AVAILABILITY_ZONE", "EDGE", "VIRTUAL", "OTHER"],
            Self::CircuitStatus
            | Self::DeviceStatus
            | Self::PowerFeedStatus
            | Self::RackStatus
            | Self::SiteStatus
            | Self::VirtualMachineStatus => STATUS,
        }
    }

    /// Returns true if the words are those of a status.
    pub const fn is_status(self) -> bool {
        matches!(
            self,
            Self::CableStatus
                | Self::CircuitStatus
                | Self::DeviceStatus
                | Self::PowerFeedStatus
                | Self::RackStatus
                | Self::SiteStatus
                | Self::VirtualMachineStatus
        )
    }

    /// Returns true if the field may stay empty.
    const fn is_optional(self) -> bool {
        matches!(self, Self::CableMedia)
    }

    /// Returns true if a word that is not in the list is worth a report. A group says the type of a site only by
    /// chance, a slug that of a provider, and most types of interfaces are wired ones.
    const fn is_reported(self) -> bool {
        !matches!(self, Self::InterfaceType | Self::ProviderType | Self::SiteType)
    }
}

impl fmt::Display for List {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// The reason why word lists cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WordsError {
    /// The text is no TOML, or has other members.
    #[error("the word lists cannot be read: {reason}")]
    Form {
        /// The fault of the text.
        reason: String,
    },
    /// There is no such list.
    #[error("there is no word list {}; the lists are {}", shown(.name), names())]
    UnknownList {
        /// The name that was given.
        name: String,
    },
    /// The field does not allow the word.
    #[error("the word list {list} has {} for {}; allowed are {}", shown(.word), shown(.of), .list.allowed().join(", "))]
    Word {
        /// The list that has the word.
        list: List,
        /// The word of NetBox, or `default`.
        of: String,
        /// The word of Underlay that is not allowed.
        word: String,
    },
}

fn names() -> String {
    List::ALL.map(List::name).join(", ")
}

/// All word lists.
#[derive(Clone, Debug)]
pub struct Words {
    lists: BTreeMap<List, Table>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    default: String,
    #[serde(default)]
    words: BTreeMap<String, String>,
}

/// The word for something in NetBox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// The list has it.
    Known(&'a str),
    /// The list does not have it, so this is the default. `is_reported` is true if it is reported to people.
    Default {
        /// The default, `None` if the field stays empty.
        word: Option<&'a str>,
        /// True if the word should be added to the list.
        is_reported: bool,
    },
}

impl<'a> Word<'a> {
    /// Returns the word itself, `None` if the field stays empty.
    pub const fn get(self) -> Option<&'a str> {
        match self {
            Self::Known(word) => Some(word),
            Self::Default { word, .. } => word,
        }
    }
}

impl Words {
    /// Returns the lists that come with this crate, with what a text in TOML replaces.
    ///
    /// # Errors
    /// Returns an error if the text is no TOML, or names a list or a word that does not exist.
    pub fn new(replaced: Option<&str>) -> Result<Self, WordsError> {
        let mut figment = Figment::from(Toml::string(BUILT_IN));
        if let Some(text) = replaced {
            figment = figment.merge(Toml::string(text));
        }
        let tables: BTreeMap<String, Table> =
            figment.extract().map_err(|error| WordsError::Form { reason: error.to_string() })?;
        let mut lists = BTreeMap::new();
        for (name, table) in tables {
            let list = List::ALL.into_iter().find(|list| list.name() == name);
            let list = list.ok_or(WordsError::UnknownList { name })?;
            let fits = |word: &str| list.allowed().contains(&word);
            let is_empty = table.default.is_empty() && list.is_optional();
            if !is_empty && !fits(&table.default) {
                return Err(WordsError::Word { list, of: "default".to_owned(), word: table.default });
            }
            if let Some((of, word)) = table.words.iter().find(|(_, word)| !fits(word)) {
                return Err(WordsError::Word { list, of: of.clone(), word: word.clone() });
            }
            lists.insert(list, table);
        }
        Ok(Self { lists })
    }

    /// Returns the word for a slug or value of NetBox, `None` for an object that has none.
    pub fn get(&self, list: List, of: Option<&str>) -> Word<'_> {
        // Every list is in the lists that come with this crate, and a configuration cannot take one away.
        let table = self.lists.get(&list);
        let known = of.and_then(|of| table?.words.get(of));
        match known {
            Some(word) => Word::Known(word),
            None => Word::Default {
                word: table.map(|table| table.default.as_str()).filter(|word| !word.is_empty()),
                is_reported: of.is_some() && list.is_reported(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_that_come_with_the_crate_are_whole() {
        let words = Words::new(None).expect("the lists");
        assert_eq!(words.lists.keys().copied().collect::<Vec<_>>(), List::ALL);
        assert_eq!(words.get(List::DeviceRole, Some("tor-switch")), Word::Known("LEAF"));
        assert_eq!(words.get(List::InterfaceType, Some("ieee802.11ac")).get(), Some("WIRELESS"));
        let other = Word::Default { word: Some("OTHER"), is_reported: true };
        assert_eq!(words.get(List::DeviceRole, Some("espresso-machine")), other);
        assert_eq!(words.get(List::CableMedia, None), Word::Default { word: None, is_reported: false });
    }

    #[test]
    fn a_configuration_replaces_words_and_defaults() {
        let text =
            "[device-role]\ndefault = \"SERVER\"\n[device-role.words]\ntor-switch = \"SWITCH\"\nespresso = \"OTHER\"";
        let words = Words::new(Some(text)).expect("the lists");
        let get = |of| words.get(List::DeviceRole, Some(of)).get();
        assert_eq!(
            [get("tor-switch"), get("espresso"), get("router"), get("x")].map(Option::unwrap_or_default),
            ["SWITCH", "OTHER", "ROUTER", "SERVER"]
        );
        for (text, expected) in [
            ("[device-rule]\ndefault = \"OTHER\"", "there is no word list \"device-rule\"; the lists are cable-media"),
            (
                "[device-role.words]\nx = \"SERVR\"",
                "the word list device-role has \"SERVR\" for \"x\"; allowed are SERVER",
            ),
            ("[device-role]\ndefault = \"\"", "the word list device-role has \"\" for \"default\""),
            ("[device-role]\nwords = 1", "the word lists cannot be read"),
            ("[device-role", "the word lists cannot be read"),
        ] {
            let refused = Words::new(Some(text)).expect_err("refused").to_string();
            assert!(refused.contains(expected), "{refused}");
        }
    }
}
