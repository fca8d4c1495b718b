//! The calls of a client of the model.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use underlay_kit::control::Position;
use uuid::Uuid;

use super::leases::is_lease_of;
use super::{HOSTS_PER_PAGE, Inner, ModelClient, cursor, is_taken};
use crate::api::{
    Api, ApiError, Changes, Enlistment, Fence, Hardware, HostPage, HostsStatus, Listing, MAX_REPORTS, Read, Recipient,
    Refusal, Report, Reported, Standing, Strays,
};
use crate::host::{Host, Time};
use crate::machine::Secret;

impl Api for ModelClient {
    async fn hosts_status(&self, known: Option<&Position>) -> Result<HostsStatus, ApiError> {
        self.model.call(|inner, now| inner.status(inner.seen(), known, now)).await
    }

    async fn has_taken_hosts(&self) -> Result<bool, ApiError> {
        self.model.call(|inner, _| inner.seen().hosts.values().any(|host| is_taken(host.state))).await
    }

    async fn site(&self, name: &str) -> Result<Option<Uuid>, ApiError> {
        self.model.call(|inner, _| inner.data.sites.get(name).copied()).await
    }

    async fn hosts(&self, after: Option<String>) -> Result<HostPage, ApiError> {
        let page = self.model.call(|inner, _| {
            let after = after.and_then(|after| after.parse::<Uuid>().ok());
            let rest = inner.seen().hosts.values().filter(|host| after.is_none_or(|after| host.id > after));
            let hosts: Vec<Host> = rest.take(HOSTS_PER_PAGE).cloned().collect();
            let next = if hosts.len() == HOSTS_PER_PAGE { hosts.last().map(|host| host.id.to_string()) } else { None };
            HostPage { hosts, next }
        });
        page.await
    }

    async fn host(&self, id: Uuid, known: Option<&Position>) -> Result<Read, ApiError> {
        let read = self.model.call(|inner, now| Read {
            host: inner.seen().hosts.get(&id).cloned(),
            status: inner.status(inner.seen(), known, now),
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
                let data = inner.seen();
                if after.history != inner.history() || Inner::standing(data, Some(after)) != Standing::Held {
                    return Err(ApiError::NoSuchPosition);
                }
                let hosts = data.log[cursor(after).0..].iter().map(|revised| revised.host);
                Ok(Changes { hosts: hosts.collect(), position: inner.position_of(data) })
            });
            let found = found.await??;
            if !found.hosts.is_empty() {
                return Ok(found);
            }
            drop(changed().await);
        }
        Ok(Changes { hosts: Vec::new(), position: after.clone() })
    }

    async fn report(&self, reports: &[Report], known: Option<&Position>) -> Result<Reported, ApiError> {
        assert!(reports.len() <= MAX_REPORTS);
        let reported = self.model.call(|inner, now| {
            let outcomes: Vec<_> = reports.iter().map(|report| inner.report(report, self.holder, now)).collect();
            inner.refused_reports += outcomes.iter().filter(|it| it.is_err()).count() as u64;
            Reported { outcomes, status: inner.status(&inner.data, known, now) }
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
            inner.log(host);
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

    async fn hardware_reported_at(&self, host: Uuid) -> Result<Option<Time>, ApiError> {
        self.model.call(|inner, _| inner.hardware.get(&host).and_then(|all| all.last()).map(|(at, _)| *at)).await
    }

    async fn report_hardware(&self, hardware: &Hardware) -> Result<(), ApiError> {
        let reported = self.model.call(|inner, now| {
            let Hardware { host, fence, report } = hardware;
            let is_of_host = inner.data.hosts.get(host).is_some_and(|host| is_lease_of(&fence.lease, host));
            if !inner.is_held(fence, self.holder) || !is_of_host {
                return Err(ApiError::Refused(Refusal::OldEpoch.to_string()));
            }
            inner.check_hardware(*host, report);
            inner.hardware.entry(*host).or_default().push((now, report.clone()));
            Ok(())
        });
        reported.await?
    }

    async fn secret(&self, credential: Uuid, _: &Recipient) -> Result<Secret, ApiError> {
        Err(ApiError::Refused(format!("there is no credential {credential}")))
    }
}
