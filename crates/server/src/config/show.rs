//! The text of `underlay config`: the configuration that is in effect as TOML, each value with its origin. Passwords
//! are masked.

use figment::Figment;
use figment::value::{Num, Value};

use super::error::ConfigError;
use super::key::Key;
use super::{Settings, database_file};
use underlay_engine::store::file_url;

/// The text that stands for a secret.
const MASKED: &str = "***";

/// A configured value, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    key: Key,
    /// The value as it was written, without passwords.
    text: String,
    origin: String,
}

impl Shown {
    /// Returns all values that are configured, in the order of the keys.
    pub(super) fn all(figment: &Figment) -> Vec<Self> {
        let shown = |key: &Key| {
            let value = figment.find_value(key.name()).ok()?;
            let origin = figment.get_metadata(value.tag()).map_or_else(String::new, |it| it.name.to_string());
            Some(Self { key: *key, text: text_of(*key, &value), origin })
        };
        Key::ALL.iter().filter_map(shown).collect()
    }
}

impl Settings {
    /// Returns the origin of the value of a key, if the key is configured: `default`, a file, a variable or a flag.
    pub fn origin(&self, key: Key) -> Option<&str> {
        self.shown(key).map(|shown| shown.origin.as_str())
    }

    fn shown(&self, key: Key) -> Option<&Shown> {
        self.shown.iter().find(|shown| shown.key == key)
    }

    /// Returns the whole configuration as TOML. Each value has its origin, and passwords are masked.
    pub fn show(&self) -> Result<String, ConfigError> {
        let folder = self.folder()?;
        let row = |key: &Key| match (self.shown(*key), key) {
            (Some(shown), _) => Some((*key, shown.text.clone(), shown.origin.as_str())),
            (None, Key::DataDir) => Some((*key, folder.display().to_string(), "default")),
            (None, Key::Database) => Some((*key, file_url(&database_file(&folder)), "default, in dataDir")),
            (None, _) => None,
        };
        // A text that is quoted for JSON is quoted for TOML too.
        let setting =
            |(key, text, origin): (Key, String, _)| (format!("{} = {}", key.name(), serde_json::json!(text)), origin);
        let rows: Vec<(String, &str)> = Key::ALL.iter().filter_map(row).map(setting).collect();
        let width = rows.iter().map(|(setting, _)| setting.chars().count()).max().unwrap_or_default();
        Ok(rows.iter().map(|(setting, origin)| format!("{setting:width$}  # {}\n", origin.escape_debug())).collect())
    }
}

/// Returns the text of a value that was extracted successfully: a text, a number, a boolean or the list of issuers.
fn text_of(key: Key, value: &Value) -> String {
    match value {
        Value::String(..) if key.is_secret() => MASKED.to_owned(),
        Value::String(_, text) if key.may_hold_a_secret() => masked(text),
        Value::String(_, text) => text.clone(),
        Value::Num(_, number) => number_text(*number),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Array(_, issuers) => {
            let name = |issuer: &Value| issuer.find_ref("issuer").and_then(Value::as_str).map(str::to_owned);
            issuers.iter().filter_map(name).collect::<Vec<_>>().join(", ")
        }
        Value::Char(..) | Value::Empty(..) | Value::Dict(..) => String::new(),
    }
}

fn number_text(number: Num) -> String {
    match (number.to_i128(), number.to_u128()) {
        (Some(whole), _) => whole.to_string(),
        (None, Some(whole)) => whole.to_string(),
        (None, None) => String::new(),
    }
}

/// Returns a URL with its passwords masked.
pub(super) fn masked(url: &str) -> String {
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
