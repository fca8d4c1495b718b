//! The tables of boots from the network: the attempt of each host, and what its machine was given at each boot. Writes make
//! no revision.
//!
//! Guarantees: what a machine is given is decided on the newest revision, while no batch can be written, and with the
//! attempt of its host locked. So no machine is given anything for an order that has ended before, whichever server it asks.
//! A host has at most [`MAX_KEPT_BOOTS`] boots; the oldest go first.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sea_orm::sea_query::Order;
use sea_orm::{ColumnTrait as _, EntityTrait as _, QueryFilter as _, QuerySelect as _};
use underlay_entity::{boot, boot_attempt};
use uuid::Uuid;

use super::commit::{Writing, step};
use super::connection::Store;
use super::error::StoreError;
use super::fence::Fence;
use super::insert::{ConflictAction, insert};

/// The greatest number of boots that are kept of a host.
pub const MAX_KEPT_BOOTS: i64 = 100;
/// The greatest number of hosts in a statement.
const HOSTS_PER_STATEMENT: usize = 500;

/// The ground on which a boot is decided, besides the inventory.
#[derive(Clone, Debug, PartialEq)]
pub struct BootGround {
    /// The last attempt of the host.
    pub attempt: Option<boot_attempt::Model>,
    /// True while controllers may only observe.
    pub is_observe_only: bool,
    /// The time of the database.
    pub now: DateTime<Utc>,
}

/// A decision about a boot.
#[derive(Clone, Debug, PartialEq)]
pub struct BootDecision<T> {
    /// The attempt of the host after it, if it changes.
    pub attempt: Option<boot_attempt::Model>,
    /// The line about a boot that begins.
    pub line: Option<BootLine>,
    /// The answer to the machine, or to the controller.
    pub answer: T,
}

/// A line about what a machine was given when it booted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BootLine {
    pub host: Uuid,
    pub at: DateTime<Utc>,
    pub target: boot::BootTarget,
    /// A sentence that says why it was given that.
    pub reason: String,
    /// The first MAC address that the machine said.
    pub mac: Option<String>,
    /// The address from which it asked.
    pub address: Option<String>,
}

impl Store {
    /// Returns the ground for a decision about a host, as it is now. It can change before anything is written.
    pub async fn boot_ground(&self, host: Uuid) -> Result<BootGround, StoreError> {
        let attempt = step(boot_attempt::Entity::find_by_id(host).one(&self.reader)).await?;
        let is_observe_only = self.observe_only().await?.is_some();
        Ok(BootGround { attempt, is_observe_only, now: self.read_clock().await? })
    }

    /// Decides on the newest revision, which must be `planned_on`, and stores what follows. With a fence, its lease must be
    /// held.
    ///
    /// # Errors
    /// Returns [`StoreError::Overtaken`] with the newest revision if there is a newer one, and [`StoreError::LeaseLost`] if
    /// the lease is not held.
    pub async fn decide_boot<T>(
        &self,
        host: Uuid,
        planned_on: (i64, Uuid),
        fence: Option<&Fence>,
        decide: impl FnOnce(&BootGround) -> BootDecision<T>,
    ) -> Result<T, StoreError> {
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        let decided = writing.decide_boot(host, planned_on, fence, decide).await;
        match decided {
            Ok(answer) => step(writing.transaction.commit()).await.map(|()| answer),
            Err(error) => {
                // A rollback that fails leaves nothing either, because its connection is closed.
                let _ = writing.roll_back().await;
                Err(error)
            }
        }
    }

    /// Returns the host whose last boot has a token with this digest.
    pub async fn host_of_boot_token(&self, digest: &str) -> Result<Option<Uuid>, StoreError> {
        let of_token = boot_attempt::Entity::find().filter(boot_attempt::Column::Token.eq(digest));
        Ok(step(of_token.one(&self.reader)).await?.map(|attempt| attempt.host_id))
    }

    /// Returns the last attempts of hosts.
    pub async fn boot_attempts(&self, hosts: &[Uuid]) -> Result<Vec<boot_attempt::Model>, StoreError> {
        let of_hosts = boot_attempt::Entity::find().filter(boot_attempt::Column::HostId.is_in(hosts.iter().copied()));
        step(of_hosts.all(&self.reader)).await
    }

    /// Stores lines about boots after those that their hosts have, in this order.
    pub async fn store_boots(&self, lines: &[BootLine]) -> Result<(), StoreError> {
        if lines.is_empty() {
            return Ok(());
        }
        let writing = self.begin_write().await?;
        writing.check_format().await?;
        writing.store_boots(lines).await?;
        step(writing.transaction.commit()).await
    }

