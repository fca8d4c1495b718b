//! The retention of changes: how long they are kept, and how old ones are pruned.
//!
//! The oldest revision in the log is the first one that has a batch row. Pruning deletes the batch rows first, so that
//! the whole revision disappears for all readers at once. Then it deletes the changes below, which no reader sees any
//! more, in small steps. Pruning can stop at any point, and several processes can do it; the next run deletes the rest.
//!
//! Guarantees: revisions are pruned from the oldest on, without gaps. The newest revision is always kept. A statement
//! that reads changes sees each revision completely or not at all ([`held`]).

use std::str::FromStr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, Query, SimpleExpr};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Statement};
use thiserror::Error;
use underlay_entity::{batch, change};

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::shared_names::PRUNE_LOCK;
use super::transaction::Transaction;

/// The time for which a request is remembered by its `requestId`, in hours. Changes are kept for at least as long,
/// because a repeated request is answered with the changes of the first one.
pub const REPEATABLE_HOURS: u32 = 24;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// The time for which changes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Changes are never pruned.
    ForEver,
    /// Changes are pruned when they are older than this.
    For(Duration),
}

/// The reason for which a text is not a valid retention.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RetentionError {
    #[error("{text:?} is not {allowed}", allowed = self.allowed())]
    Form { text: String },
    #[error("{text:?} is not {allowed}", allowed = self.allowed())]
    Short { text: String },
}

impl RetentionError {
    /// Returns the values that are allowed, in words.
    pub fn allowed(&self) -> String {
        match self {
            Self::Form { .. } => "a number of days or hours, such as 400d or 36h, or 0 for ever".to_owned(),
            Self::Short { .. } => format!(
                "0 (for ever) or at least {REPEATABLE_HOURS}h, because a repeated request is answered for that long"
            ),
        }
    }
}

impl FromStr for Retention {
    type Err = RetentionError;

    fn from_str(text: &str) -> Result<Self, RetentionError> {
        if text == "0" {
            return Ok(Self::ForEver);
        }
        let form = || RetentionError::Form { text: text.to_owned() };
        let (number, hours) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
            (Some(days), _) => (days, 24),
            (_, Some(hours)) => (hours, 1),
            _ => return Err(form()),
        };
        let number = number.parse::<u32>().map_err(|_| form())?;
        match number.checked_mul(hours).ok_or_else(form)? {
            0 => Ok(Self::ForEver),
            hours if hours < REPEATABLE_HOURS => Err(RetentionError::Short { text: text.to_owned() }),
            hours => Ok(Self::For(HOUR * hours)),
        }
    }
}

/// The result of one pruning step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// This number of rows was deleted; there may be more.
    Some(u64),
    /// No row was deleted, because there is nothing left to prune.
    Nothing,
    /// No row was deleted, because another process is pruning.
    Busy,
}

/// Returns a condition that a change belongs to a revision in the log. It is a part of the statement that reads the
/// change, so that both come from the same moment.
pub(super) fn held() -> SimpleExpr {
    Expr::col((change::Entity, change::Column::Revision)).gte(oldest())
}

/// Returns the oldest revision in the log, as a subquery; null if nothing was ever written.
fn oldest() -> SimpleExpr {
    let oldest = Query::select().expr(batch::Column::Revision.min()).from(batch::Entity).to_owned();
    Expr::SubQuery(None, Box::new(oldest.into()))
}

impl Store {
    /// Returns the oldest revision with its changes in the log; all later ones are there too. It is 1 until something
    /// is pruned, even before the first revision.
    ///
    /// The result may grow at any time. A caller that reads changes from a revision on must ask for it *afterwards*: a
    /// revision that is in the log then was there before.
    pub async fn oldest_revision(&self) -> Result<i64, StoreError> {
        Ok(self.oldest().await?.map_or(1, |(revision, _)| revision))
    }

