//! A source or a server that cannot be used gets one sentence, and an exit code with `--once`.

use axum::Router;
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::sync_netbox::replay::{Fault, Replay, TOKEN};
use super::tls;
use crate::harness::{Cli, Client, Database, Outcome, Process, Server, scratch, until};

/// Asserts that a synchronizer ended with one sentence about the source.
#[track_caller]
fn refused(outcome: &Outcome, source: &str, code: i32, parts: &[&str]) {
    assert_eq!(outcome.code, code, "{outcome:?}");
    let errors: Vec<&str> = outcome.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 1, "{outcome:?}");
    assert!(errors[0].starts_with(&format!("error: {source}: ")), "{outcome:?}");
    for part in parts {
        assert!(outcome.stderr.contains(part), "{part} is missing: {outcome:?}");
    }
    assert!(!outcome.stderr.contains(TOKEN), "{outcome:?}");
}

fn once(server: &str, state: &str) -> Cli {
    let source = ["--", "sh", "-c", "echo '{\"end\": true, \"items\": 0}'"];
    let arguments = ["sync", "exec", "--name", "racks", "--once", "--state", state].into_iter().chain(source);
    Cli::new(arguments).server(server)
}

#[tokio::test]
async fn a_server_that_cannot_be_used_is_named_with_what_to_do() {
    let folder = scratch::folder("sync-refused");
    let state = folder.path().join("state").display().to_string();
    refused(
        &once("http://127.0.0.1:1", &state).await,
        "racks",
        3,
        &["the server http://127.0.0.1:1", "cannot be reached", "hint: racks: start a server with `underlay serve`"],
    );
    let asking = Server::start(Database::Sqlite).asking().await;
    refused(
        &once(asking.url(), &state).await,
        "racks",
        1,
        &["UNAUTHENTICATED", "hint: racks: name a token with --token-file FILE or UNDERLAY_TOKEN"],
    );
    refused(
        &once(asking.url(), &state).env("UNDERLAY_TOKEN", "not.a.token").await,
        "racks",
        1,
        &["UNAUTHENTICATED", "hint: racks: name a token"],
    );
    let replay = Replay::demo().await;
    refused(&once(&replay.url, &state).await, "racks", 1, &["hint: racks: check that it is an Underlay server"]);
}

