//! Lists the machines of appliances when people order it, so that the server makes hosts of them. This changes nothing
//! outside.

use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tokio::sync::watch;
use tokio::time::sleep;
use underlay_kit::control::{Held, jitter, stopped};

use super::Shared;
use crate::api::{Api, Enlistment, Fence, Listed, Listing, MAX_REPORTS, Recipient};
use crate::host::Power;
use crate::machine::{CallError, Driver, Found, Target};

/// The time between two looks for orders.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The number of machines whose power is looked at at once.
const AT_ONCE: usize = 64;

impl<A: Api> Shared<A> {
    /// Lists machines when it is ordered, until it is asked to stop.
    pub(super) async fn enlist(&self, mut stop: watch::Receiver<bool>) {
        loop {
            tokio::select! {
                biased;
                () = stopped(&mut stop) => return,
                () = sleep(jitter(POLL_INTERVAL)) => {}
            }
            // Orders wait in the server, so a look that fails is made again.
            let Ok(open) = self.api.enlistments().await else { continue };
            for order in open {
                let Some(held) = self.held(order.appliance) else { continue };
                if self.is_here(order.site) && self.scope.serves_appliance(&order) {
                    // The order stays open, and is done again.
                    drop(self.list(&order, &held).await);
                }
            }
        }
    }

    async fn list(&self, order: &Enlistment, held: &Held) -> Result<(), crate::api::ApiError> {
        let (machines, error) = match self.machines_of(order).await {
            Ok(machines) => (machines, None),
            Err(error) => (Vec::new(), Some(error.to_string())),
        };
        let fence = Fence { lease: held.name.clone(), epoch: held.epoch };
        let mut rest = machines.as_slice();
        loop {
            let (part, more) = rest.split_at(rest.len().min(MAX_REPORTS));
            let listing = Listing {
                appliance: order.appliance,
                number: order.number,
                fence: fence.clone(),
                machines: part.to_vec(),
                more: !more.is_empty(),
                error: error.clone(),
            };
            self.api.enlist(&listing).await?;
            if more.is_empty() {
                return Ok(());
            }
            rest = more;
        }
    }

    async fn machines_of(&self, order: &Enlistment) -> Result<Vec<Listed>, CallError> {
        let driver = self.drivers.of(order.url.as_deref())?;
        let recipient = Recipient { object: order.appliance, url: order.url.clone(), ..Recipient::default() };
        let secret = self.secret(&recipient, order.credential).await?;
        let target = Target { url: order.url.clone().unwrap_or_default(), secret, ..Target::default() };
        let found = self.look_at(driver.enumerate(&target)).await?;
        let listed = stream::iter(found).map(|machine| self.listed(&*driver, &target, order, machine));
        Ok(listed.buffered(AT_ONCE).collect().await)
    }

    /// Looks at the power of a machine, if that decides about its discovery.
    async fn listed(&self, driver: &dyn Driver, appliance: &Target, order: &Enlistment, machine: Found) -> Listed {
        let Found { name, url, identity, boot_mac } = machine;
        let (uid, serial) = match identity.uuid {
            Some(uuid) => (Some(uuid), identity.serial),
            None => (identity.serial, None),
        };
        let (address, own_uid, mac) = (url.clone(), uid.clone(), boot_mac.clone());
        let target =
            Target { url: address, uid: own_uid, boot_mac: mac, secret: appliance.secret.clone(), ..Target::default() };
        let power = match order.discover {
            true => self.look_at(driver.power(&target)).await.unwrap_or(Power::Unknown),
            false => Power::Unknown,
        };
        Listed { name, url, uid, serial, boot_mac, power }
    }
}
