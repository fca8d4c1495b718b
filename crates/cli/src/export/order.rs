//! Computes the order of an export from the descriptions of the kinds: objects come after those that they refer to.
//!
//! If kinds refer to each other in a cycle, or objects refer to others of their kind, an object is created without the
//! reference, and a later line sets it. Objects that contain objects of their kind are written level by level instead,
//! because the reference to the container is a part of their key.

use underlay_inventory::{Description, Field, Form, Registry};

/// The objects of a kind in an export.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The kind of these objects.
    pub(super) kind: &'static Description,
    /// The field that refers to a container of the same kind.
    pub(super) nested: Option<&'static str>,
    /// The fields that a later line sets.
    pub(super) later: Vec<&'static str>,
}

/// Returns all kinds of a registry in the order of the export.
pub(super) fn stages(registry: &Registry) -> Vec<Stage> {
    let mut order: Vec<&'static Description> = Vec::new();
    let mut rest: Vec<&'static Description> = registry.kinds().collect();
    while !rest.is_empty() {
        let missing = |kind: &'static Description, counts: fn(&Description, &Field) -> bool| {
            let fields = kind.fields.iter().filter(|field| counts(kind, field));
            let targets = fields.flat_map(|field| field.reference.map(|it| it.targets).unwrap_or_default());
            let is_missing = |target: &str| target != kind.name && rest.iter().any(|kind| kind.name == target);
            targets.filter(|target| is_missing(target)).count()
        };
        // References that are needed when the object is created count first. On a tie, the order of the registry
        // decides.
        let next =
            (0..rest.len()).min_by_key(|at| (missing(rest[*at], must_be_first), missing(rest[*at], |_, _| true)));
        order.extend(next.map(|at| rest.remove(at)));
    }
    (0..order.len()).map(|at| stage(&order[..at], order[at])).collect()
}

/// Returns true if a field must have a reference when the object is created.
fn must_be_first(kind: &Description, field: &Field) -> bool {
    let contained = field.reference.is_some_and(|reference| reference.contained);
    field.required || field.immutable || contained || kind.key.parents.contains(&field.name)
}

fn stage(before: &[&'static Description], kind: &'static Description) -> Stage {
    let nests = |field: &Field| {
        let reference = field.reference.filter(|reference| reference.form == Form::One);
        reference.is_some_and(|reference| reference.targets == [kind.name]) && must_be_first(kind, field)
    };
    let nested = kind.fields.iter().find(|field| nests(field)).map(|field| field.name);
    let is_before = |target: &str| before.iter().any(|kind| kind.name == target);
    let later = kind.fields.iter().filter(|field| {
        let forward =
            field.reference.is_some_and(|reference| !reference.targets.iter().all(|target| is_before(target)));
        forward && Some(field.name) != nested
    });
    Stage { kind, nested, later: later.map(|field| field.name).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_come_after_those_that_they_need() {
        let stages = stages(&underlay_kinds::registry());
        assert_eq!(stages.len(), underlay_kinds::registry().kinds().len());
        for (at, stage) in stages.iter().enumerate() {
            for field in stage.kind.fields {
                let Some(reference) = field.reference else { continue };
                let is_before = |target: &str| stages[..at].iter().any(|stage| stage.kind.name == target);
                let postponed = Some(field.name) == stage.nested || stage.later.contains(&field.name);
                assert!(
                    postponed || reference.targets.iter().all(|it| is_before(it)),
                    "{}.{}",
                    stage.kind.name,
                    field.name
                );
                let can_wait = !field.required && !field.immutable;
                assert!(can_wait || !stage.later.contains(&field.name), "{}.{}", stage.kind.name, field.name);
            }
        }
    }

    #[test]
    fn cycles_are_broken_at_optional_references() {
        let stages = stages(&underlay_kinds::registry());
        let of = |name: &str| stages.iter().find(|stage| stage.kind.name == name).expect("a kind");
        assert_eq!(of("PowerFeed").later, ["upstream"]);
        assert_eq!(of("Port").later, ["lag", "parent", "fedBy", "passThrough"]);
        for kind in ["Region", "Location", "Device"] {
            assert_eq!((of(kind).nested, of(kind).later.len()), (Some("parent"), 0), "{kind}");
        }
        let waiting = stages.iter().filter(|stage| !stage.later.is_empty()).count();
        assert_eq!(waiting, 2, "all else finds what it refers to");
    }
}
