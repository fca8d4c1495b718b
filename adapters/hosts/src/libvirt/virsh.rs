//! A run of `virsh`.

use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Command;
use underlay_address::Exceptions;
use underlay_kit::printable;
use uuid::Uuid;

use super::credential_files::Opened;
use super::domain_address::DomainAddress;
use super::output::{Reason, is_gone, reason_of, sentences};
use super::refused;
use crate::group::Group;
use crate::machine::CallError;

/// The number of bytes that an output must not reach. A domain has some 10 KiB of XML.
const OUTPUT_BYTES_LIMIT: u64 = 16 << 20;
/// The maximum number of bytes that are read of the errors.
const MAX_ERROR_BYTES: u64 = 64 << 10;
/// The variables that `virsh`, and the `ssh` that it starts, get of the environment.
const VARIABLES: [&str; 3] = ["HOME", "PATH", "SSH_AUTH_SOCK"];

/// A connection to a hypervisor, on which `virsh` is run.
pub struct Virsh<'a> {
    pub program: &'a str,
    /// The reserved addresses that the hypervisor may have nevertheless.
    pub exceptions: &'a Exceptions,
    /// The hypervisor.
    pub address: DomainAddress,
    /// The connection.
    pub opened: Opened,
}

/// The end of a run.
pub struct Ended {
    /// The text on standard output.
    pub output: String,
    /// The text on standard error.
    errors: String,
    succeeded: bool,
}

impl Ended {
    /// Returns true if a domain was gone when `virsh` asked for it.
    pub fn says_gone(&self, domain: Uuid) -> bool {
        is_gone(&self.errors, domain)
    }
}

