//! The settings of a connection: the address of Ironic, the authentication, and the pace of the calls.

use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Certificate;
use underlay_kit::causes;

use super::address::ConnectionError;
use super::auth::Auth;

/// The maximum length of a file with certificates in bytes.
const MAX_CERTIFICATE_FILE_BYTES: u64 = 1 << 20;

/// The pace of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The time within which a connection must be there.
    pub connect: Duration,
    /// The time within which an answer must be there, whole.
    pub answer: Duration,
    /// The first pause before a failed call is repeated. It doubles with each try, and a random part is added.
    pub first_pause: Duration,
    /// The upper bound of a pause, also of one that Ironic asks for by `Retry-After`.
    pub longest_pause: Duration,
    /// The number of times that a failed call is repeated.
    pub repeats: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(60),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(20),
            repeats: 6,
        }
    }
}

/// The settings of a connection to one Ironic.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The address of Ironic, such as `https://ironic.example.com:6385`, without `/v1`.
    pub url: String,
    /// The authentication.
    pub auth: Auth,
    /// A file with certificates of authorities in PEM, which are trusted besides those of the system, for Ironic and
    /// Keystone.
    pub authority: Option<PathBuf>,
    /// The pace of the calls.
    pub pace: Pace,
}

impl Connection {
    /// Returns a connection with the usual pace that trusts the authorities of the system.
    pub fn new(url: &str, auth: Auth) -> Self {
        Self { url: url.to_owned(), auth, authority: None, pace: Pace::default() }
    }

    /// Returns the HTTP client of the connection.
    ///
    /// # Errors
    /// Returns an error if the certificates cannot be read.
    pub(super) fn http(&self) -> Result<reqwest::Client, ConnectionError> {
        let mut builder = reqwest::Client::builder()
            .connect_timeout(self.pace.connect)
            .timeout(self.pace.answer)
            // A redirect would return the answer of another server.
            .redirect(reqwest::redirect::Policy::none());
        if let Some(file) = &self.authority {
            builder = authorities(file)?.into_iter().fold(builder, reqwest::ClientBuilder::add_root_certificate);
        }
        builder.build().map_err(|error| ConnectionError::Client { reason: format!("{error}: {}", causes(&error)) })
    }
}

fn authorities(file: &Path) -> Result<Vec<Certificate>, ConnectionError> {
    let wrong = |reason: String| ConnectionError::Certificate { file: file.display().to_string(), reason };
    let failed = |error: std::io::Error| wrong(error.to_string());
    let length = std::fs::metadata(file).map_err(failed)?.len();
    if length > MAX_CERTIFICATE_FILE_BYTES {
        return Err(wrong(format!("it has {length} bytes, and such a file has at most {MAX_CERTIFICATE_FILE_BYTES}")));
    }
    let none = || wrong("it must hold certificates of authorities in PEM".to_owned());
    let authorities = Certificate::from_pem_bundle(&std::fs::read(file).map_err(failed)?).map_err(|_| none())?;
    if authorities.is_empty() { Err(none()) } else { Ok(authorities) }
}
