//! Formats names of fields, their units, and times: `speedBps` becomes the speed, and its 100000000000 become `100G`.

use chrono::{DateTime, Utc};
use serde_json::{Number, Value};

use underlay_kit::line;

/// The unit of a number, which is the end of the field's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    BitsPerSecond,
    MegabitsPerSecond,
    Bytes,
    Metres,
    Milliseconds,
    RackUnits,
}

/// The endings of field names. Longer endings come first, because a short ending can be the end of a longer one.
const ENDINGS: [(&str, Unit); 6] = [
    ("Mbps", Unit::MegabitsPerSecond),
    ("Bps", Unit::BitsPerSecond),
    ("Bytes", Unit::Bytes),
    ("Ms", Unit::Milliseconds),
    ("M", Unit::Metres),
    ("U", Unit::RackUnits),
];

/// Splits a field's name into the name without its unit, and the unit.
pub(super) fn split(name: &str) -> (&str, Option<Unit>) {
    let found = ENDINGS.iter().find_map(|(ending, unit)| {
        let rest = name.strip_suffix(ending)?;
        rest.ends_with(|letter: char| letter.is_ascii_lowercase()).then_some((rest, Some(*unit)))
    });
    found.unwrap_or((name, None))
}

/// Formats a field's name as the heading of a column: `ASSET-TAG`.
pub(crate) fn heading(name: &str) -> String {
    words(split(name).0).join("-").to_uppercase()
}

/// Formats a field's name as a label before its value: `Asset tag`.
pub(crate) fn label(name: &str) -> String {
    let word = |word: String| if CAPITALS.contains(&word.as_str()) { word.to_uppercase() } else { word };
    let text = words(split(name).0).into_iter().map(word).collect::<Vec<_>>().join(" ");
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The words that are always written in capitals.
const CAPITALS: [&str; 4] = ["id", "mac", "mtu", "url"];

fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for letter in name.chars() {
        match words.last_mut() {
            Some(word) if !letter.is_ascii_uppercase() => word.push(letter),
            _ => words.push(letter.to_ascii_lowercase().to_string()),
        }
    }
    words
}

/// Formats a time for people: `2026-11-20 12:25:33 UTC`.
pub(crate) fn time(value: &Value) -> String {
    let text = value.as_str().unwrap_or_default();
    match DateTime::parse_from_rfc3339(text) {
        Ok(time) => time.with_timezone(&Utc).format("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => line(text),
    }
}

/// Formats a time as one word: `2026-11-20T12:25:33Z`.
pub(crate) fn instant(text: &str) -> String {
    match DateTime::parse_from_rfc3339(text) {
        Ok(time) => time.with_timezone(&Utc).format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        Err(_) => line(text),
    }
}

/// Formats a number with its unit.
pub(super) fn written(number: &Number, unit: Option<Unit>) -> String {
    // Rack units come as 2.0 or 2.5.
    let text = number.to_string();
    let plain = text.strip_suffix(".0").unwrap_or(&text);
    match unit {
        None => plain.to_owned(),
        Some(Unit::Metres) => format!("{plain}m"),
        Some(Unit::Milliseconds) => format!("{plain}ms"),
        Some(Unit::RackUnits) => format!("{plain}U"),
        Some(Unit::BitsPerSecond) => scaled(number, 1, 1_000, &["", "k", "M", "G", "T"]),
        Some(Unit::MegabitsPerSecond) => scaled(number, 1_000_000, 1_000, &["", "k", "M", "G", "T"]),
        Some(Unit::Bytes) => {
            let binary = number.as_u64().is_some_and(|bytes| bytes.is_multiple_of(1 << 20));
            let (step, names) = match binary {
                true => (1_024, &["B", "KiB", "MiB", "GiB", "TiB", "PiB"]),
                false => (1_000, &["B", "kB", "MB", "GB", "TB", "PB"]),
            };
            scaled(number, 1, step, names)
        }
    }
}

/// Formats a number in the largest unit of which it has at least one, with at most three decimals and no trailing
/// zeros.
fn scaled(number: &Number, times: u64, step: u64, names: &[&str]) -> String {
    let Some(mut value) = number.as_u64().and_then(|number| number.checked_mul(times)).map(|value| value as f64) else {
        return number.to_string();
    };
    let mut name = 0;
    while value >= step as f64 && name + 1 < names.len() {
        value /= step as f64;
        name += 1;
    }
    let text = format!("{value:.3}");
    format!("{}{}", text.trim_end_matches('0').trim_end_matches('.'), names[name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_for_people() {
        for (name, above, before) in [
            ("assetTag", "ASSET-TAG", "Asset tag"),
            ("speedBps", "SPEED", "Speed"),
            ("bandwidthMbps", "BANDWIDTH", "Bandwidth"),
            ("heightU", "HEIGHT", "Height"),
            ("lengthM", "LENGTH", "Length"),
            ("mtu", "MTU", "MTU"),
            ("circuitId", "CIRCUIT-ID", "Circuit ID"),
            ("aEnds", "A-ENDS", "A ends"),
            ("a", "A", "A"),
        ] {
            assert_eq!((heading(name).as_str(), label(name).as_str()), (above, before));
        }
    }

    #[test]
    fn numbers_have_their_units() {
        for (name, number, expected) in [
            ("speedBps", 100_000_000_000_u64, "100G"),
            ("speedBps", 2_500_000_000, "2.5G"),
            ("speedBps", 9_600, "9.6k"),
            ("bandwidthMbps", 10_000, "10G"),
            ("bandwidthMbps", 622, "622M"),
            ("memoryBytes", 64 << 30, "64GiB"),
            ("sizeBytes", 960_000_000_000, "960GB"),
            ("sizeBytes", 512, "512B"),
            ("heightU", 47, "47U"),
            ("lengthM", 3, "3m"),
            ("latencyMs", 12, "12ms"),
            ("mtu", 9216, "9216"),
            ("speedBps", u64::MAX, "18446744.074T"),
        ] {
            assert_eq!(written(&number.into(), split(name).1), expected, "{name}");
        }
    }
}
