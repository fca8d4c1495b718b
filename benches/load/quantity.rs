//! Numbers with units, formatted for people.

use std::fmt;

use serde::Serialize;

/// A measured number with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "unit", content = "value", rename_all = "camelCase")]
pub enum Quantity {
    /// A rate per second.
    PerSecond(f64),
    /// A time in seconds.
    Seconds(f64),
    Bytes(f64),
    /// A number of things.
    Count(f64),
}

impl Quantity {
    /// Returns the number in the unit that the variant names.
    pub fn number(self) -> f64 {
        match self {
            Self::PerSecond(number) | Self::Seconds(number) | Self::Bytes(number) | Self::Count(number) => number,
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::PerSecond(number) => write!(f, "{}/s", three_digits(number)),
            Self::Seconds(number) => {
                write!(f, "{}", scaled(number, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]))
            }
            Self::Count(number) => write!(f, "{}", thousands(&format!("{number:.0}"))),
            Self::Bytes(number) => {
                write!(f, "{}", scaled(number, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B")]))
            }
        }
    }
}

/// Formats a number in the largest unit in which it is at least 1, else in the smallest unit.
fn scaled(number: f64, units: &[(f64, &str)]) -> String {
    let fits = units.iter().find(|(size, _)| number >= size * 0.9995).or(units.last());
    fits.map_or_else(String::new, |(size, unit)| format!("{} {unit}", three_digits(number / size)))
}

/// Formats a number with three significant digits and with separators between thousands.
pub fn three_digits(number: f64) -> String {
    let places = match number.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{number:.places$}");
    let (whole, fraction) = text.split_once('.').map_or((text.as_str(), None), |(whole, rest)| (whole, Some(rest)));
    let whole = thousands(whole);
    fraction.map_or(whole.clone(), |fraction| format!("{whole}.{fraction}"))
}

/// Formats an integer with separators between thousands.
pub fn thousands(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.as_bytes()[index - 1].is_ascii_digit() {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        for (quantity, text) in [
            (Quantity::PerSecond(1_234_567.8), "1,234,568/s"),
            (Quantity::PerSecond(12.34), "12.3/s"),
            (Quantity::PerSecond(0.5), "0.50/s"),
            (Quantity::Seconds(12.0), "12.0 s"),
            (Quantity::Seconds(0.9996), "1.00 s"),
            (Quantity::Seconds(0.3), "300 ms"),
            (Quantity::Seconds(50e-6), "50.0 µs"),
            (Quantity::Seconds(7e-9), "7.00 ns"),
            (Quantity::Seconds(0.0), "0.00 ns"),
            (Quantity::Bytes(1.5e9), "1.50 GB"),
            (Quantity::Bytes(612.0), "612 B"),
            (Quantity::Count(0.0), "0"),
            (Quantity::Count(12_345.0), "12,345"),
        ] {
            assert_eq!(quantity.to_string(), text);
        }
        assert_eq!(thousands("1000000"), "1,000,000");
        assert_eq!(thousands("-100"), "-100");
    }
}
