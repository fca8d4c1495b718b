//! References to objects of other platforms, which are stored but never resolved.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};

/// A reference to an object of another platform, such as a project. It is stored and can be queried, but is never
/// resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "ObjectReferenceInput")]
pub struct ObjectReference {
    /// The API group, such as `resourcemanager.miloapis.com`.
    pub api_group: String,
    /// The kind in that group, such as `Project`.
    pub kind: String,
    /// The name of the object in that kind.
    pub name: String,
    /// The namespace of the object. Null if the object has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub namespace: Option<String>,
}
