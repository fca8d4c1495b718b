//! The check that a request comes from a page of this server, in a browser of the very user that runs it, on this machine.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderMap, Uri, Version, header};
use tracing::debug;

use underlay_engine::access::{Grant, Role, SigningKey};

/// The lifetime of the page's token.
const TOKEN_LIFETIME: Duration = Duration::from_secs(3600);
/// Headers of proxies, besides those that begin with one of [`FORWARDED_PREFIXES`].
const FORWARDED: [&str; 8] = [
    "forwarded",
    "via",
    "cdn-loop",
    "x-real-ip",
    "x-client-ip",
    "true-client-ip",
    "x-cluster-client-ip",
    "fastly-client-ip",
];
/// The beginnings of further headers of proxies, such as `cf-ray` and `cf-connecting-ip`.
const FORWARDED_PREFIXES: [&str; 4] = ["x-forwarded", "x-original-", "x-envoy-", "cf-"];
/// The headers that a browser sends itself with a request of a script to the page's own origin (Fetch Metadata Request
/// Headers, W3C), with their values. A script cannot set them.
const OF_OWN_PAGE: [(&str, &[&str]); 3] = [
    ("sec-fetch-mode", &["cors", "same-origin"]),
    ("sec-fetch-dest", &["empty"]),
    ("sec-fetch-site", &["same-origin"]),
];
/// The user id that Linux shows for users of other user namespaces, unless the system says otherwise.
#[cfg(target_os = "linux")]
const OVERFLOW_USER: u32 = 65_534;

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// The address of this server.
    pub here: SocketAddr,
    /// The address of the client.
    pub there: SocketAddr,
}

impl Ends {
    /// Returns true if a host is the address of this server.
    pub fn is_here(&self, host: &str) -> bool {
        ip(host).is_some_and(|address| address.to_canonical() == self.here.ip().to_canonical())
    }
}

/// Returns a token for the page, in the name of the user that runs this server.
pub fn token(key: &SigningKey, role: Role) -> Option<String> {
    key.sign(&Grant::of_page(role, TOKEN_LIFETIME)).map_err(|error| debug!(%error, "no token for the page")).ok()
}

/// Returns true if a request comes directly from a page of this server at a loopback address, in a browser of the user
/// that runs this server.
///
/// A host name that is not a loopback name is rejected, because a foreign page can make its own name resolve to this
/// address. A URL with a host in it is rejected too, because only clients of proxies send one.
pub fn is_page_of_own_user(ends: Ends, asked: &Parts) -> bool {
    is_local(ends, asked) && is_of_own_page(&asked.headers) && user_is_own(ends)
}

/// Returns true if a request came directly from this machine, to a loopback name or address.
fn is_local(ends: Ends, asked: &Parts) -> bool {
    let headers = &asked.headers;
    let is_direct = asked.version == Version::HTTP_11 && asked.uri.authority().is_none() && !is_forwarded(headers);
    is_direct && ends.there.ip().to_canonical().is_loopback() && names_only(&asked.uri, headers, is_loopback_host)
}

/// Returns true if a proxy forwarded the request.
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    let is_of_a_proxy = |name: &str| {
        FORWARDED.contains(&name) || FORWARDED_PREFIXES.iter().any(|beginning| name.starts_with(beginning))
    };
    headers.keys().any(|name| is_of_a_proxy(name.as_str()))
}

/// Returns true if a browser reports that a page of this server made the request. A request of another origin's script
/// names that origin.
fn is_of_own_page(headers: &HeaderMap) -> bool {
    let is_one_of =
        |(name, allowed): &(&str, &[&str])| only(headers, name).is_some_and(|value| allowed.contains(&value));
    OF_OWN_PAGE.iter().all(is_one_of) && !headers.contains_key(header::ORIGIN)
}

