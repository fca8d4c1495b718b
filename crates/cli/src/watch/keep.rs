//! Decides when the position of a watch is saved: at once after a command ran, in batches if events were only printed.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::event::EventPosition;
use super::state::{SavedState, StateError, StateFile};

/// The longest time after which a printed event is saved.
const MAX_SAVE_DELAY: Duration = Duration::from_millis(100);
/// The number of printed events after which the position is saved.
const UNSAVED_EVENTS: usize = 1_000;

/// Keeps the position of a watch in its state file.
#[derive(Debug)]
pub(super) struct Keeper {
    file: StateFile,
    saved: SavedState,
    /// The number of positions since the file was last written.
    unsaved: usize,
    due: Option<Instant>,
}

impl Keeper {
    /// Returns a keeper of a position that is already in the file.
    pub(super) fn of(file: StateFile, saved: SavedState) -> Self {
        Self { file, saved, unsaved: 0, due: None }
    }

    /// Writes a first position to the file and returns a keeper of it.
    pub(super) fn begin(file: StateFile, saved: SavedState) -> Result<Self, StateError> {
        file.write(&saved)?;
        Ok(Self::of(file, saved))
    }

    /// Records that every event up to a position is handled. These events can be handled again if the process ends
    /// before the position is saved.
    pub(super) fn reached(&mut self, position: EventPosition) -> Result<(), StateError> {
        if self.saved.position == position {
            return Ok(());
        }
        self.saved.position = position;
        self.unsaved += 1;
        self.due.get_or_insert_with(|| Instant::now() + MAX_SAVE_DELAY);
        if self.unsaved < UNSAVED_EVENTS { Ok(()) } else { self.write() }
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
        if self.unsaved > 0 {
            self.file.write(&self.saved)?;
        }
        (self.unsaved, self.due) = (0, None);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::filter::WatchFilter;

    fn position(number: usize) -> EventPosition {
        EventPosition { cursor: number.to_string(), revision: None }
    }

    #[tokio::test]
    async fn a_burst_is_saved_in_batches_and_at_the_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("state");
        let written = || std::fs::read_to_string(&path).expect("a file");
        let saved = SavedState::new("http://s".to_owned(), WatchFilter::default(), None, position(0));
        let mut keeper = Keeper::begin(StateFile::take(&path).expect("a file"), saved).expect("write");
        assert!(written().contains("\"cursor\": \"0\""), "at once");
        for number in 1..UNSAVED_EVENTS {
            keeper.reached(position(number)).expect("write");
        }
        assert!(written().contains("\"cursor\": \"0\""), "not for each");
        keeper.due().await;
        keeper.reached(position(UNSAVED_EVENTS)).expect("write");
        assert!(written().contains(&format!("\"cursor\": \"{UNSAVED_EVENTS}\"")), "but for so many");
        keeper.reached(position(UNSAVED_EVENTS + 1)).expect("write");
        keeper.write().expect("write");
        assert!(written().contains(&format!("\"cursor\": \"{}\"", UNSAVED_EVENTS + 1)), "and when it is asked to");
    }
}
