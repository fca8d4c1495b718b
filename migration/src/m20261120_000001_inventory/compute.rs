//! The tables of clusters and virtual machines.

use sea_orm_migration::schema::{json_binary, json_binary_null, text, text_null};

use super::table::NewTable;

pub fn cluster() -> NewTable {
    NewTable::kind("cluster")
        .columns([text_null("display_name"), text("type"), text_null("role")])
        .optional_reference("control_plane_site_id", "site")
        .columns([text_null("platform"), text_null("endpoint")])
        .unique("cluster_key", &["name"])
}

pub fn virtual_machine() -> NewTable {
    NewTable::kind("virtual_machine")
        .optional_reference("host_id", "device")
        .optional_reference("cluster_id", "cluster")
        .optional_reference("provider_id", "provider")
        .columns([
            json_binary_null("project_ref"),
            json_binary_null("allocation"),
            json_binary("addresses"),
            text("status"),
        ])
        .unique_where("virtual_machine_key_in_cluster", &["cluster_id", "name"], "cluster_id IS NOT NULL")
        .unique_where("virtual_machine_key_in_host", &["host_id", "name"], "cluster_id IS NULL AND host_id IS NOT NULL")
        .unique_where(
            "virtual_machine_key_in_provider",
            &["provider_id", "name"],
            "cluster_id IS NULL AND host_id IS NULL",
        )
}
