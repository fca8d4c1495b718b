//! Reads the header of a table, which names the field of each column.
//!
//! Parts of a field are named with dots (`placement.startUnit`), as are the entries of maps (`labels.env`). Fields that
//! only the server sets can be columns too, because lists have them; they are not applied.

use underlay_inventory::Description;
use underlay_kit::{choices, printable, shown};

use crate::sdl::sdl;
use underlay_kinds::grammar::with_article;

use super::types::{CellType, PathError, Types};

/// The fields that identify an object. The header must name one of them.
const IDENTITY: [&str; 3] = ["name", "id", "externalId"];

/// A column of a table.
#[derive(Clone, Debug)]
pub(super) struct HeaderColumn {
    /// The name in the header.
    pub(super) name: String,
    /// The path of the value in the item.
    pub(super) members: Vec<String>,
    pub(super) cell_type: CellType,
}

/// A problem with a column, counted from 1, or with the header as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) column: Option<usize>,
    pub(super) reason: String,
}

/// Returns the columns of a header, or all problems with it.
pub(super) fn read<'a>(
    names: impl Iterator<Item = &'a str>,
    kind: &Description,
    types: &Types,
) -> Result<Vec<HeaderColumn>, Vec<Problem>> {
    let names: Vec<&str> = names.map(str::trim).collect();
    if let [only] = names.as_slice()
        && only.contains([';', '\t'])
    {
        let reason = "the columns must be separated by commas, not by semicolons or tabs".to_owned();
        return Err(vec![Problem { column: None, reason }]);
    }
    let mut columns: Vec<(usize, HeaderColumn)> = Vec::new();
    let mut problems = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let column = match names[..index].iter().position(|other| other == name) {
            Some(other) if !name.is_empty() => Err(format!("{} is already column {}", shown(name), other + 1)),
            _ => column(name, kind, types).and_then(|column| alone(column, &columns)),
        };
        match column {
            Ok(column) => columns.push((index + 1, column)),
            Err(reason) => problems.push(Problem { column: Some(index + 1), reason }),
        }
    }
    if columns.is_empty() && !problems.is_empty() {
        // It can be anything but a table, so nothing of it is repeated.
        let reason = format!("names no field of {}: it must name the field of each column", with_article(kind.name));
        return Err(vec![Problem { column: None, reason }]);
    }
    if kind.unnamed.is_none() && !names.iter().any(|name| IDENTITY.contains(name)) {
        let reason = format!("there is no column name, id or externalId to identify each {}", kind.name);
        problems.push(Problem { column: None, reason });
    }
    if problems.is_empty() { Ok(columns.into_iter().map(|(_, column)| column).collect()) } else { Err(problems) }
}

/// Returns the column, unless it is a part of another column or another column is a part of it.
fn alone(column: HeaderColumn, others: &[(usize, HeaderColumn)]) -> Result<HeaderColumn, String> {
    let conflicts = |other: &HeaderColumn| {
        if [&column, other].iter().any(|it| matches!(it.cell_type, CellType::Computed)) {
            return false;
        }
        // Each column holds some entries of the same list.
        let both_lists = matches!((&column.cell_type, &other.cell_type), (CellType::ListOf(..), CellType::ListOf(..)));
        let within = column.members.starts_with(&other.members) || other.members.starts_with(&column.members);
        within && !both_lists
    };
    match others.iter().find(|(_, other)| conflicts(other)) {
        None => Ok(column),
        Some((number, other)) => {
            Err(format!("{} and {} (column {number}) set the same value", shown(&column.name), shown(&other.name)))
        }
    }
}

fn column(name: &str, kind: &Description, types: &Types) -> Result<HeaderColumn, String> {
    if name.is_empty() {
        return Err("has no name: the first line must name the field of each column".to_owned());
    }
    let path: Vec<&str> = name.split('.').collect();
    match types.follow(kind, &path) {
        Ok(way) => Ok(HeaderColumn { name: printable(name), members: way.members, cell_type: way.cell_type }),
        Err(PathError::Unknown { at: 0, .. }) if sdl().field(kind.name, path[0]).is_some() => {
            Ok(HeaderColumn { name: printable(name), members: Vec::new(), cell_type: CellType::Computed })
        }
        Err(error) => Err(say(&error, name, &path, kind)),
    }
}

/// Returns a sentence about a column that is in the API's objects, but in no item.
pub(super) fn note(column: &HeaderColumn, kind: &Description, types: &Types) -> String {
    let ending = format!(".{}", column.name);
    let meant = types.columns(kind).into_iter().find(|name| name.ends_with(&ending));
    let instead = meant.map_or_else(String::new, |name| format!("; {name} sets it"));
    format!("{} is not applied, because the server computes it{instead}", column.name)
}

fn say(error: &PathError, name: &str, path: &[&str], kind: &Description) -> String {
    match error {
        PathError::Unknown { at: 0, allowed } => {
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            format!("{} has no field {}; {}", with_article(kind.name), shown(path[0]), choices(path[0], &allowed))
        }
        PathError::Unknown { at, allowed } => {
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            let above = printable(&path[..*at].join("."));
            format!("{above} has no member {}; {}", shown(path[*at]), choices(path[*at], &allowed))
        }
        PathError::NoParts { at } => {
            let above = printable(&path[..=*at].join("."));
            format!("{} has too many parts: {above} is one column", shown(name))
        }
    }
}
