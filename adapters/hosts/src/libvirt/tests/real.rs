//! The driver against the test driver of libvirt, over its RPC.

use std::os::unix::fs::symlink;

use rcgen::ExtendedKeyUsagePurpose;
use underlay_address::Exceptions;

use super::fake::Fake;
use super::libvirtd::{Authority, Libvirtd};
use super::*;
use crate::machine::{Key, Secret};

/// The MAC address of the domain that the test driver has.
const MAC: &str = "aa:bb:cc:dd:ee:ff";

fn driver() -> Libvirt {
    Libvirt { authorities: "/nowhere".into(), limits: PATIENT, ..Libvirt::new(Exceptions::everything()) }
}

/// Returns the definition of another domain for the test driver.
fn another() -> String {
    format!(
        "<domain type='test'><name>db</name><uuid>{OTHER}</uuid><memory unit='MiB'>64</memory><vcpu>1</vcpu>\
         <os><type>hvm</type><boot dev='hd'/></os><devices><disk type='file' device='disk'><source file='/db'/>\
         <target dev='vda'/></disk><interface type='network'><mac address='52:54:00:00:00:01'/><source network='default'/>\
         </interface></devices></domain>"
    )
}

#[tokio::test]
#[ignore = "needs virsh and libvirtd"]
async fn domains_are_listed_switched_and_booted_once_from_the_network() {
    let libvirtd = Libvirtd::start("localhost").await;
    std::fs::write(libvirtd.folder().join("db.xml"), another()).expect("a file");
    let file = libvirtd.folder().join("db.xml").display().to_string();
    libvirtd.virsh(&["define", &file]).await;
    let driver = driver();
    let mut found = driver.enumerate(&libvirtd.appliance()).await.expect("domains");
    found.sort_by(|one, other| one.name.cmp(&other.name));
    let listed: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.url.as_str(), it.boot_mac.as_deref())).collect();
    let (one, two) = (libvirtd.domain(DOMAIN), libvirtd.domain(OTHER));
    assert_eq!(listed, [("db", two.url.as_str(), Some("52:54:00:00:00:01")), ("test", &one.url, Some(MAC))]);
    assert_eq!(driver.identify(&one).await.expect("names").uuid.as_deref(), Some(DOMAIN));
    assert_eq!((driver.power(&one).await, driver.power(&two).await), (Ok(Power::On), Ok(Power::Off)));

    // The domain boots once from the network, and its definition stays as it is.
    let order = async |inactive: bool| {
        let xml = match inactive {
            true => libvirtd.virsh(&["dumpxml", "--inactive", DOMAIN]).await,
            false => libvirtd.virsh(&["dumpxml", DOMAIN]).await,
        };
        let boots = xml.lines().filter(|line| line.contains("boot")).map(|line| line.trim().to_owned());
        boots.filter(|line| !line.starts_with("<on_reboot")).collect::<Vec<_>>()
    };
    driver.set_boot(&one, BootDevice::Network).await.expect("it is noted");
    assert_eq!(order(false).await, ["<boot dev='hd'/>"], "it still runs as it did");
    driver.set_power(&one, PowerAct::Cycle).await.expect("it is switched off and on");
    assert_eq!(driver.power(&one).await, Ok(Power::On));
    assert_eq!(order(false).await, ["<boot order='2'/>", "<boot order='1'/>"], "the disk comes after the interface");
    assert_eq!(order(true).await, ["<boot dev='hd'/>"]);
    driver.set_power(&one, PowerAct::Cycle).await.expect("it is switched off and on");
    assert_eq!(order(false).await, ["<boot dev='hd'/>"], "the second time it boots from its disk");

    for (act, power) in [
        (PowerAct::ForceOff, Power::Off),
        (PowerAct::Off, Power::Off),
        (PowerAct::On, Power::On),
        (PowerAct::On, Power::On),
        (PowerAct::Off, Power::Off),
    ] {
        driver.set_power(&one, act).await.expect("it is switched");
        assert_eq!(driver.power(&one).await, Ok(power), "{act:?}");
    }
    assert_eq!(driver.power(&two).await, Ok(Power::Off), "the other one was left alone");
}

