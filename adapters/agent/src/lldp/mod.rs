//! LLDP as it comes over the wire: the frames of neighbours, and the socket that hears them.

mod frame;
mod heard;
mod listener;
mod socket;

pub use self::listener::{LISTEN, Listener, Word};