#[tokio::test]
async fn a_server_of_another_version_is_named_with_what_to_do() {
    let folder = scratch::folder("sync-refused");
    let state = folder.path().join("state").display().to_string();
    for (answer, expected) in [
        (
            json!({"data": {"server": {"version": "1.4.0", "features": ["sources"]}}}),
            "use the synchronizer of that version",
        ),
        (json!({"data": {"server": {"version": "0.1.0", "features": []}}}), "upgrade the server first"),
    ] {
        let routes = Router::new().route("/graphql", post(async move || axum::Json(answer)));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let task = tokio::spawn(async move { axum::serve(listener, routes).await });
        refused(&once(&url, &state).await, "racks", 1, &[&url, expected]);
        task.abort();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_with_an_untrusted_certificate_is_named_with_what_to_do() {
    let folder = scratch::folder("sync-refused");
    let state = folder.path().join("state").display().to_string();
    tls::write(folder.path(), &tls::authority());
    let [certificates, key] = ["tls.crt", "tls.key"].map(|name| folder.path().join(name));
    let server =
        Server::start(Database::Sqlite).arg("--tls-certificates").arg(&certificates).arg("--tls-key").arg(&key);
    let server = server.await;
    refused(&once(server.url(), &state).await, "racks", 3, &[server.url(), "certificate", "hint: racks: "]);
}

/// A server with the NetBox of the recording.
struct Synchronized {
    replay: Replay,
    server: Server,
    folder: tempfile::TempDir,
}

impl Synchronized {
    async fn start() -> Self {
        let (replay, server) = (Replay::demo().await, Server::start(Database::Sqlite).await);
        let it = Self { replay, server, folder: scratch::folder("sync-refused") };
        let first = it.once(&it.replay.url, TOKEN).await;
        assert_eq!(first.code, 0, "{first:?}");
        it
    }

    fn once(&self, url: &str, token: &str) -> Cli {
        let state = self.folder.path().join("state").display().to_string();
        let arguments = ["sync", "netbox", "--url", url, "--once", "--state", &state];
        self.server.cli(arguments).env("NETBOX_TOKEN", token)
    }

    /// Returns the number of devices and ports, and the newest run.
    async fn seen(&self) -> (Value, Value) {
        let client: Client = self.server.client();
        let query = "{ devices(first: 0) { totalCount } ports(first: 0) { totalCount }
          source(name: \"netbox\") { runs(first: 1) { nodes { state deleted retired errors { externalId code message } } } } }";
        let mut data = client.ok(query, json!({})).await;
        let run = data["source"]["runs"]["nodes"][0].take();
        (json!([data["devices"], data["ports"]]), run)
    }
}

#[tokio::test]
async fn a_netbox_that_cannot_be_read_is_named_with_the_call_and_what_to_do() {
    let it = Synchronized::start().await;
    let (before, _) = it.seen().await;
    let nobody = "http://127.0.0.1:1";
    let elsewhere = format!("{}/elsewhere", it.replay.url);
    let cases = [
        (nobody, TOKEN, 3, "UNAVAILABLE", "check the URL, and that NetBox is running there"),
        (
            &it.replay.url,
            "0123456789abcdef",
            1,
            "FORBIDDEN",
            "refuses access: HTTP 403 Forbidden: Invalid v2 token; give a valid token",
        ),
        (&elsewhere, TOKEN, 1, "INVALID", "HTTP 404: check the URL, and the version of NetBox"),
        (it.server.url(), TOKEN, 1, "INVALID", "check the URL"),
    ];
    for (url, token, code, of_run, expected) in cases {
        let call = format!("GET {url}/api/status/: ");
        refused(&it.once(url, token).await, "netbox", code, &[&call, expected]);
        let (now, run) = it.seen().await;
        assert_eq!((&now, &run["state"]), (&before, &json!("FAILED")), "{run}");
        assert_eq!((&run["errors"][0]["externalId"], &run["errors"][0]["code"]), (&json!("netbox"), &json!(of_run)));
    }
    it.replay.version("3.7.8");
    let outcome = it.once(&it.replay.url, TOKEN).await;
    refused(
        &outcome,
        "netbox",
        1,
        &["/api/status/", "netbox-version", "expected version 4.1 or later; upgrade NetBox first"],
    );
}

#[tokio::test]
async fn a_token_in_the_wrong_place_is_sent_to_nobody() {
    let (replay, folder) = (Replay::demo().await, scratch::folder("sync-refused"));
    let server = Server::start(Database::Sqlite).asking().await;
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
        path.display().to_string()
    };
    let (of_netbox, of_underlay) =
        (file("netbox.token", TOKEN), file("underlay.token", "eyJhbGciOiJFUzI1NiJ9.e30.c2ln"));
    let state = folder.path().join("state").display().to_string();
    let once = |arguments: &[&str]| {
        let usual = ["sync", "netbox", "--url", replay.url.as_str(), "--once", "--state", state.as_str()];
        Cli::new(usual.into_iter().chain(arguments.iter().copied())).server(server.url())
    };
    // Only the token for the server is named, and it is the only one there is.
    let outcome = once(&["--token-file", &of_netbox]).await;
    assert_eq!(outcome.code, 2, "{outcome:?}");
    let parts =
        ["there is no token for NetBox", "--netbox-token-file", "--token-file is only for the token of the Underlay"];
    assert!(parts.iter().all(|part| outcome.stderr.contains(part)), "{outcome:?}");
    let swapped = once(&["--token-file", &of_netbox, "--netbox-token-file", &of_underlay]).await;
    refused(&swapped, "netbox", 1, &["the token for the Underlay server is one of NetBox", "--netbox-token-file"]);
    let both = once(&["--netbox-token-file", &of_netbox]).env("UNDERLAY_TOKEN", TOKEN).await;
    refused(&both, "netbox", 1, &["the token for the Underlay server is one of NetBox", "UNDERLAY_TOKEN"]);
    assert_eq!(replay.calls().0.len(), 0, "NetBox was not asked");
    // The right token for the server, and the same for NetBox.
    let open = Server::start(Database::Sqlite).await;
    let outcome = once(&["--netbox-token-file", &of_underlay]).server(open.url()).await;
    refused(
        &outcome,
        "netbox",
        1,
        &["the token for NetBox is one of an Underlay server", "--token-file is for that of"],
    );
    assert_eq!(replay.calls().0.len(), 0, "NetBox got no token");
}

#[tokio::test]
async fn an_answer_that_breaks_its_contract_is_named_by_its_call_and_place() {
    let it = Synchronized::start().await;
    let (before, _) = it.seen().await;
    for (list, fault, parts) in [
        (
            "dcim/devices",
            Fault::Wrong("site", json!([])),
            ["wrong answer at results[0].site: ", "expected an object, not []"],
        ),
        ("dcim/interfaces", Fault::Truncated, ["wrong answer: ", "expected a list with count, next and results"]),
        (
            "dcim/sites",
            Fault::Html,
            ["wrong answer: ", "expected JSON of NetBox's REST API, but the answer is another page"],
        ),
    ] {
        it.replay.fail(list, fault);
        let outcome = it.once(&it.replay.url, TOKEN).await;
        it.replay.heal();
        let call = format!("GET {}/api/{list}/?", it.replay.url);
        refused(&outcome, "netbox", 1, &[&call, parts[0], parts[1]]);
        let (now, run) = it.seen().await;
        assert_eq!((&now, &run["state"], &run["deleted"]), (&before, &json!("FAILED"), &json!(0)), "{run}");
        let message = run["errors"][0]["message"].as_str().expect("a message");
        assert!(message.contains(list) && message.contains(parts[1]), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_netbox_with_an_untrusted_certificate_is_named_with_what_to_do() {
    let folder = scratch::folder("sync-refused");
    tls::write(folder.path(), &tls::authority());
    let [certificates, key, state] = ["tls.crt", "tls.key", "state"].map(|name| folder.path().join(name));
    let secure =
        Server::start(Database::Sqlite).arg("--tls-certificates").arg(&certificates).arg("--tls-key").arg(&key);
    let (secure, server) = (secure.await, Server::start(Database::Sqlite).await);
    let arguments = ["sync", "netbox", "--url", secure.url(), "--once", "--state"].map(std::ffi::OsString::from);
    let outcome = server.cli(arguments.into_iter().chain([state.into_os_string()])).env("NETBOX_TOKEN", TOKEN).await;
    let call = format!("GET {}/api/status/: ", secure.url());
    refused(&outcome, "netbox", 3, &[&call, "certificate", "give the certificate of the authority"]);
}

#[tokio::test]
async fn a_netbox_whose_changes_may_not_be_read_is_named_once() {
    let (replay, server) = (Replay::empty().await, Server::start(Database::Sqlite).await);
    replay.fail("core/object-changes", Fault::Forbidden);
    let folder = scratch::folder("sync-refused");
    let state = folder.path().join("state").display().to_string();
    let arguments = ["sync", "netbox", "--url", &replay.url, "--state", &state];
    let mut process = server.cli(arguments).env("NETBOX_TOKEN", TOKEN).start();
    let notes = |process: &Process| process.stderr().matches("note: netbox: no hints, ").count();
    until("it is noted", async || notes(&process) > 0 && process.stdout().contains("full run: ")).await;
    process.signal(libc::SIGTERM);
    process.end().await;
    assert_eq!(notes(&process), 1, "{}", process.stderr());
}

#[tokio::test]
async fn a_thing_of_an_unknown_kind_is_named_and_the_rest_is_written() {
    let server = Server::start(Database::Sqlite).await;
    let client = server.client();
    let create = "mutation($input: SourceInput!) { createSource(input: $input) { revision } }";
    client.ok(create, json!({"input": {"name": "racks", "type": "exec", "prune": "DELETE"}})).await;
    let folder = scratch::folder("sync-refused");
    let (state, output) = (folder.path().join("state"), folder.path().join("output"));
    let (state, output) = (state.display().to_string(), output.display().to_string());
    let once = async |lines: &[Value]| {
        let items = lines.iter().filter(|line| line.get("item").is_some()).count();
        let end = json!({"end": true, "items": items});
        let lines = lines.iter().chain([&end]).map(|line| format!("{line}\n"));
        std::fs::write(&output, lines.collect::<String>()).expect("a file");
        server.cli(["sync", "exec", "--name", "racks", "--once", "--state", &state, "--", "cat", &output]).await
    };
    let region = |id: &str| json!({"item": {"region": {"externalId": id, "name": format!("r{id}")}}});
    let first = once(&["1", "2", "3", "4"].map(region)).await;
    assert_eq!(first.code, 0, "{first:?}");
    let item = json!({"item": {"regions": {"externalId": "9", "name": "r9"}}});
    let bad = json!({"bad": {"kind": "regionz", "externalId": "9", "message": "name: must not be empty"}});
    for (number, (wrong, says)) in [(item, "not regions"), (bad, "must not be empty")].into_iter().enumerate() {
        // One is gone, and may be the thing of which nobody knows what it is.
        let new = format!("new{number}");
        let outcome = once(&[region("1"), region("2"), region("3"), region(&new), wrong]).await;
        refused(&outcome, "racks", 1, &["1 things of the source could not be read", "9: the server knows no kind"]);
        let query = "{ regions { nodes { name } } source(name: \"racks\") { lastRun {
          state deleted created errors { externalId code message } } } }";
        let data = client.ok(query, json!({})).await;
        let names: Vec<&Value> =
            data["regions"]["nodes"].as_array().expect("nodes").iter().map(|it| &it["name"]).collect();
        assert!(names.contains(&&json!("r4")) && names.contains(&&json!(format!("r{new}"))), "{names:?}");
        let run = &data["source"]["lastRun"];
        assert_eq!(
            (&run["state"], &run["deleted"], &run["created"]),
            (&json!("FAILED"), &json!(0), &json!(1)),
            "{run}"
        );
        let errors = run["errors"].as_array().expect("errors");
        assert_eq!((&errors[0]["externalId"], &errors[0]["code"]), (&json!("9"), &json!("INVALID")), "{run}");
        assert!(errors[0]["message"].as_str().is_some_and(|message| message.contains(says)), "{run}");
        assert_eq!((errors.len(), &errors[1]["externalId"]), (2, &json!("racks")), "{run}");
    }
    let last = once(&["1", "2", "3"].map(region)).await;
    assert!(last.code == 0 && last.stdout.contains("3 gone"), "{last:?}");
}
