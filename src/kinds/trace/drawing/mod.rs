//! Draws a trace as an SVG document: hops from left to right, one row for each branch.
//!
//! `scene` turns a trace into things and texts, `paint` places them on a page, and `svg` writes the document.
//! Guarantees: text of the inventory appears only as escaped text, and the size of a drawing is bounded.

mod paint;
mod scene;
mod svg;

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

use super::follow;
use underlay_inventory::{Code, Refusal, Snapshot, parse_id};
use underlay_topology::line::{Branch, Through, Trace};

/// The maximum number of hops that are drawn, in whole branches. The drawing says how many more branches there are.
/// Nobody looks at more, and no worker is blocked for longer than a few milliseconds.
const MOST_DRAWN: usize = 1_500;

/// The reason why there is no drawing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DrawError {
    /// No object has the id.
    #[error("{0}")]
    NotFound(String),
    /// The object has no line, or the id is not valid.
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

/// Returns the drawing of an object's line as an SVG document.
///
/// # Errors
/// Returns an error if the id is not valid, if no object has it, or if no line begins at the object.
pub fn draw(snapshot: &Arc<Snapshot>, id: &str) -> Result<String, DrawError> {
    let id: Uuid = parse_id("the id", id)?;
    let trace = follow(snapshot, "the object", id, None, Through::Stop)?;
    Ok(svg(snapshot, &trace))
}

/// Returns the drawing of a trace as an SVG document.
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
