//! Creates tables with columns, references and indexes, in a form that both SQLite and PostgreSQL accept.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, json_binary, text, text_null, timestamp_with_time_zone, uuid, uuid_null};

/// A table to be created, with its indexes.
pub struct NewTable {
    name: &'static str,
    columns: Vec<ColumnDef>,
    primary_key: &'static [&'static str],
    references: Vec<NewIndex>,
    indexes: Vec<NewIndex>,
}

struct NewIndex {
    name: String,
    unique: bool,
    /// Columns, or expressions in parentheses.
    parts: Vec<&'static str>,
    condition: Option<String>,
}

impl NewTable {
    /// Describes a table of the engine, without the columns that all kinds share.
    pub fn new(name: &'static str, primary_key: &'static [&'static str]) -> Self {
        Self { name, columns: Vec::new(), primary_key, references: Vec::new(), indexes: Vec::new() }
    }

    /// Describes the table of a kind, with the columns that all kinds share.
    pub fn kind(name: &'static str) -> Self {
        Self::new(name, &["id"]).columns(common_columns())
    }

    pub fn columns(mut self, columns: impl IntoIterator<Item = ColumnDef>) -> Self {
        self.columns.extend(columns);
        self
    }

    /// Adds a column that always refers to a row of `table`.
    pub fn reference(mut self, column: &'static str, table: &str) -> Self {
        self.columns.push(referring(uuid(column), table));
        self.references.push(NewIndex::plain(self.name, &[column], None));
        self
    }

    /// Adds a column that may refer to a row of `table`.
    pub fn optional_reference(mut self, column: &'static str, table: &str) -> Self {
        self.columns.push(referring(uuid_null(column), table));
        // Most references are null in most rows, and these rows need no entry.
        self.references.push(NewIndex::plain(self.name, &[column], Some(present(column))));
        self
    }

    /// Requires that no two rows are equal in all of `parts`. Rows with a NULL in one of them always differ.
    pub fn unique(self, name: &str, parts: &[&'static str]) -> Self {
        self.unique_index(name, parts, None)
    }

    /// Requires that no two rows that meet `condition` are equal in all of `parts`.
    pub fn unique_where(self, name: &str, parts: &[&'static str], condition: &str) -> Self {
        self.unique_index(name, parts, Some(condition.to_owned()))
    }

    fn unique_index(mut self, name: &str, parts: &[&'static str], condition: Option<String>) -> Self {
        self.indexes.push(NewIndex { name: name.to_owned(), unique: true, parts: parts.to_vec(), condition });
        self
    }

    /// Adds an index for queries by `parts`.
    pub fn index(mut self, parts: &[&'static str]) -> Self {
        self.indexes.push(NewIndex::plain(self.name, parts, None));
        self
    }

    pub async fn create(mut self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        self.index_references();
        let mut statement = Table::create();
        statement.table(self.name);
        for column in self.columns {
            statement.col(column);
        }
        let mut primary_key = Index::create();
        for column in self.primary_key {
            primary_key.col(*column);
        }
        statement.primary_key(&mut primary_key);
        manager.create_table(statement).await?;
        for index in &self.indexes {
            manager.get_connection().execute_unprepared(&index.statement(self.name)).await?;
        }
        Ok(())
    }

    pub async fn drop(self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(self.name).to_owned()).await
    }

    // Deleting a row searches for rows that refer to it, by each referring column. Some columns already have an index.
    fn index_references(&mut self) {
        for reference in std::mem::take(&mut self.references) {
            if !self.indexes.iter().any(|index| index.finds(reference.parts[0])) {
                self.indexes.push(reference);
            }
        }
    }
}

impl NewIndex {
    fn plain(table: &str, parts: &[&'static str], condition: Option<String>) -> Self {
        Self { name: format!("{table}_{}", parts.join("_")), unique: false, parts: parts.to_vec(), condition }
    }

    /// Returns true if the index finds every row with a value in `column`.
    fn finds(&self, column: &str) -> bool {
        self.parts[0] == column && self.condition.as_ref().is_none_or(|condition| *condition == present(column))
    }

    fn statement(&self, table: &str) -> String {
        let unique = if self.unique { "UNIQUE " } else { "" };
        let parts = self.parts.join(", ");
        let condition = self.condition.as_ref().map(|condition| format!(" WHERE {condition}")).unwrap_or_default();
        format!(r#"CREATE {unique}INDEX "{}" ON "{table}" ({parts}){condition}"#, self.name)
    }
}

// The references are checked at commit, because a batch writes rows in any order, even rows that refer to each other.
fn referring(mut column: ColumnDef, table: &str) -> ColumnDef {
    column.extra(format!(r#"REFERENCES "{table}" ("id") DEFERRABLE INITIALLY DEFERRED"#)).take()
}

fn present(column: &str) -> String {
    format!("{column} IS NOT NULL")
}

fn common_columns() -> [ColumnDef; 11] {
    [
        uuid("id"),
        text("name"),
        json_binary("labels"),
        text_null("tenant"),
        text_null("description"),
        json_binary("attributes"),
        json_binary("external_refs"),
        json_binary("managers"),
        big_integer("version"),
        timestamp_with_time_zone("created_at"),
        timestamp_with_time_zone("updated_at"),
    ]
}
