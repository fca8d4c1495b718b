//! A call to a hypervisor: the domain is looked at first, and then it is changed.

use tokio::sync::OwnedSemaphorePermit;
use uuid::Uuid;

use super::domain::{Domain, NAMESPACE, all, booting_from, marker_of};
use super::output::{Info, info_of};
use super::refused;
use super::virsh::Virsh;
use crate::life::PowerAct;
use crate::machine::{BootDevice, CallError, Found, Target};

/// The maximum number of domains of a hypervisor.
const MAX_DOMAINS: usize = 1_000;
/// The number of domains that are read by one run.
const AT_ONCE: usize = 100;

/// A call to a hypervisor.
pub struct Session<'a> {
    /// The connection.
    pub virsh: Virsh<'a>,
    /// The turn, which ends with the call.
    pub _turn: Option<OwnedSemaphorePermit>,
}

/// A change of a domain's power that was prepared.
#[derive(Debug)]
pub enum Change {
    /// The domain is as it should be.
    Nothing,
    /// It is asked to shut down.
    Shutdown,
    /// It is switched off.
    Destroy,
    /// It is switched on.
    Start(Start),
    /// It is switched off and then on.
    Restart(Start),
}

/// The way in which a domain is switched on.
#[derive(Debug)]
pub enum Start {
    /// As its definition says.
    Usual,
    /// Once with this XML, which is its definition with another boot order. The definition itself does not change.
    Once(BootDevice, String),
}

/// The kind of a change of power, by the state of a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The domain is as it should be.
    Nothing,
    /// It is asked to shut down.
    Shutdown,
    /// It is switched off.
    Destroy,
    /// It is switched on.
    Start,
    /// It is switched off and then on. A reset would keep the boot order with which the domain was switched on.
    Restart,
}

/// Returns the step for a change of power.
pub const fn step_of(act: PowerAct, is_active: bool) -> Step {
    match (act, is_active) {
        (PowerAct::On, true) | (PowerAct::Off | PowerAct::ForceOff, false) => Step::Nothing,
        (PowerAct::On | PowerAct::Cycle, false) => Step::Start,
        (PowerAct::Off, true) => Step::Shutdown,
        (PowerAct::ForceOff, true) => Step::Destroy,
        (PowerAct::Cycle, true) => Step::Restart,
    }
}

