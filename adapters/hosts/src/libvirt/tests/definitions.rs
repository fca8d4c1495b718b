//! Definitions and the words of `virsh` are read, and definitions are made, without any `virsh`.

use uuid::Uuid;

use super::super::domain::{Domain, DomainError, NoBoot, all, booting_from, marker_of};
use super::super::output::{Info, Reason, info_of, is_gone, reason_of, sentences};
use super::super::session::{Step, step_of};
use super::*;

const MARKER: &str = "<underlay:boot xmlns:underlay='urn:underlay:boot' once='network'/>";

#[test]
fn the_names_of_a_domain_are_read() {
    let domain = Domain::parse(&definition("<boot dev='hd'/>", MARKER)).expect("a domain");
    assert_eq!((domain.name.as_str(), domain.uuid.to_string().as_str()), ("web & co", DOMAIN));
    assert_eq!(domain.serial.as_deref(), Some("CZJ1"));
    // The interface that has a position in the order is the first one to boot from.
    assert_eq!(domain.boot_mac.as_deref(), Some("52:54:00:00:00:0b"));
    assert_eq!(domain.once, Some(BootDevice::Network));
    let without_order = definition("", "").replace("<boot order='3'/>", "");
    let domain = Domain::parse(&without_order).expect("a domain");
    assert_eq!((domain.boot_mac.as_deref(), domain.once), (Some("52:54:00:00:00:0a"), None));
    let bare = Domain::parse(&format!("<domain><name>a</name><uuid>{DOMAIN}</uuid></domain>")).expect("a domain");
    assert_eq!((bare.serial, bare.boot_mac), (None, None));
}

#[test]
fn rejects_a_text_that_is_no_definition() {
    let whole = definition("", "");
    for (xml, sentence) in [
        ("", "cannot be read"),
        ("garbage", "cannot be read"),
        (&whole[..whole.len() / 2], "cannot be read"),
        ("<network/>", "has no element domain"),
        ("<domain><name>a</name></domain>", "has no uuid"),
        ("<domain><name>a</name><uuid>a</uuid></domain>", "has no uuid"),
        ("<domain><uuid/></domain>", "has no name"),
        // Entities could be of any size.
        ("<!DOCTYPE domain [<!ENTITY a 'b'>]><domain>&a;</domain>", "cannot be read"),
    ] {
        let error = Domain::parse(xml).expect_err(xml).to_string();
        assert!(error.contains(sentence), "{xml}: {error}");
    }
    let many = format!("<domain>{}</domain>", "<a/>".repeat(100_001));
    assert!(matches!(Domain::parse(&many), Err(DomainError::Xml(_))));
}

#[test]
fn definitions_are_told_apart_in_one_output() {
    let (one, two) = (definition("", ""), definition("", "").replace(DOMAIN, OTHER));
    let found = all(&format!("{one}\n\n{two}\n")).expect("domains");
    assert_eq!(found.len(), 2);
    assert_eq!(found[&Uuid::parse_str(OTHER).unwrap()].name, "web & co");
    assert!(all("").expect("none").is_empty());
    all(&format!("{one}\n{}", &two[..two.len() / 2])).expect_err("a half one");
}

#[test]
fn a_domain_boots_from_another_device_and_is_otherwise_as_it_was() {
    let xml = definition("<boot dev='hd'/><boot dev='cdrom'/>", MARKER);
    let made = booting_from(&xml, BootDevice::Network, None).expect("a definition");
    let mut expected = definition("", "");
    for (old, new) in [
        (
            "<mac address='52:54:00:00:00:0b'/><boot order='3'/>",
            "<boot order=\"1\"/><mac address='52:54:00:00:00:0b'/>",
        ),
        ("<boot order='2'/><target dev='vdb'/>", "<boot order=\"2\"/><target dev='vdb'/>"),
    ] {
        assert!(expected.contains(old));
        expected = expected.replace(old, new);
    }
    assert_eq!(made, expected);
    // The other interface, in any notation of its address.
    let made = booting_from(&xml, BootDevice::Network, Some("52-54-00-00-00-0a")).expect("a definition");
    assert!(made.contains("<interface type='network'><boot order=\"1\"/>\n"), "{made}");
    assert!(made.contains("passwd='s3cret'") && !made.contains("order='3'"), "{made}");
    let made = booting_from(&xml, BootDevice::Local, None).expect("a definition");
    assert!(made.contains("<disk type='file'><boot order=\"1\"/><target dev='vdb'/>"), "{made}");
    assert_eq!(made.matches("<boot").count(), 1, "{made}");
}

#[test]
fn a_boot_that_cannot_be_is_refused() {
    let xml = definition("", "");
    let none = format!("<domain><name>a</name><uuid>{DOMAIN}</uuid><devices/></domain>");
    let kernel = definition("<kernel>/boot/vmlinuz</kernel>", "");
    let (network, local) = (BootDevice::Network, BootDevice::Local);
    for (xml, device, mac, sentence) in [
        (&none, network, None, "has no network interface to boot from"),
        (&none, local, None, "has no disk to boot from"),
        (&xml, network, Some("52:54:00:00:00:ff"), "no interface with the MAC address 52:54:00:00:00:ff"),
        (&kernel, network, None, "names a kernel"),
    ] {
        let error: NoBoot = booting_from(xml, device, mac).expect_err(sentence);
        assert!(error.to_string().contains(sentence), "{error}");
    }
}

