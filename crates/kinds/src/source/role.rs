//! The role of sources in runs: the settings that a run reads, and the words for their health.

use underlay_entity::source::{Model, SourceHealth, SourceHostsArrive, SourcePrune};
use underlay_entity::source_run::SameMachine;
use uuid::Uuid;

use crate::grammar::enum_name;
use crate::host::{Host, MACHINE_FIELDS};
use crate::ids;
use underlay_engine::sources::{Health, Limits, Prune, Settings, SourceRole};
use underlay_inventory::{KeyOf, Kind, ObjectRef, Refusal, Snapshot, cast};

/// The role of sources in runs.
pub const ROLE: SourceRole = SourceRole { kind: ids::SOURCE, settings: |row| settings(cast(row)), same_machine, word };

fn settings(source: &Model) -> Settings {
    Settings {
        interval_seconds: source.interval_seconds.into(),
        prune: match source.prune {
            SourcePrune::Retire => Prune::Retire,
            SourcePrune::Delete => Prune::Delete,
            SourcePrune::Release => Prune::Release,
            SourcePrune::Keep => Prune::Keep,
        },
        limits: Limits { share: source.limits.share, count: u64::try_from(source.limits.count).unwrap_or_default() },
        paused: source.paused,
        reserved: source.reserved,
        health: match source.health {
            SourceHealth::Never => Health::Never,
            SourceHealth::Fresh => Health::Fresh,
            SourceHealth::Stale => Health::Stale,
            SourceHealth::Failing => Health::Failing,
            SourceHealth::Held => Health::Held,
            SourceHealth::Paused => Health::Paused,
        },
        arriving: match source.hosts_arrive {
            SourceHostsArrive::Registered => None,
            SourceHostsArrive::AsReported => Some(ids::HOST),
        },
    }
}

/// Finds the host that is the machine of another one, which was refused for it.
fn same_machine(snapshot: &Snapshot, kind: &str, refusal: &Refusal) -> Option<SameMachine> {
    let Refusal::Duplicate { field, holder, .. } = refusal else { return None };
    if kind != Host::describe().name || !MACHINE_FIELDS.contains(&field.as_str()) {
        return None;
    }
    let name = holder.strip_prefix(Host::describe().singular)?.strip_prefix('/')?;
    let key = KeyOf { parent: Uuid::nil(), family: 0, name: name.into() };
    let slot = snapshot.table(Host::ID).by_key(&key)?;
    let row = snapshot.row(ObjectRef { kind: Host::ID, slot })?;
    Some(SameMachine { object: row.common().id, by: field.clone() })
}

fn word(health: Health) -> &'static str {
    enum_name(match health {
        Health::Never => SourceHealth::Never,
        Health::Fresh => SourceHealth::Fresh,
        Health::Stale => SourceHealth::Stale,
        Health::Failing => SourceHealth::Failing,
        Health::Held => SourceHealth::Held,
        Health::Paused => SourceHealth::Paused,
    })
}
