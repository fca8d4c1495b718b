//! The installed programs of PostgreSQL, and the user that may run them.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scratch;

/// The user that the server runs as; it refuses to run as root.
pub enum Owner {
    Ourselves,
    User { uid: u32, gid: u32 },
}

impl Owner {
    pub fn find() -> Self {
        if scratch::user() != 0 {
            return Self::Ourselves;
        }
        let users = fs::read_to_string("/etc/passwd").expect("read the users");
        let find = |name: &str| {
            users.lines().find_map(|line| {
                let fields: Vec<_> = line.split(':').collect();
                match fields[..] {
                    [found, _, uid, gid, ..] if found == name => {
                        Some(Self::User { uid: uid.parse().ok()?, gid: gid.parse().ok()? })
                    }
                    _ => None,
                }
            })
        };
        find("postgres").or_else(|| find("nobody")).expect("a user `postgres` or `nobody`, as root may not run it")
    }

    pub fn give(&self, path: &Path) {
        if let Self::User { uid, gid } = *self {
            chown(path, Some(uid), Some(gid)).expect("change the owner of a file");
        }
    }
}

/// The programs of the installed server.
pub struct Binaries {
    folder: PathBuf,
    pub owner: Owner,
}

impl Binaries {
    /// Returns the server on the PATH, otherwise the newest where Debian installs them, which is not on the PATH.
    pub fn find() -> Self {
        let folder = Self::folder();
        let folder =
            folder.expect("PostgreSQL is not installed: apt-get install postgresql, or leave the ignored tests out");
        Self { folder, owner: Owner::find() }
    }

    pub fn folder() -> Option<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let mut packaged: Vec<(u32, PathBuf)> = fs::read_dir("/usr/lib/postgresql")
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
            .collect();
        packaged.sort_unstable_by(|one, other| other.cmp(one));
        folders.extend(packaged.into_iter().map(|(_, folder)| folder));
        folders.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        // The user of the server may not be able to access the working folder of the test.
        command.current_dir("/");
        if let Owner::User { uid, gid } = self.owner {
            command.uid(uid).gid(gid);
        }
        command
    }

    /// Another version, other options or another user (who could not read it) need another template.
    pub fn template_name(&self, options: &[&str]) -> String {
        let output = self.command("postgres").arg("--version").output().expect("ask PostgreSQL for its version");
        let mut hasher = DefaultHasher::new();
        (output.stdout, options, scratch::user()).hash(&mut hasher);
        format!("postgres-template-{:016x}", hasher.finish())
    }
}
