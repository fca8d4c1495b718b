//! A socket that hears the frames of LLDP on all interfaces.

use std::io;
use std::time::Duration;

/// The most that is read of a frame. Jumbo frames are longer, and LLDP does not use them.
const LONGEST: usize = 2048;

/// A frame that came in, without the header of Ethernet.
#[derive(Debug)]
pub struct Received {
    /// The number of the interface.
    pub interface: u32,
    /// The bytes.
    pub frame: Vec<u8>,
}

/// A socket that hears LLDP.
#[derive(Debug)]
pub struct Socket(#[cfg(target_os = "linux")] std::os::fd::OwnedFd);

#[cfg(not(target_os = "linux"))]
impl Socket {
    /// Returns an error: other systems are not listened to.
    pub fn open(_: Duration) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns an error.
    pub fn join(&self, _: u32) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Returns an error.
    pub fn receive(&self) -> io::Result<Option<Received>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::mem;
    use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

    use super::{Duration, LONGEST, Received, Socket, io};

    /// The number of LLDP among the types of Ethernet.
    const LLDP: u16 = 0x88cc;
    /// The address to which neighbours send, which bridges do not pass on.
    const NEAREST_BRIDGE: [u8; 6] = [0x01, 0x80, 0xc2, 0x00, 0x00, 0x0e];

    impl Socket {
        /// Opens the socket. A wait for a frame lasts as long as is said.
        ///
        /// # Errors
        /// Returns an error if the system refuses. It wants `CAP_NET_RAW`.
        pub fn open(wait: Duration) -> io::Result<Self> {
            let protocol = libc::c_int::from(LLDP.to_be());
            // SAFETY: the call takes no pointers.
            let socket = unsafe { libc::socket(libc::AF_PACKET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, protocol) };
            if socket < 0 {
                return Err(io::Error::last_os_error());
            }
            // SAFETY: the socket was just opened, and nobody else has it.
            let socket = Self(unsafe { OwnedFd::from_raw_fd(socket) });
            // Of a bond, the interface counts that heard the frame.
            socket.set(libc::SOL_PACKET, libc::PACKET_ORIGDEV, &1 as &libc::c_int)?;
            let seconds = wait.as_secs().try_into().unwrap_or(libc::time_t::MAX);
            socket.set(libc::SOL_SOCKET, libc::SO_RCVTIMEO, &libc::timeval { tv_sec: seconds, tv_usec: 0 })?;
            Ok(socket)
        }

        /// Makes an interface take the frames of neighbours, by its number.
        ///
        /// # Errors
        /// Returns an error if there is no such interface.
        pub fn join(&self, interface: u32) -> io::Result<()> {
            let mut address = [0; 8];
            address[..NEAREST_BRIDGE.len()].copy_from_slice(&NEAREST_BRIDGE);
            let membership = libc::packet_mreq {
                mr_ifindex: interface.try_into().map_err(io::Error::other)?,
                mr_type: libc::PACKET_MR_MULTICAST as libc::c_ushort,
                mr_alen: NEAREST_BRIDGE.len() as libc::c_ushort,
                mr_address: address,
            };
            self.set(libc::SOL_PACKET, libc::PACKET_ADD_MEMBERSHIP, &membership)
        }

        /// Returns a frame that a neighbour sent, or none if none came in the time of a wait.
        ///
        /// # Errors
        /// Returns an error if the socket is broken.
        pub fn receive(&self) -> io::Result<Option<Received>> {
            let mut frame = vec![0; LONGEST];
            // SAFETY: an address of zeros is one of no interface.
            let mut from: libc::sockaddr_ll = unsafe { mem::zeroed() };
            let mut length = mem::size_of_val(&from) as libc::socklen_t;
            // SAFETY: the frame and the address outlive the call, and their lengths are theirs. With this flag the call
            // returns the length that the frame had, and writes no more than fits.
            let count = unsafe {
                libc::recvfrom(
                    self.0.as_raw_fd(),
                    frame.as_mut_ptr().cast(),
                    frame.len(),
                    libc::MSG_TRUNC,
                    (&raw mut from).cast(),
                    &raw mut length,
                )
            };
            let Ok(count) = usize::try_from(count) else { return passing(io::Error::last_os_error()) };
            let own = from.sll_pkttype == libc::PACKET_OUTGOING;
            let Ok(interface) = u32::try_from(from.sll_ifindex) else { return Ok(None) };
            if own || count > LONGEST {
                return Ok(None);
            }
            frame.truncate(count);
            Ok(Some(Received { interface, frame }))
        }

        /// Sends a frame out of an interface, as a neighbour at its other end does.
        #[cfg(test)]
        pub fn send(&self, interface: u32, frame: &[u8]) -> io::Result<()> {
            // SAFETY: an address of zeros is one of no interface.
            let mut to: libc::sockaddr_ll = unsafe { mem::zeroed() };
            to.sll_family = libc::AF_PACKET as libc::c_ushort;
            to.sll_protocol = LLDP.to_be();
            to.sll_ifindex = interface.try_into().map_err(io::Error::other)?;
            to.sll_halen = NEAREST_BRIDGE.len() as libc::c_uchar;
            to.sll_addr[..NEAREST_BRIDGE.len()].copy_from_slice(&NEAREST_BRIDGE);
            let length = mem::size_of_val(&to) as libc::socklen_t;
            // SAFETY: the frame and the address outlive the call, and their lengths are theirs.
            let sent = unsafe {
                let to = (&raw const to).cast();
                libc::sendto(self.0.as_raw_fd(), frame.as_ptr().cast(), frame.len(), 0, to, length)
            };
            if sent < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
        }

        fn set<T>(&self, level: libc::c_int, name: libc::c_int, value: &T) -> io::Result<()> {
            let length = mem::size_of::<T>() as libc::socklen_t;
            // SAFETY: the value outlives the call, and the length is its own.
            let set = unsafe { libc::setsockopt(self.0.as_raw_fd(), level, name, (&raw const *value).cast(), length) };
            if set < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
        }
    }

    /// Returns nothing for an error that passes: the time of the wait is over, a signal came, or an interface went down.
    fn passing(error: io::Error) -> io::Result<Option<Received>> {
        let passes = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
            || error.raw_os_error() == Some(libc::ENETDOWN);
        if passes { Ok(None) } else { Err(error) }
    }
}
