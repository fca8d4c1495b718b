//! The GraphQL inputs, filters and sort orders of hosts.

use underlay_entity::host::{HostBoot, HostBootMode, HostPower, HostState, Model, RootDevice};
use underlay_entity::machine::CpuArchitecture;
use underlay_entity::text::Mac;
use underlay_entity::text_map::TextMap;

use super::arrival::HostAdoption;
use super::machine::{HostMachineFilter, HostMachineInput};
use super::names::short_id;
use super::node::Host;
use crate::appliance::{Appliance, ApplianceFilter, ApplianceRef};
use crate::cluster::{Cluster, ClusterFilter, ClusterRef};
use crate::credential::{Credential, CredentialFilter, CredentialRef};
use crate::grammar::enum_name;
use crate::host_class::{HostClass, HostClassFilter, HostClassRef};
use crate::{filter, inputs, order};
use underlay_read::enum_filter;
use underlay_read::{BooleanFilter, TextFilter};

enum_filter!(HostStateFilter, HostState);
enum_filter!(HostPowerFilter, HostPower);
enum_filter!(HostBootModeFilter, HostBootMode);
enum_filter!(HostBootFilter, HostBoot);
enum_filter!(CpuArchitectureFilter, CpuArchitecture);

inputs! {
    Host as host;
    input HostInput;
    patch HostPatch;
    payload HostPayload;

    reference HostRef {
        /// The name of the host.
        host: String;
    }

    fixed {
        /// The state that a source reports of the host. It counts once: when a run creates the host, and `hostsArrive` of
        /// the source is AS_REPORTED. Otherwise it has no effect. An item without a source cannot contain it: adopt hosts
        /// with `adoptHosts`.
        arrives_as: HostAdoption;
    }

    fields {
        /// The device or virtual machine that the host is. It is the machine of no other host. If it is absent and `uid` or
        /// `serial` is given, the server sets it to the only device that has this UUID or serial number. An item without a
        /// name and with a machine means the host of that machine.
        machine: HostMachineInput;
        /// The class of the host. A host that is discovered without one gets the only class whose conditions it meets.
        class: HostClassRef;
        /// The appliance that lists the host.
        appliance: ApplianceRef;
        /// The UUID or serial number by which the machine identifies itself: 1 to 253 characters.
        uid: String;
        /// The serial number of the machine, where `uid` is its UUID: 1 to 253 characters.
        serial: String;
        /// A readable name for people. It need not be unique.
        title: String;
        /// The instruction set of the machine's processors.
        architecture: CpuArchitecture;
        /// The address of the BMC: `redfish://`, `redfish-virtualmedia://` or `redfish-uefihttp://` (each also with `+http`
        /// or `+https`, and with the aliases `idrac-` and `ilo5-`), `ipmi://`,
        /// `libvirt+tls|tcp|ssh://host/system#DOMAIN-UUID`, `simulated://`, or `exec://NAME#MACHINE`. A write that changes
        /// it without `bmcCredential` clears the credential.
        bmc_url: String;
        /// The credential with which the BMC is opened.
        bmc_credential: CredentialRef;
        /// True leaves the certificate of the BMC unchecked. Defaults to false.
        bmc_insecure: bool;
        /// The certificates, in PEM, that are trusted for the BMC besides the usual ones: at most 16,384 characters.
        bmc_trusted_cas: String;
        /// The MAC address from which the machine boots over the network.
        boot_mac: Mac;
        /// The IP address that the machine has while it boots over the network.
        boot_ip: String;
        /// The firmware by which the machine boots.
        boot_mode: HostBootMode;
        /// The device that the machine boots from when no order says otherwise. Defaults to LOCAL.
        boot: HostBoot;
        /// The disk that a system is installed on. A write replaces the whole object.
        root_device: RootDevice;
        /// The name of the provisioner that installs the host.
        provisioner: String;
        /// The reasons why the host is in maintenance, each by the name of the person or program that keeps it there: at
        /// most 32, each of 1 to 1,000 characters. An empty object ends it. A write replaces the whole object.
        maintenance: TextMap;
        /// The cluster that has the host.
        cluster: ClusterRef;
    }
}

filter! {
    Host: Model;
    filter HostFilter, HostListFilter;

    values {
        uid: TextFilter = |host| host.uid.as_deref();
        serial: TextFilter = |host| host.serial.as_deref();
        title: TextFilter = |host| host.title.as_deref();
        architecture: CpuArchitectureFilter = |host| host.architecture;
        bmc_url: TextFilter = |host| host.bmc_url.as_deref();
        boot_mac: TextFilter = |host| host.boot_mac.as_deref();
        boot_ip: TextFilter = |host| host.boot_ip.as_deref();
        boot_mode: HostBootModeFilter = |host| host.boot_mode;
        boot: HostBootFilter = |host| Some(host.boot);
        provisioner: TextFilter = |host| host.provisioner.as_deref();
        acquired_for: TextFilter = |host| host.acquired_for.as_deref();
        deleting: BooleanFilter = |host| Some(host.deleting);
        state: HostStateFilter = |host| Some(host.state);
        power: HostPowerFilter = |host| Some(host.power);
    }

    references {
        class: HostClassFilter => HostClass, Host::CLASS;
        appliance: ApplianceFilter => Appliance, Host::APPLIANCE;
        bmc_credential: CredentialFilter => Credential, Host::BMC_CREDENTIAL;
        cluster: ClusterFilter => Cluster, Host::CLUSTER;
    }

    lists {}

    more {
        /// A condition on the machine of the host.
        machine: HostMachineFilter = |filter, host, at| filter.fits(host.machine.is_some(), at);
        /// A condition on the short name: `h-` and seven characters of the id.
        short_id: TextFilter = |filter, host, _| filter.fits(Some(&short_id(host.id)));
        /// True matches hosts in maintenance, false matches hosts in none.
        in_maintenance: bool = |is_in, host, _| *is_in != host.maintenance.0.is_empty();
        /// Matches if one of the conditions of the host has this type and the status TRUE.
        condition: TextFilter = |filter, host, _| {
            let holds = |it: &&underlay_entity::host::Condition| it.status == underlay_entity::host::ConditionStatus::True;
            host.conditions.0.iter().filter(holds).any(|it| filter.fits(Some(&it.r#type)))
        };
    }
}

order! {
    Host: Model;
    order HostOrder, HostOrderBy;

    values {
        State as "state": "the state" = |host| Some(enum_name(host.state));
        Power as "power": "the power state" = |host| Some(enum_name(host.power));
        Title as "title": "the title" = |host| host.title.as_deref();
    }
}
