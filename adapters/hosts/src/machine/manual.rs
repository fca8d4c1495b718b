//! Machines without a BMC: a person switches them on and off.

use futures_util::future::{BoxFuture, ready};

use super::{BootDevice, CallError, Driver, Found, Identity, Target};
use crate::host::Power;
use crate::life::PowerAct;

/// The driver of machines that a person switches by hand. Its acts always succeed: the condition `ByHand` of the host
/// asks for them, and the evidence shows when they were done.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manual;

impl Driver for Manual {
    fn identify<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<Identity, CallError>> {
        Box::pin(ready(Ok(Identity::default())))
    }

    fn enumerate<'a>(&'a self, _appliance: &'a Target) -> BoxFuture<'a, Result<Vec<Found>, CallError>> {
        let message = "machines that are switched by hand cannot be listed; enter each of them".to_owned();
        Box::pin(ready(Err(CallError::Refused { reason: "NotListed".to_owned(), message })))
    }

    fn power<'a>(&'a self, _target: &'a Target) -> BoxFuture<'a, Result<Power, CallError>> {
        Box::pin(ready(Ok(Power::Unknown)))
    }

    fn set_power<'a>(&'a self, _target: &'a Target, _act: PowerAct) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(ready(Ok(())))
    }

    fn set_boot<'a>(&'a self, _target: &'a Target, _device: BootDevice) -> BoxFuture<'a, Result<(), CallError>> {
        Box::pin(ready(Ok(())))
    }

    fn is_by_hand(&self) -> bool {
        true
    }
}
