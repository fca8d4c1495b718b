//! Secrets: permissions to set and read them, connections, keys, and deletes with their credentials.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::header::{HOST, HeaderMap, HeaderName, HeaderValue};
use serde_json::{Value, json};

use crate::harness::{Client, Database, Received, Server, Socket, Sql, postgres, scratch};

const SET: &str =
    "mutation($secrets: [SecretInput!]!) { setSecrets(input: {secrets: $secrets}) { set unchanged removed } }";
const READ: &str = "query($id: ID!) { secret(credential: $id) { \
     username password token certificate privateKey passphrase pullSecret kubeconfig key } }";
const STATE: &str =
    "query($name: String!) { revision credential(name: $name) { secretState secrets { field state setBy setAt } } }";

/// A key that consists of one repeated byte.
pub fn key(byte: u8) -> String {
    BASE64_STANDARD.encode([byte; 32])
}

/// A token of the server's own key.
pub async fn token(server: &Server, arguments: &[&str]) -> String {
    let made = server.cli([&["token", "create"], arguments].concat());
    let made = made.env("UNDERLAY_RUN_DIR", server.folder().join("run")).await;
    assert_eq!((made.code, made.stderr.as_str()), (0, ""), "{made:?}");
    made.stdout.trim().to_owned()
}

async fn bearing(server: &Server, arguments: &[&str]) -> Client {
    server.client().bearing(&token(server, arguments).await)
}

/// Writes the file of keys for a server that starts later.
pub fn keep_keys(file: &Path, keys: &[u8]) {
    let text: String = keys.iter().map(|byte| format!("{}\n", key(*byte))).collect();
    std::fs::write(file, text).expect("a file of keys");
    std::fs::set_permissions(file, Permissions::from_mode(0o600)).expect("a mode");
}

fn secret(credential: &str, field: &str, value: impl Into<Value>) -> Value {
    json!({"credential": {"credential": credential}, "field": field, "value": value.into()})
}

async fn set(client: &Client, secrets: Value) -> Value {
    client.ok(SET, json!({ "secrets": secrets })).await["setSecrets"].take()
}

fn counts(set: i64, unchanged: i64, removed: i64) -> Value {
    json!({"set": set, "unchanged": unchanged, "removed": removed})
}

/// The id of a credential.
async fn id_of(client: &Client, name: &str) -> String {
    let data = client.ok("query($name: String!) { credential(name: $name) { id } }", json!({"name": name})).await;
    data["credential"]["id"].as_str().expect("an id").to_owned()
}

/// The secrets of a credential that are set, by their fields.
pub async fn read(client: &Client, name: &str) -> Value {
    let mut data = client.ok(READ, json!({ "id": id_of(client, name).await })).await["secret"].take();
    let found = data.as_object_mut().expect("secrets");
    found.retain(|name, value| name != "username" && !value.is_null());
    data
}

async fn state(client: &Client, name: &str) -> Value {
    client.ok(STATE, json!({ "name": name })).await["credential"]["secretState"].take()
}

pub fn credentials() -> Vec<Value> {
    let of_source =
        json!({"name": "of-dcim", "type": "TOKEN", "externalRefs": [{"source": "dcim", "externalId": "7"}]});
    [json!({"name": "bmc", "type": "BASIC", "username": "root"}), json!({"name": "tls", "type": "TLS"}), of_source]
        .map(|fields| json!({ "credential": fields }))
        .to_vec()
}

/// Runs a test on both databases, each with a server that has a key.
macro_rules! with_a_key {
    ($($name:ident)+) => { $(
        mod $name {
            use super::*;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(Server::start(Database::Sqlite)).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            #[ignore = "needs PostgreSQL"]
            async fn postgres() {
                let url = postgres::create_database().await;
                super::$name(Server::start(Database::Postgres(url.clone()))).await;
                postgres::drop_database(&url).await;
            }
        }
    )+ };
}

type Starting = crate::harness::StartServer;

