//! The migrations for the tables of every kind, of the revision and of the change log. Migrations only expand the
//! schema, and a released one is never edited: old and new binaries use the same tables while replicas are upgraded.

use sea_orm_migration::prelude::*;

mod m20261120_000001_inventory;
mod m20261123_000002_time_of_batches;
mod m20261123_000003_requests;
mod m20261123_000004_ports_of_virtual_machines;
mod m20261124_000005_sources;
mod m20261124_000006_source_runs;
mod m20261124_000007_leases;
mod m20261124_000008_observations;
mod m20261124_000009_hosts;
mod m20261125_000011_controllers;
mod m20261125_000012_secrets;
mod m20261125_000013_arrivals;
mod m20261125_000014_strays;
mod m20261125_000015_rooms;
mod m20261126_000016_serials;
mod m20261126_000017_source_failures;
mod m20261128_000018_ends_of_orders;
mod m20261128_000019_seen_identities;
mod m20261128_000020_sources_of_credentials;
mod m20261128_000021_looks_asked_for;
mod m20261128_000022_hardware_of_hosts;
mod m20261128_000023_machines_of_failures;
mod m20261128_000024_machines_of_enlistments;
mod m20261128_000025_empty_structures;
mod m20261129_000026_emptied_objects;
mod m20261129_000027_kept_clock;
mod m20261129_000028_parents_of_items;
mod m20261129_000029_agent_tokens;
mod m20261129_000030_facts;
mod m20261129_000031_hardware_events;
mod m20261130_000032_hardware_parts;
mod m20261130_000033_enrolment_tokens;
mod m20261130_000034_hardware_alarms;
mod m20261130_000035_summaries_of_facts;
mod m20261130_000036_hardware_asked_for;
mod m20261130_000037_acknowledged_hardware;
mod m20261130_000039_serials_of_events;
mod m20261130_000045_boots;
#[cfg(test)]
mod tests;

/// Runs the migrations that a database does not have yet.
pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261120_000001_inventory::Migration),
            Box::new(m20261123_000002_time_of_batches::Migration),
            Box::new(m20261123_000003_requests::Migration),
            Box::new(m20261123_000004_ports_of_virtual_machines::Migration),
            Box::new(m20261124_000005_sources::Migration),
            Box::new(m20261124_000006_source_runs::Migration),
            Box::new(m20261124_000007_leases::Migration),
            Box::new(m20261124_000008_observations::Migration),
            Box::new(m20261124_000009_hosts::Migration),
            Box::new(m20261125_000011_controllers::Migration),
            Box::new(m20261125_000012_secrets::Migration),
            Box::new(m20261125_000013_arrivals::Migration),
            Box::new(m20261125_000014_strays::Migration),
            Box::new(m20261125_000015_rooms::Migration),
            Box::new(m20261126_000016_serials::Migration),
            Box::new(m20261126_000017_source_failures::Migration),
            Box::new(m20261128_000018_ends_of_orders::Migration),
            Box::new(m20261128_000019_seen_identities::Migration),
            Box::new(m20261128_000020_sources_of_credentials::Migration),
            Box::new(m20261128_000021_looks_asked_for::Migration),
            Box::new(m20261128_000022_hardware_of_hosts::Migration),
            Box::new(m20261128_000023_machines_of_failures::Migration),
            Box::new(m20261128_000024_machines_of_enlistments::Migration),
            Box::new(m20261128_000025_empty_structures::Migration),
            Box::new(m20261129_000026_emptied_objects::Migration),
            Box::new(m20261129_000027_kept_clock::Migration),
            Box::new(m20261129_000028_parents_of_items::Migration),
            Box::new(m20261129_000029_agent_tokens::Migration),
            Box::new(m20261129_000030_facts::Migration),
            Box::new(m20261129_000031_hardware_events::Migration),
            Box::new(m20261130_000032_hardware_parts::Migration),
            Box::new(m20261130_000033_enrolment_tokens::Migration),
            Box::new(m20261130_000034_hardware_alarms::Migration),
            Box::new(m20261130_000035_summaries_of_facts::Migration),
            Box::new(m20261130_000036_hardware_asked_for::Migration),
            Box::new(m20261130_000037_acknowledged_hardware::Migration),
            Box::new(m20261130_000039_serials_of_events::Migration),
            Box::new(m20261130_000045_boots::Migration),
        ]
    }
}

/// Runs the migrations of the file beside an SQLite database that holds the facts of hosts. Each is one of
/// [`Migrator`]'s too.
pub struct FactsMigrator;

#[async_trait::async_trait]
impl MigratorTrait for FactsMigrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(m20261129_000030_facts::Migration),
            Box::new(m20261129_000031_hardware_events::Migration),
            Box::new(m20261130_000032_hardware_parts::Migration),
            Box::new(m20261130_000034_hardware_alarms::Migration),
            Box::new(m20261130_000035_summaries_of_facts::Migration),
            Box::new(m20261130_000039_serials_of_events::Migration),
        ]
    }
}
