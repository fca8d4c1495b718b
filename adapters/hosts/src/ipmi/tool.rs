//! A run of `ipmitool`.

use std::net::IpAddr;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;
use underlay_kit::printable;

use super::refused;
use super::said::{Reason, last_line, reason_of};
use crate::group::Group;
use crate::machine::{CallError, Secret};

/// The maximum number of bytes that are read of an output.
const MOST_BYTES: u64 = 64 << 10;

/// A BMC, as `ipmitool` reaches it.
pub struct Bmc {
    /// The program.
    pub program: String,
    /// The address of the host, for messages.
    pub url: String,
    /// The address that was checked.
    pub ip: IpAddr,
    /// The port.
    pub port: u16,
    /// The credential.
    pub secret: Option<Secret>,
    /// The longest time of a run.
    pub limit: Duration,
}

/// The end of a run.
pub struct Ended {
    /// The text on standard output.
    pub output: String,
    /// The text on standard error.
    errors: String,
    succeeded: bool,
}

impl Bmc {
    /// Makes a call that changes nothing.
    ///
    /// # Errors
    /// Returns an error if the BMC does not answer, or refuses.
    pub async fn read(&self, arguments: &[&str]) -> Result<Ended, CallError> {
        match self.run(arguments, "BmcRefused").await {
            Err(CallError::Unanswered { reason }) => Err(CallError::NotMade { reason }),
            ended => ended,
        }
    }

    /// Makes a call that changes something. `word` is the reason if the BMC refuses.
    ///
    /// # Errors
    /// Returns an error if the BMC refuses, or if nobody knows if it did it.
    pub async fn change(&self, arguments: &[&str], word: &str) -> Result<(), CallError> {
        self.run(arguments, word).await.map(drop)
    }

    async fn run(&self, arguments: &[&str], word: &str) -> Result<Ended, CallError> {
        let call = format!("{} (ipmitool {})", printable(&self.url), arguments.join(" "));
        let ended = timeout(self.limit, self.start(arguments, &call)).await.unwrap_or_else(|_| {
            let reason = format!("{call}: it did not end within {} s and was killed", self.limit.as_secs());
            Err(CallError::Unanswered { reason })
        })?;
        if ended.succeeded {
            return Ok(ended);
        }
        // Some failures are printed to standard output.
        let all = format!("{}\n{}", ended.output, ended.errors);
        let said = printable(last_line(&all));
        Err(match reason_of(&all) {
            Reason::NoSession => CallError::NotMade {
                reason: format!(
                    "{call}: {said}; check bmcUrl, the user name and password of bmcCredential, and that IPMI over LAN is \
                     switched on at the BMC"
                ),
            },
            Reason::Credential => refused(
                "WrongCredential",
                format!("{call}: {said}; give bmcCredential an account of the BMC that may switch machines"),
            ),
            Reason::Refused => refused(word, format!("{call}: the BMC refuses: {said}")),
            Reason::Unknown => CallError::Unanswered {
                reason: format!("{call}: {said}; nobody knows if it was done: look at the machine"),
            },
        })
    }

    async fn start(&self, arguments: &[&str], call: &str) -> Result<Ended, CallError> {
        let (user, password) = self.secret.as_ref().map_or(("", ""), |it| (it.username.as_str(), it.password.as_str()));
        let (ip, port) = (self.ip.to_string(), self.port.to_string());
        let mut command = Command::new(&self.program);
        // -E takes the password from the environment. Each message is sent at most twice, two seconds apart.
        command.args(["-I", "lanplus", "-H", &ip, "-p", &port, "-U", user, "-E", "-N", "2", "-R", "2"]).args(arguments);
        command.env("IPMI_PASSWORD", password).env("LC_ALL", "C").kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let running = command.spawn().map_err(|error| CallError::NotMade {
            reason: format!("{call}: it cannot be started: {error}; install ipmitool where the controller runs"),
        });
        let mut running = Group(running?);
        let (output, errors) = (running.0.stdout.take(), running.0.stderr.take());
        let (output, errors) = tokio::join!(text(output), text(errors));
        let broken = |error| CallError::Unanswered { reason: format!("{call}: {error}") };
        let status = running.0.wait().await.map_err(broken)?;
        Ok(Ended { output, errors, succeeded: status.success() })
    }
}

/// Reads the beginning of an output. What cannot be read is left out.
async fn text(output: Option<impl AsyncRead + Unpin>) -> String {
    let mut bytes = Vec::new();
    if let Some(output) = output {
        drop(output.take(MOST_BYTES).read_to_end(&mut bytes).await);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
