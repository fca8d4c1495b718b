//! Reads the addresses of simulated machines.

use std::time::Duration;

use thiserror::Error;
use underlay_address::{Address, Scheme};

use super::fault::Fault;

/// The maximum number of machines of a simulated appliance.
const MAX_MACHINES: u32 = 10_000;
/// The longest delay of a simulated machine.
const MAX_DELAY: Duration = Duration::from_secs(3_600);

/// The name of a simulated machine or appliance, and its behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    pub name: String,
    /// The faults that it has.
    pub faults: Vec<Fault>,
    /// The time that each of its acts takes.
    pub delay: Duration,
    /// The number of machines of an appliance.
    pub machines: u32,
    /// The seed by which the faults come at random; without it they come every time.
    pub seed: Option<u64>,
}

/// The reason why an address is not one of a simulated machine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// The text is not an address.
    #[error("the address {0}")]
    Address(#[from] underlay_address::AddressError),
    /// The address has another scheme.
    #[error("the address must begin with simulated://")]
    Scheme,
    /// The fault does not exist.
    #[error("the address has the unknown fault {name:?}; allowed are {}", faults())]
    Fault {
        /// The name of the fault.
        name: String,
    },
    /// The delay is not a time.
    #[error("the address has the delay {text:?}; allowed are times up to an hour, such as 200ms, 5s or 2m")]
    Delay {
        /// The text of the delay.
        text: String,
    },
    /// A number is none, or is out of bounds.
    #[error("the address has {text:?} for {name}; allowed are numbers from {least} to {most}")]
    Number {
        /// The name of the parameter.
        name: &'static str,
        /// The text of the number.
        text: String,
        /// The least number.
        least: u64,
        /// The largest number.
        most: u64,
    },
}

fn faults() -> String {
    Fault::ALL.map(|(name, _)| name).join(", ")
}

impl Settings {
    /// Reads an address.
    ///
    /// # Errors
    /// Returns the first thing that is wrong with it, and what is allowed.
    pub fn parse(url: &str) -> Result<Self, AddressError> {
        let address = Address::parse(url)?;
        if address.scheme != Scheme::Simulated {
            return Err(AddressError::Scheme);
        }
        let fault = |name: &str| name.parse().map_err(|()| AddressError::Fault { name: name.to_owned() });
        Ok(Self {
            name: address.host.to_string(),
            faults: match address.parameter("fault") {
                Some(names) => names.split(',').map(fault).collect::<Result<_, _>>()?,
                None => Vec::new(),
            },
            delay: address.parameter("delay").map(delay).transpose()?.unwrap_or_default(),
            machines: match address.parameter("machines") {
                Some(text) => number("machines", text, 1, MAX_MACHINES.into())? as u32,
                None => 1,
            },
            seed: address.parameter("seed").map(|text| number("seed", text, 0, u64::MAX)).transpose()?,
        })
    }
}

fn number(name: &'static str, text: &str, least: u64, most: u64) -> Result<u64, AddressError> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| AddressError::Number { name, text: text.to_owned(), least, most })
}

fn delay(text: &str) -> Result<Duration, AddressError> {
    let wrong = || AddressError::Delay { text: text.to_owned() };
    let digits = text.find(|it: char| !it.is_ascii_digit()).ok_or_else(wrong)?;
    let (number, unit) = text.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let millis = match unit {
        "ms" => Some(number),
        "s" => number.checked_mul(1_000),
        "m" => number.checked_mul(60_000),
        _ => None,
    };
    millis.map(Duration::from_millis).filter(|delay| *delay <= MAX_DELAY).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_the_machine_and_its_behaviour() {
        let settings = Settings::parse("simulated://rack1?fault=power-late,stays-on&delay=200ms&machines=16&seed=7");
        let expected = Settings {
            name: "rack1".to_owned(),
            faults: vec![Fault::PowerLate, Fault::StaysOn],
            delay: Duration::from_millis(200),
            machines: 16,
            seed: Some(7),
        };
        assert_eq!(settings, Ok(expected));
        assert_eq!(Settings::parse("simulated://a?delay=2m").unwrap().delay, Duration::from_secs(120));
    }

    #[test]
    fn rejects_unknown_parameters_with_the_allowed_ones() {
        for (url, sentence) in [
            ("simulated://a?fault=fire", "unknown fault \"fire\"; allowed are unreachable, power-timeout, power-late"),
            ("simulated://a?fault=", "unknown fault \"\""),
            ("simulated://a?delay=5", "the delay \"5\"; allowed are times up to an hour"),
            ("simulated://a?delay=2h", "the delay \"2h\""),
            ("simulated://a?delay=99999999999999999999s", "the delay"),
            ("simulated://a?machines=0", "\"0\" for machines; allowed are numbers from 1 to 10000"),
            ("simulated://a?seed=-1", "\"-1\" for seed"),
            ("simulated://a?colour=red", "unknown parameter \"colour\""),
            ("redfish://10.0.0.7", "must begin with simulated://"),
        ] {
            let error = Settings::parse(url).unwrap_err().to_string();
            assert!(error.contains(sentence), "{url}: {error}");
        }
    }
}
