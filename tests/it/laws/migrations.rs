//! Migrating an empty database up gives tables that fit every entity, migrating down leaves nothing, and both can be
//! repeated.

use std::collections::BTreeMap;

use sea_orm::{
    ColumnTrait, ColumnType, ConnectionTrait, Database, DatabaseConnection, DbBackend, EntityTrait, IdenStatic,
    Iterable, Statement,
};
use sea_orm_migration::MigratorTrait;
use underlay_entity::{
    act, agent_token, appliance, batch, boot, boot_attempt, cable, change, circuit, circuit_termination, cluster,
    credential, device, enlistment, enrolment_token, facts, facts_body, facts_history, hardware_event, hardware_part,
    hardware_stay, history, host, host_class, kept_clock, lease, link, location, manager, observation, observe_only,
    port, power_feed, profile, provider, provider_network, rack, region, request, revision, secret, secret_read, site,
    source, source_emptied, source_failure, source_held, source_item, source_ledger, source_run, source_seen,
    source_suspect, source_turn, stray, virtual_machine,
};
use underlay_migration::Migrator;

use crate::harness::inside::sqlite;
use crate::harness::postgres;

/// A column as the database has it.
#[derive(Debug, PartialEq)]
struct Column {
    kind: String,
    nullable: bool,
    has_default: bool,
}

/// The columns of a table, by name.
type Columns = BTreeMap<String, Column>;

async fn columns(database: &DatabaseConnection, table: &str) -> Columns {
    let backend = database.get_database_backend();
    let query = match backend {
        DbBackend::Sqlite => format!(
            "SELECT name, lower(type), \"notnull\" = 0, dflt_value IS NOT NULL FROM pragma_table_info('{table}')"
        ),
        _ => format!(
            "SELECT column_name::text, data_type::text, is_nullable = 'YES', column_default IS NOT NULL \
             FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '{table}'"
        ),
    };
    let rows = database.query_all_raw(Statement::from_string(backend, query)).await.unwrap();
    rows.iter()
        .map(|row| {
            let column = Column {
                kind: row.try_get_by_index(1).unwrap(),
                nullable: row.try_get_by_index(2).unwrap(),
                has_default: row.try_get_by_index(3).unwrap(),
            };
            (row.try_get_by_index(0).unwrap(), column)
        })
        .collect()
}

/// Returns the names that the database can give to a type of a column.
fn fits(backend: DbBackend, column: &ColumnType, found: &str) -> bool {
    let (postgres, sqlite): (&[&str], &[&str]) = match column {
        ColumnType::Uuid => (&["uuid"], &["uuid_text"]),
        ColumnType::Text | ColumnType::String(_) => (&["text", "character varying"], &["text", "varchar"]),
        ColumnType::SmallInteger => (&["smallint"], &["smallint"]),
        ColumnType::Integer => (&["integer"], &["integer"]),
        ColumnType::BigInteger => (&["bigint"], &["bigint", "integer"]),
        ColumnType::Double => (&["double precision"], &["double"]),
        ColumnType::Boolean => (&["boolean"], &["boolean"]),
        ColumnType::Date => (&["date"], &["date_text"]),
        ColumnType::Json | ColumnType::JsonBinary => (&["jsonb"], &["jsonb_text"]),
        ColumnType::Binary(_) | ColumnType::VarBinary(_) | ColumnType::Blob => (&["bytea"], &["blob"]),
        ColumnType::TimestampWithTimeZone => (&["timestamp with time zone"], &["timestamp_with_timezone_text"]),
        _ => (&[], &[]),
    };
    if backend == DbBackend::Sqlite { sqlite } else { postgres }.contains(&found)
}

async fn fit<E: EntityTrait>(database: &DatabaseConnection) {
    let table = E::default().table_name().to_owned();
    let mut found = columns(database, &table).await;
    assert!(!found.is_empty(), "there is no table {table}");
    for column in E::Column::iter() {
        let (name, definition) = (column.as_str().to_owned(), column.def());
        let Some(Column { kind, nullable, .. }) = found.remove(&name) else { panic!("{table} has no column {name}") };
        let wanted = definition.get_column_type();
        assert!(
            fits(database.get_database_backend(), wanted, &kind),
            "{table}.{name} is {kind}, which is not for {wanted:?}"
        );
        assert_eq!(nullable, definition.is_null(), "whether {table}.{name} may be null");
    }
    assert_eq!(found, Columns::new(), "columns of {table} that no row has");
    // And the driver can read them all.
    E::find().all(database).await.unwrap_or_else(|error| panic!("{table}: {error}"));
}

