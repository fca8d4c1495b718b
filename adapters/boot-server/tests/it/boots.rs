//! Boots that go well, and those of machines without an order.

use std::sync::atomic::Ordering;

use underlay_firmware::{End, Machine, Platform};

use crate::server::TOKEN;
use crate::site::{INITRD, KERNEL, Site, machine};

fn kernel(site: &Site, line: &str) -> End {
    let line = format!("{line} inst.ks={}/boot/text/{TOKEN}1", site.url);
    End::Kernel { line, kernel: KERNEL.to_vec(), initrd: Some(INITRD.to_vec()) }
}

#[tokio::test]
async fn uefi_boots_the_installer_through_shim_and_grub() {
    let site = Site::start().await;
    let boot = machine(Platform::Uefi).boot(&site.shim()).await;
    assert_eq!(boot.end, kernel(&site, r#"quiet "a=b c""#), "{boot:?}");

    // HEAD and GET of the script are one boot, in which the machine says what it is.
    let started = site.server.asked("START");
    assert_eq!(started.len(), 1);
    assert_eq!(started[0]["program"], "GRUB");
    assert_eq!(started[0]["macs"], serde_json::json!(["52:54:00:77:00:01"]));
    assert_eq!(
        (&started[0]["serial"], &started[0]["uuid"]),
        (&"ABC123".into(), &"4c4c4544-0042-3510-8056-b2c04f513432".into())
    );
    assert_eq!((&started[0]["url"], &started[0]["within"]), (&site.url.as_str().into(), &"ams1".into()));
    assert_eq!(started[0]["address"], "127.0.0.1");
}

#[tokio::test]
async fn any_machine_gets_the_same_entry() {
    let site = Site::start().await;
    let boot = machine(Platform::Uefi).boot(&site.anyone()).await;
    assert_eq!(boot.end, kernel(&site, r#"quiet "a=b c""#), "{boot:?}");
    assert!(site.server.asked("LOADER").is_empty());
}

#[tokio::test]
async fn ipxe_boots_the_installer_on_bios_and_uefi() {
    for platform in [Platform::Bios, Platform::Uefi] {
        let site = Site::start().await;
        let mut machine = machine(platform);
        machine.macs.push("52:54:00:77:00:02".to_owned());
        machine.serial = "A B&c=ä".to_owned();
        let boot = machine.boot_by_ipxe(&site.autoexec()).await;
        assert_eq!(boot.end, kernel(&site, r#"initrd=initrd quiet "a=b c""#), "{boot:?}");
        let started = site.server.asked("START");
        assert_eq!(started.len(), 1);
        assert_eq!(started[0]["macs"], serde_json::json!(["52:54:00:77:00:01", "52:54:00:77:00:02"]));
        assert_eq!((&started[0]["serial"], &started[0]["boardSerial"]), (&"A B&c=ä".into(), &"B-1".into()));
    }
    let site = Site::start().await;
    let boot = machine(Platform::Uefi).boot(&format!("{}/boot/start/ipxe.efi", site.url)).await;
    assert!(matches!(boot.end, End::Kernel { .. }), "{boot:?}");
}

#[tokio::test]
async fn a_machine_without_an_order_gets_its_disk_and_the_reason() {
    let site = Site::start().await;
    site.server.world().is_ordered = false;
    let shim = machine(Platform::Uefi).boot(&site.shim()).await;
    assert_eq!(shim.end, End::Disk("the next boot entry".to_owned()));
    assert_eq!(shim.asked.len(), 1, "a 404 for shim is the quickest way: {shim:?}");

    for boot in [
        machine(Platform::Uefi).boot(&site.anyone()).await,
        machine(Platform::Bios).boot(&site.autoexec()).await,
        machine(Platform::Uefi).boot_by_ipxe(&site.autoexec()).await,
    ] {
        assert!(boot.end.is_disk(), "{boot:?}");
        assert!(boot.screen.iter().any(|line| line == "boot server: the host m1 is in use"), "{boot:?}");
    }
    assert_eq!(site.server.world().boots, 0);
}

/// A value that GRUB cannot put into a path is sent as none.
#[tokio::test]
async fn unusual_identities_do_not_break_the_entry() {
    for serial in ["", " ", "a b", "a/b", "../..", "a;reboot", "ä", "$x", "a\nb"] {
        let site = Site::start().await;
        let odd = Machine { serial: serial.to_owned(), uuid: serial.to_owned(), ..machine(Platform::Uefi) };
        let boot = odd.boot(&site.anyone()).await;
        assert!(matches!(boot.end, End::Kernel { .. }), "{serial:?}: {boot:?}");
        let started = site.server.asked("START");
        assert_eq!((&started[0]["serial"], &started[0]["uuid"]), (&serde_json::Value::Null, &serde_json::Value::Null));
    }
}

#[tokio::test]
async fn the_first_get_after_a_head_is_the_same_boot() {
    let site = Site::start().await;
    let path = "/boot/grub/52:54:00:77:00:01/-/-/grub.cfg";
    let get = async |method: &str| site.send(method, path).await.expect("an answer").body;
    for (method, boots) in [("GET", 1), ("GET", 2), ("HEAD", 3), ("HEAD", 3), ("GET", 3), ("GET", 4), ("HEAD", 5)] {
        get(method).await;
        assert_eq!(site.server.world().boots, boots, "{method}");
    }
    // The GET comes too late.
    site.time.store(10, Ordering::Relaxed);
    get("GET").await;
    assert_eq!(site.server.world().boots, 6);
}

#[tokio::test]
async fn a_forgotten_medium_never_starts() {
    let site = Site::start().await;
    site.server.world().is_ordered = false;
    let own = ["/EFI/BOOT/BOOTX64.EFI", "/EFI/BOOT/grubx64.efi"].map(str::to_owned);
    for (disk, medium, end) in [
        (
            vec!["/EFI/redhat/shimx64.efi"],
            vec!["/EFI/BOOT/BOOTX64.EFI", "/.discinfo"],
            End::Disk("/EFI/redhat/shimx64.efi".to_owned()),
        ),
        (vec!["/EFI/BOOT/BOOTX64.EFI"], vec!["/EFI/BOOT/BOOTX64.EFI", "/.disk/info"], End::Reboot),
        (vec!["/efi/boot/bootx64.efi"], vec![], End::Disk("/EFI/BOOT/BOOTX64.EFI".to_owned())),
        (vec!["/EFI/Microsoft/Boot/bootmgfw.efi"], vec![], End::Disk("/EFI/Microsoft/Boot/bootmgfw.efi".to_owned())),
        (vec![], vec![], End::Reboot),
    ] {
        let names = |names: &[&str]| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let mut machine = Machine { disk: names(&disk), medium: names(&medium), ..machine(Platform::Uefi) };
        if !medium.is_empty() {
            machine.medium.extend(own.clone());
        }
        let boot = machine.boot(&site.anyone()).await;
        assert_eq!(boot.end, end, "{disk:?} {medium:?}: {boot:?}");
    }
}

#[tokio::test]
async fn a_loader_that_does_not_start_is_not_the_end() {
    let site = Site::start().await;
    site.server.world().is_ordered = false;
    let broken = Machine { broken: vec!["/EFI/debian/shimx64.efi".to_owned()], ..machine(Platform::Uefi) };
    let boot = broken.boot(&site.anyone()).await;
    assert_eq!(boot.end, End::Disk("/EFI/BOOT/BOOTX64.EFI".to_owned()), "{boot:?}");
}
