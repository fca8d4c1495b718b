//! The settings of a NetBox: where it is, how it is read, and what is taken from it.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;
use thiserror::Error;
use underlay_kit::{printable, shown};

use crate::words::{Words, WordsError};

/// The maximum length of the file of a token in bytes.
const MAX_TOKEN_BYTES: usize = 4_096;

/// The reason why settings cannot be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The address is no URL of a NetBox.
    #[error("the URL {} of NetBox cannot be used: {reason}; write it like https://netbox.example.com", shown(.url))]
    Url {
        /// The address, without what may be secret.
        url: String,
        /// The fault of the address.
        reason: String,
    },
    /// The certificate of the authority cannot be read.
    #[error("the certificate {} cannot be read: {reason}", printable(.file))]
    Certificate {
        /// The path of the certificate.
        file: String,
        /// The reason, as the operating system or the library names it.
        reason: String,
    },
    /// The word lists cannot be read.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// The HTTP client cannot be made.
    #[error("the client of NetBox cannot be made: {reason}")]
    Client {
        /// The reason that the library gives.
        reason: String,
    },
}

/// The use of NetBox's tenants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tenants {
    /// The tenant of an object is only a label. The field `tenant`, which is a border of access, is not written.
    #[default]
    Label,
    /// The slug of the tenant is written to the field `tenant` too.
    Border,
}

/// The place where the token is.
#[derive(Clone)]
pub enum TokenSource {
    /// A file, which is read again for each call, so that a token can be renewed.
    File(PathBuf),
    /// The token itself, which the environment gave.
    Text(String),
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(out, "the file {}", path.display()),
            Self::Text(_) => out.write_str("a token"),
        }
    }
}

impl TokenSource {
    /// Returns the value of the header that authenticates a call.
    ///
    /// # Errors
    /// Returns a sentence that never holds the token.
    pub(crate) async fn header(&self) -> Result<HeaderValue, String> {
        let text = match self {
            Self::Text(text) => text.clone(),
            Self::File(path) => {
                let read = tokio::fs::read(path).await;
                let bytes =
                    read.map_err(|error| format!("the token file {} cannot be read: {error}", path.display()))?;
                let text = String::from_utf8(bytes).ok().filter(|text| text.len() <= MAX_TOKEN_BYTES);
                text.ok_or_else(|| format!("the token file {} must hold one token and nothing else", path.display()))?
            }
        };
        let token = text.trim();
        if token.is_empty() {
            return Err("the token is empty: create one in NetBox, and put it into the token file".to_owned());
        }
        if is_web_token(token) {
            return Err(
                "the token for NetBox is one of an Underlay server: --netbox-token-file and NETBOX_TOKEN are for \
                        the token of NetBox, --token-file is for that of the Underlay server"
                    .to_owned(),
            );
        }
        let scheme = if token.starts_with("nbt_") { "Bearer" } else { "Token" };
        let mut header = HeaderValue::from_str(&format!("{scheme} {token}"))
            .map_err(|_| "the token holds characters that no token has".to_owned())?;
        header.set_sensitive(true);
        Ok(header)
    }
}

/// Returns true if a token is a JSON Web Token. Underlay's tokens are such; NetBox issues none.
fn is_web_token(token: &str) -> bool {
    token.starts_with("eyJ") && token.split('.').count() == 3
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
    /// The upper bound of a pause, also of one that NetBox asks for by `Retry-After`.
    pub longest_pause: Duration,
    /// The number of times that a failed call is repeated.
    pub repeats: usize,
    /// The time between two looks at the changes.
    pub hints: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            answer: Duration::from_secs(120),
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(30),
            repeats: 5,
            hints: Duration::from_secs(10),
        }
    }
}

/// The settings of a NetBox.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The name of the source, under which external references are written.
    pub source: String,
    /// The address of NetBox, such as `https://netbox.example.com`, without `/api`.
    pub url: String,
    /// The place from which the token is read.
    pub token: TokenSource,
    /// A file with certificates of authorities in PEM, for a NetBox that no public authority vouches for.
    pub authority: Option<PathBuf>,
    /// The use of tenants.
    pub tenants: Tenants,
    /// The word lists.
    pub words: Words,
    /// The pace of the calls.
    pub pace: Pace,
}

impl Settings {
    /// Returns the usual settings.
    ///
    /// # Errors
    /// Returns an error if the word lists that come with this crate cannot be read, which a test excludes.
    pub fn new(source: &str, url: &str, token: TokenSource) -> Result<Self, SettingsError> {
        Ok(Self {
            source: source.to_owned(),
            url: url.to_owned(),
            token,
            authority: None,
            tenants: Tenants::Label,
            words: Words::new(None)?,
            pace: Pace::default(),
        })
    }
}

/// Returns the address of NetBox, which ends with a slash.
///
/// # Errors
/// Returns an error if the text is no http or https address, or holds a user or a query.
pub(crate) fn base(text: &str) -> Result<Url, SettingsError> {
    let wrong = |url: &str, reason: &str| SettingsError::Url { url: url.to_owned(), reason: reason.to_owned() };
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
    let path = format!("{}/", path.strip_suffix("/api").unwrap_or(path));
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_one_form() {
        for (text, expected) in [
            ("https://netbox.example.com", "https://netbox.example.com/"),
            ("https://netbox.example.com/api/", "https://netbox.example.com/"),
            ("http://host:8000/netbox/", "http://host:8000/netbox/"),
        ] {
            assert_eq!(base(text).expect("a URL").as_str(), expected);
        }
        for text in ["", "netbox", "ftp://host", "https://host/?a=b", "https://me:secret@host"] {
            let refused = base(text).expect_err("no URL").to_string();
            assert!(refused.contains("write it like") && !refused.contains("secret"), "{refused}");
        }
    }

    #[tokio::test]
    async fn the_scheme_follows_the_token() {
        for (text, expected) in [("abc\n", "Token abc"), ("nbt_key.secret", "Bearer nbt_key.secret")] {
            let source = TokenSource::Text(text.to_owned());
            let header = source.header().await.expect("a header");
            assert_eq!(header, expected);
            assert!(!format!("{source:?} {header:?}").contains(text.trim()));
        }
        let refused = TokenSource::Text(" \n".to_owned()).header().await.expect_err("empty");
        assert!(refused.contains("the token is empty"), "{refused}");
        let mixed_up = TokenSource::Text("eyJhbGciOiJFUzI1NiJ9.e30.c2ln".to_owned());
        let refused = mixed_up.header().await.expect_err("it is a token of Underlay");
        assert!(refused.contains("--token-file is for that of the Underlay server"), "{refused}");
        assert!(!refused.contains("eyJ"), "{refused}");
        let missing = TokenSource::File("/nowhere/token".into()).header().await.expect_err("missing");
        assert!(missing.contains("/nowhere/token"), "{missing}");
    }
}
