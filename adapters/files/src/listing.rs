//! The listing of the files of a source, by which a change while they are read is noticed.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use underlay_kit::ManifestError;
use underlay_kit::source::files_ending;

/// The files of a source at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing(Vec<Listed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    path: PathBuf,
    /// The length and the time of the last change; `None` if the system does not say.
    state: Option<(u64, Option<SystemTime>)>,
}

impl Listing {
    /// Lists files, and the files in folders whose names have one of these endings.
    ///
    /// # Errors
    /// Returns an error if a path does not exist, or a folder cannot be read or has no such file.
    pub fn of(paths: &[PathBuf], endings: &[&'static str]) -> Result<Self, ManifestError> {
        let mut all = Vec::new();
        for path in paths {
            all.extend(files_ending(path, endings)?.into_iter().map(Listed::of));
        }
        Ok(Self(all))
    }

    /// Returns the files, in the order in which they are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|listed| listed.path.as_path())
    }
}

impl Listed {
    fn of(path: PathBuf) -> Self {
        let state = fs::metadata(&path).ok().map(|found| (found.len(), found.modified().ok()));
        Self { path, state }
    }
}
