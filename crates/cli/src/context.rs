//! `underlay context`: gives names to servers, like contexts of kubectl.

use std::io::Write;

use anstyle::Style;
use clap::{Args, Subcommand};
use clap_complete::ArgValueCompleter;

use super::contexts::{self, ContextName, Contexts, ContextsError};
use super::exit::Exit;
use super::output::printed;
use super::show::{Cell, Table};
use super::target::Target;

const AFTER_HELP: &str = "\
A command talks to the first of: --server, UNDERLAY_SERVER, --context, UNDERLAY_CONTEXT, the current context, \
http://127.0.0.1:8080. The contexts are in one file, contexts.toml in the platform's configuration folder, such as \
~/.config/underlay; UNDERLAY_CONFIG names another file.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the contexts; an asterisk marks the current one.
    List,
    /// Make a context the current one.
    Use {
        /// The name of the context.
        #[arg(add = ArgValueCompleter::new(contexts::candidates))]
        name: ContextName,
    },
    /// Create or change a context: set NAME --server URL [--token-file FILE]. The first context becomes the current
    /// one.
    Set {
        /// The name of the context.
        #[arg(add = ArgValueCompleter::new(contexts::candidates))]
        name: ContextName,
    },
    /// Delete a context.
    Delete {
        /// The name of the context.
        #[arg(add = ArgValueCompleter::new(contexts::candidates))]
        name: ContextName,
    },
    /// Show the server that commands talk to, and the setting that chose it.
    Show,
}

pub(super) fn run(arguments: &Arguments, target: &Target) -> Exit {
    let done = match &arguments.command {
        Command::List => Contexts::read().map(|contexts| list(&contexts)),
        Command::Use { name } => change(|contexts| contexts.make_current(name)),
        Command::Set { name } => match &target.server {
            Some(server) => match target.token_file.as_ref().map(std::path::absolute).transpose() {
                Ok(file) => change(|contexts| Ok(contexts.set(name, server, file))),
                Err(error) => {
                    eprintln!("error: --token-file: {error}");
                    Ok(Exit::Usage)
                }
            },
            None => {
                eprintln!("error: --server is missing: underlay context set {name} --server URL");
                Ok(Exit::Usage)
            }
        },
        Command::Delete { name } => change(|contexts| contexts.delete(name)),
        Command::Show => target.choose().map(|chosen| {
            let text = format!("server  {}\nfrom    {}\n", chosen.server, chosen.by);
            printed(anstream::stdout().write_all(text.as_bytes())).exit()
        }),
    };
    done.unwrap_or_else(|error| error.explain())
}

fn change(make: impl FnOnce(&mut Contexts) -> Result<String, ContextsError>) -> Result<Exit, ContextsError> {
    let mut contexts = Contexts::read()?;
    let message = make(&mut contexts)?;
    contexts.write()?;
    Ok(printed(writeln!(anstream::stdout(), "{message}")).exit())
}

fn list(contexts: &Contexts) -> Exit {
    let rows: Vec<Vec<Cell>> = contexts
        .all()
        .map(|(name, server)| {
            let star = if contexts.current() == Some(name) { "*" } else { " " };
            vec![
                Cell { text: star.to_owned(), style: Style::new() },
                Cell::plain(name.to_string()),
                Cell::plain(server.to_string()),
            ]
        })
        .collect();
    if rows.is_empty() {
        eprintln!("there are no contexts; `underlay context set NAME --server URL` creates one");
        return Exit::Done;
    }
    let mut table = Table::new(["CURRENT", "NAME", "SERVER"].map(str::to_owned).to_vec());
    printed(table.print(&rows, &mut anstream::stdout())).exit()
}
