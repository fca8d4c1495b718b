//! The life of a host: what to do next, decided by pure functions, one file for each state.
//!
//! A state looks at the host, at the [`Attempt`] that is at work and at the [`Evidence`] for it, and answers with a
//! [`Turn`]. Guarantees:
//! - An act is returned only with the step that describes it, so that the step can be written first.
//! - An act whose outcome is not known is repeated only if another process began it and no evidence of it came until the
//!   deadline of its step. A power cycle that a person ordered is never repeated.
//! - Every order begins with a look at the machine. One that is not known to be the machine of the host gets none
//!   (`look.rs`).
//! - No order reboots a machine that was not seen off right before, unless a person said so for this machine, or its disks
//!   hold nothing (`look.rs`). No order is less safe for having been refused before.
//! - An order that was ended, or that waited longer than it is valid, touches no machine any more (`stop.rs`).
//! - Without an order that is open, no state returns an act on power, boot or disks.
//! - Every step has a deadline, and every order ends: the host rests, or it is FAILED with a reason.

mod acquired;
mod available;
mod boot;
mod discovering;
mod failed;
mod installed;
mod installing;
mod look;
mod power;
mod registered;
mod releasing;
mod rest;
mod stage;
mod stop;
mod wiping;

#[cfg(test)]
pub mod cases;

pub use look::may_boot_running;
pub use stage::{MAX_ATTEMPTS, deadline_of};

use chrono::TimeDelta;

use crate::host::{Host, Observed, OrderKey, Outcome, Power, State, StepName, Time, WordState};

/// The knowledge that a state decides on.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    pub host: &'a Host,
    /// The fate of the act of the current step, as far as this process knows.
    pub attempt: &'a Attempt,
    /// The evidence of what the machine did.
    pub evidence: &'a Evidence,
    /// The way in which the machine is worked on.
    pub managed_by: ManagedBy,
    /// True if a person switches the machine.
    pub is_by_hand: bool,
    /// The time of the server.
    pub now: Time,
    /// The length of a minute in the deadlines of steps.
    pub deadline_minute: TimeDelta,
}

/// The programs that manage a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManagedBy {
    /// A driver powers the machine, and a provisioner says what it boots.
    DriverAndProvisioner,
    /// A provisioner owns the BMC, so no driver of ours is called.
    ProvisionerAlone,
    /// A driver powers the machine. It has no provisioner, so it can be powered only.
    DriverAlone,
}

/// The fate of the act of the current step, as far as this process knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Another process wrote the step, or this one before it was restarted. Nobody knows if the act was made.
    OfAnother,
    /// The act was made, and answered.
    Answered,
    /// The act was certainly not made, for this reason. It may be made again.
    NotMade {
        /// The reason, as a sentence.
        reason: String,
    },
    /// The act got no answer, so nobody knows if it was made.
    Unanswered {
        /// The reason, as a sentence.
        reason: String,
    },
    /// The act was refused for good.
    Refused {
        /// The reason, as one word.
        reason: String,
        /// A sentence that says what went wrong.
        message: String,
    },
}

/// The evidence of what a machine did. Only evidence that is later than the step and is about its order counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The power and the time when it was seen.
    pub power: Option<(Power, Time)>,
    /// The last look at the machine.
    pub look: Option<Look>,
    /// The part that is stored with the host.
    pub observed: Observed,
    /// True if the provisioner that owns the BMC does not know the host.
    pub is_unknown_to_provisioner: bool,
}

/// A look at a machine by a driver of ours. What a provisioner says of power or hardware can be old, and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The time when the look began.
    pub at: Time,
    pub power: Power,
    pub machine: Recognised,
}

/// The way in which a machine was recognised by a look. Another machine than that of the host fails the look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recognised {
    /// What it says of itself agrees with what is known of it.
    Known,
    /// This look was the first one: it says what it is, and nothing was known that could be compared.
    Learned,
    /// It says nothing that can be compared, or no driver of ours can ask it.
    Silent,
}

/// An act on a machine or its provisioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The driver, or the provisioner that owns the BMC, changes the power.
    Power(PowerAct),
    /// The driver sets the machine to boot from the network once.
    BootNetwork,
    /// The driver sets the machine to boot from its disk the next time.
    BootLocal,
    /// The driver looks at the machine. This changes nothing.
    Look,
    /// The provisioner works on a step.
    Provision(Duty),
}

impl Act {
    /// Returns true if the act can switch or change the machine. Such an act waits until the calls of an earlier holder
    /// of the lease are over.
    pub const fn touches_machine(self) -> bool {
        !matches!(self, Self::Look | Self::Provision(Duty::Register | Duty::Adopt))
    }

    /// Returns true if the act in a state is for the machine of the host alone, so that it is looked at right before. To take
    /// back what was prepared, or to forget a host, does nothing to a machine.
    pub const fn is_for_one_machine(self, state: State) -> bool {
        match self {
            Self::Power(_) | Self::BootNetwork | Self::BootLocal => true,
            Self::Provision(Duty::Prepare | Duty::Inspect | Duty::Install | Duty::Deinstall) => true,
            Self::Provision(Duty::Detach) => !matches!(state, State::Discovering | State::Installing),
            Self::Look | Self::Provision(Duty::Register | Duty::Adopt | Duty::Delete) => false,
        }
    }

    /// Returns true if a provisioner that owns the BMC boots the machine for this act.
    pub const fn boots(self) -> bool {
        matches!(self, Self::Provision(Duty::Inspect | Duty::Install | Duty::Deinstall))
    }
}

