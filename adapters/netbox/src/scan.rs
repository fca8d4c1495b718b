//! A scan: all lists in the order of references, object by object, four lists at a time.
//!
//! Guarantee: an item comes after those that it refers to, as far as NetBox has them. A list is read in the order of
//! ids; an object that needs a later one of its own list waits for the end of the list. Such objects are few: a device
//! is usually younger than its chassis, and LAGs are read first.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::task::JoinSet;
use underlay_kit::sync::{AdapterError, Presence, Report, Sink};

use crate::client::{Client, Page, Pages};
use crate::context::{Assigned, Context, DeviceType, Master, Role, Units};
use crate::map::devices::{Within, is_master, role_word, why_no_parent, within};
use crate::map::virtualization::has_home;
use crate::map::{cables, map};
use crate::object::Object;
use crate::types::{self, APPS, COUNTED, Fate, MODULE, NO_KIND, Type, is_known};
use crate::words::List;

/// The first version of NetBox that has profiles of cables.
const PROFILES: (u64, u64) = (4, 5);
/// The type of types of devices, and its members that devices name.
const DEVICE_TYPE: &str = "dcim.devicetype";
const DEVICE_TYPE_TEXTS: [&str; 3] = ["manufacturer", "model", "slug"];
/// The type of addresses.
const ADDRESS: &str = "ipam.ipaddress";
/// The reason for which an object is not kept that cannot become an item.
const UNMAPPED: &str = "it cannot be mapped: see the errors of the run";
/// The reason for which the rest of an object is not kept.
const SKIPPED: &str = "skipped: only a rest of it is there";
/// The kind that ports become.
const PORT: &str = "port";
/// The reason for which a type is not counted.
const NO_RIGHT: &str = "the token has no right to view it";

/// A scan that goes on.
pub struct Scan<'a> {
    client: &'a Arc<Client>,
    cx: Context,
    sink: &'a mut Sink,
    /// The LAGs, which were read before all other interfaces.
    lags: BTreeSet<u64>,
    /// The words that were reported.
    unknown: BTreeSet<(List, String)>,
    /// The numbers of the modules that ports name.
    modules: BTreeSet<u64>,
    /// The number of interfaces with a primary MAC address.
    macs: u64,
}

/// What is read of NetBox, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A list whose objects become items.
    Items(Type),
    /// The LAGs among the interfaces, which come before their members.
    Lags,
    /// All other interfaces.
    Interfaces,
    /// Heights and depths.
    DeviceTypes,
    /// The roles of devices.
    Roles,
    /// The addresses of interfaces.
    Addresses,
    /// The cables that have a profile. A port must have as many positions as its cable.
    Profiled,
    /// What ends at cables, if there are some with a profile.
    ProfileEnds,
}

/// Chains of lists that are read at the same time. What a list needs is before it in its chain, or in an earlier stage.
struct Stage {
    chains: &'static [&'static [Wanted]],
    /// True for the stage in which the profiles of cables are read, too, in versions that have them.
    is_first: bool,
}

/// The stages of a scan: at most four chains at a time.
const STAGES: [Stage; 4] = [
    Stage {
        chains: &[
            &[
                Wanted::Items(types::REGION),
                Wanted::Items(types::SITE),
                Wanted::Items(types::LOCATION),
                Wanted::Items(types::RACK),
                Wanted::Items(types::POWER_PANEL),
                Wanted::Items(types::POWER_FEED),
            ],
            &[Wanted::DeviceTypes, Wanted::Roles, Wanted::Items(types::CLUSTER), Wanted::Addresses],
            &[Wanted::Items(types::PROVIDER), Wanted::Items(types::PROVIDER_NETWORK), Wanted::Items(types::CIRCUIT)],
        ],
        is_first: true,
    },
    Stage { chains: &[&[Wanted::Items(types::DEVICE)], &[Wanted::Items(types::CIRCUIT_TERMINATION)]], is_first: false },
    Stage {
        chains: &[
            &[Wanted::Lags, Wanted::Interfaces],
            &[Wanted::Items(types::REAR_PORT), Wanted::Items(types::FRONT_PORT)],
            &[
                Wanted::Items(types::POWER_PORT),
                Wanted::Items(types::POWER_OUTLET),
                Wanted::Items(types::CONSOLE_PORT),
                Wanted::Items(types::CONSOLE_SERVER_PORT),
            ],
            &[Wanted::Items(types::VIRTUAL_MACHINE), Wanted::Items(types::VM_INTERFACE)],
        ],
        is_first: false,
    },
    Stage { chains: &[&[Wanted::Items(types::CABLE)]], is_first: false },
];