/// Returns true if a request names a host, and only hosts that fit: in its address, as over HTTP/2, and in one header.
pub fn names_only(address: &Uri, headers: &HeaderMap, fits: impl Fn(&str) -> bool) -> bool {
    let of_header = match headers.contains_key(header::HOST) {
        false => None,
        true => match only(headers, header::HOST.as_str()).and_then(|host| host.parse::<Uri>().ok()) {
            Some(host) => Some(host),
            None => return false,
        },
    };
    let mut named = [address.authority().map(|_| address), of_header.as_ref()].into_iter().flatten().peekable();
    named.peek().is_some() && named.all(|address| address.host().is_some_and(&fits))
}

/// Returns the value of a header that occurs exactly once.
pub fn only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}

/// Returns true if a host is a loopback name or address.
pub fn is_loopback_host(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || ip(host).is_some_and(|address| address.is_loopback())
}

/// Returns the IP address that a host is, if it is no name.
fn ip(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Returns true if the client belongs to the user that runs this server. Linux lists the user of each local connection.
/// It shows all users of other user namespaces as the overflow user, so that user is never accepted.
#[cfg(target_os = "linux")]
fn user_is_own(ends: Ends) -> bool {
    let table = if ends.there.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
    let own = rustix::process::geteuid().as_raw();
    let content = std::fs::read_to_string("/proc/sys/kernel/overflowuid").ok();
    let overflow = content.and_then(|text| text.trim().parse().ok()).unwrap_or(OVERFLOW_USER);
    std::fs::read_to_string(table).is_ok_and(|table| is_owned_by(&table, ends, own, overflow))
}

/// Returns true if a table of connections lists the client with this user.
#[cfg(target_os = "linux")]
fn is_owned_by(table: &str, ends: Ends, own: u32, overflow: u32) -> bool {
    own != overflow && own != OVERFLOW_USER && owner(table, ends) == Some(own)
}

/// Returns true: other systems do not list the user simply, and are rarely shared by many users.
#[cfg(not(target_os = "linux"))]
fn user_is_own(_: Ends) -> bool {
    true
}

/// Returns the user of the client, from a table of connections (proc(5)).
#[cfg(target_os = "linux")]
fn owner(table: &str, ends: Ends) -> Option<u32> {
    let [here, there] = [hexadecimal(ends.here), hexadecimal(ends.there)];
    table.lines().skip(1).find_map(|line| {
        let mut parts = line.split_ascii_whitespace().skip(1);
        let (local, remote) = (parts.next()?, parts.next()?);
        if local != there || remote != here {
            return None;
        }
        // After the state, the queues, the timer and the retransmissions.
        parts.nth(4)?.parse().ok()
    })
}

/// Returns an address in the form of the table: groups of four bytes in the byte order of the machine.
#[cfg(target_os = "linux")]
fn hexadecimal(address: SocketAddr) -> String {
    let bytes = match address.ip() {
        std::net::IpAddr::V4(ip) => ip.octets().to_vec(),
        std::net::IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    let group = |bytes: &[u8]| match bytes.try_into() {
        Ok(bytes) => format!("{:08X}", u32::from_ne_bytes(bytes)),
        Err(_) => String::new(),
    };
    // The text behind the last colon is the port number.
    let service = address.to_string().rsplit(':').next().and_then(|number| number.parse::<u16>().ok());
    format!("{}:{:04X}", bytes.chunks(4).map(group).collect::<String>(), service.unwrap_or_default())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use axum::http::Request;

    use super::*;

    /// The request of a script of a page of this server.
    fn of_own_page(host: &str) -> Request<()> {
        let request = Request::get("/console/session").header("host", host).header("sec-fetch-mode", "cors");
        let request = request.header("sec-fetch-dest", "empty").header("sec-fetch-site", "same-origin");
        request.body(()).expect("a request")
    }

    fn with(name: &'static str, value: &'static str) -> Parts {
        let mut asked = of_own_page("localhost").into_parts().0;
        asked.headers.insert(name, value.parse().expect("a value"));
        asked
    }

    fn without(name: &str) -> Parts {
        let mut asked = of_own_page("localhost").into_parts().0;
        asked.headers.remove(name);
        asked
    }

    #[test]
    fn only_own_pages_of_the_own_user_on_this_machine_are_known() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            // A machine may be without IPv6.
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let here = listener.local_addr().expect("an address");
            let client = TcpStream::connect(here).expect("a connection");
            let ends = Ends { here, there: client.local_addr().expect("an address") };
            let is_own = |asked: &Parts| is_page_of_own_user(ends, asked);
            for (host, own) in [
                ("localhost:8080", true),
                ("127.0.0.1", true),
                ("[::1]:8080", true),
                ("evil.example:8080", false),
                ("127.0.0.1.evil.example", false),
                ("localhost.evil.example", false),
            ] {
                assert_eq!(is_own(&of_own_page(host).into_parts().0), own, "{host}");
            }
            for (name, value) in [
                ("x-forwarded-for", "203.0.113.9"),
                ("x-forwarded-proto", "https"),
                ("via", "1.1 proxy"),
                ("forwarded", "for=a"),
                ("cf-ray", "8f1a2b3c4d5e6f70-AMS"),
                ("cf-visitor", "{}"),
                ("cdn-loop", "cloudflare; loops=1"),
                ("origin", "https://dashboard.example.org"),
                ("sec-fetch-site", "cross-site"),
                ("sec-fetch-site", "same-site"),
                ("sec-fetch-site", "none"),
                ("sec-fetch-mode", "navigate"),
                ("sec-fetch-mode", "no-cors"),
                ("sec-fetch-dest", "iframe"),
                ("sec-fetch-dest", "script"),
                ("sec-fetch-dest", "document"),
            ] {
                assert!(!is_own(&with(name, value)), "{name}: {value}");
            }
            assert!(is_own(&with("sec-fetch-mode", "same-origin")), "the mode of some browsers");
            for name in ["host", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-site"] {
                assert!(!is_own(&without(name)), "without {name}");
            }
            let mut twice = with("host", "localhost");
            twice.headers.append("host", "evil.example".parse().expect("a value"));
            assert!(!is_own(&twice), "two hosts");
            let mut absolute = with("host", "localhost");
            absolute.uri = "http://localhost/".parse().expect("an address");
            assert!(!is_own(&absolute), "an address in absolute form");
            let mut old = with("host", "localhost");
            old.version = Version::HTTP_10;
            assert!(!is_own(&old), "no browser speaks HTTP/1.0");
            let gone = Ends { there: SocketAddr::new(ends.there.ip(), 1), ..ends };
            assert!(!is_page_of_own_user(gone, &with("host", "localhost")), "no such connection");
        }
    }

    #[test]
    fn the_user_of_another_is_another() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1234        0 99 1\n";
        let ends = Ends { here: ([127, 0, 0, 1], 8080).into(), there: ([127, 0, 0, 1], 50_000).into() };
        let expected = if cfg!(target_endian = "little") { Some(1234) } else { None };
        assert_eq!(owner(table, ends), expected);
        assert_eq!(is_owned_by(table, ends, 1234, 65_534), expected.is_some());
        assert!(!is_owned_by(table, ends, 1, 65_534));
    }

    #[test]
    fn the_overflow_user_is_nobody() {
        let ends = Ends { here: ([127, 0, 0, 1], 8080).into(), there: ([127, 0, 0, 1], 50_000).into() };
        let table = |user: u32| {
            format!("head\n 0: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  {user}  0 99 1\n")
        };
        // A server that runs as this user would take everybody of other namespaces for itself.
        for (user, overflow) in [(65_534, 65_534), (65_534, 7), (7, 7)] {
            assert!(!is_owned_by(&table(user), ends, user, overflow), "{user} where {overflow} is the overflow user");
        }
    }
}
