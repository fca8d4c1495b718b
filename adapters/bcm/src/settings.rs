//! The settings of a BCM: where it is, how it is read, and at which site its nodes are.

use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use thiserror::Error;
use underlay_kit::{printable, shown};

/// The reason why settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The address is no URL of a BCM.
    #[error("the URL {} of BCM cannot be used: {reason}; write it like https://head.example.com:8081", shown(.url))]
    Url {
        /// The address, without what may be secret.
        url: String,
        /// The fault of the address.
        reason: String,
    },
    /// A certificate or a key cannot be used.
    #[error("the file {} cannot be used: {reason}", printable(.file))]
    File {
        /// The path of the certificate or key.
        file: String,
        /// The reason, which holds nothing of the content.
        reason: String,
    },
    /// Any host name will do, and no authorities are named, so any server of the world would do.
    #[error("any host name is allowed only with a file of authorities, which alone can vouch for BCM then")]
    HostName,
    /// The site has no name.
    #[error("the site is empty: give the name of the site where the nodes of BCM are")]
    Site,
    /// The HTTP client cannot be made.
    #[error("the client of BCM cannot be made: {reason}")]
    Client {
        /// The reason that the library gives.
        reason: String,
    },
}

/// The check of the host name in the certificate of BCM.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HostName {
    /// The certificate must hold the host name of the address.
    #[default]
    Checked,
    /// Any host name will do. One of the authorities that are named must still have signed the certificate. BCM makes
    /// certificates that hold no host name.
    Any,
}

/// The pace of the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// The time within which a connection must be there.
    pub connect: Duration,
    /// The time within which an answer must be there, whole.
    pub answer: Duration,
    /// The first pause before a failed call is repeated. It doubles with each try, and a random part is added.
    pub first_pause: Duration,
    /// The upper bound of a pause, also of one that BCM asks for by `Retry-After`.
    pub longest_pause: Duration,
    /// The number of times that a failed call is repeated.
    pub repeats: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            repeats: 5,
        }
    }
}

/// The settings of a BCM.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the source, under which external references are written.
    pub source: String,
    /// The address of BCM, such as `https://head.example.com:8081`, without `/json`.
    pub url: String,
    /// The client certificate by which BCM knows the caller, in PEM, with the certificates between it and its
    /// authority.
    pub certificate: PathBuf,
    /// The private key of the client certificate, in PEM.
    pub key: PathBuf,
    /// The certificates of the authorities that alone may vouch for BCM, in PEM. `None` trusts those of the system.
    pub authority: Option<PathBuf>,
    /// The check of the host name in the certificate of BCM.
    pub host_name: HostName,
    /// The name of the site where the racks and nodes are. It must exist, because BCM knows no sites.
    pub site: String,
    /// The pace of the calls.
    pub pace: Pace,
}

/// Returns the address of BCM, which ends with a slash.
///
/// # Errors
/// Returns an error if the text is no https address, or holds a user or a query.
pub(crate) fn base(text: &str) -> Result<Url, SettingsError> {
    let wrong = |url: &str, reason: &str| SettingsError::Url { url: url.to_owned(), reason: reason.to_owned() };
    let mut url = Url::parse(text.trim()).map_err(|error| wrong(text, &error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(url.host_str().unwrap_or_default(), "it must hold neither a user nor a password"));
    }
    if url.scheme() != "https" || url.host_str().is_none() {
        return Err(wrong(text, "it must begin with https://, because BCM knows callers by their certificates"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(text, "it must not have a query"));
    }
    let path = url.path().trim_end_matches('/');
    let path = format!("{}/", path.strip_suffix("/json").unwrap_or(path));
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form() {
        for (text, expected) in [
            ("https://head:8081", "https://head:8081/"),
            ("https://head:8081/json", "https://head:8081/"),
            ("https://proxy/bcm//", "https://proxy/bcm/"),
        ] {
            assert_eq!(base(text).expect("a URL").as_str(), expected);
        }
        for text in ["", "head", "http://head:8081", "https://head/?a=b", "https://me:secret@head"] {
            let refused = base(text).expect_err("no URL").to_string();
            assert!(refused.contains("write it like") && !refused.contains("secret"), "{refused}");
        }
    }
}
