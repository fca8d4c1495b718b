//! How programs of the same user find the key of a server on this machine: a file that only they may read says where it
//! is, for as long as the server runs.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tracing::warn;

use super::key::{KeyError, SigningKey};

/// More than a path has.
const MOST_BYTES: u64 = 64 * 1024;
/// The variable that names another folder.
const VARIABLE: &str = "UNDERLAY_RUN_DIR";

/// What says where the key of a running server is; taken away when it is dropped.
#[derive(Debug)]
pub struct Local {
    file: PathBuf,
    says: String,
}

/// Says where the key of the server at an address is. Where that cannot be said the server runs all the same, and
/// programs need a token.
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

/// The key of the server that runs on this machine at one of these addresses; `None` where none is known.
///
/// # Errors
/// When there is one that cannot be used.
pub fn announced(addresses: &[SocketAddr]) -> Result<Option<SigningKey>, KeyError> {
    let files = addresses.iter().filter_map(|address| file(*address));
    for file in files.filter(|file| fs::metadata(file).is_ok_and(|found| found.len() <= MOST_BYTES)) {
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
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Temporary files are for their user only.
    let mut file = tempfile::Builder::new().prefix(".server-").tempfile_in(folder)?;
    file.write_all(says.as_bytes())?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
