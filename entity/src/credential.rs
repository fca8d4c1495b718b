//! The row of a credential: the public part of what a system is opened with. Its secrets are never in a row.

use async_graphql::Enum;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers, Texts};

/// One credential in the table `credential`.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "credential")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub name: String,
    pub labels: Labels,
    pub tenant: Option<String>,
    pub description: Option<String>,
    pub attributes: Attributes,
    pub external_refs: ExternalRefs,
    pub managers: Managers,
    pub version: i64,
    pub created_at: DateTimeUtc,
    pub updated_at: DateTimeUtc,
    pub r#type: CredentialType,
    pub username: Option<String>,
    /// The names, IP addresses and networks of the hosts to which the secrets may be sent. Empty: all.
    pub allowed_hosts: Texts,
    /// The names of the sources whose objects may refer to the credential, besides those that wrote it.
    pub sources: Texts,
}

impl ActiveModelBehavior for ActiveModel {}

/// The form of the secrets of a credential.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "CredentialType")]
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

crate::row::row!(Model, secrets);
