//! The time by which old changes are dropped: the clock of the database, without its jumps.
//!
//! Dropped changes are gone for good, and a clock can be wrong: after an empty battery, or on a copied machine.
//! So a step of the clock of more than a day between two readings does not make anything older, until an operator accepts
//! the clock. A server that was off for longer has seen a jump too, and keeps changes for so much longer.
//!
//! Guarantees: the time is never ahead of the clock, and never goes back by more than the clock does.

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{EntityTrait, QueryOrder, QuerySelect};
use underlay_entity::batch;
use underlay_entity::kept_clock::{Entity, Model};

use super::commit::step;
use super::connection::Store;
use super::error::StoreError;
use super::insert::{ConflictAction, insert};

/// The id of the one row.
const ID: i32 = 1;
/// The longest step of the clock between two readings that is no jump.
const MAX_STEP: TimeDelta = TimeDelta::days(1);

/// A jump of the clock that nobody accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockJump {
    /// The time that the clock went ahead.
    pub by: TimeDelta,
    /// The time of the clock when the jump was noticed.
    pub seen_at: DateTime<Utc>,
}

impl Store {
    /// Reads the clock, and returns the time by which changes are old. Called at least every day while a server runs.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn keep_time(&self) -> Result<DateTime<Utc>, StoreError> {
        let kept = self.follow_clock().await;
        match &kept {
            Ok(_) => self.wrote(),
            Err(error) => self.failed_to_tidy(error),
        }
        kept
    }

    async fn follow_clock(&self) -> Result<DateTime<Utc>, StoreError> {
        let now = self.read_clock().await?;
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let transaction = &writing.transaction;
        let before = step(Entity::find_by_id(ID).one(transaction)).await?;
        let newest = batch::Entity::find().select_only().column(batch::Column::At);
        let newest = newest.order_by_desc(batch::Column::Revision).into_tuple::<DateTime<Utc>>();
        let row = match before {
            Some(row) => advance(&row, now),
            None => first(step(newest.one(transaction)).await?, now),
        };
        step(insert::<Entity>(transaction, &[&row], ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(row.at)
    }

    /// Returns the jump of the clock for which changes are kept longer; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn clock_jump(&self) -> Result<Option<ClockJump>, StoreError> {
        Ok(step(Entity::find_by_id(ID).one(&self.reader)).await?.as_ref().and_then(jump))
    }

    /// Accepts what the clock says now: what became old by a jump is dropped from now on. Returns the jump.
    ///
    /// # Errors
    /// Returns an error if the database does not answer.
    pub async fn accept_clock(&self) -> Result<Option<ClockJump>, StoreError> {
        let now = self.read_clock().await?;
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let before = step(Entity::find_by_id(ID).one(&writing.transaction)).await?;
        let row = Model { id: ID, at: now, read_at: now, jumped_at: None };
        step(insert::<Entity>(&writing.transaction, &[&row], ConflictAction::Replaced)).await?;
        step(writing.transaction.commit()).await?;
        Ok(before.as_ref().and_then(jump))
    }
}

/// Returns the first row of a database, from the time of its newest batch.
fn first(newest: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Model {
    let newest = newest.unwrap_or(now);
    advance(&Model { id: ID, at: newest.min(now), read_at: newest, jumped_at: None }, now)
}

/// Returns the row after the clock was read.
fn advance(row: &Model, now: DateTime<Utc>) -> Model {
    let passed = now - row.read_at;
    let is_jump = passed > MAX_STEP;
    let step = if is_jump { TimeDelta::zero() } else { passed.max(TimeDelta::zero()) };
    // The sum is at most the clock, so it does not overflow.
    let at = row.at.checked_add_signed(step).map_or(now, |at| at.min(now));
    let jumped_at = if is_jump { Some(now) } else { row.jumped_at };
    // A clock that went back has taken its jump back.
    let jumped_at = jumped_at.filter(|_| now - at > MAX_STEP);
    Model { id: ID, at, read_at: now, jumped_at }
}

fn jump(row: &Model) -> Option<ClockJump> {
    row.jumped_at.map(|seen_at| ClockJump { by: row.read_at - row.at, seen_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(hours: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + TimeDelta::hours(hours)
    }

    /// Returns the hour by which changes are old, and whether there is a jump, after each of these readings.
    fn after(newest: i64, readings: &[i64]) -> Vec<(i64, bool)> {
        let mut row: Option<Model> = None;
        let read = readings.iter().map(|at| {
            let next = match &row {
                None => first(Some(hours(newest)), hours(*at)),
                Some(row) => advance(row, hours(*at)),
            };
            assert!(next.at <= hours(*at), "it is never ahead of the clock");
            row = Some(next.clone());
            ((next.at - hours(0)).num_hours(), jump(&next).is_some())
        });
        read.collect()
    }

    #[test]
    fn the_time_follows_the_clock_but_not_its_jumps() {
        let year = 401 * 24;
        let table = [
            ("a clock that is right", 0, vec![1, 2, 20, 44], vec![(1, false), (2, false), (20, false), (44, false)]),
            ("a year ahead, for good", 0, vec![1, year, year + 1], vec![(1, false), (1, true), (2, true)]),
            ("a year ahead and back", 0, vec![1, year, 2, 3], vec![(1, false), (1, true), (1, false), (2, false)]),
            ("a first start with a wrong clock", 0, vec![year, 1, 2], vec![(0, true), (0, false), (1, false)]),
            ("a first start after a week", -7 * 24, vec![0, 1], vec![(-7 * 24, true), (-7 * 24 + 1, true)]),
            ("changes from a wrong clock", year, vec![1, 2], vec![(1, false), (2, false)]),
            ("back by a year", 0, vec![1, -year, -year + 1], vec![(1, false), (-year, false), (-year + 1, false)]),
        ];
        for (what, newest, readings, expected) in table {
            assert_eq!(after(newest, &readings), expected, "{what}");
        }
    }
}
