//! The host controller, as `underlay run hosts` and `underlay serve --with hosts` run it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use underlay_address::Scheme;
use underlay_client::{Client, Patience};
use underlay_hosts::api::Remote;
use underlay_hosts::controller::{Controller, Means, Scope, Timing};
use underlay_hosts::machine::Drivers;
use underlay_hosts::provisioner::Provisioners;
use underlay_hosts::simulated::{SimulatedProvisioner, World};
use underlay_kit::control::{PositionFile, Status};
use uuid::Uuid;

/// The time limit of a call, which is shorter than a lease.
const ANSWER: Duration = Duration::from_secs(25);
/// The time that a simulated machine needs for a discovery, an installation or a wipe.
const SIMULATED_WORK: Duration = Duration::from_secs(5);

/// Returns the time limits of a controller's calls.
pub(in crate::cli) fn patience(usual: Patience) -> Patience {
    Patience { answer: ANSWER, ..usual }
}

/// A host controller that is about to run.
pub(in crate::cli) struct Hosts {
    controller: Controller<Remote>,
}

impl Hosts {
    /// Returns the controller of a server. Its state file is in a folder that is made if it is missing.
    ///
    /// # Errors
    /// Returns a sentence if the folder cannot be made.
    pub(in crate::cli) fn new(client: Client, state: PathBuf, scope: Scope) -> Result<Self, String> {
        if let Some(folder) = state.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("the folder {} for the state cannot be made: {error}", folder.display()))?;
        }
        // The name must differ from that of every other process, also of the one that ran here before.
        let name = format!("hosts-{}", Uuid::new_v4().simple());
        let world = World::default();
        let simulated = SimulatedProvisioner::new(world.clone(), SIMULATED_WORK);
        let means = Means {
            api: Remote::new(client, name.clone()),
            drivers: Drivers::default().with(Scheme::Simulated, Arc::new(world)),
            provisioners: Provisioners::default().with("simulated", Arc::new(simulated)),
            state: PositionFile::new(state),
            name,
            scope,
        };
        Ok(Self { controller: Controller::new(means, Timing::default()) })
    }

    /// Returns the status, for health checks and metrics.
    pub(in crate::cli) fn status(&self) -> Arc<Status> {
        self.controller.status()
    }

    /// Works until it is asked to stop, and gives its leases back then. Warns once of each reason for which it has none.
    pub(in crate::cli) async fn run(self, stop: watch::Receiver<bool>, warn: impl Fn(&str)) {
        let mut trouble = self.controller.status().lease_trouble();
        let watch = async {
            while trouble.changed().await.is_ok() {
                if let Some(reason) = trouble.borrow_and_update().as_ref() {
                    warn(&format!("the controller cannot take or renew its leases: {reason}"));
                }
            }
            std::future::pending().await
        };
        tokio::select! {
            () = self.controller.run(stop) => {}
            () = watch => {}
        }
    }
}
