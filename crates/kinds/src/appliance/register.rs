//! The mutation that registers an appliance together with the credential with which it is opened.

use async_graphql::{Context, InputObject, Object, Result, SimpleObject};
use serde_json::{Map, Value as Json, json};
use underlay_address::{Address, AllowedHost};
use uuid::Uuid;

use super::kind::Appliance;
use super::kind::ApplianceInput;
use crate::credential::{Credential, CredentialInput};
use crate::errors::{forbidden, refused};
use crate::grammar::to_fields;
use crate::request::Request;
use crate::scalars::Revision;
use underlay_engine::access::WriteKind;
use underlay_engine::write::{Batch, Conflicts, Intent, Item, Mode, Origin};
use underlay_inventory::{Description, Kind, Refusal};

/// The type of a credential that says none.
const USUAL_TYPE: &str = "BASIC";
/// The bytes that a registration counts towards the limit of the queue.
const REGISTRATION_BYTES: usize = 4_096;

/// An appliance to be registered.
#[derive(Clone, Debug, InputObject)]
pub struct RegisterApplianceInput {
    /// The appliance, which must be new.
    pub appliance: ApplianceInput,
    /// A new credential with which the appliance is opened. Its name defaults to that of the appliance, its type to BASIC,
    /// and its hosts to that of the appliance's address. Its secrets are set by `setSecrets`.
    pub credential: Option<CredentialInput>,
}

/// The result of a registration.
#[derive(Clone, Debug, SimpleObject)]
pub struct RegisterAppliancePayload {
    /// The appliance that was registered.
    pub appliance: Appliance,
    /// The credential that was created with it. Null if none was given.
    pub credential: Option<Credential>,
    /// The revision that the registration created.
    pub revision: Option<Revision>,
}

/// The root field that registers appliances.
#[derive(Debug, Default)]
pub struct RegisterMutation;

/// The root field that registers appliances.
#[Object]
impl RegisterMutation {
    /// Creates an appliance and the credential with which it is opened: both, or none.
    async fn register_appliance(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The appliance, and its credential.")] input: RegisterApplianceInput,
        #[graphql(
            desc = "A unique name for the request. A repeat within a day writes nothing and gets the answer of the first request."
        )]
        request_id: Option<String>,
    ) -> Result<Option<RegisterAppliancePayload>> {
        Box::pin(register(context, &input, request_id)).await.map(Some)
    }
}

async fn register(
    context: &Context<'_>,
    input: &RegisterApplianceInput,
    request_id: Option<String>,
) -> Result<RegisterAppliancePayload> {
    let request = Request::of(context);
    let handle = request.handle(WriteKind::Single).map_err(|it| forbidden(&it))?;
    let batch = Batch {
        id: Uuid::new_v4(),
        items: items(input).map_err(|refusal| refused(&refusal, None, None))?,
        mode: Mode::Atomic,
        conflicts: Conflicts::Fail,
        author: handle.author(),
        origin: Origin::Client,
        request_id,
        bytes: REGISTRATION_BYTES,
    };
    let writing = async { handle.write(batch).await.map_err(|refusal| refused(&refusal, None, None)) };
    let answer = request.once(context, writing).await?;
    request.wrote(&answer);
    if let Some((refusal, kind)) =
        answer.outcomes.iter().find_map(|outcome| Some((outcome.error.as_ref()?, outcome.kind)))
    {
        let member = if kind == Some(Appliance::describe().name) { "appliance" } else { "credential" };
        return Err(refused(&refusal.clone().within(member), kind, None));
    }
    let written = |kind: &Description| {
        let outcome = answer.outcomes.iter().find(|outcome| outcome.kind == Some(kind.name))?;
        answer.snapshot.find(outcome.id?)
    };
    let appliance = written(Appliance::describe()).and_then(|object| answer.snapshot.hold(object)).map(Appliance);
    let gone = || Refusal::NotFound { field: "appliance".to_owned(), what: "the appliance".to_owned() };
    let appliance = appliance.ok_or_else(|| refused(&gone(), None, None))?;
    let credential = written(Credential::describe()).and_then(|object| answer.snapshot.hold(object)).map(Credential);
    Ok(RegisterAppliancePayload { appliance, credential, revision: answer.revision.map(Revision) })
}

fn items(input: &RegisterApplianceInput) -> Result<Vec<Item>, Refusal> {
    let mut appliance = to_fields(&input.appliance);
    let Some(credential) = &input.credential else { return Ok(vec![create(Appliance::describe(), appliance)?]) };
    if appliance.get("credential").is_some_and(|credential| !credential.is_null()) {
        let reason = "must be absent if a new credential is given".to_owned();
        return Err(Refusal::Invalid { field: "appliance.credential".to_owned(), reason });
    }
    let credential = completed(to_fields(credential), &appliance);
    appliance.insert("credential".to_owned(), json!({ "credential": credential.get("name") }));
    Ok(vec![create(Credential::describe(), credential)?, create(Appliance::describe(), appliance)?])
}

fn create(kind: &'static Description, fields: Map<String, Json>) -> Result<Item, Refusal> {
    Item::write(kind, Intent::Create, fields.into())
}

/// Returns the fields of a credential with those that follow from its appliance.
fn completed(mut credential: Map<String, Json>, appliance: &Map<String, Json>) -> Map<String, Json> {
    let is_absent = |credential: &Map<String, Json>, field: &str| credential.get(field).is_none_or(Json::is_null);
    if is_absent(&credential, "name") {
        credential.insert("name".to_owned(), appliance.get("name").cloned().unwrap_or_default());
    }
    if is_absent(&credential, "type") {
        credential.insert("type".to_owned(), USUAL_TYPE.into());
    }
    let host = appliance.get("url").and_then(Json::as_str).and_then(|url| Address::parse(url).ok());
    if let Some(address) = host.filter(|address| address.scheme.connects())
        && is_absent(&credential, "allowedHosts")
    {
        credential.insert("allowedHosts".to_owned(), json!([AllowedHost::of(&address)]));
    }
    credential
}
