//! Answers the requests of machines.
//!
//! Guarantee: a machine whose question is not answered gets the way to its disk, in the form that what asks understands: a
//! 404 for firmware, a script for a loader, a refusal for an installer.

mod post;
mod report;

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use futures_util::StreamExt as _;
use hyper::body::Incoming;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use tokio::sync::Semaphore;
use underlay_boot::{Installer, Program, grub_entry, ipxe_entry, local, refusal};
use underlay_client::ClientError;

use crate::answer;
use crate::api::{Answer, Api, Executes, Question, Stage, Target};
use crate::files::{Loaders, Opened, Origins};
use crate::pairs::{Asked, Clock, Pairs};
use crate::route::{Loader, Machine, Owner, Route, addresses, value};
use crate::settings::{Settings, Times};
use crate::status::Status;

/// The most bytes of a script for a loader.
const MAX_SCRIPT_BYTES: usize = 64 * 1024;
/// The most bodies of reports that are in memory at a time.
const MAX_BODIES: usize = 16;
/// The body of a 404. An empty one hangs shim.
const NOT_THERE: &str = "not here";

/// Tells people something, in a sentence.
type Notes = Box<dyn Fn(&str) + Send + Sync>;

/// A boot server.
pub struct BootServer {
    api: Api,
    times: Times,
    connections: usize,
    origins: Origins,
    loaders: Option<Loaders>,
    pairs: Pairs,
    status: Arc<Status>,
    ipxe_entry: String,
    bodies: Semaphore,
    notes: Notes,
}

impl BootServer {
    /// Creates a boot server. It tells `notes` each answer of the server, and what goes wrong.
    pub fn new(
        api: Api,
        settings: Settings,
        loaders: Option<Loaders>,
        clock: Clock,
        notes: impl Fn(&str) + Send + Sync + 'static,
    ) -> Self {
        Self {
            api,
            times: settings.times,
            connections: settings.connections,
            origins: Origins::new(settings.origins, settings.times),
            loaders,
            pairs: Pairs::new(clock, settings.times.pair),
            status: Arc::default(),
            ipxe_entry: ipxe_entry(&settings.url),
            bodies: Semaphore::new(MAX_BODIES),
            notes: Box::new(notes),
        }
    }

    /// Returns the status for health checks and metrics.
    pub fn status(&self) -> Arc<Status> {
        Arc::clone(&self.status)
    }

    pub(crate) fn times(&self) -> Times {
        self.times
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections
    }

    /// Tells people something, in one line.
    pub(crate) fn note(&self, note: &str) {
        let visible = |letter: char| if letter.is_control() { ' ' } else { letter };
        (self.notes)(&note.chars().map(visible).collect::<String>());
    }

    /// Asks the server a question that changes nothing, to find out if this boot server may ask.
    ///
    /// # Errors
    /// Returns the reason why it may not, or why there is no answer.
    pub async fn probe(&self) -> Result<(), ClientError> {
        match self.api.answer(&Question::new(Stage::Loader)).await {
            // A server that refuses a question without a machine lets this boot server ask.
            Ok(_) => {}
            Err(error) if error.has_code("INVALID") => {}
            Err(error) => {
                self.status.asked(Err(error.to_string()));
                return Err(error);
            }
        }
        self.status.asked(Ok(()));
        Ok(())
    }

    /// Answers a request of a machine.
    pub(crate) async fn answer(self: &Arc<Self>, request: Request<Incoming>, by: IpAddr) -> Response<Body> {
        let (head, body) = request.into_parts();
        let route = Route::read(head.uri.path(), head.uri.query());
        let label = route.label();
        let is_head = head.method == Method::HEAD;
        let response = match (&head.method, route.is_posted()) {
            (&Method::POST, true) => self.post(route, &head.headers, body).await,
            (_, true) => answer::other_method("POST"),
            (&Method::GET | &Method::HEAD, false) => {
                let asked = Asked { by, path: head.uri.to_string() };
                self.get(route, asked, &head.headers, is_head).await
            }
            _ => answer::other_method("GET, HEAD"),
        };
        self.status.requested(label, response.status().as_u16());
        response
    }

