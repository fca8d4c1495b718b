//! Completes the command line: commands and flags from their definitions, names of objects from the server.
//!
//! `underlay completion SHELL` prints a script for the shell. The script calls the program again at every TAB.
//! Guarantees: such a call prints only candidates, and takes at most a second, whatever the server does.

mod names;
mod shell;
mod words;

use std::ffi::OsStr;
use std::io::Write;
use std::time::Duration;

use clap::{Args, ValueEnum};
use clap_complete::CompletionCandidate;
use clap_complete::env::CompleteEnv;
use underlay_client::{Client, Patience};

use super::exit::Exit;
use super::object::{KindName, kinds, plural};
use super::output::printed;
use shell::SHELLS;
use underlay_inventory::Description;
use words::Words;

/// The environment variable by which a shell requests candidates.
const VARIABLE: &str = "UNDERLAY_COMPLETE";
/// The time limit for the server; nobody waits longer for a TAB.
const TIME_LIMIT: Duration = Duration::from_millis(800);

const AFTER_HELP: &str = "\
To have it in every shell:
  bash  add to ~/.bashrc:                   source <(underlay completion bash)
  zsh   add to ~/.zshrc, after compinit:    source <(underlay completion zsh)
  fish  run once:                           underlay completion fish > ~/.config/fish/completions/underlay.fish";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The shell to print the script for.
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Prints the script for a shell.
pub fn run(arguments: &Arguments) -> Exit {
    let name = match arguments.shell {
        Shell::Bash => "bash",
        Shell::Zsh => "zsh",
        Shell::Fish => "fish",
    };
    let Some(shell) = SHELLS.completer(name) else { return Exit::Failed };
    let mut script = Vec::new();
    let made = shell.write_registration(VARIABLE, "underlay", "underlay", "underlay", &mut script);
    printed(made.and_then(|()| std::io::stdout().write_all(&script))).exit()
}

/// Prints candidates if a shell requested them. Returns true if so. `command` makes the definition of all commands.
pub fn answer(command: fn() -> clap::Command) -> bool {
    let folder = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(command).var(VARIABLE).shells(SHELLS);
    // On an error the shell gets no candidates, because a message would appear in the middle of the line.
    asked.try_complete(std::env::args_os(), folder.as_deref()).unwrap_or(true)
}

/// Returns the candidates after `get`: kinds, objects as KIND/NAME, and after a kind the names of its objects.
pub(super) fn kinds_and_objects(current: &OsStr) -> Vec<CompletionCandidate> {
    let words = Words::of_this_process();
    let typed = current.to_string_lossy();
    match words.kind() {
        Some(kind) => named(kind, &typed, "", &words),
        None if typed.contains('/') => objects(current),
        None => kinds_only(current),
    }
}

/// Returns kinds, such as `racks`.
pub(super) fn kinds_only(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy();
    let names = kinds().kinds().map(plural).filter(|name| name.starts_with(&*typed));
    names.map(CompletionCandidate::new).collect()
}

/// Returns objects, such as `rack/ams1/A14`.
pub(super) fn objects(current: &OsStr) -> Vec<CompletionCandidate> {
    let typed = current.to_string_lossy();
    match typed.split_once('/') {
        None => {
            let names = kinds().kinds().map(|kind| format!("{}/", kind.singular));
            names.filter(|name| name.starts_with(&*typed)).map(CompletionCandidate::new).collect()
        }
        Some((kind, rest)) => match kind.parse::<KindName>() {
            Ok(KindName(of)) => named(of, rest, &format!("{kind}/"), &Words::of_this_process()),
            Err(_) => Vec::new(),
        },
    }
}

/// Returns the names of a kind that begin with the typed text, each with a prefix.
fn named(kind: &'static Description, typed: &str, before: &str, words: &Words) -> Vec<CompletionCandidate> {
    let found = ask(kind, typed, words).unwrap_or_default();
    found.into_iter().map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

/// Requests names from the server. Returns `None` if it does not answer in time.
fn ask(kind: &'static Description, typed: &str, words: &Words) -> Option<Vec<String>> {
    let target = words.target();
    let reach = target.reach(target.choose().ok()?);
    let client =
        Client::new(reach.server, Patience { connect: TIME_LIMIT, answer: TIME_LIMIT, silence: TIME_LIMIT }).ok()?;
    let client = client.with_tokens(reach.credentials.tokens());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
    runtime.block_on(async {
        let asked = names::beginning_with(&client, kind, typed);
        tokio::time::timeout(TIME_LIMIT, asked).await.ok()
    })
}