with_a_key! {
    secrets_are_set_read_and_counted
    refused_secrets_change_nothing
    secrets_go_with_their_credential_and_stay_with_it
    keys_are_rotated_and_may_be_missing
}

async fn secrets_are_set_read_and_counted(start: Starting) {
    let server = start.asking().env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let operator = bearing(&server, &["--role", "operator", "--actor", "ann"]).await;
    operator.apply_all(credentials()).await;
    let before = operator.ok("{ revision }", json!({})).await;
    assert_eq!(state(&operator, "bmc").await, "MISSING");

    assert_eq!(set(&operator, json!([secret("bmc", "password", "one")])).await, counts(1, 0, 0));
    assert_eq!(set(&operator, json!([secret("bmc", "password", "one")])).await, counts(0, 1, 0), "equal");
    let pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    let several = json!([
        secret("bmc", "password", "two"),
        secret("tls", "certificate", pem),
        secret("tls", "privateKey", Value::Null),
        secret("of-dcim", "token", "first"),
        secret("of-dcim", "token", "last"),
    ]);
    assert_eq!(set(&operator, several).await, counts(3, 1, 0), "the last of several counts");
    let shown = operator.ok(STATE, json!({"name": "tls"})).await["credential"].take();
    assert_eq!(shown["secretState"], "READABLE");
    let fields: Vec<_> =
        shown["secrets"].as_array().unwrap().iter().map(|it| (&it["field"], &it["state"], &it["setBy"])).collect();
    let expected =
        [(json!("certificate"), json!("READABLE"), json!("ann")), (json!("privateKey"), json!("MISSING"), Value::Null)];
    assert_eq!(fields, expected.iter().map(|(a, b, c)| (a, b, c)).collect::<Vec<_>>());

    let controller = bearing(&server, &["--role", "reconciler,secrets-reader", "--actor", "controller"]).await;
    for _ in 0..3 {
        assert_eq!(read(&controller, "bmc").await, json!({"password": "two"}));
    }
    assert_eq!(read(&controller, "tls").await, json!({"certificate": pem}));
    assert_eq!(read(&controller, "of-dcim").await, json!({"token": "last"}));
    let reads = "{ credential(name: \"bmc\") { secretReads { reader reads hour } } }";
    let reads = operator.ok(reads, json!({})).await["credential"]["secretReads"].take();
    let total: i64 = reads.as_array().unwrap().iter().map(|it| it["reads"].as_i64().unwrap()).sum();
    assert_eq!((total, &reads[0]["reader"]), (3, &json!("controller")), "{reads}");
    assert!(reads[0]["hour"].as_str().unwrap().contains(":00:00"), "{reads}");

    let bmc = id_of(&operator, "bmc").await;
    for (roles, may) in [
        (&["--role", "admin"][..], false),
        (&["--role", "operator"], false),
        (&["--role", "reconciler"], false),
        (&["--role", "secrets-reader"], false),
        (&["--role", "viewer,secrets-reader"], true),
        (&["--role", "viewer,secrets-reader", "--tenant", "blue"], false),
    ] {
        let client = bearing(&server, roles).await;
        let answer = client.execute(READ, json!({"id": bmc})).await;
        match may {
            true => assert!(answer.errors.is_empty(), "{roles:?}: {answer:?}"),
            false => assert_eq!(answer.errors[0].code, "FORBIDDEN", "{roles:?}: {answer:?}"),
        }
    }
    assert_eq!(set(&operator, json!([secret("bmc", "password", Value::Null)])).await, counts(0, 0, 1));
    assert_eq!(read(&controller, "bmc").await, json!({}));
    assert_eq!(operator.ok("{ revision }", json!({})).await, before, "secrets make no revision");

    let dcim = bearing(&server, &["--role", "synchronizer", "--source", "dcim"]).await;
    assert_eq!(set(&dcim, json!([secret("of-dcim", "token", "synced")])).await, counts(1, 0, 0));
    assert_eq!(read(&controller, "of-dcim").await, json!({"token": "synced"}));
    let mixed = json!([secret("of-dcim", "token", "lost"), secret("bmc", "password", "lost")]);
    let errors = dcim.refused(SET, json!({ "secrets": mixed })).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("FORBIDDEN", Some("secrets[1].credential")));
    assert!(errors[0].message.contains("credentials of its source, \"dcim\""), "{errors:?}");
    assert_eq!(read(&controller, "of-dcim").await, json!({"token": "synced"}), "nothing of it was written");
}

