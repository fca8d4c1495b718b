//! The configuration of the server. Its sources are built-in defaults (`config.default.toml`), a file, `UNDERLAY_…`
//! variables and flags. Each source overrides those before it.
//!
//! Guarantees: an unknown key, or an unknown variable with our prefix, is an error, so a typing mistake never goes
//! unnoticed. Every value knows its origin. No message shows the value of a secret.

mod auth;
mod key;
mod limits;

use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use figment::providers::{Format, Toml};
use figment::value::{Dict, Map, Value};
use figment::{Figment, Metadata, Profile, Provider};
use thiserror::Error;

pub use auth::Auth;
pub use key::Key;

use crate::access::{Role, UnknownRole};
use crate::http::{Files, Limits};
use crate::store::{DatabaseUrl, Retention, RetentionError, StoreError, file_url};

const DEFAULTS: &str = include_str!("../../config.default.toml");
/// The prefix of our environment variables.
const PREFIX: &str = "UNDERLAY_";
/// The variable that names the configuration file.
const FILE: &str = "UNDERLAY_CONFIG_FILE";
/// The variables for the commands that talk to a server.
const OF_CLIENTS: [&str; 6] = [
    "UNDERLAY_SERVER",
    "UNDERLAY_CONTEXT",
    "UNDERLAY_CONFIG",
    "UNDERLAY_TOKEN",
    "UNDERLAY_TOKEN_FILE",
    // In this directory, a server tells programs on the same machine where its key is.
    "UNDERLAY_RUN_DIR",
];

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

/// A value with its origin: `default`, a file, a variable or a flag.
#[derive(Clone)]
pub struct Setting<T> {
    /// The parsed value.
    pub value: T,
    /// The value as it was written. It can contain secrets.
    pub text: String,
    /// The origin of the value, such as `flag --listen`.
    pub origin: String,
}

/// The configuration that is in effect.
#[derive(Clone)]
pub struct Settings {
    /// The address and port on which the server listens.
    pub listen: Setting<SocketAddr>,
    /// The directory that holds the data, if it is configured.
    pub data_dir: Option<Setting<PathBuf>>,
    /// The database, if it is configured.
    pub database: Option<Setting<DatabaseUrl>>,
    /// The time for which changes are kept.
    pub feed_retention: Setting<Retention>,
    /// The database on which to listen for changes of other processes, if it is not `database`.
    pub feed_listen_url: Option<Setting<DatabaseUrl>>,
    /// The longest time that a replica may be behind and still be ready.
    pub feed_max_lag: Duration,
    /// The authentication settings.
    pub auth: Auth,
    /// The role of the token that the web page gets.
    pub page_role: Role,
    /// The certificate and key files, if the server speaks TLS.
    pub tls: Option<Files>,
    /// The origins whose pages may read answers, besides the server's own origin.
    pub origins: Vec<String>,
    /// The limits on requests, subscriptions and connections.
    pub limits: Limits,
    /// The other values to show. Each has its text, as it was written, and its origin.
    shown: Vec<(Key, String, String)>,
}

