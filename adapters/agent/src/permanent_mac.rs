//! Asks the kernel for the permanent MAC address of an interface.

use std::io;

/// Returns the permanent MAC address that the driver names, in lower case with colons.
///
/// # Errors
/// Returns an error if the kernel refuses. The kind is `NotFound` if the driver names no address.
#[cfg(target_os = "linux")]
pub fn of(interface: &str) -> io::Result<String> {
    let address = ask(interface)?;
    if address.iter().all(|byte| *byte == 0) {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(address.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(":"))
}

/// Returns an error: other systems are not asked.
#[cfg(not(target_os = "linux"))]
pub fn of(_interface: &str) -> io::Result<String> {
    Err(io::ErrorKind::NotFound.into())
}

#[cfg(target_os = "linux")]
fn ask(interface: &str) -> io::Result<Vec<u8>> {
    use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd};

    /// `ETHTOOL_GPERMADDR` of `linux/ethtool.h`.
    const PERMANENT_ADDRESS: u32 = 0x20;
    /// The longest address (`MAX_ADDR_LEN` of `linux/netdevice.h`).
    const LONGEST: usize = 32;

    /// `ethtool_perm_addr` of `linux/ethtool.h`, with room for every address.
    #[repr(C)]
    struct Question {
        command: u32,
        size: u32,
        address: [u8; LONGEST],
    }

    // SAFETY: the call takes no pointers.
    let socket = unsafe { libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0) };
    if socket < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the socket was just opened, and nobody else has it.
    let socket = unsafe { OwnedFd::from_raw_fd(socket) };
    let mut question = Question { command: PERMANENT_ADDRESS, size: LONGEST as u32, address: [0; LONGEST] };
    // SAFETY: a request of zeros is one without a name.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    // The last byte stays zero, because it ends the name.
    if interface.len() >= request.ifr_name.len() {
        return Err(io::ErrorKind::NotFound.into());
    }
    for (to, from) in request.ifr_name.iter_mut().zip(interface.bytes()) {
        *to = from as libc::c_char;
    }
    request.ifr_ifru.ifru_data = (&raw mut question).cast();
    // SAFETY: the request and the question outlive the call, and the kernel writes at most `size` bytes of the address.
    if unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCETHTOOL as _, &raw mut request) } < 0 {
        return Err(io::Error::last_os_error());
    }
    let length = usize::try_from(question.size).unwrap_or(LONGEST).min(LONGEST);
    Ok(question.address.iter().take(length).copied().collect())
}
