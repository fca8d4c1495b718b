//! The words of a command line that is being completed.
//!
//! The completer of an argument sees only the word at the cursor. The other words are in the arguments of the process,
//! after the `--` that the shell's script inserts.

use std::env;

use crate::object::KindName;
use crate::target::Target;
use underlay_inventory::Description;

/// The words before the cursor, without the program.
#[derive(Clone, Debug)]
pub(super) struct Words(Vec<String>);

impl Words {
    /// Returns the words that this process was asked to complete.
    pub(super) fn of_this_process() -> Self {
        let after = env::args_os().skip_while(|word| word != "--").skip(2);
        let mut words: Vec<String> = after.map(|word| word.to_string_lossy().into_owned()).collect();
        // Shells that do not report the position of the cursor pass the words up to it.
        let cursor = env::var("_CLAP_COMPLETE_INDEX").ok().and_then(|index| index.parse::<usize>().ok());
        words.truncate(cursor.map_or(words.len(), |index| index).saturating_sub(1));
        Self(words)
    }

    /// Returns the kind after `get`.
    pub(super) fn kind(&self) -> Option<&'static Description> {
        let after = self.0.iter().skip_while(|word| *word != "get").skip(1);
        let mut kinds = after.filter_map(|word| word.parse::<KindName>().ok());
        kinds.next().map(|KindName(kind)| kind)
    }

    /// Returns the server that the words and the environment name.
    pub(super) fn target(&self) -> Target {
        let argument = |flag: &str, variable: &str| {
            let with_equals = format!("{flag}=");
            let same_word = self.0.iter().filter_map(|word| word.strip_prefix(&with_equals));
            let next_word = self.0.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].as_str());
            same_word.chain(next_word).last().map(str::to_owned).or_else(|| env::var(variable).ok())
        };
        Target {
            server: argument("--server", "UNDERLAY_SERVER").and_then(|address| address.parse().ok()),
            context: argument("--context", "UNDERLAY_CONTEXT").and_then(|name| name.parse().ok()),
            token_file: argument("--token-file", "UNDERLAY_TOKEN_FILE").map(Into::into),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Words {
        Words(text.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn words_determine_kind_and_server() {
        assert_eq!(words("-v get --output wide racks A1").kind().map(|kind| kind.name), Some("Rack"));
        assert!(words("describe racks").kind().is_none());
        let target = words("get racks --server http://a --context=lab --server=http://b").target();
        assert_eq!(target.context.map(|name| name.to_string()).as_deref(), Some("lab"));
        assert_eq!(target.server.map(|server| server.to_string()).as_deref(), Some("http://a"));
    }
}
