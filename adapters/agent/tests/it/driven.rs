//! An agent whose waits are over at once: the test does what happens meanwhile.

use std::fs::{self, Permissions};
use std::ops::ControlFlow;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use underlay_agent::{Reports, Rhythm, Root, Sender, ServerAddress, TokenFile, TokenSource, report, run};
use underlay_testing::HANG;

use crate::machines;
use crate::tree::Tree;

/// The machine of an agent, and its token.
pub struct Agent {
    pub machine: Tree,
    folder: Tree,
}

/// The deeds of an agent: its waits in seconds, and its lines.
#[derive(Debug, PartialEq)]
pub struct Done {
    pub waits: Vec<f64>,
    pub lines: Vec<String>,
}

impl Agent {
    pub fn new() -> Self {
        let agent = Self { machine: machines::server(), folder: Tree::new() };
        agent.write_token("ul_first");
        agent
    }

    pub fn token_file(&self) -> PathBuf {
        self.folder.at("/token")
    }

    /// Writes a token that only the owner of the file may read.
    pub fn write_token(&self, token: &str) {
        fs::write(self.token_file(), format!("{token}\n")).expect("write a token");
        fs::set_permissions(self.token_file(), Permissions::from_mode(0o600)).expect("set permissions");
    }

    /// Gives the machine another serial number.
    pub fn change(&self, serial: &str) {
        fs::write(self.machine.at("/sys/devices/virtual/dmi/id/product_serial"), serial).expect("write a file");
    }

    pub fn sender(&self, url: &str) -> Sender {
        let server = ServerAddress::parse(url).expect("an address");
        Sender::new(server, TokenSource::File(TokenFile::new(self.token_file())), None).expect("a sender")
    }

    /// Reports to a server so many times. Before each report is a step, which gets the number of reports before.
    pub async fn reports(&self, url: &str, times: usize, mut step: impl AsyncFnMut(usize)) -> Done {
        let (mut waits, mut lines) = (Vec::new(), Vec::new());
        let wait = async |wait: Duration| {
            waits.push((wait.as_secs_f64() * 1e3).round() / 1e3);
            if waits.len() > times {
                return ControlFlow::Break(());
            }
            step(waits.len() - 1).await;
            ControlFlow::Continue(())
        };
        // No wait is spread.
        let rhythm = Rhythm::new(|| 0.5);
        run(&mut self.sender(url), &self.made(), rhythm, wait, |line| lines.push(line.replace(url, "SERVER"))).await;
        Done { waits, lines }
    }

    fn made(&self) -> Reports {
        let root = Root::tree(self.machine.path()).expect("a tree");
        Arc::new(move || report(&root, HANG))
    }
}
