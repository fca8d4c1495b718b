//! Validates documents of GraphQL against `schema.graphql`, the schema that the server is held to.

use std::path::Path;
use std::sync::OnceLock;

use graphql_tools::parser::{parse_query, parse_schema};
use graphql_tools::static_graphql::schema::Document;
use graphql_tools::validation::rules::{
    OverlappingFieldsCanBeMerged, ValidationRule as _, default_rules_validation_plan,
};
use graphql_tools::validation::utils::ValidationError;
use graphql_tools::validation::validate::validate;

/// Panics with the reasons if a document asks for something that the schema does not have, or is no document at all.
///
/// It may ask fields of the same name of several kinds, such as `status`, whose types differ: the server allows this,
/// though the specification wants an alias there.
///
/// # Panics
/// Panics if the document is not valid.
#[track_caller]
pub fn assert_valid(document: impl AsRef<str>) {
    let text = document.as_ref();
    let document = parse_query(text).unwrap_or_else(|error| panic!("{error}\n{text}")).into_static();
    let problems = validate(schema(), &document, &default_rules_validation_plan());
    let is_wrong = |problem: &&ValidationError| problem.error_code != OverlappingFieldsCanBeMerged::new().error_code();
    let problems: Vec<&str> = problems.iter().filter(is_wrong).map(|problem| problem.message.as_str()).collect();
    assert!(problems.is_empty(), "{problems:#?}\n{text}");
}

fn schema() -> &'static Document {
    static SCHEMA: OnceLock<Document> = OnceLock::new();
    SCHEMA.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema.graphql");
        let text = std::fs::read_to_string(&file).expect("the schema");
        // A schema does not name the types that every schema has, and the library does not know them.
        let text = format!("{text}\nscalar Boolean scalar Float scalar ID scalar Int scalar String");
        parse_schema(&text).expect("a schema").into_static()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_schema_has_is_valid() {
        assert_valid(
            "query($site: String) { rack(site: $site, name: \"A14\") { heightU devices { nodes { name } } } }",
        );
    }

    #[test]
    #[should_panic(expected = "heightV")]
    fn what_it_does_not_have_is_not() {
        assert_valid("{ rack(name: \"A14\") { heightV } }");
    }

    #[test]
    #[should_panic(expected = "of type")]
    fn a_variable_of_another_type_is_not() {
        assert_valid("query($id: Int!) { node(id: $id) { id } }");
    }
}
