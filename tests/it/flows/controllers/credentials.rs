//! Secrets of credentials, as a controller reads them from a server.

use std::sync::Arc;

use serde_json::{Value, json};
use underlay_client::{Client as Caller, Patience};
use underlay_hosts::api::{Api as _, Recipient, Remote};
use underlay_hosts::machine::{Key, Secret};
use uuid::Uuid;

use crate::flows::secrets::{keep_keys, key, token};
use crate::harness::{Client, Database, Server, scratch};

/// The server, as a controller with this token sees it.
fn remote(server: &Server, token: String) -> Remote {
    let client = Caller::new(server.url().parse().expect("an address"), Patience::default()).expect("a client");
    Remote::new(client.with_tokens(Some(Arc::new(move || Ok(token.clone())))), "one".to_owned())
}

async fn read(remote: &Remote, credential: Uuid, recipient: &Recipient) -> Result<(String, String), String> {
    let read = remote.secret(credential, recipient).await;
    read.map(|Secret { username, password, .. }| (username, password)).map_err(|error| error.to_string())
}

async fn id_of(client: &Client, kind: &str, name: &str) -> Uuid {
    let query = format!("query($name: String!) {{ found: {kind}(name: $name) {{ id }} }}");
    let found = client.ok(&query, json!({ "name": name })).await;
    found["found"]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_is_sent_only_to_the_address_that_the_host_has_now() {
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEYS", key(1)).await;
    let operator = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let appliance =
        json!({"name": "a", "type": "REDFISH", "url": "redfish+http://10.0.0.9", "credential": {"credential": "bmc"}});
    operator
        .apply_all(vec![
            json!({"credential": {"name": "bmc", "type": "BASIC", "allowedHosts": ["10.0.0.0/8", "http://10.0.0.9"]}}),
            json!({"host": {"name": "h", "bmcUrl": "redfish://10.0.0.7", "bmcCredential": {"credential": "bmc"}}}),
            json!({"host": {"name": "other", "bmcUrl": "redfish://10.0.0.8"}}),
            json!({ "appliance": appliance }),
        ])
        .await;
    let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
    let secret = json!({"credential": {"credential": "bmc"}, "field": "password", "value": "calvin"});
    operator.ok(set, json!({"input": {"secrets": [secret]}})).await;
    let bmc = id_of(&operator, "credential", "bmc").await;
    let [host, other, appliance] =
        [("host", "h"), ("host", "other"), ("appliance", "a")].map(|(kind, name)| id_of(&operator, kind, name));
    let (host, other, appliance) = tokio::join!(host, other, appliance);
    let controller = remote(&server, token(&server, &["--role", "reconciler,secrets-reader"]).await);
    let to = |object: Uuid, url: &str| Recipient { object, url: Some(url.to_owned()), ..Recipient::default() };
    let own = to(host, "redfish://10.0.0.7");

    assert!(read(&controller, bmc, &own).await.is_ok());
    assert!(read(&controller, bmc, &to(appliance, "redfish+http://10.0.0.9")).await.is_ok());
    for (what, recipient, says) in [
        ("another address", to(host, "redfish://10.0.0.66"), "has another address"),
        ("another transport", to(host, "redfish+http://10.0.0.7"), "has another address"),
        ("unchecked certificates", Recipient { insecure: true, ..own.clone() }, "or other certificates"),
        ("authorities", Recipient { trusted_cas: Some("x".to_owned()), ..own.clone() }, "or other certificates"),
        ("no address", Recipient { url: None, ..own.clone() }, "has another address"),
        ("a host without it", to(other, "redfish://10.0.0.8"), "does not refer to the credential bmc any more"),
        ("no host", to(bmc, "redfish://10.0.0.7"), "does not exist"),
    ] {
        let refused = read(&controller, bmc, &recipient).await.expect_err(what);
        assert!(refused.contains(says) && !refused.contains("calvin"), "{what}: {refused}");
    }

    // The controller read the host before the address changed, and the secret after it.
    operator
        .apply_all(vec![
            json!({"host": {"name": "h", "bmcUrl": "redfish://10.0.0.70", "bmcCredential": {"credential": "bmc"}}}),
        ])
        .await;
    let refused = read(&controller, bmc, &own).await.expect_err("the address before");
    assert!(refused.contains("has another address"), "{refused}");
    assert!(read(&controller, bmc, &to(host, "redfish://10.0.0.70")).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_synchronizer_obtains_no_password_that_it_may_not_read() {
    let server = Server::start(Database::Sqlite).asking().await;
    let operator = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let credential = |name: &str| json!({"credential": {"name": name, "type": "BASIC"}});
    operator
        .apply_all(vec![credential("bmc"), json!({"host": {"name": "h", "bmcCredential": {"credential": "bmc"}}})])
        .await;
    let roles = ["--role", "synchronizer", "--source", "dcim"];
    let synchronizer = server.client().bearing(&token(&server, &roles).await);
    let apply = "mutation($input: ApplyInput!) { apply(input: $input) { results { error { code field message } } } }";
    let written = async |fields: Value| {
        let input = json!({"items": [{ "host": fields }], "mode": "PER_ITEM"});
        let mut answer = synchronizer.ok(apply, json!({ "input": input })).await;
        answer["apply"]["results"][0]["error"].take()
    };

    // Its own host with the credential of the operator.
    let evil = json!({"name": "e", "externalId": "1", "bmcUrl": "redfish://evil.example", "bmcCredential": {"credential": "bmc"}});
    let refused = written(evil.clone()).await;
    assert_eq!((&refused["code"], &refused["field"]), (&json!("INCOMPATIBLE"), &json!("bmcCredential")), "{refused}");
    assert!(refused["message"].to_string().contains("by adding dcim to sources of the credential"), "{refused}");
    // The host of the operator, which gets an address, and the credential given with it.
    let moved = json!({"name": "h", "bmcUrl": "redfish://other.example", "bmcCredential": {"credential": "bmc"}});
    assert_eq!(written(moved).await, Value::Null);
    let found = operator.ok("{ host(name: \"h\") { bmcUrl bmcCredential { name } } }", json!({})).await;
    assert_eq!(found["host"], json!({"bmcUrl": "redfish://other.example", "bmcCredential": null}));

    // An operator permits it, for the hosts of a network.
    let permit = json!({"credential": {"name": "bmc", "sources": ["dcim"], "allowedHosts": ["10.0.0.0/8"]}});
    operator.apply_all(vec![permit]).await;
    let refused = written(evil.clone()).await;
    assert!(refused["message"].to_string().contains("allowedHosts names the host evil.example"), "{refused}");
    let mut good = evil;
    good["bmcUrl"] = json!("redfish://10.0.0.8");
    assert_eq!(written(good).await, Value::Null);
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
    for (at, name) in ["bmc", "empty", "kvm"].into_iter().enumerate() {
        let url = format!("redfish://10.0.0.{at}");
        operator
            .apply_all(vec![json!({"host": {"name": name, "bmcUrl": url, "bmcCredential": {"credential": name}}})])
            .await;
        let object = id_of(&operator, "host", name).await;
        let recipient = Recipient { object, url: Some(url), ..Recipient::default() };
        ids.push((id_of(&operator, "credential", name).await, recipient));
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
    let [(bmc, of_bmc), (empty, of_empty), (kvm, of_kvm)] = &ids[..] else { panic!("three credentials: {ids:?}") };
    assert_eq!(read(&controller, *bmc, of_bmc).await, Ok(("root".to_owned(), "calvin".to_owned())));
    let of_hypervisor = controller.secret(*kvm, of_kvm).await.expect("a key");
    let key = Key {
        private: "-----BEGIN PRIVATE KEY-----".to_owned(),
        certificate: Some("-----BEGIN CERTIFICATE-----".to_owned()),
        passphrase: None,
    };
    assert_eq!((of_hypervisor.key, of_hypervisor.username.as_str()), (Some(key), ""));
    let unset = read(&controller, *empty, of_empty).await.expect_err("no password");
    assert!(unset.contains("has no password and no private key: set it with `underlay secrets set`"), "{unset}");
    let unknown = read(&controller, Uuid::from_u128(1), of_bmc).await.expect_err("no credential");
    assert!(!unknown.contains("calvin") && unknown.starts_with("the server refuses: "), "{unknown}");
    let weak = remote(&server, token(&server, &["--role", "reconciler"]).await);
    let refused = read(&weak, *bmc, of_bmc).await.expect_err("not with this role");
    assert!(refused.contains("requires the role secrets-reader"), "{refused}");

    // With another key the server cannot decrypt it, and says so.
    server.stop().await;
    keep_keys(&file, &[2]);
    server.restart().await;
    let controller = remote(&server, token(&server, &roles).await);
    let unreadable = read(&controller, *bmc, of_bmc).await.expect_err("another key");
    assert!(unreadable.contains("was encrypted with the key") && !unreadable.contains("calvin"), "{unreadable}");
}
