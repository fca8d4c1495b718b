//! The secret of a credential with the hosts that it is for, as the server sends them.

use serde::{Deserialize, Serialize};
use underlay_address::AllowedHost;
use uuid::Uuid;

use super::ApiError;
use crate::machine::{Key, Secret};

/// The connection that is about to be opened with a secret. The server compares it with what the object has now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Recipient {
    /// The host or the appliance that refers to the credential.
    pub object: Uuid,
    /// The address, as the controller read it.
    pub url: Option<String>,
    /// True if certificates are not checked.
    pub insecure: bool,
    /// The certificates, in PEM, that are trusted besides the usual ones.
    pub trusted_cas: Option<String>,
}

/// The query of a secret.
pub const SECRET: &str = "query($id: ID!, $recipient: SecretRecipientInput!) {
  secret(credential: $id, recipient: $recipient) { username password privateKey certificate passphrase }
  credential: node(id: $id) { ... on Credential { allowedHosts } }
}";

/// The answer to the query.
#[derive(Deserialize)]
pub struct SecretData {
    secret: Option<WireSecret>,
    credential: Option<WireCredential>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireSecret {
    username: Option<String>,
    password: Option<String>,
    private_key: Option<String>,
    certificate: Option<String>,
    passphrase: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireCredential {
    allowed_hosts: Vec<String>,
}

impl SecretData {
    /// Returns the secret.
    ///
    /// # Errors
    /// Returns an error if the credential has none, or if nobody can tell which hosts it is for.
    pub fn secret(self) -> Result<Secret, ApiError> {
        let unset = || {
            let reason = "the credential has no password and no private key: set it with `underlay secrets set`";
            ApiError::Refused(reason.to_owned())
        };
        let WireSecret { username, password, private_key, certificate, passphrase } = self.secret.ok_or_else(unset)?;
        let gone = || ApiError::Refused("the credential is not there any more".to_owned());
        let allowed_hosts = self.credential.ok_or_else(gone)?.allowed_hosts.into_iter().map(allowed);
        let username = username.unwrap_or_default();
        let (password, key) = match (private_key, password) {
            (Some(private), _) => (String::new(), Some(Key { private, certificate, passphrase })),
            (None, Some(password)) => (password, None),
            (None, None) => return Err(unset()),
        };
        Ok(Secret { username, password, key, allowed_hosts: allowed_hosts.collect::<Result<_, _>>()? })
    }
}

fn allowed(text: String) -> Result<AllowedHost, ApiError> {
    let unreadable =
        |_| ApiError::Refused(format!("allowedHosts of the credential has {text:?}, which cannot be read"));
    text.parse().map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn read(data: Value) -> Result<Secret, String> {
        serde_json::from_value::<SecretData>(data).expect("an answer").secret().map_err(|error| error.to_string())
    }

    #[test]
    fn a_secret_comes_with_the_hosts_that_it_is_for_or_not_at_all() {
        let secret =
            json!({"username": "a", "password": "p", "privateKey": null, "certificate": null, "passphrase": null});
        let all = |hosts: Value| json!({"secret": secret, "credential": {"allowedHosts": hosts}});
        assert_eq!(read(all(json!([]))).expect("a secret").allowed_hosts, []);
        let hosts = read(all(json!(["10.0.0.0/8", "bmc-1"]))).expect("a secret").allowed_hosts;
        assert_eq!(hosts.iter().map(ToString::to_string).collect::<Vec<_>>(), ["10.0.0.0/8", "bmc-1"]);
        for (data, sentence) in [
            (all(json!(["10.0.0.0/99"])), "allowedHosts of the credential has"),
            (json!({"secret": secret, "credential": null}), "not there any more"),
            (json!({"secret": null, "credential": {"allowedHosts": []}}), "underlay secrets set"),
        ] {
            let refused = read(data).expect_err("refused");
            assert!(refused.contains(sentence) && !refused.contains("\"p\""), "{refused}");
        }
    }
}
