//! Whatever is asked, the answer has the form that firmware understands.

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use underlay_firmware::{Reply, exchange};
use underlay_testing::HANG;

use crate::server::{Does, TOKEN};
use crate::site::Site;

const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"];
const PATHS: [&str; 22] = [
    "/grub/grub.cfg",
    "/debian-installer/amd64/grub/grub.cfg",
    "/EFI/debian/grub.cfg",
    "/grub/x86_64-efi/command.lst",
    "/boot/grub/52%3A54%3A00%3A77%3A00%3A02/u/s/grub.cfg",
    "/boot/ipxe",
    "/boot/start/autoexec.ipxe",
    "/boot/start/shimx64.efi",
    "/boot/start/snponly.efi",
    "/boot/m/525400770001/EFI/BOOT/BOOTX64.EFI",
    "/boot/m/525400770002/shimx64.efi",
    "/boot/m/525400770001/EFI/BOOT//grubx64.efi",
    "/boot/m/525400770001/revocations_sbat.efi",
    "/boot/f/SECRETTOKEN1/kernel",
    "/boot/f/SECRETTOKEN9/kernel",
    "/boot/text/SECRETTOKEN1",
    "/boot/kickstart",
    "/boot/report/SECRETTOKEN1",
    "/boot/facts/SECRETTOKEN1",
    "/",
    // These begin boots, so the token of the first one ends.
    "/boot/grub/52:54:00:77:00:01/-/-/grub.cfg",
    "/boot/ipxe?m=52-54-00-77-00-01&s=x",
];

fn check(request: &str, reply: &Reply, is_head: bool) {
    let shown = || format!("{request:?}: {reply:?}");
    for (name, _) in &reply.headers {
        let is_title = name.split('-').all(|word| word.starts_with(|letter: char| letter.is_ascii_uppercase()));
        assert!(is_title, "{name}: {}", shown());
    }
    assert_eq!(reply.header("transfer-encoding"), None, "{}", shown());
    assert_eq!(reply.header("content-encoding"), None, "{}", shown());
    assert_eq!(reply.header("location"), None, "{}", shown());
    assert_eq!(reply.header("retry-after"), None, "{}", shown());
    assert!(!(300..400).contains(&reply.status), "{}", shown());
    let length: usize = reply.header_as_written("Content-Length").expect("a length").parse().expect("a number");
    if is_head {
        assert!(reply.body.is_empty(), "{}", shown());
    } else {
        assert_eq!(reply.body.len(), length, "{}", shown());
    }
    assert!(length > 0, "an empty answer: {}", shown());
    let kind = reply.header("content-type").unwrap_or_default();
    assert!(!kind.contains("html") && !reply.body.starts_with(b"<"), "{}", shown());
}

async fn ask(site: &Site, request: &str) -> Reply {
    let reply = exchange(site.url.trim_start_matches("http://"), request.as_bytes(), HANG).await;
    let reply = reply.unwrap_or_else(|failure| panic!("{request:?}: {failure:?}"));
    check(request, &reply, request.starts_with("HEAD "));
    reply
}

fn request(method: &str, path: &str, headers: &str, body: &str) -> String {
    format!("{method} {path} HTTP/1.1\r\nHost: 10.0.0.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len())
}

#[tokio::test]
async fn every_route_with_every_method() {
    for does in [Does::Answers, Does::Fails, Does::Refuses("INVALID"), Does::Refuses("FORBIDDEN")] {
        let site = Site::start().await;
        site.send("GET", "/boot/grub/52:54:00:77:00:01/-/-/grub.cfg").await.expect("a boot");
        site.server.world().does = vec![("START", Does::Answers), ("*", does)];
        // A report is tried again while the server is away, until its time is over.
        let tries_again = site.server.world().does[1].1 == Does::Fails;
        for path in PATHS {
            for method in METHODS {
                for body in ["", "hello", "{\"stage\": \"done\"}", "stage=x\n\0"] {
                    if tries_again && method == "POST" && path.contains(TOKEN) {
                        continue;
                    }
                    ask(&site, &request(method, path, "", body)).await;
                }
            }
        }
    }
}

/// GET and HEAD have the same head.
#[tokio::test]
async fn head_equals_get() {
    let site = Site::start().await;
    site.send("GET", "/boot/grub/52:54:00:77:00:01/-/-/grub.cfg").await.expect("a boot");
    for path in PATHS {
        let mut heads = Vec::new();
        for method in ["HEAD", "GET"] {
            let mut reply = ask(&site, &request(method, path, "", "")).await;
            reply.headers.retain(|(name, _)| name != "Date");
            heads.push((reply.status, reply.headers));
        }
        assert_eq!(heads[0], heads[1], "{path}");
    }
}

#[tokio::test]
async fn random_paths_and_headers() {
    let site = Site::start().await;
    let word = prop_oneof![
        prop::sample::select(vec![
            "boot",
            "grub",
            "grub.cfg",
            "m",
            "f",
            "t",
            "start",
            "text",
            "report",
            "ipxe",
            "kernel",
            "..",
            ".",
            "",
            "%2e%2e",
            "%00",
            "%",
            "%zz",
            "%ff",
            "-",
            "52:54:00:77:00:01",
            "shimx64.efi",
            "a\"b",
            "<x>",
            "{}",
            "'",
            "?m=",
            "?s=%0d%0a",
            "&",
            "=",
        ])
        .prop_map(str::to_owned),
        "[!-~]{0,12}",
    ];
    let paths = proptest::collection::vec(word, 0..8).prop_map(|words| format!("/{}", words.join("/")));
    let header = prop::sample::select(vec![
        "",
        "X-RHN-Provisioning-MAC-0: eth0 52:54:00:77:00:01\r\n",
        "X-RHN-Provisioning-MAC-0: \r\nX-System-Serial-Number: ABC123\r\n",
        "Accept-Encoding: gzip\r\nRange: bytes=0-1\r\n",
        "Expect: 100-something\r\nIf-None-Match: *\r\n",
    ]);
    let strategy = (prop::sample::select(METHODS.to_vec()), paths, header, "[ -~]{0,40}");
    let mut runner = TestRunner::deterministic();
    for _ in 0..500 {
        let (method, path, header, body) = strategy.new_tree(&mut runner).expect("a request").current();
        // A fragment and characters that no URI has are refused by the library before they come here.
        if path.parse::<axum::http::Uri>().is_ok() {
            ask(&site, &request(method, &path, header, &body)).await;
        }
    }
}

#[tokio::test]
async fn tokens_are_in_no_note_and_no_metric() {
    let site = Site::start().await;
    for path in PATHS {
        site.send("GET", path).await.expect("an answer");
        site.post(path, "stage=done").await;
        site.post(path, "nothing").await;
    }
    site.files_from("missing");
    let boots = site.server.world().boots;
    site.send("GET", &format!("/boot/f/{TOKEN}{boots}/kernel")).await.expect("an answer");
    let notes = site.notes.lock().expect("the notes").join("\n");
    assert!(notes.contains("INSTALL: it is due") && notes.contains("gets no file"), "{notes}");
    let metrics = site.status.metrics();
    assert!(metrics.contains(r#"underlay_boot_requests_total{route="/boot/f",status="404"}"#), "{metrics}");
    for text in [notes, metrics] {
        assert!(!text.contains(TOKEN), "{text}");
    }
}
