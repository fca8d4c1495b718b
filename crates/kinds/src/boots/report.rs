//! The mutation by which a boot server passes on what a machine reports that works for an order.
//!
//! Guarantees: a report is taken only with the token of the last boot of its machine, while the work goes on. What the
//! machine says ends an order only through the controller of its host.

use crate::scalars::FreeJson;
use async_graphql::{Context, Enum, InputObject, Object, Result, SimpleObject};
use serde::{Deserialize, Serialize};
use serde_json::json;
use underlay_engine::access::WriteKind;
use underlay_engine::store::{BootDecision, BootGround, BootToken, StoreError};
use underlay_entity::boot_attempt::BootAttemptState;
use underlay_entity::long::Long;
use underlay_entity::machine::{CpuArchitecture, Disk, DiskType};
use underlay_facts::{DiskMedium, Report, Sections};
use underlay_inventory::Refusal;

use super::attempt::{self, NotReported, Said};
use crate::control::unanswered;
use crate::errors::{forbidden, refused};
use crate::host::Host;
use crate::reports::{MAX_SENTENCE_CHARACTERS, check_text, invalid};
use crate::request::Request;

/// The greatest length of the name of a stage, in characters.
const MAX_STAGE_CHARACTERS: usize = 100;
/// The greatest number of disks that are kept of a report.
const MAX_DISKS: usize = 256;
/// The number of times that a report is decided again because another batch was written meanwhile.
const MAX_DECISIONS: usize = 8;

/// The end of the work of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Enum)]
pub enum BootOutcome {
    /// The work goes on.
    Working,
    /// The work is done.
    Done,
    /// The work failed.
    Failed,
}

/// A report of a machine that works for an order.
#[derive(Clone, Debug, InputObject)]
pub struct ReportBootInput {
    /// The token of its boot.
    pub token: String,
    /// The end of the work.
    pub outcome: BootOutcome,
    /// The stage of the work, as one word: at most 100 characters.
    pub stage: Option<String>,
    /// The progress of the stage: 0 to 100.
    pub percent: Option<i32>,
    /// A sentence about the stage: at most 2,000 characters.
    pub message: Option<String>,
    /// The hardware of the machine, in the form in which agents report it.
    pub facts: Option<FreeJson>,
}

/// The result of `reportBoot`.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReportBootPayload {
    /// The name of the host. Null: the token is that of no machine.
    pub host: Option<String>,
    /// A sentence that says why the report was not taken. Null: it was taken.
    pub message: Option<String>,
}

/// The root field by which machines report.
#[derive(Debug, Default)]
pub struct BootReportMutation;

/// The root field by which machines report.
#[Object]
impl BootReportMutation {
    /// Reports how the work of a machine comes on that boots from the network. Boot servers call it.
    async fn report_boot(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The report.")] input: ReportBootInput,
    ) -> Result<Option<ReportBootPayload>> {
        let request = Request::of(context);
        request.permits(WriteKind::Boot).map_err(|it| forbidden(&it))?;
        let digest = BootToken::digest_of(&input.token);
        let said = read(input).map_err(|it| refused(&it, None, None))?;
        Box::pin(take(request, &digest, &said)).await.map(Some).map_err(|it| unanswered(&it))
    }
}

async fn take(request: &Request, digest: &str, said: &Said) -> std::result::Result<ReportBootPayload, StoreError> {
    let store = request.sources().store();
    let refused = |why: NotReported| ReportBootPayload { host: None, message: Some(why.to_string()) };
    let Some(host) = store.host_of_boot_token(digest).await? else { return Ok(refused(NotReported::OldToken)) };
    let name = request.sources().current().get::<Host>(host).map(|host| host.name.to_string());

    let decide = |ground: &BootGround| {
        let (attempt, why) = match attempt::report(ground, digest, said.clone()) {
            Ok(attempt) => (Some(attempt), None),
            Err(why) => (None, Some(why.to_string())),
        };
        BootDecision { attempt, line: None, answer: ReportBootPayload { host: name.clone(), message: why } }
    };
    // A report depends on the attempt alone, so any revision fits.
    for _ in 1..MAX_DECISIONS {
        match store.decide_boot(host, store.last_written().await?, None, decide).await {
            Err(StoreError::Overtaken(_)) => {}
            taken => return taken,
        }
    }
    store.decide_boot(host, store.last_written().await?, None, decide).await
}

