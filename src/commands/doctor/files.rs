//! Checks who can access the files, and how much space is left on the disk.

use std::path::{Path, PathBuf};

use super::report::{Check, Finding};
use underlay_engine::store::{DatabaseUrl, facts_file};
use underlay_server::config::Settings;

/// The files in the data directory that hold secrets.
const SECRETS: [&str; 2] = ["signing.key", "token.key"];
/// The suffixes of the files that SQLite keeps beside a database.
const SQLITE_SUFFIXES: [&str; 2] = ["-wal", "-shm"];
/// Below this share or this number of bytes of free space, there is a warning.
const MIN_FREE_SHARE: f64 = 0.1;
const MIN_FREE_BYTES: u64 = 1 << 30;

/// Checks that only the owner can access the files.
pub(super) fn permissions(settings: &Settings, url: &DatabaseUrl) -> Vec<Finding> {
    let folder = settings.folder().ok().filter(|folder| folder.is_dir());
    let database = url.sqlite_file().ok().flatten().filter(|file| file.exists());
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(folder.iter().filter_map(|folder| open_to_others(folder, Secret::No)));
    let facts = database.as_deref().map(facts_file);
    for file in database.iter().chain(&facts).flat_map(|file| with_sqlite_files(file)) {
        findings.extend(open_to_others(&file, Secret::No));
    }
    for key in folder.iter().flat_map(|folder| SECRETS.map(|name| folder.join(name))) {
        findings.extend(open_to_others(&key, Secret::Yes));
    }
    if findings.is_empty() && (folder.is_some() || database.is_some()) {
        findings.push(Finding::ok(Check::Files, "only their owner can access them"));
    }
    findings
}

fn with_sqlite_files(file: &Path) -> Vec<PathBuf> {
    let sqlite_files = SQLITE_SUFFIXES.map(|suffix| {
        let mut path = file.as_os_str().to_owned();
        path.push(suffix);
        PathBuf::from(path)
    });
    std::iter::once(file.to_owned()).chain(sqlite_files).collect()
}

/// The sensitivity of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secret {
    Yes,
    No,
}

/// Returns a finding if other users can access the file. A file that does not exist has none.
#[cfg(unix)]
fn open_to_others(path: &Path, secret: Secret) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata().ok()?;
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return None;
    }
    let fit = if found.is_dir() { "700" } else { "600" };
    let message = format!("users other than the owner can access {} (mode {mode:03o})", path.display());
    let advice = format!("chmod {fit} {}", path.display());
    // Users who can write to a file can falsify its content, so this is a problem and not only a warning.
    Some(match secret == Secret::Yes || mode & 0o022 != 0 {
        true => Finding::problem(Check::Files, message, advice),
        false => Finding::warning(Check::Files, message, advice),
    })
}

/// The permissions of other systems are not checked.
#[cfg(not(unix))]
fn open_to_others(_path: &Path, _secret: Secret) -> Option<Finding> {
    None
}

/// Checks the free space on the disk of an SQLite file.
#[cfg(unix)]
pub(super) fn room(url: &DatabaseUrl) -> Option<Finding> {
    let file = url.sqlite_file().ok().flatten().filter(|file| file.exists())?;
    Some(match rustix::fs::statvfs(&file) {
        Ok(disk) => judge(disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_blocks.saturating_mul(disk.f_frsize)),
        Err(error) => {
            Finding::warning(Check::Disk, format!("the free space cannot be determined: {error}"), "check the disk")
        }
    })
}

/// The free space is not checked on other systems.
#[cfg(not(unix))]
pub(super) fn room(_url: &DatabaseUrl) -> Option<Finding> {
    None
}

fn judge(free: u64, all: u64) -> Finding {
    let part = if all == 0 { 0.0 } else { free as f64 / all as f64 };
    let message = format!("{} free, {:.0} % of the disk", size(free), part * 100.0);
    match free < MIN_FREE_BYTES || part < MIN_FREE_SHARE {
        true => Finding::warning(Check::Disk, message, "free some space, or move the database to a larger disk"),
        false => Finding::ok(Check::Disk, message),
    }
}

/// Formats a number of bytes for people.
fn size(bytes: u64) -> String {
    let mebibytes = bytes as f64 / f64::from(1 << 20);
    if mebibytes < 1024.0 { format!("{mebibytes:.0} MiB") } else { format!("{:.1} GiB", mebibytes / 1024.0) }
}

#[cfg(test)]
mod tests {
    use super::super::report::Level;
    use super::*;

    #[test]
    fn low_space_is_a_share_of_the_disk_or_a_number_of_bytes() {
        let gibibyte = 1 << 30;
        assert_eq!(judge(20 * gibibyte, 100 * gibibyte).level, Level::Ok);
        assert_eq!(judge(9 * gibibyte, 100 * gibibyte).level, Level::Warning);
        assert_eq!(judge(gibibyte - 1, 2 * gibibyte).level, Level::Warning);
        assert_eq!(judge(0, 0).level, Level::Warning);
        assert_eq!((size(3 << 20), size(3 * gibibyte / 2)), ("3 MiB".to_owned(), "1.5 GiB".to_owned()));
    }
}
