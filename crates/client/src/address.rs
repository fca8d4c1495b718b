//! Parses the address of a server and derives the URLs of its endpoints.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use reqwest::Url;
use thiserror::Error;

/// The address of a server: a URL without query, such as `http://127.0.0.1:8080` or `https://underlay.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress(Url);

/// The reason why a text is not the address of a server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadAddress {
    /// The text is not a URL.
    #[error("it is not a URL such as http://127.0.0.1:8080 ({0})")]
    NotUrl(String),
    /// The URL has a scheme other than `http` and `https`.
    #[error("it must begin with http:// or https://, as in http://127.0.0.1:8080; {0}:// is not supported")]
    Scheme(String),
    /// The URL has a query or a fragment, so the paths of the API cannot be appended.
    #[error("it must have no ? and no #: the address is completed with /graphql")]
    Query,
}

impl ServerAddress {
    /// Returns the URL for GraphQL requests.
    pub(crate) fn graphql(&self) -> Url {
        self.completed("/graphql")
    }

    /// Returns the URL for subscriptions over Server-Sent Events.
    pub(crate) fn stream(&self) -> Url {
        self.completed("/graphql/stream")
    }

    /// The address to which lines of items are posted.
    pub(crate) fn apply(&self) -> Url {
        self.completed("/apply")
    }

    fn completed(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let path = format!("{}{path}", url.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }

    /// Returns the socket addresses that the server can have on this machine. Returns none if it is on another machine.
    pub fn local(&self) -> Vec<SocketAddr> {
        let Some(port) = self.0.port_or_known_default().filter(|_| self.is_local()) else { return Vec::new() };
        let at = |address: IpAddr| SocketAddr::new(address, port);
        match self.0.host_str().unwrap_or_default().trim_matches(['[', ']']).parse() {
            Ok(address) => vec![at(address)],
            Err(_) => vec![at(Ipv4Addr::LOCALHOST.into()), at(Ipv6Addr::LOCALHOST.into())],
        }
    }

    /// Returns true if the server is on this machine, where requests must not use a proxy.
    pub fn is_local(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        host == "localhost" || address.is_ok_and(|address| address.is_loopback())
    }
}

impl FromStr for ServerAddress {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        // `localhost:8080` would be read as a URL of the scheme `localhost`.
        let url = match text.contains("://") {
            true => Url::parse(text).map_err(|error| BadAddress::NotUrl(error.to_string()))?,
            false => return Err(BadAddress::NotUrl("it does not begin with http://".to_owned())),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BadAddress::Scheme(url.scheme().to_owned()));
        }
        match url.query().or(url.fragment()) {
            Some(_) => Err(BadAddress::Query),
            None => Ok(Self(url)),
        }
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
    fn an_address_is_completed_to_that_of_the_api() {
        for (text, shown, graphql) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", "http://127.0.0.1:8080/graphql"),
            ("http://inventory.example/", "http://inventory.example", "http://inventory.example/graphql"),
            ("https://example.org:8443", "https://example.org:8443", "https://example.org:8443/graphql"),
            ("http://example.org/under/lay/", "http://example.org/under/lay", "http://example.org/under/lay/graphql"),
        ] {
            let address: ServerAddress = text.parse().expect("an address");
            assert_eq!((address.to_string().as_str(), address.graphql().as_str()), (shown, graphql));
            assert_eq!(address.stream().as_str(), format!("{graphql}/stream"));
        }
    }

    #[test]
    fn invalid_addresses_are_rejected() {
        for (text, expected) in [
            ("localhost:8080", "is not a URL such as http://127.0.0.1:8080"),
            ("", "is not a URL"),
            ("http://", "is not a URL"),
            ("http://host:99999", "is not a URL"),
            ("ftp://host", "ftp:// is not supported"),
            ("http://host/?a=b", "must have no ?"),
        ] {
            let refused = text.parse::<ServerAddress>().expect_err("no address").to_string();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_known() {
        let local = |text: &str| text.parse::<ServerAddress>().expect("an address").is_local();
        assert!(local("http://127.0.0.1:1") && local("http://[::1]:1") && local("http://localhost"));
        assert!(!local("http://192.0.2.1") && !local("http://localhost.example.org"));
    }
}
