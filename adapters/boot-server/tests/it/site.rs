//! A site: a server, an origin with files, a folder of loaders, and a boot server that machines reach.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use underlay_boot_server::{Api, BootServer, CONNECTIONS, Clock, Listener, Loaders, Origin, Settings, Status, Times};
use underlay_client::{Client, Patience};
use underlay_firmware::{Failure, Machine, Platform, Reply};
use underlay_testing::HANG;

use crate::origin::{Raw, Says, answer, ok};
use crate::server::Server;

pub const KERNEL: &[u8] = b"MZ the kernel";
pub const INITRD: &[u8] = b"the initial RAM disk";

pub struct Site {
    pub server: Server,
    pub origin: Raw,
    pub status: Arc<Status>,
    /// Without a slash at its end.
    pub url: String,
    pub notes: Arc<Mutex<Vec<String>>>,
    /// The time of the clock in seconds.
    pub time: Arc<AtomicU64>,
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
    _folder: TempDir,
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        self.task.abort();
    }
}

/// Returns times that only a hang reaches.
pub fn patient() -> Times {
    Times {
        question: HANG,
        report: HANG,
        origin: HANG,
        part: HANG,
        request: HANG,
        write: HANG,
        pair: Duration::from_secs(10),
    }
}

/// The origin of a site: files by name, some of which have a fault that is in the path.
fn says(method: &str, path: &str) -> Says {
    let body: &[u8] = match path.rsplit('/').next().unwrap_or_default() {
        "shim" => b"shim",
        "grub" => b"grub UefiHttpBoot/1.0",
        "kernel" => KERNEL,
        "initrd" => INITRD,
        "empty" => b"",
        _ => return Says::Bytes(answer(method, "404 Not Found", "Content-Length: 0\r\n", b"")),
    };
    let long = format!("Content-Length: {}\r\n", body.len() + 10);
    match path.split('/').nth(2).unwrap_or_default() {
        "missing" => Says::Bytes(answer(method, "404 Not Found", "Content-Length: 0\r\n", b"")),
        "cut" => Says::Bytes(answer(method, "200 OK", &long, body)),
        "cut-get" if method == "GET" => Says::Bytes(answer(method, "200 OK", &long, body)),
        "moved" => {
            Says::Bytes(answer(method, "302 Found", "Location: /files/good/kernel\r\nContent-Length: 0\r\n", b""))
        }
        "no-length" => Says::Bytes(answer(method, "200 OK", "Connection: close\r\n", body)),
        "silent" => Says::Stalls(Vec::new()),
        "stalls" if method == "GET" => Says::Stalls(answer(method, "200 OK", &long, body)),
        "html" => Says::Bytes(ok(method, b"<html>not the file</html>")),
        "garbage" => Says::Bytes(b"hello\r\n\r\n".to_vec()),
        _ => Says::Bytes(ok(method, body)),
    }
}

impl Site {
    pub async fn start() -> Self {
        Self::with(patient()).await
    }

    /// Starts a site whose boot server has these bounds on time.
    pub async fn with(times: Times) -> Self {
        let server = Server::start().await;
        let url = server.url.clone();
        Self::of(server, &url, times, CONNECTIONS).await
    }

    /// Starts a site whose boot server has room for few connections.
    pub async fn with_room_for(connections: usize) -> Self {
        let server = Server::start().await;
        let url = server.url.clone();
        Self::of(server, &url, patient(), connections).await
    }

    /// Starts a site whose server does not answer at all.
    pub async fn without_server() -> Self {
        let port = underlay_testing::free_port();
        Self::of(Server::start().await, &format!("http://127.0.0.1:{port}"), patient(), CONNECTIONS).await
    }

    async fn of(server: Server, asked: &str, times: Times, connections: usize) -> Self {
        let origin = Raw::start(says).await;
        let folder = tempfile::tempdir().expect("a folder");
        for (name, content) in [("shimx64.efi", "shim"), ("grubx64.efi", "grub UefiHttpBoot/1.0"), ("ipxe.efi", "ipxe")]
        {
            std::fs::write(folder.path().join(name), content).expect("a loader");
        }
        let listener = Listener::open("127.0.0.1:0".parse().expect("an address")).await.expect("a listener");
        let url = format!("http://{}", listener.address());
        let settings = Settings {
            url: url.clone(),
            within: Some("ams1".to_owned()),
            origins: vec![Origin::parse(&format!("{}/files", origin.url)).expect("an origin")],
            connections,
            times,
        };
        let patience = Patience { connect: HANG, answer: HANG, ..Patience::default() };
        let client = Client::new(asked.parse().expect("an address"), patience).expect("a client");
        let loaders = Loaders::open(folder.path()).await.expect("loaders");
        let (notes, time) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU64::new(0)));
        let (told, seen) = (Arc::clone(&notes), Arc::clone(&time));
        let clock: Clock = Arc::new(move || Duration::from_secs(seen.load(Ordering::Relaxed)));
        let note = move |note: &str| told.lock().expect("the notes").push(note.to_owned());
        let boot = BootServer::new(Api::new(client, &settings), settings, Some(loaders), clock, note);
        let status = boot.status();
        let (stop, stopped) = watch::channel(false);
        let task = tokio::spawn(listener.serve(Arc::new(boot), stopped));
        server.world().url.clone_from(&url);
        let site = Self { server, origin, status, url, notes, time, task, stop, _folder: folder };
        site.files_from("good");
        site
    }

    /// Lets the server name files in a folder of the origin.
    pub fn files_from(&self, folder: &str) {
        self.files(|name| format!("{}/files/{folder}/{name}", self.origin.url));
    }

    pub fn files(&self, url: impl Fn(&str) -> String) {
        let file = |name: &&str| json!({"name": name, "url": url(name), "checksum": null});
        let files = ["shim", "grub", "kernel", "initrd"].iter().map(file).collect();
        self.server.world().files = Value::Array(files);
    }

    /// Changes a file that the server names.
    pub fn file(&self, name: &str, folder: &str, checksum: Option<&str>) {
        let url = format!("{}/files/{folder}/{name}", self.origin.url);
        for file in self.server.world().files.as_array_mut().expect("files") {
            if file["name"] == name {
                *file = json!({"name": name, "url": url, "checksum": checksum});
            }
        }
    }

    /// Returns the URL of shim for the machine.
    pub fn shim(&self) -> String {
        format!("{}/boot/m/525400770001/EFI/BOOT/BOOTX64.EFI", self.url)
    }

    /// Returns the URL that all machines get where DHCP cannot tell them apart.
    pub fn anyone(&self) -> String {
        format!("{}/boot/start/shimx64.efi", self.url)
    }

    /// Returns the entry for iPXE.
    pub fn autoexec(&self) -> String {
        format!("{}/boot/start/autoexec.ipxe", self.url)
    }

    pub async fn send(&self, method: &str, path: &str) -> Result<Reply, Failure> {
        underlay_firmware::send(method, &format!("{}{path}", self.url), "test", HANG).await
    }

    pub async fn post(&self, path: &str, body: &str) -> Reply {
        let server = self.url.trim_start_matches("http://");
        let request = format!("POST {path} HTTP/1.1\r\nHost: a\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        underlay_firmware::exchange(server, request.as_bytes(), HANG).await.expect("an answer")
    }
}

/// Returns a machine that waits as long as it must: a test of a busy machine must not end at its bounds.
pub fn machine(platform: Platform) -> Machine {
    let mut machine = Machine::new(platform);
    machine.patience = underlay_firmware::Patience { grub: HANG, firmware: HANG, ipxe: HANG };
    machine
}
