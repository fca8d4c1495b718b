//! The GraphQL object of a host.

use underlay_entity::host::{
    Condition, HostBoot, HostBootMode, HostFailure, HostPower, HostState, HostStep, LookAsked, Model, RootDevice,
    SeenIdentity,
};
use underlay_entity::long::Long;
use underlay_entity::machine::{CpuArchitecture, Hardware};
use underlay_entity::text::Mac;
use underlay_entity::text_map::TextMap;

use super::linking::{Linked, machine_of};
use super::machine::HostMachine;
use super::names::short_id;
use super::place::host_site;
use super::wanted::{HostLastOrder, HostWanted};
use crate::appliance::Appliance;
use crate::cluster::Cluster;
use crate::control::{ActConnection, Observation, acts_of, observation_of};
use crate::credential::Credential;
use crate::device::Device;
use crate::host_class::HostClass;
use crate::object;
use crate::site::Site;

object! {
    /// A host: a machine as something that can be powered, booted and installed. The tenant of its cluster sees it, and no
    /// other tenant does.
    Host: Model;

    own {
        /// A short name for people to say and type: `h-` and seven characters of the id. It need not be unique.
        short_id: String = |host| short_id(host.id);
        /// The UUID or serial number by which the machine identifies itself. Null for a token of a tenant.
        uid: Option<&str> = |host| host.uid.as_deref();
        /// The serial number of the machine, where `uid` is its UUID. Null for a token of a tenant.
        serial: Option<&str> = |host| host.serial.as_deref();
        /// A readable name for people. It need not be unique.
        title: Option<&str> = |host| host.title.as_deref();
        /// The instruction set of the machine's processors.
        architecture: Option<CpuArchitecture> = |host| host.architecture;
        /// The address of the BMC. Null for a token of a tenant.
        bmc_url: Option<&str> = |host| host.bmc_url.as_deref();
        /// True if the certificate of the BMC is not checked.
        bmc_insecure: bool = |host| host.bmc_insecure;
        /// The certificates, in PEM, that are trusted for the BMC besides the usual ones.
        bmc_trusted_cas: Option<&str> = |host| host.bmc_trusted_cas.as_deref();
        /// The MAC address from which the machine boots over the network. Null for a token of a tenant.
        boot_mac: Option<Mac> = |host| host.boot_mac.clone().map(Mac);
        /// The IP address that the machine has while it boots over the network.
        boot_ip: Option<&str> = |host| host.boot_ip.as_deref();
        /// The firmware by which the machine boots.
        boot_mode: Option<HostBootMode> = |host| host.boot_mode;
        /// The device that the machine was last ordered to boot from.
        boot: HostBoot = |host| host.boot;
        /// The disk that a system is installed on. Null: the provisioner chooses.
        root_device: Option<&RootDevice> = |host| host.root_device.as_ref();
        /// The name of the provisioner that installs the host. Null for a token of a tenant.
        provisioner: Option<&str> = |host| host.provisioner.as_deref();
        /// The reasons why the host is in maintenance, each by the name of the person or program that keeps it there. Empty:
        /// it is in none.
        maintenance: &TextMap = |host| &host.maintenance.0;
        /// The purpose for which the host is acquired.
        acquired_for: Option<&str> = |host| host.acquired_for.as_deref();
        /// True if the host is deleted as soon as a controller has cleared up what exists outside.
        deleting: bool = |host| host.deleting;
        /// The number of orders that the host has had. Each order adds one.
        generation: Long = |host| Long(host.generation);
        /// The state of the host in its life. Only controllers and the mutations of the life set it.
        state: HostState = |host| host.state;
        /// The power of the host as it was last seen. Only controllers set it.
        power: HostPower = |host| host.power;
        /// The step at which a controller works for the host. Null if none works.
        step: Option<&HostStep> = |host| host.step.as_ref();
        /// The last order that is done or has failed. An order is at work while this is less than `generation`.
        generation_done: Long = |host| Long(host.generation_done);
        /// The conditions of the host, each type once.
        conditions: &[Condition] = |host| &host.conditions.0;
        /// The failure because of which the host is FAILED. Null for a token of a tenant.
        failure: Option<&HostFailure> = |host| host.failure.as_ref();
        /// True if the host was INSTALLED since it was acquired, and its system was not switched off by a release since. If this
        /// is false, nobody knows what runs on the machine, and a release leaves it alone without force.
        was_installed: bool = |host| host.was_installed;
        /// What the machine said of itself at the first look at it. A machine that says something else later is another one,
        /// and gets no order, until `acceptMachines` is called for the host. Null: nobody has looked yet, and for a token of
        /// a tenant.
        seen_identity: Option<&SeenIdentity> = |host| host.seen_identity.as_ref();
        /// The last time at which a claim asked controllers to look at the machine, because it was last seen more than 60
        /// seconds before. Null: none did, and for a token of a tenant.
        look_asked: Option<&LookAsked> = |host| host.look_asked.as_ref();
        /// The hardware that the last discovery found, also where the host has no device. What people and sources record is
        /// `Device.hardware`. Null: none was found yet.
        hardware: Option<&Hardware> = |host| host.hardware.as_ref();
    }

