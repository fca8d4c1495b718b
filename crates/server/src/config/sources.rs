//! The sources of the configuration: the built-in defaults, a file, environment variables and flags. Each source
//! becomes a layer whose name is the origin of its values, and overrides the layers before it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};

use super::error::ConfigError;
use super::key::{FILE, Key, OF_CLIENTS, PREFIX};
use underlay_engine::runtime::test_times;

const DEFAULTS: &str = include_str!("../../../../config.default.toml");

/// The sources of the configuration, besides the built-in defaults.
#[derive(Clone, Default)]
pub struct Sources {
    /// The configuration file that a flag names.
    pub file: Option<PathBuf>,
    /// The keys that flags set, with their values.
    pub flags: Vec<(Key, String)>,
    /// The environment variables of the process.
    pub variables: Vec<(OsString, OsString)>,
}

impl Sources {
    /// Merges the layers of all sources.
    pub(super) fn merged(&self) -> Result<Figment, ConfigError> {
        self.check_variables()?;
        let mut figment = Figment::from(Layer::of_file("default".to_owned(), DEFAULTS)?);
        if let Some((file, text)) = self.read_file()? {
            figment = figment.merge(Layer::of_file(file, &text)?);
        }
        for key in Key::ALL {
            let Some(name) = key.variable() else { continue };
            if let Some(value) = self.variable(&name)? {
                figment = figment.merge(Layer::of_value(format!("variable {name}"), *key, value));
            }
        }
        for (key, value) in &self.flags {
            let flag = key.flag().unwrap_or(key.name());
            figment = figment.merge(Layer::of_value(format!("flag {flag}"), *key, value.clone()));
        }
        Ok(figment)
    }

    /// Returns the path and the text of the configuration file: the named one, or the usual one if it exists.
    fn read_file(&self) -> Result<Option<(String, String)>, ConfigError> {
        let named = match &self.file {
            Some(file) => Some(file.clone()),
            None => self.variable(FILE)?.map(PathBuf::from),
        };
        let Some(path) = named.clone().or_else(usual_file) else { return Ok(None) };
        let file = path.display().to_string();
        match std::fs::read_to_string(&path) {
            Ok(text) => Ok(Some((file, text))),
            Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(ConfigError::Unreadable { file, error }),
        }
    }

    /// Returns the value of a variable. An empty variable counts as not set.
    fn variable(&self, name: &str) -> Result<Option<String>, ConfigError> {
        let value = self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Ok(None) };
        match value.to_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(ConfigError::NotUnicode { name: name.to_owned() }),
        }
    }

    fn check_variables(&self) -> Result<(), ConfigError> {
        let is_known = |name: &str| {
            name == FILE
                || name == test_times::VARIABLE
                || OF_CLIENTS.contains(&name)
                || Key::ALL.iter().any(|key| key.variable().as_deref() == Some(name))
        };
        for (name, value) in &self.variables {
            let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
            if name.starts_with(PREFIX) && !is_known(&name) && !is_of_kubernetes(&name, &value) {
                return Err(ConfigError::UnknownVariable { name: name.escape_debug().to_string() });
            }
        }
        Ok(())
    }
}

/// Returns the path of the configuration file in the platform's directory for configuration.
pub fn usual_file() -> Option<PathBuf> {
    Some(directories()?.config_dir().join("underlay.toml"))
}

/// Returns the platform's directories.
pub(super) fn directories() -> Option<directories::ProjectDirs> {
    directories::ProjectDirs::from("", "", "underlay")
}

/// Returns true if Kubernetes has set the variable. Kubernetes gives every container variables for every service, and
/// those of a service called `underlay` have our prefix.
fn is_of_kubernetes(name: &str, value: &str) -> bool {
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    let of_a_port = ["_TCP", "_UDP", "_SCTP"].iter().any(|protocol| name.contains(protocol)) && name.contains("_PORT_");
    name.contains("_SERVICE_HOST") || name.contains("_SERVICE_PORT") || of_a_port || is_address
}

/// The values of one source, with its name as their origin.
struct Layer {
    origin: String,
    values: Dict,
}

impl Layer {
    /// Parses the text of a file.
    fn of_file(origin: String, text: &str) -> Result<Self, ConfigError> {
        let data = match Toml::string(text).data() {
            Ok(mut data) => data.remove(&Profile::Default),
            Err(error) => {
                return Err(ConfigError::NotToml { file: origin, reason: without_quotes(&error.to_string()) });
            }
        };
        let values = data.unwrap_or_default();
        // A later layer could replace such a value by a table, and then the extraction would not see it.
        if let Some(key) = values.iter().find(|(name, value)| Key::is_table(name) && value.as_dict().is_none()) {
            return Err(ConfigError::UnknownKey { origin, key: key.0.clone() });
        }
        Ok(Self { origin, values })
    }

    fn of_value(origin: String, key: Key, value: String) -> Self {
        let values = match figment::util::nest(key.name(), value.into()) {
            Value::Dict(_, values) => values,
            // `nest` always returns a dictionary, because the name is never empty.
            _ => Dict::new(),
        };
        Self { origin, values }
    }
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.origin.clone())
    }

    fn data(&self) -> Result<Map<Profile, Dict>, figment::Error> {
        Ok(Map::from_iter([(Profile::Default, self.values.clone())]))
    }
}

/// Returns the message of the library without the line of the file that it quotes, because a password may be in that
/// line.
fn without_quotes(message: &str) -> String {
    let is_quote = |line: &&str| line.trim_start_matches(|it: char| it.is_ascii_digit() || it == ' ').starts_with('|');
    message.lines().filter(|line| !is_quote(line)).map(str::trim).collect::<Vec<_>>().join(": ")
}
