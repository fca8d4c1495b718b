//! Which server a command talks to.
//!
//! In this order: `--server`, `UNDERLAY_SERVER`, `--context`, `UNDERLAY_CONTEXT`, the current context, the default
//! address.

use std::fmt;
use std::path::PathBuf;

use clap::Args;
use clap_complete::ArgValueCompleter;
use underlay_client::ServerAddress;

use super::complete;
use super::context::{ContextName, Contexts, ContextsError};
use super::credentials::Credentials;

/// Where `serve` listens when nothing else is said.
pub(super) const DEFAULT_SERVER: &str = "http://127.0.0.1:8080";

/// The arguments that say which server.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct Target {
    /// The server to talk to. Default: that of the context, else http://127.0.0.1:8080.
    #[arg(long, global = true, env = "UNDERLAY_SERVER", value_name = "URL", help_heading = "Server")]
    pub(super) server: Option<ServerAddress>,
    /// The context whose server to talk to; --server and UNDERLAY_SERVER go before it. Default: the current one.
    #[arg(long, global = true, env = "UNDERLAY_CONTEXT", value_name = "NAME", help_heading = "Server",
          add = ArgValueCompleter::new(complete::contexts))]
    pub(super) context: Option<ContextName>,
    /// The file of the token to show the server; UNDERLAY_TOKEN may hold a token itself. Default: that of the context, else
    /// for a server of the same user on this machine one that it believes.
    #[arg(long, global = true, env = "UNDERLAY_TOKEN_FILE", value_name = "FILE", help_heading = "Server")]
    pub(super) token_file: Option<PathBuf>,
}

/// A server, and what is shown to it.
#[derive(Clone)]
pub(super) struct Reach {
    /// Where it is.
    pub(super) server: ServerAddress,
    /// What is shown.
    pub(super) credentials: Credentials,
}

/// A server, and what named it.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    /// Where it is.
    pub(super) server: ServerAddress,
    /// Why it is this one.
    pub(super) by: By,
    /// The file of the token that its context names.
    token_file: Option<PathBuf>,
}

/// What named a server.
#[derive(Clone, Debug)]
pub(super) enum By {
    /// `--server` or `UNDERLAY_SERVER`.
    Address,
    /// `--context` or `UNDERLAY_CONTEXT`.
    Context(ContextName),
    /// The current context.
    Current(ContextName),
    /// Nothing.
    Default,
}

impl fmt::Display for By {
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
    /// How to reach a server.
    pub(super) fn reach(&self, chosen: Chosen) -> Reach {
        let credentials = Credentials::find(&chosen.server, self.token_file.as_deref(), chosen.token_file);
        Reach { server: chosen.server, credentials }
    }

    /// The server that the arguments, the environment and the contexts come to.
    pub(super) fn choose(&self) -> Result<Chosen, ContextsError> {
        if let Some(server) = &self.server {
            return Ok(Chosen { server: server.clone(), by: By::Address, token_file: None });
        }
        let contexts = Contexts::read()?;
        if let Some(name) = &self.context {
            let (server, token_file) = (contexts.server(name)?, contexts.token_file(name));
            return Ok(Chosen { server, by: By::Context(name.clone()), token_file });
        }
        match contexts.current() {
            Some(name) => {
                let (server, token_file) = (contexts.server(name)?, contexts.token_file(name));
                Ok(Chosen { server, by: By::Current(name.clone()), token_file })
            }
            None => {
                // The address is a constant: a test reads it.
                let server = DEFAULT_SERVER.parse().map_err(|reason| ContextsError::Address { reason })?;
                Ok(Chosen { server, by: By::Default, token_file: None })
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
