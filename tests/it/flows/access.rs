//! Authentication: requests without a valid token are rejected, and a token gives no more than its roles. Users of the
//! server's machine need no token.

use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::header::{ACCEPT, AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use serde_json::{Value, json};

use crate::harness::metrics::Exported;
use crate::harness::{Cli, Database, Received, Server, Socket, StartServer, lines, scratch, until};

const SECRET: &[u8] = b"0123456789abcdef0123456789abcdef";
const CREATE: &str = "mutation($name: String!) { createRegion(input: {name: $name}) { region { name } revision } }";

/// A token of the server's own key.
async fn token(server: &Server, arguments: &[&str]) -> String {
    let made = own(server, [&["token", "create"], arguments].concat()).await;
    assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
    made.stdout.trim().to_owned()
}

/// A command of the user that runs the server.
fn own(server: &Server, arguments: Vec<&str>) -> Cli {
    server.cli(arguments).env("UNDERLAY_RUN_DIR", server.folder().join("run"))
}

pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

/// A claim that is no name of a tenant is never taken for none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_token_with_an_invalid_tenant_is_rejected() {
    let server = with_secret().await;
    for tenant in [json!(""), json!(null), json!(["blue"]), json!(" blue")] {
        let claims = json!({"sub": "ann", "roles": ["admin"], "exp": now() + 600, "tenant": tenant});
        let token =
            encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(SECRET)).expect("a token");
        let errors = server.client().bearing(&token).refused("{ revision }", json!({})).await;
        assert_eq!(errors[0].code, "UNAUTHENTICATED", "{tenant}: {errors:?}");
    }
}

/// A token that expires in so many seconds, with the minute that clocks may differ by.
fn signed(expires_in: i64) -> String {
    let expires = now().saturating_add_signed(expires_in - 60);
    signed_as(json!({"sub": "ann", "roles": "viewer", "exp": expires}))
}

/// A token with these claims.
pub fn signed_as(claims: Value) -> String {
    encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(SECRET)).expect("a token")
}

/// Writes a token into a file that only its user can read.
fn private(file: &Path, token: &str) {
    if !file.exists() {
        std::fs::write(file, "").expect("a file");
        set_permissions(file, Permissions::from_mode(0o600)).expect("a mode");
    }
    std::fs::write(file, token).expect("write");
}

#[test]
fn the_command_of_the_readme_creates_a_private_token_file() {
    let readme = include_str!("../../../README.md");
    let mut lines = readme.lines().filter(|line| line.contains("underlay token create") && line.contains('>'));
    let line = lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a line that makes a file");
    assert_eq!(lines.next(), None, "there is one such line");
    let folder = scratch::folder("readme-token");
    let script = format!("umask 022; underlay() {{ echo token; }}; {line}");
    let status = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder.path()).status();
    assert!(status.expect("a shell").success());
    let mode = folder.path().join("dcim.token").metadata().expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// A server that accepts tokens signed with the shared secret.
