//! Runs `sushy-emulator` of OpenStack's sushy-tools: a BMC with Redfish, and systems that exist in its memory.

use std::process::Command;

use tempfile::TempDir;

use super::{Process, scratch, until};

/// The account of the emulator.
pub const USER: &str = "operator";
/// Its password.
pub const PASSWORD: &str = "Tr0ub4dor-and-3";
/// The password as bcrypt stores it.
const HASH: &str = "$2b$04$bH1v.QktqiW5mLQNPvqtquXpcoIxleuyS08xwMc3ga5MkbRkgJZTu";

/// Returns the UUID of a system, 0 to 9.
fn uid(number: usize) -> String {
    format!("{number}8947555-7742-3448-3784-823347823834")
}

/// The time that a system takes to change its power.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switching {
    /// One second at most.
    Prompt,
    /// 1 to 11 seconds, at random.
    Slow,
}

/// A running emulator, with the systems `fake-0`, `fake-1` and so on.
pub struct Emulator {
    /// The port that it listens on.
    pub port: u16,
    process: Process,
    systems: usize,
    _folder: TempDir,
}

impl Emulator {
    /// Starts an emulator whose systems are off.
    pub async fn start(systems: usize) -> Self {
        Self::start_with(systems, Switching::Prompt).await
    }

    /// Starts an emulator whose systems are off, and take up to 11 seconds to be switched.
    pub async fn start_slow(systems: usize) -> Self {
        Self::start_with(systems, Switching::Slow).await
    }

    async fn start_with(systems: usize, switching: Switching) -> Self {
        let folder = scratch::folder("sushy");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("accounts"), format!("{USER}:{HASH}\n")).expect("write a file");
        let system = |number: usize| {
            format!(
                "{{'uuid': '{}', 'name': 'fake-{number}', 'power_state': 'Off', \
                 'external_notifier': False, 'nics': [{{'mac': '52:54:00:aa:bb:0{number}', 'ip': '10.0.0.2'}}]}}",
                uid(number),
            )
        };
        let all: Vec<String> = (0..systems).map(system).collect();
        let settings = format!(
            "SUSHY_EMULATOR_LISTEN_IP = '127.0.0.1'\nSUSHY_EMULATOR_LISTEN_PORT = 0\nSUSHY_EMULATOR_FAKE_DRIVER = True\n\
             SUSHY_EMULATOR_STATE_DIR = '{}'\nSUSHY_EMULATOR_AUTH_FILE = '{}'\nSUSHY_EMULATOR_FAKE_SYSTEMS = [{}]\n",
            folder.path().display(),
            at("accounts").display(),
            all.join(", "),
        );
        std::fs::write(at("emulator.conf"), settings).expect("write a file");
        let mut command = Command::new("sushy-emulator");
        command.arg("--config").arg(at("emulator.conf"));
        if switching == Switching::Prompt {
            // The emulator asks for a random time. Python reads this file before it runs any program.
            let least = "import random\nrandom.randint = lambda least, most: least\n";
            std::fs::write(at("sitecustomize.py"), least).expect("write a file");
            command.env("PYTHONPATH", folder.path());
        }
        let mut process = Process::start(command, None);
        let port = until("sushy-emulator listens", async || {
            assert!(process.ended().is_none(), "sushy-emulator: {}", process.stderr());
            let printed = process.stderr();
            let (_, rest) = printed.split_once("Running on http://127.0.0.1:")?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (digits.len() < rest.len()).then(|| digits.parse().expect("a port"))
        })
        .await;
        Self { port, process, systems, _folder: folder }
    }

    /// Returns how often each system was asked to change its power, as the emulator's log has it.
    pub fn resets(&self) -> Vec<usize> {
        let printed = self.process.stderr();
        let asked: Vec<&str> =
            printed.lines().filter(|line| line.contains("POST /redfish/") && line.contains(".Reset ")).collect();
        let of = |number| asked.iter().filter(|line| line.contains(&format!("/Systems/{}/", uid(number)))).count();
        (0..self.systems).map(of).collect()
    }
}
