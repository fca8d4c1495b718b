//! BMCs that speak Redfish (DMTF DSP0266): each listens on a port of its own, has one system, and counts the looks at
//! it.
//!
//! They share the cores with the programs that are measured, so they do next to nothing: every answer is a text that
//! was made beforehand. They run on a thread of their own and end when they are dropped.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::problem::{Doing, LoadError, Result};

const ROOT: &str = r##"{"@odata.id":"/redfish/v1/","Id":"RootService","Name":"Root","RedfishVersion":"1.20.0",
"Systems":{"@odata.id":"/redfish/v1/Systems"}}"##;
const SYSTEMS: &str = r##"{"@odata.id":"/redfish/v1/Systems","Name":"Systems","Members@odata.count":1,
"Members":[{"@odata.id":"/redfish/v1/Systems/1"}]}"##;

/// Running BMCs.
pub struct Bmcs {
    pub ports: Vec<u16>,
    looks: Arc<[AtomicU32]>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The answers of a BMC, and the count of its looks.
#[derive(Clone)]
struct Bmc {
    number: usize,
    system: Arc<str>,
    looks: Arc<[AtomicU32]>,
}

impl Bmcs {
    /// Starts a number of BMCs whose machines are on.
    pub async fn start(count: usize) -> Result<Self> {
        let listening = || "listen as a BMC".to_owned();
        let looks: Arc<[AtomicU32]> = (0..count).map(|_| AtomicU32::new(0)).collect();
        let (mut ports, mut listeners) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for _ in 0..count {
            let listener = std::net::TcpListener::bind("127.0.0.1:0").doing(listening)?;
            listener.set_nonblocking(true).doing(listening)?;
            ports.push(listener.local_addr().doing(listening)?.port());
            listeners.push(listener);
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().doing(listening)?;
        let (stop, stopped) = oneshot::channel();
        let counted = Arc::clone(&looks);
        let serve = move || {
            runtime.block_on(async {
                for (number, listener) in listeners.into_iter().enumerate() {
                    let Ok(listener) = TcpListener::from_std(listener) else { return };
                    let bmc = Bmc { number, system: system(number).into(), looks: Arc::clone(&counted) };
                    tokio::spawn(
                        async move { axum::serve(listener, Router::new().fallback(answer).with_state(bmc)).await },
                    );
                }
                // A sender that is gone stops them too.
                let _ = stopped.await;
            });
        };
        let thread = thread::Builder::new().name("BMCs".to_owned()).spawn(serve).doing(|| "start".to_owned())?;
        Ok(Self { ports, looks, stop: Some(stop), thread: Some(thread) })
    }

    /// Returns how often the system of each was looked at so far.
    pub fn looks(&self) -> Vec<u32> {
        self.looks.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// Looks once at the system of each, over a connection that is kept: the calls of a poll without a controller.
    pub async fn look_at_all(&self, clients: &[reqwest::Client]) -> Result<()> {
        let failed = |error: reqwest::Error| LoadError::Answer(format!("a BMC: {error}"));
        for (port, client) in self.ports.iter().zip(clients) {
            for path in ["", "Systems/1"] {
                let url = format!("http://127.0.0.1:{port}/redfish/v1/{path}");
                let answer = client.get(url).send().await.map_err(failed)?.text().await.map_err(failed)?;
                serde_json::from_str::<serde_json::Value>(&answer)?;
            }
        }
        Ok(())
    }
}

impl Drop for Bmcs {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has printed why.
            let _ = thread.join();
        }
    }
}

fn system(number: usize) -> String {
    let system = json!({
        "@odata.id": "/redfish/v1/Systems/1", "Id": "1", "Name": "System", "SystemType": "Physical",
        "Manufacturer": "Example", "Model": "R2", "SerialNumber": serial(number), "PowerState": "On",
        "Status": {"State": "Enabled", "Health": "OK"},
        "Boot": {"BootSourceOverrideEnabled": "Disabled", "BootSourceOverrideTarget": "None",
            "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", "Pxe", "Hdd", "UefiHttp"]},
        "MemorySummary": {"TotalSystemMemoryGiB": 512}, "ProcessorSummary": {"Count": 2, "Model": "Example"},
        "Processors": {"@odata.id": "/redfish/v1/Systems/1/Processors"},
        "EthernetInterfaces": {"@odata.id": "/redfish/v1/Systems/1/EthernetInterfaces"},
        "Actions": {"#ComputerSystem.Reset": {"target": "/redfish/v1/Systems/1/Actions/ComputerSystem.Reset",
            "ResetType@Redfish.AllowableValues": ["On", "ForceOff", "GracefulShutdown", "ForceRestart"]}},
    });
    system.to_string()
}

/// Returns the serial number of the system of a BMC.
pub fn serial(number: usize) -> String {
    format!("SN{number:06}")
}

async fn answer(State(bmc): State<Bmc>, uri: Uri) -> Response {
    let body = match uri.path().trim_end_matches('/') {
        "/redfish/v1" => ROOT.to_owned(),
        "/redfish/v1/Systems" => SYSTEMS.to_owned(),
        "/redfish/v1/Systems/1" => {
            if let Some(count) = bmc.looks.get(bmc.number) {
                count.fetch_add(1, Ordering::Relaxed);
            }
            bmc.system.to_string()
        }
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}
