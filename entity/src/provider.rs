//! The row of a provider: a company from which space, lines or machines are bought.

use async_graphql::{InputObject, SimpleObject};
use sea_orm::FromJsonQueryResult;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

use crate::text::Url;

crate::row::kind_row! {
    /// One provider in the table `provider`.
    table "provider" {
        pub display_name: Option<String>,
        pub r#type: ProviderType,
        pub contract: Option<Contract>,
        pub service_identifiers: ServiceIdentifiers,
    }
}

crate::choice::choice! {
    /// The type of service that is bought from a provider.
    pub enum ProviderType {
        /// Machines in the provider's own facility.
        Hosting,
        /// Space and power for the customer's own machines.
        Colocation,
        /// Access to the whole internet.
        Transit,
        /// A place to peer with other networks.
        InternetExchange,
        /// Fibre without equipment at its ends.
        DarkFiber,
        /// Machines and services that are charged by use.
        Cloud,
        /// Any other service.
        Other,
    }
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
    /// The http or https URL of the provider's portal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub portal_url: Option<Url>,
    /// Notes about the contract in free text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// An identifier that a provider uses for one of its services.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, SimpleObject, InputObject)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[graphql(input_name = "ServiceIdentifierInput")]
pub struct ServiceIdentifier {
    /// The purpose of the identifier, such as `asn` or `customer-number`.
    pub name: String,
    /// The value of the identifier, such as `AS64500`.
    pub identifier: String,
}

/// The list of all service identifiers of a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct ServiceIdentifiers(pub Box<[ServiceIdentifier]>);
