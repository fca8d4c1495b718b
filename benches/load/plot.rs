//! Plots the growth of the cost with the inventory as an SVG: six panels on logarithmic axes. The vertical axis has at
//! least as many decades as the horizontal one, so that no line looks steeper than it is. A constant cost is a
//! horizontal line. A cost proportional to the inventory rises one decade per decade.

use plotters::prelude::*;

use crate::problem::{LoadError, Result};
use crate::quantity::Quantity;
use crate::report::Point;

const SIZE_PIXELS: (u32, u32) = (1080, 640);
const FONT: &str = "sans-serif";
const LINE: RGBColor = RGBColor(31, 97, 141);

/// A panel: its title, and the function that reads its number from a point.
struct Panel {
    title: &'static str,
    of: fn(&Point) -> Quantity,
}

const PANELS: [Panel; 6] = [
    Panel { title: "50 devices with ports and far ends", of: |point| Quantity::Seconds(point.dashboard) },
    Panel { title: "one device by name", of: |point| Quantity::Seconds(point.device) },
    Panel { title: "single mutation, 64 clients", of: |point| Quantity::Seconds(point.mutation) },
    Panel { title: "next snapshot after a batch of one", of: |point| Quantity::Seconds(point.next_snapshot) },
    Panel { title: "start to ready", of: |point| Quantity::Seconds(point.start) },
    Panel { title: "memory after loading", of: |point| Quantity::Bytes(point.memory as f64) },
];

/// Returns the plot of points that are sorted by size, as SVG text.
pub fn growth(points: &[Point]) -> Result<String> {
    let mut text = String::new();
    draw(&mut text, points).map_err(|error| LoadError::Plot(error.to_string()))?;
    // A text file must end with a line break.
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn draw(text: &mut String, points: &[Point]) -> Drawn {
    let root = SVGBackend::with_string(text, SIZE_PIXELS).into_drawing_area();
    root.fill(&WHITE)?;
    for (panel, area) in PANELS.iter().zip(root.split_evenly((2, 3))) {
        draw_panel(panel, &area, points)?;
    }
    root.present()?;
    Ok(())
}

fn draw_panel(panel: &Panel, area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>, points: &[Point]) -> Drawn {
    let unit = |number: f64| match points.first().map(panel.of) {
        Some(Quantity::Bytes(_)) => Quantity::Bytes(number),
        _ => Quantity::Seconds(number),
    };
    let line: Vec<(f64, f64)> = points.iter().map(|point| (point.ports as f64, (panel.of)(point).number())).collect();
    let (smallest, largest) = extremes(line.iter().map(|it| it.0));
    let across = (smallest * 0.8, largest * 1.25);
    let up = decades(extremes(line.iter().map(|it| it.1)), (across.1 / across.0).log10().ceil());
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, (FONT, 17))
        .margin(12)
        .x_label_area_size(34)
        .y_label_area_size(62)
        .build_cartesian_2d((across.0..across.1).log_scale(), (up.0..up.1).log_scale())?;
    chart
        .configure_mesh()
        .label_style((FONT, 13))
        .light_line_style(BLACK.mix(0.06))
        .bold_line_style(BLACK.mix(0.18))
        .x_desc("ports")
        .x_labels(4)
        .y_labels(5)
        .x_label_formatter(&|ports| count(*ports))
        .y_label_formatter(&|number| unit(*number).to_string().replace(".00", "").replace(".0", ""))
        .draw()?;
    chart.draw_series(LineSeries::new(line.iter().copied(), LINE.stroke_width(2)))?;
    chart.draw_series(line.iter().map(|point| {
        let number = Text::new(unit(point.1).to_string(), (-18, -18), (FONT, 12));
        EmptyElement::at(*point) + Circle::new((0, 0), 3, LINE.filled()) + number
    }))?;
    Ok(())
}

/// Returns the smallest and the largest number. The smallest one is raised to 1e-9, so that its logarithm exists.
fn extremes(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = numbers.clone().fold(f64::INFINITY, f64::min).max(1e-9);
    (least, numbers.fold(least, f64::max))
}

/// Returns limits at whole decades that include all numbers, at least `fewest` decades apart.
fn decades((least, most): (f64, f64), fewest: f64) -> (f64, f64) {
    let (low, high) = (least.log10().floor(), most.log10().ceil());
    // The limits are widened a little, so that rounding does not cut off the ends.
    (10_f64.powf(low) * 0.999, 10_f64.powf(high.max(low + fewest)) * 1.001)
}

fn count(number: f64) -> String {
    match number {
        number if number >= 999_500.0 => format!("{} M", (number / 1e5).round() / 10.0),
        number if number >= 999.5 => format!("{} k", (number / 1e2).round() / 10.0),
        number => format!("{number}"),
    }
}
