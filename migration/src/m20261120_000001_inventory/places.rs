//! The tables of regions and sites, and of the locations, racks and power feeds in them.

use sea_orm_migration::schema::{integer, integer_null, json_binary, json_binary_null, text, text_null};

use super::table::NewTable;

pub fn region() -> NewTable {
    NewTable::kind("region")
        .columns([text_null("display_name")])
        .optional_reference("parent_id", "region")
        .columns([json_binary_null("coordinates")])
        .unique("region_key", &["name"])
}

pub fn site() -> NewTable {
    NewTable::kind("site")
        .columns([text_null("display_name")])
        .optional_reference("region_id", "region")
        .optional_reference("provider_id", "provider")
        .columns([
            text("type"),
            text_null("address"),
            json_binary_null("coordinates"),
            text_null("time_zone"),
            text("status"),
        ])
        .unique("site_key", &["name"])
}

pub fn location() -> NewTable {
    NewTable::kind("location")
        .reference("site_id", "site")
        .optional_reference("parent_id", "location")
        .columns([text_null("type")])
        .unique_where("location_key_in_parent", &["parent_id", "site_id", "name"], "parent_id IS NOT NULL")
        .unique_where("location_key_in_site", &["site_id", "name"], "parent_id IS NULL")
}

pub fn rack() -> NewTable {
    NewTable::kind("rack")
        .reference("site_id", "site")
        .optional_reference("location_id", "location")
        .columns([
            text_null("cage"),
            text_null("row"),
            integer("height_u"),
            text_null("serial"),
            text_null("asset_tag"),
            text("status"),
        ])
        .unique("rack_key", &["site_id", "name"])
}

pub fn power_feed() -> NewTable {
    NewTable::kind("power_feed")
        .reference("site_id", "site")
        .optional_reference("rack_id", "rack")
        .columns([
            text_null("phase"),
            integer_null("voltage"),
            integer_null("amps_rated"),
            json_binary_null("upstream"),
            json_binary("risk_groups"),
            text("status"),
        ])
        .unique_where("power_feed_key_in_rack", &["rack_id", "name"], "rack_id IS NOT NULL")
        .unique_where("power_feed_key_in_site", &["site_id", "name"], "rack_id IS NULL")
}
