//! The GraphQL root fields that read and write providers.

use super::input::{ProviderInput, ProviderPatch, ProviderPayload};
use super::node::Provider;
use crate::roots;

roots! {
    Provider;
    query ProviderQuery { provider(), providers }
    mutation ProviderMutation { create_provider, update_provider, delete_provider }
    with ProviderInput, ProviderPatch, ProviderPayload { provider }
}
