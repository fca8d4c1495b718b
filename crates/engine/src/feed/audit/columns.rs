//! The columns of which the records of the log tell, and the comparison of their values with those of a row.

use std::hash::{DefaultHasher, Hash, Hasher};

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value as Json;
use underlay_entity::common::Managers;
use underlay_entity::row::Row;
use underlay_inventory::Description;

use crate::feed::record::{CREATED_AT, Fields, MANAGERS, OBSERVED_VERSION, UPDATED_AT, VERSION};

/// A column of a row: a field, or one of the columns that are not fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Field(u8),
    Version,
    ObservedVersion,
    CreatedAt,
    UpdatedAt,
    Managers,
}

impl Column {
    /// Returns the name of the column in the log.
    pub fn name(self, kind: &Description) -> String {
        let name = match self {
            Self::Field(index) => kind.fields.get(usize::from(index)).map_or("a field", |field| field.name),
            Self::Version => VERSION,
            Self::ObservedVersion => OBSERVED_VERSION,
            Self::CreatedAt => CREATED_AT,
            Self::UpdatedAt => UPDATED_AT,
            Self::Managers => MANAGERS,
        };
        name.to_owned()
    }
}

/// Parses the fields of one side of a record.
pub fn columns(kind: &Description, text: &str) -> Result<Vec<(Column, Json)>, String> {
    let fields: Fields = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let column = |(name, json): (String, Json)| {
        let column = match name.as_str() {
            VERSION => Column::Version,
            OBSERVED_VERSION => Column::ObservedVersion,
            CREATED_AT => Column::CreatedAt,
            UPDATED_AT => Column::UpdatedAt,
            MANAGERS => Column::Managers,
            _ => {
                let index = kind.field(&name).and_then(|index| u8::try_from(index).ok());
                Column::Field(index.ok_or_else(|| format!("there is no field {name}"))?)
            }
        };
        Ok((column, json))
    };
    fields.into_iter().map(column).collect()
}

/// Returns the names of the fields whose value in the row differs.
pub fn differing<'a>(
    kind: &Description,
    row: &dyn Row,
    fields: impl Iterator<Item = &'a (Column, Json)>,
) -> Vec<String> {
    fields.filter(|(column, json)| !holds(kind, row, *column, json)).map(|(column, _)| column.name(kind)).collect()
}

/// Returns the names of the fields that are not empty in the row and that no record contains.
pub fn not_empty(kind: &Description, row: &dyn Row, spoken: impl Fn(Column) -> bool) -> Vec<String> {
    let columns = (0..kind.fields.len()).filter_map(|column| u8::try_from(column).ok()).map(Column::Field);
    let silent = columns.filter(|column| !spoken(*column));
    silent.filter(|column| !holds(kind, row, *column, &Json::Null)).map(|column| column.name(kind)).collect()
}

/// Returns true if a row holds the value of a record. A value that cannot be read counts as different.
fn holds(kind: &Description, row: &dyn Row, column: Column, json: &Json) -> bool {
    let common = row.common();
    match column {
        Column::Field(index) => {
            kind.fields.get(usize::from(index)).is_some_and(|field| (field.is)(row, json).is_ok_and(|is| is))
        }
        Column::Version => i64::deserialize(json).is_ok_and(|it| it == common.version),
        Column::ObservedVersion => {
            row.observed_version().is_some_and(|it| i64::deserialize(json).is_ok_and(|json| json == it))
        }
        Column::CreatedAt => DateTime::<Utc>::deserialize(json).is_ok_and(|it| it == common.created_at),
        Column::UpdatedAt => DateTime::<Utc>::deserialize(json).is_ok_and(|it| it == common.updated_at),
        Column::Managers => Managers::deserialize(json).is_ok_and(|it| it == *common.managers),
    }
}

/// The hash of an empty value. Records omit empty values, or write them in one of several ways.
pub const EMPTY_HASH: u64 = 0;

/// Returns a hash that stands for a value.
pub fn value_hash(json: &Json) -> u64 {
    let empty = match json {
        Json::Null => true,
        Json::Array(list) => list.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => false,
    };
    if empty {
        return EMPTY_HASH;
    }
    let mut hasher = DefaultHasher::new();
    json.to_string().hash(&mut hasher);
    hasher.finish()
}
