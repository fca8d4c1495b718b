//! The kinds: everything that is particular to one stands in its folder, in files with the same names as for every
//! other; what all have in common is written once, in `grammar` and `common`. The list of kinds is in this file.

pub mod applied;
pub mod apply;
pub mod asked;
pub mod changes;
pub mod common;
pub mod errors;
pub mod filters;
pub mod given;
pub mod grammar;
pub mod impact;
pub mod items;
pub mod machine;
pub mod net;
pub mod outcomes;
pub mod path;
pub mod pen;
pub mod request;
pub mod scalars;
pub mod search;
pub mod subscription;
pub mod trace;

pub mod cable;
pub mod circuit;
pub mod circuit_termination;
pub mod cluster;
pub mod device;
pub mod link;
pub mod location;
pub mod port;
pub mod power_feed;
pub mod provider;
pub mod provider_network;
pub mod rack;
pub mod region;
pub mod site;
pub mod virtual_machine;

use std::sync::{Arc, LazyLock};

use async_graphql::{ID, Interface, Json, MergedObject, OneofObject};
use chrono::{DateTime, Utc};
use underlay_entity::common::ExternalRef;

use crate::inventory::{Description, Kind, Place, Registry, Snapshot};
use crate::read::{ItemReferences, Listed};
use crate::topology::impact::Roles;
use crate::topology::line::Lines;
use crate::topology::path as path_roles;
use grammar::ManagedField;
use scalars::{LabelMap, Revision};

/// Lists the kinds, in the order of their ids. A kind that is on lines says so by `line`, the file that has its role.
macro_rules! kinds {
    ($( $place:literal $constant:ident $module:ident $kind:ident $input:ident $reference:ident $($line:ident)?; )*) => {
        /// The numbers of the kinds in the registry.
        pub mod ids {
            use crate::inventory::KindId;

            $(
                #[doc = concat!("The number of ", stringify!($kind), ".")]
                pub const $constant: KindId = KindId($place);
            )*
        }

        /// What topology keeps beside the rows of each kind.
        pub mod briefs {
            use crate::store::Row;
            use crate::topology::{brief, line};

            $(
                #[doc = concat!("Beside the row of a ", stringify!($kind), ".")]
                pub fn $module(row: &dyn Row) -> u32 {
                    let role: Option<&line::Role> = None;
                    $( let role = role.or(Some(&super::$module::$line::ROLE)); )?
                    brief(row, &super::$module::FAILURE, role)
                }
            )*
        }

        /// All kinds of this server.
        pub fn registry() -> Registry {
            Registry::new(vec![$( &$module::DESCRIPTION ),*])
        }

        static FAILURES: LazyLock<Roles> =
            LazyLock::new(|| Roles::new(&registry(), vec![$( $module::FAILURE ),*]));

        /// What every kind is to failure.
        pub fn failures() -> &'static Roles {
            &FAILURES
        }

        static PATHS: LazyLock<path_roles::Roles> =
            LazyLock::new(|| path_roles::Roles::new(&registry(), vec![$( $module::PATH ),*]));

        /// What every kind is to paths.
        pub fn paths() -> &'static path_roles::Roles {
            &PATHS
        }

        static LINES: LazyLock<Lines> =
            LazyLock::new(|| Lines::new(&[$( $( (ids::$constant, $module::$line::ROLE), )? )*]));

        /// What every kind is to lines.
        pub fn lines() -> &'static Lines {
            &LINES
        }

        $( use $module::{$input, $kind, $reference}; )*

        /// An object of any kind, by its id.
        #[derive(Clone, Debug, Interface)]
        #[graphql(field(name = "id", ty = "ID", desc = "The id: a UUID, unique over all kinds."))]
        pub enum Node {
            $( $kind($kind) ),*
        }

        /// What every object has, whatever its kind.
        #[derive(Clone, Debug, Interface)]
        #[graphql(
            field(name = "id", ty = "ID", desc = "The id: a UUID, unique over all kinds."),
            field(name = "name", ty = "&str", desc = "The name, unique within the parent."),
            field(name = "labels", ty = "LabelMap", desc = "Labels in the form that Kubernetes uses."),
            field(name = "tenant", ty = "Option<&str>", desc = "Whose it is; null: shared by all."),
            field(name = "description", ty = "Option<&str>", desc = "What people should know about it."),
            field(
                name = "attributes",
                ty = "Json<std::collections::BTreeMap<String, serde_json::Value>>",
                desc = "A JSON object, at most 16 KiB, for what has no field of its own."
            ),
            field(
                name = "external_refs",
                ty = "Vec<ExternalRef>",
                desc = "What other systems call it, at most one reference for each source."
            ),
            field(name = "managers", ty = "Vec<ManagedField>", desc = "Who holds which field."),
            field(name = "version", ty = "Revision", desc = "The revision that last changed it: the optimistic lock."),
            field(name = "created_at", ty = "DateTime<Utc>", desc = "When it was created, in UTC."),
            field(name = "updated_at", ty = "DateTime<Utc>", desc = "When it last changed, in UTC."),
            field(
                name = "item",
                ty = "Json<serde_json::Value>",
                desc = "The object as the fields of an item of `apply`, which it would accept and which would change nothing: what holds its default is left out.",
                arg(
                    name = "references",
                    ty = "ItemReferences",
                    default,
                    desc = "How the item names objects. Default: KEY."
                )
            )
        )]
        pub enum Object {
            $( $kind($kind) ),*
        }

        impl Node {
            /// The object at a place.
            pub fn at(snapshot: &Arc<Snapshot>, place: Place) -> Option<Self> {
                match place.kind {
                    $( ids::$constant => snapshot.hold(place).map($kind::of).map(Self::$kind), )*
                    _ => None,
                }
            }
        }

        /// Names an object of any kind. Exactly one member is given.
        #[derive(Clone, Debug, OneofObject)]
        pub enum AnyRef {
            /// Any object, by its id.
            Id(ID),
            $(
                #[doc = concat!("A ", stringify!($kind), ".")]
                $kind(Box<$reference>),
            )*
        }

        impl AnyRef {
            /// The kind, when it is told, and the reference as JSON.
            pub fn parts(&self) -> (Option<&'static Description>, serde_json::Value) {
                match self {
                    Self::Id(id) => (None, serde_json::Value::String(id.to_string())),
                    $( Self::$kind(reference) => {
                        (Some($kind::describe()), serde_json::Value::Object(grammar::to_fields(&**reference)))
                    } )*
                }
            }
        }

        /// One item of a batch. Exactly one member is given.
        #[derive(Clone, Debug, OneofObject)]
        pub enum ApplyItem {
            $(
                #[doc = concat!("Creates or updates a ", stringify!($kind), ".")]
                $kind(Box<$input>),
            )*
            /// Deletes an object.
            Delete(Box<apply::DeleteItem>),
            /// Lets go of fields of an object.
            Release(Box<apply::ReleaseItem>),
        }
    };
}