/// An error that prevents the configuration from being loaded.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("the configuration file {file} cannot be read: {error}")]
    Unreadable { file: String, error: io::Error },
    #[error("{file} is not TOML: {reason}")]
    NotToml { file: String, reason: String },
    #[error("{file}: there is no key {key:?}; allowed: {}", names())]
    UnknownKey { file: String, key: String },
    #[error("there is no variable {name}; allowed: {}, {FILE}, {}", variables(), OF_CLIENTS.join(", "))]
    UnknownVariable { name: String },
    #[error("the variable {name} is not valid UTF-8")]
    NotUnicode { name: String },
    #[error("{key} ({origin}) must be text in quotation marks")]
    NotText { key: &'static str, origin: String },
    #[error("{key} ({origin}) must not be empty", key = Key::DataDir.name())]
    NoFolder { origin: String },
    #[error("{key} ({origin}) must be an address and a port, such as 127.0.0.1:8080, not {text:?}", key = Key::Listen.name())]
    Listen { origin: String, text: String },
    #[error("{key} ({origin}): {error}", key = Key::Database.name())]
    Database { origin: String, error: StoreError },
    #[error("{key} ({origin}) must be the URL of a PostgreSQL database", key = Key::FeedListenUrl.name())]
    ListenUrl { origin: String },
    #[error("{key} ({origin}) {error}", key = Key::FeedRetention.name())]
    Retention { origin: String, error: RetentionError },
    #[error("{key} ({origin}) must be {allowed}")]
    Limit { key: &'static str, origin: String, allowed: String },
    #[error("{key} ({origin}): {error}", key = Key::AuthPageRole.name())]
    PageRole { origin: String, error: UnknownRole },
    #[error("{key} ({origin}): {reason}", key = Key::AuthIssuers.name())]
    Issuers { origin: String, reason: String },
    #[error("{key} ({origin}) must be an origin as browsers say it, such as https://example.org, not {text:?}", key = Key::Origins.name())]
    Origin { origin: String, text: String },
    #[error("{} and {} belong together: one is there without the other", Key::TlsCertificates.name(), Key::TlsKey.name())]
    HalfTls,
    #[error("there is no home directory: say where to keep data with --data-dir DIR")]
    NoHome,
}

fn names() -> String {
    Key::ALL.iter().map(|key| key.name()).collect::<Vec<_>>().join(", ")
}

fn variables() -> String {
    Key::ALL.iter().filter_map(|key| key.variable()).collect::<Vec<_>>().join(", ")
}

/// Loads the configuration from all sources.
pub fn load(sources: &Sources) -> Result<Settings, ConfigError> {
    check_variables(&sources.variables)?;
    let mut figment = Figment::from(file_layer("default", DEFAULTS)?);
    if let Some((file, text)) = file(sources)? {
        figment = figment.merge(file_layer(&file, &text)?);
    }
    for key in Key::ALL {
        let Some(name) = key.variable() else { continue };
        if let Some(value) = variable(&sources.variables, &name)? {
            figment = figment.merge(Layer::of(format!("variable {name}"), *key, value));
        }
    }
    for (key, value) in &sources.flags {
        let flag = key.flag().unwrap_or(key.name());
        figment = figment.merge(Layer::of(format!("flag {flag}"), *key, value.clone()));
    }
    settings(&figment)
}

fn settings(figment: &Figment) -> Result<Settings, ConfigError> {
    let listen = text(figment, Key::Listen)?.map(|(text, origin)| match text.parse() {
        Ok(value) => Ok(Setting { value, text, origin }),
        Err(_) => Err(ConfigError::Listen { origin, text }),
    });
    let data_dir = text(figment, Key::DataDir)?.map(|(text, origin)| match text.is_empty() {
        false => Ok(Setting { value: PathBuf::from(&text), text, origin }),
        true => Err(ConfigError::NoFolder { origin }),
    });
    let database = text(figment, Key::Database)?.map(|(text, origin)| match text.parse() {
        Ok(value) => Ok(Setting { value, text, origin }),
        Err(error) => Err(ConfigError::Database { origin, error }),
    });
    let feed_retention = text(figment, Key::FeedRetention)?.map(|(text, origin)| match text.parse() {
        Ok(value) => Ok(Setting { value, text, origin }),
        Err(error) => Err(ConfigError::Retention { origin, error }),
    });
    let feed_listen_url = text(figment, Key::FeedListenUrl)?.map(|(text, origin)| match text.parse::<DatabaseUrl>() {
        Ok(value) if value.is_shared() => Ok(Setting { value, text, origin }),
        _ => Err(ConfigError::ListenUrl { origin }),
    });
    let missing = |key: Key| move || ConfigError::NotText { key: key.name(), origin: "default".to_owned() };
    Ok(Settings {
        listen: listen.transpose()?.ok_or_else(missing(Key::Listen))?,
        data_dir: data_dir.transpose()?,
        database: database.transpose()?,
        feed_retention: feed_retention.transpose()?.ok_or_else(missing(Key::FeedRetention))?,
        feed_listen_url: feed_listen_url.transpose()?,
        feed_max_lag: limits::seconds(figment, Key::FeedMaxLag)?,
        auth: Auth::read(figment)?,
        page_role: page_role(figment)?,
        tls: tls(figment)?,
        origins: origins(figment)?,
        limits: limits::read(figment)?,
        shown: shown(figment)?,
    })
}

/// Returns the role of the page's token. The built-in defaults name one.
fn page_role(figment: &Figment) -> Result<Role, ConfigError> {
    let Some((said, origin)) = text(figment, Key::AuthPageRole)? else { return Ok(Role::Operator) };
    said.parse().map_err(|error| ConfigError::PageRole { origin, error })
}

/// Returns the files for TLS. Either both or none must be configured.
fn tls(figment: &Figment) -> Result<Option<Files>, ConfigError> {
    let file = |key: Key| Ok(text(figment, key)?.map(|(text, _)| PathBuf::from(text)));
    match (file(Key::TlsCertificates)?, file(Key::TlsKey)?) {
        (Some(certificates), Some(key)) => Ok(Some(Files { certificates, key })),
        (None, None) => Ok(None),
        _ => Err(ConfigError::HalfTls),
    }
}

/// Returns the origins, which are separated by commas or spaces.
fn origins(figment: &Figment) -> Result<Vec<String>, ConfigError> {
    let Some((said, origin)) = text(figment, Key::Origins)? else { return Ok(Vec::new()) };
    let words = said.split([',', ' ']).filter(|word| !word.is_empty());
    let is_origin = |word: &str| {
        word.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https") && !host.is_empty() && !host.contains(['/', '*', '?', '#', '@'])
        })
    };
    let read = |word: &str| match is_origin(word) {
        true => Ok(word.to_ascii_lowercase()),
        false => Err(ConfigError::Origin { origin: origin.clone(), text: word.to_owned() }),
    };
    words.map(read).collect()
}

