//! The mark that we leave at a node, in `extra.underlay`: the host that it is registered for, and the order that it was
//! prepared for last. It says after a restart of any controller what has been done.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use underlay_hosts::host::OrderKey;
use uuid::Uuid;

use crate::client::{Node, Patch};

/// The name of the member of `extra`.
const MEMBER: &str = "underlay";
/// Its path in a patch.
const PATH: &str = "/extra/underlay";

/// The mark of a node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// The id of the host.
    pub host: Uuid,
    /// The name of the host, for people who look at the node.
    #[serde(default)]
    pub name: String,
    /// The order that the node was prepared for last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Prepared>,
    /// The order for which the node had to be created, because nothing was known of the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_for: Option<Prepared>,
}

/// An order that a node was prepared for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prepared {
    /// The number of the order.
    pub number: i64,
    /// The id of the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<Uuid>,
    /// The end of the last inspection before the order. A later end is that of the order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inspected: Option<String>,
}

impl Mark {
    /// Returns the mark of a node. One that cannot be read is none.
    pub fn of(node: &Node) -> Option<Self> {
        node.extra.get(MEMBER).and_then(|mark| serde_json::from_value(mark.clone()).ok())
    }

    /// Returns the step of a patch that leaves this mark at a node.
    pub fn patch(&self) -> Patch {
        Patch::set(PATH, self.value())
    }

    /// Returns the step of a patch that removes the mark of a node.
    pub fn removal() -> Patch {
        Patch::remove(PATH)
    }

    /// Returns the member of `extra` with its name.
    pub fn member(&self) -> (String, Value) {
        (MEMBER.to_owned(), self.value())
    }

    fn value(&self) -> Value {
        // A structure of texts and numbers can always be written.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

impl Prepared {
    /// Returns the record of an order.
    pub const fn of(order: OrderKey, inspected: Option<String>) -> Self {
        Self { number: order.number, id: order.id, inspected }
    }

    /// Returns true if this is an order.
    pub fn is(&self, order: OrderKey) -> bool {
        OrderKey { number: self.number, id: self.id } == order
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mark_comes_back_as_it_was_left_and_an_odd_one_is_none() {
        let order = Prepared { number: 3, id: Some(Uuid::from_u128(4)), inspected: Some("2026-01-01T00:00:00".into()) };
        let mark =
            Mark { host: Uuid::from_u128(7), name: "calm-otter".into(), order: Some(order.clone()), created_for: None };
        let node = Node { extra: [mark.member()].into_iter().collect(), ..Node::default() };
        assert_eq!(Mark::of(&node), Some(mark));
        assert!(order.is(OrderKey { number: 3, id: Some(Uuid::from_u128(4)) }));
        assert!(!order.is(OrderKey { number: 3, id: Some(Uuid::from_u128(5)) }), "a number can come again");
        for odd in [json!("x"), json!({"host": 7}), json!(null)] {
            let node = Node { extra: [("underlay".to_owned(), odd)].into_iter().collect(), ..Node::default() };
            assert_eq!(Mark::of(&node), None);
        }
    }
}
