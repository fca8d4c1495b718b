//! Fields that a role may set, and fields that only controllers set.

use underlay_inventory::{Role, Roles, Setter};
use underlay_kinds::registry;

#[test]
fn a_reported_field_is_assigned_by_controllers() {
    for kind in registry().kinds() {
        let name = kind.name;
        for field in kind.fields.iter().filter(|field| field.reported) {
            let field_name = field.name;
            let by = field.assigned_by;
            assert!(by.meets(Roles::NONE.with(Role::Reconciler)), "{name}.{field_name}: reconciler");
            assert!(!by.meets(Roles::WRITING), "{name}.{field_name}: people do not report");
            assert!(!field.required && !field.immutable, "{name}.{field_name}: it begins with its default");
            assert_eq!(field.setter, Setter::Everyone, "{name}.{field_name}: either the server or controllers");
            assert!(field.assigned_entries.is_empty(), "{name}.{field_name}: reported as a whole");
            let is_key = kind.key.parents.contains(&field_name)
                || kind.key.family.is_some_and(|family| family.field == field_name);
            assert!(!is_key, "{name}.{field_name}: no part of the key");
        }
    }
}

#[test]
fn only_maps_have_assigned_entries() {
    for kind in registry().kinds() {
        for field in kind.fields.iter().filter(|field| !field.assigned_entries.is_empty()) {
            assert!(matches!(field.shape, underlay_inventory::Shape::PerKey), "{}.{}", kind.name, field.name);
        }
    }
}

#[test]
fn nobody_is_assigned_a_field_that_decides_who_sees() {
    let mut deciding = 0;
    for kind in registry().kinds() {
        for field in kind.fields.iter().filter(|field| kind.decides_who_sees(field.name)) {
            assert_eq!(field.assigned_by, Roles::NONE, "{}.{}", kind.name, field.name);
            deciding += 1;
        }
    }
    assert!(deciding >= 10, "{deciding}");
}
