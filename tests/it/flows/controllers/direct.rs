//! The provisioner `direct`, with a boot server and a machine that boots over real sockets: a person switches it on.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use underlay_boot_server::{
    Api as BootApi, BootServer, CONNECTIONS, Listener, Loaders, Origin, Settings, Times, monotonic,
};
use underlay_client::{Client as Caller, Patience};
use underlay_firmware::{End, Machine, Platform, exchange};

use super::host;
use super::lives::{Scene, until};
use crate::harness::{HANG, Server, on_both_databases, scratch};

const KERNEL: &str = "MZ the kernel";
const INITRD: &str = "the initial RAM disk";

/// A boot server beside a server, with the folder of its loaders and the origin of its files.
struct BootSite {
    url: String,
    origin: String,
    tasks: Vec<JoinHandle<()>>,
    stop: watch::Sender<bool>,
    _folder: TempDir,
}

impl Drop for BootSite {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl BootSite {
    async fn beside(server: &Server) -> Self {
        let files = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let origin = format!("http://{}", files.local_addr().expect("an address"));
        let routes =
            Router::new().route("/kernel", get(|| async { KERNEL })).route("/initrd", get(|| async { INITRD }));
        let serving = tokio::spawn(async move { drop(axum::serve(files, routes).await) });

        let folder = scratch::folder("loaders");
        for (name, content) in [("shimx64.efi", "shim"), ("grubx64.efi", "grub UefiHttpBoot/1.0")] {
            std::fs::write(folder.path().join(name), content).expect("a loader");
        }
        let listener = Listener::open("127.0.0.1:0".parse().expect("an address")).await.expect("a listener");
        let url = format!("http://{}", listener.address());
        let times = Times {
            question: HANG,
            report: HANG,
            origin: HANG,
            part: HANG,
            request: HANG,
            write: HANG,
            ..Times::default()
        };
        let origins = vec![Origin::parse(&origin).expect("an origin")];
        let settings = Settings { url: url.clone(), within: None, origins, connections: CONNECTIONS, times };
        let patience = Patience { connect: HANG, answer: HANG, ..Patience::default() };
        let client = Caller::new(server.url().parse().expect("an address"), patience).expect("a client");
        let loaders = Loaders::open(folder.path()).await.expect("loaders");
        let boot = BootServer::new(BootApi::new(client, &settings), settings, Some(loaders), monotonic(), |_| {});
        let (stop, stopped) = watch::channel(false);
        let booting = tokio::spawn(listener.serve(Arc::new(boot), stopped));
        Self { url, origin, tasks: vec![serving, booting], stop, _folder: folder }
    }

    /// Returns the URL that the firmware of a machine fetches.
    fn shim(&self, machine: &Machine) -> String {
        format!("{}/boot/m/{}/shimx64.efi", self.url, machine.macs[0].replace(':', "-"))
    }

    async fn get(&self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: boot\r\nConnection: close\r\n\r\n");
        let reply =
            exchange(self.url.trim_start_matches("http://"), request.as_bytes(), HANG).await.expect("an answer");
        assert_eq!(reply.status, 200, "{path}");
        String::from_utf8(reply.body).expect("a text")
    }

