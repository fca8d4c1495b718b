//! Describes the path to a field of an item, as a message names it.

use crate::problem::Path;

/// One step of the path to a field of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member of an object.
    Member(String),
    /// An element of a list, counted from 0.
    Item(usize),
}

impl Step {
    /// Returns true if the step leads to the member with this name.
    pub fn is(&self, name: &str) -> bool {
        matches!(self, Self::Member(member) if member == name)
    }
}

/// Formats steps as a path below a member.
pub fn written(below: &str, steps: &[Step]) -> String {
    fn add(above: &Path<'_>, steps: &[Step]) -> String {
        match steps {
            [] => above.to_string(),
            [Step::Member(name), rest @ ..] => add(&above.member(name), rest),
            [Step::Item(index), rest @ ..] => add(&above.item(*index), rest),
        }
    }
    add(&Path::Root.member(below), steps)
}
