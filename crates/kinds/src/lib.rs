//! The kinds of objects and their GraphQL API. Everything particular to one kind is in its folder, in files with the
//! same names for every kind. Code that all kinds share is written once, in `grammar` and `common`. The list of kinds
//! is in this file; the modules in `list` read it.
//!
//! `hosts` judges the orders that hosts get. The kinds use it; it knows of kinds only what it reads from the rows of hosts
//! and of profiles.
#![recursion_limit = "256"]

pub mod address;
pub mod apply;
pub mod apply_result;
mod areas;
pub mod boots;
pub mod bounds;
pub mod changes;
pub mod common;
pub mod control;
pub mod diff;
pub mod erased;
pub mod errors;
pub mod facts;
pub mod filters;
pub mod grammar;
pub mod graph;
pub mod hosts;
pub mod impact;
pub mod item_changes;
pub mod items;
pub mod leases;
pub mod lines;
pub mod machine;
pub mod object_arguments;
pub mod outcomes;
pub mod path;
pub mod query_metrics;
pub mod reports;
pub mod request;
pub mod runs;
pub mod scalars;
pub mod search;
mod shared_values;
pub mod subscription;
pub mod trace;
pub mod write_handle;

pub mod appliance;
pub mod cable;
pub mod circuit;
pub mod circuit_termination;
pub mod cluster;
pub mod credential;
pub mod device;
pub mod host;
pub mod host_class;
pub mod link;
pub mod location;
pub mod port;
pub mod power_feed;
pub mod profile;
pub mod provider;
pub mod provider_network;
pub mod rack;
pub mod region;
pub mod site;
pub mod source;
pub mod virtual_machine;

/// Passes the list of kinds to a macro, its reader. A row of the list has the id of the kind, the name of the id as a
/// constant, the module, and the names of the types: the object, the input, and the reference. The rows are in the order
/// of the ids.
macro_rules! for_each_kind {
    ($reader:ident) => {
        $reader! {
            0 REGION region Region RegionInput RegionRef;
            1 SITE site Site SiteInput SiteRef;
            2 LOCATION location Location LocationInput LocationRef;
            3 RACK rack Rack RackInput RackRef;
            4 POWER_FEED power_feed PowerFeed PowerFeedInput PowerFeedRef;
            5 DEVICE device Device DeviceInput DeviceRef;
            6 PORT port Port PortInput PortRef;
            7 CABLE cable Cable CableInput CableRef;
            8 LINK link Link LinkInput LinkRef;
            9 PROVIDER provider Provider ProviderInput ProviderRef;
            10 PROVIDER_NETWORK provider_network ProviderNetwork ProviderNetworkInput ProviderNetworkRef;
            11 CIRCUIT circuit Circuit CircuitInput CircuitRef;
            12 CIRCUIT_TERMINATION circuit_termination CircuitTermination CircuitTerminationInput CircuitTerminationRef;
            13 CLUSTER cluster Cluster ClusterInput ClusterRef;
            14 VIRTUAL_MACHINE virtual_machine VirtualMachine VirtualMachineInput VirtualMachineRef;
            15 SOURCE source Source SourceInput SourceRef;
            16 HOST_CLASS host_class HostClass HostClassInput HostClassRef;
            17 CREDENTIAL credential Credential CredentialInput CredentialRef;
            18 PROFILE profile Profile ProfileInput ProfileRef;
            19 APPLIANCE appliance Appliance ApplianceInput ApplianceRef;
            20 HOST host Host HostInput HostRef;
        }
    };
}

mod list;

pub use areas::{
    ComputeMutation, ComputeQuery, HostsMutation, HostsQuery, OutsideMutation, OutsideQuery, PlacesMutation,
    PlacesQuery, SourcesMutation, SourcesQuery, ThingsMutation, ThingsQuery,
};
pub use credential::SecretLoader;
pub use list::{AnyRef, ApplyItem, Node, Object, ids, registry, tables, topology};