    /// Returns boots of each of these hosts, the newest first, at most `most` of each.
    pub async fn boots_of_each(&self, hosts: &[Uuid], most: u64) -> Result<Vec<boot::Model>, StoreError> {
        let select = boot::Entity::find().filter(boot::Column::HostId.is_in(hosts.iter().copied()));
        let statement = self.first_of_each(select, boot::Column::HostId, &[(boot::Column::Number, Order::Desc)], most);
        step(boot::Entity::find().from_raw_sql(statement).all(&self.reader)).await
    }

    /// Returns the hosts that have boots or an attempt.
    pub async fn hosts_with_boots(&self) -> Result<Vec<Uuid>, StoreError> {
        let boots = boot::Entity::find().select_only().column(boot::Column::HostId).distinct();
        let attempts = boot_attempt::Entity::find().select_only().column(boot_attempt::Column::HostId);
        let mut hosts: Vec<Uuid> = step(boots.into_tuple().all(&self.reader)).await?;
        hosts.extend(step(attempts.into_tuple::<Uuid>().all(&self.reader)).await?);
        Ok(hosts)
    }

    /// Deletes the boots and attempts of these hosts.
    pub async fn forget_boots(&self, hosts: &[Uuid]) -> Result<(), StoreError> {
        for hosts in hosts.chunks(HOSTS_PER_STATEMENT) {
            let writing = self.begin_write().await?;
            writing.check_format().await?;
            let boots = boot::Entity::delete_many().filter(boot::Column::HostId.is_in(hosts.iter().copied()));
            step(boots.exec(&writing.transaction)).await?;
            let attempts =
                boot_attempt::Entity::delete_many().filter(boot_attempt::Column::HostId.is_in(hosts.iter().copied()));
            step(attempts.exec(&writing.transaction)).await?;
            step(writing.transaction.commit()).await?;
        }
        Ok(())
    }
}

impl Writing {
    async fn decide_boot<T>(
        &self,
        host: Uuid,
        planned_on: (i64, Uuid),
        fence: Option<&Fence>,
        decide: impl FnOnce(&BootGround) -> BootDecision<T>,
    ) -> Result<T, StoreError> {
        self.hold_revision(planned_on).await?;
        self.check_fences(fence.map(std::slice::from_ref).unwrap_or_default()).await?;
        let attempt = boot_attempt::Entity::find_by_id(host).lock_exclusive();
        let attempt = step(attempt.one(&self.transaction)).await?;
        let is_observe_only =
            step(underlay_entity::observe_only::Entity::find().one(&self.transaction)).await?.is_some();
        let ground = BootGround { attempt, is_observe_only, now: step(self.transaction.now()).await? };

        let BootDecision { attempt, line, answer } = decide(&ground);
        if let Some(attempt) = attempt {
            step(insert::<boot_attempt::Entity>(&self.transaction, &[&attempt], ConflictAction::Replaced)).await?;
        }
        self.store_boots(line.as_slice()).await?;
        Ok(answer)
    }

    async fn store_boots(&self, lines: &[BootLine]) -> Result<(), StoreError> {
        let mut last: BTreeMap<Uuid, i64> = lines.iter().map(|line| (line.host, 0)).collect();
        let hosts: Vec<Uuid> = last.keys().copied().collect();
        for hosts in hosts.chunks(HOSTS_PER_STATEMENT) {
            let newest = boot::Entity::find()
                .select_only()
                .column(boot::Column::HostId)
                .column_as(boot::Column::Number.max(), "last")
                .filter(boot::Column::HostId.is_in(hosts.iter().copied()))
                .group_by(boot::Column::HostId);
            last.extend(step(newest.into_tuple::<(Uuid, i64)>().all(&self.transaction)).await?);
        }

        let rows: Vec<boot::Model> = lines
            .iter()
            .map(|line| {
                let number = last.entry(line.host).or_default();
                *number += 1;
                row(line, *number)
            })
            .collect();
        let rows: Vec<&boot::Model> = rows.iter().collect();
        step(insert::<boot::Entity>(&self.transaction, &rows, ConflictAction::Replaced)).await?;

        for (host, last) in last.iter().filter(|(_, last)| **last > MAX_KEPT_BOOTS) {
            let old = boot::Entity::delete_many().filter(boot::Column::HostId.eq(*host));
            step(old.filter(boot::Column::Number.lte(last - MAX_KEPT_BOOTS)).exec(&self.transaction)).await?;
        }
        Ok(())
    }
}

fn row(line: &BootLine, number: i64) -> boot::Model {
    let BootLine { host, at, target, reason, mac, address } = line.clone();
    boot::Model { host_id: host, number, at, target: target.number(), reason, mac, address }
}
