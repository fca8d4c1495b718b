//! Facts in a backup: one file holds the inventory and the facts, in the tables that the inventory's migrations make.

use std::path::Path;

use sea_orm::{
    ColumnTrait as _, ConnectionTrait as _, Database, DatabaseConnection, DbBackend, DbErr, EntityTrait,
    FromQueryResult, ModelTrait, QueryFilter as _, QueryOrder as _, QuerySelect as _, Statement,
};
use underlay_entity::{facts, hardware_event, hardware_part, hardware_stay};

use super::{FactsStore, Place, facts_file};
use crate::store::commit::step;
use crate::store::connection::{DatabaseUrl, Store, settle_options};
use crate::store::error::StoreError;

/// The tables of facts.
const TABLES: [&str; 5] = ["facts", "facts_body", "hardware_event", "hardware_part", "hardware_stay"];
/// The number of rows that are looked at for what is moved in one transaction.
const ROWS_TOGETHER: u64 = 500;

/// Adds the facts that belong to a database in a file to a copy of that database. One transaction reads them, so they
/// are of one moment.
///
/// # Errors
/// Returns an error if the copy cannot be written, or if the facts cannot be read. The copy is unusable then.
pub async fn add_facts_to_copy(database: &Path, copy: &Path) -> Result<(), StoreError> {
    let facts = facts_file(database);
    if !facts.exists() {
        return Ok(());
    }
    let attach = format!("ATTACH DATABASE '{}' AS beside", facts.display().to_string().replace('\'', "''"));
    let connection = Database::connect(settle_options(&DatabaseUrl::file(copy))).await?;
    let added = async {
        connection.execute_unprepared(&attach).await?;
        let tables = tables_beside(&connection).await?;
        let insert = |table: &String| format!("INSERT INTO main.{table} SELECT * FROM beside.{table}; ");
        let inserts: String = tables.iter().map(insert).collect();
        connection.execute_unprepared(&format!("BEGIN; {inserts} COMMIT; DETACH DATABASE beside")).await
    };
    let added = added.await;
    connection.close().await?;
    added?;
    Ok(())
}

/// Returns the tables that the file with the facts has. One that an older version wrote has fewer.
async fn tables_beside(connection: &DatabaseConnection) -> Result<Vec<String>, DbErr> {
    let names = TABLES.map(|name| format!("'{name}'")).join(", ");
    let query = format!("SELECT name FROM beside.sqlite_master WHERE type = 'table' AND name IN ({names})");
    let rows = connection.query_all_raw(Statement::from_string(DbBackend::Sqlite, query)).await?;
    rows.iter().map(|row| row.try_get("", "name")).collect()
}

impl FactsStore {
    /// Moves the facts, the events and the parts that the tables of an inventory have to this place. It can end at any point: the next
    /// call moves the rest.
    pub(super) async fn take_from(&self, inventory: &Store) -> Result<(), StoreError> {
        let of_inventory = Self { store: inventory.clone(), place: Place::Inventory };
        loop {
            let first = facts::Entity::find().order_by_asc(facts::Column::HostId).limit(ROWS_TOGETHER);
            let mut hosts: Vec<_> = step(first.all(&inventory.reader)).await?.iter().map(|row| row.host_id).collect();
            if hosts.is_empty() {
                break;
            }
            hosts.dedup();
            self.put(&of_inventory.bodies(&hosts).await?).await?;
            of_inventory.forget_moved(&hosts).await?;
        }

        self.take_rows(&of_inventory, hardware_event::Column::Id, |event: &hardware_event::Model| event.id).await?;
        self.take_rows(&of_inventory, hardware_part::Column::Id, |part: &hardware_part::Model| part.id).await?;
        self.take_rows(&of_inventory, hardware_stay::Column::Id, |stay: &hardware_stay::Model| stay.id).await
    }

    /// Moves the rows of a table, in the order of their ids.
    async fn take_rows<M>(
        &self,
        from: &Self,
        id: <M::Entity as EntityTrait>::Column,
        id_of: fn(&M) -> i64,
    ) -> Result<(), StoreError>
    where
        M: ModelTrait + FromQueryResult + Sync,
        M::Entity: EntityTrait<Model = M>,
    {
        loop {
            let first = M::Entity::find().order_by_asc(id).limit(ROWS_TOGETHER);
            let rows = step(first.all(&from.store.reader)).await?;
            let Some(last) = rows.last().map(id_of) else { return Ok(()) };
            self.put_rows::<M::Entity>(&rows.iter().collect::<Vec<_>>()).await?;
            from.forget_rows(M::Entity::delete_many().filter(id.lte(last))).await?;
        }
    }
}
