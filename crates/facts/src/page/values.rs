//! Values as people say them.

/// The text that stands for a value that is not known.
const UNKNOWN: &str = "–";

/// Returns the values that are known, as one text.
pub(super) fn words<const N: usize>(values: [&Option<String>; N]) -> Option<String> {
    let known: Vec<&str> = values.into_iter().filter_map(|value| value.as_deref()).collect();
    (!known.is_empty()).then(|| known.join(" "))
}

pub(super) fn known(value: Option<&String>) -> String {
    value.map_or_else(|| UNKNOWN.to_owned(), Clone::clone)
}

pub(super) fn counted(count: u32, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns a size of memory as people say it.
pub(super) fn gibibytes(bytes: u64) -> String {
    match bytes {
        bytes if bytes % (1 << 30) == 0 => format!("{} GiB", bytes >> 30),
        bytes => format!("{} MiB", bytes >> 20),
    }
}

/// Returns the size of a disk as makers print it: three digits of a decimal unit.
pub(super) fn of_disk(bytes: u64) -> String {
    let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000)];
    let (unit, size) = units.into_iter().find(|(_, size)| bytes >= *size).unwrap_or(("MB", 1_000_000));
    let value = bytes as f64 / size as f64;
    let digits = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    let text = format!("{value:.digits$}");
    let text = if digits > 0 { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {unit}")
}

pub(super) fn of_link(mbps: u32) -> String {
    match mbps {
        mbps if mbps >= 1000 => format!("{} Gbit/s", f64::from(mbps) / 1000.0),
        mbps => format!("{mbps} Mbit/s"),
    }
}
