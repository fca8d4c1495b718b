//! A made-up server with the two mutations of boots, and one machine that it may have an order for.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use underlay_boot::{Program, Start, start};

pub const MAC: &str = "52:54:00:77:00:01";
pub const SERIAL: &str = "ABC123";
/// The text of the installer.
pub const TEXT: &str = "# the text of the installer\n";
/// The beginning of tokens. It must be in no log.
pub const TOKEN: &str = "SECRETTOKEN";

/// The way in which the server answers questions of a stage.
#[derive(Clone, Debug, PartialEq)]
pub enum Does {
    Answers,
    Hangs,
    /// An error of HTTP, with HTML, as proxies send it.
    Fails,
    /// Something that is no answer.
    Garbles,
    Refuses(&'static str),
    /// The answer with other members.
    Changes(Value),
}

pub struct World {
    /// True if there is an order for the machine.
    pub is_ordered: bool,
    pub does: Vec<(&'static str, Does)>,
    pub files: Value,
    pub url: String,
    /// The questions and reports that came.
    pub asked: Vec<Value>,
    pub boots: u32,
}

pub struct Server {
    pub url: String,
    world: Arc<Mutex<World>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let world = World {
            is_ordered: true,
            does: Vec::new(),
            files: json!([]),
            url: String::new(),
            asked: Vec::new(),
            boots: 0,
        };
        let world = Arc::new(Mutex::new(world));
        let routes = Router::new().route("/graphql", post(graphql)).with_state(Arc::clone(&world));
        let task = tokio::spawn(async move { drop(axum::serve(listener, routes).await) });
        Self { url, world, task }
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the questions of a stage, or the reports if the stage is empty.
    pub fn asked(&self, stage: &str) -> Vec<Value> {
        self.world().asked.iter().filter(|it| it["stage"] == stage).cloned().collect()
    }
}

async fn graphql(State(world): State<Arc<Mutex<World>>>, Json(body): Json<Value>) -> Response {
    let input = body["variables"]["input"].clone();
    let is_report = body["query"].as_str().is_some_and(|query| query.contains("reportBoot"));
    let stage = if is_report { "REPORT" } else { input["stage"].as_str().unwrap_or_default() };
    let (does, answer) = {
        let mut world = world.lock().unwrap_or_else(PoisonError::into_inner);
        world.asked.push(input.clone());
        let does = world.does.iter().find(|(of, _)| *of == stage || *of == "*").map(|(_, does)| does.clone());
        (
            does.unwrap_or(Does::Answers),
            if is_report { json!({"host": "m1", "message": null}) } else { world.answer(&input) },
        )
    };
    let field = if is_report { "reportBoot" } else { "answerBoot" };
    match does {
        Does::Answers => Json(json!({"data": {field: answer}})).into_response(),
        Does::Hangs => std::future::pending().await,
        Does::Fails => (StatusCode::BAD_GATEWAY, "<html>bad</html>").into_response(),
        Does::Garbles => "<html>hello</html>".into_response(),
        Does::Refuses(code) => {
            let errors = json!([{"message": "no", "extensions": {"code": code}}]);
            Json(json!({"data": null, "errors": errors})).into_response()
        }
        Does::Changes(members) => {
            let mut answer = answer;
            for (name, value) in members.as_object().expect("members") {
                answer[name] = value.clone();
            }
            Json(json!({"data": {field: answer}})).into_response()
        }
    }
}

impl World {
    fn answer(&mut self, input: &Value) -> Value {
        let token = format!("{TOKEN}{}", self.boots);
        let has_token = input["token"] == token.as_str() && self.boots > 0;
        let is_machine = input["macs"].as_array().is_some_and(|macs| macs.iter().any(|mac| mac == MAC));
        let is_machine = is_machine || input["serial"] == SERIAL;
        let stage = input["stage"].as_str().unwrap_or_default();
        let is_right = match stage {
            "LOADER" | "START" => is_machine,
            "FILES" => has_token,
            _ => has_token || is_machine,
        };
        let local = |reason: &str| json!({"target": "LOCAL", "reason": reason, "host": null, "text": null, "contentType": null, "files": []});
        if !self.is_ordered {
            return local("the host m1 is in use");
        }
        if !is_right {
            return local("no host has these addresses");
        }
        let text = match stage {
            "START" => {
                self.boots += 1;
                Some(self.script(input))
            }
            "TEXT" => Some(TEXT.to_owned()),
            _ => None,
        };
        json!({
            "target": "INSTALL", "reason": "it is due", "host": "m1", "text": text,
            "contentType": (stage == "TEXT").then_some("text/x-kickstart"), "files": self.files,
        })
    }

    fn script(&self, input: &Value) -> String {
        let program = if input["program"] == "GRUB" { Program::Grub } else { Program::Ipxe };
        let files = format!("{}/boot/f/{TOKEN}{}", self.url, self.boots);
        let text = format!("inst.ks={}/boot/text/{TOKEN}{}", self.url, self.boots);
        let it = Start {
            kernel_url: &format!("{files}/kernel"),
            initrd_url: Some(&format!("{files}/initrd")),
            arguments: &["quiet", "a=b c", &text],
            reason: "it's due",
        };
        start(program, &it).expect("a script")
    }
}
