//! TLS with certificates from files. The files are read again when they change, so certificates are renewed without a
//! restart.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use thiserror::Error;
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};
use tracing::{info, warn};

/// The time between two checks of the files.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// The reason for which TLS cannot be set up.
#[derive(Debug, Error)]
pub enum TlsError {
    #[error("the certificates in {file} cannot be read: {reason}")]
    Certificates { file: String, reason: String },
    #[error("the private key in {file} cannot be read: {reason}")]
    Key { file: String, reason: String },
    #[error(
        "the key in {key} and the certificate in {certificates} do not belong together, or cannot be used: {error}"
    )]
    Mismatch { certificates: String, key: String, error: rustls::Error },
    #[error("TLS cannot be set up: {0}")]
    Setup(rustls::Error),
}

/// The files with the certificates and the private key, in PEM. The server's own certificate comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    pub certificates: PathBuf,
    pub key: PathBuf,
}

/// The current certificate.
#[derive(Debug)]
struct Current(RwLock<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }
}

/// Returns an acceptor with these certificates, and a future without an end that renews them.
///
/// # Errors
/// Returns an error if the certificates cannot be used.
pub fn acceptor(files: Files) -> Result<(TlsAcceptor, impl Future<Output = ()> + Send + 'static), TlsError> {
    let seen = changed(&files);
    let current = Arc::new(Current(RwLock::new(Arc::new(read(&files)?))));
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(TlsError::Setup)?
        .with_no_client_auth();
    let mut config = config.with_cert_resolver(Arc::clone(&current) as Arc<dyn ResolvesServerCert>);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok((TlsAcceptor::from(Arc::new(config)), look_after(files, current, seen)))
}

async fn look_after(files: Files, current: Arc<Current>, mut seen: [Option<SystemTime>; 2]) {
    loop {
        sleep(FILE_CHECK_INTERVAL).await;
        let now = changed(&files);
        if now == seen {
            continue;
        }
        seen = now;
        // The two files are not written at once. Files that do not match yet are read again when the other one changes.
        match read(&files) {
            Ok(key) => {
                *current.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(key);
                info!(file = %files.certificates.display(), "new certificates are in use");
            }
            Err(error) => warn!(%error, "the certificates changed and cannot be used; the old ones stay in use"),
        }
    }
}

fn changed(files: &Files) -> [Option<SystemTime>; 2] {
    let time = |file: &Path| std::fs::metadata(file).and_then(|found| found.modified()).ok();
    [time(&files.certificates), time(&files.key)]
}

fn read(files: &Files) -> Result<CertifiedKey, TlsError> {
    let (certificates, key) = (files.certificates.display().to_string(), files.key.display().to_string());
    let unreadable = |reason: String| TlsError::Certificates { file: certificates.clone(), reason };
    let chain: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(&files.certificates).map_err(|error| unreadable(error.to_string()))?.collect();
    let chain = chain.map_err(|error| unreadable(error.to_string()))?;
    if chain.is_empty() {
        return Err(unreadable("the file has no certificate".to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| TlsError::Key { file: key.clone(), reason: error.to_string() })?;
    CertifiedKey::from_der(chain, secret, &aws_lc_rs::default_provider()).map_err(|error| TlsError::Mismatch {
        certificates,
        key,
        error,
    })
}
