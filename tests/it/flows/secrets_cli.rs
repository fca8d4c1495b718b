//! Secrets on the command line, and keys with which no server starts.

use serde_json::json;

use super::secrets::{credentials, key, read};
use crate::harness::{Database, Server, scratch};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn secrets_are_set_from_the_command_line() {
    let server = Server::start(Database::Sqlite).env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let client = server.client();
    client.apply_all(credentials()).await;
    let run = |arguments: &[&str]| server.cli([&["secrets", "set"], arguments].concat());
    let done = run(&["bmc"]).stdin("from a pipe\n").await;
    assert!(done.code == 0 && done.stdout.is_empty() && done.stderr.contains("the password of credential"), "{done:?}");
    assert_eq!(read(&client, "bmc").await, json!({"password": "from a pipe"}));
    let again = run(&["bmc"]).stdin("from a pipe").await;
    assert!(again.code == 0 && again.stderr.contains("was so already"), "{again:?}");

    let folder = scratch::folder("secret");
    let file = folder.path().join("tls.pem");
    std::fs::write(&file, "-----BEGIN CERTIFICATE-----\n").expect("a file");
    let path = file.to_str().expect("a path");
    let done = run(&["tls", "--field", "certificate", "--file", path]).await;
    assert_eq!(done.code, 0, "{done:?}");
    let removed = run(&["tls", "--field", "certificate", "--remove"]).await;
    assert!(removed.code == 0 && removed.stderr.contains("is removed"), "{removed:?}");
    for (arguments, stdin, code, message) in [
        (&["tls"][..], "x", 2, "has certificate and privateKey: name one with --field"),
        (&["bmc", "--field", "token"], "x", 2, "has password"),
        (&["bmc", "--ask"], "x", 2, "--ask needs a terminal"),
        (&["bmc"], "", 1, "must not be empty"),
        (&["nobody"], "x", 1, "NOT_FOUND"),
        (&["bmc", "--file", "/nowhere"], "", 2, "/nowhere cannot be read"),
        (&["bmc", "--ask", "--remove"], "", 2, "cannot be used with"),
    ] {
        let outcome = run(arguments).stdin(stdin).await;
        assert!(outcome.code == code && outcome.stderr.contains(message), "{arguments:?}: {outcome:?}");
    }
    // So does the registration of an appliance, from a file.
    std::fs::write(&file, "from a file\r\n").expect("a file");
    let register = |file: &str, more: &[&str]| {
        let given =
            ["appliance", "register", "rack7", "--type", "redfish", "--url", "redfish://10.1.7.20", "--username", "op"];
        server.cli([&given[..], &["--password-file", file], more].concat())
    };
    let missing = register("/nowhere", &[]).await;
    assert!(missing.code == 2 && missing.stderr.contains("/nowhere cannot be read"), "{missing:?}");
    let twice = register(path, &["--ask-password"]).await;
    assert!(twice.code == 2 && twice.stderr.contains("cannot be used with"), "{twice:?}");
    let done = register(path, &[]).await;
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(read(&client, "rack7").await, json!({"password": "from a file"}));

    let elsewhere = run(&["bmc"]).server("http://underlay.example.org").stdin("x").await;
    assert!(elsewhere.code == 2 && elsewhere.stderr.contains("without TLS"), "{elsewhere:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_that_are_none_prevent_the_start() {
    let folder = scratch::folder("keys");
    let file = folder.path().join("keys");
    std::fs::write(&file, key(1)).expect("a file");
    for (name, value, code, message) in [
        (
            "UNDERLAY_SECRETS_KEYS",
            "hunter2".to_owned(),
            2,
            "secrets.keys (variable UNDERLAY_SECRETS_KEYS): key 1 must be 32 bytes",
        ),
        ("UNDERLAY_SECRETS_KEY_FILE", "/nowhere".to_owned(), 1, "the file of keys /nowhere cannot be read"),
        ("UNDERLAY_SECRETS_KEY_FILE", file.display().to_string(), 1, "other users may read the file of keys"),
    ] {
        let database = format!("sqlite://{}", folder.path().join("a.db").display());
        let data = folder.path().display().to_string();
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--database", &database, "--data-dir", &data];
        let outcome = crate::harness::Cli::new(arguments).env(name, &value).await;
        assert!(outcome.code == code && outcome.stderr.contains(message), "{outcome:?}");
        assert!(!outcome.stderr.contains("hunter2"), "{outcome:?}");
    }
}
