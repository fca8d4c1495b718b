//! The flags of the commands that synchronize one source.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use super::bcm::BcmTable;
use super::ironic::IronicTable;
use super::netbox::NetBoxTable;
use super::settings::{
    DEFAULT_INTERVAL_SECONDS, DEFAULT_LIMIT_SECONDS, ExecTable, SettingsError, SourceSettings, SourceType, checked,
};

/// The flags of every type of source.
#[derive(Clone, Debug, Args)]
struct CommonFlags {
    /// The name of the source on the server. Default: the type.
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    name: Option<String>,
    /// The time between two full scans in seconds: 10 to 2592000. The server's interval of the source takes precedence.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_INTERVAL_SECONDS)]
    interval: u64,
    /// The state file, which remembers what the server has. It may be deleted at any time; then everything is sent
    /// once. Default: a file named after the source in the folder for state.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

/// The flags of a source that is files.
#[derive(Clone, Debug, Args)]
pub(super) struct FilesFlags {
    /// The files, and folders with all their folders.
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    common: CommonFlags,
}

/// The flags of a source that is a program.
#[derive(Clone, Debug, Args)]
pub(super) struct ExecFlags {
    /// The program and its arguments, after --. It is run without a shell.
    #[arg(required = true, last = true, value_name = "PROGRAM")]
    program: Vec<String>,
    /// A second program, which prints a line whenever something changed.
    #[arg(long, value_name = "CMD")]
    hints: Option<String>,
    /// An environment variable that the programs get, besides PATH and HOME. Can be repeated.
    #[arg(long, value_name = "NAME")]
    pass_env: Vec<String>,
    /// The time in seconds after which the program is killed: 1 to 86400.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_LIMIT_SECONDS)]
    timeout: u64,
    #[command(flatten)]
    common: CommonFlags,
}

/// The flags of a source that is a NetBox.
#[derive(Clone, Debug, Args)]
pub(super) struct NetBoxFlags {
    #[command(flatten)]
    netbox: NetBoxTable,
    #[command(flatten)]
    common: CommonFlags,
}

/// The flags of a source that is a BCM.
#[derive(Clone, Debug, Args)]
pub(super) struct BcmFlags {
    #[command(flatten)]
    bcm: BcmTable,
    #[command(flatten)]
    common: CommonFlags,
}

/// The flags of a source that is an Ironic.
#[derive(Clone, Debug, Args)]
pub(super) struct IronicFlags {
    #[command(flatten)]
    ironic: IronicTable,
    #[command(flatten)]
    common: CommonFlags,
}

impl IronicFlags {
    pub(super) fn settings(self) -> Result<SourceSettings, SettingsError> {
        self.common.settings(SourceType::Ironic(Box::new(self.ironic)))
    }
}

impl BcmFlags {
    pub(super) fn settings(self) -> Result<SourceSettings, SettingsError> {
        self.common.settings(SourceType::Bcm(Box::new(self.bcm)))
    }
}

impl NetBoxFlags {
    pub(super) fn settings(self) -> Result<SourceSettings, SettingsError> {
        self.common.settings(SourceType::NetBox(Box::new(self.netbox)))
    }
}

impl FilesFlags {
    pub(super) fn settings(self) -> Result<SourceSettings, SettingsError> {
        self.common.settings(SourceType::Files(self.paths))
    }
}

impl ExecFlags {
    pub(super) fn settings(self) -> Result<SourceSettings, SettingsError> {
        let hints = self.hints.map(|text| shell_words::split(&text)).transpose();
        let hints = hints.map_err(|error| SettingsError::Source {
            name: self.common.name.clone().unwrap_or_else(|| "exec".to_owned()),
            reason: format!("--hints cannot be read as a command: {error}"),
        });
        let exec = ExecTable { program: self.program, hints: hints?, pass_env: self.pass_env, timeout: self.timeout };
        let name = self.common.name.clone().unwrap_or_else(|| "exec".to_owned());
        let of = exec.of().map_err(|reason| SettingsError::Source { name, reason })?;
        self.common.settings(of)
    }
}

impl CommonFlags {
    fn settings(self, of: SourceType) -> Result<SourceSettings, SettingsError> {
        let name = self.name.unwrap_or_else(|| of.name().to_owned());
        checked(name, self.interval, self.state, None, of)
    }
}