kinds! {
    0 REGION region Region RegionInput RegionRef;
    1 SITE site Site SiteInput SiteRef line;
    2 LOCATION location Location LocationInput LocationRef;
    3 RACK rack Rack RackInput RackRef;
    4 POWER_FEED power_feed PowerFeed PowerFeedInput PowerFeedRef line;
    5 DEVICE device Device DeviceInput DeviceRef;
    6 PORT port Port PortInput PortRef line;
    7 CABLE cable Cable CableInput CableRef line;
    8 LINK link Link LinkInput LinkRef;
    9 PROVIDER provider Provider ProviderInput ProviderRef;
    10 PROVIDER_NETWORK provider_network ProviderNetwork ProviderNetworkInput ProviderNetworkRef line;
    11 CIRCUIT circuit Circuit CircuitInput CircuitRef line;
    12 CIRCUIT_TERMINATION circuit_termination CircuitTermination CircuitTerminationInput CircuitTerminationRef line;
    13 CLUSTER cluster Cluster ClusterInput ClusterRef;
    14 VIRTUAL_MACHINE virtual_machine VirtualMachine VirtualMachineInput VirtualMachineRef;
}

/// Root fields that read places.
#[derive(Default, MergedObject)]
pub struct PlacesQuery(
    region::RegionQuery,
    site::SiteQuery,
    location::LocationQuery,
    rack::RackQuery,
    power_feed::PowerFeedQuery,
);

/// Root fields that write places.
#[derive(Default, MergedObject)]
pub struct PlacesMutation(
    region::RegionMutation,
    site::SiteMutation,
    location::LocationMutation,
    rack::RackMutation,
    power_feed::PowerFeedMutation,
);

/// Root fields that read things.
#[derive(Default, MergedObject)]
pub struct ThingsQuery(device::DeviceQuery, port::PortQuery, cable::CableQuery, link::LinkQuery);

/// Root fields that write things.
#[derive(Default, MergedObject)]
pub struct ThingsMutation(device::DeviceMutation, port::PortMutation, cable::CableMutation, link::LinkMutation);

/// Root fields that read what is outside.
#[derive(Default, MergedObject)]
pub struct OutsideQuery(
    provider::ProviderQuery,
    provider_network::ProviderNetworkQuery,
    circuit::CircuitQuery,
    circuit_termination::CircuitTerminationQuery,
);

/// Root fields that write what is outside.
#[derive(Default, MergedObject)]
pub struct OutsideMutation(
    provider::ProviderMutation,
    provider_network::ProviderNetworkMutation,
    circuit::CircuitMutation,
    circuit_termination::CircuitTerminationMutation,
);

/// Root fields that read compute.
#[derive(Default, MergedObject)]
pub struct ComputeQuery(cluster::ClusterQuery, virtual_machine::VirtualMachineQuery);

/// Root fields that write compute.
#[derive(Default, MergedObject)]
pub struct ComputeMutation(cluster::ClusterMutation, virtual_machine::VirtualMachineMutation);
