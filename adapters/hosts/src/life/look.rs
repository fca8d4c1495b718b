//! The looks at a machine before an order does anything with it: one before anything is begun, and one right before the
//! machine is booted, after it was prepared. Which machine it is decides about every order. Its power decides about those that
//! would reboot it: a machine that runs is left alone, the order is refused, and the host goes back to the state in which
//! the order was given.

use chrono::TimeDelta;

use super::stage::{Proof, Stage, take_back};
use super::{Act, Attempt, Input, Look, Recognised, Turn, stop};
use crate::host::{Host, Order, Outcome, Power, State, Step, StepName, Wanted};

/// The time for which it counts what was seen. The machine may be switched on at any time.
const SIGHTING_LIFETIME: TimeDelta = TimeDelta::seconds(60);

/// Goes on with `next` when the machine is known and nothing runs on it, as far as that matters. The host keeps its state
/// meanwhile. Machines that a person switches are not looked at: that person sees them.
pub fn first(input: &Input<'_>, order: &Wanted, next: impl FnOnce() -> Turn) -> Turn {
    if input.is_by_hand {
        return next();
    }
    let look = stage(input, input.host.state);
    match input.host.current_step() {
        Some(step) if step.name == StepName::Look => {
            let covers = Covers::of(may_run(input, order));
            follow(&look, step, covers, next, refuse)
        }
        _ => look.begin(),
    }
}

/// Begins the look right before a machine is booted. Goes on with `next` where nobody has to look.
pub fn again(input: &Input<'_>, state: State, next: impl FnOnce() -> Turn) -> Turn {
    if may_boot_running(input.host, state, input.is_by_hand) { next() } else { stage(input, state).begin() }
}

/// Follows the look right before a machine is booted, which was prepared. What was prepared is taken back before the order
/// is refused, so that nothing of it is booted later. A machine that is to be wiped was seen off before, so somebody
/// switched it on, and its host goes back to nowhere.
pub fn follow_again(input: &Input<'_>, state: State, step: &Step, next: impl FnOnce() -> Turn) -> Turn {
    let covers = Covers::of(may_boot_running(input.host, state, input.is_by_hand));
    follow(&stage(input, state), step, covers, next, |input, why| match state {
        State::Wiping => {
            let (reason, message) = why.words();
            Turn::Fail { state: State::Failed, reason: reason.to_owned(), message: message.to_owned() }
        }
        _ => take_back(input, state).begin(),
    })
}

/// Returns true if the machine of a host is booted in a state whether or not it runs.
pub fn may_boot_running(host: &Host, state: State, is_by_hand: bool) -> bool {
    match (state, host.order()) {
        // It was switched off for this very order.
        (State::Wiping, _) | (_, None) => is_by_hand,
        (_, Some(order)) => order.covers_running || is_by_hand || is_empty(host),
    }
}

/// Follows the step that takes back what was prepared for an order that is refused.
pub fn follow_detach(input: &Input<'_>, state: State, step: &Step) -> Turn {
    let detach = take_back(input, state);
    detach.follow(step, detach.proof_of_word(step), || {
        stop::refused(input).unwrap_or_else(|| refuse(input, why_not(input)))
    })
}

/// Returns true if an order goes on whether or not the machine runs: it is about the power, or gives back what was
/// installed; a person said so for this machine, or switches it; or an installer or a wipe of an earlier order began on it,
/// so that its disks hold nothing.
pub fn may_run(input: &Input<'_>, order: &Wanted) -> bool {
    let host = input.host;
    match order.act {
        act if act.is_of_power() => true,
        // Its system is switched off because it is given back.
        Order::Release | Order::Wipe if is_to_be_switched_off(host) => true,
        _ => order.covers_running || input.is_by_hand || is_empty(host),
    }
}

/// Returns true if the system of a host is switched off when the host is given back.
pub fn is_to_be_switched_off(host: &Host) -> bool {
    host.was_installed || host.state == State::Installed
}

