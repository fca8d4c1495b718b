//! Writes SVG as text. Attributes hold only numbers and texts of this crate. Texts of the scene are escaped, and
//! cut where they would not fit.

use std::fmt::{Display, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The names of colours that a drawing knows, with their values.
const COLORS: [(&str, &str); 20] = [
    ("black", "#1f2937"),
    ("white", "#ffffff"),
    ("grey", "#9ca3af"),
    ("gray", "#9ca3af"),
    ("slate", "#64748b"),
    ("red", "#dc2626"),
    ("orange", "#f97316"),
    ("yellow", "#facc15"),
    ("green", "#16a34a"),
    ("lime", "#84cc16"),
    ("aqua", "#22d3ee"),
    ("cyan", "#22d3ee"),
    ("turquoise", "#14b8a6"),
    ("teal", "#0d9488"),
    ("blue", "#2563eb"),
    ("violet", "#7c3aed"),
    ("purple", "#9333ea"),
    ("magenta", "#d946ef"),
    ("pink", "#f472b6"),
    ("brown", "#92400e"),
];
/// The colour of a wire without a known colour.
const PLAIN: &str = "#94a3b8";

/// A point on the page, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// A rectangle on the page, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The style of a text.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// The class in the style sheet.
    pub class: &'static str,
    /// The approximate width of a letter in pixels.
    pub letter: f64,
}

impl Type {
    /// Returns the approximate width of a text in pixels.
    pub fn width(self, text: &str) -> f64 {
        text.width() as f64 * self.letter
    }
}

/// A document that is being written.
#[derive(Default)]
pub struct Canvas {
    body: String,
}

impl Canvas {
    /// Adds an element without content.
    pub fn element(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        self.open(name, attributes);
        self.body.push_str("/>\n");
    }

    /// Adds a text of the scene, which is escaped.
    pub fn text(&mut self, at: Point, anchor: &str, set: Type, text: &str) {
        self.open("text", &[("x", &at.x), ("y", &at.y), ("text-anchor", &anchor), ("class", &set.class)]);
        let _ = writeln!(self.body, ">{}</text>", escape(text));
    }

    /// Adds a straight line.
    pub fn line(&mut self, class: &str, from: Point, to: Point, stroke: Option<&str>) {
        let stroke = stroke.unwrap_or("#475569");
        let attributes: [(&str, &dyn Display); 6] =
            [("class", &class), ("x1", &from.x), ("y1", &from.y), ("x2", &to.x), ("y2", &to.y), ("stroke", &stroke)];
        self.element("line", &attributes);
    }

    /// Adds a rectangle with round corners.
    pub fn rectangle(&mut self, class: &str, area: Area, radius: f64) {
        let Area { x, y, width, height } = area;
        let attributes: [(&str, &dyn Display); 6] =
            [("class", &class), ("x", &x), ("y", &y), ("width", &width), ("height", &height), ("rx", &radius)];
        self.element("rect", &attributes);
    }

    /// Returns the document, with its size and style sheet.
    pub fn finish(self, title: &str, width: f64, height: f64, style: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{}</title>\n<style>{style}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &dyn Display)]) {
        let _ = write!(self.body, "<{name}");
        for (name, value) in attributes {
            let _ = write!(self.body, " {name}=\"{}\"", escape(&value.to_string()));
        }
    }
}

/// Returns the colour of a wire. The given colour is free text; only a known name or a hexadecimal colour gets into a
/// drawing.
pub fn color(text: Option<&str>) -> String {
    let text = text.unwrap_or_default().trim().to_lowercase();
    let is_hex = |text: &str| {
        text.strip_prefix('#').is_some_and(|digits| {
            matches!(digits.len(), 3 | 6) && digits.chars().all(|digit| digit.is_ascii_hexdigit())
        })
    };
    match COLORS.iter().find(|(name, _)| *name == text) {
        Some((_, color)) => (*color).to_owned(),
        None if is_hex(&text) => text,
        None => PLAIN.to_owned(),
    }
}

/// Cuts a text to at most `most` columns. A text that is cut ends in an ellipsis.
pub fn cut(text: &str, most: usize) -> String {
    if text.width() <= most {
        return text.to_owned();
    }
    let mut width = 0;
    let fits = |letter: &char| {
        width += letter.width().unwrap_or_default();
        width < most
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// Breaks a text into at most two lines, each of at most `most` columns.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    if text.width() <= most {
        return vec![text.to_owned()];
    }
    // Of the spaces after which the first line fits, take the one that makes the two lines most alike in width.
    let spaces = text.match_indices(' ').map(|(at, _)| at).take_while(|at| text[..*at].width() <= most);
    match spaces.min_by_key(|at| text[..*at].width().max(text[*at..].width())) {
        Some(at) => vec![text[..at].to_owned(), cut(text[at..].trim_start(), most)],
        None => vec![cut(text, most)],
    }
}

/// Escapes a text for a document: the result has no markup, and no character that XML forbids.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_is_never_markup() {
        assert_eq!(escape("<script>alert(\"x\")</script>"), "&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
        assert_eq!(escape("a & 'b'\u{0}\u{1b}\u{ffff}"), "a &amp; &#39;b&#39;\u{fffd}\u{fffd}\u{fffd}");
    }

    #[test]
    fn only_colours_are_colours() {
        for (text, expected) in [("Blue", "#2563eb"), ("#0AF", "#0af"), (" aqua ", "#22d3ee"), ("#12345", PLAIN)] {
            assert_eq!(color(Some(text)), expected, "{text}");
        }
        for text in ["", "url(http://x)", "red\" onload=\"x", "#12345g", "heliotrope"] {
            assert_eq!(color(Some(text)), PLAIN, "{text}");
        }
        assert_eq!(color(None), PLAIN);
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer", 5), "long…");
        assert_eq!(cut("電電電電", 5), "電電…");
        assert_eq!(wrap("leaf-1 e1 / leaf-2 e2", 12), ["leaf-1 e1 /", "leaf-2 e2"]);
        assert_eq!(wrap("panel-1 1 / cross-connect-1 A", 26), ["panel-1 1 /", "cross-connect-1 A"]);
        assert_eq!(wrap("leaf-1 e1 / leaf-2 Ethernet2/1", 12), ["leaf-1 e1 /", "leaf-2 Ethe…"]);
        assert_eq!(wrap("short", 12), ["short"]);
        assert_eq!(wrap("without-any-space", 12), ["without-any…"]);
    }
}
