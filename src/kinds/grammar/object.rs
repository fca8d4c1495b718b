//! The GraphQL object of a kind: identity, own fields, times, references, reverse connections, the change log.

use async_graphql::{Enum, SimpleObject};
use underlay_entity::common::Managers;

use crate::inventory::{Description, Held, Kind, SOURCE, Snapshot, USER};
use crate::kinds::errors::internal;
use crate::kinds::scalars::Revision;
use crate::store::Row;

/// Who a manager is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum ManagerType {
    /// An outside system whose synchronizer wrote the field.
    Source,
    /// Somebody who wrote the field through the API.
    User,
}

/// Who holds a field of an object.
#[derive(Clone, Debug, SimpleObject)]
pub struct ManagedField {
    /// The field; entries of labels, attributes and external references as `labels.env`.
    pub field: String,
    /// Who the manager is.
    #[graphql(name = "type")]
    pub manager_type: ManagerType,
    /// The name of the source or the user.
    pub manager: String,
    /// The revision since which the manager holds the field.
    pub since: Revision,
}

/// Who holds which field of an object.
pub fn managed_fields<K: Kind>(held: &Held<K>) -> Vec<ManagedField> {
    holdings(&held.snapshot, K::describe(), held.row.common().managers)
}

/// Who holds which field, by the names that people know.
pub fn holdings(snapshot: &Snapshot, kind: &Description, managers: &Managers) -> Vec<ManagedField> {
    let mut list = Vec::new();
    for holding in managers.0.iter() {
        let Some(name) = snapshot.manager(holding.manager) else { continue };
        let (manager_type, manager) = match name.strip_prefix(SOURCE) {
            Some(source) => (ManagerType::Source, source),
            None => (ManagerType::User, name.strip_prefix(USER).unwrap_or(name)),
        };
        let fields =
            kind.fields.iter().filter(|field| holding.fields & (1 << field.number) != 0).map(|field| field.name);
        for field in fields.chain(holding.keys.iter().map(String::as_str)) {
            list.push(ManagedField {
                field: field.to_owned(),
                manager_type,
                manager: manager.to_owned(),
                since: Revision(holding.since),
            });
        }
    }
    list
}

/// The object that a required reference names.
pub fn required<T>(found: Option<T>, what: &str) -> async_graphql::Result<T> {
    found.ok_or_else(|| internal(&format!("the required reference {what} leads nowhere")))
}