macro_rules! all_fit {
    ($database:expr, $($entity:ident)*) => { $( fit::<$entity::Entity>($database).await; )* };
}

/// The tables that there are, besides those of the migrator and the database itself.
async fn tables(database: &DatabaseConnection) -> Vec<String> {
    let backend = database.get_database_backend();
    let query = match backend {
        DbBackend::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        _ => "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'",
    };
    let rows = database.query_all_raw(Statement::from_string(backend, query)).await.unwrap();
    let mut names: Vec<String> = rows.iter().map(|row| row.try_get_by_index(0).unwrap()).collect();
    names.retain(|name| name != "seaql_migrations");
    names.sort();
    names
}

async fn law(url: &str) {
    let database =
        Database::connect(if url.starts_with("sqlite") { format!("{url}?mode=rwc") } else { url.to_owned() });
    let database = database.await.unwrap();
    let mut first = Vec::new();
    for _ in 0..2 {
        Migrator::up(&database, None).await.unwrap();
        all_fit!(&database, region site location rack power_feed device port cable link provider provider_network circuit
            circuit_termination cluster virtual_machine source host_class credential profile appliance host revision batch boot boot_attempt change manager request source_run source_turn
            source_seen source_failure source_held source_emptied source_ledger source_item source_suspect history lease observation act enlistment
            observe_only secret secret_read stray kept_clock agent_token enrolment_token facts facts_body facts_history hardware_event hardware_part
            hardware_stay);
        let there = tables(&database).await;
        assert_eq!(there.len(), 55, "every table is that of an entity: {there:?}");
        assert!(first.is_empty() || first == there);
        first = there;
        // Once more does nothing.
        Migrator::up(&database, None).await.unwrap();
        let rows = revision::Entity::find().all(&database).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.number).collect::<Vec<_>>(), [0], "one counter, at the beginning");
        Migrator::down(&database, None).await.unwrap();
        assert_eq!(tables(&database).await, Vec::<String>::new(), "nothing is left");
    }
    database.close().await.unwrap();
}

/// Processes of the version before run on while a migration runs, and after it: they read and write the tables and
/// columns that they know, and no others.
async fn only_adds(url: &str) {
    let database =
        Database::connect(if url.starts_with("sqlite") { format!("{url}?mode=rwc") } else { url.to_owned() });
    let database = database.await.unwrap();
    let mut before: BTreeMap<String, Columns> = BTreeMap::new();
    for migration in Migrator::migrations() {
        let migration = migration.name().to_owned();
        Migrator::up(&database, Some(1)).await.unwrap();
        let mut after = BTreeMap::new();
        for table in tables(&database).await {
            let columns = columns(&database, &table).await;
            after.insert(table, columns);
        }
        for (table, known) in &before {
            let now = after.get(table).unwrap_or_else(|| panic!("{migration} takes away the table {table}"));
            for (name, column) in known {
                assert_eq!(now.get(name), Some(column), "{migration} changes {table}.{name}");
            }
            let new = now.iter().filter(|(name, _)| !known.contains_key(*name));
            for (name, column) in new {
                assert!(
                    column.nullable || column.has_default,
                    "{migration} adds {table}.{name}, which older processes do not write: let it be null, or give it a \
                     default"
                );
            }
        }
        before = after;
    }
    assert!(before.len() >= 20, "all tables are there in the end: {:?}", before.keys());
    database.close().await.unwrap();
}

#[tokio::test]
async fn migrations_only_add_on_sqlite() {
    let (url, _folder) = sqlite();
    only_adds(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn migrations_only_add_on_postgres() {
    only_adds(&postgres::create_database().await).await;
}

#[tokio::test]
async fn tables_fit_every_entity_on_sqlite() {
    let (url, _folder) = sqlite();
    law(&url).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs PostgreSQL"]
async fn tables_fit_every_entity_on_postgres() {
    law(&postgres::create_database().await).await;
}
