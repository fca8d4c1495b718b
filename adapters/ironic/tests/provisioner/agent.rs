//! A small model of ironic-python-agent, as the image of a BMC's virtual media would start it: it reports the hardware, looks
//! up its node, sends heartbeats, and takes commands. It runs from a boot of its image until the machine is switched off.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, head};
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::sleep;

use crate::site::SYSTEM;

/// The time between two looks at the machine, and between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_millis(300);
/// The version of the agent's API, which has tokens.
const VERSION: &str = "1.84";
/// The MAC address of the machine.
pub const MAC: &str = "52:54:00:aa:bb:01";

/// The things that were done to the machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// The number of times that the image was booted.
    pub boots: usize,
    /// The URLs of the images that were written to its disk.
    pub written: Vec<String>,
    /// The number of times that its disk was erased.
    pub erased: usize,
}

/// The state from a boot of the machine to the next one.
#[derive(Default)]
struct Boot {
    is_running: bool,
    has_reported: bool,
    node: Option<String>,
    token: Option<String>,
    commands: Vec<Value>,
}

#[derive(Default)]
struct Inner {
    boot: Boot,
    done: Done,
}

/// The agent, with the web server from which its image and the image of the system are fetched.
#[derive(Clone)]
pub struct Agent {
    inner: Arc<Mutex<Inner>>,
    http: reqwest::Client,
    /// The address of Ironic.
    ironic: String,
    /// The address of the system at the BMC.
    system: String,
    /// The address of the agent and of the images.
    pub url: String,
}

impl Agent {
    /// Starts a model of the agent for the machine of a BMC. It ends with the runtime of the test.
    pub async fn start(ironic: &str, bmc_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let agent = Self {
            inner: Arc::default(),
            http: reqwest::Client::new(),
            ironic: ironic.to_owned(),
            system: format!("http://127.0.0.1:{bmc_port}/redfish/v1/Systems/{SYSTEM}"),
            url: format!("http://{}", listener.local_addr().expect("an address")),
        };
        let image = || async { ([(header::CONTENT_TYPE, "application/octet-stream")], vec![0_u8; 4096]) };
        let app = Router::new()
            .route("/v1/commands/", get(list).post(command))
            .route("/agent.iso", get(image))
            .route("/linux.raw", head(image).get(image))
            .with_state(agent.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.expect("it serves") });
        let own = agent.clone();
        tokio::spawn(async move {
            loop {
                own.beat().await;
                sleep(HEARTBEAT_INTERVAL).await;
            }
        });
        agent
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().expect("no test panics while it holds the lock")
    }

    /// Returns what was done to the machine.
    pub fn done(&self) -> Done {
        self.locked().done.clone()
    }

    /// Returns true if the machine has booted the image of the agent, which then runs in its memory until it is switched off.
    async fn is_booted(&self) -> Option<bool> {
        let read = |url: String| async move {
            let answer = self.http.get(url).send().await.ok()?;
            answer.json::<Value>().await.ok()
        };
        let system = read(self.system.clone()).await?;
        if system["PowerState"] != "On" || self.locked().boot.is_running {
            return Some(system["PowerState"] == "On");
        }
        let media = read(format!("{}/VirtualMedia/Cd", self.system)).await?;
        Some(media["Inserted"] == true && media["Image"] == format!("{}/agent.iso", self.url))
    }

    /// Does what the agent does between two pauses.
    async fn beat(&self) {
        let Some(is_booted) = self.is_booted().await else { return };
        let has_reported = {
            let mut inner = self.locked();
            if !is_booted {
                inner.boot = Boot::default();
            } else if !inner.boot.is_running {
                inner.boot.is_running = true;
                inner.done.boots += 1;
            }
            inner.boot.has_reported
        };
        if !is_booted {
            return;
        }
        if !has_reported {
            // Ironic refuses it when it does not wait for it, and the agent goes on.
            let answer = self.post("continue_inspection", &report()).await;
            self.locked().boot.has_reported = answer.is_ok_and(|answer| answer.status().is_success());
        }
        if self.locked().boot.node.is_none() {
            let Some(found) = self.look_up().await else { return };
            let text = |value: &Value| value.as_str().map(str::to_owned);
            let mut inner = self.locked();
            inner.boot.node = text(&found["node"]["uuid"]);
            inner.boot.token = text(&found["config"]["agent_token"]);
        }
        let (node, token) = {
            let boot = &self.locked().boot;
            (boot.node.clone().unwrap_or_default(), boot.token.clone())
        };
        let body = json!({"callback_url": self.url, "agent_version": "13.0.0", "agent_token": token});
        drop(self.post(&format!("heartbeat/{node}"), &body).await);
    }

    async fn look_up(&self) -> Option<Value> {
        let url = format!("{}/v1/lookup?addresses={MAC}", self.ironic);
        let answer = self.http.get(url).header("x-openstack-ironic-api-version", VERSION).send().await.ok()?;
        if answer.status() != StatusCode::OK { None } else { answer.json().await.ok() }
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Result<reqwest::Response> {
        let request = self.http.post(format!("{}/v1/{path}", self.ironic)).json(body);
        request.header("x-openstack-ironic-api-version", VERSION).send().await
    }

    /// Carries out a command, and returns its result.
    async fn carry_out(&self, name: &str, params: &Value) -> Value {
        let managers = json!({"generic_hardware_manager": "1.1"});
        let step = |name: &str, priority: u32| json!([{"step": name, "priority": priority, "interface": "deploy", "reboot_requested": false}]);
        match name {
            "get_deploy_steps" => json!({"deploy_steps": {"GenericHardwareManager": step("write_image", 0)},
                "hardware_manager_version": managers}),
            "get_clean_steps" => json!({"clean_steps": {"GenericHardwareManager": step("erase_devices_metadata", 99)},
                "hardware_manager_version": managers}),
            "execute_deploy_step" => {
                let url = params["step"]["args"]["image_info"]["urls"][0].as_str().unwrap_or_default();
                self.locked().done.written.push(url.to_owned());
                json!({"deploy_result": "written", "deploy_step": params["step"]})
            }
            "execute_clean_step" => {
                self.locked().done.erased += 1;
                json!({"clean_result": "erased", "clean_step": params["step"]})
            }
            "power_off" => {
                let reset = self.http.post(format!("{}/Actions/ComputerSystem.Reset", self.system));
                drop(reset.json(&json!({"ResetType": "ForceOff"})).send().await);
                Value::Null
            }
            _ => json!({}),
        }
    }
}

