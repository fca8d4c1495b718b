//! Listens for the signals that ask a process to end: SIGINT, as Ctrl+C sends it, and SIGTERM, as service managers send
//! it.

/// The signals that ask the process to end. While this value exists they do not end the process by themselves.
pub struct Signals {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
    count: usize,
}

impl Signals {
    /// Starts to listen at once, not only at the first call of `next`.
    pub fn listen() -> Self {
        Self {
            // If listening fails, the signals end the process as usual.
            #[cfg(unix)]
            signals: {
                use tokio::signal::unix::{SignalKind, signal};
                [SignalKind::interrupt(), SignalKind::terminate()]
                    .into_iter()
                    .filter_map(|kind| signal(kind).ok())
                    .collect()
            },
            count: 0,
        }
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) {
        #[cfg(unix)]
        {
            let each = self.signals.iter_mut().map(|signal| Box::pin(signal.recv()));
            match each.collect::<Vec<_>>() {
                each if each.is_empty() => std::future::pending().await,
                each => drop(futures_util::future::select_all(each).await),
            }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        self.count += 1;
    }

    /// Returns true if the process was asked to end.
    pub fn asked(&self) -> bool {
        self.count > 0
    }

    /// Returns the number of times that the process was asked to end.
    pub fn count(&self) -> usize {
        self.count
    }
}
