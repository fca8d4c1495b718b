//! The calls of a client of the model.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use underlay_kit::control::Position;
use uuid::Uuid;

use super::{HOSTS_PER_PAGE, ModelClient, is_taken};
use crate::api::{
    Api, ApiError, Changes, Enlistment, Fence, HostPage, HostsStatus, Listing, MAX_REPORTS, Read, Recipient, Refusal,
    Report, Reported, Strays,
};
use crate::host::Host;
use crate::machine::Secret;

impl Api for ModelClient {
    async fn hosts_status(&self) -> Result<HostsStatus, ApiError> {
        let hosts_status = self.model.call(|inner, now| HostsStatus {
            position: inner.position(),
            is_observe_only: !inner.data.observe_only.is_empty(),
            has_taken_hosts: inner.data.hosts.values().any(|host| is_taken(host.state)),
            now,
        });
        hosts_status.await
    }

    async fn site(&self, name: &str) -> Result<Option<Uuid>, ApiError> {
        self.model.call(|inner, _| inner.data.sites.get(name).copied()).await
    }

    async fn hosts(&self, after: Option<String>) -> Result<HostPage, ApiError> {
        let page = self.model.call(|inner, _| {
            let after = after.and_then(|after| after.parse::<Uuid>().ok());
            let rest = inner.data.hosts.values().filter(|host| after.is_none_or(|after| host.id > after));
            let hosts: Vec<Host> = rest.take(HOSTS_PER_PAGE).cloned().collect();
            let next = if hosts.len() == HOSTS_PER_PAGE { hosts.last().map(|host| host.id.to_string()) } else { None };
            HostPage { hosts, next }
        });
        page.await
    }

    async fn host(&self, id: Uuid) -> Result<Read, ApiError> {
        let read = self.model.call(|inner, now| Read {
            host: inner.data.hosts.get(&id).cloned(),
            history: inner.history(),
            is_observe_only: !inner.data.observe_only.is_empty(),
            now,
        });
        read.await
    }

    async fn macs(&self, _host: Uuid) -> Result<Vec<String>, ApiError> {
        self.model.call(|_, _| Vec::new()).await
    }

    async fn changes(&self, after: &Position) -> Result<Changes, ApiError> {
        // A notification can come between the look and the wait, so that one is looked for again soon.
        let changed = || async { timeout(Duration::from_secs(5), self.model.changed.notified()).await };
        for _ in 0..6 {
            if self.model.locked().is_silent {
                sleep(Duration::from_secs(5)).await;
                continue;
            }
            let found = self.model.call(|inner, _| {
                if after.history != inner.history() {
                    return Err(ApiError::OtherHistory);
                }
                let from: usize = after.cursor.parse().unwrap();
                Ok(Changes { hosts: inner.data.log[from..].to_vec(), position: inner.position() })
            });
            let found = found.await??;
            if !found.hosts.is_empty() {
                return Ok(found);
            }
            drop(changed().await);
        }
        Ok(Changes { hosts: Vec::new(), position: after.clone() })
    }

    async fn report(&self, reports: &[Report]) -> Result<Reported, ApiError> {
        assert!(reports.len() <= MAX_REPORTS);
        let reported = self.model.call(|inner, now| {
            let outcomes: Vec<_> = reports.iter().map(|report| inner.report(report, self.holder, now)).collect();
            inner.refused_reports += outcomes.iter().filter(|it| it.is_err()).count() as u64;
            Reported { outcomes, history: inner.history(), is_observe_only: !inner.data.observe_only.is_empty(), now }
        });
        reported.await
    }

    async fn observe_only(&self, reason: &str) -> Result<(), ApiError> {
        self.model.call(|inner, _| inner.data.observe_only.push(reason.to_owned())).await
    }

    async fn delete(&self, host: Uuid, fence: &Fence) -> Result<(), ApiError> {
        let deleted = self.model.call(|inner, _| {
            if !inner.is_held(fence, self.holder) {
                return Err(ApiError::Refused(Refusal::OldEpoch.to_string()));
            }
            inner.data.hosts.remove(&host);
            inner.data.log.push(host);
            Ok(())
        });
        deleted.await?
    }

    async fn enlistments(&self) -> Result<Vec<Enlistment>, ApiError> {
        self.model.call(|_, _| Vec::new()).await
    }

    async fn enlist(&self, listing: &Listing) -> Result<(), ApiError> {
        Err(ApiError::Refused(format!("there is no enlistment {}", listing.number)))
    }

    async fn report_strays(&self, strays: &Strays) -> Result<(), ApiError> {
        let reported = self.model.call(|inner, _| {
            if !inner.is_held(&strays.fence, self.holder) {
                return Err(ApiError::Refused(Refusal::OldEpoch.to_string()));
            }
            assert_eq!(strays.total, strays.listed.len());
            let names = strays.listed.iter().map(|it| it.name.clone()).collect();
            inner.strays.insert(strays.provisioner.clone(), names);
            Ok(())
        });
        reported.await?
    }

    async fn secret(&self, credential: Uuid, _: &Recipient) -> Result<Secret, ApiError> {
        Err(ApiError::Refused(format!("there is no credential {credential}")))
    }
}
