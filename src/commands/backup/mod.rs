//! `underlay backup` and `underlay restore`: copy an SQLite database to one file, and back.
//!
//! Guarantees: a file under the name of a backup is complete, verified, and ends with a checksum. Restoring it gives
//! the same database, in which controllers may only observe. Processes that serve or write to the database are not
//! disturbed. A restore that is interrupted leaves the database unchanged, and no restore ever loses a database.

mod checksum;
mod error;
mod files;
mod restore;

use std::future::Future;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use self::error::BackupError;
use self::files::{IfExists, PartialFile};
use self::restore::Unchecked;
use super::config::Flags;
use super::database::on_database;
use underlay_cli::exit::{EXIT_CODES_OF_FILES, Exit};
use underlay_cli::output::printed;
use underlay_cli::signals::Signals;
use underlay_engine::store::{Contents, DatabaseUrl, Store, add_facts_to_copy, check_copy};

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_FILES)]
pub(super) struct BackupArguments {
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_FILES)]
pub(super) struct RestoreArguments {
    /// The backup to restore.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Replace an existing database, and keep it in the same folder as NAME.before-restore-TIME.
    #[arg(long)]
    force: bool,
    /// Restore a file without a checksum at its end: a backup by a version without checksums, or a database.
    #[arg(long)]
    no_checksum: bool,
    #[command(flatten)]
    flags: Flags,
}

/// Returns the behaviour that `--force` selects.
const fn if_exists(force: bool) -> IfExists {
    if force { IfExists::Replace } else { IfExists::Keep }
}

pub(super) fn back_up(arguments: &BackupArguments) -> Exit {
    on_database(&arguments.flags, async |_, url| {
        let written = unless_ended(write(&url, arguments)).await.map(|contents| {
            let what = describe_contents(&contents) + &describe_facts(&contents);
            let backed_up = format!("backed up {what} to {}", arguments.file.display());
            backed_up + &describe_secrets(&contents)
        });
        report(written)
    })
}

pub(super) fn restore(arguments: &RestoreArguments) -> Exit {
    on_database(&arguments.flags, async |_, url| {
        let unchecked = if arguments.no_checksum { Unchecked::Accepted } else { Unchecked::Refused };
        report(unless_ended(restore::restore(&url, &arguments.file, if_exists(arguments.force), unchecked)).await)
    })
}

/// Prints the result or the error, and returns the exit code.
fn report(done: Result<String, BackupError>) -> Exit {
    match done {
        Ok(done) => printed(writeln!(std::io::stdout(), "{done}")).exit(),
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Runs an operation until it is done or the process is asked to end. An interrupted operation is dropped, which
/// removes its files.
async fn unless_ended<T>(work: impl Future<Output = Result<T, BackupError>>) -> Result<T, BackupError> {
    let mut signals = Signals::listen();
    tokio::select! {
        done = work => done,
        () = signals.next() => Err(BackupError::Ended),
    }
}

async fn write(url: &DatabaseUrl, arguments: &BackupArguments) -> Result<Contents, BackupError> {
    let (database, file) = (files::file_of(url, "pg_dump")?, &arguments.file);
    if !database.exists() {
        return Err(BackupError::NoDatabase(database));
    }
    if files::same(&database, file) {
        return Err(BackupError::Itself(database));
    }
    if file.exists() && !arguments.force {
        return Err(BackupError::BackupExists(file.clone()));
    }
    let part = PartialFile::of(file)?;
    let store = Store::open_to_look(url, underlay_kinds::tables()).await?;
    let copied = store.copy_to(part.path()).await;
    store.close().await?;
    copied?;
    add_facts_to_copy(&database, part.path()).await?;
    let contents = check_copy(part.path(), underlay_kinds::tables()).await?;
    part.add_checksum().await?;
    part.persist(file, if_exists(arguments.force))?;
    Ok(contents)
}

/// Describes the secrets in a backup, in a line of its own; empty if there are none.
fn describe_secrets(contents: &Contents) -> String {
    match contents.secrets {
        0 => String::new(),
        1 => "\nit contains 1 secret, encrypted, without the key: keep the keys of secrets elsewhere".to_owned(),
        many => {
            format!("\nit contains {many} secrets, encrypted, without the keys: keep the keys of secrets elsewhere")
        }
    }
}

/// Describes the facts in a backup; empty if there are none.
fn describe_facts(contents: &Contents) -> String {
    match contents.facts {
        0 => String::new(),
        1 => ", and 1 report about a host,".to_owned(),
        many => format!(", and {many} reports about hosts,"),
    }
}

/// Describes the contents of a backup.
fn describe_contents(contents: &Contents) -> String {
    match contents.revision {
        0 => "an empty inventory".to_owned(),
        revision => {
            let at = contents.at.format("%Y-%m-%dT%H:%M:%SZ");
            format!("revision {revision} of {at} with {} objects", contents.objects)
        }
    }
}
