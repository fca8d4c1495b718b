//! The macro that defines the sort orders of a kind.

/// Defines the sort orders of a kind: by key, by time of creation and change, by name, and by the listed values.
#[macro_export]
macro_rules! order {
    (
        $name:ident: $model:ty;
        order $order:ident, $order_by:ident;
        values { $( $value:ident as $text:literal = |$row:ident| $value_of:expr; )* }
    ) => {
        #[doc = concat!("The fields that objects of kind ", stringify!($name), " can be ordered by.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, async_graphql::Enum)]
        pub enum $order_by {
            /// The key: parent, then name in natural order. Served by an index.
            Key,
            /// The time of the last change. Served by an index.
            UpdatedAt,
            /// The time when the object was created.
            CreatedAt,
            /// The name in natural order, regardless of the parent.
            Name,
            $(
                #[doc = concat!("The field `", $text, "`.")]
                $value,
            )*
        }

        #[doc = concat!("The order in which objects of kind ", stringify!($name), " are listed.")]
        #[derive(Clone, Copy, Debug, async_graphql::InputObject)]
        pub struct $order {
            /// The field to order by. Ties are broken by id.
            pub by: $order_by,
            /// The direction of the list. Defaults to ASC.
            #[graphql(default)]
            pub direction: $crate::read::Direction,
        }

        /// The order of this kind.
        pub type Order = $order;

        impl From<$order> for ($crate::read::By<super::node::$name>, $crate::read::Direction) {
            fn from(order: $order) -> Self {
                use $crate::read::{By, IntoSortValue as _};
                let by = match order.by {
                    $order_by::Key => By::Key,
                    $order_by::UpdatedAt => By::Updated,
                    $order_by::CreatedAt => By::Value("createdAt", |row: &$model| row.created_at.into_sort_value()),
                    $order_by::Name => By::Value("name", |row: &$model| row.name.as_str().into_sort_value()),
                    $( $order_by::$value => By::Value($text, |$row: &$model| $value_of.into_sort_value()), )*
                };
                (by, order.direction)
            }
        }
    };
}
