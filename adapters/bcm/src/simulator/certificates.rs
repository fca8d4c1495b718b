//! Throw-away certificates: an authority, the simulator's own certificate, and that of a client.

use std::fs;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};
use tokio_rustls::rustls::crypto::aws_lc_rs::default_provider;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use super::SimulatorError;

/// The files with which a client connects to a simulator, named as those of BCM.
#[derive(Clone, Debug)]
pub struct Files {
    /// The client certificate.
    pub certificate: PathBuf,
    /// The private key of the client certificate.
    pub key: PathBuf,
    /// The certificate of the authority, which vouches for the simulator.
    pub authority: PathBuf,
}

/// The certificates of a simulator.
pub struct Certificates {
    authority: CertifiedIssuer<'static, KeyPair>,
    server: (rcgen::Certificate, KeyPair),
    client: (rcgen::Certificate, KeyPair),
}

impl Certificates {
    /// Makes the certificates of a simulator at an address.
    pub fn new(at: IpAddr) -> Result<Self, rcgen::Error> {
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, "Underlay BCM simulator");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let signed = |params: CertificateParams| {
            let key = KeyPair::generate()?;
            Ok::<_, rcgen::Error>((params.signed_by(&key, &authority)?, key))
        };
        let server = signed(CertificateParams::new(vec!["localhost".to_owned(), at.to_string()])?)?;
        let mut params = CertificateParams::new(Vec::new())?;
        params.distinguished_name.push(DnType::CommonName, "admin");
        let client = signed(params)?;
        Ok(Self { authority, server, client })
    }

    /// Writes what a client needs into a folder that exists.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<Files, SimulatorError> {
        let [certificate, key, authority] = ["admin.pem", "admin.key", "cacert.pem"].map(|name| folder.join(name));
        let texts = [self.client.0.pem(), self.client.1.serialize_pem(), self.authority.pem()];
        for (file, text) in [&certificate, &key, &authority].into_iter().zip(texts) {
            write(file, &text).map_err(|reason| SimulatorError::Write { file: file.clone(), reason })?;
        }
        Ok(Files { certificate, key, authority })
    }

    /// Returns the configuration of the simulator's side of connections.
    ///
    /// # Errors
    /// Returns an error if the library does not take the certificates.
    pub fn server(&self) -> Result<ServerConfig, SimulatorError> {
        let failed = |reason: String| SimulatorError::Certificates { reason };
        let mut roots = RootCertStore::empty();
        roots.add(self.authority.der().clone()).map_err(|error| failed(error.to_string()))?;
        let provider = Arc::new(default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .allow_unauthenticated()
            .build()
            .map_err(|error| failed(error.to_string()))?;
        let (certificate, key) = &self.server;
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .and_then(|builder| {
                builder.with_client_cert_verifier(verifier).with_single_cert(vec![certificate.der().clone()], key)
            })
            .map_err(|error| failed(error.to_string()))
    }
}

/// Writes a file that only its owner can read.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)?.write_all(text.as_bytes())
}
