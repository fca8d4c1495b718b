//! Asks the server for a graph.

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use underlay_client::{Client, ClientError};

const QUERY: &str = "query($within: ID, $depth: Int, $layers: [GraphLayer!], $by: GraphBy, $first: Int) { \
    graph(within: $within, depth: $depth, layers: $layers, by: $by, first: $first) { revision complete \
    nodes { id kind name path outside object { \
        ... on Device { role status } ... on Rack { status } ... on Site { status } ... on PowerFeed { status } } } \
    edges { layer from to directed count speedBps state } } }";

/// A graph, as the API returns it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Graph {
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<Edge>,
}

/// A node of a graph.
#[derive(Debug, Default, Deserialize)]
pub(super) struct DrawnNode {
    pub id: String,
    pub kind: String,
    pub name: String,
    pub path: String,
    pub outside: bool,
    /// Empty for an object of a kind of which the query selects no field. The server returns null for it.
    #[serde(deserialize_with = "empty_if_null")]
    pub object: Details,
}

/// The fields of an object that distinguish nodes.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Details {
    pub role: Option<String>,
    pub status: Option<String>,
}

/// An edge of a graph.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Edge {
    pub layer: String,
    pub from: String,
    pub to: String,
    pub directed: bool,
    pub count: u64,
    pub speed_bps: Option<u64>,
    pub state: Option<String>,
}

fn empty_if_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Details, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

#[derive(Deserialize)]
struct GraphResponse {
    graph: Value,
}

/// Returns the graph that the server draws.
pub(super) async fn ask(client: &Client, variables: Value) -> Result<Value, ClientError> {
    let GraphResponse { graph } = client.query(QUERY, variables).await?;
    Ok(graph)
}

/// Reads a graph for the formats that are not JSON.
pub(super) fn read(client: &Client, answer: &Value) -> Result<Graph, ClientError> {
    Graph::deserialize(answer)
        .map_err(|error| ClientError::NotGraphql { server: client.server().to_string(), reason: error.to_string() })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_query_is_valid() {
        underlay_testing::graphql::assert_valid(QUERY);
    }

    #[test]
    fn a_node_without_selected_fields_is_read() {
        let node =
            json!({"id": "1", "kind": "ProviderNetwork", "name": "n", "path": "p", "outside": true, "object": null});
        let graph = Graph::deserialize(json!({"nodes": [node], "edges": []})).expect("a graph");
        assert_eq!((graph.nodes[0].object.role.as_ref(), graph.nodes[0].object.status.as_ref()), (None, None));
    }
}
