//! Places a scene on a page: rows from top to bottom, columns from left to right, and the lines that connect them. All
//! sizes are in pixels.

use super::scene::{Ending, Row, Scene, Thing};
use super::svg::{Area, Canvas, Point, Type, color, cut, wrap};

const TITLE: Type = Type { class: "title", letter: 9.6 };
const REMARK: Type = Type { class: "remark", letter: 6.6 };
const NAME: Type = Type { class: "name", letter: 7.8 };
const SMALL: Type = Type { class: "small", letter: 6.0 };
const WRONG: Type = Type { class: "wrong", letter: 7.2 };

const STYLE: &str = "\
text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#0f172a}\
.title{font-size:15px;font-weight:600}.remark{font-size:11px;fill:#475569}\
.name{font-size:12px;font-weight:600}.small{font-size:10px;fill:#475569}\
.wrong{font-size:11px;font-weight:600;fill:#dc2626}\
.case{fill:#f8fafc;stroke:#64748b;stroke-width:1.2}\
.socket{fill:#ffffff;stroke:#94a3b8}\
.cloud{fill:#eff6ff;stroke:#3b82f6;stroke-width:1.2}\
.idle{stroke-dasharray:5 4}\
.broken{stroke:#dc2626;stroke-width:2}\
.side{fill:#ffffff;stroke:#3b82f6}\
.wire{stroke-width:2}.sheath{stroke-width:6;stroke-linecap:round}.core{stroke-width:4;stroke-linecap:round}\
.cross{stroke-width:3;stroke-linecap:round}";

/// The margin around the drawing.
const MARGIN: f64 = 24.0;
/// The height of the title and the remarks.
const HEAD_HEIGHT: f64 = 64.0;
/// The height of the caption of a row.
const CAPTION_HEIGHT: f64 = 28.0;
/// The height of one of the things that stand side by side.
const SLOT_HEIGHT: f64 = 84.0;
/// The space between two rows.
const ROW_GAP: f64 = 14.0;
/// The space between two columns.
const COLUMN_GAP: f64 = 16.0;
/// The space between columns with different numbers of things, where lines spread.
const SPREAD_COLUMN_GAP: f64 = 40.0;
/// The maximum width of a text, in columns of letters.
const MAX_LETTERS: usize = 30;
/// The height of the name in a case above the middle of its slot. `HEIGHT_BELOW_MIDDLE` is the distance from there to
/// the bottom of the case.
const HEIGHT_ABOVE_MIDDLE: f64 = 36.0;
const HEIGHT_BELOW_MIDDLE: f64 = 28.0;

/// Returns the SVG document of a scene.
pub fn page(scene: &Scene) -> String {
    let mut canvas = Canvas::default();
    canvas.text(Point { x: MARGIN, y: MARGIN + 12.0 }, "start", TITLE, &cut(&scene.title, 100));
    canvas.text(Point { x: MARGIN, y: MARGIN + 31.0 }, "start", REMARK, &scene.remarks);
    let mut width = TITLE.width(&cut(&scene.title, 100)).max(REMARK.width(&scene.remarks));
    let mut top = HEAD_HEIGHT;
    for row in &scene.rows {
        let (right, bottom) = paint_row(&mut canvas, row, top);
        width = width.max(right - MARGIN);
        top = bottom + ROW_GAP;
    }
    canvas.finish(&scene.title, (width + 2.0 * MARGIN).ceil(), (top - ROW_GAP + MARGIN).ceil(), STYLE)
}

/// Paints a row. Returns its right and bottom edges.
fn paint_row(canvas: &mut Canvas, row: &Row, top: f64) -> (f64, f64) {
    let class = if matches!(row.ending, Ending::Broken(_)) { WRONG } else { REMARK };
    canvas.text(Point { x: MARGIN, y: top + 12.0 }, "start", class, &row.caption);
    let slots = row.columns.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let (first, height) = (top + CAPTION_HEIGHT, SLOT_HEIGHT * slots as f64);
    let middle = |index: usize, count: usize| first + height * (index as f64 + 0.5) / count.max(1) as f64;
    let mut x = MARGIN;
    let mut before: Vec<Point> = Vec::new();
    for (index, column) in row.columns.iter().enumerate() {
        let last = index + 1 == row.columns.len();
        let broken = last && matches!(row.ending, Ending::Broken(_));
        let width = column.iter().map(width).fold(0.0, f64::max);
        let middles: Vec<f64> = (0..column.len()).map(|at| middle(at, column.len())).collect();
        if !before.is_empty() {
            x += if before.len() == column.len() { COLUMN_GAP } else { SPREAD_COLUMN_GAP };
        }
        let left: Vec<Point> =
            column.iter().zip(&middles).map(|(it, y)| Point { x: x + (width - own(it, width)) / 2.0, y: *y }).collect();
        let entries: Vec<Point> =
            left.iter().zip(column).map(|(at, thing)| Point { x: at.x + inset(thing), y: at.y }).collect();
        connect(canvas, &before, &entries);
        for (thing, at) in column.iter().zip(&left) {
            paint(canvas, thing, *at, own(thing, width), broken);
        }
        before = left
            .iter()
            .zip(column)
            .map(|(at, thing)| Point { x: at.x + own(thing, width) - inset(thing), y: at.y })
            .collect();
        x += width;
    }
    let right = paint_ending(canvas, &row.ending, &before, x);
    (right.max(MARGIN + class.width(&row.caption)), first + height)
}

