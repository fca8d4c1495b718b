//! The tables of providers, their networks and their circuits.

use sea_orm_migration::schema::{
    big_integer_null, date_null, double_null, json_binary, json_binary_null, text, text_null,
};

use super::table::NewTable;

pub fn provider() -> NewTable {
    NewTable::kind("provider")
        .columns([
            text_null("display_name"),
            text("type"),
            json_binary_null("contract"),
            json_binary("service_identifiers"),
        ])
        .unique("provider_key", &["name"])
}

pub fn provider_network() -> NewTable {
    NewTable::kind("provider_network")
        .reference("provider_id", "provider")
        .unique("provider_network_key", &["provider_id", "name"])
}

pub fn circuit() -> NewTable {
    NewTable::kind("circuit")
        .reference("provider_id", "provider")
        .columns([
            text_null("circuit_id"),
            text("type"),
            big_integer_null("bandwidth_mbps"),
            double_null("distance_m"),
            double_null("latency_ms"),
            date_null("installed_on"),
            json_binary("risk_groups"),
            text("status"),
            json_binary_null("service_ref"),
        ])
        .unique("circuit_key", &["provider_id", "name"])
        .unique_where("circuit_circuit_id", &["provider_id", "circuit_id"], "circuit_id IS NOT NULL")
}

pub fn circuit_termination() -> NewTable {
    NewTable::kind("circuit_termination")
        .reference("circuit_id", "circuit")
        .columns([text("side")])
        .optional_reference("site_id", "site")
        .optional_reference("provider_network_id", "provider_network")
        .optional_reference("port_id", "port")
        .unique("circuit_termination_key", &["circuit_id", "side"])
}
