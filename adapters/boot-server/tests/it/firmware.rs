//! The simulated machine notices the faults of servers that leave real ones at a prompt. So the tests beside this one can
//! fail.

use std::time::Duration;

use underlay_firmware::{End, Machine, Platform};

use crate::origin::{Raw, Says, answer, ok};
use crate::site::machine;

/// Boots UEFI from a server with a good shim and GRUB, and another `grub.cfg`.
async fn with_configuration(says: impl Fn(&str) -> Says + Send + Sync + 'static, machine: &Machine) -> End {
    let server = Raw::start(move |method, path| match path {
        "/shimx64.efi" => Says::Bytes(ok(method, b"shim")),
        "//grubx64.efi" => Says::Bytes(ok(method, b"grub UefiHttpBoot/1.0")),
        "/grub/grub.cfg" => says(method),
        _ => Says::Bytes(answer(method, "404 Not Found", "Content-Length: 4\r\n", b"none")),
    })
    .await;
    machine.boot(&format!("{}/shimx64.efi", server.url)).await.end
}

const TO_THE_DISK: &[u8] = b"if search --no-floppy --set=root --file /EFI/BOOT/BOOTX64.EFI; then chainloader /EFI/BOOT/BOOTX64.EFI; boot; fi\n";

#[tokio::test]
async fn grub_needs_the_capitals_of_content_length() {
    let lower = |method: &str| {
        Says::Bytes(answer(method, "200 OK", &format!("content-length: {}\r\n", TO_THE_DISK.len()), TO_THE_DISK))
    };
    assert_eq!(with_configuration(lower, &machine(Platform::Uefi)).await, End::Prompt);
    let title = |method: &str| Says::Bytes(ok(method, TO_THE_DISK));
    assert!(with_configuration(title, &machine(Platform::Uefi)).await.is_disk());
}

#[tokio::test]
async fn grub_ends_at_its_prompt_or_in_the_menu_of_the_firmware() {
    for (text, end) in [
        ("", End::Prompt),
        ("<html></html>\n", End::Prompt),
        ("true && reboot\n", End::Prompt),
        ("linux (http,127.0.0.1:1)/kernel\nboot\n", End::Prompt),
        ("exit\n", End::Menu),
        ("exit 1\n", End::Menu),
    ] {
        let says = move |method: &str| Says::Bytes(ok(method, text.as_bytes()));
        assert_eq!(with_configuration(says, &machine(Platform::Uefi)).await, end, "{text}");
    }
    let missing = |method: &str| Says::Bytes(answer(method, "404 Not Found", "Content-Length: 1\r\n", b"x"));
    assert_eq!(with_configuration(missing, &machine(Platform::Uefi)).await, End::Prompt);
}

#[tokio::test]
async fn grub_does_not_wait_for_long() {
    let mut hasty = machine(Platform::Uefi);
    hasty.patience.grub = Duration::from_millis(50);
    // Also what the machine asks for before may be too late for it, and then it ends at the prompt as well.
    assert_eq!(with_configuration(|_| Says::Stalls(Vec::new()), &hasty).await, End::Prompt);
}

#[tokio::test]
async fn an_old_grub_asks_for_nothing() {
    let server = Raw::start(|method, path| match path {
        "/shimx64.efi" => Says::Bytes(ok(method, b"shim")),
        "//grubx64.efi" => Says::Bytes(ok(method, b"grub 2.06")),
        _ => Says::Bytes(answer(method, "404 Not Found", "Content-Length: 4\r\n", b"none")),
    })
    .await;
    let boot = machine(Platform::Uefi).boot(&format!("{}/shimx64.efi", server.url)).await;
    assert_eq!(boot.end, End::Prompt);
}

#[tokio::test]
async fn shim_hangs_at_an_error_without_a_body() {
    let server = Raw::start(|method, path| match path {
        "/shimx64.efi" => Says::Bytes(ok(method, b"shim")),
        _ => Says::Bytes(answer(method, "404 Not Found", "Content-Length: 0\r\n", b"")),
    })
    .await;
    let boot = machine(Platform::Uefi).boot(&format!("{}/shimx64.efi", server.url)).await;
    assert!(matches!(boot.end, End::Hang(_)), "{boot:?}");
}

#[tokio::test]
async fn ipxe_executes_what_it_gets() {
    let boot = async |reply: Vec<u8>| {
        let server = Raw::start(move |_, _| Says::Bytes(reply.clone())).await;
        machine(Platform::Bios).boot(&format!("{}/x", server.url)).await.end
    };
    assert_eq!(boot(ok("GET", b"<html>")).await, End::Crash);
    assert!(boot(ok("GET", b"")).await.is_disk());
    assert!(boot(answer("GET", "404 Not Found", "Content-Length: 6\r\n", b"<html>")).await.is_disk());
    assert!(boot(answer("GET", "200 OK", "Content-Length: 99\r\n", b"#!ipxe\nreboot\n")).await.is_disk(), "cut off");
    let again = answer("GET", "503 Service Unavailable", "Retry-After: 3\r\nContent-Length: 1\r\n", b"x");
    assert!(matches!(boot(again).await, End::Hang(_)));
    for (script, end) in [
        ("#!ipxe\nexit 1\nreboot\n", End::Disk("the next boot device".to_owned())),
        ("#!ipxe\nkernel --name kernel http://127.0.0.1:1/x\nreboot\n", End::Disk("the next boot device".to_owned())),
        ("#!ipxe\niseq ${platform} pcbios && goto there ||\nexit 1\n:there\nreboot\n", End::Reboot),
        (
            "#!ipxe\niseq ${platform} efi && goto there ||\nexit 1\n:there\nreboot\n",
            End::Disk("the next boot device".to_owned()),
        ),
    ] {
        assert_eq!(boot(ok("GET", script.as_bytes())).await, end, "{script}");
    }
}
