//! Asks the server for the trace of a line.

use serde::Deserialize;
use serde_json::{Value, json};
use underlay_client::{Client, ClientError};

use super::Arguments;
use crate::object::{kinds, selection};
use crate::sdl::sdl;

/// The fields that are shown of a hop besides its name, if the hop has them.
pub(super) const SHOWN_FIELDS: [&str; 9] =
    ["label", "circuitId", "media", "color", "lengthM", "distanceM", "latencyMs", "status", "enabled"];

#[derive(Deserialize)]
struct TraceData {
    trace: Value,
}

/// Returns a trace, with its drawing as SVG if one is wanted.
pub(super) async fn trace(client: &Client, from: &str, arguments: &Arguments) -> Result<Value, ClientError> {
    let variables = json!({ "from": from, "position": arguments.position, "through": arguments.through_devices });
    let svg = if arguments.svg.is_some() { "svg" } else { "" };
    let answer: TraceData = client.query(&query(svg), variables).await?;
    Ok(answer.trace)
}

fn query(svg: &str) -> String {
    let hops: Vec<String> = sdl().members("Hop").map(hop).collect();
    let hops = hops.join(" ");
    format!(
        "query($from: ID!, $position: Int, $through: Boolean) {{ \
           trace(from: $from, position: $position, throughDevices: $through) {{ \
             revision complete active split truncated {svg} \
             branches {{ direction positions endPositions outcome active lengthM knownLengthM latencyMs \
               knownLatencyMs unknownLatencies cableCount end {{ __typename }} steps {{ __typename {hops} }} }} }} }}"
    )
}

/// Returns the selection for a hop of a kind: its path, and the fields of [`SHOWN_FIELDS`] that it has.
fn hop(kind: &str) -> String {
    let named = kinds().named(kind).map(selection).unwrap_or_default();
    let fields = SHOWN_FIELDS.iter().filter(|field| sdl().field(kind, field).is_some()).copied().collect::<Vec<_>>();
    format!("... on {kind} {{ id {named} {} }}", fields.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hop_is_requested() {
        let query = query("svg");
        underlay_testing::graphql::assert_valid(&query);
        for kind in sdl().members("Hop") {
            assert!(query.contains(&format!("... on {kind} {{ id name")), "{kind}: {query}");
        }
        assert!(SHOWN_FIELDS.iter().all(|field| query.contains(field)), "{query}");
    }
}