/// Lists that are read one after the other.
struct Chain {
    wanted: Wanted,
    rest: VecDeque<Wanted>,
    pages: Pages,
    /// The objects of the list that wait for later ones.
    waiting: Waiting,
}

impl Chain {
    /// Begins to read the first of some lists, if there is one.
    fn begin(client: &Arc<Client>, mut rest: VecDeque<Wanted>, waiting: Waiting) -> Option<Self> {
        let wanted = rest.pop_front()?;
        let (path, filters): (&str, &[(&str, &str)]) = match wanted {
            Wanted::Items(of) => (of.path, &[]),
            Wanted::Lags => (types::INTERFACE.path, &[("type", "lag")]),
            Wanted::Interfaces => (types::INTERFACE.path, &[]),
            Wanted::DeviceTypes => ("dcim/device-types", &[]),
            Wanted::Roles => ("dcim/device-roles", &[]),
            Wanted::Addresses => ("ipam/ip-addresses", &[]),
            Wanted::Profiled => (types::CABLE.path, &[("profile__empty", "false")]),
            Wanted::ProfileEnds => ("dcim/cable-terminations", &[]),
        };
        Some(Self { wanted, rest, pages: Pages::after(client, path, filters, 0), waiting })
    }

    /// Reads the next page; none after the last one of the list.
    async fn read(mut self) -> Result<(Self, Option<Page>), AdapterError> {
        let page = self.pages.next().await?;
        Ok((self, page))
    }
}

/// The objects of a list that wait for later ones.
#[derive(Debug, Default)]
struct Waiting(BTreeMap<u64, Object>);

impl<'a> Scan<'a> {
    /// Begins a scan.
    pub const fn new(client: &'a Arc<Client>, cx: Context, sink: &'a mut Sink) -> Self {
        Self { client, cx, sink, lags: BTreeSet::new(), unknown: BTreeSet::new(), modules: BTreeSet::new(), macs: 0 }
    }

    /// Reads everything.
    ///
    /// # Errors
    /// Returns an error if a list cannot be read, or breaks the contract of the API.
    pub async fn run(mut self, version: (u64, u64)) -> Result<(), AdapterError> {
        let profiles: &[Wanted] = if version >= PROFILES { &[Wanted::Profiled, Wanted::ProfileEnds] } else { &[] };
        for stage in STAGES {
            let first = if stage.is_first { profiles } else { &[] };
            self.stage(stage.chains.iter().copied().chain([first])).await?;
        }
        self.count().await
    }

    /// Reads some chains of lists at the same time, page by page as they come.
    async fn stage(&mut self, chains: impl Iterator<Item = &[Wanted]>) -> Result<(), AdapterError> {
        let mut reading = FuturesUnordered::new();
        for chain in chains {
            let chain = Chain::begin(self.client, chain.to_vec().into(), Waiting::default());
            reading.extend(chain.map(Chain::read));
        }
        while let Some(read) = reading.next().await {
            let (mut chain, page) = read?;
            let Some(page) = page else {
                reading.extend(self.go_on(chain).await?.map(Chain::read));
                continue;
            };
            for object in page.objects() {
                self.take(&mut chain, object?).await?;
            }
            reading.push(chain.read());
        }
        Ok(())
    }

    /// Ends the list of a chain that was read, and begins the next one.
    async fn go_on(&mut self, mut chain: Chain) -> Result<Option<Chain>, AdapterError> {
        let of = match chain.wanted {
            Wanted::Items(of) => Some(of),
            Wanted::Interfaces => Some(types::INTERFACE),
            // What a LAG waits for is among the other interfaces.
            _ => None,
        };
        if let Some(of) = of {
            self.release(of, std::mem::take(&mut chain.waiting)).await?;
        }
        if self.cx.profiles.is_empty() {
            chain.rest.retain(|wanted| *wanted != Wanted::ProfileEnds);
        }
        Ok(Chain::begin(self.client, chain.rest, chain.waiting))
    }

