//! A `libvirtd` of the tests with the test driver, whose domains exist in its memory.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Stdio;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, ExtendedKeyUsagePurpose, IsCa, KeyPair};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use underlay_testing::{HANG, free_port, until};

use super::*;
use crate::machine::{Key, Secret};

/// The number of attempts to get free ports. Others can take them first.
const MAX_ATTEMPTS: usize = 5;

/// An authority of certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate"))
    }

    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// Returns a certificate for a name, and its key, both in PEM.
    pub fn certify(&self, name: &str, purpose: ExtendedKeyUsagePurpose) -> (String, String) {
        let mut params = CertificateParams::new(vec![name.to_owned()]).expect("a name");
        params.extended_key_usages = vec![purpose];
        let key = KeyPair::generate().expect("a key");
        (params.signed_by(&key, &self.0).expect("a certificate").pem(), key.serialize_pem())
    }

    /// Returns the credential of a client.
    pub fn client(&self) -> Secret {
        let (certificate, private) = self.certify("controller", ExtendedKeyUsagePurpose::ClientAuth);
        let key = Key { private, certificate: Some(certificate), passphrase: None };
        Secret { key: Some(key), ..Secret::default() }
    }
}

/// A running `libvirtd`.
pub struct Libvirtd {
    tcp: u16,
    tls: u16,
    pub authority: Authority,
    folder: TempDir,
    _running: Child,
    /// The test driver forgets its domains when nobody is connected.
    _connected: Child,
}

impl Libvirtd {
    /// Starts one with a domain that runs, whose UUID is [`DOMAIN`]. The certificate is for a name.
    pub async fn start(name: &str) -> Self {
        for _ in 0..MAX_ATTEMPTS {
            if let Some(started) = Self::try_start(name).await {
                return started;
            }
        }
        panic!("libvirtd does not start")
    }

    async fn try_start(name: &str) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        // It cannot say which ports it got.
        let (tcp, tls) = (free_port(), free_port());
        let authority = Authority::new();
        let (certificate, key) = authority.certify(name, ExtendedKeyUsagePurpose::ServerAuth);
        for (name, text) in [("ca.pem", &authority.pem()), ("cert.pem", &certificate), ("key.pem", &key)] {
            std::fs::write(at(name), text).expect("a file");
        }
        // Without drivers in files it has those that are built in, and the test driver is.
        for name in ["none", "run"] {
            std::fs::create_dir(at(name)).expect("a folder");
        }
        let path = |name: &str| at(name).display().to_string();
        let settings = format!(
            "listen_tls = 1\nlisten_tcp = 1\ntcp_port = \"{tcp}\"\ntls_port = \"{tls}\"\nlisten_addr = \"127.0.0.1\"\n\
             auth_tcp = \"none\"\nauth_tls = \"none\"\nauth_unix_ro = \"none\"\nauth_unix_rw = \"none\"\n\
             unix_sock_dir = \"{}\"\nunix_sock_rw_perms = \"0700\"\nkey_file = \"{}\"\ncert_file = \"{}\"\nca_file = \"{}\"\n\
             log_outputs = \"3:file:{}\"\n",
            path("run"),
            path("key.pem"),
            path("cert.pem"),
            path("ca.pem"),
            path("log"),
        );
        std::fs::write(at("libvirtd.conf"), settings).expect("a file");
        let program = if PathBuf::from("/usr/sbin/libvirtd").exists() { "/usr/sbin/libvirtd" } else { "libvirtd" };
        let mut command = Command::new(program);
        command.arg("-f").arg(at("libvirtd.conf")).arg("-p").arg(at("pid")).arg("-l");
        command.env("LIBVIRT_DRIVER_DIR", at("none")).env("HOME", folder.path()).env("XDG_RUNTIME_DIR", at("run"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
        let mut running = command.spawn().expect("libvirtd starts");
        let listens = until("it listens or ends", async || {
            let is_open = |port: u16| TcpStream::connect(("127.0.0.1", port)).is_ok();
            match running.try_wait().expect("its state") {
                Some(_) => Some(false),
                None => (is_open(tcp) && is_open(tls)).then_some(true),
            }
        });
        if !listens.await {
            return None;
        }
        let uri = format!("test+tcp://127.0.0.1:{tcp}/default");
        let mut command = Command::new("virsh");
        command.args(["-q", "-c", &uri, "uri; event --all --loop"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        let mut connected = command.spawn().expect("virsh starts");
        let mut lines = BufReader::new(connected.stdout.take().expect("its output")).lines();
        let is_connected = async {
            while let Some(line) = lines.next_line().await.expect("a line") {
                if line == uri {
                    return true;
                }
            }
            false
        };
        assert!(timeout(HANG, is_connected).await.expect("it connects"), "it connects");
        // It prints a line for each event, and ends if nobody reads it.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Some(Self { tcp, tls, authority, folder, _running: running, _connected: connected })
    }

    /// Returns its folder.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Returns all of its domains over TCP.
    pub fn appliance(&self) -> Target {
        let url = format!("libvirt+tcp://127.0.0.1:{}/system?driver=test", self.tcp);
        Target { url, ..Target::default() }
    }

    /// Returns a domain over TCP.
    pub fn domain(&self, uuid: &str) -> Target {
        let appliance = self.appliance();
        Target { url: format!("{}#{uuid}", appliance.url), ..appliance }
    }

    /// Returns the domain over TLS, with a credential.
    pub fn over_tls(&self, host: &str, secret: Option<Secret>) -> Target {
        let url = format!("libvirt+tls://{host}:{}/system?driver=test#{DOMAIN}", self.tls);
        Target { url, secret, trusted_cas: Some(self.authority.pem()), ..Target::default() }
    }

    /// Runs a command, as an administrator of the hypervisor does, and returns what it prints.
    pub async fn virsh(&self, arguments: &[&str]) -> String {
        let mut command = Command::new("virsh");
        command.args(["-q", "-c", &format!("test+tcp://127.0.0.1:{}/default", self.tcp)]).args(arguments);
        let ended = command.kill_on_drop(true).output();
        let ended = timeout(HANG, ended).await.expect("it ends").expect("virsh starts");
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success(), "{arguments:?}: {errors}");
        String::from_utf8(ended.stdout).expect("text")
    }
}
