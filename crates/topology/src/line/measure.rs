//! The length and the latency of a line: what is known of its cables and circuits, summed.
//!
//! The latency of a circuit is what the inventory says of it. A cable, and a circuit that is only a cable of a facility,
//! takes the time of light in glass for its length. What is not known of these is short, and not counted; circuits
//! of unknown latency are counted.

use super::walk::Walk;
use crate::role::Part;
use underlay_inventory::ObjectRef;

/// The one-way latency of a metre of cable in milliseconds: 5 microseconds per kilometre, as light takes in glass.
pub const LATENCY_OF_A_METRE_MS: f64 = 5e-6;

/// The length and the one-way latency of a line or a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Measure {
    /// The sum of the known lengths in metres.
    pub known_length_m: f64,
    /// True if the length of a part is unknown.
    pub length_unknown: bool,
    /// The sum of the known latencies of circuits in milliseconds; `None` if there is no circuit whose latency is
    /// known.
    circuits_ms: Option<f64>,
    known_latency_ms: f64,
    /// The number of circuits, and of connections without a line, of unknown latency.
    pub unknown_latencies: u32,
}

impl Measure {
    /// Returns the length in metres; `None` if the length of a part is unknown.
    pub fn length_m(&self) -> Option<f64> {
        (!self.length_unknown).then_some(self.known_length_m)
    }

    /// Returns the latency of the circuits in milliseconds; `None` if there is no circuit, or one of unknown latency.
    pub fn latency_ms(&self) -> Option<f64> {
        self.circuits_ms.filter(|_| self.unknown_latencies == 0).map(rounded)
    }

    /// Returns the sum of all known latencies in milliseconds, those of cables included.
    pub fn known_latency_ms(&self) -> f64 {
        rounded(self.known_latency_ms)
    }

    /// Returns the measure of two parts one after the other.
    pub(crate) fn then(self, next: &Self) -> Self {
        Self {
            known_length_m: self.known_length_m + next.known_length_m,
            length_unknown: self.length_unknown || next.length_unknown,
            circuits_ms: either(self.circuits_ms, next.circuits_ms, |one, other| one + other),
            known_latency_ms: self.known_latency_ms + next.known_latency_ms,
            unknown_latencies: self.unknown_latencies + next.unknown_latencies,
        }
    }

    /// Returns the measure of two strands side by side: the larger values count.
    pub(super) fn beside(self, other: &Self) -> Self {
        Self {
            known_length_m: self.known_length_m.max(other.known_length_m),
            length_unknown: self.length_unknown || other.length_unknown,
            circuits_ms: either(self.circuits_ms, other.circuits_ms, f64::max),
            known_latency_ms: self.known_latency_ms.max(other.known_latency_ms),
            unknown_latencies: self.unknown_latencies.max(other.unknown_latencies),
        }
    }

    /// Returns the measure of a part of which at most the length is known.
    fn of_length(length_m: Option<f64>) -> Self {
        Self {
            known_length_m: length_m.unwrap_or_default(),
            length_unknown: length_m.is_none(),
            known_latency_ms: length_m.unwrap_or_default() * LATENCY_OF_A_METRE_MS,
            ..Self::default()
        }
    }

    /// Returns the measure of a connection of which at most the latency is known.
    pub(crate) fn of_latency(latency_ms: Option<f64>) -> Self {
        Self::of_opaque_span(None, latency_ms, false)
    }

    /// Returns the measure of a circuit.
    fn of_opaque_span(length_m: Option<f64>, latency_ms: Option<f64>, passive: bool) -> Self {
        let by_length = Self::of_length(length_m);
        let latency_ms = latency_ms.or_else(|| length_m.filter(|_| passive).map(|_| by_length.known_latency_ms));
        Self {
            circuits_ms: latency_ms,
            known_latency_ms: latency_ms.unwrap_or_default(),
            unknown_latencies: u32::from(latency_ms.is_none() && !passive),
            ..by_length
        }
    }
}

/// Returns a latency in milliseconds rounded to picoseconds, so that a sum does not depend on the order of its parts.
fn rounded(latency_ms: f64) -> f64 {
    (latency_ms * 1e9).round() / 1e9
}

/// Combines two values of which each can be missing.
fn either(one: Option<f64>, other: Option<f64>, combine: impl Fn(f64, f64) -> f64) -> Option<f64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(combine(one, other)),
        (one, other) => one.or(other),
    }
}

/// What a line passes between two ends: a cable, a circuit, or a connection inside a device.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    /// True for a cable.
    pub span: bool,
    /// The length and the latency of it.
    pub measure: Measure,
}

impl Passed {
    /// Returns what a walk passed.
    pub fn of(walk: &Walk<'_>, via: ObjectRef) -> Self {
        let row = walk.snapshot.row(via);
        match (&walk.roles.of(via.kind).part, row) {
            (Part::Span(span), Some(row)) => {
                Self { span: true, measure: Measure::of_length((span.length_m)(row.as_ref())) }
            }
            (Part::OpaqueSpan(opaque), Some(row)) => {
                let row = row.as_ref();
                let (length_m, latency_ms) = ((opaque.length_m)(row), (opaque.latency_ms)(row));
                Self { span: false, measure: Measure::of_opaque_span(length_m, latency_ms, (opaque.passive)(row)) }
            }
            _ => Self { span: false, measure: Measure::of_length(None) },
        }
    }
}
