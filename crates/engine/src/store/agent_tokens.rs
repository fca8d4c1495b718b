//! The table of the tokens of agents. Writes make no revision.
//!
//! Guarantee: a host has at most one token that is accepted. A new one replaces it.

use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait as _, ConnectionTrait as _, DbBackend, EntityTrait as _, QueryFilter as _};
use underlay_entity::agent_token::{Column, Entity, Model};
use uuid::Uuid;

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};
use super::shared_names::TOKENS_LOCK;
use super::transaction::Transaction;

/// The greatest number of hosts in a statement.
const HOSTS_PER_STATEMENT: usize = 1_000;

/// A token that is to be stored, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAgentToken {
    /// The host that the token is for.
    pub host: Uuid,
    /// The id of the token.
    pub id: Uuid,
    /// The digest of the token: SHA-256 in hexadecimal digits.
    pub digest: String,
    /// The caller that gets it.
    pub issued_to: String,
}

impl Store {
    /// Stores the token of a host, which replaces the one that the host had. Returns the row.
    pub async fn store_agent_token(&self, token: NewAgentToken) -> Result<Model, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        lock_tokens(&writing.transaction).await?;
        let now = step(writing.transaction.now()).await?;
        let row = put_agent_token(&writing.transaction, token, now).await?;
        step(writing.transaction.commit()).await?;
        Ok(row)
    }

    /// Revokes the token of a host. Returns the row as it is then; `None` if the host never had a token.
    pub async fn revoke_agent_token(&self, host: Uuid) -> Result<Option<Model>, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let now = step(writing.transaction.now()).await?;
        let revoke = Entity::update_many()
            .col_expr(Column::RevokedAt, Expr::value(now))
            .col_expr(Column::WrittenAt, Expr::value(now))
            .filter(Column::HostId.eq(host))
            .filter(Column::RevokedAt.is_null());
        step(revoke.exec(&writing.transaction)).await?;
        let row = step(Entity::find_by_id(host).one(&writing.transaction)).await?;
        step(writing.transaction.commit()).await?;
        Ok(row)
    }

    /// Returns the tokens that were written after a time; all of them if there is none.
    pub async fn agent_tokens_since(&self, after: Option<DateTime<Utc>>) -> Result<Vec<Model>, StoreError> {
        let rows = match after {
            Some(after) => Entity::find().filter(Column::WrittenAt.gt(after)),
            None => Entity::find(),
        };
        step(rows.all(&self.reader)).await
    }

    /// Deletes the tokens of these hosts.
    pub async fn forget_agent_tokens(&self, hosts: &[Uuid]) -> Result<(), StoreError> {
        let mut hosts = hosts.to_vec();
        hosts.sort_unstable();
        for hosts in hosts.chunks(HOSTS_PER_STATEMENT) {
            let writing = self.begin_write().await?;
            writing.check_format().await?;
            let gone = Entity::delete_many().filter(Column::HostId.is_in(hosts.iter().copied()));
            step(gone.exec(&writing.transaction)).await?;
            step(writing.transaction.commit()).await?;
        }
        Ok(())
    }
}

/// Takes the lock of those who give hosts tokens, until the transaction ends. With SQLite, a transaction has it.
pub(super) async fn lock_tokens(transaction: &Transaction) -> Result<(), StoreError> {
    if transaction.get_database_backend() == DbBackend::Postgres {
        step(transaction.execute_unprepared(&format!("SELECT pg_advisory_xact_lock({TOKENS_LOCK})"))).await?;
    }
    Ok(())
}

/// Puts the token of a host, which replaces the one that the host had.
pub(super) async fn put_agent_token(
    transaction: &Transaction,
    token: NewAgentToken,
    now: DateTime<Utc>,
) -> Result<Model, StoreError> {
    let NewAgentToken { host, id, digest, issued_to } = token;
    let row =
        Model { host_id: host, token_id: id, digest, issued_at: now, issued_to, revoked_at: None, written_at: now };
    step(insert::<Entity>(transaction, &[&row], ConflictAction::Replaced)).await?;
    Ok(row)
}
