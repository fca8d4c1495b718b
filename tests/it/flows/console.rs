//! The console's side of the server over HTTP: the way in, and the files.

use reqwest::header::{CACHE_CONTROL, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH};
use serde_json::{Value, json};

use crate::harness::{Database, Server, StartServer, scratch};

/// The headers of a request of a page's script to its own origin.
const OF_OWN_PAGE: [(&str, &str); 3] =
    [("sec-fetch-mode", "cors"), ("sec-fetch-dest", "empty"), ("sec-fetch-site", "same-origin")];

fn headers(of: &[(&'static str, &'static str)]) -> HeaderMap {
    let header =
        |(name, value): &(&'static str, &'static str)| (HeaderName::from_static(name), HeaderValue::from_static(value));
    HeaderMap::from_iter(of.iter().map(header))
}

/// The session that a page of the server gets.
async fn session(server: &Server) -> Value {
    let answer = server.client().with_headers(headers(&OF_OWN_PAGE)).get("/console/session").await;
    assert_eq!((answer.status, &answer.headers[CACHE_CONTROL]), (200, &HeaderValue::from_static("no-store")));
    assert_eq!(answer.headers["content-type"], "application/json");
    let session = answer.json();
    assert_eq!(session["version"], env!("CARGO_PKG_VERSION"));
    session
}

