//! `underlay run boot` as a program, beside a made-up server with the mutation that it needs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use underlay_firmware::{Machine, Platform, send};
use underlay_testing::{HANG, free_port};

use crate::harness::{Process, exit_code, underlay, until};

/// Starts a server that answers every operation with this, and returns its URL.
async fn answering(answer: Value) -> String {
    async fn say(State(answer): State<Arc<Value>>) -> Response {
        Json(answer.as_ref().clone()).into_response()
    }

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let routes = Router::new().route("/graphql", post(say)).with_state(Arc::new(answer));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    url
}

/// Starts a boot server of a server, and returns it with its URL and that of its health.
fn boot_server(server: &str, arguments: &[&str]) -> (Process, String, String) {
    let (port, health) = (free_port(), free_port());
    let url = format!("http://127.0.0.1:{port}");
    let mut command = underlay();
    command.args(["run", "boot", "--server", server, "--listen", &format!("127.0.0.1:{port}"), "--url", &url]);
    command.args(["--health", &format!("127.0.0.1:{health}")]).args(arguments);
    (Process::start(command, None), url, format!("http://127.0.0.1:{health}"))
}

async fn body(url: &str) -> String {
    let reply = send("GET", url, "test", HANG).await.expect("an answer");
    String::from_utf8(reply.body).expect("a text")
}

fn machine() -> Machine {
    let mut machine = Machine::new(Platform::Uefi);
    machine.patience = underlay_firmware::Patience { grub: HANG, firmware: HANG, ipxe: HANG };
    machine
}

#[tokio::test]
async fn a_machine_boots_and_signals_end_it() {
    let local = json!({"target": "LOCAL", "reason": "m1 is in use", "host": "m1", "text": null, "contentType": null, "files": []});
    let server = answering(json!({"data": {"answerBoot": local}})).await;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [("shimx64.efi", "shim"), ("grubx64.efi", "grub UefiHttpBoot")] {
        std::fs::write(folder.path().join(name), content).expect("a loader");
    }
    let loaders = folder.path().display().to_string();
    let (mut process, url, health) =
        boot_server(&server, &["--loaders", &loaders, "--origin", "http://127.0.0.1:1/files"]);
    until("it is ready", async || {
        send("GET", &format!("{health}/readyz"), "test", HANG).await.is_ok_and(|reply| reply.status == 200)
    })
    .await;
    let boot = machine().boot(&format!("{url}/boot/start/shimx64.efi")).await;
    assert!(boot.end.is_disk() && boot.screen.iter().any(|line| line == "boot server: m1 is in use"), "{boot:?}");
    let metrics = body(&format!("{health}/metrics")).await;
    assert!(metrics.contains(r#"underlay_boot_answers_total{stage="START",target="LOCAL"} 1"#), "{metrics}");
    process.signal(libc::SIGTERM);
    assert_eq!(exit_code(process.end().await), Ok(0));
    let said = process.stderr();
    assert!(said.contains("START: m1: LOCAL: m1 is in use") && !said.contains("warning"), "{said}");
}

#[tokio::test]
async fn machines_get_their_disks_while_there_is_no_server() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in [("shimx64.efi", "shim"), ("grubx64.efi", "grub")] {
        std::fs::write(folder.path().join(name), content).expect("a loader");
    }
    let loaders = folder.path().display().to_string();
    let (process, url, health) = boot_server(&format!("http://127.0.0.1:{}", free_port()), &["--loaders", &loaders]);
    until("it answers", async || send("GET", &format!("{health}/readyz"), "test", HANG).await.is_ok()).await;
    let boot = machine().boot(&format!("{url}/boot/m/525400770001/EFI/BOOT/BOOTX64.EFI")).await;
    assert!(boot.end.is_disk(), "{boot:?}");
    assert!(body(&format!("{url}/grub/grub.cfg")).await.contains("chainloader"));
    until("it says that it is not ready", async || {
        let reply =
            send("GET", &format!("{health}/readyz"), "test", HANG).await.map_err(|failure| format!("{failure:?}"))?;
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        if reply.status == 503 && text.contains("machines get their disks") { Ok(()) } else { Err(text) }
    })
    .await;
    let said = process.stderr();
    assert!(said.contains("grubx64.efi cannot fetch by HTTP"), "{said}");
}

#[tokio::test]
async fn it_ends_if_it_may_not_ask() {
    let errors = json!([{"message": "the role boot-server is needed", "extensions": {"code": "FORBIDDEN"}}]);
    let server = answering(json!({"data": null, "errors": errors})).await;
    let (mut process, ..) = boot_server(&server, &[]);
    assert_eq!(exit_code(process.end().await), Ok(1));
    assert!(process.stderr().contains("the role boot-server is needed"), "{}", process.stderr());
}

#[tokio::test]
async fn settings_that_cannot_work_are_refused() {
    for (arguments, reason) in [
        (&["--url", "https://10.0.0.1"][..], "must begin with http://"),
        (&["--url", "http://10.0.0.1/boot"], "must have no path"),
        (&["--url", "http://10.0.0.1", "--origin", "mirror"], "is not a URL"),
        (&["--url", "http://10.0.0.1", "--loaders", "/nowhere/at/all"], "cannot be read"),
    ] {
        let mut command = underlay();
        command.args(["run", "boot", "--listen", "127.0.0.1:0"]).args(arguments);
        let mut process = Process::start(command, None);
        assert_ne!(exit_code(process.end().await), Ok(0));
        assert!(process.stderr().contains(reason), "{}", process.stderr());
    }
}
