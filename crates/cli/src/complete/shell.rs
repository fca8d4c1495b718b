//! The shells of the completion library, with one change: if nothing is typed and there are names to offer, flags are
//! not offered. The shell can then complete a single name at once.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use clap_complete::env::{Bash, EnvCompleter, Fish, Shells, Zsh};

/// The supported shells.
pub(super) const SHELLS: Shells<'static> = Shells(&[&NamesFirst(&Bash), &NamesFirst(&Zsh), &NamesFirst(&Fish)]);

/// A shell that offers flags only if there are no names.
struct NamesFirst(&'static (dyn EnvCompleter + Sync));

impl EnvCompleter for NamesFirst {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn is(&self, name: &str) -> bool {
        self.0.is(name)
    }

    fn write_registration(
        &self,
        var: &str,
        name: &str,
        bin: &str,
        completer: &str,
        buf: &mut dyn io::Write,
    ) -> io::Result<()> {
        self.0.write_registration(var, name, bin, completer, buf)
    }

    fn write_complete(
        &self,
        cmd: &mut clap::Command,
        args: Vec<OsString>,
        current_dir: Option<&Path>,
        buf: &mut dyn io::Write,
    ) -> io::Result<()> {
        // The script for bash passes the separator of candidates; the other scripts take lines.
        let between = std::env::var("_CLAP_IFS").unwrap_or_else(|_| "\n".to_owned());
        let cursor = std::env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse::<usize>().ok());
        let at = cursor.map_or(args.last(), |index| args.get(index));
        let nothing_typed = at.is_none_or(|word| word.is_empty());
        let mut candidates = Vec::new();
        self.0.write_complete(cmd, args, current_dir, &mut candidates)?;
        let candidates = String::from_utf8_lossy(&candidates);
        match nothing_typed {
            true => buf.write_all(without_flags(&candidates, &between).as_bytes()),
            false => buf.write_all(candidates.as_bytes()),
        }
    }
}

/// Returns the candidates without flags, or all candidates if there are only flags.
fn without_flags(candidates: &str, between: &str) -> String {
    let names: Vec<&str> = candidates.split(between).filter(|candidate| !candidate.starts_with('-')).collect();
    match names.iter().any(|name| !name.is_empty()) {
        true => names.join(between),
        false => candidates.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_are_offered_if_there_is_nothing_else() {
        assert_eq!(without_flags("a:one\n--b:two\nc\n", "\n"), "a:one\nc\n");
        assert_eq!(without_flags("--b\u{b}--c", "\u{b}"), "--b\u{b}--c");
        assert_eq!(without_flags("", "\n"), "");
    }
}
