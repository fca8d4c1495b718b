//! The GraphQL interfaces that every kind implements.

use std::sync::Arc;

use async_graphql::{ID, Interface};
use chrono::{DateTime, Utc};
use underlay_entity::common::ExternalRef;

use super::ids;
use crate::grammar::ManagedField;
use crate::scalars::{FreeJson, LabelMap, Revision};
use underlay_inventory::{ObjectRef, Snapshot};
use underlay_read::{ItemReferences, Listed};

/// Makes the interfaces `Node` and `Object`, each with a variant for every kind, and `Node::at`, which reads an object
/// of any kind from a snapshot.
macro_rules! interfaces {
    ($( $id:literal $constant:ident $module:ident $kind:ident $input:ident $reference:ident; )*) => {
        $( use crate::$module::$kind; )*

        /// An object of any kind, with its id.
        #[derive(Clone, Debug, Interface)]
        #[graphql(field(name = "id", ty = "ID", desc = "The id of the object: a UUID that is unique over all kinds."))]
        pub enum Node {
            $( $kind($kind) ),*
        }

        /// The fields that every object has, of any kind.
        #[derive(Clone, Debug, Interface)]
        #[graphql(
            field(name = "id", ty = "ID", desc = "The id of the object: a UUID that is unique over all kinds."),
            field(name = "name", ty = "&str", desc = "The name of the object, unique within its parent."),
            field(
                name = "path",
                ty = "String",
                desc = "The path of the object as a person would write it: its kind, the names of its parents from the top down, and its own name, such as `rack/ams1/A14`. A family other than DATA precedes the name of a port."
            ),
            field(name = "labels", ty = "LabelMap", desc = "The Kubernetes-style labels of the object."),
            field(
                name = "tenant",
                ty = "Option<&str>",
                desc = "The tenant that owns the object. Null if it is shared by all tenants."
            ),
            field(
                name = "description",
                ty = "Option<&str>",
                desc = "A free text for people that describes the object."
            ),
            field(
                name = "attributes",
                ty = "FreeJson",
                desc = "A JSON object of at most 16 KiB, for data that has no field of its own."
            ),
            field(
                name = "external_refs",
                ty = "Vec<ExternalRef>",
                desc = "The references to the object in other systems: at most one for each source."
            ),
            field(
                name = "managers",
                ty = "Vec<ManagedField>",
                desc = "The fields of the object that a manager owns, each with its manager."
            ),
            field(
                name = "version",
                ty = "Revision",
                desc = "The revision that last changed the object. Pass it as `ifVersion` for optimistic locking."
            ),
            field(name = "created_at", ty = "DateTime<Utc>", desc = "The time when the object was created, in UTC."),
            field(name = "updated_at", ty = "DateTime<Utc>", desc = "The time when the object last changed, in UTC."),
            field(
                name = "item",
                ty = "FreeJson",
                desc = "The object as the fields of an `apply` item. Applying this item would change nothing. Fields that have their default value are left out.",
                arg(
                    name = "references",
                    ty = "ItemReferences",
                    default,
                    desc = "The form in which the item names other objects. Defaults to KEY."
                )
            )
        )]
        pub enum Object {
            $( $kind($kind) ),*
        }

        impl Node {
            /// Returns the object; `None` if it does not exist.
            pub fn at(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Option<Self> {
                match object.kind {
                    $( ids::$constant => snapshot.hold(object).map($kind::of).map(Self::$kind), )*
                    _ => None,
                }
            }
        }

        impl Object {
            /// Returns the object; `None` if it does not exist.
            pub fn at(snapshot: &Arc<Snapshot>, object: ObjectRef) -> Option<Self> {
                match object.kind {
                    $( ids::$constant => snapshot.hold(object).map($kind::of).map(Self::$kind), )*
                    _ => None,
                }
            }
        }
    };
}

for_each_kind!(interfaces);
