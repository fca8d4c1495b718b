//! Calls of drivers and provisioners, each within its time-out and within the lease of the host.

use std::future::Future;
use std::sync::Arc;

use tokio::time::Instant;
use underlay_address::{Address, NotPermitted, permits};
use underlay_kit::control::{Cut, bounded};
use uuid::Uuid;

use super::Shared;
use super::pass::fence;
use crate::api::{Api, Recipient};
use crate::host::{Host, StepName};
use crate::life::{Act, Attempt, Duty, ManagedBy, PowerAct};
use crate::machine::{BootDevice, CallError, Driver, Secret, Target};
use crate::provisioner::{Call, Job, Progress, Provisioner};

/// The means to work on one host.
#[derive(Clone)]
pub struct HostBackends {
    /// The driver of its machine.
    pub driver: Arc<dyn Driver>,
    pub provisioner: Option<Arc<dyn Provisioner>>,
}

impl HostBackends {
    /// Returns the way in which the machine is worked on.
    pub fn managed_by(&self) -> ManagedBy {
        match &self.provisioner {
            Some(provisioner) if provisioner.owns_machine() => ManagedBy::ProvisionerAlone,
            Some(_) => ManagedBy::DriverAndProvisioner,
            None => ManagedBy::DriverAlone,
        }
    }
}

/// The end of an act.
pub enum ActOutcome {
    /// A driver accepted it, or it failed.
    Attempt(Attempt),
    /// A provisioner answered.
    Progress(Progress),
}

impl<A: Api> Shared<A> {
    /// Returns the means to work on a host.
    ///
    /// # Errors
    /// Returns an error if this controller has no driver or provisioner for the host.
    pub(super) fn backends(&self, host: &Host) -> Result<HostBackends, CallError> {
        let provisioner = self.provisioners.of(host)?;
        Ok(HostBackends { driver: self.drivers.of(host.bmc_url.as_deref())?, provisioner })
    }

    /// Returns the machine of a host, as its driver reaches it.
    ///
    /// # Errors
    /// Returns an error if the credential cannot be read.
    pub(super) async fn target(&self, host: &Host) -> Result<Target, CallError> {
        let recipient = Recipient {
            object: host.id,
            url: host.bmc_url.clone(),
            insecure: host.bmc_insecure,
            trusted_cas: host.bmc_trusted_cas.clone(),
        };
        let secret = self.secret(&recipient, host.bmc_credential).await?;
        Ok(Target {
            url: host.bmc_url.clone().unwrap_or_default(),
            uid: host.uid.clone(),
            boot_mac: host.boot_mac.clone(),
            boot_mode: host.boot_mode,
            secret,
            insecure: host.bmc_insecure,
            trusted_cas: host.bmc_trusted_cas.clone(),
        })
    }

    /// Reads the credential of a machine or of an appliance, for the connection that is about to be opened.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, if the machine or the appliance has another address by now, or if it is one
    /// that the driver of the address cannot use.
    pub(super) async fn secret(
        &self,
        recipient: &Recipient,
        credential: Option<Uuid>,
    ) -> Result<Option<Secret>, CallError> {
        let Some(credential) = credential else { return Ok(None) };
        let url = recipient.url.as_deref();
        let secret = self.api.secret(credential, recipient).await;
        let secret = secret.map_err(|error| CallError::NotMade { reason: format!("the credential: {error}") })?;
        let secret = for_address(url, secret)?;
        if secret.key.is_some() && !self.drivers.of(url)?.takes_keys() {
            let message = "the credential has a private key, and the driver of the address needs a password: use one of the \
                           type BASIC";
            return Err(CallError::Refused { reason: "WrongCredential".to_owned(), message: message.to_owned() });
        }
        Ok(Some(secret))
    }

