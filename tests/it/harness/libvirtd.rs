//! Runs `libvirtd` with the test driver of libvirt: a hypervisor whose domains exist in its memory.

use std::net::TcpStream;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{Process, free_port, scratch, until};

/// The number of attempts to get a free port. Others can take it first.
const MAX_ATTEMPTS: usize = 5;
/// The UUID of the domain that the test driver has. It is called `test`, and runs.
pub const DOMAIN: &str = "6695eb01-f6a4-8304-79aa-97f2502e193f";
/// The MAC address of its interface.
pub const MAC: &str = "aa:bb:cc:dd:ee:ff";

/// A running `libvirtd`.
pub struct Libvirtd {
    /// The port that it listens on, without encryption.
    pub port: u16,
    /// The test driver forgets its domains when nobody is connected.
    _connected: Process,
    _process: Process,
    _folder: TempDir,
}

impl Libvirtd {
    /// Starts one with one domain.
    pub async fn start() -> Self {
        for _ in 0..MAX_ATTEMPTS {
            if let Some(started) = Self::try_start().await {
                return started;
            }
        }
        panic!("libvirtd does not start")
    }

    async fn try_start() -> Option<Self> {
        let folder = scratch::folder("libvirtd");
        let at = |name: &str| folder.path().join(name);
        // It cannot say which port it got.
        let port = free_port();
        for name in ["none", "run"] {
            std::fs::create_dir(at(name)).expect("a folder");
        }
        let settings = format!(
            "listen_tls = 0\nlisten_tcp = 1\ntcp_port = \"{port}\"\nlisten_addr = \"127.0.0.1\"\nauth_tcp = \"none\"\n\
             auth_unix_ro = \"none\"\nauth_unix_rw = \"none\"\nunix_sock_dir = \"{}\"\nunix_sock_rw_perms = \"0700\"\n",
            at("run").display(),
        );
        std::fs::write(at("libvirtd.conf"), settings).expect("write a file");
        // Debian keeps the daemon out of the PATH of users.
        let usual = "/usr/sbin/libvirtd";
        let mut command = Command::new(if Path::new(usual).exists() { usual } else { "libvirtd" });
        command.arg("-f").arg(at("libvirtd.conf")).arg("-p").arg(at("pid")).arg("-l");
        // Without drivers in files it has those that are built in, and the test driver is.
        command.env("LIBVIRT_DRIVER_DIR", at("none")).env("HOME", folder.path()).env("XDG_RUNTIME_DIR", at("run"));
        let mut process = Process::start(command, None);
        let listens = until("libvirtd listens or ends", async || match process.ended() {
            Some(_) => Some(false),
            None => TcpStream::connect(("127.0.0.1", port)).is_ok().then_some(true),
        });
        if !listens.await {
            return None;
        }
        let mut command = Command::new("virsh");
        let uri = format!("test+tcp://127.0.0.1:{port}/default");
        command.args(["-q", "-c", &uri, "uri; event --all --loop"]);
        let connected = Process::start(command, None);
        until("virsh connects", async || connected.stdout().contains(&uri)).await;
        Some(Self { port, _connected: connected, _process: process, _folder: folder })
    }
}