/// Returns the width of a thing in its column. Wires reach from neighbour to neighbour.
fn own(thing: &Thing, column: f64) -> f64 {
    match thing {
        Thing::Wire { .. } => column,
        _ => width(thing),
    }
}

/// Returns how far a line reaches into a thing. Clouds do not fill their area.
fn inset(thing: &Thing) -> f64 {
    match thing {
        Thing::Cloud { .. } => 5.0,
        _ => 0.0,
    }
}

fn width(thing: &Thing) -> f64 {
    let letters = |set: Type, text: &str| set.width(&cut(text, MAX_LETTERS));
    match thing {
        Thing::Case { title, subtitle, sockets, .. } => {
            let sockets = sockets.iter().map(|socket| socket_width(socket) + 18.0).sum::<f64>();
            letters(NAME, title).max(letters(SMALL, subtitle)).max(sockets) + 24.0
        }
        Thing::Wire { label, detail, .. } => {
            let label = wrap(label, MAX_LETTERS).iter().map(|line| SMALL.width(line)).fold(60.0, f64::max);
            label.max(letters(SMALL, detail)) + 20.0
        }
        Thing::Cloud { title, id, detail, .. } => {
            (letters(NAME, title).max(letters(SMALL, id)).max(letters(SMALL, detail)) * 1.25 + 50.0).max(150.0)
        }
        Thing::Side(name) => letters(SMALL, name) + 16.0,
    }
}

fn socket_width(socket: &str) -> f64 {
    SMALL.width(&cut(socket, MAX_LETTERS)) + 14.0
}

/// Draws the lines between two columns: one to one, or each to each.
fn connect(canvas: &mut Canvas, from: &[Point], to: &[Point]) {
    let one_to_one = from.len() == to.len();
    for (index, start) in from.iter().enumerate() {
        for (_, end) in to.iter().enumerate().filter(|(other, _)| !one_to_one || *other == index) {
            canvas.line("wire", *start, *end, None);
        }
    }
}

/// Paints a thing whose left end is at a point.
fn paint(canvas: &mut Canvas, thing: &Thing, at: Point, width: f64, broken: bool) {
    let middle = at.x + width / 2.0;
    let mut words = |y: f64, set: Type, text: &str| {
        canvas.text(Point { x: middle, y: at.y + y }, "middle", set, &cut(text, MAX_LETTERS));
    };
    match thing {
        Thing::Wire { label, detail, color: stroke, active } => {
            for (index, line) in wrap(label, MAX_LETTERS).iter().rev().enumerate() {
                words(-9.0 - 12.0 * index as f64, SMALL, line);
            }
            words(18.0, SMALL, detail);
            paint_wire(canvas, at, width, &color(stroke.as_deref()), *active, broken);
        }
        Thing::Case { title, subtitle, sockets, .. } => {
            let area = Area {
                x: at.x,
                y: at.y - HEIGHT_ABOVE_MIDDLE - 10.0,
                width,
                height: HEIGHT_ABOVE_MIDDLE + HEIGHT_BELOW_MIDDLE,
            };
            canvas.rectangle(if broken { "case broken" } else { "case" }, area, 6.0);
            canvas.text(Point { x: middle, y: at.y - 30.0 }, "middle", NAME, &cut(title, MAX_LETTERS));
            canvas.text(Point { x: middle, y: at.y - 17.0 }, "middle", SMALL, &cut(subtitle, MAX_LETTERS));
            paint_sockets(canvas, sockets, at, width);
        }
        Thing::Cloud { title, id, detail, active } => {
            let class = [("cloud", "cloud idle"), ("cloud broken", "cloud broken idle")][usize::from(broken)];
            let class = if *active { class.0 } else { class.1 };
            let shape = cloud(Area { x: at.x, y: at.y - 40.0, width, height: 72.0 });
            canvas.element("path", &[("class", &class), ("d", &shape)]);
            let mut words = |y: f64, set: Type, text: &str| {
                canvas.text(Point { x: middle, y: at.y + y }, "middle", set, &cut(text, MAX_LETTERS));
            };
            words(-6.0, NAME, title);
            words(9.0, SMALL, id);
            words(22.0, SMALL, detail);
        }
        Thing::Side(name) => {
            let class = if broken { "side broken" } else { "side" };
            canvas.rectangle(class, Area { x: at.x, y: at.y - 10.0, width, height: 20.0 }, 10.0);
            canvas.text(Point { x: middle, y: at.y + 3.5 }, "middle", SMALL, &cut(name, MAX_LETTERS));
        }
    }
}

