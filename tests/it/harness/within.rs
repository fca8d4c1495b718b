//! Runs a server within the test process, with times that users do not set.

use std::sync::mpsc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;
use underlay_engine::access::Role;
use underlay_engine::sources::Timing;
use underlay_server::app::{Authentication, Options, Times, serve_until};
use underlay_server::config;

use super::client::Client;
use super::{HANG, scratch};

/// A server on a thread and a runtime of its own. It is stopped when dropped, and nothing of it runs afterwards.
pub struct Within {
    client: Client,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Within {
    /// Starts a server on a database that no other server uses, and waits until it answers.
    pub fn start(database: &str, timing: Timing) -> Self {
        let options = options(database, timing);
        let (stop, stopped) = oneshot::channel::<()>();
        let (ready, started) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            let serving = serve_until(
                options,
                || async move { drop(stopped.await) },
                move |address, scheme| drop(ready.send(format!("{scheme}://{address}"))),
            );
            runtime.expect("a runtime").block_on(serving).expect("the server stops in order");
        });
        let url = started.recv_timeout(HANG).expect("the server becomes ready");
        Self { client: Client::new(&url), stop: Some(stop), thread: Some(thread) }
    }

    /// Returns a client of the server.
    pub fn client(&self) -> Client {
        self.client.clone()
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            assert!(ended.is_none_or(|ended| ended.is_ok()), "the server failed");
        }
    }
}

fn options(database: &str, sources: Timing) -> Options {
    // An empty file stands in for the one of the developer.
    let folder = scratch::folder("within");
    let file = folder.path().join("underlay.toml");
    std::fs::write(&file, "").expect("write a file");
    let settings = config::load(&config::Sources { file: Some(file), ..Default::default() });
    let settings = settings.expect("the defaults");
    Options {
        listen: "127.0.0.1:0".parse().expect("an address"),
        database: database.parse().unwrap_or_else(|error| panic!("{database}: {error}")),
        listen_url: None,
        retention: settings.feed.retention,
        demo: false,
        max_lag: settings.feed.max_lag,
        authentication: Authentication::Anybody,
        inside: None,
        page_role: Role::Operator,
        login: None,
        tls: None,
        origins: Vec::new(),
        machines: settings.hosts.machines(),
        trusted_proxies: Vec::new(),
        keys: underlay_engine::secrets::Keys::none(),
        limits: settings.limits,
        times: Times { sources, ..Times::default() },
    }
}
