//! Whether somebody who asks is the very user that runs this server, on this machine.

use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{HeaderMap, Uri, header};
use tracing::debug;

use crate::access::{Grant, SigningKey};

/// How long the token of a page is good.
const LIFE: Duration = Duration::from_secs(12 * 3600);
/// What says that somebody asks for somebody else.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/// The two ends of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// This server's.
    pub here: SocketAddr,
    /// The other one.
    pub there: SocketAddr,
}

/// A token for the user that runs this server.
pub fn token(key: &SigningKey) -> Option<String> {
    key.sign(&Grant::of_user(LIFE)).map_err(|error| debug!(%error, "no token for the page")).ok()
}

/// Whether a request comes straight from a program of the user that runs this server.
///
/// A name that is not of this machine is refused too: a page of somebody else may have its own name lead here.
pub fn is_own_user(ends: Ends, headers: &HeaderMap) -> bool {
    let for_itself = !FORWARDED.iter().any(|name| headers.contains_key(*name));
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).and_then(|host| host.parse::<Uri>().ok());
    let names_us = host.as_ref().and_then(Uri::host).is_some_and(is_near);
    ends.there.ip().to_canonical().is_loopback() && for_itself && names_us && user_is_own(ends)
}

fn is_near(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<std::net::IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Linux says whose the other end of a connection within the machine is.
#[cfg(target_os = "linux")]
fn user_is_own(ends: Ends) -> bool {
    let table = if ends.there.is_ipv4() { "/proc/net/tcp" } else { "/proc/net/tcp6" };
    let own = rustix::process::geteuid().as_raw();
    std::fs::read_to_string(table).is_ok_and(|table| owner(&table, ends) == Some(own))
}

/// Other systems have no simple way to say so; machines that many users work on are rare among them.
#[cfg(not(target_os = "linux"))]
fn user_is_own(_: Ends) -> bool {
    true
}

/// The user of the other end, in a table of connections (proc(5)).
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

/// An address as the table has it: groups of four bytes in the order of the machine.
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
    // What stands behind the last colon is a number.
    let service = address.to_string().rsplit(':').next().and_then(|number| number.parse::<u16>().ok());
    format!("{}:{:04X}", bytes.chunks(4).map(group).collect::<String>(), service.unwrap_or_default())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use axum::http::HeaderValue;

    use super::*;

    fn asking(host: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::HOST, HeaderValue::from_static(host))])
    }

    #[test]
    fn the_own_user_is_known_and_nobody_who_asks_for_others() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            // A machine may be without IPv6.
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let here = listener.local_addr().expect("an address");
            let client = TcpStream::connect(here).expect("a connection");
            let ends = Ends { here, there: client.local_addr().expect("an address") };
            for (host, own) in [
                ("localhost:8080", true),
                ("127.0.0.1", true),
                ("[::1]:8080", true),
                ("evil.example:8080", false),
                ("127.0.0.1.evil.example", false),
                ("localhost.evil.example", false),
            ] {
                assert_eq!(is_own_user(ends, &asking(host)), own, "{host}");
            }
            let mut through_a_proxy = asking("localhost");
            through_a_proxy.insert("x-forwarded-for", HeaderValue::from_static("203.0.113.9"));
            assert!(!is_own_user(ends, &through_a_proxy));
            assert!(!is_own_user(ends, &HeaderMap::new()), "no host");
            let gone = Ends { there: SocketAddr::new(ends.there.ip(), 1), ..ends };
            assert!(!is_own_user(gone, &asking("localhost")), "no such connection");
        }
    }

    #[test]
    fn the_user_of_another_is_another() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1234        0 99 1\n";
        let ends = Ends { here: ([127, 0, 0, 1], 8080).into(), there: ([127, 0, 0, 1], 50_000).into() };
        let expected = if cfg!(target_endian = "little") { Some(1234) } else { None };
        assert_eq!(owner(table, ends), expected);
    }
}