    /// Returns the same revision with the time at which it was made; `None` before the first revision.
    pub async fn oldest(&self) -> Result<Option<(i64, DateTime<Utc>)>, StoreError> {
        let columns = [batch::Column::Revision, batch::Column::At];
        let oldest = batch::Entity::find().select_only().columns(columns).order_by_asc(batch::Column::Revision);
        Ok(oldest.into_tuple().one(&self.reader).await?)
    }

    /// Prunes one step of the revisions before a time: at most `most` rows, in one transaction of the writer.
    pub async fn drop_before(&self, time: DateTime<Utc>, most: u64) -> Result<Dropped, StoreError> {
        let dropped = self.drop_step(time, most).await;
        match &dropped {
            Ok(Dropped::Some(_)) => self.wrote(),
            Ok(Dropped::Nothing | Dropped::Busy) => {}
            Err(error) => self.failed_to_tidy(error),
        }
        dropped
    }

    async fn drop_step(&self, time: DateTime<Utc>, most: u64) -> Result<Dropped, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let dropped = match begin(&writing.transaction).await? {
            true => drop_rows(&writing.transaction, time, most).await?,
            false => Dropped::Busy,
        };
        match dropped {
            Dropped::Some(_) => writing.commit().await?,
            Dropped::Nothing | Dropped::Busy => writing.roll_back().await?,
        }
        Ok(dropped)
    }
}

/// Returns true if this process may prune now. On PostgreSQL one process prunes at a time, so that none waits for row
/// locks.
pub(super) async fn begin(transaction: &Transaction) -> Result<bool, StoreError> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(true);
    }
    let ask = format!("SELECT pg_try_advisory_xact_lock({PRUNE_LOCK}) AS mine");
    let row = step(transaction.query_one_raw(Statement::from_string(DbBackend::Postgres, ask))).await?;
    Ok(match row {
        Some(row) => row.try_get("", "mine")?,
        None => false,
    })
}

async fn drop_rows(transaction: &Transaction, time: DateTime<Utc>, most: u64) -> Result<Dropped, StoreError> {
    // First deletes the changes below the oldest revision, so that few invisible rows remain.
    let position = [change::Column::Revision, change::Column::Position];
    let below = Query::select()
        .columns(position)
        .from(change::Entity)
        .and_where(Expr::col(change::Column::Revision).lt(oldest()))
        .order_by(change::Column::Revision, sea_orm::Order::Asc)
        .order_by(change::Column::Position, sea_orm::Order::Asc)
        .limit(most)
        .to_owned();
    let positions = Expr::tuple(position.map(Expr::col));
    let drop_changes = change::Entity::delete_many().filter(positions.in_subquery(below));
    let count = step(drop_changes.exec(transaction)).await?.rows_affected;
    if count > 0 {
        return Ok(Dropped::Some(count));
    }
    let Some(first) = first_to_keep(transaction, time, most).await? else { return Ok(Dropped::Nothing) };
    let drop_batches = batch::Entity::delete_many().filter(batch::Column::Revision.lt(first));
    match step(drop_batches.exec(transaction)).await?.rows_affected {
        0 => Ok(Dropped::Nothing),
        count => Ok(Dropped::Some(count)),
    }
}

/// Returns the first revision to keep among the oldest `most` + 1: the first one that is not older than the time, or
/// the last of them. It is never after the newest revision.
async fn first_to_keep(transaction: &Transaction, time: DateTime<Utc>, most: u64) -> Result<Option<i64>, StoreError> {
    let lowest = batch::Entity::find()
        .select_only()
        .columns([batch::Column::Revision, batch::Column::At])
        .order_by_asc(batch::Column::Revision)
        .limit(most.saturating_add(1))
        .into_tuple::<(i64, DateTime<Utc>)>();
    let lowest = step(lowest.all(transaction)).await?;
    let first = lowest.iter().find(|(_, at)| *at >= time).or(lowest.last());
    Ok(first.map(|(revision, _)| *revision))
}
