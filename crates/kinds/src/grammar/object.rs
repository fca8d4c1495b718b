//! The macro that defines the GraphQL object of a kind: identity, own fields, times, references, reverse connections
//! and the change log.

use async_graphql::{Enum, SimpleObject};
use underlay_entity::common::Managers;

use crate::errors::internal;
use crate::scalars::Revision;
use underlay_entity::row::Row;
use underlay_inventory::{Description, Held, Kind, Manager, Snapshot};

/// The type of a manager that owns fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ManagerType {
    /// An external system whose synchronizer wrote the field.
    Source,
    /// A user that wrote the field through the API.
    User,
    /// A controller that wrote the field: a caller whose token has the role `reconciler`, and no role that may write
    /// everything.
    Controller,
}

/// The ownership of one field of an object.
#[derive(Clone, Debug, SimpleObject)]
pub struct ManagedField {
    /// The name of the field. An entry of labels, attributes or external references is named like `labels.env`.
    pub field: String,
    /// The type of the manager: a source, a user or a controller.
    #[graphql(name = "type")]
    pub manager_type: ManagerType,
    /// The name of the source, the user or the controller.
    pub manager: String,
    /// The revision since which the manager owns the field.
    pub since: Revision,
}

/// Returns the owned fields of an object, each with its manager.
pub fn managed_fields<K: Kind>(held: &Held<K>) -> Vec<ManagedField> {
    holdings(&held.snapshot, K::describe(), held.row.common().managers)
}

/// Returns the owned fields, each with its manager, by the names that clients use.
pub fn holdings(snapshot: &Snapshot, kind: &Description, managers: &Managers) -> Vec<ManagedField> {
    let mut list = Vec::new();
    for holding in managers.0.iter() {
        let Some(name) = snapshot.manager(holding.manager) else { continue };
        let manager = Manager::read(name);
        let manager_type = match manager {
            Manager::Source(_) => ManagerType::Source,
            Manager::User(_) => ManagerType::User,
            Manager::Controller(_) => ManagerType::Controller,
        };
        let fields =
            kind.fields.iter().filter(|field| holding.fields & (1 << field.number) != 0).map(|field| field.name);
        for field in fields.chain(holding.keys.iter().map(String::as_str)) {
            list.push(ManagedField {
                field: field.to_owned(),
                manager_type,
                manager: manager.name().to_owned(),
                since: Revision(holding.since),
            });
        }
    }
    list
}

/// Returns the object that a required reference names. A missing object is an internal error.
pub fn required<T>(found: Option<T>, what: &str) -> async_graphql::Result<T> {
    found.ok_or_else(|| internal(&format!("the required reference {what} leads nowhere")))
}

