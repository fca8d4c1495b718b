//! The macro that defines the inputs and the payload of a kind: the item, the patch, the reference and the payload.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Serialize;
use underlay_entity::text::Url;

/// A reference to the object in another system.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExternalRefInput {
    /// The other system, such as `bcm-dc1`.
    pub source: String,
    /// The id of the object in that system. `null` removes the reference.
    #[serde(skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub external_id: MaybeUndefined<String>,
    /// The web page of the object in that system.
    pub url: Option<Url>,
}

/// Defines the inputs and the payload of a kind.
///
/// `fixed` are fields that cannot change after creation: the item has them, and the patch does not. In both, an absent
/// field stays as it is and `null` clears it. `reference` lists the members of a reference besides its id and external
/// id; the name comes last.
#[macro_export]
macro_rules! inputs {
    (
        $name:ident as $member:ident;
        input $input:ident;
        patch $patch:ident;
        payload $payload:ident;
        reference $reference:ident { $( $(#[$part_docs:meta])* $part:ident: $part_type:ty; )* }
        fixed { $( $(#[$fixed_docs:meta])* $fixed:ident: $fixed_type:ty; )* }
        fields { $( $(#[$field_docs:meta])* $field:ident: $field_type:ty; )* }
    ) => {
        #[doc = concat!(
            $crate::with_article!(A $name), " to write. An absent field stays as it is, and `null` clears a field. ",
            "The server finds the object by `id`, else by `externalId` of the batch's source, else by its key."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $input {
            /// The id of an existing object, or the id that a new object gets.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub id: async_graphql::MaybeUndefined<async_graphql::ID>,
            /// The id of the object in the source of the batch.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_id: async_graphql::MaybeUndefined<String>,
            /// The version that the object must have before the batch. 0 means that the object must not exist.
            #[serde(skip)]
            pub if_version: async_graphql::MaybeUndefined<$crate::scalars::Revision>,
            /// The name of the object, unique within its parent: 1 to 253 characters, no control characters, no space
            /// at either end.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub name: async_graphql::MaybeUndefined<String>,
            /// The labels of the object. A write patches them key by key; `null` removes a label.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub labels: async_graphql::MaybeUndefined<$crate::scalars::LabelMap>,
            /// The tenant that owns the object. `null` shares it with all tenants.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub tenant: async_graphql::MaybeUndefined<String>,
            /// A free text for people that describes the object.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub description: async_graphql::MaybeUndefined<String>,
            /// A JSON object of at most 16 KiB. A write patches it key by key; `null` removes a key.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub attributes: async_graphql::MaybeUndefined<$crate::scalars::FreeJson>,
            /// The references to the object in other systems. A write patches them source by source.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_refs: async_graphql::MaybeUndefined<Vec<$crate::grammar::ExternalRefInput>>,
            $(
                $(#[$fixed_docs])*
                #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
                pub $fixed: async_graphql::MaybeUndefined<$fixed_type>,
            )*
            $(
                $(#[$field_docs])*
                #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
                pub $field: async_graphql::MaybeUndefined<$field_type>,
            )*
        }

        #[doc = concat!(
            "A change of ", $crate::with_article!($name), ". An absent field stays as it is, and `null` clears a field."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $patch {
            /// The name of the object, unique within its parent: 1 to 253 characters, no control characters, no space
            /// at either end.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub name: async_graphql::MaybeUndefined<String>,
            /// The labels of the object. A write patches them key by key; `null` removes a label.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub labels: async_graphql::MaybeUndefined<$crate::scalars::LabelMap>,
            /// The tenant that owns the object. `null` shares it with all tenants.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub tenant: async_graphql::MaybeUndefined<String>,
            /// A free text for people that describes the object.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub description: async_graphql::MaybeUndefined<String>,
            /// A JSON object of at most 16 KiB. A write patches it key by key; `null` removes a key.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub attributes: async_graphql::MaybeUndefined<$crate::scalars::FreeJson>,
            /// The references to the object in other systems. A write patches them source by source.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_refs: async_graphql::MaybeUndefined<Vec<$crate::grammar::ExternalRefInput>>,
            $(
                $(#[$field_docs])*
                #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
                pub $field: async_graphql::MaybeUndefined<$field_type>,
            )*
        }

        #[doc = concat!(
            "Names ", $crate::with_article!($name), ": by `id`, or by `externalId` and `source`, or by its name with as many of ",
            "its parents as are needed to make it unambiguous."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $reference {
            /// The id of the object.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub id: Option<async_graphql::ID>,
            /// The source that `externalId` belongs to. Defaults to the source of the batch.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub source: Option<String>,
            /// The id of the object in that source.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub external_id: Option<String>,
            $(
                $(#[$part_docs])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $part: Option<$part_type>,
            )*
        }

        #[doc = concat!("The result of a mutation of ", $crate::with_article!($name), ".")]
        #[derive(Clone, Debug, async_graphql::SimpleObject)]
        pub struct $payload {
            #[doc = concat!("The ", stringify!($name), " after the mutation, or as a dry run would leave it.")]
            pub $member: super::node::$name,
            /// The revision that the mutation created. Null for a dry run, or if nothing had to change.
            pub revision: Option<$crate::scalars::Revision>,
        }
    };
}
