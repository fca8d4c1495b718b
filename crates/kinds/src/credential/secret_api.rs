//! The root fields that set, read and rotate secrets.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_graphql::{Context, ID, InputObject, MaybeUndefined, Object, Result, SimpleObject};
use underlay_entity::credential::{Entity, Model};

use super::kind::Credential;
use super::kind::CredentialRef;
use super::recipient::SecretRecipientInput;
use super::secrets::{SecretText, fields, unreadable};
use crate::errors::{forbidden, refused};
use crate::object_arguments::find_object;
use crate::request::Request;
use underlay_engine::access::WritePermit;
use underlay_engine::secrets::{SecretChange, SecretValue};
use underlay_engine::store::MAX_SECRETS;
use underlay_error::Code;
use underlay_inventory::{Held, Kind, Refusal, Selector, Snapshot};

/// The argument that names a credential.
const CREDENTIAL: &str = "credential";

/// A secret to be set.
#[derive(Clone, Debug, InputObject)]
pub struct SecretInput {
    /// The credential that has the secret.
    pub credential: CredentialRef,
    /// The name of the secret. BASIC has `password`; TOKEN has `token`; TLS has `certificate` and `privateKey`; SSH_KEY has
    /// `privateKey` and `passphrase`; PULL_SECRET has `pullSecret`; KUBECONFIG has `kubeconfig`; TSIG has `key`.
    pub field: String,
    /// The value. Required; `null` removes the secret.
    pub value: MaybeUndefined<SecretText>,
}

/// Secrets to be set.
#[derive(Clone, Debug, InputObject)]
pub struct SetSecretsInput {
    /// The secrets: at most 1,000. Of several for one field of a credential, the last one counts.
    pub secrets: Vec<SecretInput>,
}

/// The result of setting secrets.
#[derive(Clone, Copy, Debug, SimpleObject)]
pub struct SetSecretsPayload {
    /// The number of secrets that have another value than before.
    pub set: usize,
    /// The number of secrets that had the value already, or were removed already.
    pub unchanged: usize,
    /// The number of secrets that were removed.
    pub removed: usize,
}

/// The result of encrypting secrets anew.
#[derive(Clone, Copy, Debug, SimpleObject)]
pub struct RotateSecretsPayload {
    /// The number of secrets that were encrypted anew with the first key.
    pub rotated: usize,
    /// The number of secrets that no key of the server decrypts. They stay as they are.
    pub unreadable: usize,
}

/// The secrets of a credential. Those that the type of the credential does not have, and those that are not set, are null.
#[derive(Clone, Debug, SimpleObject)]
pub struct CredentialSecrets {
    /// The credential that the secrets belong to.
    pub credential: Credential,
    /// The user name of the credential, which is no secret.
    pub username: Option<String>,
    /// The password of a BASIC credential.
    pub password: Option<SecretText>,
    /// The token of a TOKEN credential.
    pub token: Option<SecretText>,
    /// The certificate of a TLS credential, in PEM.
    pub certificate: Option<SecretText>,
    /// The private key of a TLS or SSH_KEY credential.
    pub private_key: Option<SecretText>,
    /// The passphrase of the private key of an SSH_KEY credential.
    pub passphrase: Option<SecretText>,
    /// The content of a PULL_SECRET credential, as JSON.
    pub pull_secret: Option<SecretText>,
    /// The content of a KUBECONFIG credential, as YAML or JSON.
    pub kubeconfig: Option<SecretText>,
    /// The key of a TSIG credential, in Base64.
    pub key: Option<SecretText>,
}

impl CredentialSecrets {
    /// Takes the secrets that the type of a credential has.
    fn of(credential: Held<Credential>, mut stored: BTreeMap<String, SecretValue>) -> Self {
        let known = fields(credential.row.r#type);
        stored.retain(|name, _| known.iter().any(|field| field.name == name));
        let mut take = |name: &str| stored.remove(name).map(SecretText);
        Self {
            username: credential.row.username.clone(),
            password: take("password"),
            token: take("token"),
            certificate: take("certificate"),
            private_key: take("privateKey"),
            passphrase: take("passphrase"),
            pull_secret: take("pullSecret"),
            kubeconfig: take("kubeconfig"),
            key: take("key"),
            credential: Credential(credential),
        }
    }
}

/// The root field that reads secrets.
#[derive(Debug, Default)]
pub struct SecretRoots;

/// The root field that reads secrets.
#[Object]
impl SecretRoots {
    /// The secrets of a credential, for callers with the role `secrets-reader` besides one that reads. Each read is
    /// counted. Secrets are sent over HTTPS, to clients on the same machine, and over proxies that the configuration
    /// trusts.
    async fn secret(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The id of the credential.")] credential: ID,
        #[graphql(
            desc = "The connection that is about to be opened with the secrets. They are refused if the object has another \
                    connection by now, or does not refer to the credential any more. Controllers always give it."
        )]
        recipient: Option<SecretRecipientInput>,
    ) -> Result<Option<CredentialSecrets>> {
        let request = Request::of(context);
        let (secrets, reader) = request.secrets_to_read().map_err(|it| forbidden(&it))?;
        let snapshot = request.snapshot();
        let object = find_object(&snapshot, CREDENTIAL, &credential)?;
        let missing =
            || Refusal::NotFound { field: CREDENTIAL.to_owned(), what: format!("credential {}", *credential) };
        let held: Option<Held<Credential>> = snapshot.hold(object);
        let held = held.ok_or_else(|| refused(&missing(), None, None))?;
        let checked = recipient.map_or(Ok(()), |recipient| recipient.check(&snapshot, &held.row));
        checked.map_err(|refusal| refused(&refusal, None, None))?;
        let stored = Box::pin(secrets.read(held.row.id, reader)).await;
        let stored = stored.map_err(|error| unreadable(&error, Some(CREDENTIAL)))?;
        Ok(Some(CredentialSecrets::of(held, stored)))
    }
}

