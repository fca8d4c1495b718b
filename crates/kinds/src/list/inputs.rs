//! The GraphQL inputs that can hold a reference to, or the fields of, an object of any kind.

use async_graphql::{ID, OneofObject};

use crate::apply::{DeleteItem, ReleaseItem};
use crate::grammar::to_fields;
use underlay_engine::write::{Intent, Item};
use underlay_inventory::{Description, Kind};

/// Makes the inputs `AnyRef` and `ApplyItem`, each with a member for every kind, and their conversions to the forms that
/// the engine reads.
macro_rules! inputs {
    ($( $id:literal $constant:ident $module:ident $kind:ident $input:ident $reference:ident; )*) => {
        $( use crate::$module::{$input, $kind, $reference}; )*

        /// Names an object of any kind. Exactly one member must be given.
        #[derive(Clone, Debug, OneofObject)]
        pub enum AnyRef {
            /// The id of an object of any kind.
            Id(ID),
            $(
                #[doc = concat!("A reference to an object of kind ", stringify!($kind), ".")]
                $kind(Box<$reference>),
            )*
        }

        impl AnyRef {
            /// Returns the kind, if the reference names one, and the reference as JSON.
            pub fn parts(&self) -> (Option<&'static Description>, serde_json::Value) {
                match self {
                    Self::Id(id) => (None, serde_json::Value::String(id.to_string())),
                    $( Self::$kind(reference) => {
                        (Some($kind::describe()), serde_json::Value::Object(to_fields(&**reference)))
                    } )*
                }
            }
        }

        /// One item of a batch. Exactly one member must be given.
        #[derive(Clone, Debug, OneofObject)]
        pub enum ApplyItem {
            $(
                #[doc = concat!("Creates or updates ", $crate::with_article!($kind), ".")]
                $kind(Box<$input>),
            )*
            /// Deletes the object that the item names.
            Delete(Box<DeleteItem>),
            /// Releases the caller's ownership of fields of an object.
            Release(Box<ReleaseItem>),
        }

        impl ApplyItem {
            /// Returns the item for the write path.
            pub fn into_item(self) -> Item {
                match self {
                    $( Self::$kind(input) => {
                        let if_version = input.if_version.clone().take().map(|version| version.0);
                        let fields = to_fields(&*input).into();
                        Item::Write { kind: $kind::describe(), intent: Intent::Apply, fields, if_version }
                    } )*
                    Self::Delete(item) => item.into_item(),
                    Self::Release(item) => item.into_item(),
                }
            }
        }
    };
}

for_each_kind!(inputs);
