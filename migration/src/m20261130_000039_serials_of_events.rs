//! Adds the columns that tell which parts an event of hardware is about, by their serial numbers.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::text_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMNS: [&str; 2] = ["serial", "serial_before"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in COLUMNS {
            manager.alter_table(Table::alter().table("hardware_event").add_column(text_null(name)).to_owned()).await?;
            // Many events are about parts without a serial number.
            let index = format!(
                r#"CREATE INDEX "hardware_event_{name}_id" ON "hardware_event" ("{name}", "id") WHERE "{name}" IS NOT NULL"#
            );
            manager.get_connection().execute_unprepared(&index).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for name in COLUMNS {
            let index = format!(r#"DROP INDEX "hardware_event_{name}_id""#);
            manager.get_connection().execute_unprepared(&index).await?;
            manager.alter_table(Table::alter().table("hardware_event").drop_column(name).to_owned()).await?;
        }
        Ok(())
    }
}
