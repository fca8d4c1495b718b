//! A report about the hardware of a host.

use std::sync::Arc;

use async_graphql::{Object, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_engine::facts::{Facts, LatestReport};
use underlay_entity::facts::FactsOrigin;
use underlay_facts::{Report, Section};
use uuid::Uuid;

use super::cards::{FactsDevice, FactsGpu};
use super::chassis::{FactsFan, FactsFirmware, FactsPowerSupply};
use super::neighbours::FactsNeighbour;
use super::parts::{FactsDisk, FactsInterface, FactsMemory, FactsProcessor, FactsSystem};
use crate::scalars::FreeJson;

/// What was last reported of the hardware of a host by one origin. It changes by itself, so it is of no revision.
#[derive(Clone, Debug)]
pub struct FactsReport {
    origin: FactsOrigin,
    latest: LatestReport,
    report: Arc<Report>,
    is_stale: bool,
}

/// A section of a report: whether everything in it was read.
#[derive(Clone, Debug, SimpleObject)]
pub struct FactsSection {
    /// The name of the section: `system`, `memory`, `processors`, `disks`, `interfaces`, `devices`, `gpus`,
    /// `neighbours`, `powerSupplies`, `fans` or `firmware`.
    name: String,
    /// True if everything was read. What is absent from an incomplete section may still be there.
    complete: bool,
    /// The things that could not be read.
    unread: Vec<FactsUnread>,
    /// Remarks that a reader needs to understand the content, such as that an adapter keeps LLDP to itself.
    notes: Vec<FactsNote>,
}

/// Something that could not be read.
#[derive(Clone, Debug, SimpleObject)]
pub struct FactsUnread {
    /// A file, a program or a part, such as `/sys/firmware/dmi/tables/DMI`.
    what: String,
    /// The reason, such as `permission denied`.
    reason: String,
}

/// A remark about a part of a section.
#[derive(Clone, Debug, SimpleObject)]
pub struct FactsNote {
    /// The part, such as the name of an interface.
    about: String,
    /// The remark.
    text: String,
}

impl FactsReport {
    /// Returns a report as callers see it who see everything.
    pub(super) fn new(
        facts: &Facts,
        host: Uuid,
        origin: FactsOrigin,
        latest: LatestReport,
        mut report: Report,
    ) -> Self {
        // The facts are those of a former report; its time is that of the last one.
        report.observed_at = latest.observed_at;
        let is_stale = facts.is_overdue(host, origin, &latest);
        Self { origin, latest, report: Arc::new(report), is_stale }
    }

    /// Returns true if the agent on the machine reported.
    pub(super) fn is_of_agent(&self) -> bool {
        self.origin == FactsOrigin::Agent
    }

    /// Returns what was reported.
    pub(super) fn report(&self) -> &Report {
        &self.report
    }

    /// Returns the report without what identifies the machine.
    pub(super) fn for_tenants(self) -> Self {
        let mut report = Report::clone(&self.report);
        report.sections.erase_identities();
        Self { report: Arc::new(report), ..self }
    }
}

/// What was last reported of the hardware of a host by one origin. It changes by itself, so it is of no revision. A
/// token of a tenant gets no serial numbers, UUIDs, MAC addresses and neighbours.
#[Object]
impl FactsReport {
    /// The party that reported.
    async fn origin(&self) -> FactsOrigin {
        self.origin
    }

    /// The version of the program that reported: for a BMC, that of the controller that read it.
    async fn agent_version(&self) -> &str {
        &self.latest.program
    }

    /// The time of the last report, by the clock of the machine. That of a recorder is the time at which it came, and that of
    /// a BMC the time at which the controller read it, by the clock of the controller.
    async fn observed_at(&self) -> DateTime<Utc> {
        self.latest.observed_at
    }

    /// The time at which the last report came, by the clock of the server.
    async fn received_at(&self) -> DateTime<Utc> {
        self.latest.received_at
    }

    /// The time since which the hardware is reported to be this, by the clock of the server.
    async fn since(&self) -> DateTime<Utc> {
        self.latest.since
    }

    /// True if the last report is older than it should be: that of an agent by three of its periods, and that of a BMC, which
    /// is read once a day, by three days. Never for a recorder.
    async fn stale(&self) -> bool {
        self.is_stale
    }

    /// The sections that were reported, and whether each was read as a whole.
    async fn sections(&self) -> Vec<FactsSection> {
        let sections = &self.report.sections;
        let all = [
            sections.system.as_ref().map(|it| section("system", it)),
            sections.memory.as_ref().map(|it| section("memory", it)),
            sections.processors.as_ref().map(|it| section("processors", it)),
            sections.disks.as_ref().map(|it| section("disks", it)),
            sections.interfaces.as_ref().map(|it| section("interfaces", it)),
            sections.devices.as_ref().map(|it| section("devices", it)),
            sections.gpus.as_ref().map(|it| section("gpus", it)),
            sections.neighbours.as_ref().map(|it| section("neighbours", it)),
            sections.power_supplies.as_ref().map(|it| section("powerSupplies", it)),
            sections.fans.as_ref().map(|it| section("fans", it)),
            sections.firmware.as_ref().map(|it| section("firmware", it)),
        ];
        all.into_iter().flatten().collect()
    }

    /// The machine as a whole. Null if it was not reported.
    async fn system(&self) -> Option<FactsSystem> {
        self.report.sections.system.as_ref().map(|it| FactsSystem(it.found.clone()))
    }

    /// The memory. Null if it was not reported.
    async fn memory(&self) -> Option<FactsMemory> {
        self.report.sections.memory.as_ref().map(|it| FactsMemory(it.found.clone()))
    }

    /// The processors, one for each socket. Null if they were not reported.
    async fn processors(&self) -> Option<Vec<FactsProcessor>> {
        self.report.sections.processors.as_ref().map(|it| it.found.iter().cloned().map(FactsProcessor).collect())
    }

    /// The disks. Null if they were not reported.
    async fn disks(&self) -> Option<Vec<FactsDisk>> {
        self.report.sections.disks.as_ref().map(|it| it.found.iter().cloned().map(FactsDisk).collect())
    }

    /// The network interfaces. Null if they were not reported.
    async fn interfaces(&self) -> Option<Vec<FactsInterface>> {
        self.report.sections.interfaces.as_ref().map(|it| it.found.iter().cloned().map(FactsInterface).collect())
    }

    /// The devices at PCI that are no GPUs. Null if they were not reported.
    async fn devices(&self) -> Option<Vec<FactsDevice>> {
        self.report.sections.devices.as_ref().map(|it| it.found.iter().cloned().map(FactsDevice).collect())
    }

    /// The GPUs. Null if they were not reported.
    async fn gpus(&self) -> Option<Vec<FactsGpu>> {
        self.report.sections.gpus.as_ref().map(|it| it.found.iter().cloned().map(FactsGpu).collect())
    }

    /// The neighbours of the network interfaces, as they say themselves by LLDP. Null if they were not reported, and for a
    /// token of a tenant. What is absent while the section is not complete may be there.
    async fn neighbours(&self) -> Option<Vec<FactsNeighbour>> {
        self.report.sections.neighbours.as_ref().map(|it| it.found.iter().cloned().map(FactsNeighbour).collect())
    }

    /// The power supplies, which only a BMC tells of. Null if they were not reported.
    async fn power_supplies(&self) -> Option<Vec<FactsPowerSupply>> {
        self.report.sections.power_supplies.as_ref().map(|it| it.found.iter().cloned().map(FactsPowerSupply).collect())
    }

    /// The fans, which only a BMC tells of. Null if they were not reported.
    async fn fans(&self) -> Option<Vec<FactsFan>> {
        self.report.sections.fans.as_ref().map(|it| it.found.iter().cloned().map(FactsFan).collect())
    }

    /// The firmware of the parts, as a BMC lists it. Null if it was not reported.
    async fn firmware(&self) -> Option<Vec<FactsFirmware>> {
        self.report.sections.firmware.as_ref().map(|it| it.found.iter().cloned().map(FactsFirmware).collect())
    }

    /// The report as it was sent, with what this version does not know. A token of a tenant gets what this version knows,
    /// without serial numbers, UUIDs, MAC addresses and neighbours.
    async fn raw(&self) -> Option<FreeJson> {
        // A report that was read can be written.
        serde_json::to_value(&*self.report).ok().map(FreeJson)
    }
}

fn section<T>(name: &str, section: &Section<T>) -> FactsSection {
    let unread = section.unread.iter().map(|it| FactsUnread { what: it.what.clone(), reason: it.reason.clone() });
    let notes = section.notes.iter().map(|it| FactsNote { about: it.about.clone(), text: it.text.clone() });
    FactsSection { name: name.to_owned(), complete: section.complete, unread: unread.collect(), notes: notes.collect() }
}
