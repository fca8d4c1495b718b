//! The provisioner that has machines installed by Ironic. It owns the BMC: no driver of ours is called.
//!
//! A call looks at the node of the host, decides by a pure function (`decide`) and acts, until there is nothing to do now.
//! The node itself says how far the work is, by its provision state and by the mark that we leave in `extra.underlay`, so a
//! call may be repeated, its answer may be lost, and the controller may be another one each time.
//!
//! Ironic is not the truth: its database can be lost or restored at any time. A host in use whose node is missing is
//! registered, verified and adopted, never deployed. `decide` lists the guarantees.

mod act;
mod decide;
mod driver_info;
mod facts;
mod failure;
mod find;
mod image;
mod machine;
mod mark;
mod power;
mod rounds;
#[cfg(test)]
mod samples;
mod system_address;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::{Instant, sleep};
use underlay_address::Exceptions;
use underlay_hosts::host::{Host, StepName};
use underlay_hosts::life::{Duty, PowerAct};
use underlay_hosts::machine::{CallError, Target};
use underlay_hosts::provisioner::{
    Call, Job, MAX_REGISTERED_MACHINES, Progress, Provisioner, Registered, RegisteredPage, Sighting,
};
use underlay_kit::printable;

use self::decide::At;
pub use self::driver_info::{DriverInfo, DriverInfoError};
use self::failure::{Effect, call_error};
use self::find::Directory;
use self::mark::Mark;
use crate::client::{Client, Node, Pace};

/// The name of the provisioner, as hosts have it.
pub const NAME: &str = "ironic";

/// The pace of the work. A call of the controller has 20 seconds.
#[derive(Clone, Copy, Debug)]
pub struct Tempo {
    /// The time between two looks at a node within a call.
    pub look: Duration,
    /// The time after which a call begins nothing more, and no longer waits for what Ironic does in seconds.
    pub within: Duration,
    /// The time after which the controller asks again while Ironic does what takes minutes.
    pub again: Duration,
}

impl Default for Tempo {
    fn default() -> Self {
        Self { look: Duration::from_millis(500), within: Duration::from_secs(8), again: Duration::from_secs(15) }
    }
}

/// Returns the pace of the calls of Ironic, of which several must fit into one of the controller.
pub const fn pace() -> Pace {
    Pace {
        connect: Duration::from_secs(3),
        answer: Duration::from_secs(5),
        first_pause: Duration::from_millis(300),
        longest_pause: Duration::from_secs(1),
        repeats: 1,
    }
}

/// The provisioner.
#[derive(Debug)]
pub struct IronicProvisioner {
    client: Arc<Client>,
    directory: Directory,
    exceptions: Exceptions,
    driver_info: DriverInfo,
    tempo: Tempo,
}

impl IronicProvisioner {
    /// Returns a provisioner that works by a client of Ironic. It gives Ironic no reserved address of a BMC but the
    /// exceptions.
    pub fn new(client: Client, exceptions: Exceptions, tempo: Tempo) -> Self {
        let client = Arc::new(client);
        let directory = Directory::new(Arc::clone(&client));
        Self { directory, client, exceptions, driver_info: DriverInfo::default(), tempo }
    }

    /// Returns this provisioner, which gives these settings to all nodes that it makes for machines with a BMC.
    #[must_use]
    pub fn with_driver_info(self, driver_info: DriverInfo) -> Self {
        Self { driver_info, ..self }
    }

    /// Changes the power of a machine. A machine that Ironic does not know is registered first, which touches nothing.
    async fn switch(&self, host: &Host, target: &Target, act: PowerAct) -> Result<(), CallError> {
        let node = self.known(host, target).await?;
        if Mark::of(&node).is_some_and(|mark| mark.host != host.id) {
            return Err(refused(&node, "it is registered for another host; delete one of the two hosts"));
        }
        if node.maintenance {
            let reason = node.maintenance_reason.as_deref().unwrap_or("no reason is given");
            let sentence = format!("it is in maintenance at Ironic ({}); end that there", printable(reason));
            return Err(refused(&node, &sentence));
        }
        self.renew(host, target, &node).await?;
        let (wanted, limit) = power::target(act);
        let call = self.client.set_power_state(&node.uuid, wanted, limit).await;
        call.map_err(|error| match call_error(&error, Effect::Changes) {
            CallError::Refused { message, .. } => CallError::Refused { reason: "PowerRefused".to_owned(), message },
            error => error,
        })?;
        self.watch(&node, wanted).await
    }

