//! The commands of the program: those of `crates/cli`, which are clients of a server, and those that run a server or
//! work on its files.
//!
//! `serve` runs the server. `doctor`, `backup` and `restore` work on the database of a server, `config` and `token` on its
//! configuration and its key. `schema`, `man` and `completion` print what the program knows of itself.

mod backup;
mod config;
mod database;
mod doctor;
mod inside;
mod man;
mod schema;
mod serve;
mod token;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use underlay_cli::complete;
use underlay_cli::exit::EXIT_CODES;
use underlay_cli::target::Target;

/// The inventory graph under physical infrastructure.
#[derive(Debug, Parser)]
#[command(name = "underlay", version, propagate_version = true, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    Serve(serve::Arguments),
    #[command(flatten)]
    OnServer(underlay_cli::Command),
    /// Create tokens for a server that has no other issuer of tokens.
    Token(token::Arguments),
    /// Print the completion script for a shell.
    Completion(complete::Arguments),
    /// Print the configuration of the server, and where each value comes from.
    #[command(after_help = EXIT_CODES)]
    Config(config::Flags),
    /// Check the database and the files around it, and explain how to fix what is wrong.
    ///
    /// The command works with or without a running server, and writes nothing. It reads everything, so it needs as much
    /// memory as a server, in addition to the memory of a running server.
    Doctor(doctor::Arguments),
    /// Write a backup of an SQLite database to a file, even while a server uses the database.
    ///
    /// The backup is complete, of one revision, and verified before the file gets its name. Back up a PostgreSQL
    /// database with pg_dump, which is part of PostgreSQL.
    Backup(backup::BackupArguments),
    /// Replace an SQLite database, which no server may be using, with a backup.
    ///
    /// Changes made since the backup are lost. Subscribers that have already received such changes get
    /// REVISION_COMPACTED and must start again. Controllers may only observe until `underlay hosts resume`, because
    /// machines may have changed since the backup.
    Restore(backup::RestoreArguments),
    /// Print the GraphQL schema.
    Schema,
    /// Write the manual pages to a folder.
    #[command(hide = true)]
    Man(man::Arguments),
}

/// Runs the command that the arguments name.
pub fn run() -> ExitCode {
    if complete::answer(command) {
        return ExitCode::SUCCESS;
    }
    let Arguments { command, target } = Arguments::parse();
    match command {
        Command::OnServer(command) => underlay_cli::run(command, &target),
        Command::Serve(serve) => serve::run(serve),
        Command::Schema => schema::run(),
        Command::Config(flags) => config::run(&flags).into(),
        Command::Token(token) => token::run(&token, &target).into(),
        Command::Completion(completion) => complete::run(&completion).into(),
        Command::Backup(backup) => backup::back_up(&backup).into(),
        Command::Restore(restore) => backup::restore(&restore).into(),
        Command::Doctor(doctor) => doctor::run(&doctor).into(),
        Command::Man(man) => man::run(&man).into(),
    }
}

/// Returns the definition of the command line, for completion scripts and manual pages.
fn command() -> clap::Command {
    Arguments::command()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the flags of commands that hide a flag which all commands beneath another one have: both get one value.
    fn hidden(command: &clap::Command, inherited: &BTreeSet<String>) -> Vec<String> {
        let flags = |command: &clap::Command, fits: &dyn Fn(&clap::Arg) -> bool| -> BTreeSet<String> {
            command.get_arguments().filter(|flag| fits(flag)).map(|flag| flag.get_id().to_string()).collect()
        };
        let mut found = Vec::new();
        let mut all = inherited.clone();
        all.extend(flags(command, &|flag| flag.is_global_set()));
        for sub in command.get_subcommands() {
            let own = flags(sub, &|_| true);
            found.extend(own.intersection(&all).map(|flag| format!("{} {flag}", sub.get_name())));
            found.extend(hidden(sub, &all));
        }
        found
    }

    #[test]
    fn no_flag_of_a_command_hides_one_that_all_commands_have() {
        assert_eq!(hidden(&command(), &BTreeSet::new()), Vec::<String>::new());
    }
}
