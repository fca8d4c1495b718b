//! Filters on single values: texts, numbers, times, booleans, enums, ids. What is not given does not restrict.

use async_graphql::{ID, InputObject};
use chrono::{DateTime, Utc};
use underlay_entity::date::Date;
use underlay_entity::long::Long;

/// A filter on one value of a row.
pub trait ValueFilter {
    /// The value that it looks at.
    type Value<'a>;
    /// Whether a value fits; `None` is a field that is not set.
    fn fits(&self, value: Option<Self::Value<'_>>) -> bool;
}

/// Compares a text. What is given must all hold.
#[derive(Clone, Debug, Default, InputObject)]
pub struct TextFilter {
    /// The text is this one.
    pub eq: Option<String>,
    /// The text is one of these.
    #[graphql(name = "in")]
    pub any: Option<Vec<String>>,
    /// The text has this in it.
    pub contains: Option<String>,
    /// The text begins with this.
    pub starts_with: Option<String>,
    /// The text ends with this.
    pub ends_with: Option<String>,
    /// Whether capital and small letters are the same. Default: false.
    pub case_insensitive: Option<bool>,
    /// Whether the field is not set.
    pub is_null: Option<bool>,
}

impl ValueFilter for TextFilter {
    type Value<'a> = &'a str;

    fn fits(&self, value: Option<&str>) -> bool {
        if self.is_null.is_some_and(|null| null != value.is_none()) {
            return false;
        }
        let fold = |text: &str| match self.case_insensitive {
            Some(true) => text.to_lowercase(),
            _ => text.to_owned(),
        };
        let folded = value.map(fold);
        let holds = |given: &Option<String>, test: fn(&str, &str) -> bool| match (given, &folded) {
            (None, _) => true,
            (Some(given), Some(value)) => test(value, &fold(given)),
            (Some(_), None) => false,
        };
        let among = |list: &Vec<String>| folded.as_ref().is_some_and(|value| list.iter().any(|it| &fold(it) == value));
        holds(&self.eq, |value, given| value == given)
            && holds(&self.contains, |value, given| value.contains(given))
            && holds(&self.starts_with, |value, given| value.starts_with(given))
            && holds(&self.ends_with, |value, given| value.ends_with(given))
            && self.any.as_ref().is_none_or(among)
    }
}

/// Defines a filter on values that have an order.
macro_rules! ordered_filter {
    ($(#[$docs:meta])* $name:ident, $value:ty) => {
        $(#[$docs])*
        #[derive(Clone, Debug, Default, InputObject)]
        pub struct $name {
            /// The value is this one.
            pub eq: Option<$value>,
            /// The value is one of these.
            #[graphql(name = "in")]
            pub any: Option<Vec<$value>>,
            /// The value is greater than this.
            pub gt: Option<$value>,
            /// The value is this or greater.
            pub gte: Option<$value>,
            /// The value is less than this.
            pub lt: Option<$value>,
            /// The value is this or less.
            pub lte: Option<$value>,
            /// Whether the field is not set.
            pub is_null: Option<bool>,
        }

        impl ValueFilter for $name {
            type Value<'a> = $value;

            fn fits(&self, value: Option<$value>) -> bool {
                let holds = |given: &Option<$value>, test: fn(&$value, &$value) -> bool| match (given, &value) {
                    (None, _) => true,
                    (Some(given), Some(value)) => test(value, given),
                    (Some(_), None) => false,
                };
                self.is_null.is_none_or(|null| null == value.is_none())
                    && holds(&self.eq, |value, given| value == given)
                    && holds(&self.gt, |value, given| value > given)
                    && holds(&self.gte, |value, given| value >= given)
                    && holds(&self.lt, |value, given| value < given)
                    && holds(&self.lte, |value, given| value <= given)
                    && self.any.as_ref().is_none_or(|list| value.as_ref().is_some_and(|value| list.contains(value)))
            }
        }
    };
}

ordered_filter!(
    /// Compares a whole number. What is given must all hold.
    IntFilter, i64
);
ordered_filter!(
    /// Compares a whole number of 64 bits. What is given must all hold.
    LongFilter, Long
);
ordered_filter!(
    /// Compares a number. What is given must all hold.
    FloatFilter, f64
);
ordered_filter!(
    /// Compares a time. What is given must all hold.
    TimeFilter, DateTime<Utc>
);
ordered_filter!(
    /// Compares a date. What is given must all hold.
    DateFilter, Date
);

/// Compares a yes-or-no field.
#[derive(Clone, Debug, Default, InputObject)]
pub struct BooleanFilter {
    /// The field is this.
    pub eq: Option<bool>,
}

impl ValueFilter for BooleanFilter {
    type Value<'a> = bool;

    fn fits(&self, value: Option<bool>) -> bool {
        self.eq.is_none_or(|given| value == Some(given))
    }
}

/// Compares an id.
#[derive(Clone, Debug, Default, InputObject)]
pub struct IdFilter {
    /// The id is this one.
    pub eq: Option<ID>,
    /// The id is one of these.
    #[graphql(name = "in")]
    pub any: Option<Vec<ID>>,
}

impl IdFilter {
    /// The ids that are asked for.
    pub fn ids(&self) -> impl Iterator<Item = &ID> {
        self.eq.iter().chain(self.any.iter().flatten())
    }
}

impl ValueFilter for IdFilter {
    type Value<'a> = uuid::Uuid;

    fn fits(&self, value: Option<uuid::Uuid>) -> bool {
        let same = |id: &ID| value.is_some_and(|value| uuid::Uuid::parse_str(id) == Ok(value));
        self.eq.as_ref().is_none_or(same) && self.any.as_ref().is_none_or(|ids| ids.iter().any(same))
    }
}

/// Compares an external reference. What is given must hold for one and the same reference.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ExternalRefFilter {
    /// The source.
    pub source: Option<String>,
    /// What the source calls the object.
    pub external_id: Option<String>,
}

impl ExternalRefFilter {
    /// Whether one of the references fits.
    pub fn fits(&self, refs: &underlay_entity::common::ExternalRefs) -> bool {
        refs.0.iter().any(|it| {
            self.source.as_ref().is_none_or(|source| *source == it.source)
                && self.external_id.as_ref().is_none_or(|id| *id == it.external_id)
        })
    }
}

/// Defines the filter on an enum: `eq`, `in`, `notIn`, `isNull`.
#[macro_export]
macro_rules! enum_filter {
    ($name:ident, $value:ty) => {
        #[doc = concat!("Compares a `", stringify!($value), "`. What is given must all hold.")]
        #[derive(Clone, Debug, Default, async_graphql::InputObject)]
        pub struct $name {
            /// The value is this one.
            pub eq: Option<$value>,
            /// The value is one of these.
            #[graphql(name = "in")]
            pub any: Option<Vec<$value>>,
            /// The value is none of these.
            pub not_in: Option<Vec<$value>>,
            /// Whether the field is not set.
            pub is_null: Option<bool>,
        }

        impl $crate::read::ValueFilter for $name {
            type Value<'a> = $value;

            fn fits(&self, value: Option<$value>) -> bool {
                self.is_null.is_none_or(|null| null == value.is_none())
                    && self.eq.is_none_or(|given| value == Some(given))
                    && self.any.as_ref().is_none_or(|list| value.is_some_and(|value| list.contains(&value)))
                    && self.not_in.as_ref().is_none_or(|list| value.is_none_or(|value| !list.contains(&value)))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        let filter =
            TextFilter { starts_with: Some("LEAF".into()), case_insensitive: Some(true), ..Default::default() };
        assert!(filter.fits(Some("leaf-1")));
        assert!(!filter.fits(Some("spine-1")));
        assert!(!filter.fits(None));
        let null = TextFilter { is_null: Some(true), ..Default::default() };
        assert!(null.fits(None) && !null.fits(Some("x")));
        assert!(TextFilter::default().fits(None), "nothing given restricts nothing");
    }

    #[test]
    fn numbers() {
        let filter = IntFilter { gte: Some(10), lt: Some(20), ..Default::default() };
        assert_eq!([9, 10, 19, 20].map(|number| filter.fits(Some(number))), [false, true, true, false]);
        assert!(!filter.fits(None));
    }
}
