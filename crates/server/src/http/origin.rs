//! Requests of web pages of other origins. A browser sends the origin of the page, and only allowed origins are
//! answered.

use axum::http::{HeaderMap, Uri, header};

use super::Service;
use super::local_peer::only;

/// Returns true if a page may open a WebSocket connection. Browsers do not apply CORS to it. Other clients send no
/// origin.
pub fn may_connect(service: &Service, headers: &HeaderMap) -> bool {
    match headers.get(header::ORIGIN).map(|origin| origin.to_str()) {
        None => true,
        Some(Ok(origin)) => is_own(origin, headers) || service.origins.iter().any(|allowed| allowed == origin),
        Some(Err(_)) => false,
    }
}

/// Returns true if a request can be of a page of this server. Browsers that follow Fetch Metadata Request Headers (W3C)
/// report it; others send an origin with a request of another origin's script. Programs send neither.
pub fn is_own_page(headers: &HeaderMap) -> bool {
    let is_own_site = !headers.contains_key("sec-fetch-site") || only(headers, "sec-fetch-site") == Some("same-origin");
    let is_own_origin = !headers.contains_key(header::ORIGIN)
        || only(headers, header::ORIGIN.as_str()).is_some_and(|origin| is_own(origin, headers));
    is_own_site && is_own_origin
}

/// Returns true if an origin is this server, under the name that the browser uses.
fn is_own(origin: &str, headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let Ok(origin) = origin.parse::<Uri>() else { return false };
    matches!((origin.authority(), host), (Some(origin), Some(host)) if origin.as_str().eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_page_is_of_the_server_that_it_asks() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("underlay.example.org:8443"));
        for (origin, own) in [
            ("https://underlay.example.org:8443", true),
            ("https://Underlay.example.org:8443", true),
            ("https://underlay.example.org", false),
            ("https://underlay.example.org:8443.evil.example", false),
            ("https://evil.example", false),
            ("null", false),
            ("", false),
        ] {
            assert_eq!(is_own(origin, &headers), own, "{origin}");
        }
        assert!(!is_own("https://evil.example", &HeaderMap::new()));
    }

    #[test]
    fn pages_of_other_origins_are_recognised() {
        let of = |headers: &[(&'static str, &'static str)]| {
            let mut map = HeaderMap::new();
            map.insert(header::HOST, HeaderValue::from_static("localhost:8080"));
            for (name, value) in headers {
                map.append(*name, HeaderValue::from_static(value));
            }
            is_own_page(&map)
        };
        assert!(of(&[]) && of(&[("sec-fetch-site", "same-origin")]));
        assert!(of(&[("sec-fetch-site", "same-origin"), ("origin", "http://localhost:8080")]));
        for headers in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site")],
            &[("sec-fetch-site", "none")],
            &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
            &[("origin", "http://localhost:8081")],
            &[("origin", "null")],
            &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")],
        ] {
            assert!(!of(headers), "{headers:?}");
        }
    }
}
