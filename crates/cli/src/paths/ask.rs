//! Asks the server for paths, and for what two paths share.

use serde::Deserialize;
use serde_json::Value;
use underlay_client::{Client, ClientError};

use crate::object::{kinds, selection};
use crate::sdl::sdl;

const VARIABLE_DEFINITIONS: &str = "$from: ID!, $to: ID!, $avoid: [ID!], $weight: PathWeight, $plane: Plane, \
    $planned: Boolean, $logical: Boolean";
const ARGUMENTS: &str = "from: $from, to: $to, avoid: $avoid, weight: $weight, plane: $plane, \
    includePlanned: $planned, includeLogical: $logical";
/// The fields to request of a path, and of each of its segments.
const MEASURE_FIELDS: &str =
    "lengthM knownLengthM latencyMs knownLatencyMs unknownLatencies bandwidthBps active logical";

#[derive(Deserialize)]
struct PathsData {
    answer: Value,
}

/// Returns the paths that the server finds.
pub(super) async fn paths(client: &Client, variables: Value) -> Result<Value, ClientError> {
    let PathsData { answer } = client.query(&paths_query(), variables).await?;
    Ok(answer)
}

/// Returns two paths and what they share.
pub(super) async fn diversity(client: &Client, variables: Value) -> Result<Value, ClientError> {
    let PathsData { answer } = client.query(&diversity_query(), variables).await?;
    Ok(answer)
}

fn paths_query() -> String {
    format!(
        "query({VARIABLE_DEFINITIONS}, $mode: PathMode, $limit: Int) {{ \
           answer: paths({ARGUMENTS}, mode: $mode, limit: $limit) {{ revision paths {{ {} }} }} }}",
        path()
    )
}

fn diversity_query() -> String {
    format!(
        "query({VARIABLE_DEFINITIONS}) {{ answer: diversity({ARGUMENTS}) {{ revision disjoint paths {{ {} }} \
           risks {{ node {{ id }} kind path riskGroup takesEnd }} }} }}",
        path()
    )
}

fn path() -> String {
    let each = |union: &str| sdl().members(union).map(named).collect::<Vec<_>>().join(" ");
    format!(
        "hops {MEASURE_FIELDS} nodes {{ __typename {} }} segments {{ type {MEASURE_FIELDS} link {{ id name }} \
           steps {{ __typename {} }} }}",
        each("PathNode"),
        each("Hop")
    )
}

/// Returns the selection of the path of an object of a kind.
fn named(kind: &str) -> String {
    format!("... on {kind} {{ id {} }}", kinds().named(kind).map(selection).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_on_a_path_is_requested() {
        for query in [paths_query(), diversity_query()] {
            underlay_testing::graphql::assert_valid(&query);
            for kind in sdl().members("Hop").chain(sdl().members("PathNode")) {
                assert!(query.contains(&format!("... on {kind} {{ id name")), "{kind}: {query}");
            }
        }
    }
}
