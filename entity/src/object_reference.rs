//! References to objects of other platforms.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

/// Names an object of another platform, such as a project. It is recorded and can be queried, but never resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "ObjectReferenceInput")]
pub struct ObjectReference {
    /// The API group, such as `resourcemanager.miloapis.com`.
    pub api_group: String,
    /// The kind in that group, such as `Project`.
    pub kind: String,
    /// The name of the object.
    pub name: String,
    /// The namespace of the object. Absent: the object has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}