pub fn with_secret() -> StartServer {
    let server = Server::start(Database::Sqlite).asking();
    let file = server.folder().join("secret");
    std::fs::write(&file, SECRET).expect("write");
    server.arg("--auth-secret-file").arg(file)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_without_a_token_is_rejected() {
    let server = Server::start(Database::Sqlite).asking().await;
    let nobody = server.client();
    let answer = nobody.post_bytes("application/json", r#"{"query":"{ revision }"}"#).await.expect("an answer");
    assert_eq!((answer.status, &answer.headers[WWW_AUTHENTICATE]), (401, &HeaderValue::from_static("Bearer")));
    assert_eq!(answer.json()["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    for path in ["/graphql?query=%7Brevision%7D", "/metrics", "/trace/x.svg", "/graphql/stream?query=%7Brevision%7D"] {
        let answer = nobody.get(path).await;
        assert_eq!(answer.status, 401, "{path}: {}", answer.text());
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(nobody.get(path).await.status, 200, "{path} says nothing of the inventory");
    }
    let viewer = server.client().bearing(&token(&server, &["--role", "viewer"]).await);
    assert_eq!(viewer.ok("{ revision }", json!({})).await["revision"], 0);
    assert_eq!(viewer.get("/metrics").await.status, 200);
    let refused = viewer.refused(CREATE, json!({"name": "eu"})).await;
    assert_eq!(refused[0].code, "FORBIDDEN");
    assert!(refused[0].message.contains("requires one of the roles operator, admin"), "{refused:?}");
    assert_eq!(viewer.ok("{ revision }", json!({})).await["revision"], 0, "nothing was written");

    let operator = server.client().bearing(&token(&server, &["--role", "operator", "--actor", "ann"]).await);
    operator.ok(CREATE, json!({"name": "eu"})).await;
    let log = operator.ok("{ changes { nodes { actor } } }", json!({})).await;
    assert_eq!(log["changes"]["nodes"][0]["actor"], "ann");
    let agent = server.client().bearing(&token(&server, &["--role", "agent,secrets-reader"]).await);
    assert_eq!(agent.refused("{ revision }", json!({})).await[0].code, "FORBIDDEN");
    let forged = server.client().bearing(&signed(600));
    assert_eq!(forged.refused("{ revision }", json!({})).await[0].code, "UNAUTHENTICATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronizer_writes_as_its_source() {
    let server = Server::start(Database::Sqlite).asking().await;
    let client = server.client().bearing(&token(&server, &["--role", "synchronizer", "--source", "dcim"]).await);
    let items = json!([{"region": {"name": "eu", "externalId": "7"}}]);
    let payload = client.apply_input(json!({"items": items})).await;
    assert_eq!(payload["results"][0]["status"], "CREATED", "{payload:#}");
    let read = client
        .ok("{ region(name: \"eu\") { externalRefs { source externalId } managers { manager type } } }", json!({}));
    let region = read.await["region"].take();
    assert_eq!(region["externalRefs"], json!([{"source": "dcim", "externalId": "7"}]));
    assert_eq!(region["managers"][0]["manager"], "dcim", "{region:#}");
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { revision } }";
    for input in [
        json!({"items": items, "source": "ipam"}),
        json!({"items": [{"region": {"name": "eu", "externalRefs": [{"source": "ipam", "externalId": "1"}]}}]}),
    ] {
        let errors = client.refused(apply, json!({"input": input})).await;
        assert_eq!(errors[0].code, "FORBIDDEN", "{input}: {errors:?}");
    }
    assert_eq!(client.refused(CREATE, json!({"name": "us"})).await[0].code, "FORBIDDEN");
    // The same in lines: another source is refused with the request, or with the line that names it.
    let line = |source: &str| json!({"item": {"region": {"name": "eu"}}, "source": source}).to_string();
    assert_eq!(client.post_lines("source=ipam", line("ipam")).await.status, 403);
    let (results, end) = lines(&client.post_lines("", [line("ipam"), line("dcim")].join("\n")).await);
    assert_eq!(results[0]["error"]["code"], "FORBIDDEN", "{results:?}");
    assert_eq!((&results[1]["status"], &end["end"]), (&json!("UNCHANGED"), &json!(true)), "{results:?}");
    let viewer = server.client().bearing(&token(&server, &["--role", "viewer"]).await);
    assert_eq!(viewer.post_lines("", line("dcim")).await.status, 403);
    assert_eq!(server.client().post_lines("", line("dcim")).await.status, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_of_the_same_user_need_no_token() {
    let mut server = Server::start(Database::Sqlite).asking().arg("--demo").await;
    let mine = own(&server, vec!["get", "sites", "-o", "name"]).await;
    assert!(mine.code == 0 && mine.stdout.contains("site/"), "{mine:?}");
    let others = server.cli(["get", "sites"]).env("UNDERLAY_RUN_DIR", "/nowhere").await;
    assert_eq!(others.code, 1, "{others:?}");
    assert!(others.stderr.contains("the request has no token") && others.stderr.contains("--token-file"), "{others:?}");

    let file = server.folder().join("token");
    private(&file, &token(&server, &["--role", "viewer", "--lifetime", "30m"]).await);
    let get = || server.cli(["get", "sites", "-o", "name"]).env("UNDERLAY_RUN_DIR", "/nowhere");
    let by_file = get().env("UNDERLAY_TOKEN_FILE", &file).await;
    assert_eq!((by_file.code, by_file.stdout.as_str()), (0, mine.stdout.as_str()), "{by_file:?}");
    set_permissions(&file, Permissions::from_mode(0o644)).expect("a mode");
    let open = get().env("UNDERLAY_TOKEN_FILE", &file).await;
    assert_eq!((open.code, open.stdout.as_str()), (1, ""), "{open:?}");
    assert!(
        open.stderr.contains("other users can access the file (mode 0644); the mode must be 0600 or 0400"),
        "{open:?}"
    );
    let text = std::fs::read_to_string(&file).expect("a token");
    assert_eq!(get().env("UNDERLAY_TOKEN", text).await.code, 0);
    assert_eq!(get().env("UNDERLAY_TOKEN", "rubbish").await.code, 1);

    let key = server.folder().join("signing.key");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(std::fs::metadata(&key).expect("a key").permissions().mode() & 0o777, 0o600);
    }
    let secret = std::fs::read_to_string(&key).expect("a key");
    assert!(!server.log().contains(secret.trim()), "the key is never logged");
    server.stop().await;
    let left = std::fs::read_dir(server.folder().join("run/")).map_or(0, Iterator::count);
    assert_eq!(left, 0, "nothing says that it still runs");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_subscription_ends_with_its_token() {
    let server = with_secret().await;
    let wrong = json!({"token": "rubbish"});
    for payload in [json!({}), wrong, json!({"authorization": "Basic a"}), json!({"token": signed(-5)})] {
        let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
        socket.send(json!({"type": "connection_init", "payload": payload})).await;
        let Received::Closed(code, reason) = socket.receive().await else { panic!("{payload} is accepted") };
        assert!(code == 4403 && reason.starts_with("Forbidden: "), "{payload}: {code} {reason}");
    }
    let soon = signed(8);
    let mut socket = Socket::open(server.url(), Some("graphql-transport-ws")).await.expect("a connection");
    socket.send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {soon}")}})).await;
    assert_eq!(socket.receive().await, Received::Message(json!({"type": "connection_ack"})));
    socket.subscribe("1", "subscription { changes { type } }", json!({})).await;

    let client = server.client().bearing(&soon);
    let stream = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static("text/event-stream"))]);
    let events = client.with_headers(stream).get("/graphql/stream?query=subscription%7Bchanges%7Btype%7D%7D").await;
    let text = events.text();
    assert!(text.contains("UNAUTHENTICATED") && text.ends_with("event: complete\ndata:\n\n"), "{text}");
    let ended = loop {
        match socket.receive().await {
            Received::Message(message) if message["type"] == "next" => {}
            ended => break ended,
        }
    };
    let Received::Message(error) = ended else { panic!("no word about it: {ended:?}") };
    assert_eq!(
        (&error["type"], &error["payload"][0]["extensions"]["code"]),
        (&json!("error"), &json!("UNAUTHENTICATED"))
    );
    assert!(matches!(socket.receive().await, Received::Closed(4403, _)));
    assert_eq!(server.client().bearing(&soon).refused("{ revision }", json!({})).await[0].code, "UNAUTHENTICATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watch_resumes_with_another_token() {
    let server = with_secret().await;
    let folder = scratch::folder("watch-token");
    let file = folder.path().join("token");
    private(&file, &signed(15));
    let watch = server.cli(["watch", "-o", "json"]).env("UNDERLAY_TOKEN_FILE", &file).start();
    // The first token must be in use before it is replaced.
    let lasting = server.client().bearing(&signed(600));
    until("it subscribes", async || Exported::to(&lasting).await.sum("underlay_subscriptions", &[]) == 1.0).await;
    private(&file, &signed(600));
    // It says so only when it comes back.
    until("it comes back", async || watch.stderr().contains("connected to")).await;
    assert!(watch.stderr().contains("the token has expired"), "{}", watch.stderr());
}

#[tokio::test]
async fn a_public_address_requires_authentication_or_a_flag() {
    let folder = scratch::folder("insecure");
    let data = folder.path().to_str().expect("a path");
    let refused = Cli::new(["serve", "--listen", "0.0.0.0:0", "--data-dir", data]).await;
    assert!(refused.code == 1 && refused.stderr.contains("--insecure-no-auth"), "{refused:?}");
    let both =
        ["serve", "--listen", "127.0.0.1:0", "--data-dir", data, "--insecure-no-auth", "--auth-secret-file", "x"];
    let refused = Cli::new(both).await;
    assert!(refused.code == 1 && refused.stderr.contains("exclude each other"), "{refused:?}");
    let server = Server::start(Database::Sqlite).await;
    assert!(server.log().contains("warning: --insecure-no-auth: every client that reaches"), "{}", server.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn huge_and_malformed_tokens_are_rejected() {
    let server = Server::start(Database::Sqlite).asking().await;
    for length in [20_000, 1 << 20] {
        let long = format!("Bearer {}", "A".repeat(length));
        let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(&long).expect("a value"))]);
        let answer = server.client().with_headers(headers).get("/graphql?query=%7Brevision%7D").await;
        // More than the head of a request may have is not even read.
        assert_eq!(answer.status, if length < 65_536 { 401 } else { 431 }, "{length}");
        assert_eq!(server.client().get("/healthz").await.status, 200);
    }
}
