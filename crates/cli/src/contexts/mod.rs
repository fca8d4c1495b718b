//! The contexts: names of servers, in a file of the user. Every command reads them to find its server;
//! `underlay context` changes them.

mod file;
mod name;

use std::ffi::OsStr;

use clap_complete::CompletionCandidate;

pub(super) use file::{Contexts, ContextsError};
pub(super) use name::ContextName;

/// Returns the names of contexts that begin with a text, for the completion of arguments.
pub(super) fn candidates(current: &OsStr) -> Vec<CompletionCandidate> {
    let Ok(contexts) = Contexts::read() else { return Vec::new() };
    let typed = current.to_string_lossy();
    let names = contexts.all().map(|(name, server)| (name.to_string(), server.to_owned()));
    let fits = names.filter(|(name, _)| name.starts_with(&*typed));
    fits.map(|(name, server)| CompletionCandidate::new(name).help(Some(server.into()))).collect()
}
