//! The root fields of the kinds, put together by area. GraphQL reads and writes of a kind are in the area of the kind.

use async_graphql::MergedObject;

use super::erased::Erased;
use super::{
    appliance, boots, cable, circuit, circuit_termination, cluster, credential, device, facts, host, host_class,
    leases, link, location, port, power_feed, profile, provider, provider_network, rack, region, reports, runs, site,
    source, virtual_machine,
};

/// Root fields that read regions, sites, locations, racks and power feeds.
#[derive(Default, MergedObject)]
pub struct PlacesQuery(
    Erased<region::RegionQuery>,
    Erased<site::SiteQuery>,
    Erased<location::LocationQuery>,
    Erased<rack::RackQuery>,
    Erased<power_feed::PowerFeedQuery>,
);

/// Root fields that write regions, sites, locations, racks and power feeds.
#[derive(Default, MergedObject)]
pub struct PlacesMutation(
    Erased<region::RegionMutation>,
    Erased<site::SiteMutation>,
    Erased<location::LocationMutation>,
    Erased<rack::RackMutation>,
    Erased<power_feed::PowerFeedMutation>,
);

/// Root fields that read devices, ports, cables and links.
#[derive(Default, MergedObject)]
pub struct ThingsQuery(
    Erased<device::DeviceQuery>,
    Erased<port::PortQuery>,
    Erased<cable::CableQuery>,
    Erased<link::LinkQuery>,
);

/// Root fields that write devices, ports, cables and links.
#[derive(Default, MergedObject)]
pub struct ThingsMutation(
    Erased<device::DeviceMutation>,
    Erased<port::PortMutation>,
    Erased<cable::CableMutation>,
    Erased<link::LinkMutation>,
);

/// Root fields that read providers, provider networks, circuits and circuit terminations.
#[derive(Default, MergedObject)]
pub struct OutsideQuery(
    Erased<provider::ProviderQuery>,
    Erased<provider_network::ProviderNetworkQuery>,
    Erased<circuit::CircuitQuery>,
    Erased<circuit_termination::CircuitTerminationQuery>,
);

/// Root fields that write providers, provider networks, circuits and circuit terminations.
#[derive(Default, MergedObject)]
pub struct OutsideMutation(
    Erased<provider::ProviderMutation>,
    Erased<provider_network::ProviderNetworkMutation>,
    Erased<circuit::CircuitMutation>,
    Erased<circuit_termination::CircuitTerminationMutation>,
);

/// Root fields that read clusters and virtual machines.
#[derive(Default, MergedObject)]
pub struct ComputeQuery(Erased<cluster::ClusterQuery>, Erased<virtual_machine::VirtualMachineQuery>);

/// Root fields that write clusters and virtual machines.
#[derive(Default, MergedObject)]
pub struct ComputeMutation(Erased<cluster::ClusterMutation>, Erased<virtual_machine::VirtualMachineMutation>);

/// Root fields that read sources and leases, and describe the server.
#[derive(Default, MergedObject)]
pub struct SourcesQuery(Erased<source::SourceQuery>, Erased<runs::ServerRoots>, Erased<leases::LeaseRoots>);

/// Root fields that write sources, their runs, and leases, and accept the clock of the server.
#[derive(Default, MergedObject)]
pub struct SourcesMutation(
    Erased<source::SourceMutation>,
    Erased<runs::RunMutation>,
    Erased<runs::ServerMutation>,
    Erased<leases::LeaseMutation>,
);

/// Root fields that read host classes, credentials, profiles, appliances and hosts.
#[derive(Default, MergedObject)]
pub struct HostsQuery(
    Erased<host_class::HostClassQuery>,
    Erased<credential::CredentialQuery>,
    Erased<credential::SecretRoots>,
    Erased<profile::ProfileQuery>,
    Erased<appliance::ApplianceQuery>,
    Erased<host::HostQuery>,
    Erased<reports::HostsStatusRoots>,
    Erased<reports::EnlistRoots>,
    Erased<reports::StrayRoots>,
    Erased<facts::HardwareRoots>,
    Erased<facts::EnrolmentRoots>,
    Erased<facts::PartRoots>,
    Erased<facts::ModelRoots>,
);

/// Root fields that write host classes, credentials, profiles, appliances and hosts.
#[derive(Default, MergedObject)]
pub struct HostsMutation(
    Erased<host_class::HostClassMutation>,
    Erased<credential::CredentialMutation>,
    Erased<credential::SecretMutation>,
    Erased<profile::ProfileMutation>,
    Erased<appliance::ApplianceMutation>,
    Erased<appliance::RegisterMutation>,
    Erased<host::HostMutation>,
    Erased<host::OrderMutation>,
    Erased<host::ClaimMutation>,
    Erased<host::HostDeletion>,
    Erased<host::ReplaceMutation>,
    Erased<reports::ReportMutation>,
    Erased<reports::EnlistMutation>,
    Erased<reports::StrayMutation>,
    Erased<boots::BootMutation>,
    Erased<boots::BootControlMutation>,
    Erased<boots::BootReportMutation>,
    Erased<reports::HardwareMutation>,
    Erased<facts::AgentMutation>,
    Erased<facts::EnrolmentMutation>,
);
