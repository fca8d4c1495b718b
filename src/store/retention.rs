//! How long changes are kept, and how old ones are dropped.
//!
//! The oldest revision that is held is the first one with a row of its batch. Dropping takes those rows first, so that
//! the revision is gone at once and whole for everybody who reads; then the changes below, which nobody sees any more,
//! in small steps. It can end anywhere, and be done by several processes: what is left is dropped the next time.
//!
//! Guarantees: revisions are dropped from the oldest on, without gaps; the newest is always held; a statement that
//! reads changes sees each revision whole or not at all ([`held`]).

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
use super::transaction::Transaction;

/// How long a request is remembered by its `requestId`, in hours. Changes are kept for at least as long: a repeat is
/// answered with what the first request changed.
pub const REPEATABLE_HOURS: u32 = 24;
/// The lock that processes on one PostgreSQL take while they drop: any number that others hardly use.
const DROP_LOCK: i64 = 0x756e_6465_726c_6f67;

const HOUR: Duration = Duration::from_secs(60 * 60);

/// For how long changes are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// All of them.
    ForEver,
    /// Those that are younger.
    For(Duration),
}

/// What is no retention.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RetentionError {
    #[error("must be a number of days or hours, such as 400d or 36h, or 0 for ever, not {0:?}")]
    Form(String),
    #[error(
        "must be 0 (for ever) or at least {REPEATABLE_HOURS}h, for which repeated requests are answered, not {0:?}"
    )]
    Short(String),
}

impl FromStr for Retention {
    type Err = RetentionError;

    fn from_str(text: &str) -> Result<Self, RetentionError> {
        if text == "0" {
            return Ok(Self::ForEver);
        }
        let form = || RetentionError::Form(text.to_owned());
        let (number, hours) = match (text.strip_suffix('d'), text.strip_suffix('h')) {
            (Some(days), _) => (days, 24),
            (_, Some(hours)) => (hours, 1),
            _ => return Err(form()),
        };
        let number = number.parse::<u32>().map_err(|_| form())?;
        match number.checked_mul(hours).ok_or_else(form)? {
            0 => Ok(Self::ForEver),
            hours if hours < REPEATABLE_HOURS => Err(RetentionError::Short(text.to_owned())),
            hours => Ok(Self::For(HOUR * hours)),
        }
    }
}

/// What one step of dropping did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    /// So many rows; there may be more.
    Some(u64),
    /// Nothing: there is nothing more to drop.
    Nothing,
    /// Nothing: another process is at it.
    Busy,
}

/// That a change is of a revision that is held: a condition within the statement that reads it, so that both are of
/// one moment.
pub(super) fn held() -> SimpleExpr {
    Expr::col((change::Entity, change::Column::Revision)).gte(oldest())
}

/// The oldest revision that is held, within a statement; null when nothing was ever written.
fn oldest() -> SimpleExpr {
    let oldest = Query::select().expr(batch::Column::Revision.min()).from(batch::Entity).to_owned();
    Expr::SubQuery(None, Box::new(oldest.into()))
}

impl Store {
    /// The oldest revision whose changes are held; all later ones are held too. It is 1 as long as nothing was dropped,
    /// also before the first revision.
    ///
    /// It may grow at any time. Who reads changes from some revision on asks for it *afterwards*: what was held then
    /// was held before.
    pub async fn oldest_revision(&self) -> Result<i64, StoreError> {
        Ok(self.oldest().await?.map_or(1, |(revision, _)| revision))
    }

    /// The same with the time when it was made; `None` before the first revision.
    pub async fn oldest(&self) -> Result<Option<(i64, DateTime<Utc>)>, StoreError> {
        let columns = [batch::Column::Revision, batch::Column::At];
        let oldest = batch::Entity::find().select_only().columns(columns).order_by_asc(batch::Column::Revision);
        Ok(oldest.into_tuple().one(&self.reader).await?)
    }

    /// One step of dropping what was made before a time: at most `most` rows, in one transaction of the writer.
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

/// Whether this process may drop now: on PostgreSQL one does at a time, so that none waits for the rows of another.
async fn begin(transaction: &Transaction) -> Result<bool, StoreError> {
    if transaction.get_database_backend() != DbBackend::Postgres {
        return Ok(true);
    }
    let ask = format!("SELECT pg_try_advisory_xact_lock({DROP_LOCK}) AS mine");
    let row = step(transaction.query_one_raw(Statement::from_string(DbBackend::Postgres, ask))).await?;
    Ok(match row {
        Some(row) => row.try_get("", "mine")?,
        None => false,
    })
}

async fn drop_rows(transaction: &Transaction, time: DateTime<Utc>, most: u64) -> Result<Dropped, StoreError> {
    // First what is below the oldest revision already, so that little lies there that nobody sees.
    let place = [change::Column::Revision, change::Column::Position];
    let below = Query::select()
        .columns(place)
        .from(change::Entity)
        .and_where(Expr::col(change::Column::Revision).lt(oldest()))
        .order_by(change::Column::Revision, sea_orm::Order::Asc)
        .order_by(change::Column::Position, sea_orm::Order::Asc)
        .limit(most)
        .to_owned();
    let places = Expr::tuple(place.map(Expr::col));
    let drop_changes = change::Entity::delete_many().filter(places.in_subquery(below));
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

/// The first revision that stays, of the lowest ones: the first that is not older than the time, or the last of so many.
/// That is never after the newest.
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
