//! Creates the tables of hosts and of what belongs to them: host classes, credentials, profiles and appliances.

use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{big_integer, boolean, integer, json_binary, json_binary_null, text, text_null};

use super::m20261120_000001_inventory::table::NewTable;

#[derive(DeriveMigrationName)]
pub struct Migration;

fn host_class() -> NewTable {
    NewTable::kind("host_class")
        .columns([text_null("title"), json_binary_null("criteria")])
        .unique("host_class_key", &["name"])
}

fn credential() -> NewTable {
    NewTable::kind("credential")
        .columns([text("type"), text_null("username"), json_binary("allowed_hosts")])
        .unique("credential_key", &["name"])
}

fn profile() -> NewTable {
    NewTable::kind("profile")
        .columns([
            text("purpose"),
            text_null("method"),
            text_null("kernel"),
            text_null("initrd"),
            text_null("repository"),
            json_binary_null("image"),
            json_binary("arguments"),
            boolean("debug"),
        ])
        .unique("profile_key", &["name"])
}

fn appliance() -> NewTable {
    NewTable::kind("appliance")
        .columns([text("type"), text_null("url")])
        .optional_reference("credential_id", "credential")
        .columns([text_null("name_pattern"), text_null("prefix")])
        .optional_reference("site_id", "site")
        .optional_reference("rack_id", "rack")
        .columns([integer("interval_seconds")])
        .unique("appliance_key", &["name"])
}

fn host() -> NewTable {
    NewTable::kind("host")
        .columns([json_binary_null("machine")])
        .optional_reference("class_id", "host_class")
        .optional_reference("appliance_id", "appliance")
        .columns([text_null("uid"), text_null("title"), text_null("architecture"), text_null("bmc_url")])
        .optional_reference("bmc_credential_id", "credential")
        .columns([
            boolean("bmc_insecure"),
            text_null("bmc_trusted_cas"),
            text_null("boot_mac"),
            text_null("boot_ip"),
            text_null("boot_mode"),
            text("boot"),
            json_binary_null("root_device"),
            text_null("provisioner"),
            json_binary("maintenance"),
            text_null("acquired_for"),
            boolean("deleting"),
            json_binary_null("wanted"),
            big_integer("generation"),
            text("state"),
            text("power"),
            json_binary_null("step"),
            big_integer("generation_done"),
        ])
        .optional_reference("cluster_id", "cluster")
        .columns([json_binary("conditions"), json_binary_null("failure"), big_integer("observed_version")])
        .unique("host_key", &["name"])
}

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    // Without a transaction, SQLite would keep half of the migration if the process ended here.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [host_class(), credential(), profile(), appliance(), host()] {
            table.create(manager).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [host(), appliance(), profile(), credential(), host_class()] {
            table.drop(manager).await?;
        }
        Ok(())
    }
}
