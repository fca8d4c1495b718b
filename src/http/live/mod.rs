//! Live answers: subscriptions, whatever they are sent over.
//!
//! Subscriptions that ask the same share one execution and its bytes (`group`): who is at the same place in the order
//! joins, who is behind executes alone until it is there, and so does who falls out of what the group holds. Nothing is
//! kept for a slow client but its place, and nobody waits for one.

mod asked;
mod execution;
mod group;

use std::sync::Arc;

pub use asked::{Asked, Operation, operation};
pub use execution::Output;
pub use group::Groups;

use self::execution::Execution;
use self::group::{Group, Next};
use super::Service;
use super::measured::{self, Running};
use crate::feed::{Cursor, Stand};
use tokio::sync::watch;

/// The subscription of one client.
pub struct Live {
    service: Service,
    asked: Arc<Asked>,
    /// The place of what was given last.
    at: Option<Cursor>,
    mode: Mode,
    /// What was found while it began.
    first: Option<Output>,
    _running: Running,
}

enum Mode {
    /// With an execution of its own.
    Alone(Box<Execution>, watch::Receiver<Option<Stand>>),
    /// With that of others.
    Joined(Arc<Group>, watch::Receiver<u64>),
    /// It has ended.
    Over,
}

impl Live {
    /// A subscription; it runs when it is polled.
    pub fn new(service: Service, asked: Asked) -> Self {
        let asked = Arc::new(asked);
        let mode = alone(&service, &asked, None);
        Self { service, asked, at: None, mode, first: None, _running: Running::begin() }
    }

    /// Waits until it has begun; gives why it cannot.
    pub async fn begun(&mut self) -> Result<(), Output> {
        if let Mode::Alone(execution, stands) = &mut self.mode {
            let first = tokio::select! {
                biased;
                output = execution.next() => output,
                _ = stands.changed() => return Ok(()),
            };
            match first {
                Some(Output::Failed(errors)) => {
                    measured::ended(&errors);
                    return Err(Output::Failed(errors));
                }
                first => self.first = first,
            }
        }
        Ok(())
    }

    /// What comes next; `None` at the end. May be dropped while it waits.
    pub async fn next(&mut self) -> Option<Output> {
        if let Some(first) = self.first.take() {
            return Some(self.given(first));
        }
        loop {
            match &mut self.mode {
                Mode::Over => return None,
                Mode::Alone(execution, stands) => {
                    tokio::select! {
                        biased;
                        output = execution.next() => match output {
                            Some(output) => return Some(self.given(output)),
                            None => self.mode = Mode::Over,
                        },
                        Ok(()) = stands.changed() => {
                            let stand = *stands.borrow_and_update();
                            if let Some(stand) = stand {
                                self.join(stand);
                            }
                        }
                    }
                }
                Mode::Joined(group, changed) => {
                    changed.borrow_and_update();
                    match group.after(self.at) {
                        Next::Is(output) => return Some(self.given(output)),
                        // The group lives as long as somebody is in it.
                        Next::Waits => drop(changed.changed().await),
                        Next::IsGone => self.mode = alone(&self.service, &self.asked, self.at),
                    }
                }
            }
        }
    }

    fn given(&mut self, output: Output) -> Output {
        match &output {
            Output::Next { cursor, .. } => self.at = Some(*cursor),
            Output::Failed(errors) => {
                measured::ended(errors);
                self.mode = Mode::Over;
            }
        }
        output
    }

    /// Goes on with others from here, if it can.
    fn join(&mut self, stand: Stand) {
        // What was given meanwhile is further: where that stands is not said yet.
        if self.at.is_some_and(|at| stand.cursor.is_before(&at)) {
            return;
        }
        if let Some(group) = self.service.groups.join(&self.service, &self.asked, stand) {
            self.at = Some(stand.cursor);
            let changed = group.watch();
            self.mode = Mode::Joined(group, changed);
        }
    }
}

fn alone(service: &Service, asked: &Asked, start: Option<Cursor>) -> Mode {
    let execution = Execution::begin(service, asked, start);
    let stands = execution.watch();
    Mode::Alone(Box::new(execution), stands)
}