/// A change of power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PowerAct {
    /// Switch on.
    On,
    /// Ask the system to shut down.
    Off,
    /// Switch off at once.
    ForceOff,
    /// Switch off and on at once.
    Cycle,
}

/// A duty of a provisioner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Duty {
    /// Get to know the host.
    Register,
    /// Find out the hardware.
    Inspect,
    /// Prepare what the machine will boot for the order.
    Prepare,
    /// Install the system.
    Install,
    /// Erase the disks.
    Deinstall,
    /// Take over a host that runs already, without touching it.
    Adopt,
    /// Let go of the system that was installed, without touching the disks.
    Detach,
    /// Forget the host.
    Delete,
}

/// The decision about what a controller does next for a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing until something changes.
    Rest,
    /// Nothing until a time, or until something changes.
    Wait(Time),
    /// Write the state and the step, then make the act.
    Begin {
        /// The next state.
        state: State,
        step: StepName,
        /// The number of the attempt.
        attempt: i32,
        /// The act that the step describes.
        act: Act,
    },
    /// Make the act of the current step again, which was certainly not made, but not before a pause.
    Again(Act),
    /// Poll the provisioner for the step's progress. This starts nothing.
    Ask(Duty),
    /// Write that the order is done.
    Done {
        /// The next state.
        state: State,
    },
    /// Write that the order was not done, and touched nothing.
    Refuse {
        /// The next state: the one in which the order was given.
        state: State,
        /// The outcome of the order.
        outcome: Outcome,
        /// The reason, as one word.
        reason: String,
        /// A sentence that says why, and what to do.
        message: String,
    },
    /// Write that the order failed.
    Fail {
        /// The next state: FAILED, or the old one if the host rested.
        state: State,
        /// The reason, as one word.
        reason: String,
        /// A sentence that says what went wrong, and what to do.
        message: String,
    },
    /// Have the provisioner take over a host that it does not know, as it is. This touches nothing. The duty is
    /// [`Duty::Adopt`] for a host in use, and [`Duty::Register`] for one that is not.
    TakeOver(Duty),
    /// Have the provisioner forget the host, and delete it.
    Delete,
}

impl Turn {
    /// Ends a state that works without an order that it could work for. This comes from a restored or overridden host.
    fn without_order() -> Self {
        let message = "the host was at work without an order that fits; look at the machine, then order again";
        Self::Fail { state: State::Failed, reason: "NoOrder".to_owned(), message: message.to_owned() }
    }
}

/// Decides what to do next for a host.
pub fn decide(input: &Input<'_>) -> Turn {
    stop::checked(input, in_state(input))
}

fn in_state(input: &Input<'_>) -> Turn {
    match input.host.state {
        State::Registered => registered::decide(input),
        State::Discovering => discovering::decide(input),
        State::Available => available::decide(input),
        State::Acquired => acquired::decide(input),
        State::Installing => installing::decide(input),
        State::Installed => installed::decide(input),
        State::Releasing => releasing::decide(input),
        State::Wiping => wiping::decide(input),
        State::Failed => failed::decide(input),
    }
}

/// Returns true if an order of a host that ends now may have set its machine to boot from the network.
pub fn may_be_armed(host: &Host, managed_by: ManagedBy) -> bool {
    let is_boot = matches!(host.state, State::Discovering | State::Installing | State::Wiping);
    let is_prepared_only = |step: StepName| matches!(step, StepName::Register | StepName::Prepare | StepName::Look);
    let step = host.current_step().map(|step| step.name);
    managed_by == ManagedBy::DriverAndProvisioner && is_boot && step.is_some_and(|step| !is_prepared_only(step))
}

/// Returns true if an installer or a wipe of the present step of a host began on its machine, so that its disks hold nothing.
pub fn has_erased(host: &Host, evidence: &Evidence, managed_by: ManagedBy) -> bool {
    host.current_step().is_some_and(|step| match (step.name, managed_by) {
        (StepName::Install | StepName::Wipe, ManagedBy::ProvisionerAlone) => {
            evidence.word(step.name, host.order_key(), step.since).is_some()
        }
        (StepName::Install | StepName::Wipe, _) => evidence.has_script_after(step.since),
        _ => false,
    })
}

impl Evidence {
    /// Returns the power, if it was seen after a time.
    fn power_after(&self, after: Time) -> Option<Power> {
        self.power.filter(|(_, at)| *at > after).map(|(power, _)| power)
    }

    /// Returns the last look at the machine, if it is later than a time.
    fn look_after(&self, after: Time) -> Option<Look> {
        self.look.filter(|look| look.at > after)
    }

    /// Returns the last power that was seen, whenever that was.
    fn last_power(&self) -> Power {
        self.power.map_or(Power::Unknown, |(power, _)| power)
    }

    /// Returns true if the machine fetched its script after a time.
    fn has_script_after(&self, after: Time) -> bool {
        self.observed.script_fetched_at.is_some_and(|at| at > after)
    }

    /// Returns true if facts came after a time.
    fn has_facts_after(&self, after: Time) -> bool {
        self.observed.facts_at.is_some_and(|at| at > after)
    }

    /// Returns the word of the provisioner about a step of an order, if it came after a time.
    fn word(&self, step: StepName, order: OrderKey, after: Time) -> Option<(WordState, Option<&str>)> {
        let word = self.observed.word.as_ref()?;
        let fits = word.is_about(step, order) && word.at > after;
        fits.then_some((word.state, word.sentence.as_deref()))
    }
}
