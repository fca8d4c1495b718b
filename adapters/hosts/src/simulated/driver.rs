//! The driver of simulated machines.

use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::address::{AddressError, Settings};
use super::fault::Fault;
use super::world::World;
use crate::host::Power;
use crate::life::PowerAct;
use crate::machine::{BootDevice, CallError, Driver, Found, HardwareReader, Identity, Target};

impl Driver for World {
    fn identify<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(async move {
            let machine = self.reach(target).await?;
            if self.has_fault(&machine.name, Fault::TellsNothing) {
                return Ok(Identity::default());
            }
            Ok(self.identity(&machine.name))
        })
    }

    fn enumerate<'a>(&'a self, appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        Box::pin(async move {
            let found = self.list(&appliance.url).map_err(refused)?;
            sleep(Settings::parse(&appliance.url).map_err(refused)?.delay).await;
            Ok(found)
        })
    }

    fn power<'a>(&'a self, target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(async move {
            let machine = self.reach(target).await?;
            if self.has_fault(&machine.name, Fault::PowerUnknown) {
                return Ok(Power::Unknown);
            }
            Ok(self.look(&machine.name))
        })
    }

    fn named(&self, target: &Target) -> Identity {
        Settings::parse(&target.url).map(|machine| self.identity(&machine.name)).unwrap_or_default()
    }

    fn set_power<'a>(&'a self, target: &'a Target, act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move {
            let Settings { name, delay, .. } = self.reached(target)?;
            if self.has_fault(&name, Fault::PowerTimeout) {
                return never().await;
            }
            if self.has_fault(&name, Fault::PowerRefused) {
                let message = "the BMC refuses to change the power (simulated)".to_owned();
                return Err(CallError::Refused { reason: "PowerRefused".to_owned(), message });
            }
            let stays = act == PowerAct::Off && self.has_fault(&name, Fault::StaysOn);
            if !stays && !self.has_fault(&name, Fault::PowerIgnored) {
                self.switch(&name, act, delay);
            }
            if self.has_fault(&name, Fault::PowerLate) {
                return never().await;
            }
            sleep(delay).await;
            Ok(())
        })
    }

    fn set_boot<'a>(&'a self, target: &'a Target, device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(async move {
            let machine = self.reach(target).await?;
            let from_network = device == BootDevice::Network && !self.has_fault(&machine.name, Fault::BootIgnored);
            self.set_boot(&machine.name, from_network);
            Ok(())
        })
    }

    fn hardware(&self) -> Option<&dyn HardwareReader> {
        Some(self)
    }
}

impl World {
    /// Reaches the BMC of a machine, which takes its delay.
    pub(super) async fn reach(&self, target: &Target) -> Result<Settings, CallError> {
        let machine = self.reached(target)?;
        sleep(machine.delay).await;
        Ok(machine)
    }

    fn reached(&self, target: &Target) -> Result<Settings, CallError> {
        let machine = self.machine(&target.url).map_err(refused)?;
        if self.has_fault(&machine.name, Fault::Unreachable) {
            return Err(CallError::NotMade { reason: "the BMC refuses the connection (simulated)".to_owned() });
        }
        Ok(machine)
    }
}

/// Waits for an answer that never comes. The caller has a time-out.
async fn never() -> Result<(), CallError> {
    sleep(Duration::from_secs(86_400)).await;
    Err(CallError::Unanswered { reason: "the BMC does not answer (simulated)".to_owned() })
}

fn refused(error: AddressError) -> CallError {
    CallError::Refused { reason: "WrongAddress".to_owned(), message: error.to_string() }
}
