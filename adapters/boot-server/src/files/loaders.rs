//! A folder of loaders, for machines whose profile has none of its own, and for those that no rule of DHCP tells apart.

use std::io;
use std::path::{Path, PathBuf};

use axum::body::Bytes;
use futures_util::stream::try_unfold;
use thiserror::Error;
use tokio::fs::File;
use tokio::io::AsyncReadExt as _;

use super::{MAX_PART_BYTES, Opened};
use crate::route::{AA64, X64};

/// The text in a GRUB that can fetch by HTTP: the name with which it introduces itself. Others wait at a prompt for ever.
const IN_GRUB: &[u8] = b"UefiHttpBoot";

/// The reason why a folder of loaders cannot be used.
#[derive(Debug, Error)]
pub enum LoadersError {
    #[error("the folder of loaders {folder} cannot be read: {reason}")]
    Folder { folder: PathBuf, reason: io::Error },
    #[error("the folder of loaders {folder} has no {missing}")]
    Missing { folder: PathBuf, missing: &'static str },
}

/// A folder of loaders.
#[derive(Clone, Debug)]
pub struct Loaders {
    folder: PathBuf,
}

impl Loaders {
    /// Opens a folder, which has to have a shim and a GRUB.
    ///
    /// # Errors
    /// Returns the reason why it cannot be used.
    pub async fn open(folder: &Path) -> Result<Self, LoadersError> {
        let folder = folder.to_owned();
        if let Err(reason) = tokio::fs::read_dir(&folder).await {
            return Err(LoadersError::Folder { folder, reason });
        }
        let loaders = Self { folder };
        for [shim, grub] in [X64, AA64] {
            let (has_shim, has_grub) = (loaders.has(shim).await, loaders.has(grub).await);
            match (has_shim, has_grub) {
                (true, false) => return Err(LoadersError::Missing { folder: loaders.folder, missing: grub }),
                (false, true) => return Err(LoadersError::Missing { folder: loaders.folder, missing: shim }),
                _ => {}
            }
        }
        Ok(loaders)
    }

    /// Returns what is wrong with the loaders, a sentence for each fault.
    pub async fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for grub in [X64[1], AA64[1]] {
            let path = self.folder.join(grub);
            match can_http(&path).await {
                Ok(true) => {}
                Ok(false) => faults.push(format!(
                    "{} cannot fetch by HTTP, so machines would wait at its prompt: use a GRUB that has UefiHttpBoot in it",
                    path.display()
                )),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => faults.push(format!("{} cannot be read: {error}", path.display())),
            }
        }
        faults
    }

    /// Opens a loader by the name of its file, which is one of a fixed list. Returns nothing if it is not there.
    pub async fn file(&self, name: &'static str, is_head: bool) -> io::Result<Option<Opened>> {
        let file = match File::open(self.folder.join(name)).await {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        let length = file.metadata().await?.len();
        if is_head {
            return Ok(Some(Opened::head(length)));
        }
        let parts = try_unfold((file, length), async |(mut file, left)| {
            if left == 0 {
                return Ok(None);
            }
            let most = left.min(MAX_PART_BYTES as u64) as usize;
            let mut part = vec![0; most];
            let read = file.read(&mut part).await?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            part.truncate(read);
            Ok(Some((Bytes::from(part), (file, left - read as u64))))
        });
        Ok(Some(Opened::new(length, parts)))
    }

    async fn has(&self, name: &str) -> bool {
        tokio::fs::metadata(self.folder.join(name)).await.is_ok_and(|it| it.is_file())
    }
}

/// Returns true if a GRUB can fetch by HTTP.
async fn can_http(grub: &Path) -> io::Result<bool> {
    let mut file = File::open(grub).await?;
    let mut seen = Vec::new();
    let mut part = vec![0; MAX_PART_BYTES];
    loop {
        let read = file.read(&mut part).await?;
        if read == 0 {
            return Ok(false);
        }
        // The text may begin in one part and end in the next.
        seen.extend_from_slice(&part[..read]);
        if seen.windows(IN_GRUB.len()).any(|window| window == IN_GRUB) {
            return Ok(true);
        }
        seen.drain(..seen.len().saturating_sub(IN_GRUB.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_grub_without_http_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).expect("a file");
        assert!(Loaders::open(&folder.path().join("none")).await.is_err());
        let empty = Loaders::open(folder.path()).await.expect("an empty folder");
        assert!(empty.faults().await.is_empty());
        write("grubx64.efi", b"old");
        let error = Loaders::open(folder.path()).await.expect_err("no shim").to_string();
        assert!(error.ends_with("has no shimx64.efi"), "{error}");

        write("shimx64.efi", b"shim");
        let loaders = Loaders::open(folder.path()).await.expect("a folder");
        assert!(loaders.faults().await[0].contains("grubx64.efi cannot fetch by HTTP"));
        for before in [0, 5, MAX_PART_BYTES - 6, MAX_PART_BYTES, 3 * MAX_PART_BYTES - 1] {
            write("grubx64.efi", &[&vec![b'x'; before], IN_GRUB, b"/1.0"].concat());
            assert!(loaders.faults().await.is_empty(), "{before}");
        }
    }
}
