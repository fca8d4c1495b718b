//! LLDP as it comes over the wire: the socket that hears the frames of neighbours ([`underlay_facts::lldp`]).

mod heard;
mod listener;
mod socket;

pub use self::listener::{LISTEN, Listener, Word};
