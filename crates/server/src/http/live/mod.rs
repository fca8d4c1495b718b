//! Subscriptions, independent of the transport.
//!
//! Equal subscriptions share one execution and its bytes (`group`). A subscriber at the position of the group joins it.
//! A subscriber that is behind executes alone until it has caught up, and so does one that falls out of the answers
//! that the group holds. Guarantee: the server keeps only the position of a slow client, and no other client waits for
//! it.

mod execution;
mod group;
mod request;
mod room;

use std::sync::Arc;

pub use execution::LiveOutput;
pub use group::Groups;
pub use request::{Delivery, LiveRequest, delivery};

use self::execution::Execution;
use self::group::{Group, Next};
use super::Service;
use super::request_metrics::{self, Running};
use tokio::sync::watch;
use underlay_engine::feed::{Cursor, StreamPosition};

/// The subscription of one client.
pub struct Live {
    service: Service,
    request: Arc<LiveRequest>,
    /// The position of the last answer.
    at: Option<Cursor>,
    mode: Mode,
    /// The output that arrived while the subscription began.
    first: Option<LiveOutput>,
    _running: Running,
}

enum Mode {
    /// The subscription has an execution of its own.
    Alone(Box<Execution>, watch::Receiver<Option<StreamPosition>>),
    /// The subscription shares the execution of a group, and takes the answer with this number next.
    Joined(Arc<Group>, watch::Receiver<u64>, u64),
    /// The subscription has ended.
    Over,
}

impl Live {
    /// Creates a subscription, which runs when it is polled.
    pub fn new(service: Service, request: LiveRequest) -> Self {
        let request = Arc::new(request);
        let mode = alone(&service, &request, None);
        Self { service, request, at: None, mode, first: None, _running: Running::begin() }
    }

    /// Waits until the subscription has begun.
    ///
    /// # Errors
    /// Returns the errors for which it cannot begin.
    pub async fn begun(&mut self) -> Result<(), LiveOutput> {
        if let Mode::Alone(execution, stands) = &mut self.mode {
            let first = tokio::select! {
                biased;
                output = execution.next() => output,
                _ = stands.changed() => return Ok(()),
            };
            match first {
                Some(LiveOutput::Failed(errors)) => {
                    request_metrics::ended(&errors);
                    return Err(LiveOutput::Failed(errors));
                }
                first => self.first = first,
            }
        }
        Ok(())
    }

    /// Returns the next output; `None` at the end. The future may be dropped while it waits.
    pub async fn next(&mut self) -> Option<LiveOutput> {
        if let Some(first) = self.first.take() {
            return Some(self.emit(first));
        }
        loop {
            match &mut self.mode {
                Mode::Over => return None,
                Mode::Alone(execution, stands) => {
                    tokio::select! {
                        biased;
                        output = execution.next() => match output {
                            Some(output) => return Some(self.emit(output)),
                            None => self.mode = Mode::Over,
                        },
                        Ok(()) = stands.changed() => {
                            let position = *stands.borrow_and_update();
                            if let Some(position) = position {
                                self.join(position);
                            }
                        }
                    }
                }
                Mode::Joined(group, changed, number) => {
                    changed.borrow_and_update();
                    match group.output(*number, self.at) {
                        Next::Is(output, next) => {
                            *number = next;
                            return Some(self.emit(output));
                        }
                        // The group lives as long as it has a subscriber.
                        Next::Waits => drop(changed.changed().await),
                        Next::IsGone => self.mode = alone(&self.service, &self.request, self.at),
                    }
                }
            }
        }
    }

    fn emit(&mut self, output: LiveOutput) -> LiveOutput {
        match &output {
            LiveOutput::Next { cursor, .. } => self.at = Some(*cursor),
            LiveOutput::Failed(errors) => {
                request_metrics::ended(errors);
                self.mode = Mode::Over;
            }
        }
        output
    }

    /// Joins a group at a position, if there is one to join.
    fn join(&mut self, position: StreamPosition) {
        // The last answer is ahead of this position, whose successor is not reported yet.
        if self.at.is_some_and(|at| position.cursor.is_before(&at)) {
            return;
        }
        if let Some((group, number)) = self.service.groups.join(&self.service, &self.request, position) {
            self.at = Some(position.cursor);
            let changed = group.watch();
            self.mode = Mode::Joined(group, changed, number);
        }
    }
}

fn alone(service: &Service, request: &LiveRequest, start: Option<Cursor>) -> Mode {
    let execution = Execution::begin(service, request, start);
    let stands = execution.watch();
    Mode::Alone(Box::new(execution), stands)
}
