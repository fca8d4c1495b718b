//! Chooses the server that a command talks to.
//!
//! The first of these that is set decides: `--server`, `UNDERLAY_SERVER`, `--context`, `UNDERLAY_CONTEXT`, the current
//! context, the default address.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;
use underlay_client::ServerAddress;

use super::contexts::{self, ContextName, Contexts, ContextsError};
use super::credentials::Credentials;
pub use super::server::ServerAccess;

/// The default address on which `serve` listens.
pub const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// The arguments that choose the server.
#[derive(Clone, Debug, Default, Args)]
pub struct Target {
    /// The server to talk to. Default: that of the context, else http://127.0.0.1:8080.
    #[arg(long, global = true, env = "UNDERLAY_SERVER", value_name = "URL", help_heading = "Server")]
    pub server: Option<ServerAddress>,
    /// The context whose server to talk to; --server and UNDERLAY_SERVER take precedence. Default: the current one.
    #[arg(long, global = true, env = "UNDERLAY_CONTEXT", value_name = "NAME", help_heading = "Server",
          add = ArgValueCompleter::new(contexts::candidates))]
    pub context: Option<ContextName>,
    /// The file of the token for the Underlay server; UNDERLAY_TOKEN may hold a token itself. Default: the file of the
    /// context, otherwise, for a server of the same user on this machine, a token that it accepts.
    #[arg(long, global = true, env = "UNDERLAY_TOKEN_FILE", value_name = "FILE", help_heading = "Server")]
    pub token_file: Option<PathBuf>,
}

/// The chosen server, and the setting that named it.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The address of the server.
    pub server: ServerAddress,
    /// The setting that named the server.
    pub by: ServerSource,
    /// The token file that the context names.
    token_file: Option<PathBuf>,
}

/// The setting that names a server.
#[derive(Clone, Debug)]
pub enum ServerSource {
    /// `--server` or `UNDERLAY_SERVER`.
    Address,
    /// `--context` or `UNDERLAY_CONTEXT`.
    Context(ContextName),
    /// The current context.
    Current(ContextName),
    /// No setting: the default address is used.
    Default,
}

impl fmt::Display for ServerSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address => out.write_str("--server or UNDERLAY_SERVER"),
            Self::Context(name) => write!(out, "--context or UNDERLAY_CONTEXT: {name}"),
            Self::Current(name) => write!(out, "the current context: {name}"),
            Self::Default => out.write_str("the default address"),
        }
    }
}

impl Target {
    /// Returns the address of the chosen server with the credentials for it.
    pub fn reach(&self, chosen: Chosen) -> ServerAccess {
        let credentials = Credentials::find(&chosen.server, self.token_file.as_deref(), chosen.token_file);
        ServerAccess { server: chosen.server, credentials }
    }

    /// Chooses the server from the arguments, the environment and the contexts.
    pub fn choose(&self) -> Result<Chosen, ContextsError> {
        if let Some(server) = &self.server {
            return Ok(Chosen { server: server.clone(), by: ServerSource::Address, token_file: None });
        }
        let contexts = Contexts::read()?;
        if let Some(name) = &self.context {
            let (server, token_file) = (contexts.server(name)?, contexts.token_file(name));
            return Ok(Chosen { server, by: ServerSource::Context(name.clone()), token_file });
        }
        match contexts.current() {
            Some(name) => {
                let (server, token_file) = (contexts.server(name)?, contexts.token_file(name));
                Ok(Chosen { server, by: ServerSource::Current(name.clone()), token_file })
            }
            None => {
                // The address is a constant, and a test parses it.
                let server = DEFAULT_SERVER.parse().map_err(|reason| ContextsError::Address { reason })?;
                Ok(Chosen { server, by: ServerSource::Default, token_file: None })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_an_address() {
        assert!(DEFAULT_SERVER.parse::<ServerAddress>().is_ok());
    }
}
