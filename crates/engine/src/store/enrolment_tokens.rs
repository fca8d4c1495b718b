//! The table of the tokens with which machines enrol their agents. Writes make no revision.
//!
//! Guarantees: a token enrols at most as many machines as it is for, and a host gets a token for its agent at most once,
//! however many servers are asked at a time. The use of the token and the token of the agent are stored together.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::sea_query::{Expr, ExprTrait as _};
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QueryOrder as _};
use underlay_entity::agent_token;
use underlay_entity::enrolment_token::{Column, Entity, Model};
use uuid::Uuid;

use super::agent_tokens::{NewAgentToken, lock_tokens, put_agent_token};
use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};
use super::transaction::Transaction;

/// The time for which a token is kept after its end.
const KEPT_AFTER_END: TimeDelta = TimeDelta::days(30);

/// A token of an enrolment that is to be stored, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEnrolmentToken {
    /// The id of the token.
    pub id: Uuid,
    /// The digest of the token: SHA-256 in hexadecimal digits.
    pub digest: String,
    /// The machines that it is for.
    pub terms: EnrolmentTerms,
    /// The caller that gets it.
    pub issued_to: String,
}

/// The machines that a token of an enrolment is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolmentTerms {
    /// The site whose hosts it is for; of any site without it.
    pub place: Option<Uuid>,
    /// The class whose hosts it is for, and that new hosts get; of any class without it.
    pub class: Option<Uuid>,
    /// The treatment of machines that are no known hosts.
    pub strangers: Strangers,
    /// The number of machines: at least 1.
    pub most: i32,
    /// The time from which on it is not accepted any more.
    pub ends_at: DateTime<Utc>,
}

/// The treatment of a machine that is no known host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strangers {
    /// It is refused.
    Refused,
    /// It becomes a host in the state REGISTERED.
    Registered,
}

/// The enrolment of the agent of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enrolment {
    /// The id of the token of the enrolment.
    pub by: Uuid,
    /// The token of the agent. Its id may be that of no other token.
    pub agent: NewAgentToken,
    /// The time before which the host may have got a token that this one replaces.
    pub replaces_before: Option<DateTime<Utc>>,
}

/// The end of an enrolment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enrolled {
    /// The host has this token now.
    Now(agent_token::Model),
    /// The host has had the same token already: the agent asked again.
    Already(agent_token::Model),
    /// The host has or had another token.
    HasAnother(agent_token::Model),
    /// Another host has a token with this id.
    IdIsTaken,
    /// The token of the enrolment is not accepted now.
    NotAccepted,
}

impl Store {
    /// Stores a token of an enrolment, and forgets those that ended long ago. Returns the row.
    pub async fn store_enrolment_token(&self, token: NewEnrolmentToken) -> Result<Model, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        let NewEnrolmentToken { id, digest, terms, issued_to } = token;
        let EnrolmentTerms { place, class, strangers, most, ends_at } = terms;
        let row = Model {
            id,
            digest,
            site_id: place,
            class_id: class,
            registers: strangers == Strangers::Registered,
            most,
            used: 0,
            ends_at,
            issued_at: now,
            issued_to,
            revoked_at: None,
        };
        let ended = Entity::delete_many().filter(Column::EndsAt.lt(now - KEPT_AFTER_END));
        step(ended.exec(&writing.transaction)).await?;
        step(insert::<Entity>(&writing.transaction, &[&row], ConflictAction::Refused)).await?;
        step(writing.transaction.commit()).await?;
        Ok(row)
    }

    /// Revokes a token of an enrolment. Returns the row as it is then; `None` if there is none.
    pub async fn revoke_enrolment_token(&self, id: Uuid) -> Result<Option<Model>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        let revoke = Entity::update_many().col_expr(Column::RevokedAt, Expr::value(now));
        let revoke = revoke.filter(Column::Id.eq(id)).filter(Column::RevokedAt.is_null());
        step(revoke.exec(&writing.transaction)).await?;
        let row = step(Entity::find_by_id(id).one(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(row)
    }

    /// Returns the tokens of enrolments, the latest first.
    pub async fn enrolment_tokens(&self) -> Result<Vec<Model>, StoreError> {
        step(Entity::find().order_by_desc(Column::IssuedAt).order_by_desc(Column::Id).all(&self.reader)).await
    }

    /// Returns a token of an enrolment, with the time of the database.
    pub async fn enrolment_token(&self, id: Uuid) -> Result<Option<(Model, DateTime<Utc>)>, StoreError> {
        let Some(row) = step(Entity::find_by_id(id).one(&self.reader)).await? else { return Ok(None) };
        Ok(Some((row, self.read_clock().await?)))
    }

    /// Gives a host the token of its agent, by a token of an enrolment.
    pub async fn enrol(&self, enrolment: Enrolment) -> Result<Enrolled, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        lock_tokens(&writing.transaction).await?;
        let enrolled = enrol(&writing.transaction, enrolment).await?;
        step(writing.transaction.commit()).await?;
        Ok(enrolled)
    }
}

async fn enrol(transaction: &Transaction, enrolment: Enrolment) -> Result<Enrolled, StoreError> {
    let Enrolment { by, agent, replaces_before } = enrolment;
    let known = step(agent_token::Entity::find_by_id(agent.host).one(transaction)).await?;
    if let Some(known) = known {
        if known.digest == agent.digest && known.revoked_at.is_none() {
            return Ok(Enrolled::Already(known));
        }
        if replaces_before.is_none_or(|before| known.issued_at >= before) {
            return Ok(Enrolled::HasAnother(known));
        }
    }
    let same_id = agent_token::Entity::find().filter(agent_token::Column::TokenId.eq(agent.id));
    if step(same_id.one(transaction)).await?.is_some() {
        return Ok(Enrolled::IdIsTaken);
    }
    let now = step(transaction.now()).await?;
    let using = Entity::update_many()
        .col_expr(Column::Used, Expr::col(Column::Used).add(1))
        .filter(Column::Id.eq(by))
        .filter(Column::RevokedAt.is_null())
        .filter(Column::EndsAt.gt(now))
        .filter(Expr::col(Column::Used).lt(Expr::col(Column::Most)));
    if step(using.exec(transaction)).await?.rows_affected == 0 {
        return Ok(Enrolled::NotAccepted);
    }
    Ok(Enrolled::Now(put_agent_token(transaction, agent, now).await?))
}
