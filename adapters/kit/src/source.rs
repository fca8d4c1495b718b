//! Reads manifests from a file, from the files of a folder, or from standard input.
//!
//! Guarantee: each text is UTF-8 without NUL characters, and bounded in size. A folder is read with all its subfolders,
//! in the order of the paths, so that the same folder always yields the same items. Links to files are followed. Links
//! to folders are not followed, because they can form cycles. Hidden files and folders (`.git`, `.github`, swap files
//! of editors) are skipped.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::problem::{ManifestError, printable};

/// The maximum length of a file in bytes: many times as much as a batch can hold.
const MAX_FILE_BYTES: u64 = 64 << 20;
const ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// The name of standard input in messages.
pub const STANDARD_INPUT: &str = "standard input";

/// The text of one file.
pub struct Text {
    /// The name of the file in messages.
    pub file: String,
    pub text: String,
    /// True if the file name says that the text is JSON.
    pub json: bool,
}

/// Reads the text of a file, or of standard input (`-`).
pub fn read_text(from: &Path) -> Result<Text, ManifestError> {
    match from.as_os_str() == "-" {
        true => read_from(STANDARD_INPUT, io::stdin().lock()),
        false => read_file(from),
    }
}

/// Returns the files of manifests for a path: the path itself, or those in the folder.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, ManifestError> {
    files_ending(path, &ENDINGS)
}

/// Returns the files for a path: the path itself, or the files in the folder whose names have one of these endings.
pub fn files_ending(path: &Path, endings: &[&'static str]) -> Result<Vec<PathBuf>, ManifestError> {
    let refuse = |error: io::Error| ManifestError::of_file(&label(path), unreadable(&error));
    if !fs::metadata(path).map_err(refuse)?.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Found { endings, anything: false, files: Vec::new() };
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        let refuse = |error: io::Error| ManifestError::of_file(&label(&folder), unreadable(&error));
        for entry in fs::read_dir(&folder).map_err(refuse)? {
            let entry = entry.map_err(refuse)?;
            found.anything = true;
            if entry.file_name().as_encoded_bytes().starts_with(b".") {
                continue;
            }
            let folder = entry.file_type().map_err(refuse)?.is_dir();
            if folder { folders.push(entry.path()) } else { found.take(entry.path()) }
        }
    }
    found.sorted(path)
}

struct Found<'a> {
    endings: &'a [&'static str],
    anything: bool,
    files: Vec<PathBuf>,
}

impl Found<'_> {
    fn take(&mut self, path: PathBuf) {
        // A link to a folder can form a cycle, and reading a pipe can block for ever. A broken link is reported when it
        // is read.
        let file = || fs::metadata(&path).map_or(true, |target| target.is_file());
        if ending(&path, self.endings).is_some() && file() {
            self.files.push(path);
        }
    }

    fn sorted(mut self, path: &Path) -> Result<Vec<PathBuf>, ManifestError> {
        let reason = match (self.anything, self.files.is_empty()) {
            (false, _) => "the folder is empty: there is nothing to apply".to_owned(),
            (true, true) => {
                let endings: Vec<String> = self.endings.iter().map(|ending| format!(".{ending}")).collect();
                let (last, others) = endings.split_last().map_or(("", &[][..]), |(last, rest)| (last, rest));
                format!(
                    "the folder holds no manifest: no file in it ends in {} or {last} \
                     (hidden files and folders are left out)",
                    others.join(", ")
                )
            }
            (true, false) => {
                self.files.sort();
                return Ok(self.files);
            }
        };
        Err(ManifestError::of_file(&label(path), reason))
    }
}

/// Reads the text of a file.
pub fn read_file(path: &Path) -> Result<Text, ManifestError> {
    let opened = File::open(path).map_err(|error| ManifestError::of_file(&label(path), unreadable(&error)))?;
    read_opened(path, opened)
}

