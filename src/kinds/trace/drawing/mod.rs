//! A trace as a drawing: hops from left to right, a row for each branch.
//!
//! `scene` says what there is to see, in words and shapes; `paint` gives it places on a page; `svg` writes it down.
//! Guarantees: text of the inventory stands in text only, escaped; a drawing is bounded.

mod paint;
mod scene;
mod svg;

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

use super::follow;
use crate::inventory::{Code, Refusal, Snapshot, parse_id};
use crate::topology::line::{Branch, Through, Trace};

/// At most so many hops are drawn, in whole branches; the drawing says how many more branches there are. Nobody looks
/// at more, and no worker is held for longer than a few milliseconds.
const MOST_DRAWN: usize = 1_500;

/// Why there is no drawing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DrawError {
    /// There is no such object.
    #[error("{0}")]
    NotFound(String),
    /// The object has no line, or is named wrongly.
    #[error("{0}")]
    Invalid(String),
}

impl From<Refusal> for DrawError {
    fn from(refusal: Refusal) -> Self {
        match refusal.code() {
            Code::NotFound => Self::NotFound(refusal.to_string()),
            _ => Self::Invalid(refusal.to_string()),
        }
    }
}

/// The drawing of the line of an object, an SVG document.
///
/// # Errors
/// When the id is none, nothing has it, or what has it is on no line.
pub fn draw(snapshot: &Arc<Snapshot>, id: &str) -> Result<String, DrawError> {
    let id: Uuid = parse_id("the id", id)?;
    let trace = follow(snapshot, "the object", id, None, Through::Stop)?;
    Ok(svg(snapshot, &trace))
}

/// The drawing of a trace, an SVG document.
pub fn svg(snapshot: &Arc<Snapshot>, trace: &Trace) -> String {
    let mut hops = 0;
    let fits = |branch: &&Branch| {
        hops += branch.hops().len();
        hops <= MOST_DRAWN
    };
    let rows: Vec<_> = trace.branches.iter().take_while(fits).map(|branch| scene::row(snapshot, branch)).collect();
    let more = trace.branches.len() - rows.len();
    let title = snapshot.path(trace.origin);
    let mut remarks = vec![if trace.complete() { "complete" } else { "not complete" }.to_owned()];
    remarks.push(if trace.active() { "active" } else { "not active" }.to_owned());
    remarks.extend(trace.split().then(|| "split: a position had to be guessed".to_owned()));
    remarks.extend(trace.truncated.then(|| "truncated: there is more".to_owned()));
    remarks.extend((more > 0).then(|| format!("not drawn: {more} more")));
    remarks.push(format!("revision {}", snapshot.revision()));
    paint::page(&scene::Scene { title, remarks: remarks.join(" · "), rows })
}
