//! The sources to synchronize, as flags or a file describe them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use figment::Figment;
use figment::providers::{Format as _, Toml};
use serde::Deserialize;
use thiserror::Error;
use underlay_exec::{Exec, Program};
use underlay_kit::printable;

use super::bcm::BcmTable;
use super::ironic::IronicTable;
use super::netbox::NetBoxTable;
use super::unusable::Unusable;

/// The default time between two full scans, in seconds, and its bounds, as the server has them.
pub(super) const DEFAULT_INTERVAL_SECONDS: u64 = 300;
const MIN_INTERVAL_SECONDS: u64 = 10;
const MAX_INTERVAL_SECONDS: u64 = 2_592_000;
/// The default time within which a program must end, in seconds.
pub(super) const DEFAULT_LIMIT_SECONDS: u64 = 600;
/// The maximum length of the name of a source, as the server has it.
const MAX_NAME_CHARACTERS: usize = 253;

/// The reason why settings cannot be used.
#[derive(Debug, Error)]
pub(super) enum SettingsError {
    #[error("{file} cannot be read: {reason}")]
    File { file: String, reason: String },
    #[error("{file} names no source: write [sources.NAME] for each one")]
    Empty { file: String },
    #[error("the source {name}: {reason}")]
    Source { name: String, reason: String },
}

/// A source to synchronize.
#[derive(Clone, Debug)]
pub(super) struct SourceSettings {
    /// The name of the source, which is also that of the manager of the fields.
    pub(super) name: String,
    /// The time between two full scans, where the server has no other one for the source.
    pub(super) interval: Duration,
    /// The state file.
    pub(super) state: PathBuf,
    /// The file of the token for the server, where this source has one of its own.
    pub(super) token_file: Option<PathBuf>,
    /// The type.
    pub(super) of: SourceType,
}

/// The type of a source, with what is special to it.
#[derive(Clone, Debug)]
pub(super) enum SourceType {
    Files(Vec<PathBuf>),
    Exec(Exec),
    NetBox(Box<NetBoxTable>),
    Bcm(Box<BcmTable>),
    Ironic(Box<IronicTable>),
}

impl SourceType {
    /// The name of the type, as the server shows it.
    pub(super) const fn name(&self) -> &'static str {
        match self {
            Self::Files(_) => "files",
            Self::Exec(_) => "exec",
            Self::NetBox(_) => "netbox",
            Self::Bcm(_) => "bcm",
            Self::Ironic(_) => "ironic",
        }
    }

    /// The address of the source, where it has one.
    pub(super) fn url(&self) -> Option<String> {
        match self {
            Self::Files(_) | Self::Exec(_) => None,
            Self::NetBox(table) => Some(table.url().to_owned()),
            Self::Bcm(table) => Some(table.url().to_owned()),
            Self::Ironic(table) => Some(table.url().to_owned()),
        }
    }

    /// Checks what the settings say by themselves. What they name may still be missing: that is the matter of the
    /// source alone.
    fn check(&self, source: &str) -> Result<(), String> {
        let made = match self {
            Self::Files(paths) if paths.is_empty() => return Err("files.paths names no file and no folder".to_owned()),
            Self::Files(_) | Self::Exec(_) => Ok(()),
            Self::NetBox(table) => table.adapter(source).map(drop),
            Self::Bcm(table) => table.adapter(source).map(drop),
            Self::Ironic(table) => table.adapter(source).map(drop),
        };
        match made {
            Err(Unusable::Settings(reason)) => Err(reason),
            Err(Unusable::Lacking(_)) | Ok(()) => Ok(()),
        }
    }
}

/// The file that names several sources.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sources: BTreeMap<String, Table>,
}

