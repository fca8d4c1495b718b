//! Requests of web pages of other origins. A browser sends the origin of the page, and only allowed origins are answered.

use axum::http::{HeaderMap, Uri, header};

use super::Service;

/// Returns true if a page may open a WebSocket connection. Browsers do not apply CORS to it. Other clients send no origin.
pub fn may_connect(service: &Service, headers: &HeaderMap) -> bool {
    match headers.get(header::ORIGIN).map(|origin| origin.to_str()) {
        None => true,
        Some(Ok(origin)) => is_own(origin, headers) || service.origins.iter().any(|allowed| allowed == origin),
        Some(Err(_)) => false,
    }
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
}
