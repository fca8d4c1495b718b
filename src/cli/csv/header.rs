//! The header of a table: a column for each field of the objects, by its name.
//!
//! Parts of a field are named with dots (`placement.startUnit`), as are the entries of maps (`labels.env`).

use underlay_inventory::Description;
use underlay_kit::{choices, printable, shown};

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
    let mut columns: Vec<(usize, Column)> = Vec::new();
    let mut problems = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let column = match names[..place].iter().position(|other| other == name) {
            Some(other) if !name.is_empty() => Err(format!("{} stands in column {} already", shown(name), other + 1)),
            _ => column(name, kind, types).and_then(|column| alone(column, &columns)),
        };
        match column {
            Ok(column) => columns.push((place + 1, column)),
            Err(reason) => problems.push(Problem { column: Some(place + 1), reason }),
        }
    }
    if kind.unnamed.is_none() && !names.iter().any(|name| IDENTITY.contains(name)) {
        let reason = format!("there is no column name, and none of id and externalId: which {} is meant?", kind.name);
        problems.push(Problem { column: None, reason });
    }
    if problems.is_empty() { Ok(columns.into_iter().map(|(_, column)| column).collect()) } else { Err(problems) }
}

/// The column, if no other stands for the whole that it is a part of, or for a part of it.
fn alone(column: Column, others: &[(usize, Column)]) -> Result<Column, String> {
    let clash = |other: &Column| {
        // Each gives some of the entries of one list.
        let both_lists = matches!((&column.shape, &other.shape), (Shape::ListOf(..), Shape::ListOf(..)));
        let within = column.members.starts_with(&other.members) || other.members.starts_with(&column.members);
        within && !both_lists
    };
    match others.iter().find(|(_, other)| clash(other)) {
        None => Ok(column),
        Some((number, other)) => {
            Err(format!("{} and {} (column {number}) say the same thing", shown(&column.name), shown(&other.name)))
        }
    }
}

fn column(name: &str, kind: &Description, types: &Types) -> Result<Column, String> {
    if name.is_empty() {
        return Err("has no name: the first line must name the field of each column".to_owned());
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
