//! Machines that a program reaches: for hypervisors and BMCs that no other driver knows.
//!
//! `exec://NAME` names a program that is configured at the controller; the inventory never says what is run. The program is
//! started for each call, reads one line of JSON from its standard input, and prints one line of JSON. `docs/hosts.md` has the
//! members of both.
//!
//! Guarantees: the program runs without a shell, in a process group of its own, which is killed when its time ends or the
//! call is dropped. Passwords go through its standard input alone. An answer has a bounded length and a bounded time. An act whose
//! program started and gave no answer is reported as unanswered.

mod driver;
mod process;
mod wire;

#[cfg(all(test, unix))]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use thiserror::Error;

/// The longest time for a call, which is shorter than that of the controller, so that the program is always killed here.
const CALL_TIMEOUT: Duration = Duration::from_secs(18);
/// The maximum number of programs.
const MAX_PROGRAMS: usize = 100;

/// A program with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The path of the program, or its name if it is in PATH.
    pub program: String,
    /// The arguments. They can be secrets, so they are in no message.
    pub arguments: Vec<String>,
}

/// The reason why a program cannot be configured.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProgramError {
    /// An address cannot have this name.
    #[error("{name:?} cannot be the name of a program: it must be usable in an address, as in exec://NAME")]
    Name { name: String },
    /// There are two programs with this name.
    #[error("the program {name:?} is given twice")]
    Twice { name: String },
    /// There are too many programs.
    #[error("at most {MAX_PROGRAMS} programs are allowed")]
    TooMany,
}

/// The driver of machines that programs reach.
#[derive(Clone, Debug, Default)]
pub struct Exec {
    programs: BTreeMap<String, Program>,
    limit: Option<Duration>,
}

impl Exec {
    /// Returns the driver with one more program.
    ///
    /// # Errors
    /// Returns an error if the name cannot be used.
    pub fn with(mut self, name: &str, program: Program) -> Result<Self, ProgramError> {
        let is_name = underlay_address::Address::parse(&format!("exec://{name}")).is_ok_and(|address| {
            address.host.to_string() == name && address.path.is_empty() && address.machine.is_none()
        });
        if !is_name {
            return Err(ProgramError::Name { name: name.to_owned() });
        }
        if self.programs.len() >= MAX_PROGRAMS {
            return Err(ProgramError::TooMany);
        }
        match self.programs.insert(name.to_owned(), program) {
            Some(_) => Err(ProgramError::Twice { name: name.to_owned() }),
            None => Ok(self),
        }
    }

    /// Returns the driver with another time limit of calls.
    #[must_use]
    pub const fn limited(mut self, limit: Duration) -> Self {
        self.limit = Some(limit);
        self
    }
}