/// Paints a wire with a dark sheath, so that white and yellow wires are visible.
fn paint_wire(canvas: &mut Canvas, at: Point, width: f64, stroke: &str, active: bool, broken: bool) {
    let (from, to) = (Point { x: at.x + 3.0, y: at.y }, Point { x: at.x + width - 3.0, y: at.y });
    if active {
        canvas.line("sheath", from, to, broken.then_some("#dc2626"));
        canvas.line("core", from, to, Some(stroke));
    } else {
        canvas.line("core idle", from, to, Some(if broken { "#dc2626" } else { stroke }));
    }
}

/// Paints the sockets in a case, and the line between them.
fn paint_sockets(canvas: &mut Canvas, sockets: &[String], at: Point, width: f64) {
    if sockets.is_empty() {
        return canvas.line("wire", at, at, None);
    }
    let total: f64 = sockets.iter().map(|socket| socket_width(socket)).sum();
    let between = if sockets.len() > 1 { (width - 12.0 - total) / (sockets.len() - 1) as f64 } else { 0.0 };
    let mut x = if sockets.len() > 1 { at.x + 6.0 } else { at.x + (width - total) / 2.0 };
    let (from, to) = (Point { x: at.x, y: at.y }, Point { x: at.x + width, y: at.y });
    if sockets.len() > 1 {
        canvas.line("wire", from, to, None);
    }
    for socket in sockets {
        let own = socket_width(socket);
        canvas.rectangle("socket", Area { x, y: at.y - 9.0, width: own, height: 18.0 }, 4.0);
        canvas.text(Point { x: x + own / 2.0, y: at.y + 3.5 }, "middle", SMALL, &cut(socket, MAX_LETTERS));
        x += own + between;
    }
}

/// Returns the outline of a cloud that fills an area.
fn cloud(area: Area) -> String {
    let at = |x: f64, y: f64| format!("{:.1} {:.1}", area.x + area.width * x, area.y + area.height * y);
    let curves = [
        [(-0.03, 1.0), (-0.03, 0.42), (0.14, 0.44)],
        [(0.12, 0.08), (0.36, -0.08), (0.45, 0.16)],
        [(0.56, -0.14), (0.86, -0.04), (0.84, 0.4)],
        [(1.03, 0.4), (1.04, 1.0), (0.84, 1.0)],
    ];
    let mut shape = format!("M{}", at(0.16, 1.0));
    for [first, second, end] in curves {
        shape += &format!("C{} {} {}", at(first.0, first.1), at(second.0, second.1), at(end.0, end.1));
    }
    shape + "Z"
}

/// Paints the ending behind the last column. Returns its right edge.
fn paint_ending(canvas: &mut Canvas, ending: &Ending, from: &[Point], x: f64) -> f64 {
    let (text, set) = match ending {
        Ending::Whole => return x,
        Ending::Broken(why) => (why.as_str(), WRONG),
        Ending::Outside(place) => (place.as_str(), REMARK),
    };
    let x = x + 34.0;
    for start in from {
        let end = Point { x, y: start.y };
        match ending {
            Ending::Outside(_) => canvas.line("wire idle", *start, end, None),
            _ => {
                canvas.line("wire idle", *start, Point { x: x - 8.0, y: end.y }, Some("#dc2626"));
                for slope in [-6.0, 6.0] {
                    let (from, to) = (Point { x: x - 6.0, y: end.y - slope }, Point { x: x + 6.0, y: end.y + slope });
                    canvas.line("cross", from, to, Some("#dc2626"));
                }
            }
        }
        canvas.text(Point { x: x + 14.0, y: end.y + 4.0 }, "start", set, text);
    }
    x + 14.0 + set.width(text)
}
