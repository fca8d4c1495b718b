//! The driver of machines that programs reach.

use futures_util::future::BoxFuture;
use tokio::time::timeout;
use underlay_address::{Address, Scheme};
use underlay_kit::{check_values, printable};

use super::process::{RunError, run};
use super::wire::{Call, ExecAnswer, Failed, FailedKind, Machine, Request};
use super::{CALL_TIMEOUT, Exec};
use crate::host::Power;
use crate::life::PowerAct;
use crate::machine::{BootDevice, CallError, Driver, Found, Identity, Sight, Target};

/// The maximum number of machines that a program lists.
const MAX_MACHINES: usize = 10_000;
/// The maximum number of values in an answer: many times as many as so many machines have.
const MAX_ANSWER_VALUES: usize = 200_000;
/// The maximum length of the name that a program gives a machine, in bytes.
const MAX_NAME_BYTES: usize = 200;

impl Exec {
    async fn call(&self, target: &Target, call: Call) -> Result<ExecAnswer, CallError> {
        let (address, name) = address_of(target)?;
        let program = self.programs.get(&name).ok_or_else(|| {
            let known: Vec<&str> = self.programs.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let message = format!(
                "this controller has no program {}; it has: {known}; start it with --program {}=COMMAND",
                printable(&name),
                printable(&name)
            );
            refused("NoProgram", message)
        })?;
        let describe = |reason: String| format!("the program {} ({}): {reason}", printable(&name), call.name());
        let request = Request::new(call, target, address.machine.as_deref());
        let mut line =
            serde_json::to_vec(&request).map_err(|error| refused("WrongRequest", describe(error.to_string())))?;
        line.push(b'\n');
        let limit = self.limit.unwrap_or(CALL_TIMEOUT);
        let Ok(ran) = timeout(limit, run(program, &line)).await else {
            let reason = format!("it did not end within {} s and was killed", limit.as_secs());
            return Err(unanswered(call, describe(reason)));
        };
        let answer = ran.map_err(|error| match error {
            RunError::NotStarted(_) => CallError::NotMade { reason: describe(error.to_string()) },
            error => unanswered(call, describe(error.to_string())),
        })?;
        check_values(&answer, MAX_ANSWER_VALUES)
            .map_err(|expected| unanswered(call, describe(format!("there must be {expected}"))))?;
        match serde_json::from_slice::<ExecAnswer>(&answer) {
            Ok(ExecAnswer { error: Some(failed), .. }) => Err(of_program(call, failed, describe)),
            Ok(answer) => Ok(answer),
            // The message of the parser can contain a part of the answer, which can be anything.
            Err(error) => {
                let reason = format!("its answer is wrong at column {}: {:?} error", error.column(), error.classify());
                Err(unanswered(call, describe(reason)))
            }
        }
    }

    /// Returns the error for an answer without what the call asks for.
    fn lacks(call: Call, target: &Target, member: &str) -> CallError {
        let url = printable(&target.url);
        unanswered(call, format!("{url} ({}): the answer of the program has no {member}", call.name()))
    }
}

/// Returns the address of a target, and the name of its program.
fn address_of(target: &Target) -> Result<(Address, String), CallError> {
    let address = Address::parse(&target.url);
    let address = address.map_err(|error| refused("WrongAddress", format!("bmcUrl {error}")))?;
    if address.scheme != Scheme::Exec {
        return Err(refused("WrongAddress", "the address must begin with exec://".to_owned()));
    }
    let name = address.host.to_string();
    Ok((address, name))
}

fn refused(reason: &str, message: String) -> CallError {
    CallError::Refused { reason: reason.to_owned(), message }
}

/// Returns the error of a call whose program began and gave no answer.
fn unanswered(call: Call, reason: String) -> CallError {
    if call.reads() { CallError::NotMade { reason } } else { CallError::Unanswered { reason } }
}

fn of_program(call: Call, failed: Failed, describe: impl Fn(String) -> String) -> CallError {
    let sentence = describe(printable(&failed.message));
    match failed.kind {
        FailedKind::NotMade => CallError::NotMade { reason: sentence },
        FailedKind::Unanswered => unanswered(call, sentence),
        FailedKind::Refused => refused("ProgramRefused", sentence),
    }
}

fn found(target: &Target, name: &str, machine: Machine) -> Result<Found, CallError> {
    let is_allowed = |it: char| it.is_ascii_alphanumeric() || matches!(it, '.' | '_' | ':' | '-');
    if machine.machine.is_empty() || machine.machine.len() > MAX_NAME_BYTES || !machine.machine.chars().all(is_allowed)
    {
        let message = format!(
            "{}: the program lists the machine {:?}; allowed are letters, digits and . _ : -",
            printable(&target.url),
            printable(&machine.machine)
        );
        return Err(refused("WrongMachines", message));
    }
    let url = format!("exec://{name}#{}", machine.machine);
    let identity = Identity { serial: machine.serial, uuid: machine.uuid, aliases: Vec::new() };
    Ok(Found { name: machine.name, url, identity, boot_mac: machine.boot_mac })
}

impl Driver for Exec {
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(async move {
            let answer = self.call(target, Call::Identify).await?;
            Ok(Identity { serial: answer.serial, uuid: answer.uuid, aliases: Vec::new() })
        })
    }

    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        Box::pin(async move {
            let (_, name) = address_of(appliance)?;
            let machines = self.call(appliance, Call::Enumerate).await?.machines;
            let machines = machines.ok_or_else(|| Self::lacks(Call::Enumerate, appliance, "machines"))?;
            if machines.len() > MAX_MACHINES {
                let message = format!("the program lists more than {MAX_MACHINES} machines");
                return Err(refused("WrongMachines", message));
            }
            machines.into_iter().map(|machine| found(appliance, &name, machine)).collect()
        })
    }

    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(async move {
            let power = self.call(target, Call::Power).await?.power;
            power.ok_or_else(|| Self::lacks(Call::Power, target, "power"))
        })
    }

    fn look<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Sight, CallError>> {
        Box::pin(async move {
            let identity = match self.identify(target).await {
                // A program need not know which machine it is.
                Err(CallError::Refused { .. }) => Identity::default(),
                identity => identity?,
            };
            Ok(Sight { identity, power: self.power(target).await? })
        })
    }

    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { self.call(target, Call::SetPower { act: act.into() }).await.map(drop) })
    }

    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move { self.call(target, Call::SetBoot { device: device.into() }).await.map(drop) })
    }
}
