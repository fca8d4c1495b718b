//! A scan: all lists in the order of references, object by object.
//!
//! Guarantee: an item comes after those that it refers to, as far as NetBox has them. A list is read in the order of
//! ids; an object that needs a later one of its own list waits for the end of the list. Such objects are few: a device
//! is usually younger than its chassis, and LAGs are read first.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tokio::task::JoinSet;
use underlay_kit::sync::{AdapterError, Sink};

use crate::client::{Client, Pages};
use crate::context::{Assigned, Context, DeviceType, Master, Role, Units};
use crate::map::devices::{Within, is_master, role_word, why_no_parent, within};
use crate::map::virtualization::has_home;
use crate::map::{cables, map};
use crate::object::Object;
use crate::types::{self, APPS, COUNTED, Fate, NO_KIND, Type, is_known};
use crate::words::List;

/// The first version of NetBox that has profiles of cables.
const PROFILES: (u64, u64) = (4, 5);
/// The type of addresses.
const ADDRESS: &str = "ipam.ipaddress";
/// The reason for which an object is not kept that cannot become an item.
const UNMAPPED: &str = "it cannot be mapped: see the errors of the run";
/// The reason for which a type is not counted.
const NO_RIGHT: &str = "the token has no right to view it";

/// A scan that goes on.
pub struct Scan<'a> {
    client: &'a Arc<Client>,
    cx: Context,
    sink: &'a mut Sink,
    /// The words that were reported.
    unknown: BTreeSet<(List, String)>,
}

/// The objects of a list that wait for later ones.
#[derive(Debug, Default)]
struct Waiting(BTreeMap<u64, Object>);

impl<'a> Scan<'a> {
    /// Begins a scan.
    pub const fn new(client: &'a Arc<Client>, cx: Context, sink: &'a mut Sink) -> Self {
        Self { client, cx, sink, unknown: BTreeSet::new() }
    }

    /// Reads everything.
    ///
    /// # Errors
    /// Returns an error if a list cannot be read, or breaks the contract of the API.
    pub async fn run(mut self, version: (u64, u64)) -> Result<(), AdapterError> {
        self.device_types().await?;
        for of in [types::REGION, types::SITE, types::LOCATION, types::RACK] {
            self.list(of).await?;
        }
        for of in [types::PROVIDER, types::PROVIDER_NETWORK, types::POWER_PANEL, types::POWER_FEED, types::CLUSTER] {
            self.list(of).await?;
        }
        if version >= PROFILES {
            self.profiles().await?;
        }
        self.list(types::DEVICE).await?;
        for of in [types::REAR_PORT, types::FRONT_PORT, types::POWER_PORT, types::POWER_OUTLET] {
            self.list(of).await?;
        }
        for of in [types::CONSOLE_PORT, types::CONSOLE_SERVER_PORT] {
            self.list(of).await?;
        }
        self.addresses().await?;
        self.interfaces().await?;
        for of in [types::CIRCUIT, types::CIRCUIT_TERMINATION, types::CABLE] {
            self.list(of).await?;
        }
        for of in [types::VIRTUAL_MACHINE, types::VM_INTERFACE] {
            self.list(of).await?;
        }
        self.count().await
    }

    /// Reads a list, and emits its objects.
    async fn list(&mut self, of: Type) -> Result<(), AdapterError> {
        let mut waiting = Waiting::default();
        let mut pages = Pages::after(self.client, of.path, &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                self.object(of, object?, &mut waiting).await?;
            }
        }
        self.release(of, waiting).await
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
        let report = self.sink.report();
        for (place, count) in mapped.put_aside.into_iter().filter(|(_, count)| *count > 0) {
            report.put_aside(of.name, place, count);
        }
        for reason in &mapped.left_out {
            report.left_out(of.name, reason, 1);
        }
        match mapped.item {
            Some(_) => report.mapped(of.name, 1),
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

    /// Reads the LAGs, then all other interfaces, so that a LAG comes before its members.
    async fn interfaces(&mut self) -> Result<(), AdapterError> {
        let (of, mut lags) = (types::INTERFACE, BTreeSet::new());
        let mut waiting = Waiting::default();
        let mut pages = Pages::after(self.client, of.path, &[("type", "lag")], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let object = object?;
                if object.choice("type")? != Some("lag") {
                    let found = object.value("type").cloned().unwrap_or_default();
                    return Err(object.wrong("type", "lag, because NetBox was asked for type=lag", &found));
                }
                lags.insert(object.id()?);
                self.object(of, object, &mut waiting).await?;
            }
        }
        let mut pages = Pages::after(self.client, of.path, &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let object = object?;
                if !lags.contains(&object.id()?) {
                    self.object(of, object, &mut waiting).await?;
                }
            }
        }
        self.release(of, waiting).await
    }

    async fn device_types(&mut self) -> Result<(), AdapterError> {
        let mut pages = Pages::after(self.client, "dcim/device-types", &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let object = object?;
                self.cx.device_types.insert(object.id()?, DeviceType::read(&object)?);
            }
        }
        let mut pages = Pages::after(self.client, "dcim/device-roles", &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let object = object?;
                self.cx.roles.insert(object.id()?, Role::read(&object)?);
            }
        }
        Ok(())
    }

    async fn addresses(&mut self) -> Result<(), AdapterError> {
        let mut pages = Pages::after(self.client, "ipam/ip-addresses", &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let assigned = self.cx.addresses.learn(&object?)?;
                let report = self.sink.report();
                report.read(ADDRESS, 1);
                match assigned {
                    Assigned::Interface => report.put_aside(ADDRESS, "addresses of ports", 1),
                    Assigned::Elsewhere => report.left_out(ADDRESS, "no interface has it", 1),
                }
            }
        }
        Ok(())
    }

    /// Reads the cables that have a profile, and what ends at them. A port must have as many positions as its cable.
    async fn profiles(&mut self) -> Result<(), AdapterError> {
        // A NetBox that ignores the filter lists all cables, and those without a profile are passed over.
        let mut pages = Pages::after(self.client, types::CABLE.path, &[("profile__empty", "false")], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                let object = object?;
                if cables::has_lanes(&object)? {
                    self.cx.profiles.expect(object.id()?);
                }
            }
        }
        if self.cx.profiles.is_empty() {
            return Ok(());
        }
        let mut pages = Pages::after(self.client, "dcim/cable-terminations", &[], 0);
        while let Some(page) = pages.next().await? {
            for object in page.objects() {
                self.cx.profiles.learn(&object?)?;
            }
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
                    }
                }
                Err(AdapterError::Refused { .. }) => report.left_out(&name, NO_RIGHT, 0),
                Err(error) => return Err(error),
            }
        }
        Ok(())
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
