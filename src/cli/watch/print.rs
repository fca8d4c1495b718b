//! Standard output, which a reader may hold up for as long as it likes: it is written on a thread of its own, so that
//! signals are heard meanwhile.

use std::io::{self, Write};
use std::thread;

use tokio::sync::{mpsc, oneshot};

/// A text, and whom to tell what became of it.
type Text = (String, oneshot::Sender<io::Result<()>>);

/// Prints one text after the other.
pub(super) struct Printer {
    texts: mpsc::Sender<Text>,
}

impl Printer {
    /// Starts the thread. It ends with the process, also while a reader holds it up.
    pub(super) fn start() -> io::Result<Self> {
        let (texts, mut inbox) = mpsc::channel::<Text>(1);
        thread::Builder::new().name("printer".to_owned()).spawn(move || {
            let mut out = anstream::stdout();
            while let Some((text, told)) = inbox.blocking_recv() {
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                // Who asked may have been told to end meanwhile.
                let _ = told.send(written);
            }
        })?;
        Ok(Self { texts })
    }

    /// Prints a text; when this returns, a reader can have it.
    pub(super) async fn print(&self, text: String) -> io::Result<()> {
        let gone = || io::Error::other("the thread that prints has ended");
        let (told, written) = oneshot::channel();
        self.texts.send((text, told)).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?
    }
}
