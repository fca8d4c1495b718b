//! Empties structures in which nothing is given. They were stored as empty objects, and the change log has none of them, so
//! a replica that followed the log answered otherwise than one that had read the rows.

use sea_orm_migration::prelude::*;

/// The columns of structures whose members are all optional.
const COLUMNS: [(&str, &str); 2] = [("provider", "contract"), ("host_class", "criteria")];

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in COLUMNS {
            let empty = format!(r#"UPDATE "{table}" SET "{column}" = NULL WHERE CAST("{column}" AS TEXT) = '{{}}'"#);
            manager.get_connection().execute_unprepared(&empty).await?;
        }
        Ok(())
    }

    async fn down(&self, _: &SchemaManager) -> Result<(), DbErr> {
        // An empty structure and none say the same.
        Ok(())
    }
}
