//! A look at one object: it is read again, with what its mapping needs of others.

use std::sync::Arc;

use underlay_kit::sync::{AdapterError, ExternalId, Items, Presence};

use crate::client::{Client, Pages};
use crate::context::{Context, DeviceType, Role, Units};
use crate::map::cables::{self, joined};
use crate::map::devices::{Within, within};
use crate::map::map;
use crate::object::Object;
use crate::scan::learn;
use crate::types::{self, Type, parse};

/// The maximum number of roles above a role, and of devices that a device is in.
const MAX_LEVELS: usize = 32;

/// A look that goes on.
pub struct Look<'a> {
    client: &'a Arc<Client>,
    cx: Context,
}

impl<'a> Look<'a> {
    /// Begins a look.
    pub const fn new(client: &'a Arc<Client>, cx: Context) -> Self {
        Self { client, cx }
    }

    /// Reads an object again. Returns no items if the object is there and cannot be mapped, which the next scan
    /// reports; `None` if NetBox does not have it, or has only a rest of it.
    ///
    /// # Errors
    /// Returns an error if NetBox does not answer, or breaks the contract of the API.
    pub async fn at(mut self, id: &ExternalId) -> Result<Option<Items>, AdapterError> {
        let Some((of, number)) = parse(id) else { return Ok(Some(Items::new())) };
        let Some(object) = self.client.object(of.path, number).await? else { return Ok(None) };
        let mut items = Items::new();
        if of == types::CABLE {
            self.ends(&object, &mut items).await?;
        }
        self.prepare(of, &object).await?;
        learn(&mut self.cx, of, &object)?;
        let mapped = map(&self.cx, of, &object)?.finish();
        if mapped.item.is_none() && mapped.bad.iter().any(|thing| thing.presence == Presence::Gone) {
            return Ok(None);
        }
        items.extend(mapped.item);
        Ok(Some(items))
    }

    /// Reads what the mapping of an object needs.
    async fn prepare(&mut self, of: Type, object: &Object) -> Result<(), AdapterError> {
        match of {
            types::DEVICE => self.device(object).await?,
            types::POWER_FEED => {
                self.learn(types::POWER_PANEL, object.reference("power_panel")?).await?;
                self.learn(types::RACK, object.reference("rack")?).await?;
            }
            types::CIRCUIT_TERMINATION => {
                let location = object.whole_number("termination_id")?.and_then(|id| u64::try_from(id).ok());
                let is_location = object.text("termination_type")? == Some(types::LOCATION.name);
                self.learn(types::LOCATION, location.filter(|_| is_location)).await?;
            }
            types::VM_INTERFACE => {
                self.learn(types::VIRTUAL_MACHINE, object.reference("virtual_machine")?).await?;
                self.addresses("vminterface_id", object).await?;
            }
            of if of.kind == "port" => self.port(of, object).await?,
            _ => {}
        }
        Ok(())
    }

    /// Reads and learns an object.
    async fn learn(&mut self, of: Type, id: Option<u64>) -> Result<(), AdapterError> {
        let Some(id) = id else { return Ok(()) };
        let Some(object) = self.client.object(of.path, id).await? else { return Ok(()) };
        learn(&mut self.cx, of, &object)
    }

    async fn device(&mut self, object: &Object) -> Result<(), AdapterError> {
        if let Some(id) = object.reference("device_type")?
            && let Some(kind) = self.client.object("dcim/device-types", id).await?
        {
            self.cx.device_types.insert(id, DeviceType::read(&kind)?);
        }
        self.roles(object).await?;
        if object.value("position").is_some()
            && let Some(id) = object.reference("rack")?
            && let Some(rack) = self.client.object(types::RACK.path, id).await?
            && let Some(units) = Units::read(&rack)?
        {
            self.cx.units.insert(id, units);
        }
        match within(object)? {
            Within::Chassis(master) => {
                let Some(master) = self.client.object(types::DEVICE.path, master).await? else { return Ok(()) };
                self.roles(&master).await?;
                learn(&mut self.cx, types::DEVICE, &master)
            }
            Within::Bay(_) | Within::Nothing => Ok(()),
        }
    }