/// A source in the file. Exactly one of its last members says what it is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Table {
    #[serde(default = "interval")]
    interval: u64,
    state: Option<PathBuf>,
    token_file: Option<PathBuf>,
    files: Option<FilesTable>,
    exec: Option<ExecTable>,
    netbox: Option<NetBoxTable>,
    bcm: Option<BcmTable>,
    ironic: Option<IronicTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilesTable {
    paths: Vec<PathBuf>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExecTable {
    pub(super) program: Vec<String>,
    pub(super) hints: Option<Vec<String>>,
    #[serde(default, rename = "pass-env")]
    pub(super) pass_env: Vec<String>,
    #[serde(default = "limit")]
    pub(super) timeout: u64,
}

const fn interval() -> u64 {
    DEFAULT_INTERVAL_SECONDS
}

const fn limit() -> u64 {
    DEFAULT_LIMIT_SECONDS
}

impl SourceSettings {
    /// Reads the file that names several sources.
    pub(super) fn read(file: &Path) -> Result<Vec<Self>, SettingsError> {
        let name = printable(&file.to_string_lossy());
        let failed = |reason: String| SettingsError::File { file: name.clone(), reason };
        let text = std::fs::read_to_string(file).map_err(|error| failed(error.to_string()))?;
        Self::parse(&text, &name)
    }

    fn parse(text: &str, file: &str) -> Result<Vec<Self>, SettingsError> {
        let read = Figment::from(Toml::string(text)).extract::<File>();
        let File { sources } =
            read.map_err(|error| SettingsError::File { file: file.to_owned(), reason: error.to_string() })?;
        if sources.is_empty() {
            return Err(SettingsError::Empty { file: file.to_owned() });
        }
        sources.into_iter().map(|(name, table)| table.settings(name)).collect()
    }
}

impl Table {
    fn settings(self, name: String) -> Result<SourceSettings, SettingsError> {
        let of = match (self.files, self.exec, self.netbox, self.bcm, self.ironic) {
            (Some(files), None, None, None, None) => Ok(SourceType::Files(files.paths)),
            (None, Some(exec), None, None, None) => exec.of(),
            (None, None, Some(netbox), None, None) => Ok(SourceType::NetBox(Box::new(netbox))),
            (None, None, None, Some(bcm), None) => Ok(SourceType::Bcm(Box::new(bcm))),
            (None, None, None, None, Some(ironic)) => Ok(SourceType::Ironic(Box::new(ironic))),
            _ => {
                Err("it must have exactly one of `files`, `exec`, `netbox`, `bcm` and `ironic`, which says what it is"
                    .to_owned())
            }
        };
        let of = of.map_err(|reason| SettingsError::Source { name: name.clone(), reason })?;
        checked(name, self.interval, self.state, self.token_file, of)
    }
}

impl ExecTable {
    pub(super) fn of(self) -> Result<SourceType, String> {
        if let Some(wrong) = self.pass_env.iter().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(format!("pass-env names variables, such as LANG, and {wrong:?} is no name of one"));
        }
        let program = |words: Vec<String>, what: &str| {
            let mut words = words.into_iter();
            let program = words.next().filter(|program| !program.is_empty());
            let program = program.ok_or_else(|| format!("{what} names no program"))?;
            Ok::<_, String>(Program { program, arguments: words.collect(), pass_env: self.pass_env.clone() })
        };
        if !(1..=86_400).contains(&self.timeout) {
            return Err(format!("timeout must be 1 to 86400 seconds, not {}", self.timeout));
        }
        Ok(SourceType::Exec(Exec {
            program: program(self.program, "program")?,
            hints: self.hints.map(|words| program(words, "hints")).transpose()?,
            limit: Duration::from_secs(self.timeout),
        }))
    }
}

pub(super) fn checked(
    name: String,
    interval: u64,
    state: Option<PathBuf>,
    token_file: Option<PathBuf>,
    of: SourceType,
) -> Result<SourceSettings, SettingsError> {
    let refuse = |reason: String| Err(SettingsError::Source { name: printable(&name), reason });
    let chars = name.chars().count();
    if chars == 0 || chars > MAX_NAME_CHARACTERS {
        return refuse(format!("its name has {chars} characters; 1 to {MAX_NAME_CHARACTERS} are allowed"));
    }
    if let Err(reason) = of.check(&name) {
        return refuse(reason);
    }
    if !(MIN_INTERVAL_SECONDS..=MAX_INTERVAL_SECONDS).contains(&interval) {
        return refuse(format!(
            "interval must be {MIN_INTERVAL_SECONDS} to {MAX_INTERVAL_SECONDS} seconds, not {interval}"
        ));
    }
    let Some(state) = state.or_else(|| usual_state(&name)) else {
        return refuse("there is no home directory to keep its state in: name a file with --state".to_owned());
    };
    Ok(SourceSettings { name, interval: Duration::from_secs(interval), state, token_file, of })
}

