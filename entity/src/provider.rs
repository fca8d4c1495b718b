//! The row of a provider: a company that space, lines or machines are bought from.

use async_graphql::{Enum, InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::common::{Attributes, ExternalRefs, Labels, Managers};
use crate::text::Url;

/// The row of a provider.
#[sea_orm::model]
#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "provider")]
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
    pub display_name: Option<String>,
    pub r#type: ProviderType,
    pub contract: Option<Contract>,
    pub service_identifiers: ServiceIdentifiers,
}

impl ActiveModelBehavior for ActiveModel {}

/// What is bought from a provider.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, EnumIter, DeriveActiveEnum, Enum,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[sea_orm(rs_type = "String", db_type = "Text", rename_all = "SCREAMING_SNAKE_CASE")]
#[graphql(name = "ProviderType")]
pub enum ProviderType {
    /// Machines in the provider's own facility.
    Hosting,
    /// Space and power for own machines.
    Colocation,
    /// Reach to the whole internet.
    Transit,
    /// A place to peer with others.
    InternetExchange,
    /// Fibre without equipment at its ends.
    DarkFiber,
    /// Machines and services by the hour.
    Cloud,
    /// None of the others.
    Other,
}

/// The contract with a provider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "ContractInput")]
pub struct Contract {
    /// The number of the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contract_id: Option<String>,
    /// The customer's account with the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// The provider's portal: an http or https URL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal_url: Option<Url>,
    /// Free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// A service of a provider, by the identifier that the provider gives to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "ServiceIdentifierInput")]
pub struct ServiceIdentifier {
    /// What the identifier is for, such as `asn` or `customer-number`.
    pub name: String,
    /// The identifier itself.
    pub identifier: String,
}

/// All service identifiers of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct ServiceIdentifiers(pub Box<[ServiceIdentifier]>);
