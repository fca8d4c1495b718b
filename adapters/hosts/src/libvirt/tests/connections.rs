//! The URIs of connections, and the files that they name.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use underlay_address::Exceptions;

use super::super::credential_files::{Opened, open};
use super::super::domain_address::DomainAddress;
use super::*;
use crate::machine::{Key, Secret};

fn target(url: &str, secret: Option<Secret>) -> Target {
    Target { url: url.to_owned(), secret, ..Target::default() }
}

fn password() -> Secret {
    Secret { username: "ops".to_owned(), password: "calvin-1234".to_owned(), key: None, ..Secret::default() }
}

fn key(certificate: Option<&str>, passphrase: Option<&str>) -> Secret {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let key = Key { private: "PRIVATE".to_owned(), certificate: owned(certificate), passphrase: owned(passphrase) };
    Secret { username: "ops team".to_owned(), password: String::new(), key: Some(key), ..Secret::default() }
}

fn opened(target: &Target, usual: &Path) -> Result<Opened, CallError> {
    open(&DomainAddress::parse(target, &Exceptions::default())?, target, usual)
}

fn uri(target: &Target) -> String {
    opened(target, Path::new("/nowhere")).expect("a connection").uri
}

#[test]
fn an_address_becomes_the_uri_of_a_connection() {
    for (url, expected) in [
        ("libvirt+tls://kvm-1/system", "qemu+tls://kvm-1/system"),
        ("libvirt+tcp://10.0.0.7:16509/system", "qemu+tcp://10.0.0.7:16509/system"),
        ("libvirt+tls://[2001:db8::1]:1/system?driver=test", "test+tls://[2001:db8::1]:1/default"),
        (
            "libvirt+ssh://kvm-1/system?driver=qemu#4c4c4544-0042-3510-8056-b2c04f513432",
            "qemu+ssh://kvm-1/system?no_tty=1",
        ),
    ] {
        assert_eq!(uri(&target(url, None)), expected, "{url}");
    }
    let insecure = |url: &str| uri(&Target { insecure: true, ..target(url, None) });
    assert_eq!(insecure("libvirt+tls://kvm-1/system"), "qemu+tls://kvm-1/system?no_verify=1");
    assert_eq!(insecure("libvirt+ssh://kvm-1/system"), "qemu+ssh://kvm-1/system?no_tty=1&no_verify=1");
    assert_eq!(insecure("libvirt+tcp://kvm-1/system"), "qemu+tcp://kvm-1/system");
}

/// Returns the path that a parameter of a URI has.
fn path_in<'a>(uri: &'a str, parameter: &str) -> &'a Path {
    let (_, rest) = uri.split_once(&format!("{parameter}=")).expect("the parameter");
    Path::new(rest.split('&').next().expect("its value"))
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn a_password_goes_by_a_file_that_only_the_owner_reads() {
    let opened = opened(&target("libvirt+tls://kvm-1/system", Some(password())), Path::new("/nowhere")).unwrap();
    assert!(!opened.uri.contains("calvin") && !opened.uri.contains("ops"), "{}", opened.uri);
    let file = path_in(&opened.uri, "authfile").to_owned();
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\nauthname=ops\npassword=calvin-1234\n[auth-libvirt-default]\n"), "{text}");
    let folder = file.parent().unwrap().to_owned();
    assert_eq!((mode(&file), mode(&folder)), (0o600, 0o700));
    drop(opened);
    assert!(!folder.exists(), "it goes when the call ends");
}

#[test]
fn a_certificate_and_its_key_go_by_a_folder_with_the_authorities() {
    let usual = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(usual.path(), "USUAL\n").unwrap();
    let of_host = Target {
        trusted_cas: Some("OWN".to_owned()),
        ..target("libvirt+tls://kvm-1/system", Some(key(Some("CERTIFICATE"), None)))
    };
    let it = opened(&of_host, usual.path()).unwrap();
    let folder = path_in(&it.uri, "pkipath");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!((read("cacert.pem").as_str(), read("clientcert.pem").as_str()), ("OWN\nUSUAL\n", "CERTIFICATE\n"));
    assert_eq!((read("clientkey.pem").as_str(), mode(&folder.join("clientkey.pem"))), ("PRIVATE\n", 0o600));
    let without_key = Target { secret: None, ..of_host };
    let it = opened(&without_key, Path::new("/nowhere")).unwrap();
    assert!(!path_in(&it.uri, "pkipath").join("clientkey.pem").exists());
    assert_eq!(std::fs::read_to_string(path_in(&it.uri, "pkipath").join("cacert.pem")).unwrap(), "OWN\n");
}