    /// Returns the node of a host after its BMC was verified.
    async fn known(&self, host: &Host, target: &Target) -> Result<Node, CallError> {
        if let Some(node) = self.directory.find(host).await?
            && !matches!(At::of(&node), At::Enroll | At::Verifying)
        {
            return Ok(node);
        }
        let job = Job {
            host,
            order: host.order_key(),
            step: StepName::Register,
            duty: Duty::Register,
            call: Call::Begin,
            target: Some(target),
            fence: None,
        };
        let reason = match self.rounds(&job).await? {
            Progress::Done { .. } => match self.directory.find(host).await? {
                Some(node) => return Ok(node),
                None => "the node is gone again".to_owned(),
            },
            Progress::Failed { sentence, .. } => sentence,
            Progress::Wait { .. } | Progress::Unknown => "the machine is being registered at Ironic".to_owned(),
        };
        Err(CallError::NotMade { reason })
    }

    /// Watches a change of power for a moment, to relay why it failed.
    async fn watch(&self, node: &Node, wanted: &str) -> Result<(), CallError> {
        let end = Instant::now() + self.tempo.within / 2;
        // In a state of failure, Ironic keeps the sentence of that failure.
        let keeps_errors = matches!(
            At::of(node),
            At::DeployFailed | At::CleanFailed | At::InspectFailed | At::AdoptFailed | At::Error
        );
        while !keeps_errors && Instant::now() < end {
            sleep(self.tempo.look).await;
            // The change was accepted, whatever the looks at it show.
            let Ok(Some(states)) = self.client.states(&node.uuid).await else { break };
            if let Some(message) = power::failure(&states) {
                let message = format!("node {}: {wanted}: {}", printable(&node.uuid), printable(message));
                return Err(CallError::Refused { reason: "PowerRefused".to_owned(), message });
            }
            if states.target_power.is_none() {
                break;
            }
        }
        Ok(())
    }

    async fn page(&self, after: Option<&str>) -> Result<RegisteredPage, CallError> {
        let page = self.client.node_page(after, MAX_REGISTERED_MACHINES).await;
        let (nodes, next) = page.map_err(|error| call_error(&error, Effect::Reads))?;
        Ok(RegisteredPage { machines: nodes.iter().map(registered).collect(), next })
    }
}

fn registered(node: &Node) -> Registered {
    Registered {
        name: node.name.clone().unwrap_or_else(|| node.uuid.clone()),
        host: Mark::of(node).map(|mark| mark.host),
        address: system_address::address(node),
        uid: None,
    }
}

fn refused(node: &Node, sentence: &str) -> CallError {
    let message = format!("node {}: {sentence}", printable(&node.uuid));
    CallError::Refused { reason: "ProvisionerRefused".to_owned(), message }
}

impl Provisioner for IronicProvisioner {
    fn owns_machine(&self) -> bool {
        true
    }

    fn work<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Progress, CallError>> {
        Box::pin(async move { self.rounds(&job).await })
    }

    fn power<'a>(&'a self, host: &'a Host, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(self.switch(host, target, act))
    }

    fn see<'a>(&'a self, host: &'a Host) -> BoxFuture<'a, Result<Sighting, CallError>> {
        Box::pin(async move {
            let node = self.directory.find(host).await?;
            Ok(power::sighting(host, node.as_ref()))
        })
    }

    fn registered<'a>(&'a self, after: Option<&'a str>) -> BoxFuture<'a, Result<RegisteredPage, CallError>> {
        Box::pin(self.page(after))
    }
}
