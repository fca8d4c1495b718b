//! The tokens of enrolments in the API.

use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, Object, Result, SimpleObject};
use chrono::{DateTime, TimeDelta, Utc};
use underlay_engine::access::WriteKind;
use underlay_engine::facts::EnrolmentToken as Token;
use underlay_engine::store::{EnrolmentTerms, Strangers};
use underlay_inventory::{Kind, Snapshot, parse_id};
use underlay_read::ReadError;
use uuid::Uuid;

use super::super::agent::facts_here;
use crate::control::unanswered;
use crate::errors::{forbidden, refused, unreadable};
use crate::host_class::HostClass;
use crate::object_arguments::find_object;
use crate::request::Request;
use crate::site::Site;

/// The greatest number of machines that a token is for.
const MAX_MACHINES: i32 = 100_000;
/// The longest time for which a token is accepted.
const MAX_TIME: TimeDelta = TimeDelta::days(366);

/// A token with which machines enrol their agents, without its secret.
#[derive(Clone, Debug)]
pub struct EnrolmentToken(Token);

/// A token with which machines enrol their agents, without its secret. A month after its end it is forgotten.
#[Object]
impl EnrolmentToken {
    /// The id of the token.
    async fn id(&self) -> ID {
        self.0.id.into()
    }

    /// The site whose hosts it is for. Null: hosts of any site, or the site was deleted.
    async fn site(&self, context: &Context<'_>) -> Option<Site> {
        let snapshot = Request::of(context).snapshot();
        snapshot.hold(snapshot.find(self.0.terms.place?)?).map(Site)
    }

    /// The class whose hosts it is for, and that new hosts get. Null: hosts of any class, or the class was deleted.
    async fn class(&self, context: &Context<'_>) -> Option<HostClass> {
        let snapshot = Request::of(context).snapshot();
        snapshot.hold(snapshot.find(self.0.terms.class?)?).map(HostClass)
    }

    /// True if a machine that is no known host is registered.
    async fn registers(&self) -> bool {
        self.0.terms.strangers == Strangers::Registered
    }

    /// The number of machines that it is for.
    async fn count(&self) -> i32 {
        self.0.terms.most
    }

    /// The number of machines that have used it.
    async fn used(&self) -> i32 {
        self.0.used
    }

    /// The time from which on it is not accepted any more.
    async fn ends_at(&self) -> DateTime<Utc> {
        self.0.terms.ends_at
    }

    /// The time when it was issued.
    async fn issued_at(&self) -> DateTime<Utc> {
        self.0.issued_at
    }

    /// The caller that got it.
    async fn issued_to(&self) -> &str {
        &self.0.issued_to
    }

    /// The time when it was revoked. Null: it was not.
    async fn revoked_at(&self) -> Option<DateTime<Utc>> {
        self.0.revoked_at
    }
}

/// The machines that a token of an enrolment is for.
#[derive(Clone, Debug, InputObject)]
pub struct IssueEnrolmentTokenInput {
    /// The site whose hosts it is for: its id, or a path such as `site/gent-1`. Without it, hosts of any site.
    pub site: Option<ID>,
    /// The class whose hosts it is for, and that new hosts get: its id, or a path such as `hostClass/gpu-large`. Without it,
    /// hosts of any class.
    pub class: Option<ID>,
    /// The number of machines: 1 to 100,000.
    pub count: i32,
    /// The time from which on it is not accepted any more: at most 366 days from now.
    pub ends_at: DateTime<Utc>,
    /// True: a machine that is no known host becomes one in the state REGISTERED. Not with a site.
    #[graphql(default)]
    pub registers: bool,
}

/// A new token of an enrolment.
#[derive(SimpleObject)]
pub struct IssueEnrolmentTokenPayload {
    /// The token. It is shown only here.
    token: String,
    /// The token without its secret.
    enrolment_token: EnrolmentToken,
}

/// The answer to a call that revokes a token of an enrolment.
#[derive(SimpleObject)]
pub struct RevokeEnrolmentTokenPayload {
    /// The token. Null: there is none with this id.
    enrolment_token: Option<EnrolmentToken>,
}

/// The root field that lists the tokens of enrolments.
#[derive(Debug, Default)]
pub struct EnrolmentRoots;

