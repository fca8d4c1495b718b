//! Compares the schema of a database with the schema that the migrations make: columns, indexes, constraints, triggers.
//!
//! Both are sets of lines, one for each part, such as `column port.name text not null`. The expected lines are in files
//! beside this module; a test compares these files with the result of the migrations. Foreign tables in the same
//! database are ignored.

use std::collections::BTreeSet;

use sea_orm::{ConnectionTrait, DbBackend, Statement};

use super::connection::Store;
use super::error::StoreError;

const SQLITE: &str = include_str!("schema.sqlite.txt");
const POSTGRES: &str = include_str!("schema.postgres.txt");

/// A query for the parts of an SQLite database, one per row.
const PARTS_OF_SQLITE: &str = r#"
SELECT 'column ' || t.name || '.' || c.name || ' ' || lower(c.type) || iif(c."notnull", ' not null', '')
       || coalesce(' default ' || c.dflt_value, '') || iif(c.pk, ' key ' || c.pk, '') AS part
  FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table'
UNION ALL
SELECT 'index ' || t.name || '.' || i.name || iif(i."unique", ' unique', '') || ' (' ||
       (SELECT group_concat(coalesce(k.name, 'expression') || ' ' || k.coll || iif(k."desc", ' desc', ''), ', ')
          FROM pragma_index_xinfo(i.name) k WHERE k.key) || ')' ||
       iif(i.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(i.name) e WHERE e.key AND e.cid = -2),
           coalesce(' by ' || replace(s.sql, '"', ''), ''), '')
  FROM sqlite_master t, pragma_index_list(t.name) i LEFT JOIN sqlite_master s ON s.type = 'index' AND s.name = i.name
 WHERE t.type = 'table'
UNION ALL
SELECT 'reference ' || t.name || '.' || r."from" || ' to ' || r."table" || '.' || coalesce(r."to", 'key')
       || ' on update ' || lower(r.on_update) || ' on delete ' || lower(r.on_delete)
  FROM sqlite_master t, pragma_foreign_key_list(t.name) r WHERE t.type = 'table'
UNION ALL
SELECT 'trigger ' || tbl_name || '.' || name FROM sqlite_master WHERE type = 'trigger'"#;

/// A query for the parts of the current schema of a PostgreSQL database, one per row.
const PARTS_OF_POSTGRES: &str = r#"
WITH tables AS (
  SELECT oid, relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p'))
SELECT 'column ' || t.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') AS part
  FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
UNION ALL
SELECT 'index ' || t.relname || '.' || i.relname || CASE WHEN x.indisvalid THEN '' ELSE ' invalid' END || ' '
       || regexp_replace(pg_get_indexdef(i.oid), '^CREATE (UNIQUE )?INDEX \S+ ON \S+ USING ', '\1')
  FROM tables t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
UNION ALL
SELECT 'constraint ' || t.relname || '.' || k.conname || ' ' || pg_get_constraintdef(k.oid)
  FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype IN ('p', 'u', 'f', 'c', 'x')
UNION ALL
SELECT 'trigger ' || t.relname || '.' || g.tgname || CASE WHEN g.tgenabled = 'O' THEN '' ELSE ' not as usual' END
  FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND (NOT g.tgisinternal OR g.tgenabled <> 'O')
UNION ALL
SELECT 'rule ' || t.relname || '.' || r.rulename FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid"#;

/// The table of the library that runs the migrations. It is ignored, because the library defines its shape.
const MIGRATIONS: &str = "seaql_migrations";

/// The differences between the schema of a database and the schema that the migrations make.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SchemaDifferences {
    /// Parts that are missing or were changed.
    pub missing: Vec<String>,
    /// Parts that no migration made. Indexes that only speed up queries are not included.
    pub added: Vec<String>,
}

impl Store {
    /// Returns the parts of the schema, each as a line, in order.
    pub async fn schema(&self) -> Result<BTreeSet<String>, StoreError> {
        let ask = match self.backend() {
            DbBackend::Postgres => PARTS_OF_POSTGRES,
            _ => PARTS_OF_SQLITE,
        };
        let rows = self.reader.query_all_raw(Statement::from_string(self.backend(), ask)).await?;
        let parts = rows.iter().map(|row| row.try_get::<String>("", "part")).collect::<Result<Vec<_>, _>>()?;
        let in_one_line = |part: &String| part.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(parts.iter().map(in_one_line).filter(|part| table(part) != MIGRATIONS).collect())
    }

    /// Compares the schema with the schema that the migrations make.
    pub async fn schema_differences(&self) -> Result<SchemaDifferences, StoreError> {
        let expected = match self.backend() {
            DbBackend::Postgres => POSTGRES,
            _ => SQLITE,
        };
        Ok(differences(&expected.lines().collect(), &self.schema().await?))
    }
}

fn differences(expected: &BTreeSet<&str>, found: &BTreeSet<String>) -> SchemaDifferences {
    let tables: BTreeSet<&str> = expected.iter().map(|part| table(part)).collect();
    let missing = expected.iter().filter(|part| !found.contains(**part)).map(|part| (*part).to_owned()).collect();
    let added = found.iter().filter(|part| tables.contains(table(part)) && !expected.contains(part.as_str()));
    let added = added.filter(|part| !is_mere_index(part, expected)).cloned().collect();
    SchemaDifferences { missing, added }
}

/// Returns the table to which a part belongs.
fn table(part: &str) -> &str {
    let of = part.split(' ').nth(1).unwrap_or_default();
    of.split_once('.').map_or(of, |(table, _)| table)
}

/// Returns true if a part is an index without a constraint, and no expected part has its name.
fn is_mere_index(part: &str, expected: &BTreeSet<&str>) -> bool {
    let mut words = part.split(' ');
    let (what, name) = (words.next(), words.next());
    what == Some("index")
        && !words.next().is_some_and(|word| word.eq_ignore_ascii_case("unique"))
        && !expected.iter().any(|part| part.split(' ').nth(1) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_and_added_parts_are_reported_and_other_tables_are_ignored() {
        let expected = BTreeSet::from(["column a.id uuid not null", "index a.key unique (id)", "index a.name (name)"]);
        let found = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect::<BTreeSet<_>>();
        let same = found(&["column a.id uuid not null", "index a.key unique (id)", "index a.name (name)"]);
        assert_eq!(differences(&expected, &same), SchemaDifferences::default());
        let mine = ["column mine.x text", "index a.mine (name)", "trigger mine.t"].map(str::to_owned);
        let with_mine = same.iter().cloned().chain(mine).collect();
        assert_eq!(differences(&expected, &with_mine), SchemaDifferences::default());
        let weaker =
            found(&["column a.id uuid not null", "index a.key (id)", "trigger a.t", "index a.mine unique (b)"]);
        let difference = differences(&expected, &weaker);
        assert_eq!(difference.missing, ["index a.key unique (id)", "index a.name (name)"]);
        assert_eq!(difference.added, ["index a.key (id)", "index a.mine unique (b)", "trigger a.t"]);
    }
}
