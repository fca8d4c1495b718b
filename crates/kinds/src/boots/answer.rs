//! The mutation by which a boot server asks what a machine gets.

use std::time::Duration;

use async_graphql::{Context, Enum, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use serde_json::json;
use underlay_boot::{Program, mac};
use underlay_engine::access::WriteKind;
use underlay_engine::runtime::run_in_background;
use underlay_engine::sources::Sources;
use underlay_engine::store::{BootDecision, BootGround, BootLine, BootToken, StoreError};
use underlay_entity::boot::BootTarget;
use underlay_entity::boot_attempt::BootPurpose;
use underlay_entity::host::Model as Host;
use underlay_inventory::{Kind, Refusal, Selector, Snapshot};
use uuid::Uuid;

use super::attempt::{self, Fetched};
use super::log::BootLog;
use super::machine::{self, SaidOfItself};
use super::refusal::WhyDisk;
use super::render::{self, File, SHELL};
use crate::control::unanswered;
use crate::errors::{forbidden, refused};
use crate::host::Host as HostKind;
use crate::reports::{check_text, invalid};
use crate::request::Request;
use crate::site::Site;

/// The greatest number of MAC addresses that a machine says.
const MAX_MACS: usize = 64;
/// The greatest length of a serial number or a UUID, in characters.
const MAX_IDENTITY_CHARACTERS: usize = 253;
/// The greatest length of the URL of a boot server, in characters.
const MAX_URL_CHARACTERS: usize = 500;
/// The number of times that a boot is decided again because another batch was written meanwhile.
const MAX_DECISIONS: usize = 5;
/// The longest time for which this server waits until it has the newest revision.
const CATCH_UP_TIMEOUT: Duration = Duration::from_millis(500);

/// The stage of a boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BootStage {
    /// The firmware asks for a loader. Nothing begins.
    Loader,
    /// A loader asks for its script. A boot begins.
    Start,
    /// A loader asks for the files of its boot.
    Files,
    /// What was booted asks for the text that it works by. From then on the next boot gets the disk.
    Text,
}

/// The program that executes a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BootProgram {
    /// GRUB on UEFI.
    Grub,
    /// iPXE.
    Ipxe,
}

/// What a machine asks that boots from the network.
#[derive(Clone, Debug, InputObject)]
pub struct AnswerBootInput {
    /// The stage of the boot.
    pub stage: BootStage,
    /// The program that executes the script. Required for the stage START.
    pub program: Option<BootProgram>,
    /// The MAC addresses that the machine says: at most 64, in any notation.
    #[graphql(default)]
    pub macs: Vec<String>,
    /// The serial number that the machine says: at most 253 characters.
    pub serial: Option<String>,
    /// The UUID that the machine says: at most 253 characters.
    pub uuid: Option<String>,
    /// The serial number of its mainboard: at most 253 characters.
    pub board_serial: Option<String>,
    /// The address from which it asks: at most 253 characters.
    pub address: Option<String>,
    /// The token of its boot. Required for the stages FILES and TEXT.
    pub token: Option<String>,
    /// The URL under which machines reach the boot server, such as `http://10.0.0.1:8090`: at most 500 characters, without a
    /// slash at its end.
    pub url: String,
    /// The site of the boot server: its id or its name. Absent: it serves all sites.
    pub within: Option<String>,
}

/// The answer to a machine that boots from the network.
#[derive(Clone, Debug, SimpleObject)]
pub struct BootAnswer {
    /// The target of the boot.
    pub target: BootTarget,
    /// A sentence that says why.
    pub reason: String,
    /// The name of the host that the machine is. Null: it is not known.
    pub host: Option<String>,
    /// The text that the machine executes: a script at the stage START, and what it works by at the stage TEXT. Null for
    /// LOCAL, and at other stages.
    pub text: Option<String>,
    /// The media type of the text at the stage TEXT.
    pub content_type: Option<String>,
    /// The files that the machine may fetch.
    pub files: Vec<BootFile>,
}

/// A file that a machine may fetch from a boot server.
#[derive(Clone, Debug, SimpleObject)]
pub struct BootFile {
    /// The name by which the machine asks for it: `kernel` or `initrd`.
    pub name: String,
    /// The URL where the boot server gets it.
    pub url: String,
    /// Its digest as `sha256:` or `sha512:` with hexadecimal digits. Null: it is not known.
    pub checksum: Option<String>,
}

/// The root field by which boot servers ask.
#[derive(Debug, Default)]
pub struct BootMutation;

/// The root field by which boot servers ask.
#[Object]
impl BootMutation {
    /// Decides what a machine gets that boots from the network. Boot servers call it. Everything that is not certain is
    /// LOCAL: the disk of the machine.
    async fn answer_boot(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The machine, and what it asks.")] input: AnswerBootInput,
    ) -> Result<Option<BootAnswer>> {
        let request = Request::of(context);
        request.permits(WriteKind::Boot).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let asked = Asked::read(&snapshot, input).map_err(|it| refused(&it, None, None))?;
        let log = snapshot.registry().settings::<BootLog>();
        let answered = Box::pin(answer(request.sources(), log, &asked)).await.map_err(|it| unanswered(&it))?;
        Ok(Some(answered))
    }
}

