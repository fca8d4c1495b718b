//! A machine, what is in it, and where a boot ends.

use std::time::Duration;

use crate::http::{Asked, Failure, Reply, send};

/// The way in which a machine boots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    Bios,
    Uefi,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Machine {
    pub platform: Platform,
    /// The MAC addresses of its interfaces, with colons. It boots from the first one.
    pub macs: Vec<String>,
    pub uuid: String,
    pub serial: String,
    pub board_serial: String,
    /// The files on its disk that GRUB can find.
    pub disk: Vec<String>,
    /// The files on an installation medium that somebody forgot in it. GRUB finds them before those of the disk.
    pub medium: Vec<String>,
    /// The loaders that do not start.
    pub broken: Vec<String>,
    pub patience: Patience,
}

/// The times for which programs wait for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// GRUB. Five seconds were seen.
    pub grub: Duration,
    /// Firmware and shim.
    pub firmware: Duration,
    /// iPXE, which has no bound of its own: after this time it counts as hanging.
    pub ipxe: Duration,
}

/// The place at which a boot ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// A system of the disk, with the loader, or the words for the way.
    Disk(String),
    /// An installation medium that somebody forgot: it may install by itself.
    Medium(String),
    /// A kernel.
    Kernel { line: String, kernel: Vec<u8>, initrd: Option<Vec<u8>> },
    /// The machine starts again.
    Reboot,
    /// The menu of the firmware, for ever.
    Menu,
    /// The prompt of GRUB, for ever.
    Prompt,
    /// Something that is no program was executed.
    Crash,
    /// Nothing happens any more.
    Hang(String),
}

impl End {
    /// Returns true if the machine runs the system of its disk.
    pub fn is_disk(&self) -> bool {
        matches!(self, Self::Disk(_))
    }
}

/// A boot.
#[derive(Clone, Debug)]
pub struct Boot {
    pub end: End,
    pub asked: Vec<Asked>,
    /// The lines on the screen.
    pub screen: Vec<String>,
}

impl Machine {
    /// Returns a machine with one interface, and Debian on its disk.
    pub fn new(platform: Platform) -> Self {
        Self {
            platform,
            macs: vec!["52:54:00:77:00:01".to_owned()],
            uuid: "4c4c4544-0042-3510-8056-b2c04f513432".to_owned(),
            serial: "ABC123".to_owned(),
            board_serial: "B-1".to_owned(),
            disk: vec!["/EFI/debian/shimx64.efi".to_owned(), "/EFI/BOOT/BOOTX64.EFI".to_owned()],
            medium: Vec::new(),
            broken: Vec::new(),
            patience: Patience {
                grub: Duration::from_secs(5),
                firmware: Duration::from_secs(60),
                ipxe: Duration::from_secs(300),
            },
        }
    }

    /// Boots a URL: by UEFI HTTP boot, or from BIOS by iPXE.
    pub async fn boot(&self, url: &str) -> Boot {
        let mut running = Running::new(self);
        let end = match self.platform {
            Platform::Uefi => running.uefi(url).await,
            Platform::Bios => running.ipxe(url).await,
        };
        running.ended(end)
    }

    /// Boots a URL by an iPXE that is in the card, on any platform.
    pub async fn boot_by_ipxe(&self, url: &str) -> Boot {
        let mut running = Running::new(self);
        let end = running.ipxe(url).await;
        running.ended(end)
    }
}

/// A machine that boots.
pub(crate) struct Running<'a> {
    pub(crate) machine: &'a Machine,
    asked: Vec<Asked>,
    screen: Vec<String>,
}

impl<'a> Running<'a> {
    fn new(machine: &'a Machine) -> Self {
        Self { machine, asked: Vec::new(), screen: Vec::new() }
    }

    fn ended(self, end: End) -> Boot {
        Boot { end, asked: self.asked, screen: self.screen }
    }

    pub(crate) fn show(&mut self, line: impl Into<String>) {
        self.screen.push(line.into());
    }

    pub(crate) async fn send(
        &mut self,
        method: &str,
        url: &str,
        agent: &str,
        wait: Duration,
    ) -> Result<Reply, Failure> {
        let reply = send(method, url, agent, wait).await;
        let path = crate::http::split(url).map_or(url, |(_, path)| path).to_owned();
        let status = reply.as_ref().ok().map(|reply| reply.status);
        self.asked.push(Asked { method: method.to_owned(), path, status });
        reply
    }
}