fn read(input: ReportBootInput) -> std::result::Result<Said, Refusal> {
    let ReportBootInput { token: _, outcome, stage, percent, message, facts } = input;
    let texts = [("stage", &stage, MAX_STAGE_CHARACTERS), ("message", &message, MAX_SENTENCE_CHARACTERS)];
    for (field, text, most) in texts {
        text.as_deref().map_or(Ok(()), |text| check_text(field, text, most))?;
    }
    let percent = percent.map(|percent| {
        let fitting = i16::try_from(percent).ok().filter(|percent| (0..=100).contains(percent));
        fitting.ok_or_else(|| invalid("percent", format!("must be from 0 to 100, not {percent}")))
    });
    let facts = facts.map(|facts| {
        let report: Report = serde_json::from_value(facts.0)
            .map_err(|error| invalid("facts", format!("must be a report in the form of agents: {error}")))?;
        Ok::<_, Refusal>(json!(FoundHardware::of(&report.sections)))
    });
    let end = match outcome {
        BootOutcome::Working => None,
        BootOutcome::Done => Some(BootAttemptState::Done),
        BootOutcome::Failed => Some(BootAttemptState::Failed),
    };
    Ok(Said { end, stage, percent: percent.transpose()?, message, facts: facts.transpose()? })
}

/// The hardware that a discovery found, as it is stored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FoundHardware {
    pub serial: Option<String>,
    pub uuid: Option<String>,
    pub boot_mac: Option<String>,
    pub cpu_cores: Option<i32>,
    pub cpu_architecture: Option<CpuArchitecture>,
    pub memory_bytes: Option<i64>,
    pub disks: Option<Vec<Disk>>,
}

impl FoundHardware {
    /// Returns the part of a report that a host is described by.
    fn of(sections: &Sections) -> Self {
        let system = sections.system.as_ref().map(|section| &section.found);
        let threads = sections.processors.as_ref().map(|it| it.found.iter().map(|each| each.threads).sum::<u32>());
        let modules = sections.memory.as_ref().map(|it| &it.found.modules);
        let bytes = modules.filter(|it| !it.is_empty()).and_then(|it| it.iter().map(|each| each.size_bytes).sum());
        // A shell sees no modules.
        let more = sections.memory.as_ref().and_then(|it| it.found.more.get("totalBytes")?.as_u64());
        let disks = sections.disks.as_ref().filter(|it| it.complete).map(|it| &it.found);
        let macs = sections.interfaces.as_ref().map(|it| &it.found);
        let only_mac = macs.filter(|it| it.len() == 1).and_then(|it| it[0].permanent_mac.clone());
        Self {
            serial: system.and_then(|it| it.serial.clone()),
            uuid: system.and_then(|it| it.uuid.clone()),
            boot_mac: only_mac,
            cpu_cores: threads.and_then(|threads| i32::try_from(threads).ok()).filter(|threads| *threads > 0),
            cpu_architecture: None,
            memory_bytes: bytes.or(more).and_then(|bytes: u64| i64::try_from(bytes).ok()),
            disks: disks.map(|disks| disks.iter().filter_map(disk).take(MAX_DISKS).collect()),
        }
    }
}

fn disk(disk: &underlay_facts::Disk) -> Option<Disk> {
    let r#type = match disk.medium? {
        DiskMedium::Nvme => DiskType::Nvme,
        DiskMedium::Ssd => DiskType::Ssd,
        DiskMedium::Hdd => DiskType::Hdd,
    };
    Some(Disk { name: disk.name.clone(), size_bytes: Long(i64::try_from(disk.size_bytes?).ok()?), r#type })
}
