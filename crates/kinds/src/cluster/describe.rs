//! Describes a cluster to the inventory: its fields, key, references and rules.

use std::sync::Arc;

use underlay_entity::cluster::{ClusterRole, ClusterType, Model};

use super::node::Cluster;
use super::topology::TOPOLOGY;
use crate::common::{TEXT, URL, url, words};
use crate::ids;
use crate::{blank, fields};
use underlay_inventory::{Audience, Description, Echo, Field, Form, Key, Kind, KindId, ReferenceId, Shape};
use underlay_inventory::{field, reference, searched};

const FIELDS: &[Field] = fields![
    field!(6, Model.display_name, "displayName", TEXT),
    field!(7, Model.r#type, "type", Shape::Choice(words::<ClusterType>)),
    field!(8, Model.role, "role", Shape::Choice(words::<ClusterRole>)),
    reference!(9, Model.control_plane_site_id, "controlPlaneSite", Form::One, &["Site"]).immutable().placing(),
    field!(10, Model.platform, "platform", TEXT),
    field!(11, Model.endpoint, "endpoint", URL).normalised(url),
];

/// The description of clusters in the registry.
pub static DESCRIPTION: Description = Description {
    id: ids::CLUSTER,
    name: "Cluster",
    singular: "cluster",
    fields: FIELDS,
    key: Key { parents: &[], family: None, name_member: "cluster" },
    blank: || Arc::new(blank()),
    rules: &[],
    parts: &[],
    on_loss: None,
    on_write: None,
    unnamed: None,
    unique: &[],
    audience: Audience::Everyone,
    echo: Echo::Values,
    reserves: None,
    protection: None,
    arrival: None,
    searched: searched!(Model {
        "displayName" => |cluster| &cluster.display_name,
    }),
    packed_state: |row| TOPOLOGY.packed_state(row),
};

impl Kind for Cluster {
    type Row = Model;
    const ID: KindId = ids::CLUSTER;

    fn describe() -> &'static Description {
        &DESCRIPTION
    }
}

impl Cluster {
    /// The site of the cluster's control plane.
    pub const CONTROL_PLANE_SITE: ReferenceId = Description::reference(ids::CLUSTER, FIELDS, "controlPlaneSite");
}

blank!(Model {
    display_name: None,
    r#type: ClusterType::default(),
    role: None,
    control_plane_site_id: None,
    platform: None,
    endpoint: None,
});
