//! The orders of lists: by key, by path, by the time of the last change, and by a value of the row.

use std::cmp::Ordering;

use async_graphql::Enum;
use serde::{Deserialize, Serialize};

use underlay_inventory::{Kind, compare_names};

/// The direction of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Enum, Serialize, Deserialize)]
pub enum Direction {
    /// From the least to the greatest value. The default.
    #[default]
    Asc,
    /// From the greatest to the least value.
    Desc,
}

/// The name of the order by path in cursors. No value of a row has it.
pub(super) const PATH: &str = "path";

/// The property by which objects are ordered.
#[derive(Debug)]
pub enum By<K: Kind> {
    /// The key: the id of the parent, then the name. An index has this order.
    Key,
    /// The revision of the last change. An index has this order.
    Updated,
    /// The path: the names of the parents from the outermost, then the name.
    Path,
    /// A value of the row, with its name in cursors.
    Value(&'static str, fn(&K::Row) -> SortValue),
}

impl<K: Kind> Clone for By<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Kind> Copy for By<K> {}

/// A value by which rows are ordered. Rows without a value come first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum SortValue {
    /// The row has no value.
    #[serde(rename = "n")]
    None,
    /// A whole number, or a time in microseconds.
    #[serde(rename = "i")]
    Integer(i64),
    /// A number that may have a fraction.
    #[serde(rename = "f")]
    Number(f64),
    /// A text in natural order.
    #[serde(rename = "t")]
    Text(String),
}

impl SortValue {
    fn rank(&self) -> u8 {
        match self {
            Self::None => 0,
            Self::Integer(_) => 1,
            Self::Number(_) => 2,
            Self::Text(_) => 3,
        }
    }
}

impl Ord for SortValue {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => left.cmp(right),
            (Self::Number(left), Self::Number(right)) => left.total_cmp(right),
            (Self::Text(left), Self::Text(right)) => compare_names(left, right),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for SortValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for SortValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for SortValue {}

/// A type by which rows can be ordered.
pub trait IntoSortValue {
    /// Returns the value for the order.
    fn into_sort_value(self) -> SortValue;
}

impl IntoSortValue for &str {
    fn into_sort_value(self) -> SortValue {
        SortValue::Text(self.to_owned())
    }
}

impl IntoSortValue for i32 {
    fn into_sort_value(self) -> SortValue {
        SortValue::Integer(i64::from(self))
    }
}

impl IntoSortValue for i64 {
    fn into_sort_value(self) -> SortValue {
        SortValue::Integer(self)
    }
}

impl IntoSortValue for f64 {
    fn into_sort_value(self) -> SortValue {
        SortValue::Number(self)
    }
}

impl IntoSortValue for chrono::DateTime<chrono::Utc> {
    fn into_sort_value(self) -> SortValue {
        SortValue::Integer(self.timestamp_micros())
    }
}

impl<T: IntoSortValue> IntoSortValue for Option<T> {
    fn into_sort_value(self) -> SortValue {
        self.map_or(SortValue::None, T::into_sort_value)
    }
}