/// The part of a query that says who asks.
#[derive(serde::Deserialize)]
struct Asker {
    agent_token: Option<String>,
}

impl Agent {
    /// Refuses callers other than the Ironic that gave it the token.
    fn refusal(&self, asker: &Asker) -> Option<Response> {
        let token = self.locked().boot.token.clone();
        let is_known = token.is_some() && token == asker.agent_token;
        let fault = json!({"faultstring": "the agent_token is not the one of this boot"});
        (!is_known).then(|| (StatusCode::UNAUTHORIZED, Json(fault)).into_response())
    }
}

async fn list(State(agent): State<Agent>, Query(asker): Query<Asker>) -> Response {
    let refusal = agent.refusal(&asker);
    refusal.unwrap_or_else(|| Json(json!({"commands": agent.locked().boot.commands})).into_response())
}

async fn command(State(agent): State<Agent>, Query(asker): Query<Asker>, Json(body): Json<Value>) -> Response {
    if let Some(refusal) = agent.refusal(&asker) {
        return refusal;
    }
    let name = body["name"].as_str().and_then(|name| name.split_once('.')).map_or("", |(_, name)| name);
    let result = agent.carry_out(name, &body["params"]).await;
    let ended = json!({"id": "1", "command_name": name, "command_params": body["params"], "command_status": "SUCCEEDED",
        "command_error": null, "command_result": result});
    agent.locked().boot.commands.push(ended.clone());
    Json(ended).into_response()
}

/// Returns the hardware that the agent reports.
fn report() -> Value {
    json!({
        "inventory": {
            "interfaces": [{"name": "eno1", "mac_address": MAC, "has_carrier": true}],
            "cpu": {"count": 64, "architecture": "x86_64"},
            "disks": [{"name": "/dev/sda", "size": 100_000_000_000_u64, "rotational": false}],
            "memory": {"total": 1_u64 << 36, "physical_mb": 65_536},
            "system_vendor": {"product_name": "R1", "serial_number": "CZJ-7", "manufacturer": "ACME"},
            "boot": {"current_boot_mode": "uefi", "pxe_interface": MAC}
        },
        "root_disk": null, "boot_interface": MAC, "error": null
    })
}
