//! Ports for programs that cannot listen on any free one and say which.

use std::net::{TcpListener, UdpSocket};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// The ports to choose from. Kernels hand out higher ones, so no connection and no other listener gets one of these while a
/// program starts, or is started again.
const FIRST: u16 = 12_000;
const COUNT: u16 = 20_000;
/// The distance between the ports of two processes of which one follows the other. It has no divisor in common with
/// `COUNT`.
const DISTANCE: u32 = 61;

/// Returns a port of 127.0.0.1 that nothing uses, neither with TCP nor with UDP. Two test processes that run at the same time
/// do not get the same one.
///
/// # Panics
/// Panics if all ports are in use.
pub fn free_port() -> u16 {
    static TRIED: AtomicU32 = AtomicU32::new(0);
    let begin = process::id().wrapping_mul(DISTANCE);
    for _ in 0..COUNT {
        let step = TRIED.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + (begin.wrapping_add(step) % u32::from(COUNT)) as u16;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() && UdpSocket::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
    panic!("all ports from {FIRST} are in use")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_differ_and_one_in_use_is_passed_over() {
        let first = free_port();
        let next = first + 1;
        let _used = TcpListener::bind(("127.0.0.1", next));
        let second = free_port();
        assert!(second != first && second != next, "{first} {second}");
    }
}