    requires {}

    refers {
        /// The class of the host.
        class: HostClass by Host::CLASS;
        /// The appliance that lists the host. Null for a token of a tenant.
        appliance: Appliance by Host::APPLIANCE;
        /// The credential with which the BMC is opened. Null for a token of a tenant.
        bmc_credential: Credential by Host::BMC_CREDENTIAL;
        /// The cluster that has the host.
        cluster: Cluster by Host::CLUSTER;
    }

    lists {}

    observed {}

    more {
        /// The machine that the host is. Null if it is not known.
        async fn machine(&self) -> Option<HostMachine> {
            HostMachine::of(&self.0)
        }

        /// The site of the device that the host is. If that is not known, the site of its appliance, or of the rack of its
        /// appliance. The controllers of this site serve the host.
        async fn site(&self) -> Option<Site> {
            let id = host_site(&self.0.snapshot, &self.0.row)?;
            self.0.snapshot.hold(self.0.snapshot.find(id)?).map(Site)
        }

        /// The devices that have the host's UUID or serial number, if the machine is not known: several devices have it, the
        /// only one is the machine of another host, or another host has it too. At most ten. Empty for a token of a tenant.
        async fn machine_suggestions(&self) -> Vec<Device> {
            if self.0.row.machine.is_some() {
                return Vec::new();
            }
            let found = match machine_of(&self.0.snapshot, &self.0.row, &[], Host::MACHINE) {
                Linked::None => Vec::new(),
                Linked::One(id) => vec![id],
                Linked::Suggested(ids) => ids,
            };
            let objects = found.into_iter().filter_map(|id| self.0.snapshot.find(id));
            objects.filter_map(|object| self.0.snapshot.hold(object).map(Device)).collect()
        }

        /// The last observation of the host. It makes no revision. Null if nothing was, and for a token of a tenant.
        async fn observed(&self, context: &async_graphql::Context<'_>) -> async_graphql::Result<Option<Observation>> {
            observation_of(context, self.0.row.id).await
        }

        /// The acts of drivers and provisioners on the host, the newest first: the last 1,000 are kept. What changed in the
        /// inventory is in `changes`. Null for a token of a tenant.
        async fn history(
            &self,
            context: &async_graphql::Context<'_>,
            #[graphql(desc = "The maximum number of entries: 0 to 1000. Defaults to 50.")]
            first: Option<i32>,
            #[graphql(desc = "Returns only entries after this cursor.")]
            after: Option<String>,
        ) -> async_graphql::Result<Option<ActConnection>> {
            acts_of(context, self.0.row.id, first, after).await
        }

        /// The order that the host has, or had last. Null if it never had one.
        async fn wanted(&self) -> Option<HostWanted> {
            HostWanted::of(&self.0)
        }

        /// The end of the last order, and the reason if it was not done. Null if no order ended, and for a token of a tenant.
        async fn last_order(&self) -> Option<HostLastOrder> {
            self.0.row.last_order.clone().map(HostLastOrder)
        }
    }
}
