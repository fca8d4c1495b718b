//! The address of a server, as `--server` names it.
//!
//! Guarantee: a token that is sent to such an address is encrypted on its way, or does not leave the machine.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::error::AgentError;

/// The address of a server, such as `https://underlay.example.org`. It may have a path, to which those of the server
/// are added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress(Url);

impl ServerAddress {
    /// Reads an address.
    ///
    /// # Errors
    /// Returns an error if the text is no address, or is one to which no token may be sent. It does not repeat the
    /// text, which may have a password.
    pub fn parse(text: &str) -> Result<Self, AgentError> {
        let refused = |reason: &'static str| Err(AgentError::Server { reason });
        let url = match Url::parse(text) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => url,
            _ => return refused("it must be an address such as https://underlay.example.org"),
        };
        if !url.username().is_empty() || url.password().is_some() {
            return refused("it must have no user and no password; the token is in the file that --token-file names");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refused("it must have no ? and no #, because /facts is added to it");
        }

        let address = Self(url);
        if address.0.scheme() == "http" && !address.is_local() {
            return refused(
                "a token is not sent over plain HTTP to another machine; use https://, or the address of a loopback \
                 interface",
            );
        }
        Ok(address)
    }

    /// Returns the address to which messages are posted.
    pub fn facts(&self) -> Url {
        self.with_path("/facts")
    }

    /// Returns the address to which requests to be enrolled are posted.
    pub fn enrolment(&self) -> Url {
        self.with_path("/facts/enrol")
    }

    fn with_path(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}{path}", self.0.path().trim_end_matches('/')));
        url
    }

    /// Returns whether messages to the server are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Returns whether the server is on this machine, where no proxy is used.
    pub fn is_local(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_messages_is_added_to_an_address() {
        for (text, shown, facts) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "http://127.0.0.1:8080/facts"),
            ("http://[::1]:1/", "http://[::1]:1", "http://[::1]:1/facts"),
            ("http://localhost", "http://localhost", "http://localhost/facts"),
            ("HTTPS://Example.ORG/under/lay//", "https://example.org/under/lay", "https://example.org/under/lay/facts"),
            ("https://example.org:8443", "https://example.org:8443", "https://example.org:8443/facts"),
        ] {
            let address = ServerAddress::parse(text).expect("an address");
            assert_eq!((address.to_string().as_str(), address.facts().as_str()), (shown, facts));
        }
    }

    #[test]
    fn addresses_to_which_no_token_may_be_sent_are_refused() {
        for (text, says) in [
            ("http://192.0.2.1", "a token is not sent over plain HTTP"),
            ("http://underlay.example.org/x", "a token is not sent over plain HTTP"),
            ("http://localhost.example.org", "a token is not sent over plain HTTP"),
            ("http://127.0.0.1.example.org", "a token is not sent over plain HTTP"),
            ("http://0.0.0.0", "a token is not sent over plain HTTP"),
            ("https://agent@example.org", "no user"),
            ("https://:s3cret@example.org", "no user"),
            ("https://example.org/?a=b", "no ?"),
            ("https://example.org/#a", "no #"),
            ("ftp://example.org", "an address such as"),
            ("localhost:8080", "an address such as"),
            ("example.org", "an address such as"),
            ("", "an address such as"),
        ] {
            let refused = ServerAddress::parse(text).expect_err("no address").to_string();
            assert!(refused.starts_with("--server: ") && refused.contains(says), "{text}: {refused}");
            assert!(!refused.contains("s3cret"), "{refused}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_known() {
        let local = |text: &str| ServerAddress::parse(text).expect("an address").is_local();
        assert!(local("http://127.9.9.9") && local("https://localhost:1") && local("http://[::ffff:127.0.0.1]"));
        assert!(!local("https://192.0.2.1") && !local("https://[2001:db8::1]"));
    }
}