impl Session<'_> {
    /// Returns the state of the domain.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is another machine than the host.
    pub async fn info(&self) -> Result<Info, CallError> {
        let domain = self.virsh.address.domain()?.to_string();
        let call = ["dominfo", &domain];
        let ended = self.virsh.read(&call).await?;
        self.info_in(&call, &ended.output)
    }

    /// Returns the definition of the domain.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or is that of another machine than the host.
    pub async fn domain(&self) -> Result<Domain, CallError> {
        let domain = self.virsh.address.domain()?.to_string();
        let call = ["dumpxml", "--inactive", &domain];
        let ended = self.virsh.read(&call).await?;
        self.domain_in(&call, &ended.output)
    }

    /// Lists the domains of the hypervisor, or the one that the address names.
    ///
    /// # Errors
    /// Returns an error if one of them cannot be read.
    pub async fn list(&self) -> Result<Vec<Found>, CallError> {
        let found = |domain: &Domain| Found {
            name: domain.name.clone(),
            url: self.virsh.address.url_of(domain.uuid),
            identity: domain.identity(),
            boot_mac: domain.boot_mac.clone(),
        };
        if self.virsh.address.domain.is_some() {
            return Ok(vec![found(&self.domain().await?)]);
        }
        let mut listed = Vec::new();
        for part in self.uuids().await?.chunks(AT_ONCE) {
            let command = "dumpxml --inactive";
            let ended = self.virsh.read_all(command, part).await?;
            let domains = all(&ended.output).map_err(|error| self.virsh.unread(&[command], &error.to_string()))?;
            for uuid in part {
                match domains.get(uuid) {
                    Some(domain) => listed.push(found(domain)),
                    None if ended.says_gone(*uuid) => {}
                    None => return Err(self.virsh.unread(&[command], &format!("its answer lacks the domain {uuid}"))),
                }
            }
        }
        Ok(listed)
    }

    async fn uuids(&self) -> Result<Vec<Uuid>, CallError> {
        let call = ["list", "--all", "--uuid"];
        let ended = self.virsh.read(&call).await?;
        let lines = ended.output.lines().map(str::trim).filter(|line| !line.is_empty());
        let uuids: Result<Vec<Uuid>, _> = lines.map(Uuid::parse_str).collect();
        let uuids = uuids.map_err(|error| self.virsh.unread(&call, &format!("its answer has no UUID: {error}")))?;
        if uuids.len() > MAX_DOMAINS {
            let message =
                format!("{}: the hypervisor has more than {MAX_DOMAINS} domains", self.virsh.address.appliance);
            return Err(refused("TooManyDomains", message));
        }
        Ok(uuids)
    }

    /// Looks at the domain, and prepares a change of its power.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or if the change is refused.
    pub async fn prepare(&self, act: PowerAct, target: &Target) -> Result<Change, CallError> {
        let (info, xml) = self.look().await?;
        let step = step_of(act, info.is_active);
        if !info.is_persistent && matches!(step, Step::Shutdown | Step::Destroy | Step::Restart) {
            let reason = "the domain is transient and would be lost: define it at the hypervisor (virsh define)";
            return Err(self.refuse("PowerRefused", reason));
        }
        Ok(match step {
            Step::Nothing => Change::Nothing,
            Step::Shutdown => Change::Shutdown,
            Step::Destroy => Change::Destroy,
            Step::Start => Change::Start(self.prepare_start(&info, &xml, target).await?),
            Step::Restart => Change::Restart(self.prepare_start(&info, &xml, target).await?),
        })
    }

    async fn prepare_start(&self, info: &Info, xml: &str, target: &Target) -> Result<Start, CallError> {
        let domain = info.uuid.to_string();
        let Some(device) = self.domain_in(&["dumpxml"], xml)?.once else { return Ok(Start::Usual) };
        if info.is_saved {
            let reason = "the memory of the domain is saved, and it would go on from there: remove it (virsh \
                          managedsave-remove), or start the domain by hand first";
            return Err(self.refuse("BootRefused", reason));
        }
        // The passwords of consoles are left out of the other reads. Without them, the consoles would be open.
        let ended = self.virsh.read(&["dumpxml", "--inactive", "--security-info", &domain]).await?;
        let made = booting_from(&ended.output, device, target.boot_mac.as_deref());
        let made = made.map_err(|reason| self.refuse("BootRefused", &reason.to_string()))?;
        Ok(Start::Once(device, made))
    }

    /// Makes a change of power.
    ///
    /// # Errors
    /// Returns an error if the hypervisor refuses, or if nobody knows if it did it.
    pub async fn make(&self, change: Change) -> Result<(), CallError> {
        let domain = self.virsh.address.domain()?.to_string();
        match change {
            Change::Nothing => Ok(()),
            Change::Shutdown => self.virsh.change(&["shutdown", &domain], None, "PowerRefused").await,
            Change::Destroy => self.virsh.change(&["destroy", &domain], None, "PowerRefused").await,
            Change::Start(start) => self.start(start, &domain).await,
            Change::Restart(start) => {
                self.virsh.change(&["destroy", &domain], None, "PowerRefused").await?;
                self.start(start, &domain).await.map_err(half_done)
            }
        }
    }

    async fn start(&self, start: Start, domain: &str) -> Result<(), CallError> {
        let (device, xml) = match start {
            Start::Usual => return self.virsh.change(&["start", domain], None, "PowerRefused").await,
            Start::Once(device, xml) => (device, xml),
        };
        // The wish goes first, so that the domain never boots twice from the device.
        self.virsh.change(&["metadata", domain, NAMESPACE, "--config", "--remove"], None, "BootRefused").await?;
        let created = self.virsh.change(&["create", "/dev/stdin"], Some(&xml), "PowerRefused").await;
        match created {
            Err(error @ (CallError::NotMade { .. } | CallError::Refused { .. })) => {
                // The domain did not boot, so the wish is as it was. If that fails, the order fails with this reason.
                self.wish(device, domain).await.map_err(half_done)?;
                Err(error)
            }
            ended => ended,
        }
    }

    /// Sets the device that the domain boots from the next time that it is switched on here, and only then.
    ///
    /// # Errors
    /// Returns an error if the hypervisor refuses, or if nobody knows if it did it.
    pub async fn wish(&self, device: BootDevice, domain: &str) -> Result<(), CallError> {
        let set = ["metadata", domain, NAMESPACE, "--config", "--key", "underlay", "--set", marker_of(device)];
        self.virsh.change(&set, None, "BootRefused").await
    }

    /// Checks that the domain can boot from a device once.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or cannot boot from the device.
    pub async fn prepare_boot(&self, device: BootDevice, target: &Target) -> Result<Uuid, CallError> {
        let (info, xml) = self.look().await?;
        if !info.is_persistent {
            let reason =
                "the domain is transient and has no boot order to set: define it at the hypervisor (virsh define)";
            return Err(self.refuse("BootRefused", reason));
        }
        match booting_from(&xml, device, target.boot_mac.as_deref()) {
            Ok(_) => Ok(info.uuid),
            Err(reason) => Err(self.refuse("BootRefused", &reason.to_string())),
        }
    }

    /// Reads the state and the definition of the domain by one run.
    async fn look(&self) -> Result<(Info, String), CallError> {
        let domain = self.virsh.address.domain()?;
        let commands = format!("dominfo {domain}; dumpxml --inactive {domain}");
        let call = [commands.as_str()];
        let ended = self.virsh.read(&call).await?;
        let xml = ended.output.find("<domain").unwrap_or(ended.output.len());
        let (info, xml) = ended.output.split_at(xml);
        let info = self.info_in(&call, info)?;
        self.domain_in(&call, xml)?;
        Ok((info, xml.to_owned()))
    }

    fn info_in(&self, call: &[&str], output: &str) -> Result<Info, CallError> {
        let info = info_of(output);
        let info = info.map_err(|line| self.virsh.unread(call, &format!("its answer has no line {line:?}")))?;
        self.virsh.address.refuse_other(info.uuid)?;
        Ok(info)
    }

    fn domain_in(&self, call: &[&str], xml: &str) -> Result<Domain, CallError> {
        let domain = Domain::parse(xml).map_err(|error| self.virsh.unread(call, &error.to_string()))?;
        self.virsh.address.refuse_other(domain.uuid)?;
        Ok(domain)
    }

    fn refuse(&self, word: &str, reason: &str) -> CallError {
        refused(word, format!("{}: {reason}", self.virsh.address.appliance))
    }
}

/// Returns the error of the second part of a change whose first part was made, so that it is not made from the beginning.
fn half_done(error: CallError) -> CallError {
    match error {
        CallError::NotMade { reason } | CallError::Unanswered { reason } => {
            CallError::Unanswered { reason: format!("{reason}; a part of the change was made before") }
        }
        CallError::Refused { reason, message } => CallError::Refused {
            reason,
            message: format!("{message}; a part of the change was made before: look at the machine"),
        },
    }
}