/// Returns the values to show of all keys without a [`Setting`] of their own, as they were written.
fn shown(figment: &Figment) -> Result<Vec<(Key, String, String)>, ConfigError> {
    let apart = [Key::Listen, Key::DataDir, Key::Database, Key::FeedRetention, Key::FeedListenUrl];
    let mut shown = Vec::new();
    for key in Key::ALL.iter().filter(|key| !apart.contains(key)) {
        let value = match key {
            Key::AuthIssuers => figment.find_value(key.name()).ok().map(|value| {
                let metadata = figment.get_metadata(value.tag());
                let origin = metadata.map_or_else(String::new, |metadata| metadata.name.to_string());
                let issuers = value.as_array().unwrap_or_default().iter();
                let names = issuers.filter_map(|it| it.find_ref("issuer").and_then(Value::as_str)).collect::<Vec<_>>();
                (names.join(", "), origin)
            }),
            key => scalar(figment, *key)?,
        };
        shown.extend(value.map(|(text, origin)| (*key, text, origin)));
    }
    Ok(shown)
}

/// Returns the text of a key, with its origin. Any other type of value is an error.
fn text(figment: &Figment, key: Key) -> Result<Option<(String, String)>, ConfigError> {
    match (figment.find_value(key.name()), scalar(figment, key)?) {
        (Ok(Value::String(..)), text) => Ok(text),
        (_, Some((_, origin))) => Err(ConfigError::NotText { key: key.name(), origin }),
        (_, None) => Ok(None),
    }
}

/// Returns the value of a key as text, with its origin. The value is a text, a whole number or a boolean.
fn scalar(figment: &Figment, key: Key) -> Result<Option<(String, String)>, ConfigError> {
    let Ok(value) = figment.find_value(key.name()) else { return Ok(None) };
    let origin = figment.get_metadata(value.tag()).map_or_else(String::new, |metadata| metadata.name.to_string());
    match value {
        Value::String(_, text) => Ok(Some((text, origin))),
        Value::Num(_, number) => match (number.to_i128(), number.to_u128()) {
            (Some(whole), _) => Ok(Some((whole.to_string(), origin))),
            (None, Some(whole)) => Ok(Some((whole.to_string(), origin))),
            (None, None) => Err(ConfigError::NotText { key: key.name(), origin }),
        },
        Value::Bool(_, flag) => Ok(Some((flag.to_string(), origin))),
        _ => Err(ConfigError::NotText { key: key.name(), origin }),
    }
}

/// Returns the path and the text of the configuration file: the named one, or the usual one if it exists.
fn file(sources: &Sources) -> Result<Option<(String, String)>, ConfigError> {
    let named = match &sources.file {
        Some(file) => Some(file.clone()),
        None => variable(&sources.variables, FILE)?.map(PathBuf::from),
    };
    let Some(path) = named.clone().or_else(usual_file) else { return Ok(None) };
    let file = path.display().to_string();
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((file, text))),
        Err(error) if named.is_none() && error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ConfigError::Unreadable { file, error }),
    }
}

/// Returns the path of the configuration file in the platform's directory for configuration.
pub fn usual_file() -> Option<PathBuf> {
    Some(folders()?.config_dir().join("underlay.toml"))
}

fn folders() -> Option<directories::ProjectDirs> {
    directories::ProjectDirs::from("", "", "underlay")
}

/// Parses the text of a file. An unknown key is an error.
fn file_layer(file: &str, text: &str) -> Result<Layer, ConfigError> {
    let data = Toml::string(text).data();
    let data = data.map_err(|error| ConfigError::NotToml { file: file.to_owned(), reason: reason(&error.to_string()) });
    let values = data?.remove(&Profile::Default).unwrap_or_default();
    if let Some(key) = names_of(&values).into_iter().find(|key| Key::ALL.iter().all(|known| known.name() != *key)) {
        return Err(ConfigError::UnknownKey { file: file.to_owned(), key });
    }
    Ok(Layer { origin: file.to_owned(), values })
}

/// Returns the names of all values. If a name is the first part of one of our keys, the members of its table are named:
/// for `[feed]`, that is `feed.retention`.
fn names_of(values: &Dict) -> Vec<String> {
    let is_table = |name: &str| {
        let within = |key: &Key| key.name().strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        Key::ALL.iter().any(within)
    };
    let names = values.iter().flat_map(|(name, value)| match value {
        Value::Dict(_, inner) if is_table(name) => inner.keys().map(|inner| format!("{name}.{inner}")).collect(),
        _ => vec![name.clone()],
    });
    names.collect()
}

