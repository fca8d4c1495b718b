//! A controller and a hypervisor with libvirt: its domains are enlisted, switched and seen.

use serde_json::{Value, json};

use super::host;
use super::lives::until;
use super::redfish::{controller, enlisted, switch};
use crate::flows::secrets::{keep_keys, token};
use crate::harness::libvirtd::{DOMAIN, Libvirtd, MAC};
use crate::harness::{Database, Server, scratch};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "needs virsh and libvirtd"]
async fn the_domains_of_a_hypervisor_are_enlisted_switched_and_seen() {
    let (folder, libvirtd) = (scratch::folder("libvirt"), Libvirtd::start().await);
    let keys = folder.path().join("keys");
    keep_keys(&keys, &[1]);
    let server = Server::start(Database::Sqlite).asking().env("UNDERLAY_SECRETS_KEY_FILE", &keys);
    let server = server.env("UNDERLAY_HOSTS_ALLOWED_ADDRESSES", "127.0.0.0/8").await;
    let client = server.client().bearing(&token(&server, &["--role", "operator"]).await);
    let url = format!("libvirt+tcp://127.0.0.1:{}/system?driver=test", libvirtd.port);
    let key = json!({"credential": {"name": "key", "type": "SSH_KEY", "username": "root"}});
    let appliance = |name: &str, url: &str, more: Value| {
        let mut appliance = json!({"name": name, "type": "LIBVIRT", "url": url, "prefix": "kvm-"});
        appliance.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({ "appliance": appliance })
    };
    let key_of = json!({"credential": {"credential": "key"}});
    client.apply_all(vec![key, appliance("kvm", &url, json!({})), appliance("wrong", &url, key_of)]).await;
    let set = "mutation($input: SetSecretsInput!) { setSecrets(input: $input) { set } }";
    let secret = json!({"credential": {"credential": "key"}, "field": "privateKey",
        "value": "-----BEGIN OPENSSH PRIVATE KEY-----\nguess-1234"});
    client.ok(set, json!({"input": {"secrets": [secret]}})).await;
    let mut process = controller(&server, folder.path()).await;

    let refused = enlisted(&client, "wrong", false).await["message"].as_str().unwrap_or_default().to_owned();
    assert!(refused.contains("TCP takes no key"), "{refused}");
    let done = enlisted(&client, "kvm", false).await;
    assert_eq!((&done["found"], &done["enlisted"], &done["message"]), (&json!(1), &json!(1), &Value::Null));
    let found = host(&client, "kvm-test", "bmcUrl uid bootMac appliance { name }").await;
    assert_eq!(
        (&found["bmcUrl"], &found["uid"], &found["bootMac"]),
        (&json!(format!("{url}#{DOMAIN}")), &json!(DOMAIN), &json!(MAC))
    );
    for power in ["OFF", "ON"] {
        switch(&client, "kvm-test", power).await;
        until(&client, "kvm-test", |host| host["power"] == power && host["generation"] == host["generationDone"]).await;
    }
    assert_eq!(host(&client, "kvm-test", "lastOrder { outcome }").await["lastOrder"]["outcome"], "DONE");

    process.signal(libc::SIGTERM);
    assert!(process.end().await.success(), "it ends well");
    assert!(!process.stderr().contains("guess-1234") && !server.log().contains("guess-1234"), "secrets are in no log");
}