/// Reads the text of a file that is open. `path` is its name in messages.
pub fn read_opened(path: &Path, opened: File) -> Result<Text, ManifestError> {
    // A pipe on the command line (`-f <(…)`) is read like a file. From a folder, only regular files are listed.
    let mut text = read_from(&label(path), opened)?;
    text.json = ending(path, &ENDINGS) == Some("json");
    Ok(text)
}

/// Reads the text of any source. Messages call the source by `file`.
pub fn read_from(file: &str, from: impl Read) -> Result<Text, ManifestError> {
    let refuse = |reason: &str| ManifestError::of_file(file, reason);
    let mut bytes = Vec::new();
    from.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| refuse(&unreadable(&error)))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(refuse("is longer than 64 MiB: split it into several files"));
    }
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        let line = line_of(&bytes, at);
        return Err(refuse(&format!("holds a NUL character at line {line}: it is not text in UTF-8")));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        let line = line_of(error.as_bytes(), end);
        let begin = error.as_bytes()[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
        let character = String::from_utf8_lossy(&error.as_bytes()[begin..end]).chars().count() + 1;
        refuse(&format!("is not valid UTF-8 at line {line}, character {character}"))
    })?;
    Ok(Text { file: file.to_owned(), text, json: false })
}

fn line_of(bytes: &[u8], offset: usize) -> usize {
    bytes[..offset].iter().filter(|byte| **byte == b'\n').count() + 1
}

fn ending(path: &Path, endings: &[&'static str]) -> Option<&'static str> {
    let ending = path.extension().and_then(OsStr::to_str)?;
    endings.iter().copied().find(|known| ending.eq_ignore_ascii_case(known))
}

fn label(path: &Path) -> String {
    printable(&path.to_string_lossy())
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(outcome: Result<Text, ManifestError>) -> String {
        outcome.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_folder_gives_its_files_in_order() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["b.yaml", "a/z.YML", "a/b/c.json", "readme.md", ".git/x.yaml", ".swap.yaml", "a.yaml"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, "").expect("a file");
        }
        let found = files(folder.path()).expect("files");
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(folder.path()).expect("inside")).collect();
        assert_eq!(names, ["a/b/c.json", "a/z.YML", "a.yaml", "b.yaml"].map(Path::new));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_but_not_in_cycles() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("a.yaml"), "").expect("a file");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("cycle")).expect("a link");
        std::os::unix::fs::symlink(folder.path(), folder.path().join("cycle.yaml")).expect("a link");
        std::os::unix::fs::symlink(folder.path().join("a.yaml"), folder.path().join("b.yaml")).expect("a link");
        assert_eq!(files(folder.path()).expect("files").len(), 2);
    }

    #[test]
    fn folders_without_manifests_and_missing_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let reason = |path: &Path| files(path).err().map(|error| error.reason).unwrap_or_default();
        assert!(reason(folder.path()).contains("the folder is empty"));
        fs::write(folder.path().join("readme.md"), "").expect("a file");
        assert!(reason(folder.path()).contains("no file in it ends in .yaml, .yml or .json"));
        assert!(reason(&folder.path().join("x.yaml")).starts_with("cannot be read: No such file"));
        assert!(read_file(folder.path()).is_err_and(|error| error.reason.starts_with("cannot be read")));
    }

    #[test]
    fn a_file_that_is_not_text_is_refused() {
        assert_eq!(reason(read_from("x", &b"a: 1\nb: \xff\n"[..])), "x: is not valid UTF-8 at line 2, character 4");
        assert!(reason(read_from("x", &b"a: 1\n\nb: \0"[..])).contains("NUL character at line 3"));
        assert!(reason(read_from("x", "a\0:\0".as_bytes())).contains("NUL character at line 1"));
        assert_eq!(reason(read_from("x", io::repeat(b' '))), "x: is longer than 64 MiB: split it into several files");
        assert_eq!(
            read_from("x", io::repeat(b'\n').take(MAX_FILE_BYTES)).map(|text| text.text.len() as u64).ok(),
            Some(MAX_FILE_BYTES)
        );
    }
}