/// Returns the message of the library without the line of the file that it quotes, because a password may be in that
/// line.
fn reason(said: &str) -> String {
    let quotes = |line: &&str| !line.trim_start_matches(|it: char| it.is_ascii_digit() || it == ' ').starts_with('|');
    said.lines().filter(quotes).map(str::trim).collect::<Vec<_>>().join(": ")
}

/// Returns the value of a variable. An empty variable counts as not set.
fn variable(variables: &[(OsString, OsString)], name: &str) -> Result<Option<String>, ConfigError> {
    let value = variables.iter().find(|(known, _)| known == name).map(|(_, value)| value);
    match value.filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(value) => value
            .to_str()
            .map(|it| Some(it.to_owned()))
            .ok_or_else(|| ConfigError::NotUnicode { name: name.to_owned() }),
    }
}

fn check_variables(variables: &[(OsString, OsString)]) -> Result<(), ConfigError> {
    let known = |name: &str| {
        name == FILE || OF_CLIENTS.contains(&name) || Key::ALL.iter().any(|key| key.variable().as_deref() == Some(name))
    };
    for (name, value) in variables {
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        if name.starts_with(PREFIX) && !known(&name) && !is_of_kubernetes(&name, &value) {
            return Err(ConfigError::UnknownVariable { name: name.escape_debug().to_string() });
        }
    }
    Ok(())
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
    fn of(origin: String, key: Key, value: String) -> Self {
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

impl Settings {
    /// Returns the data directory: the configured one, or the one of the platform.
    pub fn folder(&self) -> Result<PathBuf, ConfigError> {
        match &self.data_dir {
            Some(folder) => Ok(folder.value.clone()),
            None => folders().map(|folders| folders.data_dir().to_owned()).ok_or(ConfigError::NoHome),
        }
    }

    /// Returns the whole configuration as TOML. Each value has its origin, and secrets are masked.
    pub fn show(&self) -> Result<String, ConfigError> {
        let folder = self.folder()?;
        let data_dir_origin = self.data_dir.as_ref().map_or("default", |folder| &folder.origin);
        let database = match &self.database {
            Some(database) => (masked(&database.text), database.origin.as_str()),
            None => (file_url(&database_file(&folder)), "default, in dataDir"),
        };
        let mut rows = vec![
            (Key::Listen, self.listen.text.clone(), self.listen.origin.as_str()),
            (Key::DataDir, folder.display().to_string(), data_dir_origin),
            (Key::Database, database.0, database.1),
            (Key::FeedRetention, self.feed_retention.text.clone(), self.feed_retention.origin.as_str()),
        ];
        if let Some(url) = &self.feed_listen_url {
            rows.push((Key::FeedListenUrl, masked(&url.text), url.origin.as_str()));
        }
        rows.extend(self.shown.iter().map(|(key, text, origin)| (*key, text.clone(), origin.as_str())));
        // A text that is quoted for JSON is quoted for TOML too.
        let setting =
            |(key, text, origin): (Key, String, _)| (format!("{} = {}", key.name(), serde_json::json!(text)), origin);
        let rows: Vec<(String, &str)> = rows.into_iter().map(setting).collect();
        let width = rows.iter().map(|(setting, _)| setting.chars().count()).max().unwrap_or_default();
        Ok(rows.iter().map(|(setting, origin)| format!("{setting:width$}  # {}\n", origin.escape_debug())).collect())
    }
}

/// Returns the path of the SQLite file in a data directory.
pub fn database_file(folder: &Path) -> PathBuf {
    folder.join("underlay.db")
}

/// Returns a URL with its passwords masked.
fn masked(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    // A carelessly written password may contain any character. It is better to mask too much.
    let (user, host) = match rest.rsplit_once('@') {
        Some((user, host)) => {
            (user.split_once(':').map_or(format!("{user}@"), |(user, _)| format!("{user}:***@")), host)
        }
        None => (String::new(), rest),
    };
    let (host, query) = host.split_once('?').map_or((host, None), |(host, query)| (host, Some(query)));
    let parts = query.into_iter().flat_map(|query| query.split('&')).map(|part| match part.split_once('=') {
        Some((name, _)) if name.to_ascii_lowercase().contains("pass") => format!("{name}=***"),
        _ => part.to_owned(),
    });
    let query = parts.collect::<Vec<_>>().join("&");
    let query = if query.is_empty() { query } else { format!("?{query}") };
    format!("{scheme}://{user}{host}{query}")
}

#[cfg(test)]
mod tests;