/// The root fields that write secrets.
#[derive(Debug, Default)]
pub struct SecretMutation;

/// The root fields that write secrets.
#[Object]
impl SecretMutation {
    /// Sets secrets of credentials, all of them or none. A value that is equal to the stored one changes nothing. Secrets
    /// make no revision and no event. A synchronizer sets secrets of credentials that its source wrote.
    async fn set_secrets(
        &self,
        context: &Context<'_>,
        #[graphql(desc = "The secrets to set.")] input: SetSecretsInput,
    ) -> Result<Option<SetSecretsPayload>> {
        let request = Request::of(context);
        let (secrets, permit) = request.secrets_to_set().map_err(|it| forbidden(&it))?;
        if input.secrets.len() > MAX_SECRETS {
            let reason = format!("has {} entries; at most {MAX_SECRETS} are allowed", input.secrets.len());
            return Err(invalid("secrets".to_owned(), reason));
        }
        let snapshot = request.snapshot();
        let change = |(at, secret): (usize, SecretInput)| checked(&snapshot, &permit, at, secret);
        let changes = input.secrets.into_iter().enumerate().map(change).collect::<Result<Vec<_>>>()?;
        let changed = Box::pin(secrets.set::<Entity>(changes, permit.actor())).await;
        let changed = changed.map_err(|error| unreadable(&error, Some("secrets")))?;
        Ok(Some(SetSecretsPayload { set: changed.set, unchanged: changed.unchanged, removed: changed.removed }))
    }

    /// Encrypts all secrets anew with the first key of the server. Every server on the database must have all keys first.
    /// When no secret is unreadable, the other keys are needed no more, except for older backups.
    async fn rotate_secrets(&self, context: &Context<'_>) -> Result<Option<RotateSecretsPayload>> {
        let secrets = Request::of(context).secrets_to_rotate().map_err(|it| forbidden(&it))?;
        let rotated = Box::pin(secrets.rotate()).await.map_err(|error| unreadable(&error, None))?;
        Ok(Some(RotateSecretsPayload { rotated: rotated.rotated, unreadable: rotated.unreadable }))
    }
}

/// Returns the change that an entry of the input asks for.
fn checked(snapshot: &Arc<Snapshot>, permit: &WritePermit, at: usize, secret: SecretInput) -> Result<SecretChange> {
    let path = |member: &str| format!("secrets[{at}].{member}");
    let held = find(snapshot, &path(CREDENTIAL), &secret.credential)?;
    check_source(permit, &held.row, path(CREDENTIAL))?;
    let known = fields(held.row.r#type);
    let field = known.iter().find(|field| field.name == secret.field).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|field| field.name).collect();
        let ty = crate::grammar::enum_name(held.row.r#type);
        invalid(path("field"), format!("must be a secret of the type {ty}: {}", names.join(" or ")))
    })?;
    let value = match secret.value {
        MaybeUndefined::Value(SecretText(value)) => {
            field
                .check(value.expose())
                .map_err(|reason| invalid(path("value"), format!("({}) {reason}", field.name)))?;
            Some(value)
        }
        MaybeUndefined::Null => None,
        MaybeUndefined::Undefined => {
            return Err(invalid(path("value"), "is required; null removes the secret".to_owned()));
        }
    };
    Ok(SecretChange { object: held.row.id, field: field.name, value })
}

/// Checks that a synchronizer sets a secret of a credential that its source wrote.
fn check_source(permit: &WritePermit, credential: &Model, field: String) -> Result<()> {
    let Some(own) = permit.source() else { return Ok(()) };
    if credential.external_refs.0.iter().any(|reference| reference.source == own) {
        return Ok(());
    }
    let refusal = Refusal::Recorded {
        code: Code::Forbidden,
        field: Some(field),
        message: format!(
            "the role `synchronizer` sets secrets of credentials of its source, {own:?}, and {} is not of it",
            credential.name
        ),
    };
    Err(refused(&refusal, Some(Credential::describe().name), Some(credential.id)))
}

/// Returns the credential that a reference names.
fn find(snapshot: &Arc<Snapshot>, field: &str, reference: &CredentialRef) -> Result<Held<Credential>> {
    let kind = Credential::describe();
    let json = serde_json::to_value(reference).unwrap_or_default();
    let fail = |refusal: Refusal| refused(&kind.echo.show(refusal, [&json]), Some(kind.name), None);
    let selector = Selector::parse(kind, field, &json, None).map_err(fail)?;
    let object = snapshot.select(kind, field, &selector).map_err(fail)?;
    let held = object.and_then(|object| snapshot.hold(object));
    // The name is not repeated: it may be a secret that was put there by mistake.
    let missing = || Refusal::NotFound { field: field.to_owned(), what: "a credential with this name".to_owned() };
    held.ok_or_else(|| fail(missing()))
}

fn invalid(field: String, reason: String) -> async_graphql::Error {
    refused(&Refusal::Invalid { field, reason }, None, None)
}
