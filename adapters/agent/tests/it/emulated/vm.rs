//! A virtual machine whose hardware changes while it runs. It is emulated, so it needs neither rights nor a processor
//! that can more.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;
use underlay_testing::process::without_variables;
use underlay_testing::{HANG, Process, until_seen};

use super::initramfs::{self, END, Guest};

/// The arguments that say what the machine is, besides its disks, interfaces and files. Nothing of it is the default of
/// QEMU, and it ends where others would start anew.
const ARGUMENTS: &str = "-accel tcg -cpu max -smp 1 -m 512 -nodefaults -no-user-config -no-reboot -vga none \
                         -machine q35,hpet=off,usb=off,vmport=off -display none -serial stdio \
                         -device pcie-root-port,id=slot1,chassis=1,slot=1 \
                         -device pcie-root-port,id=slot2,chassis=2,slot=2";

/// A virtual machine. Dropping it ends it, and shows what it wrote to its console if the test is failing then.
pub struct Vm {
    /// Dropped first: the machine writes to the folder.
    _process: Process,
    monitor: Monitor,
    guest: Connection,
    _folder: TempDir,
}

impl Vm {
    /// Starts a machine with some more arguments, and waits for its first program.
    pub async fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (unpacked, files) = (Guest::unpacked(), folder.path().join("files"));
        initramfs::write(&unpacked, &files);
        let mut command = without_variables(Command::new("qemu-system-x86_64"));
        command.args(ARGUMENTS.split_whitespace()).args(arguments).current_dir(folder.path());
        command.args(["-append", "console=ttyS0 panic=-1", "-initrd", "files", "-kernel"]).arg(unpacked.image());
        command.args(["-qmp", "unix:monitor,server=on,wait=off"]);
        // The machine does not start before somebody hears it.
        command.args(["-chardev", "socket,id=guest,path=guest,server=on,wait=on", "-serial", "chardev:guest"]);

        let mut process = Process::start(command, None);
        let guest = Connection::to(&folder.path().join("guest"), &mut process).await;
        let monitor = Connection::to(&folder.path().join("monitor"), &mut process).await;
        let mut vm = Self { _process: process, monitor: Monitor::greeted(monitor), guest, _folder: folder };
        vm.output();
        vm
    }

    /// Runs a command of a shell in the machine, and returns what it writes, which is whole lines.
    pub fn run(&mut self, command: &str) -> String {
        self.guest.write(command);
        self.output()
    }

    fn output(&mut self) -> String {
        let lines = std::iter::from_fn(|| Some(self.guest.read()).filter(|line| line.trim_end() != END));
        lines.collect()
    }

    /// Gives a command to the monitor.
    pub fn order(&mut self, command: &str, arguments: &Value) {
        self.monitor.order(command, arguments);
    }

    /// Makes the content of a disk of 2 GiB, which is zeros and takes no room.
    pub fn add_disk(&mut self, name: &str) {
        let disk = json!({"driver": "null-co", "node-name": name, "size": 2_u64 << 30, "read-zeroes": true});
        self.order("blockdev-add", &disk);
    }

    /// Takes the link of an interface down, or up again.
    pub fn set_link(&mut self, id: &str, up: bool) {
        self.order("set_link", &json!({"name": id, "up": up}));
    }

    /// Plugs a device into a bus: one of the slots `slot1` and `slot2`, or that of an adapter.
    pub fn plug(&mut self, bus: &str, mut device: Value) {
        device["bus"] = json!(bus);
        self.order("device_add", &device);
    }

    /// Unplugs a device, and waits until the machine has let it go.
    pub fn unplug(&mut self, id: &str) {
        self.order("device_del", &json!({"id": id}));
        self.monitor.wait_for("DEVICE_DELETED", &json!(id));
    }
}

/// The monitor of QEMU: commands and events as lines of JSON.
struct Monitor {
    connection: Connection,
    /// The events that came while something else was waited for.
    events: Vec<Value>,
}

impl Monitor {
    /// Returns the monitor when it is ready for commands.
    fn greeted(connection: Connection) -> Self {
        let mut monitor = Self { connection, events: Vec::new() };
        assert!(monitor.read().get("QMP").is_some(), "the monitor does not greet");
        monitor.order("qmp_capabilities", &json!({}));
        monitor
    }

    fn read(&mut self) -> Value {
        let line = self.connection.read();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    fn order(&mut self, command: &str, arguments: &Value) {
        self.connection.write(&json!({"execute": command, "arguments": arguments}).to_string());
        loop {
            let answer = self.read();
            if answer.get("event").is_some() {
                self.events.push(answer);
                continue;
            }
            assert!(answer.get("return").is_some(), "{command} {arguments}: {answer}");
            return;
        }
    }

    /// Waits for an event about a device.
    fn wait_for(&mut self, event: &str, device: &Value) {
        let is_it = |it: &Value| it["event"] == event && it["data"]["device"] == *device;
        while !self.events.iter().any(is_it) {
            let answer = self.read();
            self.events.push(answer);
        }
        self.events.retain(|it| !is_it(it));
    }
}

/// A connection to the machine, on which lines are read and written.
struct Connection {
    from: BufReader<UnixStream>,
    to: UnixStream,
}

impl Connection {
    /// Connects to a socket that the process makes.
    async fn to(socket: &Path, process: &mut Process) -> Self {
        let what = format!("{} accepts a connection", socket.display());
        let connect = || {
            assert!(process.ended().is_none(), "the virtual machine does not start");
            UnixStream::connect(socket)
        };
        let to = until_seen(what, connect).await;
        to.set_read_timeout(Some(HANG)).expect("set a limit");
        Self { from: BufReader::new(to.try_clone().expect("a second handle")), to }
    }

    fn write(&mut self, line: &str) {
        self.to.write_all(format!("{line}\n").as_bytes()).expect("write to the machine");
    }

    /// Reads a line. The end of the machine is a fault.
    fn read(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("the machine answers");
        assert!(!line.is_empty(), "the machine has ended");
        line
    }
}
