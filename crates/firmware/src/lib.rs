//! A simulated machine that boots from the network, for tests: it does over real sockets what firmware, shim, GRUB and
//! iPXE do, and tells where it ends ([`End`]).
//!
//! It has the faults that were seen of real programs: shim hangs at an error without a body, GRUB reads a file whose
//! length has no capitals in its name as an empty one and does not wait for more than five seconds, and iPXE executes
//! whatever it gets. So a boot that ends well here would not leave a machine at a prompt.

pub mod grub;
mod http;
pub mod ipxe;
mod machine;
mod uefi;

pub use self::http::{Asked, Failure, Reply, exchange, send};
pub use self::machine::{Boot, End, Machine, Patience, Platform};
