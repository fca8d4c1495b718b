//! The tokens of agents in the API.

use std::sync::Arc;

use async_graphql::{Context, ID, Object, Result, SimpleObject};
use chrono::{DateTime, Utc};
use underlay_engine::access::WriteKind;
use underlay_engine::facts::{AgentToken, Facts};
use underlay_inventory::{Kind, Refusal, Snapshot};
use uuid::Uuid;

use super::facts_of;
use crate::control::unanswered;
use crate::errors::{forbidden, internal, refused};
use crate::host::Host;
use crate::object_arguments::find_object;
use crate::request::Request;

/// The name of the argument with the host.
const HOST: &str = "host";

/// The token with which the agent of a host reports, without its secret. A host has at most one that is accepted.
#[derive(Clone, Debug, SimpleObject)]
pub struct HostAgentToken {
    /// The time when it was issued.
    issued_at: DateTime<Utc>,
    /// The caller that got it.
    issued_to: String,
    /// The time when it was revoked. Null: it is accepted.
    revoked_at: Option<DateTime<Utc>>,
}

impl From<AgentToken> for HostAgentToken {
    fn from(token: AgentToken) -> Self {
        let AgentToken { host: _, issued_at, issued_to, revoked_at } = token;
        Self { issued_at, issued_to, revoked_at }
    }
}

/// A new token for the agent of a host.
#[derive(SimpleObject)]
pub struct IssueAgentTokenPayload {
    /// The token. It is shown only here.
    token: String,
    /// The host that it is for.
    host: Host,
}

/// The answer to a call that revokes the token of an agent.
#[derive(SimpleObject)]
pub struct RevokeAgentTokenPayload {
    /// True if the host had a token.
    revoked: bool,
    /// The host.
    host: Host,
}

/// The root fields about the tokens of agents.
#[derive(Debug, Default)]
pub struct AgentMutation;

/// The root fields about the tokens of agents.
#[Object]
impl AgentMutation {
    /// Issues a token with which the agent on a host reports its hardware, and which can do nothing else. The token that
    /// the host had is not accepted any more. It is sent over HTTPS, to clients on the same machine, and over proxies
    /// that the configuration trusts. It makes no revision.
    async fn issue_agent_token(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The host: its id, or a path such as `host/gpu-7`.")] host: ID,
    ) -> Result<Option<IssueAgentTokenPayload>> {
        let request = Request::of(context);
        request.permits(WriteKind::IssueAgentTokens).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let (facts, id) = (facts_here(&snapshot)?, host_id(&snapshot, HOST, &host)?);
        let issued = facts.issue_token(id, request.caller().actor()).await.map_err(|error| unanswered(&error))?;
        tracing::info!(host = %id, to = issued.token.issued_to, "a token for an agent was issued");
        Ok(Some(IssueAgentTokenPayload { token: issued.text, host: held(&snapshot, id)? }))
    }

    /// Revokes the token of the agent on a host. It is not accepted any more a second later, by any server. Its facts
    /// stay.
    async fn revoke_agent_token(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The host: its id, or a path such as `host/gpu-7`.")] host: ID,
    ) -> Result<Option<RevokeAgentTokenPayload>> {
        let request = Request::of(context);
        request.permits(WriteKind::RevokeAgentTokens).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let (facts, id) = (facts_here(&snapshot)?, host_id(&snapshot, HOST, &host)?);
        let revoked = facts.revoke_token(id).await.map_err(|error| unanswered(&error))?;
        Ok(Some(RevokeAgentTokenPayload { revoked: revoked.is_some(), host: held(&snapshot, id)? }))
    }
}

/// Returns the token of a host, for callers who see everything.
pub fn token_of(context: &Context<'_>, host: Uuid) -> Option<HostAgentToken> {
    let request = Request::of(context);
    request.view.log()?;
    facts_of(&request.snapshot())?.token_of(host).map(HostAgentToken::from)
}

/// Returns the place of facts of this process.
pub(super) fn facts_here(snapshot: &Snapshot) -> Result<&Facts> {
    facts_of(snapshot).ok_or_else(|| internal("the server has no place for facts"))
}

/// Returns the id of the host that an argument names.
///
/// # Errors
/// Returns an error if there is no such host.
pub(super) fn host_id(snapshot: &Arc<Snapshot>, argument: &str, host: &ID) -> Result<Uuid> {
    let object = find_object(snapshot, argument, host)?;
    let held = snapshot.hold::<Host>(object);
    let found = held.map(|held| held.row.id);
    found.ok_or_else(|| not_found(argument, host))
}

fn held(snapshot: &Arc<Snapshot>, id: Uuid) -> Result<Host> {
    let found = snapshot.find(id).and_then(|object| snapshot.hold(object)).map(Host);
    found.ok_or_else(|| internal("the host is in no snapshot"))
}

fn not_found(argument: &str, host: &ID) -> async_graphql::Error {
    let what = format!("host {}", **host);
    refused(&Refusal::NotFound { field: argument.to_owned(), what }, Some(Host::describe().name), None)
}