    /// Makes the act of a step for the first time.
    pub(super) async fn make(&self, backends: &HostBackends, host: &Host, step: StepName, act: Act) -> ActOutcome {
        let target = match self.target(host).await {
            Ok(target) => target,
            Err(error) => return ActOutcome::Attempt(attempt(Err(error))),
        };
        if act.is_for_one_machine(host.state)
            && let Err(error) = self.check_machine(backends, host, act).await
        {
            return ActOutcome::Attempt(attempt(Err(not_made(error))));
        }
        match act {
            Act::Look => {
                ActOutcome::Attempt(attempt(self.look_at_machine(backends, host).await.map(drop).map_err(not_made)))
            }
            Act::Provision(duty) => match self.begin_work(backends, host, step, duty, Some(&target)).await {
                Ok(progress) => ActOutcome::Progress(progress),
                Err(error) => ActOutcome::Attempt(attempt(Err(error))),
            },
            Act::BootNetwork => {
                ActOutcome::Attempt(attempt(self.boot(backends, host, &target, BootDevice::Network).await))
            }
            Act::BootLocal => ActOutcome::Attempt(attempt(self.boot(backends, host, &target, BootDevice::Local).await)),
            Act::Power(act) => ActOutcome::Attempt(attempt(self.power(backends, host, &target, act).await)),
        }
    }

    async fn boot(
        &self,
        backends: &HostBackends,
        host: &Host,
        target: &Target,
        device: BootDevice,
    ) -> Result<(), CallError> {
        self.within(host.id, backends.driver.set_boot(target, device)).await
    }

    async fn power(
        &self,
        backends: &HostBackends,
        host: &Host,
        target: &Target,
        act: PowerAct,
    ) -> Result<(), CallError> {
        match &backends.provisioner {
            Some(provisioner) if provisioner.owns_machine() => {
                self.within(host.id, provisioner.power(host, target, act)).await
            }
            _ => self.within(host.id, backends.driver.set_power(target, act)).await,
        }
    }

    /// Has a provisioner begin a duty.
    pub(super) async fn begin_work(
        &self,
        backends: &HostBackends,
        host: &Host,
        step: StepName,
        duty: Duty,
        target: Option<&Target>,
    ) -> Result<Progress, CallError> {
        let fence = self.held(host.id).as_ref().map(fence);
        let fence = fence.as_ref();
        let job = Job { host, order: host.order_key(), step, duty, call: Call::Begin, target, fence };
        self.provision(backends, job).await
    }

    /// Asks a provisioner how a duty comes on.
    pub(super) async fn ask_for_progress(
        &self,
        backends: &HostBackends,
        host: &Host,
        step: StepName,
        duty: Duty,
    ) -> Result<Progress, CallError> {
        let fence = self.held(host.id).as_ref().map(fence);
        let fence = fence.as_ref();
        let job = Job { host, order: host.order_key(), step, duty, call: Call::Continue, target: None, fence };
        self.provision(backends, job).await
    }

    async fn provision(&self, backends: &HostBackends, job: Job<'_>) -> Result<Progress, CallError> {
        let Some(provisioner) = &backends.provisioner else {
            // A host that can only be powered has nothing to detach or to forget.
            return Ok(Progress::Done { facts: None });
        };
        self.within(job.host.id, provisioner.work(job)).await
    }

    /// Makes a call that changes something, if the lease of the host lasts longer than the call can take, and the host is
    /// at the site of the controller. Both are looked at right before the call begins. Before, the newest position is
    /// written to the disk: it is at least that of the step which the call is made for.
    async fn within<T>(&self, host: Uuid, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        self.safety.settle().await.map_err(|reason| CallError::NotMade { reason })?;
        let end = Instant::now() + self.timing.call;
        if self.held(host).is_none_or(|held| held.until <= end) {
            return Err(CallError::NotMade { reason: "the lease of the host ends too soon".to_owned() });
        }
        if self.may_have_moved(host) {
            return Err(CallError::NotMade { reason: "the host was read too long ago".to_owned() });
        }
        self.bounded(end, call).await
    }

    /// Makes a call that changes nothing, within its time-out.
    pub(super) async fn look_at<T>(&self, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        self.bounded(Instant::now() + self.timing.call, call).await
    }

    async fn bounded<T>(&self, end: Instant, call: impl Future<Output = Result<T, CallError>>) -> Result<T, CallError> {
        bounded(end, call).await.unwrap_or_else(|Cut| {
            let seconds = self.timing.call.as_secs();
            Err(CallError::Unanswered { reason: format!("there was no answer within {seconds} s") })
        })
    }
}

