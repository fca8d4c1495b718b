//! Shows the progress as a bar on standard error, if that is a terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const LAYOUT: &str = "{spinner} {wide_bar} {percent:>3} %  {msg}  {elapsed}";
/// The time between updates of the bar while nothing changes.
const REDRAW_INTERVAL: Duration = Duration::from_millis(200);

/// The progress bar.
pub(super) struct Progress {
    bar: ProgressBar,
    started: Instant,
    objects: usize,
}

impl Progress {
    pub(super) fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let style = ProgressStyle::with_template(LAYOUT).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::with_draw_target(Some(0), target).with_style(style);
        if terminal {
            bar.enable_steady_tick(REDRAW_INTERVAL);
        }
        Self { bar, started: Instant::now(), objects: 0 }
    }

    /// Records that more objects were written, and how many of all parts of the fleet are generated.
    pub(super) fn wrote(&mut self, objects: usize, (made, all): (usize, usize)) {
        self.objects += objects;
        // When the last part is generated, its items are still to be written.
        self.bar.set_length(all as u64 + 1);
        self.bar.set_position(made as u64);
        let seconds = self.started.elapsed().as_secs_f64().max(0.001);
        let rate = (self.objects as f64 / seconds) as u64;
        self.bar.set_message(format!("{} objects written, {} a second", grouped(self.objects as u64), grouped(rate)));
    }

    /// Removes the bar, so that the next output begins on an empty line.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Formats a number with separators: `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
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
    fn numbers_are_grouped_by_thousands() {
        for (number, expected) in [(0, "0"), (999, "999"), (1_000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }
}