    async fn get(self: &Arc<Self>, route: Route, asked: Asked, headers: &HeaderMap, is_head: bool) -> Response<Body> {
        match route {
            Route::GrubEntry => answer::typed(None, grub_entry().to_owned()),
            Route::IpxeEntry => answer::typed(None, self.ipxe_entry.clone()),
            Route::GrubStart(machine) => self.start(Program::Grub, machine, asked, is_head).await,
            Route::IpxeStart(machine) => self.start(Program::Ipxe, machine, asked, is_head).await,
            Route::Loader(owner, loader) => self.loader(owner, loader, asked.by, is_head).await,
            Route::File { token, name } => self.file(token, name, asked.by, is_head).await,
            Route::Text { token } => self.text(Some(token), asked.by, headers).await,
            Route::Kickstart => self.text(None, asked.by, headers).await,
            Route::Report { .. } | Route::Facts { .. } | Route::Nothing => missing(),
        }
    }

    /// Asks the server. A question without an answer counts as the answer that the machine gets its disk.
    async fn ask(&self, mut question: Question, by: IpAddr) -> Result<Answer, String> {
        question.address = Some(by.to_string());
        let stage = question.stage;
        match self.api.answer(&question).await {
            Ok(answer) => {
                self.status.answered(stage, answer.target);
                // Firmware and loaders ask for each file several times.
                if matches!(stage, Stage::Start | Stage::Text) {
                    let host = answer.host.as_deref().unwrap_or("an unknown machine");
                    self.note(&format!("{by} {}: {host}: {}: {}", stage.name(), answer.target.name(), answer.reason));
                }
                Ok(answer)
            }
            Err(error) => {
                self.status.unanswered(stage);
                self.note(&format!("{by} {}: the machine gets its disk: {error}", stage.name()));
                // What the server refuses about one machine does not make it unreachable for the others.
                if error.has_code("INVALID") {
                    return Err("the server refused the question of the boot server".to_owned());
                }
                self.status.asked(Err(error.to_string()));
                Err("the server did not answer the boot server".to_owned())
            }
        }
    }

    /// Answers a loader with its script.
    async fn start(&self, program: Program, machine: Machine, asked: Asked, is_head: bool) -> Response<Body> {
        // A HEAD and the GET after it are one boot, of which the server is asked once.
        let kept = if is_head { self.pairs.look(&asked) } else { self.pairs.take(&asked) };
        let text = match kept {
            Some(text) => text,
            None => self.script(program, machine, asked.by).await,
        };
        if is_head {
            self.pairs.keep(asked, text.clone());
        }
        answer::typed(None, text)
    }

    async fn script(&self, program: Program, machine: Machine, by: IpAddr) -> String {
        let executes = match program {
            Program::Grub => Executes::Grub,
            Program::Ipxe => Executes::Ipxe,
        };
        let question = Question { program: Some(executes), ..of_machine(Stage::Start, machine) };
        match self.ask(question, by).await {
            Ok(Answer { target: Target::Local, reason, .. }) => local(program, &reason),
            Ok(Answer { text: Some(text), .. }) if is_script(program, &text) => text,
            Ok(_) => local(program, "the server sent no script"),
            Err(reason) => local(program, &reason),
        }
    }

    /// Answers firmware with a loader. A 404 is the quickest way to the disk.
    async fn loader(self: &Arc<Self>, owner: Owner, loader: Loader, by: IpAddr, is_head: bool) -> Response<Body> {
        let (own, name) = match loader {
            Loader::Shim(own) => (own, Some("shim")),
            Loader::Grub(own) => (own, Some("grub")),
            Loader::Own(own) => (own, None),
        };
        let question = match owner {
            Owner::Anyone => None,
            Owner::Mac(mac) => Some(Question { macs: vec![mac], ..Question::new(Stage::Loader) }),
            Owner::Token(token) => Some(Question { token: Some(token), ..Question::new(Stage::Loader) }),
        };
        if let Some(question) = question {
            let answer = match self.ask(question, by).await {
                Ok(answer) if answer.target != Target::Local => answer,
                Ok(answer) => return answer::text(StatusCode::NOT_FOUND, answer.reason),
                Err(reason) => return answer::text(StatusCode::NOT_FOUND, reason),
            };
            if let Some(file) = name.and_then(|name| answer.files.into_iter().find(|file| file.name == name)) {
                return self.fetch(&file.url, file.checksum.as_deref(), by, is_head).await;
            }
        }
        let Some(loaders) = &self.loaders else { return missing() };
        match loaders.file(own, is_head).await {
            Ok(Some(opened)) => self.passed(opened, by),
            Ok(None) => missing(),
            Err(error) => {
                self.note(&format!("the loader {own} cannot be read: {error}"));
                answer::text(StatusCode::BAD_GATEWAY, "the loader cannot be read")
            }
        }
    }

