//! A real Ironic and a BMC that speaks Redfish, each a program that is started here.

use std::fs::File;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tempfile::TempDir;
use underlay_ironic::client::{Auth, Client, Connection};
use underlay_testing::{free_port, until};

/// The UUID of the system of the BMC.
pub const SYSTEM: &str = "38947555-7742-3448-3784-823347823834";

/// A program with all that it started, which ends with it.
struct Program(Child);

impl Program {
    fn start(mut command: Command, log: &Path) -> Self {
        let log = File::options().create(true).append(true).open(log).expect("a file");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).process_group(0);
        Self(command.spawn().expect("the program starts"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if let Some(group) = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw) {
            // The group may have ended already.
            let _ended = kill_process_group(group, Signal::KILL);
        }
        let _ended = self.0.wait();
    }
}

/// The files of a database: SQLite keeps what was written last in a second one.
type Database = [Option<Vec<u8>>; 3];

/// A running Ironic, with fake hardware and Redfish.
pub struct Ironic {
    running: Option<Program>,
    pub url: String,
    /// An empty database. Ironic takes seconds to make one.
    empty: Database,
    folder: TempDir,
}

impl Ironic {
    /// Starts Ironic on an empty database. `more` are sections of its configuration.
    pub async fn start(more: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path();
        for name in ["state", "lock", "tftpboot", "images", "httpboot"] {
            std::fs::create_dir(at.join(name)).expect("a folder");
        }
        let port = free_port();
        std::fs::write(at.join("ironic.conf"), configuration(at, port, more)).expect("a file");
        let url = format!("http://127.0.0.1:{port}");
        let mut ironic = Self { running: None, url, empty: Database::default(), folder };
        ironic.make_database();
        ironic.empty = ironic.read();
        ironic.run().await;
        ironic
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        // The configuration that operators get, and then what differs here.
        let deployed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/ironic/ironic.conf");
        command.arg("--config-file").arg(deployed).arg("--config-file").arg(self.folder.path().join("ironic.conf"));
        command
    }

    fn make_database(&self) {
        let mut command = self.command("ironic-dbsync");
        let made = command.arg("create_schema").stderr(Stdio::null()).status().expect("ironic-dbsync starts");
        assert!(made.success(), "the schema is made");
    }

    async fn run(&mut self) {
        self.running = Some(Program::start(self.command("ironic"), &self.folder.path().join("log")));
        let client = Client::new(&Connection::new(&self.url, Auth::None)).expect("a client");
        // The API is there before the conductor, which brings the drivers.
        let first = || [("driver".to_owned(), "fake-hardware".into()), ("name".to_owned(), "first".into())];
        until("Ironic is ready", async || client.create_node(first().into_iter().collect()).await.is_ok()).await;
        assert_eq!(client.delete_node("first").await, Ok(true));
    }

    fn files(&self) -> [PathBuf; 3] {
        ["ironic.sqlite", "ironic.sqlite-wal", "ironic.sqlite-shm"].map(|name| self.folder.path().join(name))
    }

    /// Returns the database. Only its first file is always there.
    fn read(&self) -> Database {
        self.files().map(|file| std::fs::read(file).ok())
    }

    /// Puts another database in the place of this one, and empties the log.
    fn replace(&self, database: &Database) {
        for (file, content) in self.files().into_iter().zip(database) {
            let _removed = std::fs::remove_file(&file);
            if let Some(content) = content {
                std::fs::write(file, content).expect("a file");
            }
        }
        std::fs::write(self.folder.path().join("log"), "").expect("a file");
    }

    /// Ends Ironic, loses its database and its log, and starts it again.
    pub async fn forget(&mut self) {
        self.running = None;
        self.replace(&self.empty);
        self.run().await;
    }

    /// Ends Ironic, and returns its database as it is then, after which it starts again.
    pub async fn backup(&mut self) -> Database {
        self.running = None;
        let backup = self.read();
        self.run().await;
        backup
    }

    /// Ends Ironic, and starts it again with an older database.
    pub async fn restore(&mut self, backup: &Database) {
        self.running = None;
        self.replace(backup);
        self.run().await;
    }

    /// Returns the log since the database was lost or restored.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Ironic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("--- log of Ironic:\n{}", self.log());
        }
    }
}