#[tokio::test]
#[ignore = "needs virsh and libvirtd"]
async fn a_domain_that_is_gone_another_one_or_transient_is_left_alone() {
    let libvirtd = Libvirtd::start("localhost").await;
    let driver = driver();
    let gone = driver.set_power(&libvirtd.domain(OTHER), PowerAct::On).await.unwrap_err();
    assert!(text_of(&gone).starts_with("NoDomain: "), "{gone}");
    let wrong = Target { uid: Some(OTHER.to_owned()), ..libvirtd.domain(DOMAIN) };
    let wrong = driver.set_power(&wrong, PowerAct::ForceOff).await.unwrap_err();
    assert!(text_of(&wrong).starts_with("WrongMachine: ") && text_of(&wrong).contains(OTHER), "{wrong}");
    // libvirt finds a domain by its name too, and a name can look like the UUID of another domain.
    let named = another().replace("<name>db", &format!("<name>{OTHER}")).replace(&format!("<uuid>{OTHER}</uuid>"), "");
    std::fs::write(libvirtd.folder().join("named.xml"), named).expect("a file");
    let file = libvirtd.folder().join("named.xml").display().to_string();
    libvirtd.virsh(&["create", &file]).await;
    let named = driver.set_power(&libvirtd.domain(OTHER), PowerAct::ForceOff).await.unwrap_err();
    assert!(text_of(&named).starts_with("WrongMachine: "), "{named}");
    assert_eq!(driver.power(&libvirtd.domain(DOMAIN)).await, Ok(Power::On));

    let uuid = libvirtd.virsh(&["domuuid", OTHER]).await.trim().to_owned();
    let transient = libvirtd.domain(&uuid);
    let lost = driver.set_power(&transient, PowerAct::ForceOff).await.unwrap_err();
    assert!(text_of(&lost).contains("is transient and would be lost"), "{lost}");
    assert_eq!(driver.power(&transient).await, Ok(Power::On));

    // A domain that goes on from its memory does not boot.
    driver.set_boot(&libvirtd.domain(DOMAIN), BootDevice::Network).await.expect("it is noted");
    libvirtd.virsh(&["managedsave", DOMAIN]).await;
    let saved = driver.set_power(&libvirtd.domain(DOMAIN), PowerAct::On).await.unwrap_err();
    assert!(text_of(&saved).contains("managedsave-remove"), "{saved}");

    let closed = Target { url: format!("libvirt+tcp://127.0.0.1:1/system#{DOMAIN}"), ..Target::default() };
    let closed = driver.set_power(&closed, PowerAct::On).await.unwrap_err();
    assert!(text_of(&closed).starts_with("not made: ") && text_of(&closed).contains("Connection refused"), "{closed}");
}

#[tokio::test]
#[ignore = "needs virsh and libvirtd"]
async fn certificates_are_checked_on_both_sides() {
    let libvirtd = Libvirtd::start("localhost").await;
    let driver = driver();
    let client = Some(libvirtd.authority.client());
    assert_eq!(driver.power(&libvirtd.over_tls("localhost", client.clone())).await, Ok(Power::On));
    let other_name = driver.power(&libvirtd.over_tls("127.0.0.1", client.clone())).await.unwrap_err();
    assert!(text_of(&other_name).starts_with("WrongCertificate: "), "{other_name}");
    let insecure = Target { insecure: true, ..libvirtd.over_tls("127.0.0.1", client.clone()) };
    assert_eq!(driver.power(&insecure).await, Ok(Power::On));

    let stranger = Authority::new();
    let trusts_another =
        Target { trusted_cas: Some(stranger.pem()), ..libvirtd.over_tls("localhost", Some(stranger.client())) };
    let unknown = driver.power(&trusts_another).await.unwrap_err();
    assert!(text_of(&unknown).starts_with("WrongCertificate: "), "{unknown}");
    // The hypervisor ends the connection without a word.
    let without = driver.power(&libvirtd.over_tls("localhost", None)).await.unwrap_err();
    assert!(text_of(&without).contains("accepts the certificate or the key of the credential"), "{without}");
    let (certificate, _) = libvirtd.authority.certify("controller", ExtendedKeyUsagePurpose::ClientAuth);
    let key = Key { private: "garbage-1234".to_owned(), certificate: Some(certificate), passphrase: None };
    let garbage = Some(Secret { key: Some(key), ..Secret::default() });
    let error = text_of(&driver.power(&libvirtd.over_tls("localhost", garbage)).await.unwrap_err());
    assert!(error.contains("failed to connect") && !error.contains("1234"), "{error}");
}

/// `virsh` starts an `ssh` of the tests, which notes its arguments.
#[tokio::test]
#[ignore = "needs virsh"]
async fn ssh_gets_the_key_and_asks_nothing() {
    let virsh = Fake::new("PATH=$PWD/bin:$PATH exec /usr/bin/env virsh $options \"$uri\" \"$@\"");
    // It waits for the first bytes of virsh, which says only that the socket is closed if ssh ends before it asks.
    let ssh = Fake::new(
        "echo \"$options $uri $*\" >given; head -c 4 >/dev/null; echo 'Host key verification failed.' >&2; exit 255",
    );
    std::fs::create_dir(virsh.path("bin")).expect("a folder");
    symlink(ssh.path("virsh"), virsh.path("bin/ssh")).expect("a link");
    // The script looks for its answers beside the link by which it was called.
    std::fs::copy(ssh.path("answers"), virsh.path("bin/answers")).expect("a file");
    let key = Key { private: "PRIVATE".to_owned(), certificate: None, passphrase: None };
    let secret = Secret { username: "ops".to_owned(), key: Some(key), ..Secret::default() };
    let url = format!("libvirt+ssh://192.0.2.1:2222/system#{DOMAIN}");
    let error = virsh.driver().power(&Target { url, secret: Some(secret), ..Target::default() }).await.unwrap_err();
    assert!(text_of(&error).starts_with("WrongHostKey: ") && text_of(&error).contains("known_hosts"), "{error}");
    let given = virsh.read("bin/given");
    for part in ["-l ops", "-p 2222", "BatchMode=yes", "-i /", "-- 192.0.2.1"] {
        assert!(given.contains(part), "{part}: {given}");
    }
}