/// Returns a credential for an address, with the allowed hosts that count for its transport. Refuses one that is not for the
/// host or the transport of the address. For a name that only a network could allow, the drivers look at its addresses.
fn for_address(url: Option<&str>, mut secret: Secret) -> Result<Secret, CallError> {
    let Some(address) = url.and_then(|url| Address::parse(url).ok()).filter(|address| address.scheme.connects()) else {
        return Ok(secret);
    };
    let message = match permits(&secret.allowed_hosts, &address) {
        Ok(_) => {
            secret.allowed_hosts.retain(|allowed| allowed.is_for(address.transport));
            return Ok(secret);
        }
        Err(NotPermitted::Host(host)) => format!(
            "the credential is not for the host {host}: add it to allowedHosts of the credential, or use another credential"
        ),
        Err(refused) => format!("the credential {refused}"),
    };
    Err(CallError::Refused { reason: "WrongCredential".to_owned(), message })
}

/// Returns the error of a call that changes nothing: it may be made again, also if it got no answer.
fn not_made(error: CallError) -> CallError {
    match error {
        CallError::Unanswered { reason } => CallError::NotMade { reason },
        error => error,
    }
}

/// Returns the fate of an act by the end of its call.
pub fn attempt(ended: Result<(), CallError>) -> Attempt {
    match ended {
        Ok(()) => Attempt::Answered,
        Err(CallError::NotMade { reason }) => Attempt::NotMade { reason },
        Err(CallError::Unanswered { reason }) => Attempt::Unanswered { reason },
        Err(CallError::Refused { reason, message }) => Attempt::Refused { reason, message },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credential_is_sent_only_to_the_hosts_that_it_is_for() {
        let secret = |allowed: &[&str]| Secret {
            allowed_hosts: allowed.iter().map(|text| text.parse().unwrap()).collect(),
            ..Secret::default()
        };
        for (url, allowed, is_refused) in [
            (Some("redfish://10.0.0.7"), &[][..], false),
            (Some("redfish://10.0.0.7"), &["10.0.0.0/24"], false),
            (Some("redfish://10.0.1.7"), &["10.0.0.0/24"], true),
            (Some("ipmi://10.0.0.7:6230"), &["bmc-1"], true),
            (Some("libvirt+tls://BMC-1/system"), &["bmc-1"], false),
            (Some("redfish://bmc-2"), &["bmc-1"], true),
            // It depends on the addresses of the name.
            (Some("redfish://bmc-2"), &["10.0.0.0/24"], false),
            (Some("simulated://a"), &["10.0.0.0/24"], false),
            (None, &["10.0.0.0/24"], false),
        ] {
            let refused = for_address(url, secret(allowed));
            assert_eq!(refused.is_err(), is_refused, "{url:?} {allowed:?}");
            if let Err(error) = refused {
                assert!(error.to_string().contains("add it to allowedHosts of the credential"), "{error}");
            }
        }
    }

    #[test]
    fn a_credential_is_sent_over_plain_http_only_to_the_hosts_that_it_names_for_that() {
        for (url, allowed, left) in [
            ("redfish+http://10.0.0.7", &[][..], Some(&[][..])),
            ("redfish+http://10.0.0.7", &["10.0.0.0/24"], None),
            ("redfish+http://10.0.0.7", &["10.0.0.0/24", "http://10.0.0.7/32"], Some(&["http://10.0.0.7/32"])),
            ("redfish://10.0.0.7", &["http://10.0.0.7/32"], Some(&["http://10.0.0.7/32"])),
            // The name must not have an address that is listed without plain HTTP.
            ("redfish+http://bmc-2", &["10.0.0.0/24", "http://10.1.0.0/24"], Some(&["http://10.1.0.0/24"])),
            ("redfish+http://bmc-2", &["10.0.0.0/24", "bmc-2"], None),
        ] {
            let allowed_hosts = allowed.iter().map(|text| text.parse().unwrap()).collect();
            match (for_address(Some(url), Secret { allowed_hosts, ..Secret::default() }), left) {
                (Ok(secret), Some(left)) => {
                    let found: Vec<String> = secret.allowed_hosts.iter().map(ToString::to_string).collect();
                    assert_eq!(found, left, "{url} {allowed:?}");
                }
                (Err(error), None) => assert!(error.to_string().contains("plain HTTP"), "{error}"),
                (found, _) => panic!("{url} {allowed:?}: {:?}", found.map(drop)),
            }
        }
    }
}