/// The question of a machine, after it was read.
struct Asked {
    stage: Stage,
    said: SaidOfItself,
    address: Option<String>,
    url: String,
    site: Option<Uuid>,
}

/// The stage of a boot, with what it needs.
enum Stage {
    Loader,
    Start(Program),
    /// The digest of the token.
    Files(String),
    /// The token, and its digest.
    Text(String, String),
}

impl Asked {
    fn read(snapshot: &Snapshot, input: AnswerBootInput) -> std::result::Result<Self, Refusal> {
        let AnswerBootInput { stage, program, macs, serial, uuid, board_serial, address, token, url, within } = input;
        let identities = [("serial", &serial), ("uuid", &uuid), ("boardSerial", &board_serial), ("address", &address)];
        for (field, text) in identities {
            text.as_deref().map_or(Ok(()), |text| check_text(field, text, MAX_IDENTITY_CHARACTERS))?;
        }
        check_text("url", &url, MAX_URL_CHARACTERS)?;
        if macs.len() > MAX_MACS {
            return Err(invalid("macs", format!("has {} entries; at most {MAX_MACS} are allowed", macs.len())));
        }
        let read = |(at, text): (usize, &String)| {
            mac(text).ok_or_else(|| invalid(format!("macs[{at}]"), "must be a MAC address, in any notation"))
        };
        let macs = macs.iter().enumerate().map(read).collect::<std::result::Result<_, _>>()?;
        let site = within.map(|text| site_of(snapshot, &text)).transpose()?;
        let token = || token.clone().ok_or_else(|| invalid("token", "is required for the stages FILES and TEXT"));
        let stage = match stage {
            BootStage::Loader => Stage::Loader,
            BootStage::Start => match program {
                Some(BootProgram::Grub) => Stage::Start(Program::Grub),
                Some(BootProgram::Ipxe) => Stage::Start(Program::Ipxe),
                None => return Err(invalid("program", "is required for the stage START: GRUB or IPXE")),
            },
            BootStage::Files => Stage::Files(BootToken::digest_of(&token()?)),
            BootStage::Text => {
                let token = token()?;
                let digest = BootToken::digest_of(&token);
                Stage::Text(token, digest)
            }
        };
        Ok(Self { stage, said: SaidOfItself { macs, serial, uuid, board_serial }, address, url, site })
    }

    /// Returns the line about a boot of a host.
    fn line(&self, host: &Host, at: DateTime<Utc>, target: BootTarget, reason: &str) -> BootLine {
        let (mac, address) = (self.said.macs.first().cloned(), self.address.clone());
        BootLine { host: host.id, at, target, reason: reason.to_owned(), mac, address }
    }
}

/// Returns the id of a site by its id or its name.
fn site_of(snapshot: &Snapshot, text: &str) -> std::result::Result<Uuid, Refusal> {
    let member = if text.parse::<Uuid>().is_ok() { "id" } else { "site" };
    let kind = Site::describe();
    let selector = Selector::parse(kind, "within", &json!({ member: text }), None)?;
    let missing = || Refusal::NotFound { field: "within".to_owned(), what: selector.words(kind) };
    let object = snapshot.select(kind, "within", &selector)?.ok_or_else(missing)?;
    snapshot.row(object).map(|row| row.common().id).ok_or_else(missing)
}

/// Answers on the newest revision. A first look at what this server has decides the most frequent case, a machine that gets
/// its disk, without a transaction.
async fn answer(
    sources: &Sources,
    log: Option<&BootLog>,
    asked: &Asked,
) -> std::result::Result<BootAnswer, StoreError> {
    let store = sources.store();
    let mut snapshot = sources.current();
    for _ in 0..MAX_DECISIONS {
        let found = match &asked.stage {
            Stage::Files(digest) | Stage::Text(_, digest) => match store.host_of_boot_token(digest).await? {
                Some(host) => of_token(&snapshot, host, asked),
                None => Err(WhyDisk::OldToken),
            },
            Stage::Loader | Stage::Start(_) => run_in_background(|| machine::find(&snapshot, &asked.said)),
        };
        let host = match found.and_then(|host| machine::check_site(&snapshot, host, asked.site).map(|()| host)) {
            Ok(host) => host,
            Err(why) => return Ok(disk(None, &why)),
        };
        let ground = store.boot_ground(host.id).await?;
        let token = BootToken::random()?;
        let look = decide(&snapshot, host, &ground, asked, &token);
        if look.attempt.is_none() {
            if let (Some(log), Some(line)) = (log, look.line) {
                log.note(line);
            }
            return Ok(look.answer);
        }
        let head = snapshot.head();
        let planned_on = (head.revision, head.batch_id);
        let decided =
            store.decide_boot(host.id, planned_on, None, |ground| decide(&snapshot, host, ground, asked, &token));
        match decided.await {
            Err(StoreError::Overtaken(newest)) => snapshot = sources.caught_up(newest, CATCH_UP_TIMEOUT).await,
            decided => return decided,
        }
    }
    // Others write all the time, or this server is far behind. The machine goes to its disk, as whenever nothing is certain.
    Err(StoreError::Overtaken(snapshot.revision()))
}

