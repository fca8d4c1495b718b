//! The mutation for a machine that was exchanged: another one is in its place.
//!
//! Guarantees: the device and its host change in one batch, or nothing does. The token of the agent on the old machine is
//! revoked before the batch is written, so no failure leaves it accepted on a host that is another machine: at worst, a
//! host whose machine was not exchanged needs a new one. A request that is refused revokes nothing, and neither does one
//! that is repeated.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use serde_json::{Value as Json, json};
use underlay_entity::device::Model as DeviceRow;
use uuid::Uuid;

use super::{accepted, as_sent, decided};
use crate::control::unanswered;
use crate::device::{Device, UUID_ATTRIBUTE};
use crate::errors::{forbidden, refused};
use crate::facts::facts_of;
use crate::host::{Host, ROLE};
use crate::hosts::{Act, Order, machine_settings};
use crate::object_arguments::find_object;
use crate::request::Request;
use crate::scalars::Revision;
use crate::write_handle::WriteHandle;
use underlay_engine::access::WriteKind;
use underlay_engine::store::REPEATABLE_HOURS;
use underlay_engine::write::{Batch, Decision, Fields, Intent, Item, WriteAnswer};
use underlay_inventory::{Held, Kind, Refusal, Snapshot, shorten_text};

/// The name of the mutation.
const NAME: &str = "replaceDevice";
/// The longest serial number of a machine, in characters: that of a host.
const MAX_SERIAL_CHARACTERS: usize = 253;

/// A device in whose place another machine is.
#[derive(Clone, Debug, InputObject, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplaceDeviceInput {
    /// The device: its id, or a path such as `device/gent-1/gpu-7`.
    pub device: ID,
    /// The serial number of the machine that is there now: 1 to 253 characters, another one than that of the old machine.
    pub serial: String,
    /// True replaces the machine of a host that belongs to somebody. If the host is INSTALLED, it is ACQUIRED afterwards,
    /// because nobody knows what is on the new machine. Defaults to false.
    #[graphql(default)]
    pub force: bool,
    /// True writes nothing, and shows the device and its host as they would be. Defaults to false.
    #[graphql(default)]
    pub dry_run: bool,
}

/// The result of the exchange of a machine.
#[derive(Clone, Debug, SimpleObject)]
pub struct ReplaceDevicePayload {
    /// The device after the exchange.
    pub device: Device,
    /// The host that the device is. Null if it is none.
    pub host: Option<Host>,
    /// True if the host had a token of an agent. It is not accepted any more; after a dry run it still is.
    pub had_agent: bool,
    /// The revision that the exchange created. Null for a dry run.
    pub revision: Option<Revision>,
}

/// The root field for exchanged machines.
#[derive(Debug, Default)]
pub struct ReplaceMutation;

/// The root field for exchanged machines.
#[Object]
impl ReplaceMutation {
    /// Notes that a machine was exchanged: the device gets the serial number of the new one and loses the attribute `uuid`;
    /// its host loses `uid`, `bootMac`, `hardware` and what the machine said of itself, gets the serial number, and the
    /// token of its agent is revoked. Place, cables, addresses and names stay. A host with an order at work is refused.
    /// The machines are not touched.
    async fn replace_device(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The device, and the machine that is there now.")] input: ReplaceDeviceInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<ReplaceDevicePayload>> {
        Box::pin(replace(context, input, request_id)).await.map(Some)
    }
}

async fn replace(
    context: &Context<'_>,
    input: ReplaceDeviceInput,
    request_id: Option<String>,
) -> Result<ReplaceDevicePayload> {
    let request = Request::of(context);
    let handle = request.handle(WriteKind::Order).map_err(|it| forbidden(&it))?;
    request.permits(WriteKind::RevokeAgentTokens).map_err(|it| forbidden(&it))?;
    let snapshot = request.snapshot();
    let exchange = Exchange::read(&snapshot, &input)?;
    let (device, host) = (exchange.device, exchange.host);
    let had_agent = host.is_some_and(|host| had_token(&snapshot, host));

    let batch = decided(&handle, Arc::new(exchange), request_id);
    let writing = async {
        match input.dry_run {
            true => accepted(handle.dry_run(batch).await).map_err(|it| device_refused(&it)),
            false => exchanged(request, &handle, host, batch).await,
        }
    };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    let gone = || Refusal::NotFound { field: "device".to_owned(), what: format!("Device {device}") };
    Ok(ReplaceDevicePayload {
        device: held(&answer.snapshot, device).map(Device).ok_or_else(|| device_refused(&gone()))?,
        host: host.and_then(|host| held(&answer.snapshot, host)).map(Host),
        had_agent,
        revision: answer.revision.map(Revision),
    })
}

/// Revokes the token of the agent and writes the batch, if the batch would be accepted.
async fn exchanged(request: &Request, handle: &WriteHandle, host: Option<Uuid>, batch: Batch) -> Result<WriteAnswer> {
    let mut is_revoked = false;
    if let Some(host) = host
        && !is_repeat(request, &batch).await?
    {
        accepted(handle.dry_run(batch.clone()).await).map_err(|it| device_refused(&it))?;
        is_revoked = revoke(&request.snapshot(), host).await?;
    }
    accepted(handle.write(batch).await).map_err(|refusal| match is_revoked {
        false => device_refused(&refusal),
        true => device_refused(&Refusal::Recorded {
            code: refusal.code(),
            field: refusal.field().map(str::to_owned),
            message: format!("{refusal}; the token of the agent is revoked nevertheless"),
        }),
    })
}

