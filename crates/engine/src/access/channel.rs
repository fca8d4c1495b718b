//! The protection of the connection on which a request arrives. Secrets are only sent and accepted on protected ones.

/// The protection of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// Others may read what is sent: HTTP without TLS, over a network.
    #[default]
    Plain,
    /// Nobody else reads what is sent: TLS, a client on this machine, or a proxy that the configuration trusts and that
    /// says that its client uses TLS.
    Protected,
}