#[test]
fn a_key_of_ssh_goes_by_a_file_and_its_user_by_the_uri() {
    let it = opened(&target("libvirt+ssh://kvm-1/system", Some(key(None, None))), Path::new("/nowhere")).unwrap();
    assert!(it.uri.starts_with("qemu+ssh://ops%20team@kvm-1/system?no_tty=1&keyfile=/"), "{}", it.uri);
    let file = path_in(&it.uri, "keyfile");
    assert_eq!((std::fs::read_to_string(file).unwrap().as_str(), mode(file)), ("PRIVATE\n", 0o600));
}

#[test]
fn a_credential_that_does_not_fit_is_refused_without_showing_it() {
    let two_lines = Secret { password: "a\nb".to_owned(), ..password() };
    for (url, secret, sentence) in [
        ("libvirt+ssh://kvm-1/system", password(), "SSH takes no password"),
        ("libvirt+ssh://kvm-1/system", key(Some("C"), None), "SSH takes no certificate"),
        ("libvirt+ssh://kvm-1/system", key(None, Some("phrase-1234")), "a key with a passphrase cannot be used"),
        ("libvirt+tls://kvm-1/system", key(None, None), "TLS takes a certificate"),
        ("libvirt+tcp://kvm-1/system", key(Some("C"), None), "TCP takes no key"),
        ("libvirt+tls://kvm-1/system", two_lines, "has a control character"),
    ] {
        let error = text_of(&opened(&target(url, Some(secret)), Path::new("/nowhere")).expect_err(sentence));
        assert!(error.starts_with(&format!("WrongCredential: {url}: ")) && error.contains(sentence), "{error}");
        assert!(!error.contains("1234") && !error.contains("PRIVATE"), "{error}");
    }
}

#[tokio::test]
async fn an_address_that_must_not_be_reached_is_refused_and_nothing_is_run() {
    for (url, sentence) in [
        ("libvirt+tls://127.0.0.1/system", "is a loopback address"),
        ("libvirt+ssh://169.254.169.254/system", "is the metadata service"),
        ("libvirt+tcp://localhost/system", "is a loopback address"),
        ("ipmi://10.0.0.7", "must begin with libvirt+tls://"),
        ("libvirt://kvm-1/system", "use libvirt+tls://"),
        ("libvirt+tls://10.0.0.7/system", "names no domain: add its UUID"),
    ] {
        let driver = Libvirt { program: "/nowhere/virsh".to_owned(), ..Libvirt::new(Exceptions::default()) };
        let error = text_of(&driver.power(&target(url, None)).await.unwrap_err());
        assert!(error.starts_with("WrongAddress: ") && error.contains(sentence), "{error}");
    }
}

#[test]
fn a_domain_with_another_uuid_than_the_host_is_refused() {
    let address = |machine: &str, uid: Option<&str>| {
        let url = format!("libvirt+tls://kvm-1/system{machine}");
        let target = Target { uid: uid.map(str::to_owned), ..target(&url, None) };
        DomainAddress::parse(&target, &Exceptions::default()).expect("a place")
    };
    let found = DOMAIN.parse().unwrap();
    let in_url = format!("#{DOMAIN}");
    for (machine, uid, is_fine) in [
        (in_url.as_str(), None, true),
        (&in_url, Some(DOMAIN), true),
        (&in_url, Some("01eb9566-a4f6-0483-79aa-97f2502e193f"), true),
        (&in_url, Some("CZJ1"), true),
        ("", Some(DOMAIN), true),
        (&in_url, Some(OTHER), false),
        ("", Some(OTHER), false),
    ] {
        let refused = address(machine, uid).refuse_other(found);
        assert_eq!(refused.is_ok(), is_fine, "{machine} {uid:?}");
    }
}
