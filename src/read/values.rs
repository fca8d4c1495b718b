//! Filters on single values: texts, numbers, times, booleans, enums and ids. A member that is absent does not restrict.

use async_graphql::{ID, InputObject};
use chrono::{DateTime, Utc};
use underlay_entity::date::Date;
use underlay_entity::long::Long;

/// A filter on one value of a row.
pub trait ValueFilter {
    /// The type of the compared value.
    type Value<'a>;
    /// Returns true if a value matches. `None` is a field that is not set.
    fn fits(&self, value: Option<Self::Value<'_>>) -> bool;
}

/// Compares a text. All given members must hold.
#[derive(Clone, Debug, Default, InputObject)]
pub struct TextFilter {
    /// The text equals this one.
    pub eq: Option<String>,
    /// The text is one of these.
    #[graphql(name = "in")]
    pub any: Option<Vec<String>>,
    /// The text contains this one.
    pub contains: Option<String>,
    /// The text begins with this one.
    pub starts_with: Option<String>,
    /// The text ends with this one.
    pub ends_with: Option<String>,
    /// True if upper and lower case are the same. Defaults to false.
    pub case_insensitive: Option<bool>,
    /// True if the field must be unset, false if it must be set.
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
        let holds = |wanted: &Option<String>, test: fn(&str, &str) -> bool| match (wanted, &folded) {
            (None, _) => true,
            (Some(wanted), Some(value)) => test(value, &fold(wanted)),
            (Some(_), None) => false,
        };
        let among = |list: &Vec<String>| folded.as_ref().is_some_and(|value| list.iter().any(|it| &fold(it) == value));
        holds(&self.eq, |value, wanted| value == wanted)
            && holds(&self.contains, |value, wanted| value.contains(wanted))
            && holds(&self.starts_with, |value, wanted| value.starts_with(wanted))
            && holds(&self.ends_with, |value, wanted| value.ends_with(wanted))
            && self.any.as_ref().is_none_or(among)
    }
}

/// Defines a filter on values that have an order.
macro_rules! ordered_filter {
    ($(#[$docs:meta])* $name:ident, $value:ty) => {
        $(#[$docs])*
        #[derive(Clone, Debug, Default, InputObject)]
        pub struct $name {
            /// The value equals this one.
            pub eq: Option<$value>,
            /// The value is one of these.
            #[graphql(name = "in")]
            pub any: Option<Vec<$value>>,
            /// The value is greater than this.
            pub gt: Option<$value>,
            /// The value is greater than or equal to this.
            pub gte: Option<$value>,
            /// The value is less than this.
            pub lt: Option<$value>,
            /// The value is less than or equal to this.
            pub lte: Option<$value>,
            /// True if the field must be unset, false if it must be set.
            pub is_null: Option<bool>,
        }

        impl ValueFilter for $name {
            type Value<'a> = $value;

            fn fits(&self, value: Option<$value>) -> bool {
                let holds = |wanted: &Option<$value>, test: fn(&$value, &$value) -> bool| match (wanted, &value) {
                    (None, _) => true,
                    (Some(wanted), Some(value)) => test(value, wanted),
                    (Some(_), None) => false,
                };
                self.is_null.is_none_or(|null| null == value.is_none())
                    && holds(&self.eq, |value, wanted| value == wanted)
                    && holds(&self.gt, |value, wanted| value > wanted)
                    && holds(&self.gte, |value, wanted| value >= wanted)
                    && holds(&self.lt, |value, wanted| value < wanted)
                    && holds(&self.lte, |value, wanted| value <= wanted)
                    && self.any.as_ref().is_none_or(|list| value.as_ref().is_some_and(|value| list.contains(value)))
            }
        }
    };
}

ordered_filter!(
    /// Compares a whole number. All given members must hold.
    IntFilter, i64
);
ordered_filter!(
    /// Compares a 64-bit whole number. All given members must hold.
    LongFilter, Long
);
ordered_filter!(
    /// Compares a number. All given members must hold.
    FloatFilter, f64
);
ordered_filter!(
    /// Compares a time. All given members must hold.
    TimeFilter, DateTime<Utc>
);
ordered_filter!(
    /// Compares a date. All given members must hold.
    DateFilter, Date
);

/// Compares a boolean field.
#[derive(Clone, Debug, Default, InputObject)]
pub struct BooleanFilter {
    /// The field has this value.
    pub eq: Option<bool>,
}

impl ValueFilter for BooleanFilter {
    type Value<'a> = bool;

    fn fits(&self, value: Option<bool>) -> bool {
        self.eq.is_none_or(|wanted| value == Some(wanted))
    }
}

/// Compares an id.
#[derive(Clone, Debug, Default, InputObject)]
pub struct IdFilter {
    /// The id equals this one.
    pub eq: Option<ID>,
    /// The id is one of these.
    #[graphql(name = "in")]
    pub any: Option<Vec<ID>>,
}

impl IdFilter {
    /// Returns the requested ids.
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

/// Compares an external reference. All given members must hold for the same reference.
#[derive(Clone, Debug, Default, InputObject)]
pub struct ExternalRefFilter {
    /// The source that assigned the external id.
    pub source: Option<String>,
    /// The id of the object in the source.
    pub external_id: Option<String>,
}

impl ExternalRefFilter {
    /// Returns true if one of the references matches.
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
        #[doc = concat!("Compares a value of `", stringify!($value), "`. All given members must hold.")]
        #[derive(Clone, Debug, Default, async_graphql::InputObject)]
        pub struct $name {
            /// The value equals this one.
            pub eq: Option<$value>,
            /// The value is one of these.
            #[graphql(name = "in")]
            pub any: Option<Vec<$value>>,
            /// The value is none of these.
            pub not_in: Option<Vec<$value>>,
            /// True if the field must be unset, false if it must be set.
            pub is_null: Option<bool>,
        }

        impl $crate::read::ValueFilter for $name {
            type Value<'a> = $value;

            fn fits(&self, value: Option<$value>) -> bool {
                self.is_null.is_none_or(|null| null == value.is_none())
                    && self.eq.is_none_or(|wanted| value == Some(wanted))
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
