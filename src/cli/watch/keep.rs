//! When the place is written: at once where an event had an effect, little by little where it was only printed.

use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::event::Place;
use super::state::{Kept, StateError, StateFile};

/// How long what was printed may not be written yet.
const LONGEST_WAIT: Duration = Duration::from_millis(100);
/// How many printed events may not be written yet.
const MOST_BEHIND: usize = 1_000;

/// Keeps the place of a watch in its file.
#[derive(Debug)]
pub(super) struct Keeper {
    file: StateFile,
    kept: Kept,
    /// How many places came since the file was written.
    behind: usize,
    due: Option<Instant>,
}

impl Keeper {
    /// Keeps a place that is in the file already.
    pub(super) fn of(file: StateFile, kept: Kept) -> Self {
        Self { file, kept, behind: 0, due: None }
    }

    /// Keeps a place that is not in the file yet.
    pub(super) fn begin(file: StateFile, kept: Kept) -> Result<Self, StateError> {
        file.write(&kept)?;
        Ok(Self::of(file, kept))
    }

    /// Everything up to a place is done, and may be done again should this process end before it is written.
    pub(super) fn reached(&mut self, place: Place) -> Result<(), StateError> {
        if self.kept.place == place {
            return Ok(());
        }
        self.kept.place = place;
        self.behind += 1;
        self.due.get_or_insert_with(|| Instant::now() + LONGEST_WAIT);
        if self.behind < MOST_BEHIND { Ok(()) } else { self.write() }
    }

    /// Waits until something should be written.
    pub(super) async fn due(&self) {
        match self.due {
            Some(due) => sleep_until(due).await,
            None => std::future::pending().await,
        }
    }

    /// Writes what is not written yet.
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
