//! Filters on single values: texts, numbers, times, booleans, enums and ids. A member that is absent does not restrict.
//!
//! A filter is applied to many objects, so what it compares with is prepared once: texts in lower case, and lists as
//! sets.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::OnceLock;

use async_graphql::{ID, InputObject, InputType, InputValueError};
use chrono::{DateTime, Utc};
use foldhash::HashSet;
use underlay_entity::date::Date;
use underlay_entity::long::Long;
use uuid::Uuid;

/// The maximum number of entries in a list of a filter.
pub const MAX_FILTER_ENTRIES: usize = 1_000;

/// Checks the number of entries in a list of a filter.
///
/// # Errors
/// Returns an error if there are too many.
#[expect(clippy::ptr_arg, reason = "the library checks the list as it is")]
pub fn few<T: InputType>(list: &Vec<T>) -> Result<(), InputValueError<Vec<T>>> {
    match list.len() {
        ..=MAX_FILTER_ENTRIES => Ok(()),
        count => Err(InputValueError::custom(format!(
            "a list of a filter has {count} entries; at most {MAX_FILTER_ENTRIES} are allowed"
        ))),
    }
}

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
    /// The text is one of these: at most 1,000.
    #[graphql(name = "in", validator(custom = "few"))]
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
    /// The texts as they are compared, once they were needed.
    #[graphql(skip)]
    pub wanted: OnceLock<WantedTexts>,
}

/// The texts that a filter compares with, in lower case if the case does not matter.
#[derive(Clone, Debug)]
pub struct WantedTexts {
    eq: Option<String>,
    any: Option<HashSet<String>>,
    contains: Option<String>,
    starts_with: Option<String>,
    ends_with: Option<String>,
}

impl TextFilter {
    fn wanted(&self) -> &WantedTexts {
        self.wanted.get_or_init(|| {
            let fold = |text: &Option<String>| text.as_deref().map(|text| self.fold(text).into_owned());
            WantedTexts {
                eq: fold(&self.eq),
                any: self.any.as_ref().map(|list| list.iter().map(|text| self.fold(text).into_owned()).collect()),
                contains: fold(&self.contains),
                starts_with: fold(&self.starts_with),
                ends_with: fold(&self.ends_with),
            }
        })
    }

    fn fold<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.case_insensitive == Some(true) { text.to_lowercase().into() } else { text.into() }
    }
}

impl ValueFilter for TextFilter {
    type Value<'a> = &'a str;

    fn fits(&self, value: Option<&str>) -> bool {
        if self.is_null.is_some_and(|null| null != value.is_none()) {
            return false;
        }
        let wanted = self.wanted();
        let folded = value.map(|value| self.fold(value));
        let holds = |wanted: &Option<String>, test: fn(&str, &str) -> bool| match (wanted, &folded) {
            (None, _) => true,
            (Some(wanted), Some(value)) => test(value, wanted),
            (Some(_), None) => false,
        };
        let among = |list: &HashSet<String>| folded.as_ref().is_some_and(|value| list.contains(&**value));
        holds(&wanted.eq, |value, wanted| value == wanted)
            && holds(&wanted.contains, |value, wanted| value.contains(wanted))
            && holds(&wanted.starts_with, |value, wanted| value.starts_with(wanted))
            && holds(&wanted.ends_with, |value, wanted| value.ends_with(wanted))
            && wanted.any.as_ref().is_none_or(among)
    }
}

/// Returns the order of two values. Those without an order, which JSON does not have, count as equal.
fn order<T: PartialOrd>(left: &T, right: &T) -> Ordering {
    left.partial_cmp(right).unwrap_or(Ordering::Equal)
}

