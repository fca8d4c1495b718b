//! A trace as a drawing: hops from left to right, a row for each branch.
//!
//! `scene` says what there is to see, in words and shapes; `paint` gives it places on a page; `svg` writes it down.
//! Guarantees: text of the inventory stands in text only, escaped; a drawing is bounded like the trace itself.

mod paint;
mod scene;
mod svg;

use std::sync::Arc;

use thiserror::Error;
use uuid::Uuid;

use super::follow;
use crate::inventory::{Code, Refusal, Snapshot, parse_id};
use crate::topology::line::{Through, Trace};

/// At most so many branches are drawn; the drawing says how many more there are.
const MOST_ROWS: usize = 100;

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
    let trace = follow(snapshot, id, None, Through::Stop)?;
    Ok(svg(snapshot, &trace))
}

/// The drawing of a trace, an SVG document.
pub fn svg(snapshot: &Arc<Snapshot>, trace: &Trace) -> String {
    let rows = trace.branches.iter().take(MOST_ROWS).map(|branch| scene::row(snapshot, branch)).collect();
    let more = trace.branches.len().saturating_sub(MOST_ROWS);
    let title = snapshot.path(trace.origin);
    let mut remarks = vec![if trace.complete() { "complete" } else { "not complete" }.to_owned()];
    remarks.push(if trace.active() { "active" } else { "not active" }.to_owned());
    remarks.extend(trace.split().then(|| "split: a position had to be guessed".to_owned()));
    remarks.extend(trace.truncated.then(|| "truncated: there is more".to_owned()));
    remarks.extend((more > 0).then(|| format!("{more} more branches are not drawn")));
    remarks.push(format!("revision {}", snapshot.revision()));
    paint::page(&scene::Scene { title, remarks: remarks.join(" · "), rows })
}
