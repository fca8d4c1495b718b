//! The root fields of the kinds, put together by area. GraphQL reads and writes of a kind are in the area of the kind.

use async_graphql::MergedObject;

use super::{
    appliance, cable, circuit, circuit_termination, cluster, credential, device, host, host_class, leases, link,
    location, port, power_feed, profile, provider, provider_network, rack, region, reports, runs, site, source,
    virtual_machine,
};

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

/// Root fields that read sources and leases, and describe the server.
#[derive(Default, MergedObject)]
pub struct SourcesQuery(source::SourceQuery, runs::ServerRoots, leases::LeaseRoots);

/// Root fields that write sources, their runs, and leases.
#[derive(Default, MergedObject)]
pub struct SourcesMutation(source::SourceMutation, runs::RunMutation, leases::LeaseMutation);

/// Root fields that read host classes, credentials, profiles, appliances and hosts.
#[derive(Default, MergedObject)]
pub struct HostsQuery(
    host_class::HostClassQuery,
    credential::CredentialQuery,
    credential::SecretRoots,
    profile::ProfileQuery,
    appliance::ApplianceQuery,
    host::HostQuery,
    reports::HostsStatusRoots,
    reports::EnlistRoots,
    reports::StrayRoots,
);

/// Root fields that write host classes, credentials, profiles, appliances and hosts.
#[derive(Default, MergedObject)]
pub struct HostsMutation(
    host_class::HostClassMutation,
    credential::CredentialMutation,
    credential::SecretMutation,
    profile::ProfileMutation,
    appliance::ApplianceMutation,
    appliance::RegisterMutation,
    host::HostMutation,
    host::OrderMutation,
    host::ClaimMutation,
    host::HostDeletion,
    reports::ReportMutation,
    reports::EnlistMutation,
    reports::StrayMutation,
);