/// The root field that lists the tokens of enrolments.
#[Object]
impl EnrolmentRoots {
    /// The tokens with which machines enrol their agents, the latest first. Those see them who may revoke them: operators and administrators.
    async fn enrolment_tokens(&self, context: &Context<'_>) -> Result<Option<Vec<EnrolmentToken>>> {
        let request = Request::of(context);
        request.permits(WriteKind::RevokeAgentTokens).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let found = facts_here(&snapshot)?.enrolment_tokens().await.map_err(|error| unanswered(&error))?;
        Ok(Some(found.into_iter().map(EnrolmentToken).collect()))
    }
}

/// The root fields about the tokens of enrolments.
#[derive(Debug, Default)]
pub struct EnrolmentMutation;

/// The root fields about the tokens of enrolments.
#[Object]
impl EnrolmentMutation {
    /// Issues a token with which machines enrol their agents: each gets a token for the host that it is, by its MAC addresses,
    /// UUID and serial number. It is sent over HTTPS, to clients on the same machine, and over proxies that the configuration
    /// trusts. It makes no revision.
    async fn issue_enrolment_token(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The machines that it is for.")] input: IssueEnrolmentTokenInput,
    ) -> Result<Option<IssueEnrolmentTokenPayload>> {
        let request = Request::of(context);
        request.permits(WriteKind::IssueAgentTokens).map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let (facts, terms) = (facts_here(&snapshot)?, terms(&snapshot, input, Utc::now())?);
        let issued = facts.issue_enrolment_token(terms, request.caller().actor()).await;
        let issued = issued.map_err(|error| unanswered(&error))?;
        tracing::info!(id = %issued.token.id, to = issued.token.issued_to, "a token of an enrolment was issued");
        let enrolment_token = EnrolmentToken(issued.token);
        Ok(Some(IssueEnrolmentTokenPayload { token: issued.text, enrolment_token }))
    }

    /// Revokes a token of an enrolment, at once. The agents that were enrolled with it keep their tokens.
    async fn revoke_enrolment_token(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the token.")] id: ID,
    ) -> Result<Option<RevokeEnrolmentTokenPayload>> {
        let request = Request::of(context);
        request.permits(WriteKind::RevokeAgentTokens).map_err(|it| forbidden(&it))?;
        let id = parse_id("id", &id).map_err(|refusal| refused(&refusal, None, None))?;
        let snapshot = request.snapshot();
        let revoked = facts_here(&snapshot)?.revoke_enrolment_token(id).await.map_err(|error| unanswered(&error))?;
        Ok(Some(RevokeEnrolmentTokenPayload { enrolment_token: revoked.map(EnrolmentToken) }))
    }
}

fn terms(snapshot: &Arc<Snapshot>, input: IssueEnrolmentTokenInput, now: DateTime<Utc>) -> Result<EnrolmentTerms> {
    let IssueEnrolmentTokenInput { site, class, count, ends_at, registers } = input;
    if !(1..=MAX_MACHINES).contains(&count) {
        return Err(argument("count", format!("must be 1 to {MAX_MACHINES}, not {count}")));
    }
    if ends_at <= now || ends_at - now > MAX_TIME {
        let reason = format!("must be in the future, and at most {} days from now, not {ends_at}", MAX_TIME.num_days());
        return Err(argument("endsAt", reason));
    }
    if registers && site.is_some() {
        let reason = "cannot be true with a site: a new host is at no site before its device is known".to_owned();
        return Err(argument("registers", reason));
    }
    Ok(EnrolmentTerms {
        place: site.map(|site| named::<Site>(snapshot, "site", &site)).transpose()?,
        class: class.map(|class| named::<HostClass>(snapshot, "class", &class)).transpose()?,
        strangers: if registers { Strangers::Registered } else { Strangers::Refused },
        most: count,
        ends_at,
    })
}

/// Returns the id of the object of a kind that an argument names.
fn named<K: Kind>(snapshot: &Arc<Snapshot>, argument: &'static str, name: &ID) -> Result<Uuid> {
    let object = find_object(snapshot, argument, name)?;
    let row = snapshot.row(object).filter(|_| object.kind == K::ID);
    row.map(|row| row.common().id).ok_or_else(|| {
        let reason = format!("must be a {}, not {:?}", K::describe().name, name.as_str());
        self::argument(argument, reason)
    })
}

fn argument(argument: &'static str, reason: String) -> async_graphql::Error {
    unreadable(&ReadError::Argument { argument, reason })
}
