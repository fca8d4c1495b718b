//! What clients write of a kind: the item, the patch, the reference, the payload.

use async_graphql::{InputObject, MaybeUndefined};
use serde::Serialize;
use underlay_entity::text::Url;

/// What another system calls the object.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExternalRefInput {
    /// The outside system, such as `bcm-dc1`.
    pub source: String,
    /// What that system calls the object; `null` removes the reference.
    #[serde(skip_serializing_if = "MaybeUndefined::is_undefined")]
    pub external_id: MaybeUndefined<String>,
    /// Where a person finds it there.
    pub url: Option<Url>,
}

/// Defines what clients write of a kind.
///
/// `fixed` are fields that cannot change after creation: they are in the item and not in the patch. In both, what is
/// absent is left alone and `null` clears. `reference` lists what a reference to an object of the kind may say besides
/// its id and external id, the name last.
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
            "A ", stringify!($name), " to be written. What is absent is left alone, `null` clears. ",
            "The object is found by `id`, else by `externalId` of the batch's source, else by its key."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $input {
            /// The id: of an object that is there, or for a new one.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub id: async_graphql::MaybeUndefined<async_graphql::ID>,
            /// What the source of the batch calls the object.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_id: async_graphql::MaybeUndefined<String>,
            /// Only when the object is at this version, before the batch; 0: only when there is no such object.
            #[serde(skip)]
            pub if_version: async_graphql::MaybeUndefined<$crate::kinds::scalars::Revision>,
            /// The name: 1 to 253 characters, no control characters, no space at either end; unique within the parent.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub name: async_graphql::MaybeUndefined<String>,
            /// Labels, patched key by key; `null` removes one.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub labels: async_graphql::MaybeUndefined<$crate::kinds::scalars::LabelMap>,
            /// Whose it is; `null`: shared by all.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub tenant: async_graphql::MaybeUndefined<String>,
            /// What people should know about it.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub description: async_graphql::MaybeUndefined<String>,
            /// A JSON object, at most 16 KiB, patched key by key; `null` removes one.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub attributes: async_graphql::MaybeUndefined<async_graphql::Json<serde_json::Value>>,
            /// What other systems call it, patched source by source.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_refs: async_graphql::MaybeUndefined<Vec<$crate::kinds::grammar::ExternalRefInput>>,
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
            "A change of a ", stringify!($name), ". What is absent is left alone, `null` clears."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $patch {
            /// The name: 1 to 253 characters, no control characters, no space at either end; unique within the parent.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub name: async_graphql::MaybeUndefined<String>,
            /// Labels, patched key by key; `null` removes one.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub labels: async_graphql::MaybeUndefined<$crate::kinds::scalars::LabelMap>,
            /// Whose it is; `null`: shared by all.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub tenant: async_graphql::MaybeUndefined<String>,
            /// What people should know about it.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub description: async_graphql::MaybeUndefined<String>,
            /// A JSON object, at most 16 KiB, patched key by key; `null` removes one.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub attributes: async_graphql::MaybeUndefined<async_graphql::Json<serde_json::Value>>,
            /// What other systems call it, patched source by source.
            #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
            pub external_refs: async_graphql::MaybeUndefined<Vec<$crate::kinds::grammar::ExternalRefInput>>,
            $(
                $(#[$field_docs])*
                #[serde(skip_serializing_if = "async_graphql::MaybeUndefined::is_undefined")]
                pub $field: async_graphql::MaybeUndefined<$field_type>,
            )*
        }

        #[doc = concat!(
            "Names a ", stringify!($name), ": by `id`, or by `externalId` and `source`, or by its name with as many of ",
            "its parents as are needed to tell it apart."
        )]
        #[derive(Clone, Debug, Default, async_graphql::InputObject, serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        pub struct $reference {
            /// The id.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub id: Option<async_graphql::ID>,
            /// The source of `externalId`; default: the source of the batch.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub source: Option<String>,
            /// What the source calls the object.
            #[serde(skip_serializing_if = "Option::is_none")]
            pub external_id: Option<String>,
            $(
                $(#[$part_docs])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $part: Option<$part_type>,
            )*
        }

        #[doc = concat!("What a mutation of a ", stringify!($name), " gives back.")]
        #[derive(Clone, Debug, async_graphql::SimpleObject)]
        pub struct $payload {
            #[doc = concat!("The ", stringify!($name), " as it is now, or as it would be by a dry run.")]
            pub $member: super::node::$name,
            /// The revision that the mutation made; null when nothing had to be changed, and for a dry run.
            pub revision: Option<$crate::kinds::scalars::Revision>,
        }
    };
}
