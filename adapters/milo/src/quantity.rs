//! Reads and writes quantities of Kubernetes: `"3"`, `"250m"`, `"1.5k"`, `"100G"`, `"16Ki"`, `"1e3"`.
//!
//! A quantity is kept as digits and a power of ten, so that no precision is lost between text and number: `0.1` stays
//! `0.1`, and bits per second are exact.

use serde_json::{Number, Value};

/// The maximum number of digits. Longer numbers are mistakes; the limit also keeps the digits within an `i128`.
const MAX_DIGITS: usize = 30;
const DECIMAL: [(&str, i32); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
const BINARY: [(&str, u32); 6] = [("Ki", 10), ("Mi", 20), ("Gi", 30), ("Ti", 40), ("Pi", 50), ("Ei", 60)];

/// The message for a value that is not a quantity.
pub(super) const ALLOWED: &str = "must be a quantity as Kubernetes writes it: a number that is not negative, \
     with an exponent or a suffix of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei: 3, \"250m\", \"100G\"";

/// A number that is not negative: digits × 10^exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Quantity {
    digits: i128,
    exponent: i32,
}

impl Quantity {
    /// Reads the quantity in a text or a number.
    pub(super) fn of(value: &Value) -> Option<Self> {
        match value {
            Value::String(text) => Self::parse(text),
            Value::Number(number) => Self::parse(&number.to_string()),
            _ => None,
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix('+').unwrap_or(text);
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
        let (number, suffix) = text.split_at(end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || digits.len() > MAX_DIGITS || fraction.contains('.') {
            return None;
        }
        let (factor, power) = factor(suffix)?;
        let digits = digits.parse::<i128>().ok()?.checked_mul(factor)?;
        let exponent = power.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        Some(Self { digits, exponent }.shortest())
    }

    /// Removes trailing zeros from the digits.
    fn shortest(mut self) -> Self {
        if self.digits == 0 {
            return Self { digits: 0, exponent: 0 };
        }
        while self.digits % 10 == 0 {
            self.digits /= 10;
            self.exponent += 1;
        }
        self
    }

    /// Returns the quantity as a whole number, if it is one that fits.
    pub(super) fn whole(self) -> Option<i64> {
        let power = 10_i128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        i64::try_from(self.digits.checked_mul(power)?).ok()
    }

    /// Returns the quantity as a number, as an integer if it is one.
    pub(super) fn number(self) -> Option<Number> {
        let nearest = || format!("{}e{}", self.digits, self.exponent).parse().ok().and_then(Number::from_f64);
        self.whole().map(Number::from).or_else(nearest)
    }

    /// Returns the canonical form of Kubernetes: an integer with the largest suffix. Returns `None` if the quantity is
    /// finer than `n`.
    pub(super) fn canonical(self) -> Option<String> {
        let fits = |(_, power): &&(&str, i32)| *power <= self.exponent;
        let (suffix, power) = DECIMAL.iter().rev().find(fits)?;
        let zeros = 10_i128.checked_pow(u32::try_from(self.exponent - power).ok()?)?;
        let digits = self.digits.checked_mul(zeros)?;
        Some(format!("{digits}{suffix}"))
    }
}

/// Returns the multiplier of a suffix: a factor and a power of ten.
fn factor(suffix: &str) -> Option<(i128, i32)> {
    if let Some((_, power)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Some((1, *power));
    }
    if let Some((_, bits)) = BINARY.iter().find(|(name, _)| *name == suffix) {
        return Some((1 << bits, 0));
    }
    let exponent = suffix.strip_prefix(['e', 'E'])?;
    let power: i32 = exponent.parse().ok()?;
    (-400..=400).contains(&power).then_some((1, power))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn quantities_are_numbers() {
        for (value, number, canonical) in [
            (json!("3"), json!(3), "3"),
            (json!(3), json!(3), "3"),
            (json!("+3.0"), json!(3), "3"),
            (json!("250m"), json!(0.25), "250m"),
            (json!("0.5"), json!(0.5), "500m"),
            (json!(0.1), json!(0.1), "100m"),
            (json!(".5"), json!(0.5), "500m"),
            (json!("1.5k"), json!(1500), "1500"),
            (json!("100G"), json!(100_000_000_000_i64), "100G"),
            (json!("1Ki"), json!(1024), "1024"),
            (json!("0.5Mi"), json!(524_288), "524288"),
            (json!("1e3"), json!(1000), "1k"),
            (json!("1E3"), json!(1000), "1k"),
            (json!("1E"), json!(1_000_000_000_000_000_000_i64), "1E"),
            (json!("3u"), json!(0.000003), "3u"),
            (json!(1.5e-9), json!(1.5e-9), "none"),
            (json!("0"), json!(0), "0"),
            (json!("000"), json!(0), "0"),
            (json!("1e30"), json!(1e30), "1000000000000E"),
        ] {
            let quantity = Quantity::of(&value).unwrap_or_else(|| panic!("{value}"));
            assert_eq!(quantity.number().map(Value::Number), Some(number), "{value}");
            assert_eq!(quantity.canonical().as_deref().unwrap_or("none"), canonical, "{value}");
        }
    }

    #[test]
    fn an_invalid_quantity_is_refused() {
        for value in [
            json!(""),
            json!("-1"),
            json!(-1),
            json!("G"),
            json!("1 G"),
            json!("1g"),
            json!("1K"),
            json!("1.2.3"),
            json!("1e"),
            json!("1e9999999999"),
            json!("ten"),
            json!("٣"),
            json!("1".repeat(31)),
            json!("9".repeat(30) + "Ei"),
            json!(true),
            json!(null),
            json!(["1"]),
        ] {
            assert_eq!(Quantity::of(&value), None, "{value}");
        }
        assert_eq!(Quantity::of(&json!("250m")).and_then(Quantity::whole), None);
        assert_eq!(Quantity::of(&json!("1e400")).and_then(Quantity::number), None);
        assert_eq!(Quantity::of(&json!("10E")).and_then(Quantity::whole), None);
    }
}
