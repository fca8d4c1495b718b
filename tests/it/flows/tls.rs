//! TLS with certificates from files, which are reloaded when they change.

use std::path::Path;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;

use crate::harness::until;
use crate::harness::{Cli, Database, Server, scratch};

/// A certificate authority.
pub fn authority() -> CertifiedIssuer<'static, KeyPair> {
    let mut params = CertificateParams::new(Vec::new()).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("a certificate")
}

/// Writes a certificate for this machine and its key.
pub fn write(folder: &Path, authority: &CertifiedIssuer<'static, KeyPair>) {
    let key = KeyPair::generate().expect("a key");
    let params = CertificateParams::new(vec!["localhost".to_owned(), "127.0.0.1".to_owned()]).expect("names");
    let certificate = params.signed_by(&key, authority).expect("a certificate");
    std::fs::write(folder.join("tls.crt"), certificate.pem()).expect("write");
    std::fs::write(folder.join("tls.key"), key.serialize_pem()).expect("write");
}

fn client(authority: &CertifiedIssuer<'static, KeyPair>) -> reqwest::Client {
    let root = reqwest::Certificate::from_pem(authority.pem().as_bytes()).expect("a certificate");
    // Each request on a connection of its own, with the certificate of then.
    reqwest::Client::builder().no_proxy().tls_certs_only([root]).pool_max_idle_per_host(0).build().expect("a client")
}

async fn answers(client: &reqwest::Client, url: &str) -> bool {
    client.get(format!("{url}/healthz")).send().await.is_ok_and(|answer| answer.status().is_success())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_reloaded_when_they_change() {
    let folder = scratch::folder("tls");
    let (one, other) = (authority(), authority());
    write(folder.path(), &one);
    let [certificates, key] = ["tls.crt", "tls.key"].map(|name| folder.path().join(name));
    let server =
        Server::start(Database::Sqlite).arg("--tls-certificates").arg(&certificates).arg("--tls-key").arg(&key);
    let server = server.await;
    assert!(server.url().starts_with("https://127.0.0.1:"), "{}", server.url());
    let (of_one, of_other) = (client(&one), client(&other));
    assert!(answers(&of_one, server.url()).await && !answers(&of_other, server.url()).await);
    let query = json!({"query": "{ revision }"});
    let answer = of_one.post(format!("{}/graphql", server.url())).json(&query).send().await.expect("an answer");
    assert_eq!(answer.status(), 200);
    let plain = server.url().replacen("https", "http", 1);
    assert!(!answers(&of_one, &plain).await, "nothing is answered without TLS");

    let root = folder.path().join("root.crt");
    std::fs::write(&root, one.pem()).expect("write");
    let get = server.cli(["get", "sites"]).env("SSL_CERT_FILE", &root).await;
    assert_eq!(get.code, 0, "{get:?}");

    // An unusable file changes nothing.
    std::fs::write(&key, "rubbish").expect("write");
    until("the server warns", async || server.log().contains("the old ones stay")).await;
    assert!(answers(&of_one, server.url()).await);
    write(folder.path(), &other);
    until("the new certificate is in use", async || answers(&of_other, server.url()).await).await;
    assert!(!answers(&client(&one), server.url()).await, "a client without an earlier session");
}

#[tokio::test]
async fn invalid_certificates_prevent_the_start() {
    let folder = scratch::folder("bad-tls");
    let (one, other) = (scratch::folder("tls-1"), scratch::folder("tls-2"));
    let authority = authority();
    write(one.path(), &authority);
    write(other.path(), &authority);
    let [crt, key, foreign] = [one.path().join("tls.crt"), one.path().join("tls.key"), other.path().join("tls.key")];
    let missing = one.path().join("none.crt");
    for (crt, key, expected) in [
        (&missing, &key, "cannot be read"),
        (&key, &key, "the file has no certificate"),
        (&crt, &crt, "cannot be read"),
        (&crt, &foreign, "do not belong together"),
    ] {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--data-dir"].map(std::ffi::OsString::from).to_vec();
        let mut arguments = [arguments, vec![folder.path().into()]].concat();
        arguments.extend(["--tls-certificates".into(), crt.into(), "--tls-key".into(), key.into()]);
        let refused = Cli::new(arguments).env("UNDERLAY_RUN_DIR", folder.path().join("run")).await;
        assert!(refused.code == 1 && refused.stderr.contains(expected), "{expected}: {refused:?}");
    }
}