    /// Answers with a file of a boot.
    async fn file(self: &Arc<Self>, token: String, name: &str, by: IpAddr, is_head: bool) -> Response<Body> {
        let question = Question { token: Some(token), ..Question::new(Stage::Files) };
        match self.ask(question, by).await {
            Ok(answer) => match answer.files.into_iter().find(|file| file.name == name) {
                Some(file) if answer.target != Target::Local => {
                    self.fetch(&file.url, file.checksum.as_deref(), by, is_head).await
                }
                _ => answer::text(StatusCode::NOT_FOUND, answer.reason),
            },
            Err(reason) => answer::text(StatusCode::BAD_GATEWAY, reason),
        }
    }

    async fn fetch(self: &Arc<Self>, url: &str, checksum: Option<&str>, by: IpAddr, is_head: bool) -> Response<Body> {
        match self.origins.open(url, checksum, is_head).await {
            Ok(opened) => self.passed(opened, by),
            Err(error) => {
                self.note(&format!("{by} gets no file: {error}"));
                answer::text(StatusCode::BAD_GATEWAY, "the file cannot be fetched")
            }
        }
    }

    /// Passes a file on. If it breaks off, the connection ends before its length.
    fn passed(self: &Arc<Self>, opened: Opened, by: IpAddr) -> Response<Body> {
        let own = Arc::clone(self);
        let parts = opened.body.into_data_stream().inspect(move |part| match part {
            Ok(part) => own.status.sent(part.len()),
            Err(error) => own.note(&format!("{by} gets a part of a file alone: {error}")),
        });
        answer::file(opened.length, Body::from_stream(parts))
    }

    /// Answers an installer with its text. It asks again after an error, so a refusal is a text too.
    async fn text(&self, token: Option<String>, by: IpAddr, headers: &HeaderMap) -> Response<Body> {
        let machine = in_headers(headers);
        let installer = installer(headers, token.is_none());
        let question = Question { token, ..of_machine(Stage::Text, machine) };
        let reason = match self.ask(question, by).await {
            Ok(Answer { target: Target::Local, reason, .. }) => reason,
            Ok(Answer { text: Some(text), content_type, .. }) if !text.is_empty() => {
                return answer::typed(content_type.as_deref(), text);
            }
            Ok(_) => "the server sent no text".to_owned(),
            Err(reason) => reason,
        };
        answer::typed(None, refusal(installer, &reason))
    }
}

fn missing() -> Response<Body> {
    answer::text(StatusCode::NOT_FOUND, NOT_THERE)
}

/// Returns true if a program may execute a text: iPXE executes anything as a program that is no script.
fn is_script(program: Program, text: &str) -> bool {
    let is_begun = match program {
        Program::Grub => !text.trim().is_empty() && !text.trim_start().starts_with('<'),
        Program::Ipxe => text.starts_with("#!ipxe\n"),
    };
    is_begun && text.len() <= MAX_SCRIPT_BYTES
}

fn of_machine(stage: Stage, machine: Machine) -> Question {
    Question {
        macs: machine.macs,
        serial: machine.serial,
        uuid: machine.uuid,
        board_serial: machine.board_serial,
        ..Question::new(stage)
    }
}

/// The names of the headers in which Anaconda says what the machine is.
const MAC_HEADER: &str = "x-rhn-provisioning-mac-";
const SERIAL_HEADER: &str = "x-system-serial-number";

/// Reads the identities in the headers of an installer. A MAC address comes after the name of its interface.
fn in_headers(headers: &HeaderMap) -> Machine {
    let of_macs = headers.iter().filter(|(name, _)| name.as_str().starts_with(MAC_HEADER));
    let macs = of_macs.filter_map(|(_, value)| value.to_str().ok()?.split_ascii_whitespace().last());
    let serial = headers.get(SERIAL_HEADER).and_then(|it| value(it.to_str().ok()?));
    Machine { macs: addresses(macs), serial, ..Machine::default() }
}

/// Returns the installer that asks: Anaconda introduces itself in headers.
fn installer(headers: &HeaderMap, asks_for_kickstart: bool) -> Installer {
    let is_of_anaconda =
        |name: &str| name.starts_with("x-anaconda-") || name.starts_with(MAC_HEADER) || name == SERIAL_HEADER;
    match asks_for_kickstart || headers.keys().any(|name| is_of_anaconda(name.as_str())) {
        true => Installer::Kickstart,
        false => Installer::Shell,
    }
}
