//! Decides when the position of a watch is saved: at once after a command ran, in batches if events were only printed.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::event::Place;
use super::state::{Kept, StateError, StateFile};

/// The longest time after which a printed event is saved.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// The number of printed events after which the position is saved.
const MOST_BEHIND: usize = 1_000;

/// Keeps the position of a watch in its state file.
#[derive(Debug)]
pub(super) struct Keeper {
    file: StateFile,
    kept: Kept,
    /// The number of positions since the file was last written.
    behind: usize,
    due: Option<Instant>,
}

impl Keeper {
    /// Returns a keeper of a position that is already in the file.
    pub(super) fn of(file: StateFile, kept: Kept) -> Self {
        Self { file, kept, behind: 0, due: None }
    }

    /// Writes a first position to the file and returns a keeper of it.
    pub(super) fn begin(file: StateFile, kept: Kept) -> Result<Self, StateError> {
        file.write(&kept)?;
        Ok(Self::of(file, kept))
    }

    /// Records that every event up to a position is handled. These events can be handled again if the process ends
    /// before the position is saved.
    pub(super) fn reached(&mut self, place: Place) -> Result<(), StateError> {
        if self.kept.place == place {
            return Ok(());
        }
        self.kept.place = place;
        self.behind += 1;
        self.due.get_or_insert_with(|| Instant::now() + LONGEST_WAIT);
        if self.behind < MOST_BEHIND { Ok(()) } else { self.write() }
    }

    /// Waits until the position should be saved.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Writes the position to the file, unless it is already there.
    pub(super) fn write(&mut self) -> Result<(), StateError> {
        if self.behind > 0 {
            self.file.write(&self.kept)?;
        }
        (self.behind, self.due) = (0, None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::watch::filter::Filter;

    fn place(number: usize) -> Place {
        Place { cursor: number.to_string(), revision: None }
    }

    #[tokio::test]
    async fn a_burst_is_written_now_and_then_and_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let written = || std::fs::read_to_string(&path).expect("a file");
        let kept = Kept::new("http://s".to_owned(), Filter::default(), None, place(0));
        let mut keeper = Keeper::begin(StateFile::take(&path).expect("a file"), kept).expect("write");
        assert!(written().contains("\"cursor\": \"0\""), "at once");
        for number in 1..MOST_BEHIND {
            keeper.reached(place(number)).expect("write");
        }
        assert!(written().contains("\"cursor\": \"0\""), "not for each");
        keeper.due().await;
        keeper.reached(place(MOST_BEHIND)).expect("write");
        assert!(written().contains(&format!("\"cursor\": \"{MOST_BEHIND}\"")), "but for so many");
        keeper.reached(place(MOST_BEHIND + 1)).expect("write");
        keeper.write().expect("write");
        assert!(written().contains(&format!("\"cursor\": \"{}\"", MOST_BEHIND + 1)), "and when it is asked to");
    }
}