    /// Takes an object of the list that a chain reads.
    async fn take(&mut self, chain: &mut Chain, object: Object) -> Result<(), AdapterError> {
        match chain.wanted {
            Wanted::Items(of) => self.object(of, object, &mut chain.waiting).await,
            Wanted::Lags => {
                if object.choice("type")? != Some("lag") {
                    let found = object.value("type").cloned().unwrap_or_default();
                    return Err(object.wrong("type", "lag, because NetBox was asked for type=lag", &found));
                }
                self.lags.insert(object.id()?);
                self.object(types::INTERFACE, object, &mut chain.waiting).await
            }
            Wanted::Interfaces if self.lags.contains(&object.id()?) => Ok(()),
            Wanted::Interfaces => self.object(types::INTERFACE, object, &mut chain.waiting).await,
            Wanted::DeviceTypes => self.device_type(&object),
            Wanted::Roles => {
                self.cx.roles.insert(object.id()?, Role::read(&object)?);
                Ok(())
            }
            Wanted::Addresses => self.address(&object),
            Wanted::Profiled => {
                // A NetBox that ignores the filter lists all cables, and those without a profile are passed over.
                if cables::has_lanes(&object)? {
                    self.cx.profiles.expect(object.id()?);
                }
                Ok(())
            }
            Wanted::ProfileEnds => self.cx.profiles.learn(&object),
        }
    }

    /// Emits an object, or lets it wait for another one of its list.
    async fn object(&mut self, of: Type, object: Object, waiting: &mut Waiting) -> Result<(), AdapterError> {
        self.sink.report().read(of.name, 1);
        let id = object.id()?;
        let needed = needed(of, &object)?;
        if needed.is_some_and(|needed| needed > id || waiting.0.contains_key(&needed)) {
            waiting.0.insert(id, object);
            return Ok(());
        }
        self.emit(of, &object).await
    }

    /// Emits the objects that waited. What an object still needs then is not in the list.
    async fn release(&mut self, of: Type, mut waiting: Waiting) -> Result<(), AdapterError> {
        while !waiting.0.is_empty() {
            let mut ready = Vec::new();
            for (id, object) in &waiting.0 {
                if needed(of, object)?.is_none_or(|needed| !waiting.0.contains_key(&needed)) {
                    ready.push(*id);
                }
            }
            if ready.is_empty() {
                // They need each other in a cycle, which the server refuses.
                ready = waiting.0.keys().copied().collect();
            }
            for id in ready {
                if let Some(object) = waiting.0.remove(&id) {
                    self.emit(of, &object).await?;
                }
            }
        }
        Ok(())
    }

    async fn emit(&mut self, of: Type, object: &Object) -> Result<(), AdapterError> {
        learn(&mut self.cx, of, object)?;
        let mut mapped = map(&self.cx, of, object)?.finish();
        if of.kind == PORT {
            self.modules.extend(object.reference("module")?);
            self.macs += u64::from(object.value("primary_mac_address").is_some());
        }
        let report = self.sink.report();
        leave_unread(report, of.name, object);
        for (place, count) in mapped.put_aside.into_iter().filter(|(_, count)| *count > 0) {
            report.put_aside(of.name, place, count);
        }
        for reason in &mapped.left_out {
            report.left_out(of.name, reason, 1);
        }
        let is_rest = mapped.bad.iter().any(|thing| thing.presence == Presence::Gone);
        match mapped.item {
            Some(_) => report.mapped(of.name, 1),
            None if is_rest => report.left_out(of.name, SKIPPED, 1),
            None => report.left_out(of.name, UNMAPPED, 1),
        }
        for (list, word) in std::mem::take(&mut mapped.unknown) {
            if self.unknown.insert((list, word.clone())) {
                let written = self.cx.words.get(list, Some(&word)).get();
                self.sink.bad(mapped.unknown_word(list, &word, written)).await?;
            }
        }
        for thing in mapped.bad {
            self.sink.bad(thing).await?;
        }
        match mapped.item {
            Some(item) => self.sink.put(item).await,
            None => Ok(()),
        }
    }

    fn device_type(&mut self, object: &Object) -> Result<(), AdapterError> {
        self.cx.device_types.insert(object.id()?, DeviceType::read(object)?);
        // Devices name these.
        DEVICE_TYPE_TEXTS.iter().for_each(|name| object.note_read(name));
        let report = self.sink.report();
        report.read(DEVICE_TYPE, 1);
        report.put_aside(DEVICE_TYPE, "manufacturer, model, height and depth: fields of devices", 1);
        leave_unread(report, DEVICE_TYPE, object);
        Ok(())
    }

