//! Addresses of services, and the reasons why a connection cannot be used.

use reqwest::Url;
use thiserror::Error;
use underlay_kit::{printable, shown};

/// The reason why a connection cannot be used.
#[derive(Debug, Error)]
pub enum ConnectionError {
    /// The address is no URL.
    #[error("the URL {} of {of} cannot be used: {reason}; write it like {example}", shown(.url))]
    Url {
        /// The service.
        of: &'static str,
        /// The address, without what may be secret.
        url: String,
        reason: String,
        /// An address as it should be.
        example: &'static str,
    },
    /// The certificates of the authorities cannot be used.
    #[error("the file {} cannot be used: {reason}", printable(.file))]
    Certificate { file: String, reason: String },
    /// The HTTP client cannot be made.
    #[error("the client of Ironic cannot be made: {reason}")]
    Client {
        /// The reason that the library gives.
        reason: String,
    },
}

/// Returns the address of a service without its version at the end. The address ends with a slash.
///
/// # Errors
/// Returns an error if the text is no http or https address, or holds a user or a query.
pub(super) fn base(of: &'static str, text: &str, version: &str, example: &'static str) -> Result<Url, ConnectionError> {
    let wrong =
        |url: &str, reason: &str| ConnectionError::Url { of, url: url.to_owned(), reason: reason.to_owned(), example };
    let mut url = Url::parse(text.trim()).map_err(|error| wrong(text, &error.to_string()))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong(url.host_str().unwrap_or_default(), "it must hold neither a user nor a password"));
    }
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return Err(wrong(text, "it must begin with http:// or https://"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong(text, "it must not have a query"));
    }
    let path = url.path().trim_end_matches('/');
    let path = format!("{}/", path.strip_suffix(version).unwrap_or(path).trim_end_matches('/'));
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "https://ironic.example.com:6385";

    #[test]
    fn addresses_have_one_form() {
        for (text, expected) in [
            ("https://ironic.example.com:6385", "https://ironic.example.com:6385/"),
            ("http://10.0.0.1:6385/v1/", "http://10.0.0.1:6385/"),
            ("https://cloud/baremetal/v1", "https://cloud/baremetal/"),
        ] {
            assert_eq!(base("Ironic", text, "/v1", EXAMPLE).expect("a URL").as_str(), expected);
        }
        for text in ["", "ironic", "ftp://host", "https://host/?a=b", "https://me:secret@host"] {
            let refused = base("Ironic", text, "/v1", EXAMPLE).expect_err("no URL").to_string();
            assert!(refused.contains("write it like") && !refused.contains("secret"), "{refused}");
        }
    }
}
