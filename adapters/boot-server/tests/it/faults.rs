//! Whatever fails, a machine ends at its disk.

use std::time::Duration;

use serde_json::json;
use underlay_boot_server::Times;
use underlay_firmware::{End, Platform};

use crate::server::Does;
use crate::site::{Site, machine, patient};

/// A time that a test reaches.
const SHORT: Duration = Duration::from_millis(50);

/// Boots a machine by every way, and expects the disk each time.
async fn all_end_at_the_disk(site: &Site, fault: &str) {
    for (way, boot) in [
        ("shim of the machine", machine(Platform::Uefi).boot(&site.shim()).await),
        ("shim of all", machine(Platform::Uefi).boot(&site.anyone()).await),
        ("iPXE on BIOS", machine(Platform::Bios).boot(&site.autoexec()).await),
        ("iPXE on UEFI", machine(Platform::Uefi).boot_by_ipxe(&site.autoexec()).await),
    ] {
        assert!(boot.end.is_disk(), "{fault}, {way}: {boot:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_away_or_fails() {
    all_end_at_the_disk(&Site::without_server().await, "away").await;
    for stage in ["*", "LOADER", "START", "FILES"] {
        for does in [
            Does::Fails,
            Does::Garbles,
            Does::Refuses("FORBIDDEN"),
            Does::Refuses("INVALID"),
            Does::Refuses("UNAVAILABLE"),
            Does::Changes(json!({"target": "LOCAL"})),
            Does::Changes(json!({"target": "SOMETHING_NEW"})),
            Does::Changes(json!({"files": null})),
        ] {
            let site = Site::start().await;
            site.server.world().does = vec![(stage, does.clone())];
            if stage == "LOADER" {
                let boot = machine(Platform::Uefi).boot(&site.shim()).await;
                assert!(boot.end.is_disk(), "{does:?}: {boot:?}");
            } else {
                all_end_at_the_disk(&site, &format!("{stage} {does:?}")).await;
            }
        }
    }
}

#[tokio::test]
async fn a_server_that_hangs() {
    for stage in ["*", "START", "FILES"] {
        let site = Site::with(Times { question: SHORT, ..patient() }).await;
        site.server.world().does = vec![(stage, Does::Hangs)];
        all_end_at_the_disk(&site, stage).await;
    }
}

#[tokio::test]
async fn a_script_that_is_none() {
    let long = format!("#!ipxe\n{}", "#".repeat(70_000));
    for text in [json!(null), json!(""), json!("<html>"), json!("  <!doctype html>"), json!(long)] {
        let site = Site::start().await;
        site.server.world().does = vec![("START", Does::Changes(json!({"text": text})))];
        all_end_at_the_disk(&site, &text.to_string().chars().take(50).collect::<String>()).await;
    }
}

#[tokio::test]
async fn an_origin_with_faults() {
    for folder in ["missing", "cut", "cut-get", "moved", "no-length", "html", "garbage"] {
        let site = Site::start().await;
        site.files_from(folder);
        all_end_at_the_disk(&site, folder).await;
        // The loaders are good, and only a file fails.
        for file in ["kernel", "initrd"] {
            site.files_from("good");
            site.file(file, folder, None);
            all_end_at_the_disk(&site, &format!("{folder} {file}")).await;
        }
    }
}

#[tokio::test]
async fn an_origin_that_hangs() {
    let site = Site::with(Times { origin: SHORT, ..patient() }).await;
    site.files_from("silent");
    all_end_at_the_disk(&site, "silent").await;
    let site = Site::with(Times { part: SHORT, ..patient() }).await;
    site.files_from("stalls");
    all_end_at_the_disk(&site, "stalls").await;
}

#[tokio::test]
async fn a_file_with_another_digest() {
    let wrong = format!("sha256:{}", "0".repeat(64));
    for checksum in [wrong.as_str(), "sha256:1", "md5:x", ""] {
        for file in ["kernel", "initrd"] {
            let site = Site::start().await;
            site.file(file, "good", Some(checksum));
            all_end_at_the_disk(&site, &format!("{file} {checksum}")).await;
        }
    }
}

#[tokio::test]
async fn an_origin_that_is_not_listed() {
    for below in ["/other", "/files-of-others", "/files/../other", "/files/%2e%2e/other"] {
        let site = Site::start().await;
        site.files(|name| format!("{}{below}/{name}", site.origin.url));
        all_end_at_the_disk(&site, below).await;
    }
    let site = Site::start().await;
    site.files(|name| format!("file:///etc/{name}"));
    all_end_at_the_disk(&site, "file").await;
}

/// Loaders that get another boot's token do not start what it was for.
#[tokio::test]
async fn a_token_of_an_earlier_boot() {
    let site = Site::start().await;
    let boot = machine(Platform::Uefi).boot(&site.anyone()).await;
    assert!(matches!(boot.end, End::Kernel { .. }), "{boot:?}");
    let old = boot.asked.iter().find(|asked| asked.path.ends_with("/kernel")).expect("a kernel").path.clone();
    let boot = machine(Platform::Uefi).boot(&site.anyone()).await;
    assert!(matches!(boot.end, End::Kernel { .. }), "{boot:?}");
    let reply = site.send("GET", &old).await.expect("an answer");
    assert_eq!((reply.status, reply.body.is_empty()), (404, false));
}
