//! The row of a credential: the public part of what a system is opened with. Its secrets are never in a row.

use sea_orm::entity::prelude::*;

use crate::common::Texts;

crate::row::kind_row! {
    /// One credential in the table `credential`.
    table "credential" {
        pub r#type: CredentialType,
        pub username: Option<String>,
        /// The names, IP addresses and networks of the hosts to which the secrets may be sent. Empty: all.
        pub allowed_hosts: Texts,
        /// The names of the sources whose objects may refer to the credential, besides those that wrote it.
        pub sources: Texts,
    } secrets
}

crate::choice::choice! {
    /// The form of the secrets of a credential.
    pub enum CredentialType {
        /// A user name and a password.
        Basic,
        /// A token that is sent as it is.
        Token,
        /// A client certificate with its private key.
        Tls,
        /// A private key for SSH.
        SshKey,
        /// The access to registries of container images.
        PullSecret,
        /// The access to a Kubernetes cluster.
        Kubeconfig,
        /// A key that signs updates of DNS zones.
        Tsig,
    }
}
