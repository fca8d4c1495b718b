//! A wrong declaration is refused in a sentence that says what is allowed.

use syn::{ItemImpl, ItemStruct, parse_str};

use super::arguments::Arguments;
use super::element::Element;
use super::expand;

const KIND: &str = "id = RACK, row = Model, reference(rack = \"The name of the rack.\")";

/// Returns the text that a declaration expands to, or the message with which it is refused.
fn expanded(arguments: &str, members: &str) -> Result<String, String> {
    let arguments: Arguments = parse_str(arguments).map_err(|error| error.to_string())?;
    let item: ItemStruct = parse_str(&format!("/// A rack.\nstruct Rack {{ {members} }}")).expect("a struct");
    let elements = Element::all(&item).map_err(|error| error.to_string())?;
    expand::kind(&arguments, &item, &elements).map(|text| text.to_string()).map_err(|error| error.to_string())
}

#[test]
fn a_wrong_declaration_is_refused_with_what_is_allowed() {
    let cases = [
        ("row = Model", "", "a kind needs `id = …`"),
        ("id = RACK", "", "a kind needs `row = …`"),
        ("id = RACK, row = Model", "", "a kind needs `reference(…)`"),
        ("id = RACK, row = Model, colour = red", "", "a kind has no `colour`; it has id, row, plural,"),
        (KIND, "cage: Option<String>", "what it is is missing: #[field(NUMBER)]"),
        (KIND, "#[filed(8)] cage: Option<String>", "a member is one of field, reference, list, computed, filter"),
        (KIND, "#[field(8)] #[list(A::B)] cage: String", "a member is one of field, reference"),
        (KIND, "#[field(10)] height_u: i32", "the type does not say which values the field takes: add `range"),
        (KIND, "#[field(10, range = 1)] height_u: i32", "a range is written as 1..=100"),
        (KIND, "#[field(10, range = 1..)] height_u: i32", "a range has both ends"),
        (KIND, "#[field(8, shape = TEXTS, filter)] tags: Vec<String>", "values of this type have no usual filter"),
        (KIND, "#[list(Device::RACK)] devices: Device", "a list has the type `Vec` of the kind that it lists"),
        (KIND, "#[computed(|row| row.a, filter)] a: bool", "what is computed or described has no usual filter"),
        (KIND, "#[input_only(immutable, filter)] a: A", "what is no field has no filter"),
        (KIND, "#[described(FIELD, columns(a))] a: A", "expected `=`"),
        (KIND, "#[list(Device::RACK, filter(A, |row| 1))] devices: Vec<Device>", "lists are filtered by the filter"),
        (KIND, "#[reference(6, filter(A, f))] site: Site", "a filter on objects of several kinds needs `filter_text"),
        (KIND, "#[input = 5] #[field(8)] cage: String", "expected string literal"),
    ];
    for (arguments, members, message) in cases {
        let found = expanded(arguments, members).expect_err(members);
        assert!(found.contains(message), "{arguments} {members}: {found}");
    }
}

#[test]
fn resolvers_are_asynchronous_functions_of_their_kind() {
    let refused = |text: &str| {
        let item: ItemImpl = parse_str(text).expect("an impl");
        expand::resolvers(&item).map(|text| text.to_string()).expect_err(text).to_string()
    };
    assert!(refused("impl Rack { fn space(&self) {} }").contains("a resolver is an `async fn`"));
    assert!(refused("impl Rack { const A: u8 = 1; }").contains("a resolver is an `async fn`"));
    assert!(refused("impl Clone for Rack {}").contains("not of a trait"));
    assert!(refused("impl [Rack] {}").contains("on an `impl` of the struct of their kind"));
}

#[test]
fn a_declaration_expands_to_the_macros_of_the_grammar() {
    let text = expanded(
        KIND,
        "/// The number of units.
         #[written = \"Required to create a rack.\"]
         #[field(10, range = 1..=100, default = 1, filter, order(\"the height\"), required)]
         height_u: i32",
    );
    let text = text.expect("a declaration").replace(char::is_whitespace, "");
    for part in [
        "underlay_inventory::field!(10,Row.height_u,\"heightU\",underlay_inventory::Shape::Integer{least:1,most:100}).required()",
        "crate::blank!(Row{height_u:1});",
        "#[doc=\"Thenumberofunits.\"]#[doc=\"Requiredtocreatearack.\"]height_u:i32;",
        "height_u:underlay_read::IntFilter=|row|Some(row.height_u.into());",
        "HeightUas\"heightU\":\"theheight\"=|row|row.height_u;",
        "height_u:i32=|row|row.height_u;",
        "mutationRackMutation{create_rack,update_rack,delete_rack}",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn what_is_no_plain_field_is_declared_too() {
    let text = expanded(
        KIND,
        "/// The place.
         #[described(place::FIELD, input = PlaceInput, columns(rack_id = None, start = 1), unread)]
         place: Place,
         /// The rack of the place.
         #[through(\"place\", filter)]
         rack: Option<Rack>,
         /// The state at first.
         #[input_only(immutable)]
         arrives_as: Adoption",
    );
    let text = text.expect("a declaration").replace(char::is_whitespace, "");
    for part in [
        "crate::fields![place::FIELD]",
        "crate::blank!(Row{rack_id:None,start:1});",
        "pubconstRACK:ReferenceId=Description::reference(crate::ids::RACK,FIELDS,\"place\");",
        "fixed{#[doc=\"Thestateatfirst.\"]arrives_as:Adoption;}fields{#[doc=\"Theplace.\"]place:PlaceInput;}",
        "rack:RackFilter=>Rack,Rack::RACK;",
        "refers{#[doc=\"Therackoftheplace.\"]rack:RackbyRack::RACK;}",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}
