//! This module lets programs of the same user find the key of a server on this machine. While the server runs, a file
//! that only this user can read contains the path of the key.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tracing::warn;
use underlay_durable::{Durability, folder, replace_file};

use super::key::{KeyError, SigningKey};

/// The largest file that is read, in bytes. Every real path is shorter.
const MAX_PATH_FILE_BYTES: u64 = 64 * 1024;
/// The environment variable that names another directory for these files.
const VARIABLE: &str = "UNDERLAY_RUN_DIR";

/// The file with the path of the key of a running server. It is removed when this value is dropped.
#[derive(Debug)]
pub struct Local {
    file: PathBuf,
    says: String,
}

/// Announces the key of the server at an address. If that fails, the server runs nevertheless, but programs need a
/// token.
pub fn announce(address: SocketAddr, key: &Path) -> Option<Local> {
    let says = fs::canonicalize(key).ok()?.to_str()?.to_owned();
    let file = file(address)?;
    match write(&file, &says) {
        Ok(()) => Some(Local { file, says }),
        Err(error) => {
            warn!(file = %file.display(), %error, "commands on this machine do not find the key of this server");
            None
        }
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // Another server may have the address by now.
        if fs::read_to_string(&self.file).is_ok_and(|says| says == self.says) {
            let _ = fs::remove_file(&self.file);
        }
    }
}

/// Returns the key of the server that runs on this machine at one of these addresses. Returns `None` if no key is
/// known.
///
/// # Errors
/// Returns an error if a key is announced but cannot be used.
pub fn announced(addresses: &[SocketAddr]) -> Result<Option<SigningKey>, KeyError> {
    let files = addresses.iter().filter_map(|address| file(*address));
    for file in files.filter(|file| fs::metadata(file).is_ok_and(|found| found.len() <= MAX_PATH_FILE_BYTES)) {
        if let Ok(key) = fs::read_to_string(&file)
            && Path::new(&key).exists()
        {
            return SigningKey::read(Path::new(&key)).map(Some);
        }
    }
    Ok(None)
}

fn file(address: SocketAddr) -> Option<PathBuf> {
    let name = address.to_string().replace(':', "_");
    if let Some(folder) = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
        return Some(PathBuf::from(folder).join(name));
    }
    let folders = directories::ProjectDirs::from("", "", "underlay")?;
    let folder = folders.runtime_dir().or_else(|| folders.state_dir()).unwrap_or_else(|| folders.data_local_dir());
    Some(folder.join("servers").join(name))
}

fn write(path: &Path, says: &str) -> io::Result<()> {
    fs::create_dir_all(folder(path))?;
    // The next start announces the key again, so nothing is lost in a power failure.
    replace_file(path, Durability::Process, says.as_bytes()).map(drop)
}