fn of_token<'a>(snapshot: &'a Snapshot, host: Uuid, asked: &Asked) -> std::result::Result<&'a Host, WhyDisk> {
    let host = snapshot.get::<HostKind>(host).ok_or(WhyDisk::OldToken)?;
    machine::check_same(snapshot, host, &asked.said)?;
    Ok(host)
}

/// Decides about what a machine of a host asks. Pure.
fn decide(
    snapshot: &Snapshot,
    host: &Host,
    ground: &BootGround,
    asked: &Asked,
    token: &BootToken,
) -> BootDecision<BootAnswer> {
    let decided = match &asked.stage {
        Stage::Loader => loader(snapshot, host, ground),
        Stage::Start(program) => start(snapshot, host, ground, asked, *program, token),
        Stage::Files(digest) => files(snapshot, host, ground, digest),
        Stage::Text(text, digest) => text_for(snapshot, host, ground, asked, (text, digest)),
    };
    decided.unwrap_or_else(|why| {
        // A firmware that gets no loader asks nothing more, so its boot ends here.
        let begins = matches!(asked.stage, Stage::Loader | Stage::Start(_));
        BootDecision {
            attempt: attempt::booted_again(host, ground).filter(|_| begins),
            line: begins.then(|| asked.line(host, ground.now, BootTarget::Local, &why.to_string())),
            answer: disk(Some(host), &why),
        }
    })
}

type Decided = std::result::Result<BootDecision<BootAnswer>, WhyDisk>;

fn loader(snapshot: &Snapshot, host: &Host, ground: &BootGround) -> Decided {
    let (purpose, _) = attempt::boot(host, ground, String::new())?;
    let profile = render::profile_for(snapshot, host, purpose)?;
    Ok(BootDecision { attempt: None, line: None, answer: given(host, purpose, render::files(profile)) })
}

fn start(
    snapshot: &Snapshot,
    host: &Host,
    ground: &BootGround,
    asked: &Asked,
    program: Program,
    token: &BootToken,
) -> Decided {
    let (purpose, next) = attempt::boot(host, ground, token.digest.clone())?;
    let profile = render::profile_for(snapshot, host, purpose)?;
    let answer = given(host, purpose, render::files(profile));
    let script = render::script(profile, program, &asked.url, &token.text, &answer.reason);
    let script = script.map_err(|reason| WhyDisk::NothingToBoot { host: host.name.to_string(), purpose, reason })?;
    let line = asked.line(host, ground.now, answer.target, &answer.reason);
    Ok(BootDecision { attempt: Some(next), line: Some(line), answer: BootAnswer { text: Some(script), ..answer } })
}

fn files(snapshot: &Snapshot, host: &Host, ground: &BootGround, digest: &str) -> Decided {
    let (purpose, next) = attempt::load(host, ground, digest)?;
    let profile = render::profile_for(snapshot, host, purpose)?;
    Ok(BootDecision { attempt: next, line: None, answer: given(host, purpose, render::files(profile)) })
}

fn text_for(
    snapshot: &Snapshot,
    host: &Host,
    ground: &BootGround,
    asked: &Asked,
    (token, digest): (&str, &str),
) -> Decided {
    let (purpose, fetched) = attempt::fetch(host, ground, digest)?;
    let profile = render::profile_for(snapshot, host, purpose)?;
    let answer = BootAnswer { content_type: Some(SHELL.to_owned()), ..given(host, purpose, render::files(profile)) };
    Ok(match fetched {
        Fetched::Again(text) => {
            BootDecision { attempt: None, line: None, answer: BootAnswer { text: Some(text), ..answer } }
        }
        Fetched::First(mut next) => {
            let text = render::discovery(host, &asked.url, token);
            next.text = Some(text.clone());
            BootDecision { attempt: Some(*next), line: None, answer: BootAnswer { text: Some(text), ..answer } }
        }
    })
}

fn disk(host: Option<&Host>, why: &WhyDisk) -> BootAnswer {
    BootAnswer {
        target: BootTarget::Local,
        reason: why.to_string(),
        host: host.map(|host| host.name.to_string()),
        text: None,
        content_type: None,
        files: Vec::new(),
    }
}

fn given(host: &Host, purpose: BootPurpose, files: Vec<File>) -> BootAnswer {
    let (target, what) = match purpose {
        BootPurpose::Discover => (BootTarget::Discover, "discovered"),
        BootPurpose::Install => (BootTarget::Install, "installed"),
        BootPurpose::Wipe => (BootTarget::Wipe, "wiped"),
    };
    let file = |File { name, url }| BootFile { name: name.to_owned(), url, checksum: None };
    BootAnswer {
        target,
        reason: format!("the host {} is {what}", host.name),
        host: Some(host.name.to_string()),
        text: None,
        content_type: None,
        files: files.into_iter().map(file).collect(),
    }
}
