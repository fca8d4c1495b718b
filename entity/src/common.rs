//! Column types that all kinds share: labels, attributes, external references, managers, and small lists that are
//! stored as JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use async_graphql::SimpleObject;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::targets::Targets;
use crate::text::Url;

/// Labels as in Kubernetes: a map from key to value. Rows with the same labels share their memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Labels(pub Arc<BTreeMap<String, String>>);

/// A JSON object for data without a field of its own. Empty attributes share their memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Attributes(pub Arc<BTreeMap<String, serde_json::Value>>);

/// Gives a shared column type a default that all rows share.
macro_rules! shared_default {
    ($name:ident) => {
        impl Default for $name {
            fn default() -> Self {
                static EMPTY: LazyLock<$name> = LazyLock::new(|| $name(Arc::default()));
                EMPTY.clone()
            }
        }
    };
}

shared_default!(Labels);
shared_default!(Attributes);
shared_default!(Managers);

/// The identity that an external system gives to an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExternalRef {
    /// The external system, such as `bcm-dc1`.
    pub source: String,
    /// The id of the object in that system.
    pub external_id: String,
    /// The address of the object in that system, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Url>,
}

/// All external references of an object, at most one for each source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct ExternalRefs(pub Box<[ExternalRef]>);

/// The fields that one manager set in one revision and still holds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Holding {
    /// The interned id of the manager (table `manager`).
    #[serde(rename = "m")]
    pub manager: i32,
    /// The revision in which the manager set these fields.
    #[serde(rename = "r")]
    pub since: i64,
    /// A bit set of fields, by the numbers of the fields in the kind.
    #[serde(rename = "f", default, skip_serializing_if = "is_zero")]
    pub fields: i64,
    /// Entries of fields that are managed per key, such as `labels.env`.
    #[serde(rename = "k", default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

fn is_zero(bits: &i64) -> bool {
    *bits == 0
}

/// The managers of the fields of an object. Rows that were written together share their memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Managers(pub Arc<Vec<Holding>>);

impl Managers {
    /// Returns the holdings for changes. The holdings of other rows do not change.
    pub fn holdings_mut(&mut self) -> &mut Vec<Holding> {
        Arc::make_mut(&mut self.0)
    }
}

/// A list of plain texts in one column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Texts(pub Box<[String]>);

/// A list of references to objects in one column, by id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Ids(pub Box<[Uuid]>);

impl Targets for Ids {
    fn each(&self, visit: &mut dyn FnMut(Uuid)) {
        self.0.each(visit);
    }
}
