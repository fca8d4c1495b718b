//! Finds out how the connection of a request is protected. Only this module decides it.
//!
//! Guarantee: a header of a proxy counts only if the configuration names the proxy. A request that a proxy forwarded is
//! never taken for one of a client on this machine, and neither is one that names another host than a loopback name or
//! address.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use underlay_address::Network;

use super::Service;
use super::local_peer::{Ends, is_forwarded, is_loopback_host, names_only, only};
use underlay_engine::access::Channel;

/// The header in which a proxy names the scheme that its client uses.
const SCHEME: &str = "x-forwarded-proto";

/// The transport of a connection, on which HTTP runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// TCP alone.
    Tcp,
    /// TLS on TCP.
    Tls,
}

impl FromRequestParts<Service> for Channel {
    type Rejection = Infallible;

    async fn from_request_parts(asked: &mut Parts, service: &Service) -> Result<Self, Infallible> {
        let (ends, transport) = (asked.extensions.get::<Ends>(), asked.extensions.get::<Transport>());
        Ok(match (ends, transport) {
            (Some(ends), Some(transport)) => judge(*ends, *transport, asked, &service.trusted_proxies),
            _ => Self::Plain,
        })
    }
}

fn judge(ends: Ends, transport: Transport, asked: &Parts, trusted: &[Network]) -> Channel {
    let headers = &asked.headers;
    let peer = ends.there.ip().to_canonical();
    let is_protected = match (is_forwarded(headers), transport) {
        // The client of the proxy decides, whatever the proxy itself uses.
        (true, _) => {
            let is_trusted = trusted.iter().any(|network| network.contains(peer));
            is_trusted && only(headers, SCHEME).is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
        }
        (false, Transport::Tls) => true,
        // A proxy on this machine that adds no header of its own still passes on the name that its client used.
        (false, Transport::Tcp) => peer.is_loopback() && names_only(&asked.uri, headers, is_loopback_host),
    };
    if is_protected { Channel::Protected } else { Channel::Plain }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue, Request};

    use super::*;

    #[test]
    fn only_tls_this_machine_and_trusted_proxies_are_protected() {
        let trusted: Vec<Network> = ["10.0.0.0/24", "127.0.0.1"].map(|it| it.parse().expect("a network")).to_vec();
        let https = ("x-forwarded-proto", "https");
        let http = ("x-forwarded-proto", "http");
        let forwarded = ("x-forwarded-for", "203.0.113.9");
        for (peer, transport, headers, protected) in [
            ("127.0.0.1", Transport::Tcp, &[][..], true),
            ("::1", Transport::Tcp, &[], true),
            ("::ffff:127.0.0.1", Transport::Tcp, &[], true),
            ("203.0.113.9", Transport::Tcp, &[], false),
            ("10.0.0.7", Transport::Tcp, &[], false),
            ("203.0.113.9", Transport::Tls, &[], true),
            // A trusted proxy speaks for its client.
            ("10.0.0.7", Transport::Tcp, &[https], true),
            ("10.0.0.7", Transport::Tcp, &[("x-forwarded-proto", " HTTPS ")], true),
            ("::ffff:10.0.0.7", Transport::Tcp, &[https], true),
            ("10.0.0.7", Transport::Tcp, &[http], false),
            ("10.0.0.7", Transport::Tls, &[http], false),
            ("10.0.0.7", Transport::Tcp, &[forwarded], false),
            ("10.0.0.7", Transport::Tcp, &[https, http], false),
            ("10.0.0.7", Transport::Tcp, &[("x-forwarded-proto", "https, http")], false),
            ("10.0.0.7", Transport::Tcp, &[("x-forwarded-proto", "https,https")], false),
            ("10.0.0.7", Transport::Tcp, &[("x-forwarded-proto", "")], false),
            // Nobody else does.
            ("10.0.1.7", Transport::Tcp, &[https], false),
            ("203.0.113.9", Transport::Tcp, &[https, forwarded], false),
            // A proxy on this machine is a proxy.
            ("127.0.0.1", Transport::Tcp, &[https], true),
            ("127.0.0.1", Transport::Tcp, &[http], false),
            ("127.0.0.1", Transport::Tcp, &[("via", "1.1 proxy")], false),
            ("127.0.0.1", Transport::Tcp, &[("cf-ray", "8f1a2b3c4d5e6f70-AMS")], false),
            ("127.0.0.1", Transport::Tcp, &[("cdn-loop", "cloudflare")], false),
            ("127.0.0.1", Transport::Tcp, &[("host", "[::1]:8080")], true),
            ("127.0.0.1", Transport::Tcp, &[("host", "underlay.example.org")], false),
            ("127.0.0.1", Transport::Tcp, &[("host", "localhost"), ("host", "localhost")], false),
            ("203.0.113.9", Transport::Tls, &[("host", "underlay.example.org")], true),
            ("127.0.0.1", Transport::Tcp, &[("host", "underlay.example.org"), https], true),
            ("127.0.0.2", Transport::Tcp, &[https], false),
            ("::1", Transport::Tcp, &[("forwarded", "proto=https")], false),
        ] {
            let there = std::net::SocketAddr::new(peer.parse().expect("an address"), 50_000);
            let mut asked = Request::get("/graphql").body(()).expect("a request").into_parts().0;
            // A case that says nothing of the host is one of a client on this machine.
            let host = ("host", "localhost:8080");
            let is_named = headers.iter().any(|(name, _)| *name == "host");
            for (name, value) in headers.iter().chain((!is_named).then_some(&host)) {
                asked.headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
            }
            let found = judge(Ends { here: there, there }, transport, &asked, &trusted);
            assert_eq!(found == Channel::Protected, protected, "{peer} {transport:?} {headers:?}");
        }
    }
}
