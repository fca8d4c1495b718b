//! The listing of the files of a source, by which a change while they are read is noticed.
//!
//! Each path is resolved first, and so is a link that it consists of: a folder of git-sync or a mounted ConfigMap is
//! replaced as a whole, and one listing reads one state of it. Guarantee: what is read lies within the folder that was
//! resolved. A link in a folder of files that people keep in git can lead anywhere on this machine, and what it leads to
//! would be published.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use underlay_kit::source::files_ending;
use underlay_kit::{ManifestError, printable};

/// The files of a source at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing(Vec<Listed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Listed {
    file: SourceFile,
    /// The length and the time of the last change; `None` if the system does not say.
    state: Option<(u64, Option<SystemTime>)>,
}

/// A file of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as it follows from what the user gave, for messages.
    name: PathBuf,
    /// The file in the folder, or the single file, that was resolved.
    path: PathBuf,
    /// The folder, or the single file itself, that the file lies in.
    root: PathBuf,
}

impl Listing {
    /// Lists files, and the files in folders whose names have one of these endings.
    ///
    /// # Errors
    /// Returns an error if a path does not exist, or a folder cannot be read or has no such file.
    pub fn of(paths: &[PathBuf], endings: &[&'static str]) -> Result<Self, ManifestError> {
        let mut all = Vec::new();
        for path in paths {
            let root = fs::canonicalize(path).map_err(|error| refused(path, &unreadable(&error)))?;
            let named = |file: &Path| match file.strip_prefix(&root) {
                Ok(below) if !below.as_os_str().is_empty() => path.join(below),
                _ => path.clone(),
            };
            let found = files_ending(&root, endings)
                .map_err(|error| ManifestError { file: printable(&path.to_string_lossy()), ..error })?;
            let file = |file: PathBuf| SourceFile { name: named(&file), path: file, root: root.clone() };
            all.extend(found.into_iter().map(file).map(Listed::of));
        }
        Ok(Self(all))
    }

    /// Returns the files, in the order in which they are read.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.0.iter().map(|listed| &listed.file)
    }
}

impl Listed {
    fn of(file: SourceFile) -> Self {
        let state = fs::metadata(&file.path).ok().map(|found| (found.len(), found.modified().ok()));
        Self { file, state }
    }
}

/// The reason why a link is not followed.
const LEAVES: &str = "is a link that leads out of the folder or to nothing: put the file itself into the folder";

impl SourceFile {
    /// Returns a file that lies where it should, whatever it is.
    #[must_use]
    pub fn alone(path: &Path) -> Self {
        let path = path.to_owned();
        Self { name: path.clone(), root: fs::canonicalize(&path).unwrap_or_else(|_| path.clone()), path }
    }

    /// Returns the path of the file for messages. Its ending says what is in the file.
    #[must_use]
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Opens the file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is a link to something outside of its folder. Nothing of what
    /// lies there is opened or named.
    pub fn open(&self) -> Result<File, ManifestError> {
        let unread = |error: io::Error| refused(&self.name, &unreadable(&error));
        let leaves = || refused(&self.name, LEAVES);
        let target = fs::canonicalize(&self.path).map_err(|error| match fs::symlink_metadata(&self.path) {
            // What lies outside is not told, nor whether it is there.
            Ok(found) if found.is_symlink() => leaves(),
            _ => unread(error),
        })?;
        if !target.starts_with(&self.root) {
            return Err(leaves());
        }
        let opened = File::open(target).map_err(unread)?;
        // Somebody may have put a link there since it was resolved.
        match real_path(&opened) {
            Some(real) if !real.starts_with(&self.root) => Err(leaves()),
            _ => Ok(opened),
        }
    }
}

/// Returns the path of an open file; `None` if the system does not say. A file that was removed since has another one.
#[cfg(target_os = "linux")]
fn real_path(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

#[cfg(not(target_os = "linux"))]
fn real_path(_: &File) -> Option<PathBuf> {
    None
}

fn refused(path: &Path, reason: &str) -> ManifestError {
    ManifestError::of_file(&printable(&path.to_string_lossy()), reason)
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}
