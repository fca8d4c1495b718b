//! The file beside an SQLite database that holds the facts.
//!
//! The file names the history of the inventory that it belongs to. A server that finds the file of another history, such
//! as that of the database before a restore, gives it another name and begins a new one. It takes back the file of its
//! own history, if that was given another name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use sea_orm::{EntityTrait, IntoActiveModel};
use underlay_entity::facts_history::{Entity, Model};
use uuid::Uuid;

use crate::store::commit::step;
use crate::store::connection::{Content, DatabaseUrl, Store};
use crate::store::error::StoreError;

/// The usual ending of a database, and that of the file which takes its place.
const USUAL_ENDING: &str = "db";
const ENDING: &str = "facts.db";
/// The text that is added to the name of a database with another ending. Databases that differ in their endings alone have files
/// of their own.
const ADDED: &str = "-facts.db";
/// The endings of the files that SQLite keeps beside a database.
const COMPANIONS: [&str; 2] = ["-wal", "-shm"];
/// The id of the one row with the history.
const ROW_ID: i32 = 1;

/// Returns the file with the facts that belong to the database in a file: `underlay.facts.db` for `underlay.db`.
pub fn facts_file(database: &Path) -> PathBuf {
    match database.extension() {
        Some(ending) if ending == USUAL_ENDING => database.with_extension(ENDING),
        _ => with_ending(database, ADDED),
    }
}

/// Opens the file with the facts of a database to inspect it. Returns `None` if there is none.
///
/// # Errors
/// Returns an error if the file cannot be opened.
pub async fn open_facts_to_look(database: &Path) -> Result<Option<Store>, StoreError> {
    let file = facts_file(database);
    match file.exists() {
        true => Store::open_to_look(&DatabaseUrl::file(&file), crate::store::Tables::default()).await.map(Some),
        false => Ok(None),
    }
}

/// Opens or creates the file that belongs to a database and to the history of its inventory.
pub(super) async fn open(database: &Path, history: Uuid) -> Result<Store, StoreError> {
    let file = facts_file(database);
    let store = open_file(&file).await?;
    let Some(other) = store.facts_history().await?.filter(|found| *found != history) else {
        store.belong_to(history).await?;
        return Ok(store);
    };

    store.close().await?;
    let aside = aside(&file, other);
    rename(&file, &aside)?;
    tracing::warn!(
        "the facts in {} belong to another inventory, such as that before a restore: they are kept as {}",
        file.display(),
        aside.display()
    );
    // The database of before a restore was put back.
    let own = self::aside(&file, history);
    if own.exists() {
        rename(&own, &file)?;
    }
    let store = open_file(&file).await?;
    store.belong_to(history).await?;
    Ok(store)
}

async fn open_file(file: &Path) -> Result<Store, StoreError> {
    Store::open_content(&DatabaseUrl::file(file), crate::store::Tables::default(), Content::Facts).await
}

/// Returns the name of the file of another history.
fn aside(file: &Path, history: Uuid) -> PathBuf {
    with_ending(file, &format!(".of-{}", history.simple()))
}

/// Renames a file and those that SQLite keeps beside it.
fn rename(file: &Path, name: &Path) -> Result<(), StoreError> {
    for ending in COMPANIONS {
        let companion = with_ending(file, ending);
        if companion.exists() {
            std::fs::rename(&companion, with_ending(name, ending))?;
        }
    }
    Ok(std::fs::rename(file, name)?)
}

fn with_ending(file: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(file);
    name.push(ending);
    name.into()
}

impl Store {
    /// Returns the history to which the facts in this file belong.
    pub async fn facts_history(&self) -> Result<Option<Uuid>, StoreError> {
        Ok(step(Entity::find_by_id(ROW_ID).one(&self.reader)).await?.map(|row| row.history))
    }

    /// Notes the history to which the facts in this file belong, unless it is noted.
    async fn belong_to(&self, history: Uuid) -> Result<(), StoreError> {
        if self.facts_history().await?.is_some() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        let row = Model { id: ROW_ID, history }.into_active_model();
        step(Entity::insert(row).exec_without_returning(&writing.transaction)).await?;
        step(writing.transaction.commit()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_database_has_a_file_of_its_own() {
        for (database, file) in [
            ("/data/underlay.db", "/data/underlay.facts.db"),
            ("/data/underlay.sqlite", "/data/underlay.sqlite-facts.db"),
            ("/data/underlay", "/data/underlay-facts.db"),
            ("a.b.db", "a.b.facts.db"),
        ] {
            assert_eq!(facts_file(Path::new(database)), Path::new(file));
        }
    }

    #[tokio::test]
    async fn the_file_of_another_inventory_is_set_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().join("underlay.db");
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        for (history, files) in [(one, 1), (one, 1), (other, 2), (one, 2), (other, 2)] {
            let store = open(&database, history).await.expect("open the file");
            assert_eq!(store.facts_history().await.expect("read the file"), Some(history));
            store.close().await.expect("close the file");
            let kept = std::fs::read_dir(folder.path()).expect("the folder").count();
            assert_eq!(kept, files, "after the history {history}");
        }
    }
}
