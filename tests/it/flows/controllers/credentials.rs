//! Secrets of credentials, as a controller reads them from a server.

use std::sync::Arc;

use serde_json::json;
use underlay_client::{Client as Caller, Patience};
use underlay_hosts::api::{Api as _, Remote};
use underlay_hosts::machine::{Key, Secret};
use uuid::Uuid;

use crate::flows::secrets::{keep_keys, token};
use crate::harness::{Database, Server, scratch};

/// The server, as a controller with this token sees it.
fn remote(server: &Server, token: String) -> Remote {
    let client = Caller::new(server.url().parse().expect("an address"), Patience::default()).expect("a client");
    Remote::new(client.with_tokens(Some(Arc::new(move || Ok(token.clone())))), "one".to_owned())
}

async fn read(remote: &Remote, credential: Uuid) -> Result<(String, String), String> {
    let read = remote.secret(credential).await;
    read.map(|Secret { username, password, .. }| (username, password)).map_err(|error| error.to_string())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_controller_reads_the_secret_of_a_credential_or_learns_why_not() {
    let folder = scratch::folder("keys");
    let file = folder.path().join("keys");
    keep_keys(&file, &[1]);
    let mut server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEY_FILE", &file).await;
    let operator = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let basic = |name: &str| json!({"credential": {"name": name, "type": "BASIC", "username": "root"}});
    let tls = json!({"credential": {"name": "kvm", "type": "TLS"}});
    operator.apply_all(vec![basic("bmc"), basic("empty"), tls]).await;
    let mut ids = Vec::new();
    for name in ["bmc", "empty", "kvm"] {
        let found =
            operator.ok("query($name: String!) { credential(name: $name) { id } }", json!({ "name": name })).await;
        ids.push(found["credential"]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id"));
    }
    let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
    let secret = |credential: &str, field: &str, value: &str| json!({"credential": {"credential": credential}, "field": field, "value": value});
    let secrets = [
        secret("bmc", "password", "calvin"),
        secret("kvm", "certificate", "-----BEGIN CERTIFICATE-----"),
        secret("kvm", "privateKey", "-----BEGIN PRIVATE KEY-----"),
    ];
    operator.ok(set, json!({"input": {"secrets": secrets}})).await;

    let roles = ["--role", "reconciler,secrets-reader"];
    let controller = remote(&server, token(&server, &roles).await);
    assert_eq!(read(&controller, ids[0]).await, Ok(("root".to_owned(), "calvin".to_owned())));
    let of_hypervisor = controller.secret(ids[2]).await.expect("a key");
    let key = Key {
        private: "-----BEGIN PRIVATE KEY-----".to_owned(),
        certificate: Some("-----BEGIN CERTIFICATE-----".to_owned()),
        passphrase: None,
    };
    assert_eq!((of_hypervisor.key, of_hypervisor.username.as_str()), (Some(key), ""));
    let unset = read(&controller, ids[1]).await.expect_err("no password");
    assert!(unset.contains("has no password and no private key: set it with `underlay secrets set`"), "{unset}");
    let unknown = read(&controller, Uuid::from_u128(1)).await.expect_err("no credential");
    assert!(!unknown.contains("calvin") && unknown.starts_with("the server refuses: "), "{unknown}");
    let weak = remote(&server, token(&server, &["--role", "reconciler"]).await);
    let refused = read(&weak, ids[0]).await.expect_err("not with this role");
    assert!(refused.contains("requires the role secrets-reader"), "{refused}");

    // With another key the server cannot decrypt it, and says so.
    server.stop().await;
    keep_keys(&file, &[2]);
    server.restart().await;
    let controller = remote(&server, token(&server, &roles).await);
    let unreadable = read(&controller, ids[0]).await.expect_err("another key");
    assert!(unreadable.contains("was encrypted with the key") && !unreadable.contains("calvin"), "{unreadable}");
}
