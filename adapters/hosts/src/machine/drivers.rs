//! The drivers of a controller, by the schemes of addresses.

use std::sync::Arc;

use underlay_address::{Address, Scheme};

use super::{CallError, Driver, Manual};

/// The drivers of a controller.
#[derive(Clone, Default)]
pub struct Drivers {
    by_scheme: Vec<(Scheme, Arc<dyn Driver>)>,
}

impl Drivers {
    /// Returns the drivers with one more, which serves a scheme.
    #[must_use]
    pub fn with(mut self, scheme: Scheme, driver: Arc<dyn Driver>) -> Self {
        self.by_scheme.retain(|(other, _)| *other != scheme);
        self.by_scheme.push((scheme, driver));
        self
    }

    /// Returns the driver for an address. A machine without an address is switched by hand.
    ///
    /// # Errors
    /// Returns an error that names the schemes of this controller, if the address has another one.
    pub fn of(&self, url: Option<&str>) -> Result<Arc<dyn Driver>, CallError> {
        let Some(url) = url else { return Ok(Arc::new(Manual)) };
        let refused = |reason: &str, message: String| CallError::Refused { reason: reason.to_owned(), message };
        let address = Address::parse(url).map_err(|error| refused("WrongAddress", format!("bmcUrl {error}")))?;
        let found = self.by_scheme.iter().find(|(scheme, _)| *scheme == address.scheme);
        found.map(|(_, driver)| Arc::clone(driver)).ok_or_else(|| {
            let known: Vec<&str> = self.by_scheme.iter().map(|(scheme, _)| scheme.name()).collect();
            let (name, known) = (address.scheme.name(), known.join(", "));
            refused("NoDriver", format!("this controller has no driver for {name}://; it has drivers for: {known}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulated::World;

    #[test]
    fn an_address_finds_its_driver_or_a_sentence_that_lists_them() {
        let drivers = Drivers::default().with(Scheme::Simulated, Arc::new(World::default()));
        assert!(drivers.of(None).unwrap().is_by_hand());
        assert!(!drivers.of(Some("simulated://a")).unwrap().is_by_hand());
        for (url, reason, sentence) in [
            ("redfish://10.0.0.7", "NoDriver", "no driver for redfish://; it has drivers for: simulated"),
            ("simulated://a?colour=red", "WrongAddress", "unknown parameter \"colour\""),
            ("telnet://a", "WrongAddress", "unknown scheme"),
        ] {
            let Some(CallError::Refused { reason: found, message }) = drivers.of(Some(url)).err() else {
                panic!("{url} has a driver")
            };
            assert!(found == reason && message.contains(sentence), "{url}: {found}: {message}");
        }
    }
}
