//! Lists the readings of a name: which parts are names of parents, and which slashes belong to a name.
//!
//! In `port/leaf-3/Ethernet1/2`, `Ethernet1/2` can be a port of `leaf-3`, or `2` can be a port of `Ethernet1` at
//! `leaf-3`. Each reading is a filter of the API. The likeliest readings come first: those with the fewest slashes in
//! names.

use serde_json::{Map, Value, json};

use underlay_inventory::Description;

use super::path::{has_common_names, parents};

/// The maximum number of readings to try; later readings are far-fetched.
const READINGS_TRIED: usize = 32;

/// One reading of a name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reading {
    /// The number of slashes that belong to names.
    pub(super) joined: usize,
    /// The API filter for the objects of this reading.
    pub(super) filter: Value,
}

/// Returns the readings of the parts of a name of a kind, the likeliest first.
pub(super) fn readings(kind: &Description, parts: &[String]) -> Vec<Reading> {
    let mut found = Vec::new();
    for names in groupings(parts) {
        let joined = parts.len() - names.len();
        let Some((name, above)) = names.split_last() else { continue };
        let mut add = |above: &[String], family: Option<Value>| {
            let filters = conditions(kind, above).into_iter().map(|condition| filter(kind, name, condition, &family));
            found.extend(filters.map(|filter| Reading { joined, filter }));
        };
        add(above, None);
        if let Some((family, above)) = above.split_last().and_then(|(last, above)| Some((family(kind, last)?, above))) {
            add(above, Some(family));
        }
    }
    found.sort_by_key(|reading| reading.joined);
    found.truncate(READINGS_TRIED);
    found
}

/// Returns all ways to join neighbouring parts to names.
fn groupings(parts: &[String]) -> Vec<Vec<String>> {
    let Some((first, rest)) = parts.split_first() else { return vec![Vec::new()] };
    let mut found = Vec::new();
    for mut names in groupings(rest) {
        if let Some((next, others)) = names.split_first() {
            let mut joined = vec![format!("{first}/{next}")];
            joined.extend_from_slice(others);
            found.push(joined);
        }
        names.insert(0, first.clone());
        found.push(names);
    }
    found
}

/// Returns the filter condition for a family, if the part names one.
fn family(kind: &Description, part: &str) -> Option<Value> {
    let family = kind.key.family?;
    let name = family.names.iter().find(|name| name.eq_ignore_ascii_case(part))?;
    Some(json!({ family.member: { "eq": name } }))
}

/// Returns the filter conditions for objects of a kind with these parents, from the top down.
fn conditions(kind: &Description, above: &[String]) -> Vec<Value> {
    let Some((nearest, above)) = above.split_last() else { return vec![json!({})] };
    let mut found = Vec::new();
    for (field, target) in parents(kind) {
        for condition in conditions(target, above) {
            let mut of_parent = Map::from_iter([("name".to_owned(), json!({ "eq": nearest }))]);
            merge(&mut of_parent, condition);
            found.push(json!({ field: of_parent }));
        }
    }
    found
}

fn filter(kind: &Description, name: &str, condition: Value, family: &Option<Value>) -> Value {
    let named = json!({ "name": { "eq": name } });
    // The server evaluates the first condition first: a device has fewer ports than there are ports of one name.
    let mut filter = match has_common_names(kind) {
        true => Map::from_iter([("and".to_owned(), json!([condition, named]))]),
        false => {
            let mut filter = Map::new();
            merge(&mut filter, named);
            merge(&mut filter, condition);
            filter
        }
    };
    family.iter().for_each(|family| merge(&mut filter, family.clone()));
    Value::Object(filter)
}

fn merge(into: &mut Map<String, Value>, members: Value) {
    if let Value::Object(members) = members {
        into.extend(members);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::kinds;

    fn read(kind: &str, name: &str) -> Vec<(usize, Value)> {
        let parts: Vec<String> = name.split('/').map(str::to_owned).collect();
        let kind = kinds().named(kind).expect("a kind");
        readings(kind, &parts).into_iter().map(|reading| (reading.joined, reading.filter)).collect()
    }

    #[test]
    fn a_bare_name_means_any_object_of_that_name() {
        assert_eq!(read("rack", "A14"), [(0, json!({"name": {"eq": "A14"}}))]);
        assert_eq!(read("port", "e1"), [(0, json!({"and": [{}, {"name": {"eq": "e1"}}]}))]);
    }

    #[test]
    fn parents_are_read_before_slashes_in_names() {
        assert_eq!(
            read("rack", "ams1/A14"),
            [
                (0, json!({"name": {"eq": "A14"}, "site": {"name": {"eq": "ams1"}}})),
                (1, json!({"name": {"eq": "ams1/A14"}})),
            ]
        );
        let ports = read("port", "leaf-3/Ethernet1/2");
        let expected = json!({"and": [{"device": {"name": {"eq": "leaf-3"}}}, {"name": {"eq": "Ethernet1/2"}}]});
        assert!(ports.contains(&(1, expected)), "{ports:?}");
        let joined: Vec<usize> = ports.iter().map(|(joined, _)| *joined).collect();
        assert!(joined.is_sorted() && joined.last() == Some(&2), "{joined:?}");
    }

    #[test]
    fn families_can_stand_before_the_name() {
        let ports = read("port", "panel-1/front/1");
        let expected = json!({
            "and": [{"device": {"name": {"eq": "panel-1"}}}, {"name": {"eq": "1"}}], "family": {"eq": "FRONT"},
        });
        assert!(ports.contains(&(0, expected)), "{ports:?}");
    }

    #[test]
    fn a_name_of_many_parts_has_a_bounded_number_of_readings() {
        let name = ["a"; 12].join("/");
        for kind in kinds().kinds() {
            let count = read(kind.singular, &name).len();
            assert!((1..=READINGS_TRIED).contains(&count), "{}: {count}", kind.name);
        }
    }
}
