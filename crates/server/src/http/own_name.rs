//! The check of the host that a request names, on a server that authenticates nobody.
//!
//! A foreign page can make its own name resolve to the address of this server (DNS rebinding). A browser then takes the
//! server for the page's own, and sends what the page asks for. It names the page's host, so the requests of such a page
//! are told by that, and are refused.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;

use super::local_peer::{Ends, is_loopback_host, names_only};
use super::refusal::Refused;
use super::response;
use underlay_error::Code;

/// The names of the server, besides those of loopback and the address at which it was reached.
type Names = Arc<[String]>;

/// Refuses requests that name another host than this server: neither a loopback name or address, nor the address at which
/// the server was reached, nor the host of one of these origins, whose pages may read answers anyway.
pub fn guard(routes: Router, origins: &[String]) -> Router {
    let host = |origin: &String| origin.parse::<Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    let names: Names = origins.iter().filter_map(host).collect();
    routes.layer(from_fn_with_state(names, check))
}

async fn check(State(names): State<Names>, request: Request, next: Next) -> Response {
    let ends = request.extensions().get::<Ends>().copied();
    if names_only(request.uri(), request.headers(), |host| is_own(host, ends, &names)) {
        return next.run(request).await;
    }
    let message = "the Host of the request is not this server: use a loopback name or the address of the server, or set \
                   origins to the origin of its pages; only then a server without authentication answers";
    response::refusal(request.headers(), &Refused::new(Code::Forbidden, message))
}

fn is_own(host: &str, ends: Option<Ends>, names: &[String]) -> bool {
    let is_here = |ends: Ends| ends.is_here(host);
    is_loopback_host(host) || ends.is_some_and(is_here) || names.iter().any(|name| name.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_knows_its_loopback_names_its_address_and_its_origins() {
        let ends = Ends { here: ([192, 0, 2, 7], 8080).into(), there: ([192, 0, 2, 9], 50_000).into() };
        let names = ["underlay.example.org".to_owned()];
        for (host, own) in [
            ("localhost", true),
            ("127.0.0.1", true),
            ("[::1]", true),
            ("192.0.2.7", true),
            ("[::ffff:192.0.2.7]", true),
            ("Underlay.Example.org", true),
            ("192.0.2.8", false),
            ("evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("", false),
        ] {
            assert_eq!(is_own(host, Some(ends), &names), own, "{host}");
        }
        assert!(!is_own("192.0.2.7", None, &[]));
    }
}