impl Virsh<'_> {
    /// Makes a call that changes nothing.
    ///
    /// # Errors
    /// Returns an error if the hypervisor does not answer, or refuses.
    pub async fn read(&self, arguments: &[&str]) -> Result<Ended, CallError> {
        let ended = self.start(arguments, None).await;
        let ended = ended.and_then(|ended| match ended.succeeded {
            true => Ok(ended),
            false => Err(self.failed(arguments, &ended, "ReadRefused")),
        });
        ended.map_err(not_made)
    }

    /// Makes calls that change nothing on several domains. Those that are gone are left out.
    ///
    /// # Errors
    /// Returns an error if the hypervisor does not answer.
    pub async fn read_all(&self, command: &str, domains: &[Uuid]) -> Result<Ended, CallError> {
        let commands: Vec<String> = domains.iter().map(|domain| format!("{command} {domain}")).collect();
        let ended = self.start(&[&commands.join("; ")], None).await.map_err(not_made)?;
        // The exit status is that of the last command alone, so the caller looks for each domain in the output.
        let is_usable = !ended.errors.contains("error: ") || domains.iter().any(|domain| ended.says_gone(*domain));
        if is_usable { Ok(ended) } else { Err(not_made(self.failed(&[command], &ended, "ReadRefused"))) }
    }

    /// Makes a call that changes something. `input` is what it reads from standard input, `word` the reason if the
    /// hypervisor refuses.
    ///
    /// # Errors
    /// Returns an error if the hypervisor refuses, or if nobody knows if it did it.
    pub async fn change(&self, arguments: &[&str], input: Option<&str>, word: &str) -> Result<(), CallError> {
        let ended = self.start(arguments, input).await?;
        if ended.succeeded { Ok(()) } else { Err(self.failed(arguments, &ended, word)) }
    }

    /// Returns the error for an output that is not that of `virsh`, of a call that changed nothing.
    pub fn unread(&self, arguments: &[&str], reason: &str) -> CallError {
        CallError::NotMade { reason: format!("{}: {}", self.call(arguments), printable(reason)) }
    }

    /// Returns the words by which messages name a call.
    pub fn call(&self, arguments: &[&str]) -> String {
        format!("{} (virsh {})", printable(&self.address.appliance), arguments.join(" "))
    }

    fn failed(&self, arguments: &[&str], ended: &Ended, word: &str) -> CallError {
        let call = self.call(arguments);
        let message = printable(&sentences(&ended.errors));
        let no = |reason: &str, advice: &str| refused(reason, format!("{call}: {message}; {advice}"));
        match reason_of(&ended.errors) {
            Reason::NoConnection => CallError::NotMade {
                reason: format!(
                    "{call}: {message}; check the address, that libvirt listens there, and that it accepts the certificate or \
                     the key of the credential"
                ),
            },
            Reason::Certificate => no(
                "WrongCertificate",
                "give the authority of the hypervisor in bmcTrustedCas or in /etc/pki/CA/cacert.pem of the controller, use a \
                 name that its certificate has, and check the certificate of the credential",
            ),
            Reason::HostKey => no(
                "WrongHostKey",
                "add the key of the hypervisor to ~/.ssh/known_hosts or /etc/ssh/ssh_known_hosts of the controller",
            ),
            Reason::Credential => no(
                "WrongCredential",
                "give the credential an account, a key or a certificate that may manage domains of the hypervisor",
            ),
            Reason::NoDriver => no("WrongAddress", "install QEMU and its driver of libvirt at the hypervisor"),
            Reason::NoDomain => {
                no("NoDomain", "the hypervisor has no such domain: correct the UUID in bmcUrl, or delete the host")
            }
            Reason::Changed => CallError::NotMade {
                reason: format!("{call}: {message}; somebody else switched or changed the domain meanwhile"),
            },
            Reason::Refused => refused(word, format!("{call}: the hypervisor refuses: {message}")),
            Reason::Unknown => CallError::Unanswered { reason: format!("{call}: {message}") },
        }
    }

    async fn start(&self, arguments: &[&str], input: Option<&str>) -> Result<Ended, CallError> {
        let call = self.call(arguments);
        // virsh resolves the name of the hypervisor by itself.
        self.address.check(self.exceptions).await?;
        let mut command = Command::new(self.program);
        command.args(["-q", "-c", &self.opened.uri]).args(arguments);
        // Nothing of the controller's environment may change what virsh does, or be read by a program that it starts.
        command.env_clear().env("LC_ALL", "C").kill_on_drop(true);
        command.envs(VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
        let stdin = if input.is_some() { Stdio::piped() } else { Stdio::null() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        command.process_group(0);
        let running = command.spawn().map_err(|error| CallError::NotMade {
            reason: format!(
                "{call}: it cannot be started: {error}; install virsh (libvirt-clients) where the controller runs"
            ),
        });
        let mut running = Group(running?);
        let (stdin, output, errors) = (running.0.stdin.take(), running.0.stdout.take(), running.0.stderr.take());
        let write = async move {
            if let (Some(mut stdin), Some(input)) = (stdin, input) {
                // A program that ends early says why.
                drop(stdin.write_all(input.as_bytes()).await);
            }
        };
        let ((), output, errors) = tokio::join!(write, text(output, OUTPUT_BYTES_LIMIT), text(errors, MAX_ERROR_BYTES));
        let broken = |reason: String| CallError::Unanswered { reason: format!("{call}: {reason}") };
        if output.len() as u64 == OUTPUT_BYTES_LIMIT {
            return Err(broken(format!("it printed more than {} MiB", OUTPUT_BYTES_LIMIT >> 20)));
        }
        let status = running.0.wait().await.map_err(|error| broken(error.to_string()))?;
        Ok(Ended { output: shown(&output), errors: shown(&errors), succeeded: status.success() })
    }
}

/// Returns the error of a call that changes nothing: it may be made again, also if it got no answer.
fn not_made(error: CallError) -> CallError {
    match error {
        CallError::Unanswered { reason } => CallError::NotMade { reason },
        error => error,
    }
}

/// Reads the beginning of an output. What cannot be read is left out.
async fn text(output: Option<impl AsyncRead + Unpin>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(output) = output {
        drop(output.take(most).read_to_end(&mut bytes).await);
    }
    bytes
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
