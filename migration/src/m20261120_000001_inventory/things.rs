//! The tables of devices, ports, cables and links.

use sea_orm_migration::schema::{
    big_integer_null, boolean, boolean_null, double_null, integer, integer_null, json_binary, json_binary_null, text,
    text_null,
};

use super::table::NewTable;

pub fn device() -> NewTable {
    NewTable::kind("device")
        .columns([text("role")])
        .reference("site_id", "site")
        .optional_reference("location_id", "location")
        .optional_reference("cluster_id", "cluster")
        .optional_reference("parent_id", "device")
        .columns([text_null("slot")])
        .optional_reference("rack_id", "rack")
        .columns([
            double_null("start_unit"),
            double_null("unit_height"),
            text_null("face"),
            boolean("full_depth"),
            text_null("manufacturer"),
            text_null("model"),
            text_null("serial"),
            text_null("asset_tag"),
            text_null("platform"),
            boolean_null("forwards"),
            text("plane"),
            integer("inlets_required"),
            json_binary("addresses"),
            json_binary_null("hardware"),
            text("status"),
        ])
        .unique("device_key", &["site_id", "name"])
        .unique("device_asset_tag", &["asset_tag"])
        .unique_where("device_slot", &["parent_id", "slot"], "parent_id IS NOT NULL")
}

// This expression must agree with `PortType::family` in the entities.
const PORT_FAMILY: &str = "(CASE type \
    WHEN 'SERIAL' THEN 'SERIAL' \
    WHEN 'POWER_INLET' THEN 'INLET' \
    WHEN 'POWER_OUTLET' THEN 'OUTLET' \
    WHEN 'PATCH_FRONT' THEN 'FRONT' \
    WHEN 'PATCH_REAR' THEN 'REAR' \
    ELSE 'DATA' END)";

pub fn port() -> NewTable {
    NewTable::kind("port")
        .optional_reference("device_id", "device")
        .optional_reference("rack_id", "rack")
        .columns([
            text("type"),
            text_null("connector"),
            big_integer_null("speed_bps"),
            integer_null("mtu"),
            text_null("mac"),
            json_binary("addresses"),
        ])
        .optional_reference("lag_id", "port")
        .optional_reference("parent_id", "port")
        .columns([
            boolean("mgmt_only"),
            boolean("enabled"),
            boolean("mark_connected"),
            integer("positions"),
            json_binary("fed_by"),
            json_binary("pass_through"),
        ])
        .unique_where("port_key_in_device", &["device_id", PORT_FAMILY, "name"], "device_id IS NOT NULL")
        .unique_where("port_key_in_rack", &["rack_id", PORT_FAMILY, "name"], "rack_id IS NOT NULL")
}

pub fn cable() -> NewTable {
    NewTable::kind("cable")
        .columns([
            text_null("label"),
            text_null("media"),
            text("status"),
            double_null("length_m"),
            text_null("color"),
            json_binary("risk_groups"),
            json_binary("a_ends"),
            json_binary("b_ends"),
            json_binary("lanes"),
        ])
        .unique("cable_key", &["name"])
}

pub fn link() -> NewTable {
    NewTable::kind("link")
        .columns([
            json_binary("a"),
            json_binary("b"),
            text("type"),
            big_integer_null("capacity_mbps"),
            double_null("latency_ms"),
            json_binary("cables"),
        ])
        .unique("link_key", &["name"])
}
