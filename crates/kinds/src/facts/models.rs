//! The models of the parts of all hosts in the API: how many parts of each there are, and in which hosts.
//!
//! Guarantee: it is answered from memory, by the last reports of the agents, however many hosts there are.

use std::collections::BTreeMap;

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use underlay_engine::facts::{Facts, kind_of_part};
use underlay_engine::runtime::run_in_background;
use underlay_entity::hardware_event::HardwarePart;
use underlay_entity::long::Long;
use underlay_facts::PartModel;
use underlay_inventory::{Kind, Snapshot};
use underlay_read::{TextFilter, ValueFilter as _};
use uuid::Uuid;

use super::facts_of;
use crate::changes::size;
use crate::errors::forbidden;
use crate::host::Host;
use crate::request::Request;

/// The models in the messages of refusals.
const MODELS: &str = "the hardware of hosts";

/// A model of the parts of hosts, with the parts of it that there are.
#[derive(Clone, Debug)]
pub struct HardwareModel {
    kind: HardwarePart,
    model: PartModel,
    hosts: Vec<(Uuid, u32)>,
}

/// A model of the parts of hosts: parts of one kind, maker, model, size and version of the firmware.
#[Object]
impl HardwareModel {
    /// The kind of part.
    async fn kind(&self) -> HardwarePart {
        self.kind
    }

    /// The maker. For a device at PCI the number of its vendor. Null if it is not known.
    async fn manufacturer(&self) -> Option<&str> {
        self.model.manufacturer.as_deref()
    }

    /// The model, or the maker's part number. For an interface the name of its driver, for a device at PCI its number. Null if
    /// it is not known.
    async fn model(&self) -> Option<&str> {
        self.model.model.as_deref()
    }

    /// The size of a disk, a memory module or the memory of a GPU, in bytes. Null if it is not known.
    async fn size_bytes(&self) -> Option<Long> {
        self.model.size_bytes.and_then(|size| i64::try_from(size).ok()).map(Long)
    }

    /// The version of the firmware; of a processor that of the microcode. Null if it is not known.
    async fn firmware_version(&self) -> Option<&str> {
        self.model.firmware_version.as_deref()
    }

    /// The number of parts.
    async fn count(&self) -> Long {
        Long(self.hosts.iter().map(|(_, count)| i64::from(*count)).sum())
    }

    /// The number of hosts that have such parts.
    async fn host_count(&self) -> usize {
        self.hosts.len()
    }

    /// The hosts that have such parts, in the order of their ids.
    async fn hosts(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The maximum number of hosts: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Vec<HostWithModel>> {
        let most = size(first)?;
        let snapshot = Request::of(context).snapshot();
        let found = self.hosts.iter().take(most);
        Ok(found.filter_map(|(id, count)| HostWithModel::of(&snapshot, *id, *count)).collect())
    }
}

/// A host with parts of a model.
#[derive(SimpleObject)]
pub struct HostWithModel {
    /// The host.
    host: Host,
    /// The number of its parts of the model.
    count: i32,
}

impl HostWithModel {
    fn of(snapshot: &std::sync::Arc<Snapshot>, id: Uuid, count: u32) -> Option<Self> {
        let host = snapshot.hold(snapshot.find(id)?).map(Host)?;
        Some(Self { host, count: i32::try_from(count).unwrap_or(i32::MAX) })
    }
}

/// A list of models, which may be cut.
#[derive(SimpleObject)]
pub struct HardwareModelList {
    /// The models, those with the most parts first: at most as many as were asked for.
    nodes: Vec<HardwareModel>,
    /// The number of all models that meet the filter. If it is greater than that of `nodes`, a narrower filter shows the
    /// others.
    total_count: i32,
}

/// A selection of models: those that meet all that is given.
#[derive(Clone, Debug, Default, InputObject)]
pub struct HardwareModelFilter {
    /// The kind of part.
    pub kind: Option<HardwarePart>,
    /// The maker.
    pub manufacturer: Option<TextFilter>,
    /// The model, or the maker's part number.
    pub model: Option<TextFilter>,
    /// The version of the firmware.
    pub firmware_version: Option<TextFilter>,
}

impl HardwareModelFilter {
    fn fits(&self, kind: HardwarePart, model: &PartModel) -> bool {
        let fits = |filter: &Option<TextFilter>, text: &Option<String>| {
            filter.as_ref().is_none_or(|filter| filter.fits(text.as_deref()))
        };
        self.kind.is_none_or(|wanted| wanted == kind)
            && fits(&self.manufacturer, &model.manufacturer)
            && fits(&self.model, &model.model)
            && fits(&self.firmware_version, &model.firmware_version)
    }
}

/// The root fields about models.
#[derive(Debug, Default)]
pub struct ModelRoots;

/// The root fields about models.
#[Object]
impl ModelRoots {
    /// The models of the parts of all hosts, as the agents reported last, those with the most parts first. `totalCount` says
    /// how many there are.
    async fn hardware(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "Returns only the models that meet this.")] filter: Option<HardwareModelFilter>,
        #[graphql(desc = "The maximum number of models: 0 to 1000. Defaults to 50.")] first: Option<i32>,
    ) -> Result<Option<HardwareModelList>> {
        let request = Request::of(context);
        request.database_for(MODELS).map_err(|it| forbidden(&it))?;
        let (most, filter) = (size(first)?, filter.unwrap_or_default());
        let snapshot = request.snapshot();
        let Some(facts) = facts_of(&snapshot) else { return Ok(None) };
        Ok(Some(run_in_background(|| models(&snapshot, facts, &filter, most))))
    }
}

fn models(snapshot: &Snapshot, facts: &Facts, filter: &HardwareModelFilter, most: usize) -> HardwareModelList {
    let mut found: BTreeMap<PartModel, Vec<(Uuid, u32)>> = BTreeMap::new();
    let hosts = facts.expected();
    let mut there: Vec<Uuid> =
        hosts.into_iter().filter(|id| snapshot.find(*id).is_some_and(|object| object.kind == Host::ID)).collect();
    there.sort_unstable();
    for host in there {
        let Some(summary) = facts.summary(host) else { continue };
        for it in summary.models.iter().filter(|it| filter.fits(kind_of_part(it.model.part), &it.model)) {
            match found.get_mut(&it.model) {
                Some(hosts) => hosts.push((host, it.count)),
                None => drop(found.insert(it.model.clone(), vec![(host, it.count)])),
            }
        }
    }

    let mut models: Vec<HardwareModel> = found
        .into_iter()
        .map(|(model, hosts)| HardwareModel { kind: kind_of_part(model.part), model, hosts })
        .collect();
    // The order of equal numbers is that of the models.
    models.sort_by_key(|model| std::cmp::Reverse(model.hosts.iter().map(|(_, count)| u64::from(*count)).sum::<u64>()));
    let total_count = i32::try_from(models.len()).unwrap_or(i32::MAX);
    models.truncate(most);
    HardwareModelList { nodes: models, total_count }
}
