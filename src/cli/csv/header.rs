//! The header of a table: a column for each field of the objects, by its name.
//!
//! Parts of a field are named with dots (`placement.startUnit`), as are the entries of maps (`labels.env`).

use crate::cli::manifest::{choices, printable, shown};
use crate::inventory::Description;

use super::types::{Astray, Shape, Types};

/// Fields by which an object is found; one of them must be there.
const IDENTITY: [&str; 3] = ["name", "id", "externalId"];

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// As the header has it.
    pub(super) name: String,
    /// The way to the value in the item.
    pub(super) members: Vec<String>,
    pub(super) shape: Shape,
}

/// Something that is wrong with a column, counted from 1; or with the header as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) column: Option<usize>,
    pub(super) reason: String,
}

/// The columns of a header, or all that is wrong with it.
pub(super) fn read<'a>(
    names: impl Iterator<Item = &'a str>,
    kind: &Description,
    types: &Types,
) -> Result<Vec<Column>, Vec<Problem>> {
    let names: Vec<&str> = names.map(str::trim).collect();
    if let [only] = names.as_slice()
        && only.contains([';', '\t'])
    {
        let reason = "the columns must be separated by commas, not by semicolons or tabs".to_owned();
        return Err(vec![Problem { column: None, reason }]);
    }
    let (mut columns, mut problems): (Vec<Column>, Vec<Problem>) = (Vec::new(), Vec::new());
    for (place, name) in names.iter().enumerate() {
        match column(name, &names[..place], kind, types) {
            Ok(column) => columns.push(column),
            Err(reason) => problems.push(Problem { column: Some(place + 1), reason }),
        }
    }
    if kind.unnamed.is_none() && !names.iter().any(|name| IDENTITY.contains(name)) {
        let reason = format!("there is no column name, and none of id and externalId: which {} is meant?", kind.name);
        problems.push(Problem { column: None, reason });
    }
    if problems.is_empty() { Ok(columns) } else { Err(problems) }
}

fn column(name: &str, before: &[&str], kind: &Description, types: &Types) -> Result<Column, String> {
    if name.is_empty() {
        return Err("has no name: the first line must name the field of each column".to_owned());
    }
    if let Some(place) = before.iter().position(|other| *other == name) {
        return Err(format!("{} stands in column {} already", shown(name), place + 1));
    }
    let whole = |outer: &str, inner: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
    if let Some(place) = before.iter().position(|other| whole(other, name) || whole(name, other)) {
        return Err(format!("{} and {} (column {}) say the same thing", shown(name), shown(before[place]), place + 1));
    }
    let path: Vec<&str> = name.split('.').collect();
    match types.follow(kind, &path) {
        Ok(way) => Ok(Column { name: printable(name), members: way.members, shape: way.shape }),
        Err(astray) => Err(say(&astray, name, &path, kind)),
    }
}

fn say(astray: &Astray, name: &str, path: &[&str], kind: &Description) -> String {
    match astray {
        Astray::Unknown { at: 0, allowed } => {
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            format!("a {} has no field {}; {}", kind.name, shown(path[0]), choices(path[0], &allowed))
        }
        Astray::Unknown { at, allowed } => {
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            let above = printable(&path[..*at].join("."));
            format!("{above} has no member {}; {}", shown(path[*at]), choices(path[*at], &allowed))
        }
        Astray::NoParts { at } => {
            let above = printable(&path[..=*at].join("."));
            format!("{} goes too far: {above} is written in one column", shown(name))
        }
        Astray::NoKey => {
            let name = printable(name);
            format!("{name} has entries: name one in each column, such as {name}.env")
        }
    }
}
