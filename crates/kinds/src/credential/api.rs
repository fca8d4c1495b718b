//! The GraphQL root fields that read and write credentials.

use super::input::{CredentialInput, CredentialPatch, CredentialPayload};
use super::node::Credential;
use crate::roots;

roots! {
    Credential;
    query CredentialQuery { credential(), credentials }
    mutation CredentialMutation { create_credential, update_credential, delete_credential }
    with CredentialInput, CredentialPatch, CredentialPayload { credential }
}
