//! The schemes of addresses, with their aliases and parameters.

/// The protocol or driver that an address names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Redfish. The machine boots from the network by PXE.
    Redfish,
    /// Redfish. The machine boots from virtual media.
    RedfishVirtualMedia,
    /// Redfish. The firmware of the machine fetches its boot program over HTTP.
    RedfishUefiHttp,
    /// IPMI over a network.
    Ipmi,
    /// A virtual machine of libvirt.
    Libvirt,
    /// A machine that exists only in a controller, for trials and tests.
    Simulated,
    /// A program that is configured at the controller. The address gives the name of the configuration.
    Exec,
}

/// The transport of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transport {
    /// HTTP over TLS.
    Https,
    /// HTTP without encryption.
    Http,
    /// A protocol of its own over TLS.
    Tls,
    /// A protocol of its own over TCP, without encryption.
    Tcp,
    /// A protocol of its own over SSH.
    Ssh,
    /// A protocol of its own over UDP, such as IPMI.
    Udp,
    /// No connection: the controller does not connect to the address.
    None,
}

/// One scheme as it is written.
pub(crate) struct Written {
    pub text: &'static str,
    pub scheme: Scheme,
    pub transport: Transport,
}

const fn written(text: &'static str, scheme: Scheme, transport: Transport) -> Written {
    Written { text, scheme, transport }
}

/// All schemes in every form in which they can be written, those without an alias first.
pub(crate) const WRITTEN: [Written; 33] = [
    written("redfish", Scheme::Redfish, Transport::Https),
    written("redfish+https", Scheme::Redfish, Transport::Https),
    written("redfish+http", Scheme::Redfish, Transport::Http),
    written("redfish-virtualmedia", Scheme::RedfishVirtualMedia, Transport::Https),
    written("redfish-virtualmedia+https", Scheme::RedfishVirtualMedia, Transport::Https),
    written("redfish-virtualmedia+http", Scheme::RedfishVirtualMedia, Transport::Http),
    written("redfish-uefihttp", Scheme::RedfishUefiHttp, Transport::Https),
    written("redfish-uefihttp+https", Scheme::RedfishUefiHttp, Transport::Https),
    written("redfish-uefihttp+http", Scheme::RedfishUefiHttp, Transport::Http),
    written("ipmi", Scheme::Ipmi, Transport::Udp),
    written("libvirt+tls", Scheme::Libvirt, Transport::Tls),
    written("libvirt+tcp", Scheme::Libvirt, Transport::Tcp),
    written("libvirt+ssh", Scheme::Libvirt, Transport::Ssh),
    written("simulated", Scheme::Simulated, Transport::None),
    written("exec", Scheme::Exec, Transport::None),
    written("idrac-redfish", Scheme::Redfish, Transport::Https),
    written("idrac-redfish+https", Scheme::Redfish, Transport::Https),
    written("idrac-redfish+http", Scheme::Redfish, Transport::Http),
    written("idrac-virtualmedia", Scheme::RedfishVirtualMedia, Transport::Https),
    written("idrac-virtualmedia+https", Scheme::RedfishVirtualMedia, Transport::Https),
    written("idrac-virtualmedia+http", Scheme::RedfishVirtualMedia, Transport::Http),
    written("idrac-uefihttp", Scheme::RedfishUefiHttp, Transport::Https),
    written("idrac-uefihttp+https", Scheme::RedfishUefiHttp, Transport::Https),
    written("idrac-uefihttp+http", Scheme::RedfishUefiHttp, Transport::Http),
    written("ilo5-redfish", Scheme::Redfish, Transport::Https),
    written("ilo5-redfish+https", Scheme::Redfish, Transport::Https),
    written("ilo5-redfish+http", Scheme::Redfish, Transport::Http),
    written("ilo5-virtualmedia", Scheme::RedfishVirtualMedia, Transport::Https),
    written("ilo5-virtualmedia+https", Scheme::RedfishVirtualMedia, Transport::Https),
    written("ilo5-virtualmedia+http", Scheme::RedfishVirtualMedia, Transport::Http),
    written("ilo5-uefihttp", Scheme::RedfishUefiHttp, Transport::Https),
    written("ilo5-uefihttp+https", Scheme::RedfishUefiHttp, Transport::Https),
    written("ilo5-uefihttp+http", Scheme::RedfishUefiHttp, Transport::Http),
];

/// A parameter that an address may have, with the values that it may take; no values stand for any text.
pub(crate) struct Parameter {
    pub name: &'static str,
    pub values: &'static [&'static str],
}

impl Scheme {
    /// Returns the name of the scheme without a transport.
    pub fn name(self) -> &'static str {
        match self {
            Self::Redfish => "redfish",
            Self::RedfishVirtualMedia => "redfish-virtualmedia",
            Self::RedfishUefiHttp => "redfish-uefihttp",
            Self::Ipmi => "ipmi",
            Self::Libvirt => "libvirt",
            Self::Simulated => "simulated",
            Self::Exec => "exec",
        }
    }

    /// Returns true for the schemes that speak Redfish.
    pub fn is_redfish(self) -> bool {
        matches!(self, Self::Redfish | Self::RedfishVirtualMedia | Self::RedfishUefiHttp)
    }

    /// Returns true if a controller connects over a network to the host of the address.
    pub fn connects(self) -> bool {
        !matches!(self, Self::Simulated | Self::Exec)
    }

    /// Returns the parameters that an address of the scheme may have.
    pub(crate) fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::Libvirt => &[Parameter { name: "driver", values: &["qemu", "test"] }],
            Self::Simulated => &[
                Parameter { name: "fault", values: &[] },
                Parameter { name: "delay", values: &[] },
                Parameter { name: "machines", values: &[] },
                Parameter { name: "seed", values: &[] },
            ],
            _ => &[],
        }
    }
}