async fn refused_secrets_change_nothing(start: Starting) {
    let server = start.env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let client = server.client();
    client.apply_all(credentials()).await;
    set(&client, json!([secret("bmc", "password", "kept")])).await;
    let good = secret("bmc", "password", "lost");
    let many: Vec<Value> = (0..1_001).map(|_| good.clone()).collect();
    let long = "x".repeat(1_025);
    for (secrets, code, field, message) in [
        (json!([good, secret("nobody", "password", "x")]), "NOT_FOUND", "secrets[1].credential", "with this name"),
        (
            json!([good, {"credential": {}, "field": "password", "value": "x"}]),
            "INVALID",
            "secrets[1].credential",
            "must name a Credential",
        ),
        (
            json!([good, secret("bmc", "token", "x")]),
            "INVALID",
            "secrets[1].field",
            "must be a secret of the type BASIC: password",
        ),
        (json!([good, secret("tls", "password", "x")]), "INVALID", "secrets[1].field", "certificate or privateKey"),
        (json!([good, secret("bmc", "password", "")]), "INVALID", "secrets[1].value", "must not be empty"),
        (json!([good, secret("bmc", "password", long)]), "INVALID", "secrets[1].value", "has 1025 bytes; at most 1024"),
        (json!([good, secret("bmc", "password", "a\nb")]), "INVALID", "secrets[1].value", "one line"),
        (json!([good, secret("tls", "privateKey", "no key")]), "INVALID", "secrets[1].value", "PEM"),
        (
            json!([good, {"credential": {"credential": "bmc"}, "field": "password"}]),
            "INVALID",
            "secrets[1].value",
            "is required",
        ),
        (json!(many), "INVALID", "secrets", "has 1001 entries; at most 1000"),
    ] {
        let errors = client.refused(SET, json!({ "secrets": secrets })).await;
        let found = (errors[0].code.as_str(), errors[0].field.as_deref());
        assert_eq!(found, (code, Some(field)), "{errors:?}");
        assert!(errors[0].message.contains(message), "{errors:?}");
        assert_eq!(read(&client, "bmc").await, json!({"password": "kept"}));
    }
    // A value of another type is not shown either.
    let errors = client.refused(SET, json!({"secrets": [secret("bmc", "password", 736_251)]})).await;
    assert!(errors[0].code == "INVALID" && !format!("{errors:?}").contains("736251"), "{errors:?}");
    let errors = client.refused(READ, json!({"id": uuid::Uuid::from_u128(7).to_string()})).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("NOT_FOUND", Some("credential")));
    assert_eq!(set(&client, json!([])).await, counts(0, 0, 0), "nothing is asked for");
}

async fn secrets_go_with_their_credential_and_stay_with_it(start: Starting) {
    let server = start.env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let client = server.client();
    client.apply_all(credentials()).await;
    set(&client, json!([secret("bmc", "password", "one"), secret("tls", "certificate", "-----BEGIN X")])).await;
    let sql = Sql::connect(&server.database_url()).await;
    let stored = "SELECT count(*) FROM secret";
    assert_eq!(sql.number(stored).await, 2);
    let (bmc, tls) = (id_of(&client, "bmc").await, id_of(&client, "tls").await);
    // Each takes the unique name of the other, so their rows are deleted and written anew.
    let swapped =
        vec![json!({"credential": {"id": bmc, "name": "tls"}}), json!({"credential": {"id": tls, "name": "bmc"}})];
    client.apply_all(swapped).await;
    assert_eq!(read(&client, "tls").await, json!({"password": "one"}), "a renamed credential keeps its secrets");
    assert_eq!(sql.number(stored).await, 2);
    client.apply_all(vec![json!({"delete": {"ref": {"id": bmc}}})]).await;
    assert_eq!(sql.number(stored).await, 1, "in the same transaction");
    client.apply_all(vec![json!({"credential": {"id": bmc, "name": "again", "type": "BASIC"}})]).await;
    assert_eq!(state(&client, "again").await, "MISSING", "a new credential with the same id");
    // Only what the type has is read.
    client.apply_all(vec![json!({"credential": {"id": tls, "type": "TOKEN"}})]).await;
    assert_eq!(read(&client, "bmc").await, json!({}));
    sql.close().await;
}

