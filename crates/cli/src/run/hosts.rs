//! The host controller, as `underlay run hosts` and `underlay serve --with hosts` run it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use underlay_address::{Exceptions, Scheme};
use underlay_client::{Client, Patience};
use underlay_hosts::api::Remote;
use underlay_hosts::controller::{Controller, Means, Scope, Timing};
use underlay_hosts::direct::{self, Direct, RemoteBoots};
use underlay_hosts::exec::{Exec, Program};
use underlay_hosts::ipmi::Ipmi;
use underlay_hosts::libvirt::Libvirt;
use underlay_hosts::machine::Drivers;
use underlay_hosts::provisioner::Provisioners;
use underlay_hosts::simulated::{SimulatedProvisioner, World};
use underlay_ironic::client::Client as IronicClient;
use underlay_ironic::provisioner::{IronicProvisioner, NAME as IRONIC, Tempo};
use underlay_kit::control::{PositionFile, Status};
use underlay_redfish::{Pace, Redfish};
use uuid::Uuid;

use super::ironic::Reached;
use underlay_engine::runtime::test_times;

/// The time limit of a call, which is shorter than a lease.
const CALL_TIMEOUT: Duration = Duration::from_secs(25);
/// The time that a simulated machine needs for a discovery, an installation or a wipe.
const SIMULATED_WORK_TIME: Duration = Duration::from_secs(5);

/// Returns the time limits of a controller's calls.
pub fn patience(usual: Patience) -> Patience {
    Patience { answer: CALL_TIMEOUT, ..usual }
}

/// The means by which a controller reaches machines.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// The reserved addresses that machines may have nevertheless.
    pub allowed_addresses: Exceptions,
    /// The URL that the firmware of machines fetches in a boot over HTTP.
    pub boot_uri: Option<String>,
    /// The programs that reach machines.
    pub programs: Exec,
    /// The Ironic that installs machines, if there is one.
    pub ironic: Option<Reached>,
}

impl Reach {
    /// Returns these means with the programs of the command line, each as `NAME=COMMAND`.
    ///
    /// # Errors
    /// Returns a sentence that says which one is wrong.
    pub fn with_programs(mut self, texts: &[String]) -> Result<Self, String> {
        for text in texts {
            let (name, command) =
                text.split_once('=').ok_or_else(|| format!("--program must be NAME=COMMAND, not {text:?}"))?;
            let words = shell_words::split(command);
            let mut words =
                words.map_err(|error| format!("the command of --program {name} cannot be read: {error}"))?.into_iter();
            let program = words.next().ok_or_else(|| format!("--program {name} has no command"))?;
            let program = Program { program, arguments: words.collect() };
            self.programs = self.programs.with(name, program).map_err(|error| format!("--program: {error}"))?;
        }
        Ok(self)
    }
}

/// A host controller that is about to run.
pub struct Hosts {
    controller: Controller<Remote>,
    redfish: Arc<Redfish>,
}

impl Hosts {
    /// Returns the controller of a server. Its state file is in a folder that is made if it is missing.
    ///
    /// # Errors
    /// Returns a sentence if the folder cannot be made, or the connection to Ironic cannot be used.
    pub fn new(client: Client, state: PathBuf, scope: Scope, reach: Reach) -> Result<Self, String> {
        if let Some(folder) = state.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("the folder {} for the state cannot be made: {error}", folder.display()))?;
        }
        // The name must differ from that of every other process, also of the one that ran here before.
        let name = format!("hosts-{}", Uuid::new_v4().simple());
        let world = World::default();
        let simulated = SimulatedProvisioner::new(world.clone(), SIMULATED_WORK_TIME);
        let boots = RemoteBoots::new(client.clone(), name.clone());
        let mut provisioners = Provisioners::default()
            .with("simulated", Arc::new(simulated))
            .with(direct::NAME, Arc::new(Direct::new(Arc::new(boots))));
        if let Some(Reached { connection, driver_info }) = &reach.ironic {
            let client = IronicClient::new(connection).map_err(|error| error.to_string())?;
            let ironic = IronicProvisioner::new(client, reach.allowed_addresses.clone(), Tempo::default());
            provisioners = provisioners.with(IRONIC, Arc::new(ironic.with_driver_info(driver_info.clone())));
        }
        let ipmi = Ipmi::new(reach.allowed_addresses.clone());
        let libvirt = Libvirt::new(reach.allowed_addresses.clone());
        let redfish = Arc::new(Redfish::new(reach.allowed_addresses, reach.boot_uri, Pace::default()));
        let drivers = Drivers::default()
            .with(Scheme::Simulated, Arc::new(world))
            .with(Scheme::Exec, Arc::new(reach.programs))
            .with(Scheme::Ipmi, Arc::new(ipmi))
            .with(Scheme::Libvirt, Arc::new(libvirt));
        let drivers = [Scheme::Redfish, Scheme::RedfishVirtualMedia, Scheme::RedfishUefiHttp]
            .into_iter()
            .fold(drivers, |drivers, scheme| drivers.with(scheme, Arc::<Redfish>::clone(&redfish)));
        let means = Means {
            api: Remote::new(client, name.clone()),
            drivers,
            provisioners,
            state: PositionFile::new(state),
            name,
            scope,
        };
        let timing = Timing::default().divided_by(test_times::divisor()?);
        Ok(Self { controller: Controller::new(means, timing), redfish })
    }

    /// Returns the status, for health checks and metrics.
    pub fn status(&self) -> Arc<Status> {
        self.controller.status()
    }

    /// Works until it is asked to stop, and gives its leases and the sessions of BMCs back then. Warns once of each
    /// reason for which it has no leases.
    pub async fn run(self, stop: watch::Receiver<bool>, warn: impl Fn(&str)) {
        let mut trouble = self.controller.status().lease_trouble();
        let watch = async {
            while trouble.changed().await.is_ok() {
                if let Some(reason) = trouble.borrow_and_update().as_ref() {
                    warn(&format!("the controller cannot take or renew its leases: {reason}"));
                }
            }
            std::future::pending().await
        };
        let (end, ended) = oneshot::channel::<()>();
        let work = async {
            self.controller.run(stop).await;
            drop(end);
        };
        let sessions = self.redfish.keep(async {
            // The sender says nothing. It goes when the work ends.
            drop(ended.await);
        });
        tokio::select! {
            ((), ()) = async { tokio::join!(work, sessions) } => {}
            () = watch => {}
        }
    }
}
