//! A run of `ipmitool`.

use std::net::IpAddr;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use tokio::time::timeout;
use underlay_kit::printable;

use super::output::{Reason, last_line, reason_of};
use super::refused;
use crate::group::Group;
use crate::machine::{CallError, Secret};

/// The maximum number of bytes that are read of an output.
const MAX_OUTPUT_BYTES: u64 = 64 << 10;

/// The arguments with which `ipmitool` reads commands from standard input, and makes all of them in one session, also after
/// one that failed.
const SCRIPT: [&str; 2] = ["exec", "/dev/stdin"];

/// The beginning of what it prints when a boot device was set.
const BOOT_SET: &str = "Set Boot Device to ";
/// The beginning of what it prints when a raw call failed.
const RAW_FAILED: &str = "Unable to send RAW command";

/// A BMC, as `ipmitool` reaches it.
pub struct Bmc {
    pub program: String,
    /// The address of the host, for messages.
    pub url: String,
    /// The address that was checked.
    pub ip: IpAddr,
    pub port: u16,
    /// The credential.
    pub secret: Option<Secret>,
    /// The longest time of a run.
    pub limit: Duration,
}

struct Run<'a> {
    /// The call, for messages.
    call: &'a str,
    arguments: &'a [&'a str],
    /// The lines on standard input.
    script: Option<&'a str>,
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
        let call = arguments.join(" ");
        not_made(self.run(Run { call: &call, arguments, script: None }, |ended| ended.succeeded, "BmcRefused").await)
    }

    /// Makes several calls that change nothing, in one session. Those that the BMC does not know print nothing. The session
    /// is taken for one if `proof` is printed.
    ///
    /// # Errors
    /// Returns an error if the BMC does not answer, or refuses the call that prints `proof`.
    pub async fn read_all(&self, commands: &[&str], proof: &str) -> Result<Ended, CallError> {
        let (call, script) = (commands.join(", "), commands.join("\n"));
        let run = Run { call: &call, arguments: &SCRIPT, script: Some(&script) };
        not_made(self.run(run, |ended| ended.output.contains(proof), "BmcRefused").await)
    }

    /// Makes a call that changes something. `word` is the reason if the BMC refuses.
    ///
    /// # Errors
    /// Returns an error if the BMC refuses, or if nobody knows if it did it.
    pub async fn change(&self, arguments: &[&str], word: &str) -> Result<(), CallError> {
        let call = arguments.join(" ");
        let run = Run { call: &call, arguments, script: None };
        self.run(run, |ended| ended.succeeded, word).await.map(drop)
    }

    /// Sets the device of the next boot, after a call that may fail, in one session.
    ///
    /// # Errors
    /// Returns an error if the BMC refuses the device, or if nobody knows if it took it.
    pub async fn set_boot(&self, before: &str, device: &str, options: &str) -> Result<(), CallError> {
        let call = format!("chassis bootdev {device}{options}");
        let script = format!("{before}\n{call}");
        let (run, proof) =
            (Run { call: &call, arguments: &SCRIPT, script: Some(&script) }, format!("{BOOT_SET}{device}"));
        self.run(run, |ended| ended.output.contains(&proof), "BootRefused").await.map(drop)
    }

    /// Makes a call and waits for its end. It succeeded if `is_success` says so.
    async fn run(&self, run: Run<'_>, is_success: impl Fn(&Ended) -> bool, word: &str) -> Result<Ended, CallError> {
        let call = format!("{} (ipmitool {})", printable(&self.url), run.call);
        let ended = timeout(self.limit, self.start(&run, &call)).await.unwrap_or_else(|_| {
            let reason = format!("{call}: it did not end within {} s and was killed", self.limit.as_secs());
            Err(CallError::Unanswered { reason })
        })?;
        if is_success(&ended) {
            return Ok(ended);
        }
        // Some failures are printed to standard output.
        let all = without_raw(&format!("{}\n{}", ended.output, ended.errors), run.script);
        let message = printable(last_line(&all));
        Err(match reason_of(&all) {
            Reason::NoSession => CallError::NotMade {
                reason: format!(
                    "{call}: {message}; check bmcUrl, the user name and password of bmcCredential, and that IPMI over LAN is \
                     switched on at the BMC"
                ),
            },
            Reason::Credential => refused(
                "WrongCredential",
                format!("{call}: {message}; give bmcCredential an account of the BMC that may switch machines"),
            ),
            Reason::Refused => refused(word, format!("{call}: the BMC refuses: {message}")),
            Reason::Unknown => CallError::Unanswered {
                reason: format!("{call}: {message}; nobody knows if it was done: look at the machine"),
            },
        })
    }

    async fn start(&self, run: &Run<'_>, call: &str) -> Result<Ended, CallError> {
        let (user, password) = self.secret.as_ref().map_or(("", ""), |it| (it.username.as_str(), it.password.as_str()));
        let (ip, port) = (self.ip.to_string(), self.port.to_string());
        let mut command = Command::new(&self.program);
        // -E takes the password from the environment. Each message is sent at most twice, two seconds apart.
        command
            .args(["-I", "lanplus", "-H", &ip, "-p", &port, "-U", user, "-E", "-N", "2", "-R", "2"])
            .args(run.arguments);
        command.env("IPMI_PASSWORD", password).env("LC_ALL", "C").kill_on_drop(true);
        let input = if run.script.is_some() { Stdio::piped() } else { Stdio::null() };
        command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let running = command.spawn().map_err(|error| CallError::NotMade {
            reason: format!("{call}: it cannot be started: {error}; install ipmitool where the controller runs"),
        });
        let mut running = Group(running?);
        let (output, errors) = (running.0.stdout.take(), running.0.stderr.take());
        let input = running.0.stdin.take().zip(run.script);
        let write = async {
            let Some((mut pipe, script)) = input else { return Ok(()) };
            pipe.write_all(script.as_bytes()).await?;
            pipe.write_all(b"\n").await
        };
        let (written, output, errors) = tokio::join!(write, text(output), text(errors));
        let broken = |error| CallError::Unanswered { reason: format!("{call}: {error}") };
        // A program that ended before it read anything says why.
        if let Err(error) = written
            && errors.is_empty()
        {
            return Err(broken(error));
        }
        let status = running.0.wait().await.map_err(broken)?;
        Ok(Ended { output, errors, succeeded: status.success() })
    }
}

/// Returns what a run printed. The raw call of a script may fail, and says nothing of the call after it.
fn without_raw(printed: &str, script: Option<&str>) -> String {
    let is_telling = |line: &&str| script.is_none() || !line.trim_start().starts_with(RAW_FAILED);
    printed.lines().filter(is_telling).collect::<Vec<_>>().join("\n")
}

/// Returns the result of a call that changes nothing: without an answer it may be made again.
fn not_made(ended: Result<Ended, CallError>) -> Result<Ended, CallError> {
    match ended {
        Err(CallError::Unanswered { reason }) => Err(CallError::NotMade { reason }),
        ended => ended,
    }
}

/// Reads the beginning of an output. What cannot be read is left out.
async fn text(output: Option<impl AsyncRead + Unpin>) -> String {
    let mut bytes = Vec::new();
    if let Some(output) = output {
        drop(output.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes).await);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