/// Returns true if the request was answered before: what happened since stays as it is.
async fn is_repeat(request: &Request, batch: &Batch) -> Result<bool> {
    let Some(request_id) = batch.request_id.as_deref() else { return Ok(false) };
    let store = request.sources().store();
    let since = store.clock().now() - TimeDelta::hours(i64::from(REPEATABLE_HOURS));
    let found = store.find_request(request_id, &batch.author.actor, since).await;
    found.map(|found| found.is_some()).map_err(|error| unanswered(&error))
}

/// Revokes the token of the agent of a host. Returns true if it had one.
async fn revoke(snapshot: &Snapshot, host: Uuid) -> Result<bool> {
    let Some(facts) = facts_of(snapshot) else { return Ok(false) };
    let revoked = facts.revoke_token(host).await.map_err(|error| unanswered(&error))?;
    if revoked.is_some() {
        tracing::info!(%host, "the token of an agent was revoked, because its machine was exchanged");
    }
    Ok(revoked.is_some())
}

fn had_token(snapshot: &Snapshot, host: Uuid) -> bool {
    facts_of(snapshot).is_some_and(|facts| facts.token_of(host).is_some())
}

fn held<K: Kind>(snapshot: &Arc<Snapshot>, id: Uuid) -> Option<Held<K>> {
    snapshot.find(id).and_then(|object| snapshot.hold(object))
}

/// The exchange of a machine, which is judged when its batch is planned.
#[derive(Clone, Debug)]
struct Exchange {
    device: Uuid,
    /// The host whose token is revoked with the exchange.
    host: Option<Uuid>,
    serial: String,
    act: Act,
    request: Json,
}

impl Exchange {
    /// Reads the request of a client.
    ///
    /// # Errors
    /// Returns an error if there is no such device, or if the serial number cannot be one.
    fn read(snapshot: &Snapshot, input: &ReplaceDeviceInput) -> Result<Self> {
        let object = find_object(snapshot, "device", &input.device)?;
        let device = snapshot.row(object).filter(|_| object.kind == Device::ID).map(|row| row.common().id);
        let missing = || Refusal::NotFound { field: "device".to_owned(), what: format!("device {}", *input.device) };
        let device = device.ok_or_else(|| device_refused(&missing()))?;
        let serial = read_serial(snapshot, &input.serial).map_err(|it| device_refused(&it))?;
        let act = Act::ReplaceMachine { serial: serial.clone(), force: input.force.into() };
        Ok(Self { device, host: host_of(snapshot, device), serial, act, request: as_sent(NAME, input) })
    }

    fn device_item(&self, device: &DeviceRow) -> Result<Item, Refusal> {
        let has = |old: &str| old.trim().to_lowercase() == self.serial.to_lowercase();
        if device.serial.as_deref().is_some_and(has) {
            let reason = format!("is the serial number that {} has already", device.name);
            return Err(Refusal::Invalid { field: "serial".to_owned(), reason });
        }
        let mut fields = Fields::default();
        fields.set("id", device.id.to_string().into());
        fields.set("serial", self.serial.clone().into());
        if device.attributes.0.contains_key(UUID_ATTRIBUTE) {
            fields.set("attributes", json!({ UUID_ATTRIBUTE: null }));
        }
        Ok(Item::Write { kind: Device::describe(), intent: Intent::Update, fields, if_version: None })
    }
}

impl Decision for Exchange {
    fn request(&self) -> &Json {
        &self.request
    }

    fn size(&self) -> usize {
        2
    }

    fn items(&self, base: &Snapshot, now: DateTime<Utc>) -> Result<Vec<Item>, Refusal> {
        let missing = || Refusal::NotFound { field: "device".to_owned(), what: format!("Device {}", self.device) };
        let device = base.get::<Device>(self.device).ok_or_else(missing)?;
        if host_of(base, self.device) != self.host {
            return Err(Refusal::Unavailable("the device became another host meanwhile: try again".to_owned()));
        }
        let mut items = vec![self.device_item(device)?];
        if let Some(host) = self.host {
            let order = Order::new(ROLE, vec![host], self.act.clone(), Json::Null)?;
            items.extend(order.items(base, now).map_err(of_device)?);
        }
        Ok(items)
    }
}

/// Reads the serial number of a machine.
fn read_serial(snapshot: &Snapshot, text: &str) -> Result<String, Refusal> {
    let serial = text.trim();
    let invalid = |reason: String| Err(Refusal::Invalid { field: "serial".to_owned(), reason });
    let characters = serial.chars().count();
    if characters == 0 || characters > MAX_SERIAL_CHARACTERS || serial.chars().any(char::is_control) {
        return invalid(format!("must be 1 to {MAX_SERIAL_CHARACTERS} characters, without control characters"));
    }
    if machine_settings(snapshot).ignored_identities.has(serial) {
        return invalid(format!("must name one machine, and many have {:?}", shorten_text(serial)));
    }
    Ok(serial.to_owned())
}

/// Returns the host that a device is.
fn host_of(snapshot: &Snapshot, device: Uuid) -> Option<Uuid> {
    let host = snapshot.incoming(snapshot.find(device)?).first_by(Host::MACHINE)?;
    snapshot.row(host).map(|row| row.common().id)
}

/// Returns the refusal of a host, by the argument that led to it.
fn of_device(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Recorded { code, field: Some(_), message } => {
            Refusal::Recorded { code, field: Some("device".to_owned()), message }
        }
        other => other,
    }
}

fn device_refused(refusal: &Refusal) -> async_graphql::Error {
    refused(refusal, Some(Device::describe().name), None)
}