    fn address(&mut self, object: &Object) -> Result<(), AdapterError> {
        let assigned = self.cx.addresses.learn(object)?;
        let report = self.sink.report();
        report.read(ADDRESS, 1);
        match assigned {
            Assigned::Interface => {
                report.put_aside(ADDRESS, "addresses of ports", 1);
                leave_unread(report, ADDRESS, object);
            }
            Assigned::Elsewhere => report.left_out(ADDRESS, "no interface has it", 1),
        }
        Ok(())
    }

    /// Counts the objects of types that have no kind: those that are known, and those of which a newer version has
    /// lists.
    async fn count(&mut self) -> Result<(), AdapterError> {
        let mut lists: Vec<(String, String, Fate)> =
            COUNTED.iter().map(|(name, path, fate)| ((*name).to_owned(), (*path).to_owned(), *fate)).collect();
        for app in APPS {
            for list in self.client.lists(app).await? {
                if !is_known(&list) {
                    lists.push((list.clone(), list, NO_KIND));
                }
            }
        }
        let mut counts = JoinSet::new();
        for (name, path, fate) in lists {
            let client = Arc::clone(self.client);
            counts.spawn(async move { (name, fate, client.count(&path).await) });
        }
        while let Some(counted) = counts.join_next().await {
            let (name, fate, count) = counted.map_err(|_| AdapterError::Stopped)?;
            let report = self.sink.report();
            match count {
                Ok(None | Some(0)) => {}
                Ok(Some(count)) => {
                    report.read(&name, count);
                    match fate {
                        Fate::PutAside(place) => report.put_aside(&name, place, count),
                        Fate::LeftOut(reason) => report.left_out(&name, reason, count),
                        Fate::Partly { place, reason } => {
                            let kept = if name == MODULE { self.modules.len() as u64 } else { self.macs }.min(count);
                            if kept > 0 {
                                report.put_aside(&name, place, kept);
                            }
                            if count > kept {
                                report.left_out(&name, reason, count - kept);
                            }
                        }
                    }
                }
                Err(AdapterError::Refused { .. }) => report.left_out(&name, NO_RIGHT, 0),
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Counts the members of an object that nothing was made of.
fn leave_unread(report: &mut Report, of: &str, object: &Object) {
    for name in object.unread() {
        report.left_out(of, &format!("its field {name}"), 1);
    }
}

/// Returns the object of the same list that an object refers to.
fn needed(of: Type, object: &Object) -> Result<Option<u64>, AdapterError> {
    match of {
        types::REGION | types::LOCATION | types::INTERFACE | types::VM_INTERFACE => object.reference("parent"),
        types::DEVICE => Ok(match within(object)? {
            Within::Bay(device) | Within::Chassis(device) => Some(device),
            Within::Nothing => None,
        }),
        _ => Ok(None),
    }
}

/// Learns what the mapping of other objects needs of an object.
///
/// # Errors
/// Returns an error if the object breaks the contract of the API.
pub fn learn(cx: &mut Context, of: Type, object: &Object) -> Result<(), AdapterError> {
    let id = object.id()?;
    match of {
        types::LOCATION => {
            cx.locations.insert(id, object.required_reference("site")?);
        }
        types::POWER_PANEL => {
            cx.panels.insert(id, object.required_reference("site")?);
        }
        types::RACK => {
            cx.racks.insert(id, object.required_reference("site")?);
            if let Some(units) = Units::read(object)? {
                cx.units.insert(id, units);
            }
        }
        types::DEVICE => device(cx, object)?,
        types::REAR_PORT | types::FRONT_PORT => {
            let positions = object.whole_number("positions")?.and_then(|it| u32::try_from(it).ok());
            cx.profiles.learn_port(of, id, positions.unwrap_or(1));
        }
        types::VIRTUAL_MACHINE if !has_home(object)? => {
            cx.homeless.insert(id);
        }
        _ => {}
    }
    Ok(())
}

/// Learns what a device is in, and its site if it is the master of a virtual chassis.
fn device(cx: &mut Context, object: &Object) -> Result<(), AdapterError> {
    let (id, site) = (object.id()?, object.required_reference("site")?);
    if is_master(object)? {
        cx.masters.insert(id, Master { site, is_chassis: role_word(cx, object)?.get() == Some("CHASSIS") });
    }
    match within(object)? {
        Within::Bay(parent) => {
            cx.parents.insert(id, parent);
        }
        Within::Chassis(master) if why_no_parent(cx, master, site, object).is_none() => {
            cx.parents.insert(id, master);
        }
        Within::Chassis(_) | Within::Nothing => {}
    }
    Ok(())
}
