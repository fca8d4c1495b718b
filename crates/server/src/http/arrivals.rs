//! Connections whose clients are not known yet: a WebSocket connection between its handshake and the acknowledgement.
//!
//! Guarantees: they are few, and those from one address are fewer. A further one is always admitted: the one that has
//! waited the longest makes room for it. A client that sends its token at once, as clients do, is known long before, so
//! others cannot lock it out by waiting.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// The most connections at a time.
const MAX_CONNECTIONS: usize = 1_000;
/// The most connections of one address.
const MAX_ADDRESS_CONNECTIONS: usize = 250;
/// The bits of an IPv6 address that name a network, whose addresses often belong to one client.
const NETWORK_BITS: u128 = u128::MAX << 64;

/// The connections whose clients are not known yet. Cloning is cheap.
#[derive(Clone, Debug)]
pub struct Arrivals {
    max_connections: usize,
    max_of_address: usize,
    waiting: Arc<Mutex<Waiting>>,
}

/// The connections, in the order in which they came.
#[derive(Debug, Default)]
struct Waiting {
    connections: VecDeque<WaitingConnection>,
    /// The number of the last connection that came.
    last: u64,
}

#[derive(Debug)]
struct WaitingConnection {
    number: u64,
    address: IpAddr,
    /// The sender that is dropped when the connection makes room.
    _place: oneshot::Sender<()>,
}

/// A connection whose client is not known yet. It counts until it is dropped or makes room.
#[derive(Debug)]
pub struct Arriving {
    waiting: Arc<Mutex<Waiting>>,
    number: u64,
    /// The receiver that becomes ready when the connection makes room.
    place: oneshot::Receiver<()>,
}

impl Default for Arrivals {
    fn default() -> Self {
        Self { max_connections: MAX_CONNECTIONS, max_of_address: MAX_ADDRESS_CONNECTIONS, waiting: Arc::default() }
    }
}

impl Arrivals {
    /// Admits a further connection from an address. If there are too many, others make room.
    pub fn begin(&self, address: IpAddr) -> Arriving {
        let address = network(address);
        let mut waiting = lock(&self.waiting);
        let of_address = waiting.connections.iter().filter(|connection| connection.address == address).count();
        if of_address >= self.max_of_address {
            let oldest = waiting.connections.iter().position(|connection| connection.address == address);
            oldest.and_then(|oldest| waiting.connections.remove(oldest));
        } else if waiting.connections.len() >= self.max_connections {
            waiting.connections.pop_front();
        }
        waiting.last += 1;
        let (number, (holds, place)) = (waiting.last, oneshot::channel());
        waiting.connections.push_back(WaitingConnection { number, address, _place: holds });
        Arriving { waiting: Arc::clone(&self.waiting), number, place }
    }
}

impl Arriving {
    /// Waits until the connection has to make room for another one.
    pub async fn is_displaced(&mut self) {
        // The sender sends nothing, and a receiver that is ready must not be asked again.
        if !self.place.is_terminated() {
            let _ = (&mut self.place).await;
        }
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        let mut waiting = lock(&self.waiting);
        if let Ok(position) = waiting.connections.binary_search_by_key(&self.number, |connection| connection.number) {
            waiting.connections.remove(position);
        }
    }
}

/// Returns the address by which connections are counted.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & NETWORK_BITS).into()),
        address => address,
    }
}

fn lock(waiting: &Mutex<Waiting>) -> MutexGuard<'_, Waiting> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn is_displaced(arriving: &mut Arriving) -> bool {
        arriving.is_displaced().now_or_never().is_some()
    }

    #[test]
    fn the_one_that_waits_longest_makes_room() {
        let arrivals = Arrivals { max_connections: 4, max_of_address: 2, waiting: Arc::default() };
        let begin = |address: &str| arrivals.begin(address.parse().expect("an address"));
        let mut first = ["10.0.0.1", "10.0.0.2", "::ffff:10.0.0.1"].map(begin);
        assert!(!first.iter_mut().any(is_displaced));
        let mut third = begin("10.0.0.1");
        assert_eq!(first.each_mut().map(is_displaced), [true, false, false], "of one address there are two");
        let mut others = ["2001:db8::1", "2001:db8::2"].map(begin);
        assert_eq!(first.each_mut().map(is_displaced), [true, true, false], "the oldest of all");
        let mut sixth = begin("2001:db8::ffff:3");
        assert_eq!(others.each_mut().map(is_displaced), [true, false], "a network counts as one address");
        drop(first);
        let mut last = begin("10.0.0.9");
        assert!(![&mut third, &mut others[1], &mut sixth, &mut last].into_iter().any(is_displaced), "there was room");
        drop((third, others, sixth, last));
        assert!(lock(&arrivals.waiting).connections.is_empty());
    }
}
