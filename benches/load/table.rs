//! The table: the measured numbers, their references, and whether the targets are met.

use comfy_table::{Table as Terminal, presets};
use serde::Serialize;

use super::quantity::Quantity;

/// The target for a number.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "is", content = "value", rename_all = "camelCase")]
pub enum Target {
    /// At least this part of the reference.
    RatioAtLeast(f64),
    /// At most this part of the reference.
    RatioAtMost(f64),
    AtLeast(Quantity),
    AtMost(Quantity),
}

/// The reference for a number.
#[derive(Clone, Debug, Serialize)]
pub struct Reference {
    pub what: String,
    pub quantity: Quantity,
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub what: String,
    /// The fleet that was measured.
    pub fleet: String,
    pub measured: Quantity,
    pub reference: Option<Reference>,
    /// The measured number divided by the reference.
    pub ratio: Option<f64>,
    pub targets: Vec<Target>,
    /// True if all targets are met; absent without a target.
    pub met: Option<bool>,
}

impl Row {
    /// Returns a row without reference and target.
    pub fn new(what: impl Into<String>, fleet: impl Into<String>, measured: Quantity) -> Self {
        Self {
            what: what.into(),
            fleet: fleet.into(),
            measured,
            reference: None,
            ratio: None,
            targets: Vec::new(),
            met: None,
        }
    }

    /// Returns the row with a reference.
    pub fn beside(mut self, what: impl Into<String>, quantity: Quantity) -> Self {
        let other = quantity.number();
        self.ratio = (other > 0.0).then(|| self.measured.number() / other);
        self.reference = Some(Reference { what: what.into(), quantity });
        self
    }

    /// Returns the row with one more target.
    pub fn should(mut self, target: Target) -> Self {
        let number = self.measured.number();
        let met = match target {
            Target::RatioAtLeast(least) => self.ratio.is_some_and(|ratio| ratio >= least),
            Target::RatioAtMost(most) => self.ratio.is_some_and(|ratio| ratio <= most),
            Target::AtLeast(least) => number >= least.number(),
            Target::AtMost(most) => number <= most.number(),
        };
        self.targets.push(target);
        self.met = Some(met && self.met.unwrap_or(true));
        self
    }

    /// Returns the cells, in the order of [`HEAD`].
    fn cells(&self) -> [String; 7] {
        let reference = self.reference.as_ref();
        let targets = self.targets.iter().map(|target| words(*target)).collect::<Vec<_>>().join(", ");
        let met = match self.met {
            None => "",
            Some(true) => "yes",
            Some(false) => "no",
        };
        [
            self.what.clone(),
            self.fleet.clone(),
            self.measured.to_string(),
            reference.map_or_else(String::new, |it| format!("{} ({})", it.quantity, it.what)),
            self.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            targets,
            met.to_owned(),
        ]
    }
}

const HEAD: [&str; 7] = ["what", "fleet", "measured", "reference", "ratio", "target", "met"];

fn words(target: Target) -> String {
    match target {
        Target::RatioAtLeast(least) => format!("ratio ≥ {least}"),
        Target::RatioAtMost(most) => format!("ratio ≤ {most}"),
        Target::AtLeast(least) => format!("≥ {least}"),
        Target::AtMost(most) => format!("≤ {most}"),
    }
}

/// Returns the table for a terminal.
pub fn terminal(rows: &[Row]) -> String {
    let mut table = Terminal::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED).set_header(HEAD);
    for row in rows {
        table.add_row(row.cells());
    }
    table.to_string()
}

/// Returns the table for the documentation.
pub fn markdown(rows: &[Row]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&HEAD.map(str::to_owned));
    text += "| --- | --- | ---: | --- | ---: | --- | --- |\n";
    rows.iter().for_each(|row| text += &line(&row.cells().map(|cell| cell.replace('|', "\\|"))));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_meets_all_of_its_targets_or_not() {
        let row = || Row::new("what", "fleet", Quantity::PerSecond(60.0)).beside("it", Quantity::PerSecond(100.0));
        assert_eq!(row().met, None);
        assert_eq!(row().should(Target::RatioAtLeast(0.6)).met, Some(true));
        assert_eq!(row().should(Target::RatioAtMost(0.5)).met, Some(false));
        let least = |number| Target::AtLeast(Quantity::PerSecond(number));
        assert_eq!(row().should(Target::RatioAtLeast(0.5)).should(least(61.0)).met, Some(false));
        assert_eq!(row().should(least(61.0)).should(Target::RatioAtLeast(0.5)).met, Some(false));
        let alone = Row::new("what", "fleet", Quantity::Seconds(1.0)).should(Target::RatioAtLeast(0.0));
        assert_eq!(alone.met, Some(false), "there is no ratio without a reference");
        let idle = Row::new("what", "", Quantity::Seconds(1.0)).beside("it", Quantity::Seconds(0.0));
        assert_eq!(idle.ratio, None);
    }

    #[test]
    fn the_table_has_a_cell_for_everything() {
        let row = Row::new("a | b", "fleet", Quantity::PerSecond(60.0)).beside("it", Quantity::PerSecond(100.0));
        let text = markdown(&[row.should(Target::RatioAtLeast(0.55))]);
        let line = "| a \\| b | fleet | 60.0/s | 100/s (it) | 0.60 | ratio ≥ 0.55 | yes |";
        assert_eq!(text.lines().nth(2), Some(line));
    }
}
