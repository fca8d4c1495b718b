//! The settings of a boot server.

use std::time::Duration;

use reqwest::Url;
use thiserror::Error;

/// The settings of a boot server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The URL under which machines reach the boot server, as [`own_url`] returns it.
    pub url: String,
    /// The site whose hosts it serves. All if absent.
    pub within: Option<String>,
    /// The places from which files may be fetched.
    pub origins: Vec<Origin>,
    /// The most connections of machines at a time.
    pub connections: usize,
    /// The bounds on time.
    pub times: Times,
}

/// The most connections of machines at a time, where nobody says otherwise: a machine has one or two.
pub const CONNECTIONS: usize = 1_024;

/// The bounds on time of a boot server. GRUB waits for 5 seconds for an answer, and a file needs two questions.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// For the answer of the server to a question.
    pub question: Duration,
    /// For the answer of the server to a report.
    pub report: Duration,
    /// For the head of an answer of an origin, with the connection.
    pub origin: Duration,
    /// For the next part of a file.
    pub part: Duration,
    /// For the head of a request, and for its body, with the idle time before it.
    pub request: Duration,
    /// For which a client may accept nothing.
    pub write: Duration,
    /// For which the text of a HEAD is kept for the GET after it.
    pub pair: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            question: Duration::from_secs(3),
            report: Duration::from_secs(10),
            origin: Duration::from_millis(1_500),
            part: Duration::from_secs(30),
            request: Duration::from_secs(30),
            write: Duration::from_secs(30),
            pair: Duration::from_secs(10),
        }
    }
}

/// A place from which files may be fetched: all URLs that begin with this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(Url);

/// The reason why a setting cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SettingsError {
    #[error("{0:?} is not a URL such as {1}")]
    NotUrl(String, &'static str),
    #[error("{0:?} must begin with {1}")]
    Scheme(String, &'static str),
    #[error("{0:?} must have no {1}")]
    Part(String, &'static str),
}

impl Origin {
    /// Reads an origin such as `https://mirror.example.com/rhel`.
    ///
    /// # Errors
    /// Returns the reason why the text is none.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let mut url = parse(text, "https://mirror.example.com/rhel")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(SettingsError::Scheme(text.to_owned(), "http:// or https://"));
        }
        // `/rhel` is a folder, and not the beginning of `/rhel-of-others`.
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        Ok(Self(url))
    }

    /// Returns true if a URL is below the origin. The parser of URLs has removed `..`, and a path in which one is escaped
    /// is below none.
    pub(crate) fn contains(&self, url: &Url) -> bool {
        let path = url.path().to_ascii_lowercase();
        let is_escaped = ["%2f", "%5c", "%2e", "\\"].iter().any(|escaped| path.contains(escaped));
        let is_plain = url.username().is_empty() && url.password().is_none() && !is_escaped;
        is_plain && url.origin() == self.0.origin() && url.path().starts_with(self.0.path())
    }
}

/// Reads the URL under which machines reach the boot server, such as `http://10.0.0.1:8090`, and returns it without a
/// slash at its end.
///
/// # Errors
/// Returns the reason why the text is none.
pub fn own_url(text: &str) -> Result<String, SettingsError> {
    let url = parse(text, "http://10.0.0.1:8090")?;
    if url.scheme() != "http" {
        return Err(SettingsError::Scheme(text.to_owned(), "http://, because GRUB has no TLS"));
    }
    if url.path() != "/" {
        return Err(SettingsError::Part(text.to_owned(), "path: GRUB forgets from where it was loaded"));
    }
    Ok(url.as_str().trim_end_matches('/').to_owned())
}

fn parse(text: &str, such_as: &'static str) -> Result<Url, SettingsError> {
    let url: Url = text.parse().map_err(|_| SettingsError::NotUrl(text.to_owned(), such_as))?;
    if !url.has_host() {
        return Err(SettingsError::NotUrl(text.to_owned(), such_as));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(SettingsError::Part(text.to_owned(), "? and no #"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(SettingsError::Part(text.to_owned(), "user and no password"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_below_an_origin_are_fetched() {
        let origin = Origin::parse("http://mirror/rhel").expect("an origin");
        for (url, is_below) in [
            ("http://mirror/rhel/9/vmlinuz", true),
            ("http://mirror:80/rhel/9/vmlinuz", true),
            ("http://MIRROR/rhel/x/../9/vmlinuz", true),
            ("http://mirror/rhel/9/vmlinuz?x=y", true),
            ("http://mirror/rhel-of-others/vmlinuz", false),
            ("http://mirror/rhel/../etc/passwd", false),
            ("http://mirror/rhel/%2e%2e/etc/passwd", false),
            ("http://mirror/rhel/%2E./etc", false),
            ("http://mirror/rhel/..%2fetc", false),
            ("http://mirror/rhel/..\\etc", false),
            ("https://mirror/rhel/9/vmlinuz", false),
            ("http://mirror:8080/rhel/9/vmlinuz", false),
            ("http://other/rhel/9/vmlinuz", false),
            ("http://mirror@other/rhel/9/vmlinuz", false),
            ("http://a:b@mirror/rhel/9/vmlinuz", false),
        ] {
            assert_eq!(origin.contains(&url.parse().expect("a URL")), is_below, "{url}");
        }
    }

    #[test]
    fn settings_that_cannot_work_are_refused() {
        assert_eq!(own_url("http://10.0.0.1:8090/"), Ok("http://10.0.0.1:8090".to_owned()));
        for (text, reason) in [
            ("10.0.0.1:8090", "is not a URL"),
            ("https://10.0.0.1", "must begin with http://"),
            ("http://10.0.0.1/boot", "must have no path"),
            ("http://10.0.0.1/?a", "must have no ?"),
            ("http://a@10.0.0.1", "must have no user"),
        ] {
            let error = own_url(text).expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        }
        for text in ["mirror", "ftp://mirror/", "http://mirror/#x", "http://a:b@mirror/"] {
            assert!(Origin::parse(text).is_err(), "{text}");
        }
    }
}
