//! The row of an object of any kind, as the database and a snapshot hold it.
//!
//! Every kind has the same common columns. [`Row`] gives access to them without knowing the kind, and to the concrete
//! row for code that knows it.

use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::common::{Attributes, ExternalRefs, Labels, Managers};

/// The number of different values that are remembered for sharing.
const MAX_SHARED_VALUES: usize = 10_000;

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

/// The columns that every kind has, for changes.
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

/// Lets rows with equal values share their memory: labels, managers, and empty attributes. Rows that were written
/// together often have equal values.
#[derive(Debug, Default)]
pub struct Shared {
    labels: HashSet<Labels>,
    managers: HashSet<Managers>,
}

impl Shared {
    /// Lets a row share its values with the rows that were passed before.
    pub fn share(&mut self, row: &mut dyn Row) {
        let common = row.common_mut();
        share(&mut self.labels, common.labels);
        share(&mut self.managers, common.managers);
        // Attributes differ as much as objects do, but most objects have none.
        if common.attributes.0.is_empty() {
            *common.attributes = Attributes::default();
        }
    }
}

fn share<T: Clone + Eq + Hash>(seen: &mut HashSet<T>, value: &mut T) {
    match seen.get(value) {
        Some(same) => *value = same.clone(),
        None => {
            // If all values are different, there is nothing to share and no reason to remember them.
            if seen.len() >= MAX_SHARED_VALUES {
                seen.clear();
            }
            seen.insert(value.clone());
        }
    }
}

/// The row of an object of any kind.
pub trait Row: Any + Send + Sync + fmt::Debug {
    /// Returns the common columns.
    fn common(&self) -> Common<'_>;
    /// Returns the common columns, for changes.
    fn common_mut(&mut self) -> CommonMut<'_>;
    /// Returns the revision that last changed a reported field of the object, or created it. `None` for a kind that
    /// has no reported fields, and so no column `observed_version`.
    fn observed_version(&self) -> Option<i64>;
    /// Returns the column `observed_version` of a kind that has it, for changes.
    fn observed_version_mut(&mut self) -> Option<&mut i64>;
    /// Returns true if objects of the kind can have secrets, which are deleted with the object.
    fn has_secrets() -> bool
    where
        Self: Sized;
    /// Returns a copy of the row.
    fn duplicate(&self) -> Arc<dyn Row>;
    /// Returns true if the other row has the same kind and is equal in every column.
    fn equals(&self, other: &dyn Row) -> bool;
    /// Returns the row as `Any`, for a downcast to the concrete row.
    fn as_any(&self) -> &dyn Any;
    /// Returns the row as `Any`, for a downcast to the concrete row and changes.
    fn as_any_mut(&mut self) -> &mut dyn Any;
    /// Returns the shared row as `Any`, for a downcast to the concrete row.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// Implements [`Row`] for the model of an entity with the common columns. `row!(Model, observed)` is for the model of a
/// kind with reported fields, which also has the column `observed_version`, and `row!(Model, secrets)` for that of a kind
/// whose objects can have secrets.
macro_rules! row {
    ($model:ty) => {
        $crate::row::row!($model, false, |_row| None, |_row| None);
    };
    ($model:ty, secrets) => {
        $crate::row::row!($model, true, |_row| None, |_row| None);
    };
    ($model:ty, observed) => {
        $crate::row::row!($model, false, |row| Some(row.observed_version), |row| Some(&mut row.observed_version));
    };
    ($model:ty, $secrets:literal, |$row:ident| $observed:expr, |$row_mut:ident| $observed_mut:expr) => {
        impl crate::row::Row for $model {
            fn common(&self) -> crate::row::Common<'_> {
                crate::row::Common {
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

            fn common_mut(&mut self) -> crate::row::CommonMut<'_> {
                crate::row::CommonMut {
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

            fn observed_version(&self) -> Option<i64> {
                let $row = self;
                $observed
            }

            fn observed_version_mut(&mut self) -> Option<&mut i64> {
                let $row_mut = self;
                $observed_mut
            }

            fn has_secrets() -> bool {
                $secrets
            }

            fn duplicate(&self) -> std::sync::Arc<dyn crate::row::Row> {
                std::sync::Arc::new(self.clone())
            }

            fn equals(&self, other: &dyn crate::row::Row) -> bool {
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

/// Defines the row of a kind: the common columns, and those of its own. What follows the columns is that of [`row`].
macro_rules! kind_row {
    ($(#[$docs:meta])* table $table:tt { $($columns:tt)* } $($with:ident)?) => {
        $(#[$docs])*
        #[sea_orm::model]
        #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
        #[sea_orm(table_name = $table)]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: Uuid,
            pub name: String,
            pub labels: crate::common::Labels,
            pub tenant: Option<String>,
            pub description: Option<String>,
            pub attributes: crate::common::Attributes,
            pub external_refs: crate::common::ExternalRefs,
            pub managers: crate::common::Managers,
            pub version: i64,
            pub created_at: DateTimeUtc,
            pub updated_at: DateTimeUtc,
            $($columns)*
        }

        impl ActiveModelBehavior for ActiveModel {}

        $crate::row::row!(Model $(, $with)?);
    };
}

pub(crate) use {kind_row, row};