async fn keys_are_rotated_and_may_be_missing(start: Starting) {
    let folder = scratch::folder("keys");
    let file = folder.path().join("keys");
    let keys = |keys: &[u8]| keep_keys(&file, keys);
    keys(&[1]);
    let mut server = start.env("UNDERLAY_SECRETS_KEY_FILE", &file).await;
    server.client().apply_all(credentials()).await;
    set(&server.client(), json!([secret("bmc", "password", "one"), secret("of-dcim", "token", "t")])).await;

    keys(&[2, 1]);
    server.stop().await;
    server.restart().await;
    assert_eq!(read(&server.client(), "bmc").await, json!({"password": "one"}), "the old key still decrypts");
    assert_eq!(set(&server.client(), json!([secret("bmc", "password", "one")])).await, counts(0, 1, 0));
    assert_eq!(set(&server.client(), json!([secret("tls", "certificate", "-----BEGIN X")])).await, counts(1, 0, 0));
    let rotated = server.cli(["secrets", "rotate"]).await;
    assert!(rotated.code == 0 && rotated.stderr.contains("2 secrets were encrypted anew"), "{rotated:?}");
    let again = server.cli(["secrets", "rotate"]).await;
    assert!(again.code == 0 && again.stderr.contains("0 secrets were encrypted anew"), "{again:?}");

    keys(&[2]);
    server.stop().await;
    server.restart().await;
    assert_eq!(read(&server.client(), "bmc").await, json!({"password": "one"}), "the old key is not needed any more");

    keys(&[3]);
    server.stop().await;
    server.restart().await;
    let client = server.client();
    assert_eq!(state(&client, "bmc").await, "UNREADABLE");
    let errors = client.refused(READ, json!({"id": id_of(&client, "bmc").await})).await;
    assert_eq!((errors[0].code.as_str(), errors[0].field.as_deref()), ("UNREADABLE", Some("credential")));
    assert!(errors[0].message.contains("was encrypted with the key"), "{errors:?}");
    let rotated = server.cli(["secrets", "rotate"]).await;
    assert!(rotated.code == 1 && rotated.stderr.contains("3 secrets cannot be decrypted"), "{rotated:?}");
    assert_eq!(set(&client, json!([secret("bmc", "password", "one")])).await, counts(1, 0, 0), "it can be set again");
    assert_eq!(state(&client, "bmc").await, "READABLE");

    // A server without a key does everything else.
    server.stop().await;
    let without = Server::start(Database::Postgres(server.database_url())).await;
    let client = without.client();
    assert_eq!(state(&client, "bmc").await, "UNREADABLE");
    let bmc = id_of(&client, "bmc").await;
    for answer in [
        client.execute(READ, json!({"id": bmc})).await,
        client.execute(SET, json!({"secrets": [secret("bmc", "password", "x")]})).await,
    ] {
        assert_eq!(answer.errors[0].code, "UNREADABLE", "{answer:?}");
        assert!(answer.errors[0].message.contains("the server has no key"), "{answer:?}");
    }
    let errors = client.refused("mutation { rotateSecrets { rotated } }", json!({})).await;
    assert_eq!(errors[0].code, "UNREADABLE");
    client.apply_all(vec![json!({"credential": {"name": "bmc", "username": "admin"}})]).await;
}

