//! The settings of `driver_info` that all nodes have besides those that come from their hosts, such as the image from which
//! Ironic boots its agent. Nodes are made anew when the database of Ironic is lost, so what they need is known here.

use serde_json::{Map, Value};
use thiserror::Error;

/// The beginnings of the names that come from the address and the credential of a host.
const OF_HOSTS: [&str; 2] = ["redfish_", "ipmi_"];

/// The reason why a setting is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DriverInfoError {
    /// It has no name or no value.
    #[error("it must be NAME=VALUE, such as deploy_iso=http://10.0.0.1/agent.iso, not {0:?}")]
    Form(String),
    /// The name is none.
    #[error("the name {0:?} must have small letters, digits and underscores alone, such as deploy_iso")]
    Name(String),
    /// It comes from the host.
    #[error("{0} comes from bmcUrl and bmcCredential of each host: set those")]
    OfHosts(String),
    /// It is there twice.
    #[error("{0} is given twice")]
    Twice(String),
}

/// Settings of `driver_info` for all nodes with a BMC.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverInfo(Map<String, Value>);

impl DriverInfo {
    /// Reads settings, each as `NAME=VALUE`. The values `true` and `false` are truth values, and all others texts.
    ///
    /// # Errors
    /// Returns the reason why one is refused.
    pub fn parse<'a>(settings: impl IntoIterator<Item = &'a str>) -> Result<Self, DriverInfoError> {
        let mut members = Map::new();
        for text in settings {
            let form = || DriverInfoError::Form(text.to_owned());
            let (name, value) = text.split_once('=').ok_or_else(form)?;
            let (name, value) = (name.trim(), value.trim());
            if name.is_empty() || value.is_empty() {
                return Err(form());
            }
            let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
            if !name.chars().all(is_plain) {
                return Err(DriverInfoError::Name(name.to_owned()));
            }
            if OF_HOSTS.iter().any(|beginning| name.starts_with(beginning)) {
                return Err(DriverInfoError::OfHosts(name.to_owned()));
            }
            let value = match value {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                text => Value::from(text),
            };
            if members.insert(name.to_owned(), value).is_some() {
                return Err(DriverInfoError::Twice(name.to_owned()));
            }
        }
        Ok(Self(members))
    }

    /// Adds these settings to those of a node.
    pub(super) fn add_to(&self, driver_info: &mut Map<String, Value>) {
        driver_info.extend(self.0.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_added_to_those_of_a_host_and_replace_none() {
        let settings = ["deploy_iso=http://10.0.0.1/agent.iso?a=b", "config_via_removable = true"];
        let mut members = json!({"redfish_address": "https://10.0.0.7"}).as_object().cloned().expect("an object");
        DriverInfo::parse(settings).expect("settings").add_to(&mut members);
        let expected = json!({"redfish_address": "https://10.0.0.7", "deploy_iso": "http://10.0.0.1/agent.iso?a=b",
            "config_via_removable": true});
        assert_eq!(Value::Object(members), expected);
        for (settings, sentence) in [
            (&["deploy_iso"][..], "it must be NAME=VALUE"),
            (&["deploy_iso="], "it must be NAME=VALUE"),
            (&["Deploy-ISO=x"], "must have small letters"),
            (&["redfish_password=x"], "comes from bmcUrl and bmcCredential"),
            (&["ipmi_address=x"], "comes from bmcUrl and bmcCredential"),
            (&["deploy_iso=a", "deploy_iso=b"], "is given twice"),
        ] {
            let refused = DriverInfo::parse(settings.iter().copied()).expect_err("refused").to_string();
            assert!(refused.contains(sentence), "{settings:?}: {refused}");
        }
    }
}
