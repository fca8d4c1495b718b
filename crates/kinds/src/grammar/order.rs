//! The macro that defines the sort orders of a kind.

/// Defines the sort orders of a kind: by key, by time of creation and change, by name and path, and by the listed values. A value
/// has the name of its field and the words that complete `Orders by` in its description.
#[macro_export]
macro_rules! order {
    (
        $name:ident: $model:ty;
        order $order:ident, $order_by:ident;
        values { $( $value:ident as $text:literal: $what:literal = |$row:ident| $value_of:expr; )* }
    ) => {
        #[doc = concat!("The fields that objects of kind ", stringify!($name), " can be ordered by.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, async_graphql::Enum)]
        pub enum $order_by {
            /// Orders by the key: the objects of one parent follow each other, by their names in natural order. Served by
            /// an index.
            Key,
            /// Orders by the time of the last change. Served by an index.
            UpdatedAt,
            /// Orders by the time of creation.
            CreatedAt,
            /// Orders by the name in natural order, regardless of the parent.
            Name,
            /// Orders by the path in natural order: by the names of the parents from the outermost, then by the name.
            Path,
            $(
                #[doc = concat!("Orders by ", $what, ".")]
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
            pub direction: underlay_read::Direction,
        }

        /// The order of this kind.
        pub type Order = $order;

        impl From<$order> for (underlay_read::By<super::node::$name>, underlay_read::Direction) {
            fn from(order: $order) -> Self {
                use underlay_read::{By, IntoSortValue as _};
                let by = match order.by {
                    $order_by::Key => By::Key,
                    $order_by::UpdatedAt => By::Updated,
                    $order_by::Path => By::Path,
                    $order_by::CreatedAt => By::Value("createdAt", |row: &$model| row.created_at.into_sort_value()),
                    $order_by::Name => By::Value("name", |row: &$model| row.name.as_str().into_sort_value()),
                    $( $order_by::$value => By::Value($text, |$row: &$model| $value_of.into_sort_value()), )*
                };
                (by, order.direction)
            }
        }
    };
}
