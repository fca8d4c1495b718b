//! Being asked to end: SIGINT, as Ctrl+C sends it, and SIGTERM, as service managers do.

/// Listens for signals that ask the process to end; they end nothing by themselves then.
pub(super) struct Signals {
    #[cfg(unix)]
    signals: Vec<tokio::signal::unix::Signal>,
    count: usize,
}

impl Signals {
    /// Listens from now on, not only once it is waited for.
    pub(super) fn listen() -> Self {
        Self {
            // Where signals cannot be listened for, the process ends by them as any other.
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
    pub(super) async fn next(&mut self) {
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

    /// Whether the process was asked to end.
    pub(super) fn asked(&self) -> bool {
        self.count > 0
    }

    /// How often it was asked.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}
