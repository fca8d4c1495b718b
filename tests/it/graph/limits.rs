//! A graph with too many nodes is cut, and a query that takes too many steps or is stopped ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use underlay_topology::graph::{GraphError, GraphQuery};

use super::{draw, edges, nodes, question};
use crate::impact::Fleet;

const FLEET: &str = "
    rack A
    rack B
    leaf a rack=A
    leaf b rack=A
    leaf c rack=A
    leaf d rack=B
    provider lumen
    network as1 of lumen
    a -- b
    b -- c
    c -- d
    circuit c1 of lumen TRANSIT c:up -> net:as1";

#[test]
fn a_graph_has_the_first_nodes_and_says_if_there_are_more() {
    let fleet = Fleet::of(FLEET);
    let snapshot = fleet.snapshot();
    let all = question(snapshot, "Device physical");
    let rack = GraphQuery { within: Some(fleet.find("A")), depth: 1, ..all.clone() };
    let expected: [(&GraphQuery, usize, &[&str], usize, bool); 9] = [
        (&all, 0, &[], 0, false),
        (&all, 2, &["a", "b"], 1, false),
        (&all, 4, &["a", "b", "c", "d"], 3, false),
        (&all, 5, &["a", "b", "c", "d", "as1"], 4, true),
        // Nodes of the rack that have no room are not drawn as nodes outside either.
        (&rack, 1, &["a"], 0, false),
        (&rack, 2, &["a", "b"], 1, false),
        (&rack, 3, &["a", "b", "c"], 2, false),
        (&rack, 4, &["a", "b", "c", "(d)"], 3, false),
        (&rack, 5, &["a", "b", "c", "(d)", "(as1)"], 4, true),
    ];
    for (asked, max_nodes, names, count, complete) in expected {
        let drawing = draw(snapshot, &GraphQuery { max_nodes, ..asked.clone() }).expect("an answer");
        assert_eq!(nodes(snapshot, &drawing), names, "{max_nodes}");
        assert_eq!((edges(snapshot, &drawing).len(), drawing.complete), (count, complete), "{max_nodes}");
    }
}

#[test]
fn a_query_ends_with_its_steps_or_its_client() {
    let fleet = Fleet::of(FLEET);
    let all = question(fleet.snapshot(), "Device physical");
    let few = GraphQuery { max_steps: Some(10), ..all.clone() };
    assert_eq!(draw(fleet.snapshot(), &few).err(), Some(GraphError::TooComplex { most: 10 }));

    let many: String = (0..1_200).map(|number| format!("server n{number}\n")).collect();
    let fleet = Fleet::of(&many);
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = GraphQuery { stop: Some(Arc::clone(&stop)), ..question(fleet.snapshot(), "Device physical") };
    assert!(draw(fleet.snapshot(), &stopped).is_ok());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(draw(fleet.snapshot(), &stopped).err(), Some(GraphError::Stopped));
}
