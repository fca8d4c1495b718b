//! The macro for types with a few values. They are stored, written and read as their names in capitals: `BORDER_ROUTER`.

/// Defines a type with a few values.
macro_rules! choice {
    ($(#[$attributes:meta])* pub enum $name:ident { $($values:tt)* }) => {
        #[derive(
            Clone,
            Copy,
            Debug,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            serde::Serialize,
            serde::Deserialize,
            sea_orm::EnumIter,
            sea_orm::DeriveActiveEnum,
            async_graphql::Enum,
        )]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        #[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
        $(#[$attributes])*
        pub enum $name {
            $($values)*
        }
    };
}

pub(crate) use choice;