/// Defines a filter on values that have an order.
macro_rules! ordered_filter {
    ($(#[$docs:meta])* $name:ident, $value:ty) => {
        $(#[$docs])*
        #[derive(Clone, Debug, Default, InputObject)]
        pub struct $name {
            /// The value equals this one.
            pub eq: Option<$value>,
            /// The value is one of these: at most 1,000.
            #[graphql(name = "in", validator(custom = "few"))]
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
            /// The values of `in` in their order, once they were needed.
            #[graphql(skip)]
            pub wanted: OnceLock<Vec<$value>>,
        }

        impl $name {
            fn has(&self, list: &[$value], value: &$value) -> bool {
                let wanted = self.wanted.get_or_init(|| {
                    let mut wanted = list.to_vec();
                    wanted.sort_by(order);
                    wanted
                });
                wanted.binary_search_by(|wanted| order(wanted, value)).is_ok()
            }
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
                    && self.any.as_ref().is_none_or(|list| value.as_ref().is_some_and(|value| self.has(list, value)))
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
    /// The id is one of these: at most 1,000.
    #[graphql(name = "in", validator(custom = "few"))]
    pub any: Option<Vec<ID>>,
    /// The ids, once they were needed.
    #[graphql(skip)]
    pub wanted: OnceLock<WantedIds>,
}

/// The ids that a filter compares with. A text that is no id equals none.
#[derive(Clone, Debug)]
pub struct WantedIds {
    eq: Option<Option<Uuid>>,
    any: Option<HashSet<Uuid>>,
}

impl IdFilter {
    /// Returns the requested ids.
    pub fn ids(&self) -> impl Iterator<Item = &ID> {
        self.eq.iter().chain(self.any.iter().flatten())
    }
}

impl ValueFilter for IdFilter {
    type Value<'a> = Uuid;

    fn fits(&self, value: Option<Uuid>) -> bool {
        let read = |id: &ID| Uuid::parse_str(id).ok();
        let wanted = self.wanted.get_or_init(|| WantedIds {
            eq: self.eq.as_ref().map(read),
            any: self.any.as_ref().map(|ids| ids.iter().filter_map(read).collect()),
        });
        wanted.eq.is_none_or(|wanted| wanted.is_some() && wanted == value)
            && wanted.any.as_ref().is_none_or(|ids| value.is_some_and(|value| ids.contains(&value)))
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
            /// The value is one of these: at most 1,000.
            #[graphql(name = "in", validator(custom = "underlay_read::few"))]
            pub any: Option<Vec<$value>>,
            /// The value is none of these: at most 1,000.
            #[graphql(validator(custom = "underlay_read::few"))]
            pub not_in: Option<Vec<$value>>,
            /// True if the field must be unset, false if it must be set.
            pub is_null: Option<bool>,
        }

        impl $crate::ValueFilter for $name {
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
    fn lists_of_texts_and_ids() {
        let list = |texts: &[&str]| Some(texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
        let exact = TextFilter { any: list(&["Leaf-1", "leaf-2"]), ..Default::default() };
        assert_eq!(["Leaf-1", "leaf-1", "leaf-2", ""].map(|text| exact.fits(Some(text))), [true, false, true, false]);
        let any_case = TextFilter { case_insensitive: Some(true), wanted: OnceLock::new(), ..exact };
        assert_eq!(["Leaf-1", "LEAF-2", "leaf"].map(|text| any_case.fits(Some(text))), [true, true, false]);
        assert!(!any_case.fits(None));
        let (one, two) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let ids = IdFilter { any: Some(vec![one.into(), "no id".into()]), ..Default::default() };
        assert_eq!([Some(one), Some(two), None].map(|id| ids.fits(id)), [true, false, false]);
        let none = IdFilter { eq: Some("no id".into()), ..Default::default() };
        assert!(!none.fits(Some(one)) && !none.fits(None) && IdFilter::default().fits(Some(one)));
    }

    #[test]
    fn a_list_has_a_greatest_length() {
        let list = |count: usize| few(&(0..count as i64).collect::<Vec<_>>()).map_err(|error| format!("{error:?}"));
        assert_eq!(list(MAX_FILTER_ENTRIES), Ok(()));
        let refused = list(MAX_FILTER_ENTRIES + 1).expect_err("too long");
        assert!(refused.contains("a list of a filter has 1001 entries; at most 1000 are allowed"), "{refused}");
    }

    #[test]
    fn numbers() {
        let filter = IntFilter { gte: Some(10), lt: Some(20), ..Default::default() };
        assert_eq!([9, 10, 19, 20].map(|number| filter.fits(Some(number))), [false, true, true, false]);
        assert!(!filter.fits(None));
        let among = IntFilter { any: Some(vec![30, -1, 10]), ..Default::default() };
        assert_eq!([-1, 0, 10, 30, 31].map(|number| among.fits(Some(number))), [true, false, true, true, false]);
        assert!(!IntFilter { any: Some(Vec::new()), ..Default::default() }.fits(Some(1)));
        let among = FloatFilter { any: Some(vec![1.5, -0.5]), ..Default::default() };
        assert_eq!([1.5, 0.5, -0.5].map(|number| among.fits(Some(number))), [true, false, true]);
    }
}