#[test]
fn the_note_of_a_boot_is_read_as_libvirt_stores_it() {
    for device in [BootDevice::Network, BootDevice::Local] {
        let stored = marker_of(device).replace("<boot", "<underlay:boot xmlns:underlay=\"urn:underlay:boot\"");
        assert_eq!(Domain::parse(&definition("", &stored)).expect("a domain").once, Some(device));
    }
    let other = MARKER.replace("urn:underlay:boot'", "urn:other'");
    assert_eq!(Domain::parse(&definition("", &other)).expect("a domain").once, None);
}

/// The output of `dominfo` of libvirt 9.0.
const INFO: &str = "Id:             -\nName:           a: b\nUUID:           6695eb01-f6a4-8304-79aa-97f2502e193f\nOS Type:        \
                    hvm\nState:          shut off\nPersistent:     yes\nAutostart:      disable\nManaged save:   no\n";

#[test]
fn the_state_of_a_domain_is_read_or_the_line_that_is_missing_is_named() {
    let uuid = Uuid::parse_str(DOMAIN).unwrap();
    let off = Info { uuid, is_active: false, is_persistent: true, is_saved: false };
    assert_eq!(info_of(INFO), Ok(off));
    let on = INFO.replace("-\n", "17\n").replace("Persistent:     yes", "Persistent:     no");
    assert_eq!(info_of(&on), Ok(Info { is_active: true, is_persistent: false, ..off }));
    let saved = INFO.replace("save:   no", "save:   yes");
    assert_eq!(info_of(&saved), Ok(Info { is_saved: true, ..off }));
    assert_eq!(info_of(&INFO.replace("save:   no", "save:   unknown")), Ok(off));
    for (output, line) in [
        ("", "Id"),
        ("garbage: yes", "Id"),
        (&INFO[..60], "UUID"),
        (&INFO.replace("-\n", "x\n"), "Id"),
        (&INFO.replace("yes", "unknown"), "Persistent"),
        (&INFO.replace("Managed", "managed"), "Managed save"),
    ] {
        assert_eq!(info_of(output), Err(line), "{output}");
    }
}

#[test]
fn a_failure_says_if_a_change_can_have_been_made() {
    let connecting = |reason: &str| format!("error: failed to connect to the hypervisor\nerror: {reason}");
    for (errors, reason) in [
        (connecting("unable to connect to server at '10.0.0.7:16514': Connection refused"), Reason::NoConnection),
        (connecting("authentication failed: TLS handshake failed Error in the pull function."), Reason::NoConnection),
        (connecting("Unable to read TLS confirmation: Input/output error"), Reason::NoConnection),
        (connecting("Cannot read CA certificate '/etc/pki/CA/cacert.pem': No such file"), Reason::Certificate),
        (connecting("authentication failed: Failed to verify peer's certificate"), Reason::Certificate),
        (connecting("Cannot recv data: Host key verification failed.: Connection reset"), Reason::HostKey),
        (connecting("Cannot recv data: root@h: Permission denied (publickey).: Connection reset"), Reason::Credential),
        (connecting("authentication failed: authentication failed"), Reason::Credential),
        (connecting("no connection driver available for qemu:///system"), Reason::NoDriver),
        ("error: failed to get domain 'a'\nerror: Domain not found: no domain".to_owned(), Reason::NoDomain),
        ("error: failed to get domain 'a'\nerror: End of file while reading data".to_owned(), Reason::Unknown),
        ("error: Failed to start\nerror: internal error: process exited".to_owned(), Reason::Refused),
        ("error: Domain is already active".to_owned(), Reason::Changed),
        ("error: Failed\nerror: Requested operation is not valid: domain is not running".to_owned(), Reason::Changed),
        (
            "error: Failed\nerror: Timed out during operation: cannot acquire state change lock".to_owned(),
            Reason::Changed,
        ),
        ("error: Failed\nerror: access denied: 'QEMU'".to_owned(), Reason::Credential),
        ("error: Failed\nerror: Cannot recv data: Connection reset by peer".to_owned(), Reason::Unknown),
        ("error: Disconnected from qemu:///system due to end of file".to_owned(), Reason::Unknown),
        (String::new(), Reason::Unknown),
        ("Segmentation fault".to_owned(), Reason::Unknown),
    ] {
        assert_eq!(reason_of(&errors), reason, "{errors}");
    }
    assert!(is_gone(&format!("error: failed to get domain '{DOMAIN}'\n"), Uuid::parse_str(DOMAIN).unwrap()));
}

#[test]
fn a_sentence_has_no_part_of_a_definition() {
    let errors = "error: Failed to create domain from /dev/stdin\nerror: (domain_definition):9: mismatch\n\
                  <graphics type='vnc' passwd='s3cret'/>\n------------^\n";
    assert_eq!(sentences(errors), "Failed to create domain from /dev/stdin; (domain_definition):9: mismatch");
    let ssh = "error: failed to connect to the hypervisor\nerror: Cannot recv data: a\nssh: refused\n";
    assert_eq!(sentences(ssh), "failed to connect to the hypervisor; Cannot recv data: a; ssh: refused");
    assert_eq!(sentences(""), "it printed no error");
}

#[test]
fn a_change_of_power_depends_on_the_power() {
    for (act, is_active, step) in [
        (PowerAct::On, false, Step::Start),
        (PowerAct::On, true, Step::Nothing),
        (PowerAct::Off, true, Step::Shutdown),
        (PowerAct::Off, false, Step::Nothing),
        (PowerAct::ForceOff, true, Step::Destroy),
        (PowerAct::ForceOff, false, Step::Nothing),
        (PowerAct::Cycle, true, Step::Restart),
        (PowerAct::Cycle, false, Step::Start),
    ] {
        assert_eq!(step_of(act, is_active), step, "{act:?} {is_active}");
    }
}