    /// Reads the role of a device, and those above it.
    async fn roles(&mut self, object: &Object) -> Result<(), AdapterError> {
        let mut next = object.part("role")?.map(|role| role.id()).transpose()?;
        for _ in 0..MAX_LEVELS {
            let Some(id) = next.take() else { break };
            let Some(role) = self.client.object("dcim/device-roles", id).await? else { break };
            self.cx.roles.insert(id, Role::read(&role)?);
            next = role.reference("parent")?;
        }
        Ok(())
    }

    async fn port(&mut self, of: Type, object: &Object) -> Result<(), AdapterError> {
        if let Some(cable) = object.reference("cable")?
            && let Some(cable) = self.client.object(types::CABLE.path, cable).await?
        {
            self.profile(&cable).await?;
        }
        if of != types::INTERFACE {
            return Ok(());
        }
        self.addresses("interface_id", object).await?;
        let own = object.required_reference("device")?;
        let lag = object.part("lag")?.map(|lag| lag.part("device")).transpose()?.flatten();
        let lag = lag.map(|device| device.id()).transpose()?;
        if let Some(other) = lag.filter(|other| *other != own) {
            self.stack(own).await?;
            self.stack(other).await?;
        }
        Ok(())
    }

    /// Learns what a device is in, up to the top.
    async fn stack(&mut self, device: u64) -> Result<(), AdapterError> {
        let (mut next, mut devices) = (Some(device), Vec::new());
        for _ in 0..MAX_LEVELS {
            let Some(id) = next.take() else { break };
            let Some(object) = self.client.object(types::DEVICE.path, id).await? else { break };
            next = match within(&object)? {
                Within::Bay(parent) | Within::Chassis(parent) => Some(parent),
                Within::Nothing => None,
            };
            devices.push(object);
        }
        // A master is read before its members.
        devices.iter().rev().try_for_each(|object| learn(&mut self.cx, types::DEVICE, object))
    }

    async fn addresses(&mut self, filter: &str, object: &Object) -> Result<(), AdapterError> {
        let id = object.id()?;
        let mut pages = Pages::after(self.client, "ipam/ip-addresses", &[(filter, &id.to_string())], 0);
        while let Some(page) = pages.next().await? {
            for address in page.objects() {
                let address = address?;
                if address.value("assigned_object_id").and_then(serde_json::Value::as_u64) != Some(id) {
                    let found = address.value("assigned_object_id").cloned().unwrap_or_default();
                    let expected = format!("{id}, because NetBox was asked for {filter}={id}");
                    return Err(address.wrong("assigned_object_id", &expected, &found));
                }
                self.cx.addresses.learn(&address)?;
            }
        }
        Ok(())
    }

    /// Learns what ends at a cable with a profile.
    async fn profile(&mut self, cable: &Object) -> Result<(), AdapterError> {
        let id = cable.id()?;
        if !cables::has_lanes(cable)? || self.cx.profiles.knows(id) {
            return Ok(());
        }
        self.cx.profiles.expect(id);
        let text = id.to_string();
        let mut pages = Pages::after(self.client, "dcim/cable-terminations", &[("cable", &text)], 0);
        while let Some(page) = pages.next().await? {
            for end in page.objects() {
                self.cx.profiles.learn(&end?)?;
            }
        }
        Ok(())
    }

    /// Adds the ports at a cable with a profile, because the cable decides how many positions they have.
    async fn ends(&mut self, cable: &Object, items: &mut Items) -> Result<(), AdapterError> {
        self.profile(cable).await?;
        if !cables::has_lanes(cable)? {
            return Ok(());
        }
        for (of, id) in joined(cable)? {
            let Some(object) = self.client.object(of.path, id).await? else { continue };
            learn(&mut self.cx, of, &object)?;
            if of == types::INTERFACE {
                self.port(of, &object).await?;
            }
            items.extend(map(&self.cx, of, &object)?.finish().item);
        }
        Ok(())
    }
}