/// Defines the GraphQL object of a kind.
///
/// `own` are fields of the row. `requires` and `refers` are required and optional references. `lists` are reverse
/// connections. `observed` is present, and empty, if the kind has reported fields. `traced` is so if lines begin at the kind. `more` holds resolvers that fit none of
/// these.
#[macro_export]
macro_rules! object {
    (
        $(#[$docs:meta])*
        $name:ident: $model:ty;
        own { $( $(#[$own_docs:meta])* $own:ident: $own_type:ty = $own_value:expr; )* }
        requires { $( $(#[$requires_docs:meta])* $requires:ident: $requires_kind:ident by $requires_by:expr; )* }
        refers { $( $(#[$refers_docs:meta])* $refers:ident: $refers_kind:ident by $refers_by:expr; )* }
        lists { $( $(#[$lists_docs:meta])* $lists:ident: $lists_kind:ident by $lists_by:expr; )* }
        $( observed { $($observed:tt)* } )?
        $( traced { $($traced:tt)* } )?
        more { $($more:tt)* }
    ) => {
        $(#[$docs])*
        #[derive(Clone, Debug)]
        pub struct $name(pub underlay_inventory::Held<$name>);

        $(#[$docs])*
        #[async_graphql::Object]
        impl $name {
            /// The id of the object: a UUID that is unique over all kinds.
            pub(crate) async fn id(&self) -> async_graphql::ID {
                self.0.row.id.into()
            }

            /// The name of the object, unique within its parent.
            pub(crate) async fn name(&self) -> &str {
                &self.0.row.name
            }

            /// The path of the object as a person would write it: its kind, the names of its parents from the top down,
            /// and its own name, such as `rack/ams1/A14`. A family other than DATA precedes the name of a port.
            pub(crate) async fn path(&self) -> String {
                self.0.snapshot.distinct_path(self.0.object_ref())
            }

            $(
                $(#[$own_docs])*
                async fn $own(&self) -> $own_type {
                    let read: fn(&$model) -> $own_type = $own_value;
                    read(&self.0.row)
                }
            )*

            /// The Kubernetes-style labels of the object.
            pub(crate) async fn labels(&self) -> $crate::scalars::LabelMap {
                (&self.0.row.labels).into()
            }

            /// The tenant that owns the object. Null if it is shared by all tenants.
            pub(crate) async fn tenant(&self) -> Option<&str> {
                self.0.row.tenant.as_deref()
            }

            /// A free text for people that describes the object.
            pub(crate) async fn description(&self) -> Option<&str> {
                self.0.row.description.as_deref()
            }

            /// A JSON object of at most 16 KiB, for data that has no field of its own.
            pub(crate) async fn attributes(&self) -> $crate::scalars::FreeJson {
                $crate::scalars::FreeJson((*self.0.row.attributes.0).clone().into_iter().collect())
            }

            /// The references to the object in other systems: at most one for each source.
            pub(crate) async fn external_refs(&self) -> Vec<underlay_entity::common::ExternalRef> {
                self.0.row.external_refs.0.to_vec()
            }

            /// The fields of the object that a manager owns, each with its manager.
            pub(crate) async fn managers(&self) -> Vec<$crate::grammar::ManagedField> {
                $crate::grammar::managed_fields(&self.0)
            }

            /// The revision that last changed the object. Pass it as `ifVersion` for optimistic locking.
            pub(crate) async fn version(&self) -> $crate::scalars::Revision {
                $crate::scalars::Revision(self.0.row.version)
            }

            $(
                /// The revision that last changed what controllers report about the object. Such a change moves neither
                /// `version` nor `updatedAt`, so it does not disturb optimistic locking.
                async fn observed_version(&self) -> $crate::scalars::Revision {
                    $crate::scalars::Revision(self.0.row.observed_version)
                }

                $($observed)*
            )?

            /// The time when the object was created, in UTC.
            pub(crate) async fn created_at(&self) -> chrono::DateTime<chrono::Utc> {
                self.0.row.created_at
            }

            /// The time when the object last changed, in UTC.
            pub(crate) async fn updated_at(&self) -> chrono::DateTime<chrono::Utc> {
                self.0.row.updated_at
            }

            /// The object as the fields of an `apply` item. Applying this item would change nothing. Fields that have
            /// their default value are left out.
            pub(crate) async fn item(
                &self,
                #[graphql(desc = "The form in which the item names other objects. Defaults to KEY.", default)]
                references: underlay_read::ItemReferences,
            ) -> $crate::scalars::FreeJson {
                let item = underlay_read::item(&self.0.snapshot, self.0.object_ref(), references);
                $crate::scalars::FreeJson(item.unwrap_or_default().into())
            }

            $(
                $(#[$requires_docs])*
                async fn $requires(&self) -> async_graphql::Result<$requires_kind> {
                    let found = self.0.follow($requires_by).map($requires_kind);
                    $crate::grammar::required(found, stringify!($requires))
                }
            )*

            $(
                $(#[$refers_docs])*
                async fn $refers(&self) -> Option<$refers_kind> {
                    self.0.follow($refers_by).map($refers_kind)
                }
            )*

            $(
                $(#[$lists_docs])*
                #[expect(clippy::too_many_arguments, reason = "a jump into a list is one argument more than the others")]
                async fn $lists(
                    &self,
                    context: &async_graphql::Context<'_>,
                    #[graphql(desc = "Selects the objects to list. Defaults to all.")]
                    filter: Option<Box<<$lists_kind as underlay_read::Listed>::Filter>>,
                    #[graphql(desc = "The sort order. Defaults to the key.")]
                    order_by: Option<<$lists_kind as underlay_read::Listed>::Order>,
                    #[graphql(desc = "The maximum number of entries from the beginning: 0 to 1000. Defaults to 50.")]
                    first: Option<i32>,
                    #[graphql(desc = "Returns only entries after this cursor.")]
                    after: Option<String>,
                    #[graphql(desc = "The maximum number of entries from the end: 0 to 1000.")]
                    last: Option<i32>,
                    #[graphql(desc = "Returns only entries before this cursor.")]
                    before: Option<String>,
                    #[graphql(desc = "Keeps the revision of this list for one minute after each use. Pages that use its cursors, and lists that pass its number as `atRevision`, read the same revision. Defaults to false.")]
                    pin: Option<bool>,
                    #[graphql(desc = "Reads the list as of this revision, which a list with `pin` keeps. Fails with REVISION_COMPACTED if the revision is not kept. Defaults to the cursor's revision if it was pinned, otherwise to the current one.")]
                    at_revision: Option<$crate::scalars::Revision>,
                    #[graphql(desc = "Leaves out so many entries after the cursor, or from the beginning. Only on a list of a fixed revision (with `pin`, `atRevision`, or a cursor of a pinned list), and not with `last`. Defaults to 0.")]
                    skip: Option<i32>,
                ) -> async_graphql::Result<Option<underlay_read::Connection<$lists_kind>>> {
                    let listing = underlay_read::Listing {
                        snapshot: std::sync::Arc::clone(&self.0.snapshot),
                        scope: underlay_read::ListScope::Referrers(self.0.object_ref(), $lists_by),
                        filter: filter.map(Into::into),
                        order: order_by,
                        cursors: underlay_read::Cursors::CurrentSnapshot,
                        share: $crate::request::Request::of(context).filter_share(),
                    };
                    let page = $crate::grammar::RequestedPage { first, after, last, before, pin, at_revision, skip };
                    $crate::grammar::list(context, listing, page).await
                }
            )*

            $(
                /// The ends that the object's line reaches through panels and across circuits: the end of each COMPLETE
                /// branch, once. `trace` shows each hop, and the branches that are broken.
                async fn far_ends(&self, context: &async_graphql::Context<'_>) -> Vec<$crate::trace::Hop> {
                    $crate::trace::far_ends(context, &self.0).await
                }

                /// True if `farEnds` is incomplete: the line has more than 1,000 branches or 10,000 hops, or a strand
                /// of more than 1,000 hops. False for almost every line.
                async fn far_ends_truncated(&self, context: &async_graphql::Context<'_>) -> bool {
                    $crate::trace::far_ends_truncated(context, &self.0).await
                }

                /// The object's line, followed hop by hop, as the root field `trace` returns it.
                async fn trace(
                    &self,
                    context: &async_graphql::Context<'_>,
                    #[graphql(desc = "The position of the object to follow, from 1. Defaults to all its positions.")] position: Option<i32>,
                    #[graphql(desc = "Continues through power devices, from outlets to the sources that feed them. Defaults to false.")]
                    through_devices: Option<bool>,
                ) -> async_graphql::Result<Option<$crate::trace::Trace>> {
                    $crate::trace::trace_of(context, &self.0, position, through_devices).await
                }

                $($traced)*
            )?

            $($more)*

            /// The change log of the object, newest first, up to the revision that the request reads. Null for a token
            /// of a tenant, because the log covers all tenants.
            pub(crate) async fn changes(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")]
                first: Option<i32>,
                #[graphql(desc = "Returns only entries after this cursor.")]
                after: Option<String>,
            ) -> async_graphql::Result<Option<$crate::changes::ChangeConnection>> {
                $crate::changes::of_object(context, &self.0.snapshot, self.0.row.id, first, after).await
            }
        }

        impl underlay_read::Listed for $name {
            type Filter = super::input::Filter;
            type Order = super::input::Order;

            fn of(held: underlay_inventory::Held<Self>) -> Self {
                Self(held)
            }
        }
    };
}
