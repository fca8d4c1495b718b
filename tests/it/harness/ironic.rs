//! Runs OpenStack Ironic with its fake hardware and Redfish, on a database that can be lost.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use underlay_ironic::client::{Auth, Client, Connection, Node};

use underlay_testing::process::raw;

use super::{Process, free_port, scratch, until};

/// A running Ironic.
pub struct Ironic {
    process: Option<Process>,
    folder: TempDir,
    /// The address of its API.
    pub url: String,
}

impl Ironic {
    /// Starts Ironic on an empty database.
    pub async fn start() -> Self {
        let folder = scratch::folder("ironic");
        for name in ["state", "lock", "tftpboot", "images", "httpboot"] {
            std::fs::create_dir(folder.path().join(name)).expect("make a folder");
        }
        let port = free_port();
        let text = configuration(folder.path(), port);
        std::fs::write(folder.path().join("ironic.conf"), text).expect("write a file");
        let mut ironic = Self { process: None, folder, url: format!("http://127.0.0.1:{port}") };
        let mut schema = ironic.command("ironic-dbsync");
        let made = schema.arg("create_schema").stderr(Stdio::null()).status().expect("ironic-dbsync starts");
        assert!(made.success(), "ironic-dbsync makes the schema");
        std::fs::copy(ironic.path("ironic.sqlite"), ironic.path("empty.sqlite")).expect("copied");
        ironic.run().await;
        ironic
    }

    /// Ends Ironic, loses its database, and starts it again.
    pub async fn forget(&mut self) {
        self.end();
        // SQLite keeps what was written last in files of its own.
        for name in ["ironic.sqlite", "ironic.sqlite-wal", "ironic.sqlite-shm"] {
            let _removed = std::fs::remove_file(self.path(name));
        }
        // Ironic would take seconds to make an empty one.
        std::fs::copy(self.path("empty.sqlite"), self.path("ironic.sqlite")).expect("copied");
        self.run().await;
    }

    /// Returns a node.
    pub async fn node(&self, id: &str) -> Option<Node> {
        self.client().node(id).await.expect("an answer")
    }

    fn client(&self) -> Client {
        Client::new(&Connection::new(&self.url, Auth::None)).expect("a client")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.arg("--config-file").arg(self.path("ironic.conf"));
        command
    }

    async fn run(&mut self) {
        let mut command = self.command("ironic");
        command.process_group(0);
        let mut process = Process::start(command, None);
        let client = self.client();
        let first = || [("driver".to_owned(), "fake-hardware".into()), ("name".to_owned(), "first".into())];
        // The API is there before the conductor, which brings the drivers.
        until("Ironic has its drivers", async || {
            assert!(process.ended().is_none(), "Ironic does not start");
            client.create_node(first().into_iter().collect()).await.is_ok()
        })
        .await;
        assert_eq!(client.delete_node("first").await, Ok(true));
        self.process = Some(process);
    }

    /// Ends Ironic with its workers.
    fn end(&mut self) {
        if let Some(process) = self.process.take() {
            // SAFETY: a plain system call; the leader of the group is not reaped yet, so the id is still its own.
            unsafe { libc::kill(-raw(process.pid()), libc::SIGKILL) };
        }
    }
}

impl Drop for Ironic {
    fn drop(&mut self) {
        self.end();
    }
}

fn configuration(at: &Path, port: u16) -> String {
    let at = at.display();
    format!(
        "[DEFAULT]\nauth_strategy = noauth\nhost = test\nmy_ip = 127.0.0.1\nrpc_transport = none\nuse_stderr = true\n\
         state_path = {at}/state\nenabled_hardware_types = fake-hardware,redfish\nenabled_bios_interfaces = no-bios\n\
         enabled_boot_interfaces = fake,redfish-virtual-media\nenabled_console_interfaces = no-console\n\
         enabled_deploy_interfaces = fake,direct\n\
         enabled_firmware_interfaces = no-firmware\nenabled_inspect_interfaces = fake,no-inspect\n\
         enabled_management_interfaces = fake,redfish\nenabled_network_interfaces = noop\ndefault_network_interface = noop\n\
         enabled_power_interfaces = fake,redfish\nenabled_raid_interfaces = no-raid\nenabled_rescue_interfaces = no-rescue\n\
         enabled_storage_interfaces = noop\nenabled_vendor_interfaces = no-vendor\n\
         [api]\nhost_ip = 127.0.0.1\nport = {port}\n\
         [conductor]\nautomated_clean = false\nforce_power_state_during_sync = false\ncheck_provision_state_interval = 1\n\
         [database]\nconnection = sqlite:///{at}/ironic.sqlite\n[inventory]\ndata_backend = database\n\
         [oslo_concurrency]\nlock_path = {at}/lock\n[oslo_messaging_notifications]\ndriver = noop\n\
         [pxe]\ntftp_root = {at}/tftpboot\ntftp_master_path =\nimages_path = {at}/images\ninstance_master_path =\n\
         [deploy]\nhttp_root = {at}/httpboot\n[dhcp]\ndhcp_provider = none\n\
         [service_catalog]\nendpoint_override = http://127.0.0.1:{port}\n"
    )
}
