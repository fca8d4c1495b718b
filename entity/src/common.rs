//! Column types that every kind shares: labels, attributes, external references, managers,
//! and the small structures that stand in a row as JSON.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use async_graphql::SimpleObject;
use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::text::Url;

/// Kubernetes-style labels: key → value. Rows with the same labels share them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Labels(pub Arc<BTreeMap<String, String>>);

/// A JSON object for what has no field of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Attributes(pub Arc<BTreeMap<String, serde_json::Value>>);

/// Gives a column that shares its content a default that all rows share.
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

/// The identity that a source gives to an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ExternalRef {
    /// The outside system, such as `bcm-dc1`.
    pub source: String,
    /// What that system calls the object.
    pub external_id: String,
    /// Where a person finds it there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<Url>,
}

/// All external references of an object, at most one of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct ExternalRefs(pub Box<[ExternalRef]>);

/// What one manager has held since one revision.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Holding {
    /// The interned manager (table `manager`).
    #[serde(rename = "m")]
    pub manager: i32,
    /// The revision in which the manager set these fields.
    #[serde(rename = "r")]
    pub since: i64,
    /// One bit for each field: that of its number in the kind.
    #[serde(rename = "f", default, skip_serializing_if = "is_zero")]
    pub fields: i64,
    /// Entries of fields that are managed per key, as `labels.env`.
    #[serde(rename = "k", default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
}

fn is_zero(bits: &i64) -> bool {
    *bits == 0
}

/// Who holds which field of an object. Rows that were written together share one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Managers(pub Arc<Vec<Holding>>);

impl Managers {
    /// The holdings, to be changed; those of other rows stay as they are.
    pub fn holdings_mut(&mut self) -> &mut Vec<Holding> {
        Arc::make_mut(&mut self.0)
    }
}

/// A list of plain texts in one column.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Texts(pub Box<[String]>);

/// A list of objects in one column, each by its id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Ids(pub Box<[Uuid]>);