fn configuration(at: &Path, port: u16, more: &str) -> String {
    let at = at.display();
    format!(
        "[DEFAULT]\nauth_strategy = noauth\nhost = test\nmy_ip = 127.0.0.1\nrpc_transport = none\nuse_stderr = true\n\
         state_path = {at}/state\nenabled_hardware_types = fake-hardware,redfish\nenabled_bios_interfaces = no-bios\n\
         enabled_boot_interfaces = fake,redfish-virtual-media\nenabled_console_interfaces = no-console\n\
         enabled_deploy_interfaces = fake,direct\nenabled_firmware_interfaces = no-firmware\n\
         enabled_inspect_interfaces = fake,redfish,no-inspect\nenabled_management_interfaces = fake,redfish\n\
         enabled_network_interfaces = noop\ndefault_network_interface = noop\nenabled_power_interfaces = fake,redfish\n\
         enabled_raid_interfaces = no-raid\nenabled_rescue_interfaces = no-rescue\nenabled_storage_interfaces = noop\n\
         enabled_vendor_interfaces = no-vendor\n\
         [api]\nhost_ip = 127.0.0.1\nport = {port}\n\
         [conductor]\nsync_power_state_interval = 2\n\
         check_provision_state_interval = 1\n\
         [redfish]\nconnection_attempts = 1\n\
         [database]\nconnection = sqlite:///{at}/ironic.sqlite\n[inventory]\ndata_backend = database\n\
         [oslo_concurrency]\nlock_path = {at}/lock\n[oslo_messaging_notifications]\ndriver = noop\n\
         [pxe]\ntftp_root = {at}/tftpboot\ntftp_master_path =\nimages_path = {at}/images\ninstance_master_path =\n\
         [deploy]\nhttp_root = {at}/httpboot\n[dhcp]\ndhcp_provider = none\n\
         [service_catalog]\nendpoint_override = http://127.0.0.1:{port}\n{more}\n"
    )
}

/// `sushy-emulator` of OpenStack's sushy-tools, with one system that is off.
pub struct Bmc {
    _running: Program,
    folder: TempDir,
    pub port: u16,
}

impl Bmc {
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = format!(
            "SUSHY_EMULATOR_LISTEN_IP = '127.0.0.1'\nSUSHY_EMULATOR_LISTEN_PORT = 0\nSUSHY_EMULATOR_FAKE_DRIVER = True\n\
             SUSHY_EMULATOR_STATE_DIR = '{}'\nSUSHY_EMULATOR_FAKE_SYSTEMS = [{{'uuid': '{SYSTEM}', 'name': 'fake-0', \
             'power_state': 'Off', 'external_notifier': False, 'nics': [{{'mac': '52:54:00:aa:bb:01', 'ip': '10.0.0.2'}}]}}]\n",
            folder.path().display()
        );
        std::fs::write(folder.path().join("emulator.conf"), settings).expect("a file");
        // Its systems change their power after 1 to 11 seconds, at random. Here they take the shortest time.
        std::fs::write(
            folder.path().join("sitecustomize.py"),
            "import random\nrandom.randint = lambda least, most: least\n",
        )
        .expect("a file");
        let mut command = Command::new("sushy-emulator");
        command.arg("--config").arg(folder.path().join("emulator.conf")).env("PYTHONPATH", folder.path());
        let running = Program::start(command, &folder.path().join("log"));
        let listens = until("sushy-emulator listens", async || {
            let log = std::fs::read_to_string(folder.path().join("log")).unwrap_or_default();
            let (_, rest) = log.split_once("Running on http://127.0.0.1:").ok_or_else(|| log.clone())?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            if digits.len() < rest.len() { Ok(digits.parse().expect("a port")) } else { Err(log) }
        });
        let port = listens.await;
        Self { _running: running, folder, port }
    }

    /// Returns the address of its system, as a host has it.
    pub fn url(&self) -> String {
        format!("redfish+http://127.0.0.1:{}/redfish/v1/Systems/{SYSTEM}", self.port)
    }

    /// Returns the number of times that the system was switched or reset.
    pub fn resets(&self) -> usize {
        let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
        log.lines().filter(|line| line.contains("POST") && line.contains("ComputerSystem.Reset")).count()
    }
}
