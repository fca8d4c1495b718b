//! Hints of a source that something changed.

use std::future::Future;

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::error::AdapterError;
use super::item::ExternalId;
use super::tally::Observer;

/// The number of hints that wait for the runner before the adapter waits.
const WAITING_HINTS: usize = 256;

/// A hint that something changed in the source. It is never data: the runner reads the source again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// This thing changed, appeared or is gone.
    Changed(ExternalId),
    /// The source cannot say what changed, so a full scan is due.
    Everything,
}

/// Takes the hints of an adapter.
#[derive(Clone, Debug)]
pub struct HintSender(mpsc::Sender<Hint>);

impl HintSender {
    /// Passes a hint to the runner, and waits while it has many of them.
    ///
    /// # Errors
    /// Returns [`AdapterError::Stopped`] if the runner does not listen any more.
    pub async fn send(&self, hint: Hint) -> Result<(), AdapterError> {
        self.0.send(hint).await.map_err(|_| AdapterError::Stopped)
    }
}

/// The hints of a source, which a task of its own gathers.
#[derive(Debug)]
pub struct HintStream {
    hints: mpsc::Receiver<Hint>,
    task: Option<JoinHandle<Result<(), AdapterError>>>,
}

impl HintStream {
    /// Starts the task that gathers hints; must be called within a runtime. The task ends at once when the stream is
    /// dropped. A task that retries what is passing ends only with an error that is final, such as a missing right.
    pub fn start<F>(gather: impl FnOnce(HintSender) -> F) -> Self
    where
        F: Future<Output = Result<(), AdapterError>> + Send + 'static,
    {
        let (sender, hints) = mpsc::channel(WAITING_HINTS);
        Self { hints, task: Some(tokio::spawn(gather(HintSender(sender)))) }
    }

    /// Ends the task that gathers hints, with all that it started.
    pub async fn end(mut self) {
        if let Some(task) = self.task.take() {
            task.abort();
            // It was asked to end, so how it ended does not matter.
            drop(task.await);
        }
    }

    /// Returns the next hint, or `None` after the last one. May be cancelled.
    ///
    /// # Errors
    /// Returns the reason, once, if the task ended with an error.
    pub async fn next(&mut self) -> Result<Option<Hint>, AdapterError> {
        if let Some(hint) = self.hints.recv().await {
            return Ok(Some(hint));
        }
        let Some(task) = &mut self.task else { return Ok(None) };
        let ended = task.await;
        self.task = None;
        match ended {
            Ok(ended) => ended.map(|()| None),
            Err(_) => Err(AdapterError::WrongAnswer {
                call: "the hints of the source".to_owned(),
                path: String::new(),
                expected: "the task that gathers hints to go on, but it broke off".to_owned(),
            }),
        }
    }
}

/// Waits for the next hint. Hints that end are noted once, and full scans go on. May be cancelled.
pub async fn next(hints: &mut Option<HintStream>, observer: &dyn Observer) -> Hint {
    let Some(stream) = hints else { return std::future::pending().await };
    match stream.next().await {
        Ok(Some(hint)) => return hint,
        Ok(None) => observer.note("the source gives no hints any more: changes come with the next full scan"),
        Err(error) => observer.note(&format!("no hints, so changes come with the next full scan: {error}")),
    }
    *hints = None;
    std::future::pending().await
}

impl Drop for HintStream {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn hints_come_in_order_and_the_reason_of_the_end_comes_once() {
        let refused = AdapterError::Refused { call: "GET /changes".into(), reason: "no right to read it".into() };
        let reason = refused.clone();
        let mut hints = HintStream::start(|hints| async move {
            hints.send(Hint::Everything).await?;
            hints.send(Hint::Changed(ExternalId::new("rack", "dcim.rack:7"))).await?;
            Err(reason)
        });
        assert_eq!(hints.next().await, Ok(Some(Hint::Everything)));
        assert_eq!(hints.next().await, Ok(Some(Hint::Changed(ExternalId::new("rack", "dcim.rack:7")))));
        assert_eq!(hints.next().await, Err(refused));
        assert_eq!(hints.next().await, Ok(None));
    }

    #[tokio::test]
    async fn the_task_ends_with_the_stream() {
        let (alive, mut ended) = mpsc::channel::<()>(1);
        let hints = HintStream::start(|_hints| async move {
            let _alive = alive;
            std::future::pending().await
        });
        drop(hints);
        assert_eq!(ended.recv().await, None);

        let (alive, mut ended) = mpsc::channel::<()>(1);
        let hints = HintStream::start(|_hints| async move {
            let _alive = alive;
            std::future::pending().await
        });
        hints.end().await;
        assert_eq!(ended.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
    }
}
