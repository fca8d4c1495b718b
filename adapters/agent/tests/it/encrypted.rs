//! Servers with certificates.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use underlay_agent::{AgentError, Root, Sender, ServerAddress, TokenFile, TokenSource, report};
use underlay_facts::Outcome;
use underlay_testing::HANG;

use crate::driven::Agent;

const ANSWER: &str = r#"{"outcome":"STORED","everySeconds":100}"#;

/// Starts a server that accepts every report. Returns its address and its certificate.
async fn start() -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let names = CertificateParams::new(vec!["localhost".to_owned()]).expect("names");
    let certificate = names.self_signed(&key).expect("a certificate");
    let private = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let config = ServerConfig::builder().with_no_client_auth();
    let config = config.with_single_cert(vec![certificate.der().clone()], private).expect("a configuration");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            // A client that does not trust the certificate ends the connection.
            let Ok(mut connection) = acceptor.accept(connection).await else { continue };
            let _ = connection.read(&mut [0; 1024]).await;
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", ANSWER.len());
            let _ = connection.write_all(format!("{head}{ANSWER}").as_bytes()).await;
            // The rest is read until the client has its answer.
            while matches!(connection.read(&mut [0; 1024]).await, Ok(1..)) {}
        }
    });
    (format!("https://localhost:{port}"), certificate.pem())
}

async fn outcome(agent: &Agent, url: &str, authorities: Option<&Path>) -> Result<Outcome, AgentError> {
    let server = ServerAddress::parse(url)?;
    let mut sender = Sender::new(server, TokenSource::File(TokenFile::new(agent.token_file())), authorities)?;
    let root = Root::tree(agent.machine.path())?;
    sender.send(report(&root, HANG)).await.map(|answer| answer.outcome)
}

#[tokio::test]
async fn only_the_named_authorities_are_trusted() {
    let agent = Agent::new();
    let ((url, certificate), (other, _)) = (start().await, start().await);
    let file = agent.machine.at("/authorities.pem");
    fs::write(&file, certificate).expect("write a file");
    assert_eq!(outcome(&agent, &url, Some(&file)).await.expect("an answer"), Outcome::Stored);
    let refused = outcome(&agent, &other, Some(&file)).await.expect_err("another certificate").to_string();
    assert!(refused.contains("cannot be reached") && refused.contains("certificate"), "{refused}");
}

#[tokio::test]
async fn a_file_without_authorities_is_refused() {
    let agent = Agent::new();
    let file = agent.machine.at("/authorities.pem");
    fs::write(&file, "nothing").expect("write a file");
    let refused = outcome(&agent, "https://localhost", Some(&file)).await.expect_err("no authority").to_string();
    assert!(refused.ends_with("authorities.pem must have certificates of authorities in PEM"), "{refused}");
}
