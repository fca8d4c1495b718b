//! Asks the server for an impact: the counts with the first page, or all pages.

use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError, MAX_OBJECTS_PER_PAGE};

use crate::object::KindName;
use underlay_error::Code;

/// The number of reasons requested for each object. The first reason decides its position in the tree.
const REASONS_PER_OBJECT: usize = 3;

/// The number of times that a list is read from its beginning, because the server no longer holds the answer.
const READ_ATTEMPTS: usize = 5;

/// The part of an impact to request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// The counts, which cover everything, and the first page of affected objects.
    FirstPage,
    /// All affected objects.
    All,
}

const QUERY: &str = "query($of: [ID!]!, $anchors: [ID!], $kinds: [String!], $within: ID, $first: Int, $after: String, \
    $reasons: Int) { impact(of: $of, anchors: $anchors, kinds: $kinds, within: $within) { \
      revision unanchored of { ... on Node { id } } counts { kind effect count } \
      affected(first: $first, after: $after) { totalCount \
        nodes { node { id } kind path effect rule lost of because(first: $reasons) { node { id } kind path } } \
        pageInfo { hasNextPage endCursor } } } }";

#[derive(Deserialize)]
struct ImpactData {
    impact: Value,
}

/// Returns the variables of the query.
pub(super) fn variables(of: &[String], anchors: &[String], within: &[String], kinds: &[KindName]) -> Value {
    let kinds: Vec<&str> = kinds.iter().map(|kind| kind.0.name).collect();
    let or_null = |list: Value| if list.as_array().is_some_and(Vec::is_empty) { Value::Null } else { list };
    json!({
        "of": of, "anchors": or_null(json!(anchors)), "kinds": or_null(json!(kinds)), "within": within.first(),
        "first": MAX_OBJECTS_PER_PAGE, "reasons": REASONS_PER_OBJECT,
    })
}

/// Asks for the impact of a failure. The result lists the affected objects in `affected`, and `totalCount` is their
/// total number. The list is shorter than that if only the first page was requested.
pub(super) async fn impact(client: &Client, variables: &Value, extent: Extent) -> Result<Value, ClientError> {
    let mut times = 1;
    loop {
        match read(client, variables.clone(), extent).await {
            Err(error) if error.has_code(Code::RevisionCompacted.as_str()) && times < READ_ATTEMPTS => times += 1,
            read => return read,
        }
    }
}

/// Reads an impact, beginning with its first page. All pages are of one revision.
async fn read(client: &Client, mut variables: Value, extent: Extent) -> Result<Value, ClientError> {
    let (mut whole, mut affected): (Option<Value>, Vec<Value>) = (None, Vec::new());
    loop {
        let ImpactData { mut impact } = client.query(QUERY, variables.clone()).await?;
        let mut page = impact["affected"].take();
        impact["totalCount"] = page["totalCount"].take();
        whole.get_or_insert(impact);
        if let Value::Array(nodes) = page["nodes"].take() {
            affected.extend(nodes);
        }
        if extent == Extent::FirstPage || page["pageInfo"]["hasNextPage"] != true {
            break;
        }
        variables["after"] = page["pageInfo"]["endCursor"].take();
    }
    let mut whole = whole.unwrap_or_default();
    whole["affected"] = Value::Array(affected);
    Ok(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_query_is_valid() {
        underlay_testing::graphql::assert_valid(QUERY);
        let asked = variables(&["1".to_owned()], &[], &[], &[]);
        assert_eq!((&asked["anchors"], &asked["within"]), (&Value::Null, &Value::Null));
    }
}