/// Defines the GraphQL object of a kind.
///
/// `own` are fields of the row; `requires` and `refers` are references, required and optional; `lists` are reverse
/// connections; `traced` is there if lines begin at the kind, and empty; `more` holds resolvers that fit none of these.
#[macro_export]
macro_rules! object {
    (
        $(#[$docs:meta])*
        $name:ident: $model:ty;
        own { $( $(#[$own_docs:meta])* $own:ident: $own_type:ty = $own_value:expr; )* }
        requires { $( $(#[$requires_docs:meta])* $requires:ident: $requires_kind:ident by $requires_by:expr; )* }
        refers { $( $(#[$refers_docs:meta])* $refers:ident: $refers_kind:ident by $refers_by:expr; )* }
        lists { $( $(#[$lists_docs:meta])* $lists:ident: $lists_kind:ident by $lists_by:expr; )* }
        $( traced { $($traced:tt)* } )?
        more { $($more:tt)* }
    ) => {
        $(#[$docs])*
        #[derive(Clone, Debug)]
        pub struct $name(pub $crate::inventory::Held<$name>);

        $(#[$docs])*
        #[async_graphql::Object]
        impl $name {
            /// The id: a UUID, unique over all kinds.
            pub(crate) async fn id(&self) -> async_graphql::ID {
                self.0.row.id.into()
            }

            /// The name, unique within the parent.
            pub(crate) async fn name(&self) -> &str {
                &self.0.row.name
            }

            $(
                $(#[$own_docs])*
                async fn $own(&self) -> $own_type {
                    let read: fn(&$model) -> $own_type = $own_value;
                    read(&self.0.row)
                }
            )*

            /// Labels in the form that Kubernetes uses.
            pub(crate) async fn labels(&self) -> $crate::kinds::scalars::LabelMap {
                (&self.0.row.labels).into()
            }

            /// Whose it is; null: shared by all.
            pub(crate) async fn tenant(&self) -> Option<&str> {
                self.0.row.tenant.as_deref()
            }

            /// What people should know about it.
            pub(crate) async fn description(&self) -> Option<&str> {
                self.0.row.description.as_deref()
            }

            /// A JSON object, at most 16 KiB, for what has no field of its own.
            pub(crate) async fn attributes(
                &self,
            ) -> async_graphql::Json<std::collections::BTreeMap<String, serde_json::Value>> {
                async_graphql::Json((*self.0.row.attributes.0).clone())
            }

            /// What other systems call it, at most one reference for each source.
            pub(crate) async fn external_refs(&self) -> Vec<underlay_entity::common::ExternalRef> {
                self.0.row.external_refs.0.to_vec()
            }

            /// Who holds which field.
            pub(crate) async fn managers(&self) -> Vec<$crate::kinds::grammar::ManagedField> {
                $crate::kinds::grammar::managed_fields(&self.0)
            }

            /// The revision that last changed it: the optimistic lock.
            pub(crate) async fn version(&self) -> $crate::kinds::scalars::Revision {
                $crate::kinds::scalars::Revision(self.0.row.version)
            }

            /// When it was created, in UTC.
            pub(crate) async fn created_at(&self) -> chrono::DateTime<chrono::Utc> {
                self.0.row.created_at
            }

            /// When it last changed, in UTC.
            pub(crate) async fn updated_at(&self) -> chrono::DateTime<chrono::Utc> {
                self.0.row.updated_at
            }

            /// The object as the fields of an item of `apply`, which it would accept and which would change nothing:
            /// what holds its default is left out.
            pub(crate) async fn item(
                &self,
                #[graphql(desc = "How the item names objects. Default: KEY.", default)]
                references: $crate::read::ItemReferences,
            ) -> async_graphql::Json<serde_json::Value> {
                let item = $crate::read::item(&self.0.snapshot, self.0.place(), references);
                async_graphql::Json(item.unwrap_or_default().into())
            }

            $(
                $(#[$requires_docs])*
                async fn $requires(&self) -> async_graphql::Result<$requires_kind> {
                    let found = self.0.follow($requires_by).map($requires_kind);
                    $crate::kinds::grammar::required(found, stringify!($requires))
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
                async fn $lists(
                    &self,
                    context: &async_graphql::Context<'_>,
                    #[graphql(desc = "Which of them; default: all.")]
                    filter: Option<Box<<$lists_kind as $crate::read::Listed>::Filter>>,
                    #[graphql(desc = "In which order; default: by key.")]
                    order_by: Option<<$lists_kind as $crate::read::Listed>::Order>,
                    #[graphql(desc = "At most so many, from the beginning: 0 to 1000, default 50.")]
                    first: Option<i32>,
                    #[graphql(desc = "Only what comes after this cursor.")]
                    after: Option<String>,
                    #[graphql(desc = "At most so many, from the end: 0 to 1000.")]
                    last: Option<i32>,
                    #[graphql(desc = "Only what comes before this cursor.")]
                    before: Option<String>,
                    #[graphql(desc = "Keep the revision of this list for a minute after each use: pages from its cursors, and lists with its number as `atRevision`, are of the same revision. Default: false.")]
                    pin: Option<bool>,
                    #[graphql(desc = "The list as of this revision, which a list with `pin` keeps; REVISION_COMPACTED when it is not kept. Default: that of the cursor if it was pinned, else the newest.")]
                    at_revision: Option<$crate::kinds::scalars::Revision>,
                ) -> async_graphql::Result<Option<$crate::read::Connection<$lists_kind>>> {
                    let listing = $crate::read::Listing {
                        snapshot: std::sync::Arc::clone(&self.0.snapshot),
                        scope: $crate::read::Scope::Referrers(self.0.place(), $lists_by),
                        filter,
                        order: order_by,
                        cursors: $crate::read::Cursors::Newest,
                    };
                    let page = $crate::kinds::grammar::PageAsked { first, after, last, before, pin, at_revision };
                    $crate::kinds::grammar::list(context, listing, page).await
                }
            )*

            $(
                /// The ends that its line reaches through panels and across circuits: the end of each COMPLETE branch, once.
                /// `trace` shows each hop, and what is broken.
                async fn far_ends(&self, context: &async_graphql::Context<'_>) -> Vec<$crate::kinds::trace::Hop> {
                    $crate::kinds::trace::far_ends(context, &self.0).await
                }

                /// True if `farEnds` is incomplete: the line has more than 1,000 branches or 10,000 hops, or a strand of
                /// more than 1,000 hops. False for almost every line.
                async fn far_ends_truncated(&self, context: &async_graphql::Context<'_>) -> bool {
                    $crate::kinds::trace::far_ends_truncated(context, &self.0).await
                }

                /// Its line, followed hop by hop: what the root field `trace` gives.
                async fn trace(
                    &self,
                    context: &async_graphql::Context<'_>,
                    #[graphql(desc = "Which position of it: from 1. Default: each that it has.")] position: Option<i32>,
                    #[graphql(desc = "Go on through power devices, from outlets to what feeds them. Default: false.")]
                    through_devices: Option<bool>,
                ) -> async_graphql::Result<Option<$crate::kinds::trace::Trace>> {
                    $crate::kinds::trace::trace_of(context, &self.0, position, through_devices).await
                }

                $($traced)*
            )?

            $($more)*

            /// Its change log, newest first, up to the revision that is read. Null for a token of a tenant: the log tells of
            /// all tenants together.
            pub(crate) async fn changes(
                &self,
                context: &async_graphql::Context<'_>,
                #[graphql(desc = "At most so many: 0 to 1000, default 50.")]
                first: Option<i32>,
                #[graphql(desc = "Only what comes after this cursor.")]
                after: Option<String>,
            ) -> async_graphql::Result<Option<$crate::kinds::changes::ChangeConnection>> {
                $crate::kinds::changes::of_object(context, &self.0.snapshot, self.0.row.id, first, after).await
            }
        }

        impl $crate::read::Listed for $name {
            type Filter = super::input::Filter;
            type Order = super::input::Order;

            fn of(held: $crate::inventory::Held<Self>) -> Self {
                Self(held)
            }
        }
    };
}
