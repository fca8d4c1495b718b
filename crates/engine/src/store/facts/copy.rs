//! Facts in a backup: one file holds the inventory and the facts, in the tables that the inventory's migrations make.

use std::path::Path;

use sea_orm::{ConnectionTrait as _, Database, EntityTrait as _, QueryOrder as _, QuerySelect as _};
use underlay_entity::{facts, hardware_event};

use super::{FactsStore, Place, facts_file};
use crate::store::commit::step;
use crate::store::connection::{DatabaseUrl, Store, settle_options};
use crate::store::error::StoreError;

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
        connection
            .execute_unprepared(
                "BEGIN; \
                 INSERT INTO main.facts SELECT * FROM beside.facts; \
                 INSERT INTO main.facts_body SELECT * FROM beside.facts_body; \
                 INSERT INTO main.hardware_event SELECT * FROM beside.hardware_event; \
                 COMMIT; \
                 DETACH DATABASE beside",
            )
            .await
    };
    let added = added.await;
    connection.close().await?;
    added?;
    Ok(())
}

impl FactsStore {
    /// Moves the facts and events that the tables of an inventory have to this place. It can end at any point: the next
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
            of_inventory.forget(&hosts).await?;
        }

        loop {
            let first = hardware_event::Entity::find().order_by_asc(hardware_event::Column::Id).limit(ROWS_TOGETHER);
            let events = step(first.all(&inventory.reader)).await?;
            let Some(last) = events.last().map(|event| event.id) else { return Ok(()) };
            self.put_events(&events).await?;
            of_inventory.forget_events_to(last).await?;
        }
    }
}