/// Describes a server with this configuration file. Its folder must be kept while the server runs.
fn configured(text: &str) -> (StartServer, tempfile::TempDir) {
    let folder = scratch::folder("console");
    let file = folder.path().join("underlay.toml");
    std::fs::write(&file, text).expect("write");
    (Server::start(Database::Sqlite).asking().env("UNDERLAY_CONFIG_FILE", &file), folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_needed_where_nothing_is_authenticated() {
    let server = Server::start(Database::Sqlite).await;
    assert_eq!(session(&server).await, json!({"version": env!("CARGO_PKG_VERSION"), "way": "open"}));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_user_of_this_machine_gets_a_token_with_the_role_of_the_page() {
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_AUTH_PAGE_ROLE", "viewer").await;
    let found = session(&server).await;
    assert_eq!(found["way"], "local", "{found}");
    let client = server.client().bearing(found["token"].as_str().expect("a token"));
    assert_eq!(client.ok("{ revision }", json!({})).await["revision"], 0);
    let create = "mutation { createRegion(input: {name: \"eu\"}) { revision } }";
    assert_eq!(client.refused(create, json!({})).await[0].code, "FORBIDDEN");
    assert!(!server.log().contains(found["token"].as_str().expect("a token")), "tokens are not logged");
}

/// The claims of a token.
fn claims(token: &str) -> Value {
    use base64::Engine as _;
    let part = token.split('.').nth(1).expect("claims");
    let bytes = base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(part).expect("base64");
    serde_json::from_slice(&bytes).expect("JSON")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_token_of_the_console_is_of_an_operator_for_an_hour() {
    let server = Server::start(Database::Sqlite).asking().await;
    let found = session(&server).await;
    let token = found["token"].as_str().expect("a token");
    let claims = claims(token);
    assert_eq!(claims["roles"], json!(["operator"]));
    assert_eq!(claims["exp"].as_u64().zip(claims["iat"].as_u64()).map(|(exp, iat)| exp - iat), Some(3600));
    let create = "mutation { createRegion(input: {name: \"eu\"}) { revision } }";
    server.client().bearing(token).ok(create, json!({})).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_address_in_absolute_form_gets_no_token() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let server = Server::start(Database::Sqlite).asking().await;
    let address = server.url().trim_start_matches("http://").to_owned();
    for (target, way) in
        [("/console/session".to_owned(), "local"), (format!("http://{address}/console/session"), "token")]
    {
        let mut connection = tokio::net::TcpStream::connect(&address).await.expect("a connection");
        let header_lines = OF_OWN_PAGE.map(|(name, value)| format!("{name}: {value}\r\n")).concat();
        let request = format!("GET {target} HTTP/1.1\r\nhost: {address}\r\n{header_lines}connection: close\r\n\r\n");
        connection.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.contains(&format!("\"way\":\"{way}\"")), "{target}: {answer}");
    }
}

/// A request that may not come from a page of the server, opened by its user, gets no token.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_bring_a_token() {
    let origin = "https://dashboard.example.org";
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_ORIGINS", origin).await;
    let own = server.client().with_headers(headers(&OF_OWN_PAGE));
    for (name, value) in [
        ("x-forwarded-for", "203.0.113.9"),
        ("forwarded", "for=a"),
        ("via", "1.1 proxy"),
        ("host", "evil.example"),
        ("sec-fetch-mode", "no-cors"),
        ("sec-fetch-dest", "script"),
    ] {
        let answer = own.with_headers(headers(&[(name, value)])).get("/console/session").await;
        let expected = json!({"version": env!("CARGO_PKG_VERSION"), "way": "token"});
        assert_eq!((answer.status, answer.json()), (200, expected), "{name}: {value}");
    }
    let program = server.client().get("/console/session").await;
    assert_eq!(program.json()["way"], "token", "a program says nothing of a page");
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("sec-fetch-site", "none"),
        ("origin", origin),
        ("origin", "null"),
    ] {
        let answer = own.with_headers(headers(&[(name, value)])).get("/console/session").await;
        assert_eq!(answer.status, 403, "{name}: {value}: {}", answer.text());
        assert!(!answer.headers.contains_key("access-control-allow-origin"), "{name}: {value}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_sign_in_at_the_configured_issuer() {
    let issuer = "[[auth.issuers]]\nissuer = \"https://id.example.org/realms/infra\"\naudience = \"underlay\"\n";
    let console = "[console]\nissuer = \"https://id.example.org/realms/infra\"\nclientId = \"underlay-console\"\n";
    let (start, _folder) = configured(&format!("{issuer}{console}scopes = \"openid profile\"\n"));
    let server = start.await;
    let login = json!({
        "issuer": "https://id.example.org/realms/infra",
        "clientId": "underlay-console",
        "scopes": "openid profile",
    });
    let expected = json!({"version": env!("CARGO_PKG_VERSION"), "way": "oidc", "oidc": login});
    assert_eq!(session(&server).await, expected);
    let page = server.client().get("/").await;
    let policy = page.headers["content-security-policy"].to_str().expect("text");
    assert!(policy.ends_with("connect-src 'self' https://id.example.org"), "{policy}");
    let (start, _folder) = configured(issuer);
    assert_eq!(session(&start.await).await["way"], "token", "an issuer alone says nothing of the console");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_page_is_never_stored_and_its_files_are_asked_for_again() {
    let server = Server::start(Database::Sqlite).await;
    let page = server.client().get("/").await;
    assert_eq!((page.status, &page.headers[CACHE_CONTROL]), (200, &HeaderValue::from_static("no-store")));
    assert!(!page.headers.contains_key(ETAG));
    let script = server.client().get("/console/main.js").await;
    assert_eq!((script.status, &script.headers[CACHE_CONTROL]), (200, &HeaderValue::from_static("no-cache")));
    for answer in [&page, &script] {
        let policy = answer.headers["content-security-policy"].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'; "), "{policy}");
        assert!(policy.ends_with("connect-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'; require-trusted-types-for 'script'"), "{policy}");
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer");
        assert_eq!(answer.headers["cross-origin-opener-policy"], "same-origin");
    }
    let tag = script.headers[ETAG].clone();
    let having = |tag: &HeaderValue| HeaderMap::from_iter([(IF_NONE_MATCH, tag.clone())]);
    let again = server.client().with_headers(having(&tag)).get("/console/main.js").await;
    assert_eq!((again.status, again.body.len(), &again.headers[ETAG]), (304, 0, &tag));
    let other = server.client().with_headers(having(&tag)).get("/console/style.css").await;
    assert_eq!(other.status, 200, "a tag is of one content");
    let small = server.client().with_headers(headers(&[("accept-encoding", "gzip")])).get("/console/main.js").await;
    assert_eq!((&small.headers["content-encoding"], &small.headers[ETAG]), (&HeaderValue::from_static("gzip"), &tag));
    assert!(small.body.len() < script.body.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_place_in_the_console_is_the_page_and_the_api_stays_as_it_is() {
    let origin = "https://dashboard.example.org";
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_ORIGINS", origin).await;
    let browser = server.client().with_headers(headers(&[("accept", "text/html,*/*;q=0.8")]));
    let page = server.client().get("/").await;
    for path in ["/racks", "/racks/ams1/a14?first=3", "/devices/ams1/x.y", "/changes/7"] {
        let response = browser.get(path).await;
        assert_eq!((response.status, response.body == page.body), (200, true), "{path}");
        assert_eq!(response.headers[CACHE_CONTROL], "no-store", "{path}");
    }
    for (path, status) in [
        ("/healthz", 200),
        ("/readyz", 200),
        ("/metrics", 401),
        ("/trace/x.svg", 401),
        ("/apply", 405),
        ("/trace/x/y", 404),
    ] {
        let answer = browser.get(path).await;
        assert_eq!((answer.status, answer.body == page.body), (status, false), "{path}: {}", answer.text());
    }
    let program = server.client().with_headers(headers(&[("accept", "application/json")])).get("/racks").await;
    assert_eq!((program.status, program.body.len()), (404, 0));
    let posted = server.client().post_bytes("application/json", "{}").await.expect("an answer");
    assert_eq!(posted.status, 401, "the API still authenticates");
    let foreign = browser.with_headers(headers(&[("origin", origin)])).get("/racks").await;
    assert!(!foreign.headers.contains_key("access-control-allow-origin"), "no other origin may read the console");
}
