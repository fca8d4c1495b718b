//! `underlay backup` and `underlay restore`: an SQLite database as one file, and back.
//!
//! Guarantees: a file under the name of a backup is a whole one that was looked at, with a checksum at its end, and what
//! is restored is that to the bit; who serves or writes to the database
//! meanwhile notices nothing; a restore that ends half way leaves the database as it was, and no database is ever lost by
//! one.

mod checksum;
mod error;
mod place;
mod restored;

use std::future::Future;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use self::error::BackupError;
use self::place::{Part, There};
use self::restored::Unchecked;
use super::config::Flags;
use super::database::on_database;
use super::exit::{EXIT_CODES_OF_FILES, Exit};
use super::output::printed;
use super::signals::Signals;
use crate::kinds;
use crate::store::{Contents, DatabaseUrl, Store, check_copy};

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_FILES)]
pub(super) struct BackupArguments {
    /// The file to write.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Write over a file that is there.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    flags: Flags,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_FILES)]
pub(super) struct RestoreArguments {
    /// The backup.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Put it in the place of a database that is there; that is kept beside it, as NAME.before-restore-TIME.
    #[arg(long)]
    force: bool,
    /// Restore a file that has no checksum at its end: a backup of a version without them, or a database.
    #[arg(long)]
    no_checksum: bool,
    #[command(flatten)]
    flags: Flags,
}

/// What is to become of what is there already.
const fn there(force: bool) -> There {
    if force { There::Goes } else { There::Stays }
}

pub(super) fn back_up(arguments: &BackupArguments) -> Exit {
    on_database(&arguments.flags, async |_, url| {
        let written = unless_ended(write(&url, arguments))
            .await
            .map(|contents| format!("backed up {} to {}", told(&contents), arguments.file.display()));
        say(written)
    })
}

pub(super) fn restore(arguments: &RestoreArguments) -> Exit {
    on_database(&arguments.flags, async |_, url| {
        let unchecked = if arguments.no_checksum { Unchecked::Accepted } else { Unchecked::Refused };
        say(unless_ended(restored::restore(&url, &arguments.file, there(arguments.force), unchecked)).await)
    })
}

/// Says what was done, or why not.
fn say(done: Result<String, BackupError>) -> Exit {
    match done {
        Ok(done) => printed(writeln!(std::io::stdout(), "{done}")).exit(),
        Err(error) => {
            eprintln!("error: {error}");
            Exit::Failed
        }
    }
}

/// Works until it is done, or the process is asked to end: then what was begun is dropped, and leaves nothing.
async fn unless_ended<T>(work: impl Future<Output = Result<T, BackupError>>) -> Result<T, BackupError> {
    let mut signals = Signals::listen();
    tokio::select! {
        done = work => done,
        () = signals.next() => Err(BackupError::Ended),
    }
}

async fn write(url: &DatabaseUrl, arguments: &BackupArguments) -> Result<Contents, BackupError> {
    let (database, file) = (place::file_of(url, "pg_dump")?, &arguments.file);
    if !database.exists() {
        return Err(BackupError::NoDatabase(database));
    }
    if place::same(&database, file) {
        return Err(BackupError::Itself(database));
    }
    if file.exists() && !arguments.force {
        return Err(BackupError::BackupExists(file.clone()));
    }
    let part = Part::of(file)?;
    let store = Store::open_to_look(url, kinds::tables()).await?;
    let copied = store.copy_to(part.path()).await;
    store.close().await?;
    copied?;
    let contents = check_copy(part.path(), kinds::tables()).await?;
    part.add_checksum().await?;
    part.put(file, there(arguments.force))?;
    Ok(contents)
}

/// What a backup holds, for people.
fn told(contents: &Contents) -> String {
    match contents.revision {
        0 => "an empty inventory".to_owned(),
        revision => {
            let at = contents.at.format("%Y-%m-%dT%H:%M:%SZ");
            format!("revision {revision} of {at} with {} objects", contents.objects)
        }
    }
}
