//! The connections of ports inside their device or rack: front to rear, position by position.

use async_graphql::Object;
use underlay_entity::port::Mapping;

use super::kind::Port;
use crate::grammar::required;
use underlay_inventory::Held;

/// A connection inside a device or rack: a position of a front port to a position of a rear port.
#[derive(Clone, Debug)]
pub struct PassThrough {
    front: Held<Port>,
    mapping: Mapping,
}

/// A connection inside a device or rack: a position of a front port to a position of a rear port.
#[Object]
impl PassThrough {
    /// The front port of the connection.
    async fn front(&self) -> Port {
        Port(self.front.clone())
    }

    /// The position of the front port, from 1.
    async fn position(&self) -> i32 {
        self.mapping.position
    }

    /// The rear port of the connection.
    async fn rear(&self) -> async_graphql::Result<Port> {
        let snapshot = &self.front.snapshot;
        let rear = snapshot.find(self.mapping.rear).and_then(|object| snapshot.hold(object));
        required(rear.map(Port), "passThrough.rear")
    }

    /// The position of the rear port, from 1.
    async fn rear_position(&self) -> i32 {
        self.mapping.rear_position
    }
}

impl PassThrough {
    /// Returns the connections of a port inside: for a front port its own mappings, for a rear port those that lead to
    /// it.
    pub fn of(port: &Held<Port>) -> Vec<Self> {
        let own = |front: &Held<Port>| {
            let front = front.clone();
            let mappings = front.row.pass_through.0.clone();
            mappings.into_iter().map(move |mapping| Self { front: front.clone(), mapping })
        };
        let mut list: Vec<_> = own(port).collect();
        for front in port.referrers::<Port>(Port::PASS_THROUGH) {
            list.extend(own(&front).filter(|it| it.mapping.rear == port.row.id));
        }
        list.sort_by_key(|it| match it.mapping.rear == port.row.id {
            true => it.mapping.rear_position,
            false => it.mapping.position,
        });
        list
    }
}
