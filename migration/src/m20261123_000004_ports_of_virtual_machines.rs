//! Lets a port belong to a virtual machine instead of a device or a rack.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::uuid_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

const COLUMN: &str = "virtual_machine_id";

// This expression must agree with `PortType::family` in the entities.
const PORT_FAMILY: &str = "(CASE type \
    WHEN 'SERIAL' THEN 'SERIAL' \
    WHEN 'POWER_INLET' THEN 'INLET' \
    WHEN 'POWER_OUTLET' THEN 'OUTLET' \
    WHEN 'PATCH_FRONT' THEN 'FRONT' \
    WHEN 'PATCH_REAR' THEN 'REAR' \
    ELSE 'DATA' END)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut column = uuid_null(COLUMN);
        // The reference is checked at commit, because a batch writes rows that refer to each other in any order.
        column.extra(r#"REFERENCES "virtual_machine" ("id") DEFERRABLE INITIALLY DEFERRED"#);
        manager.alter_table(Table::alter().table("port").add_column(column).to_owned()).await?;
        // The index also finds the ports that refer to a virtual machine which is being deleted.
        let index = format!(
            r#"CREATE UNIQUE INDEX "port_key_in_virtual_machine" ON "port" ({COLUMN}, {PORT_FAMILY}, name) WHERE {COLUMN} IS NOT NULL"#
        );
        manager.get_connection().execute_unprepared(&index).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.get_connection().execute_unprepared(r#"DROP INDEX "port_key_in_virtual_machine""#).await?;
        manager.alter_table(Table::alter().table("port").drop_column(COLUMN).to_owned()).await
    }
}
