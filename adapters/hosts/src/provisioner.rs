//! The interface to what installs machines.
//!
//! # Implementing a provisioner
//! The controller goes through the life of a host and asks the provisioner for one duty at a time, as a [`Job`]. A job is
//! identified by the host, the order and the step. An order is identified by its number and its id ([`OrderKey`]): after a
//! restore of the server another order can have the same number, so keep both with the work, and compare both. The rules:
//! - **[`Call::Begin`] starts the work of a job, at most once.** If the provisioner knows the job already, it answers how
//!   it comes on, and starts nothing. So an order installs a machine at most once, whatever the controller does.
//! - **[`Call::Continue`] never starts anything.** A provisioner that knows nothing of the job, for example because its
//!   database was lost, answers [`Progress::Unknown`]. It must not begin anew: the machine may be in use by then.
//! - **[`Duty::Prepare`] of an order for which the machine has worked already fails.** A restored server can have an order
//!   open that was done before. The machine may be in use by then, and the next steps would reboot it.
//! - **Answer soon.** A duty that takes long answers [`Progress::Wait`] and works on; the controller asks again.
//! - **Be honest in errors**, as drivers are: [`CallError::NotMade`] only if the work certainly did not begin.
//! - **A provisioner that owns the BMC** (`owns_machine`) powers and boots the machine by itself for its duties, and
//!   never at other times. The controller then calls no driver for the host.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use uuid::Uuid;

use crate::api::Fence;
use crate::host::{Facts, Host, OrderKey, Power, StepName};
use crate::life::{Duty, PowerAct};
use crate::machine::{CallError, Target};

/// The work that a provisioner is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    pub host: &'a Host,
    pub order: OrderKey,
    /// The step of the order.
    pub step: StepName,
    pub duty: Duty,
    /// The way in which the provisioner is asked.
    pub call: Call,
    /// The machine with its credential, for [`Call::Begin`] of a provisioner that owns the BMC. `None` otherwise, and if it
    /// is not needed to forget a host.
    pub target: Option<&'a Target>,
    /// The lease under which the controller works on the host. `None`: it has just ended.
    pub fence: Option<&'a Fence>,
}

/// The way in which a provisioner is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Start the work, if it was not started.
    Begin,
    /// Say how the work comes on. Start nothing.
    Continue,
}

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The work is done.
    Done {
        /// The facts that the work found out.
        facts: Option<Facts>,
    },
    /// The work goes on.
    Wait {
        /// The time after which the controller asks again.
        again: Duration,
        /// A sentence about the progress.
        sentence: Option<String>,
    },
    /// The work failed.
    Failed {
        /// The kind of the failure.
        kind: FailureKind,
        /// A sentence that says what went wrong.
        sentence: String,
    },
    /// The provisioner knows nothing of the work.
    Unknown,
}

/// The kinds of failures of a provisioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The machine cannot be reached or powered.
    Machine,
    /// The profile, the image or the settings are wrong.
    Profile,
    /// The work on the machine ended with an error.
    Work,
}

impl FailureKind {
    /// Returns the reason that the failure of the host names.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::Machine => "MachineFailed",
            Self::Profile => "ProfileFailed",
            Self::Work => "WorkFailed",
        }
    }
}

/// The state of a host at its provisioner, found by a look that changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sighting {
    /// The power, if the provisioner owns the BMC.
    pub power: Option<Power>,
    /// False if the provisioner does not know the host.
    pub is_known: bool,
    /// The last order for which the machine fetched its script from the network.
    pub script_of: Option<OrderKey>,
}

/// The maximum number of machines in a page of a provisioner.
pub const MAX_REGISTERED_MACHINES: usize = 1_000;

/// A machine that is registered at a provisioner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The name under which the provisioner has it: unique there, and 1 to 253 characters.
    pub name: String,
    /// The id of the host for which a controller registered it; `None` if somebody else did.
    pub host: Option<Uuid>,
    /// The address of its BMC, without a password.
    pub address: Option<String>,
    /// The UUID or serial number by which it identifies itself.
    pub uid: Option<String>,
}

/// A page of the machines that are registered at a provisioner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredPage {
    /// The machines, at most [`MAX_REGISTERED_MACHINES`].
    pub machines: Vec<Registered>,
    /// The position of the next page; `None` after the last one.
    pub next: Option<String>,
}

/// Installs machines. The documentation of this module has the rules.
pub trait Provisioner: Send + Sync {
    /// Returns true if the provisioner owns the BMC of its machines.
    fn owns_machine(&self) -> bool;

    /// Works on a job. [`Duty`] lists what can be asked.
    fn work<'a>(&'a self, job: Job<'a>) -> BoxFuture<'a, Result<Progress, CallError>>;

    /// Changes the power of a machine that the provisioner owns. The target is the machine with its credential.
    fn power<'a>(&'a self, host: &'a Host, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>>;

    /// Looks at a host. This changes nothing.
    fn see<'a>(&'a self, host: &'a Host) -> BoxFuture<'a, Result<Sighting, CallError>>;

    /// Returns true if machines can be registered at the provisioner that the graph does not know. Otherwise it is never asked
    /// for them.
    fn has_register(&self) -> bool {
        true
    }

    /// Lists what is registered, in pages: also what others registered. This changes nothing. What the graph does not know
    /// is reported, and never removed.
    fn registered<'a>(&'a self, after: Option<&'a str>) -> BoxFuture<'a, Result<RegisteredPage, CallError>>;
}

/// The provisioners of a controller, by their names.
#[derive(Clone, Default)]
pub struct Provisioners {
    by_name: BTreeMap<String, Arc<dyn Provisioner>>,
}

impl Provisioners {
    /// Returns the provisioners with one more.
    #[must_use]
    pub fn with(mut self, name: &str, provisioner: Arc<dyn Provisioner>) -> Self {
        self.by_name.insert(name.to_owned(), provisioner);
        self
    }

    /// Returns all provisioners with their names.
    pub fn all(&self) -> impl Iterator<Item = (&str, &Arc<dyn Provisioner>)> {
        self.by_name.iter().map(|(name, provisioner)| (name.as_str(), provisioner))
    }

    /// Returns the provisioner of a host, or `None` if it has none.
    ///
    /// # Errors
    /// Returns an error that lists the provisioners of this controller, if it does not have the one of the host.
    pub fn of(&self, host: &Host) -> Result<Option<Arc<dyn Provisioner>>, CallError> {
        let Some(name) = &host.provisioner else { return Ok(None) };
        self.by_name.get(name).map(|it| Some(Arc::clone(it))).ok_or_else(|| {
            let known = self.by_name.keys().cloned().collect::<Vec<_>>().join(", ");
            let message = format!("this controller has no provisioner {name:?}; it has: {known}");
            CallError::Refused { reason: "NoProvisioner".to_owned(), message }
        })
    }
}
