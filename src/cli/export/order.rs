//! The order of an export, worked out from the descriptions of the kinds: what is referred to comes first.
//!
//! Where kinds refer to each other in circles, or objects to others of their kind, an object is written without the
//! reference, which a later line gives it. Objects that contain others of their kind come level by level instead: the
//! reference to what contains them is a part of what tells them apart.

use underlay_inventory::{Description, Field, Form, Registry};

/// The objects of a kind in an export.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// The kind.
    pub(super) kind: &'static Description,
    /// The field that refers to the object of the same kind that contains the object.
    pub(super) nested: Option<&'static str>,
    /// The fields that are given by a later line.
    pub(super) later: Vec<&'static str>,
}

/// All kinds of a registry, what is referred to first.
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
        // What must be there when the object is created counts first; of equals the first in the registry.
        let next =
            (0..rest.len()).min_by_key(|at| (missing(rest[*at], must_be_first), missing(rest[*at], |_, _| true)));
        order.extend(next.map(|at| rest.remove(at)));
    }
    (0..order.len()).map(|at| stage(&order[..at], order[at])).collect()
}

/// Whether a field must refer to something when the object is created.
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
    fn what_an_object_needs_is_there_before_it() {
        let stages = stages(&crate::kinds::registry());
        assert_eq!(stages.len(), crate::kinds::registry().kinds().len());
        for (at, stage) in stages.iter().enumerate() {
            for field in stage.kind.fields {
                let Some(reference) = field.reference else { continue };
                let is_before = |target: &str| stages[..at].iter().any(|stage| stage.kind.name == target);
                let given = Some(field.name) == stage.nested || stage.later.contains(&field.name);
                assert!(
                    given || reference.targets.iter().all(|it| is_before(it)),
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
    fn circles_are_cut_where_the_reference_can_wait() {
        let stages = stages(&crate::kinds::registry());
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