    /// Sends a report. Returns the answer, which says why a report was not taken.
    async fn post(&self, path: &str, body: &Value) -> String {
        let body = body.to_string();
        let head = format!("POST {path} HTTP/1.1\r\nHost: boot\r\nConnection: close\r\nContent-Length: {}", body.len());
        let request = format!("{head}\r\n\r\n{body}");
        let reply = exchange(self.url.trim_start_matches("http://"), request.as_bytes(), HANG).await;
        let reply = reply.expect("an answer");
        assert_eq!(reply.status / 100, 2, "{path} {body}");
        String::from_utf8(reply.body).expect("a text")
    }
}

/// A machine that waits as long as a hang takes.
fn machine() -> Machine {
    let mut machine = Machine::new(Platform::Uefi);
    (machine.patience.grub, machine.patience.firmware) = (HANG, HANG);
    machine
}

fn is_at(step: &'static str) -> impl Fn(&Value) -> bool {
    move |now| now["step"]["name"] == step
}

on_both_databases! {
    async fn a_machine_that_is_switched_by_hand_is_discovered(server: Server) {
        let (client, machine, site) = (server.client(), machine(), BootSite::beside(&server).await);
        let profile = json!({"profile": {"name": "discovery", "purpose": "DISCOVER", "arguments": ["console=ttyS0"],
            "kernel": format!("{}/kernel", site.origin), "initrd": format!("{}/initrd", site.origin)}});
        let new = json!({"host": {"name": "m1", "provisioner": "direct", "bootMac": machine.macs[0]}});
        client.apply_all(vec![profile, new]).await;
        // Nobody ordered anything, so the machine boots from its disk.
        let boot = machine.boot(&site.shim(&machine)).await;
        assert!(boot.end.is_disk(), "{boot:?}");

        let scene = Scene::new();
        let _controller = scene.start(server.url(), 1);
        let id = host(&client, "m1", "id").await["id"].take();
        let discover = "mutation($input: DiscoverHostsInput!) { discoverHosts(input: $input) { hosts { name } } }";
        client.ok(discover, json!({"input": {"ids": [id], "adopt": true, "force": true}})).await;
        let now = until(&client, "m1", is_at("power-cycle")).await;
        let asks = now["conditions"].as_array().is_some_and(|all| all.iter().any(|it| it["type"] == "ByHand"));
        assert!(asks, "{now:#}");

        let boot = machine.boot(&site.shim(&machine)).await;
        let End::Kernel { line, kernel, initrd } = &boot.end else { panic!("{boot:?}") };
        assert_eq!((kernel.as_slice(), initrd.as_deref()), (KERNEL.as_bytes(), Some(INITRD.as_bytes())));
        assert!(line.contains("console=ttyS0"), "{line}");
        let text = line.split(' ').find_map(|word| word.strip_prefix("underlay.text=")).expect("the address of a text");
        let path = text.strip_prefix(&site.url).expect("of the boot server");
        let token = path.rsplit('/').next().expect("a token");
        let script = site.get(path).await;
        assert!(script.starts_with("#!/bin/sh") && script.contains(token), "{script}");
        until(&client, "m1", is_at("inspect")).await;

        // The same machine boots once more before it has reported. Its disk may hold anything by now.
        let again = machine.boot(&site.shim(&machine)).await;
        assert!(again.end.is_disk(), "{again:?}");

        let facts = json!({"format": 1, "agent": {"version": "discovery"}, "observedAt": "2026-11-30T00:00:00Z",
            "system": {"complete": true, "found": {"uuid": machine.uuid, "serial": machine.serial}},
            "disks": {"complete": true, "found": [{"name": "sda", "sizeBytes": 1_000_000_000, "medium": "SSD"}]}});
        site.post(&format!("/boot/facts/{token}"), &facts).await;
        let done = json!({"stage": "hardware", "outcome": "DONE"});
        site.post(&format!("/boot/report/{token}"), &done).await;
        until(&client, "m1", |now| now["state"] == "AVAILABLE").await;
        let found = host(&client, "m1", "uid serial hardware { disks { name } } boots { target } bootAttempt { state }").await;
        assert_eq!((&found["uid"], &found["bootAttempt"]["state"]), (&json!(machine.serial), &json!("DONE")), "{found:#}");
        assert_eq!(found["hardware"]["disks"], json!([{"name": "sda"}]));

        // And it goes to its disk from now on.
        let after = machine.boot(&site.shim(&machine)).await;
        assert!(after.end.is_disk(), "{after:?}");
        let late = site.post(&format!("/boot/report/{token}"), &json!({"stage": "failed"})).await;
        assert!(late.contains("the work has ended"), "{late}");
    }
}
