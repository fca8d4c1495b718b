//! The credential of a hypervisor, as `virsh` takes it: parameters of the URI, and files in a folder that only the user of
//! the controller can read. The folder goes when the call ends.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use underlay_address::Transport;

use super::domain_address::DomainAddress;
use super::refused;
use crate::machine::{CallError, Key, Secret, Target};

/// The file of the authorities that libvirt trusts (its page "TLS", of version 9.0).
pub const AUTHORITIES: &str = "/etc/pki/CA/cacert.pem";

/// A connection that can be opened.
#[derive(Debug)]
pub struct Opened {
    /// The URI of the connection.
    pub uri: String,
    /// The folder with the files that the URI names.
    _folder: Option<TempDir>,
}

/// The files for a connection, and the parameters that name them.
#[derive(Default)]
struct Files {
    folder: Option<TempDir>,
    parameters: Vec<(&'static str, String)>,
}

impl Files {
    /// Writes a file, and returns its path.
    fn write(&mut self, name: &str, text: &str) -> io::Result<PathBuf> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => private_folder()?,
        };
        let path = self.folder.insert(folder).path().join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        file.write_all(text.trim_end().as_bytes())?;
        // OpenSSH refuses a key without a line end.
        file.write_all(b"\n")?;
        Ok(path)
    }

    fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.parameters.push((name, value.into()));
    }

    /// Adds the certificates of a connection over TLS. libvirt takes either all from one folder, or all from the usual
    /// places of the controller's system.
    fn certificates(&mut self, key: Option<&Key>, trusted: Option<&str>, usual: &Path) -> io::Result<()> {
        if key.is_none() && trusted.is_none() {
            return Ok(());
        }
        let usual = match std::fs::read_to_string(usual) {
            Ok(usual) => usual,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let authorities = format!("{}\n{usual}", trusted.unwrap_or_default());
        let path = self.write("cacert.pem", &authorities)?;
        if let Some(Key { certificate: Some(certificate), private, .. }) = key {
            self.write("clientcert.pem", certificate)?;
            self.write("clientkey.pem", private)?;
        }
        let folder = path.parent().unwrap_or(&path).display().to_string();
        self.add("pkipath", folder);
        Ok(())
    }

    /// Adds a file with a password, in the form of libvirt's page "Client access control", `auth.conf`.
    fn password(&mut self, secret: &Secret) -> io::Result<()> {
        let (user, password) = (&secret.username, &secret.password);
        let text = format!(
            "[credentials-underlay]\nusername={user}\nauthname={user}\npassword={password}\n[auth-libvirt-default]\n\
             credentials=underlay\n"
        );
        let path = self.write("auth.conf", &text)?;
        self.add("authfile", path.display().to_string());
        Ok(())
    }

    fn ssh_key(&mut self, key: &Key) -> io::Result<()> {
        let path = self.write("key", &key.private)?;
        self.add("keyfile", path.display().to_string());
        Ok(())
    }
}

fn private_folder() -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("underlay-libvirt-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

/// Returns a connection to a place with the credential of a target. `usual` is the file of the authorities that are trusted
/// besides those of the host.
///
/// # Errors
/// Returns an error if the credential does not fit the transport, or if its files cannot be written.
pub fn open(address: &DomainAddress, target: &Target, usual: &Path) -> Result<Opened, CallError> {
    let unwritten = |error: io::Error| CallError::NotMade {
        reason: format!("{}: the files for virsh cannot be written: {error}", address.appliance),
    };
    let secret = target.secret.as_ref();
    fit(address, secret)?;
    let key = secret.and_then(|secret| secret.key.as_ref());
    let mut files = Files::default();
    let user = match address.transport {
        Transport::Ssh => {
            // Nobody is there to answer a question, such as that about an unknown host key.
            files.add("no_tty", "1");
            key.map_or(Ok(()), |key| files.ssh_key(key)).map_err(unwritten)?;
            secret.map(|secret| secret.username.as_str()).filter(|user| !user.is_empty())
        }
        transport => {
            let password = secret.filter(|secret| secret.key.is_none());
            password.map_or(Ok(()), |secret| files.password(secret)).map_err(unwritten)?;
            if transport == Transport::Tls {
                files.certificates(key, target.trusted_cas.as_deref(), usual).map_err(unwritten)?;
            }
            None
        }
    };
    if target.insecure && address.transport != Transport::Tcp {
        files.add("no_verify", "1");
    }
    Ok(Opened { uri: address.uri(user, &files.parameters), _folder: files.folder })
}

/// Refuses a credential that a transport cannot use.
fn fit(address: &DomainAddress, secret: Option<&Secret>) -> Result<(), CallError> {
    let Some(secret) = secret else { return Ok(()) };
    let reason = match (address.transport, &secret.key) {
        (Transport::Ssh, None) => "SSH takes no password here: give bmcCredential the type SSH_KEY",
        (Transport::Ssh, Some(Key { certificate: Some(_), .. })) => {
            "SSH takes no certificate: give bmcCredential the type SSH_KEY"
        }
        (Transport::Ssh, Some(Key { passphrase: Some(_), .. })) => {
            "a key with a passphrase cannot be used, because nobody is there to enter it: set a key without one"
        }
        (Transport::Tls, Some(Key { certificate: None, .. })) => {
            "TLS takes a certificate with its key: give bmcCredential the type TLS, or BASIC for a password"
        }
        (Transport::Tcp, Some(_)) => {
            "TCP takes no key: use libvirt+tls:// or libvirt+ssh:// in bmcUrl, or a bmcCredential of the type BASIC"
        }
        // These would end the line of a file.
        _ if [&secret.username, &secret.password].iter().any(|text| text.contains(char::is_control)) => {
            "the user name or the password has a control character"
        }
        _ => return Ok(()),
    };
    Err(refused("WrongCredential", format!("{}: {reason}", address.appliance)))
}