/// The answer of a read over a WebSocket.
async fn over_socket(server: &Server, id: &str) -> Value {
    let mut socket = Socket::connect(server.url()).await;
    socket.subscribe("1", READ, json!({ "id": id })).await;
    match socket.receive().await {
        Received::Message(message) => message,
        Received::Lost | Received::Closed(..) => panic!("the connection was lost"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_passes_a_proxy_that_is_not_trusted() {
    let start = |trusted: &str| {
        let start = Server::start(Database::Sqlite).env("UNDERLAY_SECRETS_KEYS", key(1));
        if trusted.is_empty() { start } else { start.env("UNDERLAY_HTTP_TRUSTED_PROXIES", trusted) }
    };
    for (trusted, headers, may) in [
        ("", &[][..], true),
        ("", &[("x-forwarded-proto", "https")], false),
        ("10.0.0.0/8", &[("x-forwarded-proto", "https")], false),
        ("10.0.0.0/8 127.0.0.1", &[("x-forwarded-proto", "https")], true),
        ("127.0.0.1", &[("x-forwarded-proto", "http")], false),
        ("127.0.0.1", &[("x-forwarded-for", "203.0.113.9")], false),
        ("", &[("cf-ray", "8f1a2b3c4d5e6f70-AMS")], false),
        ("127.0.0.1", &[("cdn-loop", "cloudflare; loops=1")], false),
        ("127.0.0.1", &[], true),
    ] {
        let server = start(trusted).await;
        let direct = server.client();
        direct.apply_all(credentials()).await;
        set(&direct, json!([secret("bmc", "password", "one")])).await;
        let bmc = id_of(&direct, "bmc").await;
        let header = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let client = direct.with_headers(HeaderMap::from_iter(headers.iter().map(header)));
        let answers = [
            client.execute(READ, json!({"id": bmc})).await,
            client.execute(SET, json!({"secrets": [secret("bmc", "password", "one")]})).await,
        ];
        for answer in answers {
            match may {
                true => assert!(answer.errors.is_empty(), "{trusted} {headers:?}: {answer:?}"),
                false => {
                    assert_eq!(answer.errors[0].code, "FORBIDDEN", "{trusted} {headers:?}: {answer:?}");
                    assert!(answer.errors[0].message.contains("not sent over plain HTTP"), "{answer:?}");
                }
            }
        }
        client.ok("{ credentials { nodes { name secretState } } }", json!({})).await;
        let query = format!("%7Bsecret(credential%3A%22{bmc}%22)%7Bpassword%7D%7D");
        for path in ["/graphql", "/graphql/stream"] {
            let text = client.get(&format!("{path}?query={query}")).await.text();
            assert_eq!(text.contains("\"one\""), may, "{path} {trusted} {headers:?}: {text}");
        }
        if headers.is_empty() {
            assert!(over_socket(&server, &bmc).await.to_string().contains("\"one\""));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_secret_passes_under_a_foreign_name_of_this_machine() {
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let operator = bearing(&server, &["--role", "operator"]).await;
    operator.apply_all(credentials()).await;
    let reader = bearing(&server, &["--role", "viewer,secrets-reader"]).await;
    let bmc = id_of(&operator, "bmc").await;
    for (host, may) in
        [("localhost:8080", true), ("127.0.0.1", true), ("[::1]:1", true), ("underlay.example.org", false)]
    {
        let named = HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))]);
        let (operator, reader) = (operator.with_headers(named.clone()), reader.with_headers(named));
        let answers = [
            operator.execute(SET, json!({"secrets": [secret("bmc", "password", "one")]})).await,
            reader.execute(READ, json!({ "id": bmc })).await,
        ];
        for answer in answers {
            let errors: Vec<&str> = answer.errors.iter().map(|error| error.code.as_str()).collect();
            assert_eq!(errors, if may { vec![] } else { vec!["FORBIDDEN"] }, "{host}: {answer:?}");
        }
    }
}