fn is_empty(host: &Host) -> bool {
    host.failure.as_ref().is_some_and(|failure| failure.erased)
}

/// The machines that an order covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Covers {
    /// Whether or not they run.
    Running,
    /// Those that are off.
    Off,
}

impl Covers {
    const fn of(may_run: bool) -> Self {
        if may_run { Self::Running } else { Self::Off }
    }
}

/// The reason for which an order is refused because of a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WhyNot {
    /// The machine runs.
    Runs,
    /// Nobody can see if it runs.
    PowerUnknown,
    /// The look was the first one, and nothing was known by which the machine could be recognised.
    FirstLook,
    /// The machine tells nothing, and the order is one for several hosts.
    TellsNothing,
}

impl WhyNot {
    /// Returns the reason as one word, and as a sentence.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Runs => (
                "MachineRuns",
                "the machine is running; this would reboot it: look who uses it, and if nobody does, switch it off and \
                 order again",
            ),
            Self::PowerUnknown => (
                "PowerUnknown",
                "nobody can see if the machine is running; this would reboot it if it is: look at it, and order with force \
                 if it is free",
            ),
            Self::FirstLook => (
                "FirstLook",
                "nobody has looked at the machine before; seenIdentity says now what it is: see that it is the right one, \
                 then order again",
            ),
            Self::TellsNothing => (
                "TellsNothing",
                "nothing says which machine the address leads to, so an order for it is given for this host alone",
            ),
        }
    }
}

const fn stage<'a, 'b>(input: &'a Input<'b>, state: State) -> Stage<'a, 'b> {
    Stage { input, state, name: StepName::Look, act: Act::Look }
}

fn follow<'a, 'b>(
    look: &Stage<'a, 'b>,
    step: &Step,
    covers: Covers,
    next: impl FnOnce() -> Turn,
    refuse: impl FnOnce(&Input<'b>, WhyNot) -> Turn,
) -> Turn {
    let input = look.input;
    let Some(seen) = input.evidence.look_after(step.since.max(input.now - SIGHTING_LIFETIME)) else {
        let is_answered = *input.attempt == Attempt::Answered && input.now >= look.deadline(step);
        return if is_answered { refuse(input, WhyNot::PowerUnknown) } else { look.follow(step, Proof::None, next) };
    };

    if let Some(why) = is_not_for(input, &seen) {
        return refuse(input, why);
    }
    match seen.power {
        _ if covers == Covers::Running => next(),
        Power::Off => next(),
        Power::On => refuse(input, WhyNot::Runs),
        // Nobody else is asked.
        Power::Unknown if seen.machine == Recognised::Silent || input.now >= look.deadline(step) => {
            refuse(input, WhyNot::PowerUnknown)
        }
        Power::Unknown => look.follow(step, Proof::None, next),
    }
}

/// Returns the reason for which an order is not for the machine of a look, whatever its power is.
fn is_not_for(input: &Input<'_>, seen: &Look) -> Option<WhyNot> {
    let is_alone = input.host.order().is_some_and(|order| order.alone);
    match seen.machine {
        Recognised::Learned => Some(WhyNot::FirstLook),
        Recognised::Silent if !is_alone => Some(WhyNot::TellsNothing),
        Recognised::Known | Recognised::Silent => None,
    }
}

/// Returns the reason for which an order was refused that was taken back since, by the last look.
fn why_not(input: &Input<'_>) -> WhyNot {
    let Some(seen) = &input.evidence.look else { return WhyNot::PowerUnknown };
    is_not_for(input, seen).unwrap_or(match seen.power {
        Power::On => WhyNot::Runs,
        Power::Off | Power::Unknown => WhyNot::PowerUnknown,
    })
}

/// Refuses an order because of what was seen.
fn refuse(input: &Input<'_>, why: WhyNot) -> Turn {
    let (reason, message) = why.words();
    Turn::Refuse {
        state: input.host.state_before(),
        outcome: Outcome::Refused,
        reason: reason.to_owned(),
        message: message.to_owned(),
    }
}
