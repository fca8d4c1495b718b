//! Reads the output of `virsh` in the language C: what a run printed, and why it failed. The words are those of libvirt
//! 9.0.

use uuid::Uuid;

/// The words of a connection that was not made.
const NO_CONNECTION: &str = "failed to connect to the hypervisor";

/// The state of a domain, as `dominfo` prints it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    pub uuid: Uuid,
    /// True if it is on, whatever it does.
    pub is_active: bool,
    /// True if it has a definition, which stays when it is switched off.
    pub is_persistent: bool,
    /// True if its memory was saved, so that it goes on from there when it is switched on.
    pub is_saved: bool,
}

/// Reads what `dominfo` printed. The error names the line that is missing or wrong.
pub fn info_of(output: &str) -> Result<Info, &'static str> {
    let value = |name: &str| {
        let mut lines = output.lines().filter_map(|line| line.split_once(':'));
        lines.find(|(found, _)| *found == name).map(|(_, value)| value.trim())
    };
    let is_active = match value("Id") {
        Some("-") => false,
        Some(id) if !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit()) => true,
        _ => return Err("Id"),
    };
    let yes = |name: &'static str| match value(name) {
        Some("yes") => Ok(true),
        Some("no") => Ok(false),
        _ => Err(name),
    };
    Ok(Info {
        uuid: value("UUID").and_then(|uuid| Uuid::parse_str(uuid).ok()).ok_or("UUID")?,
        is_active,
        is_persistent: yes("Persistent")?,
        // A hypervisor that cannot save domains says neither yes nor no.
        is_saved: value("Managed save").ok_or("Managed save")? == "yes",
    })
}

/// The reason why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There was no connection, so nothing was done.
    NoConnection,
    /// The certificate of the hypervisor or of the controller is not accepted, so nothing was done.
    Certificate,
    /// The key of the hypervisor's SSH server is not known, so nothing was done.
    HostKey,
    /// The hypervisor does not accept the credential, or not for this call, so nothing was done.
    Credential,
    /// The hypervisor has no such driver, so nothing was done.
    NoDriver,
    /// The hypervisor has no such domain, so nothing was done.
    NoDomain,
    /// The domain was switched, or is being changed, by somebody else meanwhile, so nothing was done.
    Changed,
    /// The hypervisor answered that it does not do it.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// Returns the reason why a run failed, by what it wrote to standard error.
pub fn reason_of(errors: &str) -> Reason {
    let has = |words: &[&str]| words.iter().any(|word| errors.contains(word));
    if has(&[NO_CONNECTION]) {
        return if has(&["Host key verification failed", "REMOTE HOST IDENTIFICATION HAS CHANGED"]) {
            Reason::HostKey
        } else if has(&["ertificate", "TLS peer", "x509"]) {
            Reason::Certificate
        } else if has(&["TLS handshake failed"]) {
            Reason::NoConnection
        } else if has(&[
            "authentication failed",
            "Permission denied",
            "SASL",
            "authentication cancelled",
            "access denied",
        ]) {
            Reason::Credential
        } else if has(&["no connection driver available"]) {
            Reason::NoDriver
        } else {
            Reason::NoConnection
        };
    }
    let broken = ["End of file while reading", "annot recv data", "annot write data", "socket is closed"];
    if has(&broken) || has(&["Disconnected from", "Connection reset", "Broken pipe", "keepalive timeout"]) {
        Reason::Unknown
    } else if has(&["failed to get domain", "Domain not found"]) {
        Reason::NoDomain
    } else if has(&["access denied", "Permission denied", "peration forbidden"]) {
        Reason::Credential
    } else if has(&["already active", "not running", "annot acquire state change lock"]) {
        Reason::Changed
    } else if has(&["error: "]) {
        Reason::Refused
    } else {
        Reason::Unknown
    }
}

/// Returns true if a domain was gone when `virsh` asked for it.
pub fn is_gone(errors: &str, domain: Uuid) -> bool {
    errors.contains(&format!("failed to get domain '{domain}'"))
}

/// Returns the sentences of the errors. After a connection was made, lines without a prefix can be parts of a definition, with
/// the passwords in it, and are left out. Before that, they are those of `ssh`.
pub fn sentences(errors: &str) -> String {
    let is_connected = !errors.contains(NO_CONNECTION);
    let lines = errors.lines().map(str::trim).filter(|line| !line.is_empty());
    let message = lines.filter_map(|line| match line.strip_prefix("error: ") {
        None if is_connected => None,
        None => Some(line),
        sentence => sentence,
    });
    let message: Vec<&str> = message.collect();
    if message.is_empty() { "it printed no error".to_owned() } else { message.join("; ") }
}
