//! The kinds of objects and their GraphQL API. Everything particular to one kind is in its folder, in files with the
//! same names for every kind. Code that all kinds share is written once, in `grammar` and `common`. The list of kinds
//! is in this file.

pub mod applied;
pub mod apply;
pub mod asked;
pub mod changes;
pub mod common;
pub mod diff;
pub mod errors;
pub mod filters;
pub mod given;
pub mod grammar;
pub mod graph;
pub mod impact;
pub mod items;
pub mod machine;
pub mod outcomes;
pub mod path;
pub mod request;
pub mod scalars;
pub mod search;
pub mod subscription;
pub mod trace;
pub mod write_handle;

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

use crate::read::{ItemReferences, Listed};
use crate::store::{Rows, Tables};
use crate::write::{Intent, Item};
use grammar::ManagedField;
use scalars::{LabelMap, Revision};
use underlay_inventory::{Description, Kind, ObjectRef, Registry, Snapshot};
use underlay_topology::impact::Roles;
use underlay_topology::line::Lines;
use underlay_topology::path as path_roles;

/// Lists the kinds in the order of their ids. A kind that lines run over or end at names `line`, the file that defines
/// its role.
macro_rules! kinds {
    ($( $place:literal $constant:ident $module:ident $kind:ident $input:ident $reference:ident $($line:ident)?; )*) => {
        /// The ids of the kinds in the registry.
        pub mod ids {
            use underlay_inventory::KindId;

            $(
                #[doc = concat!("The id of the kind ", stringify!($kind), ".")]
                pub const $constant: KindId = KindId($place);
            )*
        }

        /// The packed state that topology keeps beside each row: one function for each kind, which packs a row into 32
        /// bits.
        pub mod packed_states {
            use underlay_entity::row::Row;
            use underlay_topology::{packed_state, line};

            $(
                #[doc = concat!("Returns the packed state of a row of kind ", stringify!($kind), ".")]
                pub fn $module(row: &dyn Row) -> u32 {
                    let role: Option<&line::Role> = None;
                    $( let role = role.or(Some(&super::$module::$line::ROLE)); )?
                    packed_state(row, &super::$module::FAILURE, role)
                }
            )*
        }

        /// Returns the registry of all kinds.
        pub fn registry() -> Registry {
            Registry::new(vec![$( &$module::DESCRIPTION ),*])
        }

        /// Returns the database tables of all kinds, in the order of their ids.
        pub fn tables() -> Tables {
            const TABLES: Tables = &[$( &Rows::<underlay_entity::$module::Entity>::new() ),*];
            TABLES
        }

        static FAILURES: LazyLock<Roles> =
            LazyLock::new(|| Roles::new(&registry(), vec![$( $module::FAILURE ),*]));

        /// Returns the role of every kind in impact analysis.
        pub fn failures() -> &'static Roles {
            &FAILURES
        }

        static PATHS: LazyLock<path_roles::Roles> =
            LazyLock::new(|| path_roles::Roles::new(&registry(), vec![$( $module::PATH ),*]));

        /// Returns the role of every kind in path search.
        pub fn paths() -> &'static path_roles::Roles {
            &PATHS
        }

        static LINES: LazyLock<Lines> =
            LazyLock::new(|| Lines::new(&[$( $( (ids::$constant, $module::$line::ROLE), )? )*]));

        /// Returns the roles of the kinds that lines run over or end at.
        pub fn lines() -> &'static Lines {
            &LINES
        }

        $( use $module::{$input, $kind, $reference}; )*

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
                ty = "Json<std::collections::BTreeMap<String, serde_json::Value>>",
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
                ty = "Json<serde_json::Value>",
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
            /// Returns the object at a place; `None` if there is none.
            pub fn at(snapshot: &Arc<Snapshot>, place: ObjectRef) -> Option<Self> {
                match place.kind {
                    $( ids::$constant => snapshot.hold(place).map($kind::of).map(Self::$kind), )*
                    _ => None,
                }
            }
        }

        impl Object {
            /// Returns the object at a place; `None` if there is none.
            pub fn at(snapshot: &Arc<Snapshot>, place: ObjectRef) -> Option<Self> {
                match place.kind {
                    $( ids::$constant => snapshot.hold(place).map($kind::of).map(Self::$kind), )*
                    _ => None,
                }
            }
        }

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
                        (Some($kind::describe()), serde_json::Value::Object(grammar::to_fields(&**reference)))
                    } )*
                }
            }
        }

        /// One item of a batch. Exactly one member must be given.
        #[derive(Clone, Debug, OneofObject)]
        pub enum ApplyItem {
            $(
                #[doc = concat!("Creates or updates a ", stringify!($kind), ".")]
                $kind(Box<$input>),
            )*
            /// Deletes the object that the item names.
            Delete(Box<apply::DeleteItem>),
            /// Releases the caller's ownership of fields of an object.
            Release(Box<apply::ReleaseItem>),
        }

        impl ApplyItem {
            /// Returns the item for the write path.
            pub fn into_item(self) -> Item {
                match self {
                    $( Self::$kind(input) => {
                        let if_version = input.if_version.clone().take().map(|version| version.0);
                        let fields = grammar::to_fields(&*input).into();
                        Item::Write { kind: $kind::describe(), intent: Intent::Apply, fields, if_version }
                    } )*
                    Self::Delete(item) => item.into_item(),
                    Self::Release(item) => item.into_item(),
                }
            }
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

/// Root fields that read regions, sites, locations, racks and power feeds.
#[derive(Default, MergedObject)]
pub struct PlacesQuery(
    region::RegionQuery,
    site::SiteQuery,
    location::LocationQuery,
    rack::RackQuery,
    power_feed::PowerFeedQuery,
);

/// Root fields that write regions, sites, locations, racks and power feeds.
#[derive(Default, MergedObject)]
pub struct PlacesMutation(
    region::RegionMutation,
    site::SiteMutation,
    location::LocationMutation,
    rack::RackMutation,
    power_feed::PowerFeedMutation,
);

/// Root fields that read devices, ports, cables and links.
#[derive(Default, MergedObject)]
pub struct ThingsQuery(device::DeviceQuery, port::PortQuery, cable::CableQuery, link::LinkQuery);

/// Root fields that write devices, ports, cables and links.
#[derive(Default, MergedObject)]
pub struct ThingsMutation(device::DeviceMutation, port::PortMutation, cable::CableMutation, link::LinkMutation);

/// Root fields that read providers, provider networks, circuits and circuit terminations.
#[derive(Default, MergedObject)]
pub struct OutsideQuery(
    provider::ProviderQuery,
    provider_network::ProviderNetworkQuery,
    circuit::CircuitQuery,
    circuit_termination::CircuitTerminationQuery,
);

/// Root fields that write providers, provider networks, circuits and circuit terminations.
#[derive(Default, MergedObject)]
pub struct OutsideMutation(
    provider::ProviderMutation,
    provider_network::ProviderNetworkMutation,
    circuit::CircuitMutation,
    circuit_termination::CircuitTerminationMutation,
);

/// Root fields that read clusters and virtual machines.
#[derive(Default, MergedObject)]
pub struct ComputeQuery(cluster::ClusterQuery, virtual_machine::VirtualMachineQuery);

/// Root fields that write clusters and virtual machines.
#[derive(Default, MergedObject)]
pub struct ComputeMutation(cluster::ClusterMutation, virtual_machine::VirtualMachineMutation);
