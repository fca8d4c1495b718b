//! Writes to standard output on a thread of its own. A reader can block the output for any time, and who follows must
//! still react to signals.

use std::io::{self, Write};
use std::thread;

use tokio::sync::{mpsc, oneshot};

/// A text, and the channel for the result of writing it.
type Text = (String, oneshot::Sender<io::Result<()>>);

/// Prints texts, one after the other, on a thread of its own.
pub(super) struct Printer {
    texts: mpsc::Sender<Text>,
}

impl Printer {
    /// Starts the thread. It ends with the process, even if a reader blocks it.
    pub(super) fn start() -> io::Result<Self> {
        let (texts, mut inbox) = mpsc::channel::<Text>(1);
        thread::Builder::new().name("printer".to_owned()).spawn(move || {
            let mut out = anstream::stdout();
            while let Some((text, result)) = inbox.blocking_recv() {
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                // The caller may have stopped waiting because the process was asked to end.
                let _ = result.send(written);
            }
        })?;
        Ok(Self { texts })
    }

    /// Prints a text. When this returns, the text is flushed and a reader can have it.
    pub(super) async fn print(&self, text: String) -> io::Result<()> {
        let gone = || io::Error::other("the thread that prints has ended");
        let (result, written) = oneshot::channel();
        self.texts.send((text, result)).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }
}