/// Returns the usual state file of a source.
fn usual_state(source: &str) -> Option<PathBuf> {
    let folders = directories::ProjectDirs::from("", "", "underlay")?;
    let folder = folders.state_dir().unwrap_or_else(|| folders.data_local_dir());
    // A name can hold slashes and dots, which mean something in a path.
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let mut file = String::new();
    for letter in source.chars() {
        if plain(letter) { file.push(letter) } else { file.push_str(&format!("%{:x}", u32::from(letter))) }
    }
    Some(folder.join("sync").join(format!("{file}.state")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<SourceSettings>, String> {
        SourceSettings::parse(text, "sync.toml").map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_names_several_sources() {
        let text = "[sources.git]\ninterval = 60\nstate = \"/s/git\"\ntoken-file = \"/t\"\nfiles.paths = [\"/srv\"]\n\
                    [sources.dc]\nnetbox = {url = \"https://netbox.example.com\", token-file = \"/t\", tenants = true}\n\
                    [sources.gpu]\nbcm = {url = \"https://head:8081\", cert-file = \"/c\", key-file = \"/k\", site = \"ams1\"}\n\
                    [sources.iron]\nironic = {url = \"http://i:6385\", site = \"ams1\", auth = \"http-basic\", username = \"u\", password-file = \"/p\", place = [\"extra.rack={rack}\"]}\n\
                    [sources.racks]\nexec = {program = [\"racks\", \"--all\"], hints = [\"watch\"], timeout = 5}\n";
        let sources = parse(text).expect("sources");
        assert_eq!(
            sources.iter().map(|it| (&*it.name, it.of.name())).collect::<Vec<_>>(),
            [("dc", "netbox"), ("git", "files"), ("gpu", "bcm"), ("iron", "ironic"), ("racks", "exec")]
        );
        assert_eq!(sources[0].of.url().as_deref(), Some("https://netbox.example.com"));
        assert_eq!(sources[2].of.url().as_deref(), Some("https://head:8081"));
        assert_eq!(sources[3].of.url().as_deref(), Some("http://i:6385"));
        let sources = &sources[1..];
        assert_eq!((sources[0].interval.as_secs(), sources[3].interval.as_secs()), (60, DEFAULT_INTERVAL_SECONDS));
        assert_eq!(
            (sources[0].state.as_path(), sources[0].token_file.as_deref()),
            (Path::new("/s/git"), Some(Path::new("/t")))
        );
        let SourceType::Exec(exec) = &sources[3].of else { panic!("it is a program") };
        assert_eq!((&*exec.program.arguments[0], exec.limit.as_secs()), ("--all", 5));
    }

    #[test]
    fn errors_in_a_file_are_named() {
        for (text, expected) in [
            ("", "missing field `sources`"),
            ("[sources]", "sync.toml names no source"),
            ("[sources.a]", "the source a: it must have exactly one of `files`, `exec`, `netbox`, `bcm` and `ironic`"),
            ("[sources.a]\nfiles.paths = []", "files.paths names no file"),
            ("[sources.a]\nexec.program = []", "program names no program"),
            ("[sources.a]\nexec = {program = [\"x\"], timeout = 0}", "timeout must be 1 to 86400 seconds, not 0"),
            ("[sources.a]\ninterval = 1\nfiles.paths = [\"/x\"]", "interval must be 10 to 2592000 seconds, not 1"),
            ("[sources.a]\nbcm = {url = \"https://h\", cert-file = \"/c\", key-file = \"/k\"}", "missing field `site`"),
            ("[sources.a]\nnetbox = {token-file = \"/t\"}", "missing field `url`"),
            ("[sources.a]\nironic = {url = \"http://i\"}", "missing field `site`"),
            (
                "[sources.a]\nironic = {url = \"http://i\", site = \"a\", place = [\"rack\"]}",
                "write it like extra.rack={rack}",
            ),
            ("[sources.a]\nironic = {url = \"http://i\", site = \"a\", auth = \"keystone\"}", "needs --keystone-url"),
            ("[sources.a]\nironic = {url = \"http://i\", site = \"a\", username = \"u\"}", "say by --auth how"),
            ("[sources.a]\nironic = {url = \"http://i\", site = \"a\", password = \"secret\"}", "unknown field"),
            ("[sources.a]\nfiles = {path = [\"/x\"]}", "unknown field"),
            ("[sources.a]\ntoken = \"secret\"\nfiles.paths = [\"/x\"]", "unknown field"),
            ("sources = 1", "sync.toml cannot be read"),
        ] {
            let refused = parse(text).map(|sources| sources.len()).expect_err("refused");
            assert!(refused.contains(expected) && !refused.contains("secret"), "{text}: {refused}");
        }
    }

    #[test]
    fn a_state_file_is_named_after_its_source() {
        let Some(path) = usual_state("../a b") else { return };
        assert_eq!(path.file_name().and_then(|it| it.to_str()), Some("%2e%2e%2fa%20b.state"));
    }
}
