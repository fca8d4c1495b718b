//! A row of any kind, as the database and the value hold it.
//!
//! Every kind has the same common columns; [`Row`] gives them without knowing the kind, and leads back to the
//! concrete row for those who do.

use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use underlay_entity::common::{Attributes, ExternalRefs, Labels, Managers};
use uuid::Uuid;

/// How many different values are remembered to be shared.
const MOST_SHARED: usize = 10_000;

/// The columns that every kind has, borrowed from a row.
#[derive(Clone, Copy, Debug)]
pub struct Common<'a> {
    pub id: Uuid,
    pub name: &'a str,
    pub labels: &'a Labels,
    pub tenant: Option<&'a str>,
    pub description: Option<&'a str>,
    pub attributes: &'a Attributes,
    pub external_refs: &'a ExternalRefs,
    pub managers: &'a Managers,
    pub version: i64,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

/// The columns that every kind has, to be changed.
#[derive(Debug)]
pub struct CommonMut<'a> {
    pub id: &'a mut Uuid,
    pub name: &'a mut String,
    pub labels: &'a mut Labels,
    pub tenant: &'a mut Option<String>,
    pub description: &'a mut Option<String>,
    pub attributes: &'a mut Attributes,
    pub external_refs: &'a mut ExternalRefs,
    pub managers: &'a mut Managers,
    pub version: &'a mut i64,
    pub created_at: &'a mut DateTime<Utc>,
    pub updated_at: &'a mut DateTime<Utc>,
}

/// What rows share that have the same: their labels, who manages them, no attributes. Rows that were written together
/// mostly do.
#[derive(Debug, Default)]
pub struct Shared {
    labels: HashSet<Labels>,
    managers: HashSet<Managers>,
}

impl Shared {
    /// Lets a row share what it has with the rows that were seen before.
    pub fn share(&mut self, row: &mut dyn Row) {
        let common = row.common_mut();
        share(&mut self.labels, common.labels);
        share(&mut self.managers, common.managers);
        // Attributes are as different as objects are, but most have none.
        if common.attributes.0.is_empty() {
            *common.attributes = Attributes::default();
        }
    }
}

fn share<T: Clone + Eq + Hash>(seen: &mut HashSet<T>, value: &mut T) {
    match seen.get(value) {
        Some(same) => *value = same.clone(),
        None => {
            // Where everything is different there is nothing to share, and no reason to remember it.
            if seen.len() >= MOST_SHARED {
                seen.clear();
            }
            seen.insert(value.clone());
        }
    }
}

/// The row of an object, whatever its kind.
pub trait Row: Any + Send + Sync + fmt::Debug {
    /// The common columns.
    fn common(&self) -> Common<'_>;
    /// The common columns, to be changed.
    fn common_mut(&mut self) -> CommonMut<'_>;
    /// Another row that is equal to this one.
    fn duplicate(&self) -> Arc<dyn Row>;
    /// Whether the other row is of the same kind and equal in every column.
    fn equals(&self, other: &dyn Row) -> bool;
    /// The way to the concrete row.
    fn as_any(&self) -> &dyn Any;
    /// The way to the concrete row, to be changed.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// The way to the concrete row, shared.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Implements [`Row`] for the model of an entity that has the common columns.
#[macro_export]
macro_rules! row {
    ($model:ty) => {
        impl $crate::store::Row for $model {
            fn common(&self) -> $crate::store::Common<'_> {
                $crate::store::Common {
                    id: self.id,
                    name: &self.name,
                    labels: &self.labels,
                    tenant: self.tenant.as_deref(),
                    description: self.description.as_deref(),
                    attributes: &self.attributes,
                    external_refs: &self.external_refs,
                    managers: &self.managers,
                    version: self.version,
                    created_at: self.created_at,
                    updated_at: self.updated_at,
                }
            }

            fn common_mut(&mut self) -> $crate::store::CommonMut<'_> {
                $crate::store::CommonMut {
                    id: &mut self.id,
                    name: &mut self.name,
                    labels: &mut self.labels,
                    tenant: &mut self.tenant,
                    description: &mut self.description,
                    attributes: &mut self.attributes,
                    external_refs: &mut self.external_refs,
                    managers: &mut self.managers,
                    version: &mut self.version,
                    created_at: &mut self.created_at,
                    updated_at: &mut self.updated_at,
                }
            }

            fn duplicate(&self) -> std::sync::Arc<dyn $crate::store::Row> {
                std::sync::Arc::new(self.clone())
            }

            fn equals(&self, other: &dyn $crate::store::Row) -> bool {
                other.as_any().downcast_ref::<$model>().is_some_and(|other| self == other)
            }

            fn as_any(&self) -> &dyn std::any::Any {
                self
            }

            fn as_any_mut(&mut self) -> &mut dyn std::any::Any {
                self
            }

            fn into_any(self: std::sync::Arc<Self>) -> std::sync::Arc<dyn std::any::Any + Send + Sync> {
                self
            }
        }
    };
}
