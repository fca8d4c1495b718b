//! The connection to BCM: TLS in which both sides show certificates.

use std::path::Path;

use reqwest::{Certificate, Identity};
use underlay_kit::causes;

use crate::settings::{HostName, Settings, SettingsError};

/// The maximum length of a file with certificates or a key in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Returns a client that shows the certificate of the settings.
///
/// # Errors
/// Returns an error if a file cannot be read, or holds something else.
pub fn client(settings: &Settings) -> Result<reqwest::Client, SettingsError> {
    if settings.host_name == HostName::Any && settings.authority.is_none() {
        return Err(SettingsError::HostName);
    }
    let mut identity = read(&settings.certificate)?;
    identity.push(b'\n');
    identity.extend(read(&settings.key)?);
    let identity = Identity::from_pem(&identity).map_err(|_| {
        let reason = format!(
            "it must hold a certificate in PEM, and {} must hold its private key, without a passphrase",
            settings.key.display()
        );
        wrong(&settings.certificate, reason)
    })?;
    let mut builder = reqwest::Client::builder()
        .connect_timeout(settings.pace.connect)
        .timeout(settings.pace.answer)
        .identity(identity)
        // A redirect would return the answer of another server.
        .redirect(reqwest::redirect::Policy::none());
    if let Some(file) = &settings.authority {
        let none = || wrong(file, "it must hold certificates of authorities in PEM".to_owned());
        let authorities = Certificate::from_pem_bundle(&read(file)?).map_err(|_| none())?;
        if authorities.is_empty() {
            return Err(none());
        }
        builder = builder.tls_certs_only(authorities);
    }
    if settings.host_name == HostName::Any {
        builder = builder.tls_danger_accept_invalid_hostnames(true);
    }
    // The causes say what is wrong with a certificate.
    builder.build().map_err(|error| SettingsError::Client { reason: format!("{error}: {}", causes(&error)) })
}

fn read(file: &Path) -> Result<Vec<u8>, SettingsError> {
    let failed = |error: std::io::Error| wrong(file, error.to_string());
    let length = std::fs::metadata(file).map_err(failed)?.len();
    if length > MAX_FILE_BYTES {
        return Err(wrong(file, format!("it has {length} bytes, and such a file has at most {MAX_FILE_BYTES}")));
    }
    std::fs::read(file).map_err(failed)
}

fn wrong(file: &Path, reason: String) -> SettingsError {
    SettingsError::File { file: file.display().to_string(), reason }
}
