//! Every kind has the same shape in the API.

use std::collections::BTreeMap;

use underlay_inventory::{Description, Form};

use super::sdl::{Field, Sdl};

/// The arguments of a connection to a kind.
fn of_connection(kind: &str) -> Vec<(String, String)> {
    arguments(&[
        ("filter", &format!("{kind}Filter")),
        ("orderBy", &format!("{kind}Order")),
        ("first", "Int"),
        ("after", "String"),
        ("last", "Int"),
        ("before", "String"),
        ("pin", "Boolean"),
        ("atRevision", "Revision"),
        ("skip", "Int"),
    ])
}

fn arguments(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, ty)| ((*name).to_owned(), (*ty).to_owned())).collect()
}

fn field(ty: impl Into<String>, list: &[(&str, &str)]) -> Field {
    Field { ty: ty.into(), arguments: arguments(list) }
}

/// Runs a law for every kind.
fn for_each_kind(law: impl Fn(&Sdl, &'static Description)) {
    let sdl = Sdl::of_the_code();
    let registry = underlay_kinds::registry();
    assert!(registry.kinds().len() > 10, "the kinds are there");
    registry.kinds().for_each(|kind| law(&sdl, kind));
}

fn has(found: &BTreeMap<String, String>, kind: &str, expected: &[(&str, &str)]) {
    for (name, ty) in expected {
        assert_eq!(found.get(*name).map(String::as_str), Some(*ty), "{kind}: {name}");
    }
}

#[test]
fn objects_have_the_common_fields_and_their_own() {
    for_each_kind(|sdl, kind| {
        let name = kind.name;
        assert_eq!(sdl.interfaces(name), ["Node", "Object"], "{name}");
        let fields = sdl.fields(name);
        for (common, expected) in sdl.fields("Object") {
            assert_eq!(fields.get(&common), Some(&expected), "{name}.{common}");
        }
        let changes = field("ChangeConnection", &[("first", "Int"), ("after", "String")]);
        assert_eq!(fields.get("changes"), Some(&changes), "{name}.changes");
        for described in kind.fields {
            assert!(fields.contains_key(described.name), "{name}.{} cannot be read", described.name);
        }
    });
}

#[test]
fn the_common_fields_are_those_of_the_interface() {
    let sdl = Sdl::of_the_code();
    let common = [
        "id",
        "name",
        "path",
        "labels",
        "tenant",
        "description",
        "attributes",
        "externalRefs",
        "managers",
        "version",
        "createdAt",
        "updatedAt",
        "item",
    ];
    let fields = sdl.fields("Object");
    let mut common = common.to_vec();
    common.sort_unstable();
    assert_eq!(fields.keys().collect::<Vec<_>>(), common);
    assert_eq!(fields["id"].ty, "ID!");
    assert_eq!(fields["version"].ty, "Revision!");
    assert_eq!(sdl.fields("Node").into_iter().collect::<Vec<_>>(), [("id".to_owned(), field("ID!", &[]))]);
}

#[test]
fn lists_are_connections() {
    for_each_kind(|sdl, kind| {
        let name = kind.name;
        let connection = sdl.fields(&format!("{name}Connection"));
        let expected = [
            ("edges".to_owned(), field(format!("[{name}Edge!]!"), &[])),
            ("facets".to_owned(), field("[Facet!]", &[("by", "[String!]!")])),
            ("nodes".to_owned(), field(format!("[{name}!]!"), &[])),
            ("pageInfo".to_owned(), field("PageInfo!", &[])),
            ("totalCount".to_owned(), field("Int!", &[])),
        ];
        assert_eq!(connection, BTreeMap::from(expected), "{name}Connection");
        let edge = [("cursor".to_owned(), field("String!", &[])), ("node".to_owned(), field(format!("{name}!"), &[]))];
        assert_eq!(sdl.fields(&format!("{name}Edge")), BTreeMap::from(edge), "{name}Edge");

        // Wherever objects of the kind are listed, the same can be asked.
        let ty = format!("{name}Connection");
        for (owner, _) in sdl.types() {
            for (path, found) in fields_of(sdl, owner).into_iter().filter(|(_, found)| found.ty == ty) {
                assert_eq!(found.arguments, of_connection(name), "{owner}.{path}");
            }
        }
    });
}

fn fields_of(sdl: &Sdl, owner: &str) -> BTreeMap<String, Field> {
    let is_output = super::sdl::definitions(sdl.ty(owner)).is_empty();
    if is_output { BTreeMap::new() } else { sdl.fields(owner) }
}

#[test]
fn the_root_lists_objects_and_finds_one_by_key() {
    for_each_kind(|sdl, kind| {
        let query = sdl.fields("Query");
        let list = kind.plural();
        let expected = Field { ty: format!("{}Connection", kind.name), arguments: of_connection(kind.name) };
        assert_eq!(query.get(&list), Some(&expected), "Query.{list}");

        let one = query.get(kind.singular).unwrap_or_else(|| panic!("there is no Query.{}", kind.singular));
        assert_eq!(one.ty, kind.name, "Query.{}", kind.singular);
        let (last, parents) = one.arguments.split_last().expect("arguments");
        assert_eq!(last, &("name".to_owned(), "String!".to_owned()), "Query.{}", kind.singular);
        let optional = parents.iter().all(|(_, ty)| !ty.ends_with('!'));
        assert!(optional, "Query.{}: parents that are not needed may be left out", kind.singular);
        let is_parent = |name: &str| parents.iter().any(|(parent, _)| parent == name);
        if let Some(family) = &kind.key.family {
            assert!(is_parent(family.member), "Query.{}: the family distinguishes objects", kind.singular);
        }
        assert_eq!(kind.key.parents.is_empty(), parents.is_empty(), "Query.{}: the parents", kind.singular);
    });
}

#[test]
fn the_root_creates_updates_and_deletes() {
    for_each_kind(|sdl, kind| {
        let (name, mutation) = (kind.name, sdl.fields("Mutation"));
        let payload = format!("{name}Payload");
        let arguments = [("input", &*format!("{name}Input!")), ("dryRun", "Boolean"), ("requestId", "String")];
        let create = field(&payload, &arguments);
        assert_eq!(mutation.get(&format!("create{name}")), Some(&create), "create{name}");
        let update = [
            ("id", "ID!"),
            ("patch", &*format!("{name}Patch!")),
            ("ifVersion", "Revision"),
            ("conflicts", "ConflictPolicy"),
            ("dryRun", "Boolean"),
            ("requestId", "String"),
        ];
        assert_eq!(mutation.get(&format!("update{name}")), Some(&field(&payload, &update)), "update{name}");
        let mut delete = vec![
            ("id", "ID!"),
            ("ifVersion", "Revision"),
            ("cascade", "Boolean"),
            ("dryRun", "Boolean"),
            ("requestId", "String"),
        ];
        // The resources of a host outside are cleared up first, unless the delete is forced.
        let of_delete = match name {
            "Host" => {
                delete.insert(3, ("force", "Boolean"));
                "DeleteHostPayload"
            }
            _ => "DeletePayload",
        };
        assert_eq!(mutation.get(&format!("delete{name}")), Some(&field(of_delete, &delete)), "delete{name}");

        let expected = [
            ("revision".to_owned(), field("Revision", &[])),
            (kind.singular.to_owned(), field(format!("{name}!"), &[])),
        ];
        assert_eq!(sdl.fields(&payload), BTreeMap::from(expected), "{payload}");
    });
}

#[test]
fn inputs_and_patches_set_what_the_engine_knows() {
    for_each_kind(|sdl, kind| {
        let name = kind.name;
        let (input, patch) = (sdl.members(&format!("{name}Input")), sdl.members(&format!("{name}Patch")));
        has(&input, name, &[("id", "ID"), ("externalId", "String"), ("ifVersion", "Revision")]);
        for described in kind.fields {
            let field = described.name;
            let is_set = described.is_in_items();
            assert_eq!(input.contains_key(field), is_set, "{name}Input: {field}");
            assert_eq!(patch.contains_key(field), is_set && !described.immutable, "{name}Patch: {field}");
        }
        for (member, ty) in &patch {
            assert_eq!(input.get(member), Some(ty), "{name}Input and {name}Patch: {member}");
            assert!(!ty.ends_with('!'), "{name}Patch.{member}: absent leaves alone");
        }
        assert!(input.values().all(|ty| !ty.ends_with('!')), "{name}Input: absent leaves alone");
    });
}

#[test]
fn filters_and_orders_have_the_common_members() {
    for_each_kind(|sdl, kind| {
        let name = kind.name;
        let filter = format!("{name}Filter");
        let expected = [
            ("and", &*format!("[{filter}!]")),
            ("or", &*format!("[{filter}!]")),
            ("not", &*filter),
            ("isNull", "Boolean"),
            ("id", "IdFilter"),
            ("path", "PathFilter"),
            ("name", "TextFilter"),
            ("labels", "LabelSelector"),
            ("tenant", "TextFilter"),
            ("description", "TextFilter"),
            ("externalRef", "ExternalRefFilter"),
            ("createdAt", "TimeFilter"),
            ("updatedAt", "TimeFilter"),
            ("within", "ID"),
        ];
        has(&sdl.members(&filter), &filter, &expected);
        let order = sdl.members(&format!("{name}Order"));
        let by = format!("{name}OrderBy!");
        has(&order, name, &[("by", &by), ("direction", "Direction!")]);
    });
}

#[test]
fn filters_nest_through_references_and_lists() {
    for_each_kind(|sdl, kind| {
        let (name, filter) = (kind.name, sdl.members(&format!("{}Filter", kind.name)));
        for described in kind.fields {
            let Some(reference) = &described.reference else { continue };
            if let (Form::One, [target]) = (reference.form, reference.targets) {
                has(&filter, name, &[(described.name, &format!("{target}Filter"))]);
            }
        }
        for (list, field) in sdl.fields(name) {
            // Changes, runs and events of hardware are read from the database, and are no objects that a filter could ask
            // for.
            let objects = |listed: &&str| !["Change", "HardwareEvent", "SourceRun"].contains(listed);
            let Some(listed) = field.ty.strip_suffix("Connection").filter(objects) else {
                continue;
            };
            has(&filter, name, &[(&list, &format!("{listed}ListFilter"))]);
            let members = ["none", "some"].map(|member| (member.to_owned(), format!("{listed}Filter")));
            assert_eq!(sdl.members(&format!("{listed}ListFilter")), BTreeMap::from(members), "{listed}ListFilter");
        }
    });
}

#[test]
fn references_name_an_object_by_id_external_id_or_key() {
    for_each_kind(|sdl, kind| {
        let reference = sdl.members(&format!("{}Ref", kind.name));
        has(&reference, kind.name, &[("id", "ID"), ("source", "String"), ("externalId", "String")]);
        assert!(reference.contains_key(kind.key.name_member), "{}Ref has no {}", kind.name, kind.key.name_member);
        assert!(reference.values().all(|ty| !ty.ends_with('!')), "{}Ref: any one of them is enough", kind.name);
    });
}

#[test]
fn every_kind_is_an_item_of_a_batch_and_can_be_deleted_by_one() {
    for_each_kind(|sdl, kind| {
        has(&sdl.members("ApplyItem"), "ApplyItem", &[(kind.singular, &format!("{}Input", kind.name))]);
        has(&sdl.members("AnyRef"), "AnyRef", &[(kind.singular, &format!("{}Ref", kind.name)), ("id", "ID")]);
    });
    let sdl = Sdl::of_the_code();
    assert!(sdl.is_one_of("ApplyItem") && sdl.is_one_of("AnyRef"), "exactly one member is given");
    let expected = [("ref", "AnyRef!"), ("cascade", "Boolean!"), ("ifVersion", "Revision")];
    has(&sdl.members("DeleteItem"), "DeleteItem", &expected);
    let kinds = underlay_kinds::registry().kinds().len();
    has(&sdl.members("ReleaseItem"), "ReleaseItem", &[("ref", "AnyRef!"), ("fields", "[String!]!")]);
    assert_eq!(sdl.members("ApplyItem").len(), kinds + 2, "the kinds, delete and release, nothing else");
    assert_eq!(sdl.members("AnyRef").len(), kinds + 1, "the kinds and id, nothing else");
}
